// Public functions on derivatives.
#include "dynamics/crba.h"
#include "dynamics/mass_inverse.h"
#include "dynamics/workspace.h"
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

/// ∂τ/∂q, ∂τ/∂v and M with armature into `result`, at the kinematics and inertias of `work`.
void differentiateRnea(Workspace& work, const double* v, const double* a, const Wrenches& wrenches,
                       InverseDerivatives& result) {
  const Topology& topology = work.model.topology();
  const Parameters<double>& parameters = work.model.parameters();
  const int n = topology.nv;
  work.rnea_derivatives.resize(topology);
  const Force<double>* external = sumWrenches(work, wrenches);
  rnea(topology, parameters, work.kin, work.inertias, v, a, external, work.rnea, work.torque.data());
  const RneaDerivatives<double> out{prepareMatrix(result.dtau_dq, n), prepareMatrix(result.dtau_dv, n),
                                    prepareMatrix(result.M, n)};
  computeRneaDerivatives(topology, parameters, work.kin, work.inertias, v, a, work.rnea, sumFixedAxes(work, wrenches),
                         work.rnea_derivatives, out);
  for (int j = 0; j < n; ++j) result.M(j, j) += parameters.armature[j];
}

}  // namespace

const InverseDerivatives& computeRNEADerivatives(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn a,
                                                 const Wrenches& wrenches) {
  checkVelocityLike(model, v, "v");
  checkVelocityLike(model, a, "a");
  Workspace& work = enter(model, data, q);
  placeLinks(work, q);
  differentiateRnea(work, v.data(), a.data(), wrenches, work.inverse_derivatives);
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

  // The factors are needed for M⁻¹ anyway and give the acceleration at the price of two half solves.
  factorMass(work);
  invertMass(topology, work.packed.data(), work.inverse_D.data(), prepareMatrix(result.Minv, n));
  const Force<double>* external = sumWrenches(work, wrenches);
  rnea(topology, model.parameters(), work.kin, work.inertias, v.data(), nullptr, external, work.rnea,
       work.torque.data());
  if (result.a.size() != n) result.a.resize(n);
  result.a.noalias() = tau - work.torque;
  solveMass(topology, work.packed.data(), work.inverse_D.data(), result.a.data());

  differentiateRnea(work, v.data(), result.a.data(), wrenches, work.at_acceleration);
  if (work.support.rows.empty()) work.support.resize(topology);
  solvePairs(topology, result.Minv.data(), work.at_acceleration.dtau_dq.data(), work.at_acceleration.dtau_dv.data(),
             work.support, prepareMatrix(result.da_dq, n), prepareMatrix(result.da_dv, n));
  return result;
}

const Eigen::MatrixXd& computeForceDerivative(const Model& model, Data& data, VectorIn q, int body,
                                              const Eigen::Vector3d& point, const Eigen::Vector3d& force,
                                              const Eigen::Vector3d& torque) {
  checkBody(model, body);
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
