// Public functions on derivatives.
#include "algorithms/mass_inverse.h"
#include "algorithms/workspace.h"
#include "dynamics/crba.h"
#include "geometry/convert.h"

namespace rigor {
namespace {

/// Wrenches that keep their world axes while the body turns, for the derivatives by q. False if there are none.
bool sumFixedAxes(Workspace& work, const Wrenches& wrenches) {
  bool any = false;
  for (const Input::Wrench& wrench : wrenches) any = any || wrench.in_world;
  if (!any) return false;
  std::vector<TurningForce<double>>& E = work.rnea_derivatives.E;
  std::fill(E.begin(), E.end(), TurningForce<double>{});
  for (const Input::Wrench& wrench : wrenches) {
    const BodyPlacement& placement = work.model.placements()[wrench.body];
    if (!wrench.in_world || placement.link < 0) continue;
    const Vec3<double> centre =
        work.kin.X_OL[placement.link] * (placement.X_LB * toVec3(work.model.body(wrench.body).mass.com));
    E[placement.link] += fixedAxesForce(centre, toVec3(wrench.force), toVec3(wrench.torque));
  }
  return true;
}

/// ∂τ/∂q, ∂τ/∂v and, if asked for, M with armature, at the kinematics and inertias of `work` and the motion that rnea
/// left in it.
void differentiateRnea(Workspace& work, const double* v, const double* a, const Wrenches& wrenches, bool with_mass,
                       InverseDerivatives& result) {
  const Topology& topology = work.model.topology();
  const Parameters<double>& parameters = work.model.parameters();
  const int n = topology.nv;
  work.rnea_derivatives.resize(topology);
  const RneaDerivatives<double> out{prepareMatrix(result.dtau_dq, n), prepareMatrix(result.dtau_dv, n),
                                    with_mass ? prepareMatrix(result.M, n) : nullptr};
  computeRneaDerivatives(topology, parameters, work.kin, work.inertias, v, a, work.rnea, sumFixedAxes(work, wrenches),
                         work.rnea_derivatives, out);
  for (int j = 0; j < n && with_mass; ++j) result.M(j, j) += parameters.armature[j];
}

}  // namespace

const InverseDerivatives& computeRNEADerivatives(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn a,
                                                 const Wrenches& wrenches) {
  checkVelocityLike(model, v, "v");
  checkVelocityLike(model, a, "a");
  Workspace& work = enter(model, data, q);
  placeLinks(work, q);
  rnea(model.topology(), model.parameters(), work.kin, work.inertias, v.data(), a.data(), sumWrenches(work, wrenches),
       work.rnea, work.torque.data());
  differentiateRnea(work, v.data(), a.data(), wrenches, true, work.inverse_derivatives);
  return work.inverse_derivatives;
}

const ForwardDerivatives& computeABADerivatives(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn tau,
                                                const Wrenches& wrenches) {
  checkVelocityLike(model, v, "v");
  checkVelocityLike(model, tau, "tau");
  Workspace& work = enter(model, data, q);
  placeLinks(work, q);
  const Topology& topology = model.topology();
  const int n = topology.nv;
  ForwardDerivatives& result = work.forward_derivatives;

  // The factors give M⁻¹, the acceleration, and then the derivatives from those of inverse dynamics.
  factorMass(work);
  const double *L = work.packed.data(), *inverse_D = work.inverse_D.data();
  invertMass(topology, L, inverse_D, prepareMatrix(result.Minv, n));
  rnea(topology, model.parameters(), work.kin, work.inertias, v.data(), nullptr, sumWrenches(work, wrenches), work.rnea,
       work.torque.data());
  work.torque = tau - work.torque;  // v may be the last result.a: it is written when v has been read
  solveMass(topology, L, inverse_D, work.torque.data());

  if (work.gained.empty()) {
    work.gained.resize(topology.links);
    work.column_groups.resize(topology);
    work.group_columns.resize(2 * ColumnGroup::kMost * n);
  }
  addAcceleration(topology, work.kin, work.inertias, work.torque.data(), work.gained, work.rnea);
  differentiateRnea(work, v.data(), work.torque.data(), wrenches, false, work.at_acceleration);
  solvePairs(topology, L, inverse_D, work.column_groups, work.at_acceleration.dtau_dq.data(),
             work.at_acceleration.dtau_dv.data(), work.group_columns.data(), prepareMatrix(result.da_dq, n),
             prepareMatrix(result.da_dv, n));
  result.a = work.torque;
  return result;
}

const Eigen::MatrixXd& computeForceDerivative(const Model& model, Data& data, VectorIn q, int body,
                                              const Eigen::Vector3d& point, const Eigen::Vector3d& force,
                                              const Eigen::Vector3d& torque) {
  checkBody(model, body);
  if (!point.allFinite() || !force.allFinite() || !torque.allFinite())
    throw Error("the point, the force or the torque is not finite", "Every number must be finite.");
  Workspace& work = enter(model, data, q);
  computeKinematics(model.topology(), model.parameters(), q.data(), work.kin);
  prepareMatrix(work.force_derivative, model.nv());
  work.force_derivative.setZero();
  const BodyPlacement& placement = model.placements()[body];
  if (placement.link >= 0)
    addForceDerivative(model.topology(), work.kin.S.data(), placement.link,
                       work.kin.X_OL[placement.link] * (placement.X_LB * toVec3(point)), toVec3(force), toVec3(torque),
                       work.force_derivative.data());
  return work.force_derivative;
}

}  // namespace rigor
