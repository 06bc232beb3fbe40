// Public functions on forces: inverse and forward dynamics, mass matrix, momentum, energy.
#include "algorithms/centroidal.h"
#include "algorithms/mass_inverse.h"
#include "algorithms/workspace.h"
#include "dynamics/crba.h"
#include "dynamics/energy.h"
#include "dynamics/passive.h"
#include "geometry/convert.h"

namespace rigor {
namespace {

Workspace& enterDynamics(const Model& model, Data& data, VectorIn q) {
  Workspace& work = enter(model, data, q);
  placeLinks(work, q);
  return work;
}

}  // namespace

const Eigen::VectorXd& rnea(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn a,
                            const Wrenches& wrenches) {
  checkVelocityLike(model, v, "v");
  checkVelocityLike(model, a, "a");
  Workspace& work = enter(model, data, q);
  if (work.paired.hasLimbs() && wrenches.empty()) {
    work.paired.inverseDynamics(q.data(), v.data(), a.data(), work.rnea_torque.data());
    return work.rnea_torque;
  }
  placeLinks(work, q);
  const Force<double>* external = sumWrenches(work, wrenches);
  rnea(model.topology(), model.parameters(), work.kin, work.inertias, v.data(), a.data(), external, work.rnea,
       work.torque.data());
  const std::vector<double>& armature = model.parameters().armature;
  for (int j = 0; j < model.nv(); ++j) work.rnea_torque[j] = work.torque[j] + armature[j] * a[j];
  return work.rnea_torque;
}

const Eigen::VectorXd& aba(const Model& model, Data& data, VectorIn q, VectorIn v, VectorIn tau,
                           const Wrenches& wrenches) {
  checkVelocityLike(model, v, "v");
  checkVelocityLike(model, tau, "tau");
  Workspace& work = enter(model, data, q);
  if (work.paired.hasLimbs() && wrenches.empty()) {
    work.paired.forwardDynamics(q.data(), v.data(), tau.data(), work.acceleration.data());
    return work.acceleration;
  }
  placeLinks(work, q);
  const Force<double>* external = sumWrenches(work, wrenches);
  aba(model.topology(), model.parameters(), work.kin, work.inertias, v.data(), tau.data(), external, work.aba,
      work.acceleration.data());
  return work.acceleration;
}

const Eigen::VectorXd& nonLinearEffects(const Model& model, Data& data, VectorIn q, VectorIn v) {
  checkVelocityLike(model, v, "v");
  Workspace& work = enterDynamics(model, data, q);
  rnea(model.topology(), model.parameters(), work.kin, work.inertias, v.data(), nullptr, nullptr, work.rnea,
       work.bias.data());
  return work.bias;
}

const Eigen::VectorXd& computeGeneralizedGravity(const Model& model, Data& data, VectorIn q) {
  Workspace& work = enterDynamics(model, data, q);
  rnea(model.topology(), model.parameters(), work.kin, work.inertias, work.zero.data(), nullptr, nullptr, work.rnea,
       work.gravity.data());
  return work.gravity;
}

const Eigen::MatrixXd& crba(const Model& model, Data& data, VectorIn q) {
  Workspace& work = enter(model, data, q);
  const Topology& topology = model.topology();
  const int n = topology.nv;
  double* M = prepareMatrix(work.mass, n);
  if (work.paired.hasLimbs()) {
    work.paired.massMatrix(q.data(), M);
    return work.mass;
  }
  placeLinks(work, q);
  packMass(work);
  for (int i = 0; i < n; ++i) {
    const int* chain = topology.chain.data() + topology.chain_start[topology.dof_link[i]];
    const double* row = work.packed.data() + topology.row_start[i];
    for (int k = 0; k <= topology.dof_depth[i]; ++k) M[i + n * chain[k]] = M[chain[k] + n * i] = row[k];
  }
  return work.mass;
}

const Eigen::MatrixXd& computeMinverse(const Model& model, Data& data, VectorIn q) {
  Workspace& work = enterDynamics(model, data, q);
  double* inverse = prepareMatrix(work.mass_inverse, model.nv());
  constexpr int kSerialCrossover = 14, kCrossover = 33;  // chains of 27 and 65 links (docs/results.md)
  const Topology& topology = model.topology();
  if (isDeeper(topology, kSerialCrossover) && isSerial(topology)) {
    factorTree(work);
    work.chain_inverse.resize(topology);
    invertMassOfChains(topology, work.kin, work.articulated, work.chain_inverse, inverse);
  } else if (isDeeper(topology, kCrossover)) {
    factorTree(work);
    invertMassByResponse(topology, work.kin, work.articulated, work.aba.A.data(), work.aba.u.data(), inverse);
  } else {
    factorMass(work);
    invertMass(topology, work.packed.data(), work.inverse_D.data(), inverse);
  }
  return work.mass_inverse;
}

const Eigen::MatrixXd& computeCoriolisMatrix(const Model& model, Data& data, VectorIn q, VectorIn v) {
  checkVelocityLike(model, v, "v");
  Workspace& work = enterDynamics(model, data, q);
  work.coriolis.resize(model.topology());
  computeCoriolis(model.topology(), work.kin, work.inertias, v.data(), work.coriolis,
                  prepareMatrix(work.coriolis_matrix, model.nv()));
  return work.coriolis_matrix;
}

const Eigen::VectorXd& computeSpringForces(const Model& model, Data& data, VectorIn q) {
  Workspace& work = enter(model, data, q);
  computeSprings(model.topology(), model.parameters(), q.data(), work.spring.data());
  return work.spring;
}

const Eigen::VectorXd& computeDamperForces(const Model& model, Data& data, VectorIn q, VectorIn v) {
  Workspace& work = enter(model, data, q, v);
  const std::vector<double>& damping = model.parameters().damping;
  for (int j = 0; j < model.nv(); ++j) work.damper[j] = -damping[j] * v[j];
  return work.damper;
}

double computeSpringEnergy(const Model& model, Data& data, VectorIn q) {
  Workspace& work = enter(model, data, q);
  return computeSpringPotential(model.topology(), model.parameters(), q.data(), work.torque.data());
}

Eigen::Vector3d centerOfMass(const Model& model, Data& data, VectorIn q) {
  Workspace& work = enterDynamics(model, data, q);
  return toEigen(computeMassCentre(model.topology(), work.kin, work.inertias).position);
}

CenterOfMass centerOfMass(const Model& model, Data& data, VectorIn q, VectorIn v) {
  checkVelocityLike(model, v, "v");
  Workspace& work = enterDynamics(model, data, q);
  const MassCentre<double> centre = computeMassCentre(model.topology(), work.kin, work.inertias);
  const EnergyMomentum<double> sum =
      computeEnergy(model.topology(), model.parameters(), work.kin, work.inertias, v.data(), work.rnea.V);
  if (centre.mass == 0.0) return {};
  return {toEigen(centre.position), toEigen(sum.linear) / centre.mass};
}

const Matrix6Xd& computeCentroidalMap(const Model& model, Data& data, VectorIn q) {
  Workspace& work = enterDynamics(model, data, q);
  const Topology& topology = model.topology();
  const Vec3<double> centre = computeMassCentre(topology, work.kin, work.inertias).position;
  work.composite = work.inertias;
  if (work.centroidal_map.cols() != topology.nv) work.centroidal_map.resize(6, topology.nv);
  static_assert(sizeof(Force<double>) == 6 * sizeof(double), "columns of the map are forces");
  computeMomentumMap(topology, work.kin, work.composite, centre,
                     reinterpret_cast<Force<double>*>(work.centroidal_map.data()));
  return work.centroidal_map;
}

Vector6d computeCentroidalMomentum(const Model& model, Data& data, VectorIn q, VectorIn v) {
  checkVelocityLike(model, v, "v");
  Workspace& work = enterDynamics(model, data, q);
  const Topology& topology = model.topology();
  const Vec3<double> centre = computeMassCentre(topology, work.kin, work.inertias).position;
  computeVelocities(topology, work.kin, v.data(), work.rnea.V);
  Force<double> sum;
  for (int link = 0; link < topology.links; ++link) {
    const Force<double> momentum = work.inertias[link] * work.rnea.V[link];
    sum.linear += momentum.linear;
    sum.angular += momentum.angular + cross(work.kin.origin[topology.tree[link]] - centre, momentum.linear);
  }
  Vector6d momentum;
  momentum << toEigen(sum.linear), toEigen(sum.angular);
  return momentum;
}

double computeKineticEnergy(const Model& model, Data& data, VectorIn q, VectorIn v) {
  checkVelocityLike(model, v, "v");
  Workspace& work = enterDynamics(model, data, q);
  return computeEnergy(model.topology(), model.parameters(), work.kin, work.inertias, v.data(), work.rnea.V).kinetic;
}

double computePotentialEnergy(const Model& model, Data& data, VectorIn q) {
  Workspace& work = enterDynamics(model, data, q);
  return computeEnergy(model.topology(), model.parameters(), work.kin, work.inertias, work.zero.data(), work.rnea.V)
      .potential;
}

}  // namespace rigor
