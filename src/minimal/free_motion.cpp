#include "minimal/free_motion.h"

#include <algorithm>

#include "dynamics/integrate.h"
#include "dynamics/jacobian.h"

namespace rigor {

namespace {

/// h²·tr(K M̂⁻¹) > 1
bool springsAreStiff(const Topology& topology, const Parameters<double>& parameters, FreeMotion& motion) {
  // z is scratch until the kick is known
  const double trace = motion.mass.weighInverse(topology, motion.springs, parameters.stiffness, motion.z.data());
  const double h = std::max(motion.h, motion.lastStep());  // a half kick ends what the step before it began
  return h * h * trace > 1.0;
}

/// v̄ and the external forces on links, null without any.
const Force<double>* prepareBias(const Topology& topology, const Kinematics<double>& kin, const StepInput& input,
                                 const double* v, FreeMotion& motion) {
  for (int j = 0; j < topology.nv; ++j) motion.mean_velocity[j] = v[j] + 0.5 * motion.predicted[j];
  computeExternal(input, kin, motion.external);
  return input.wrenches.empty() ? nullptr : motion.external.data();
}

}  // namespace

void FreeMotion::resize(const Topology& topology, const Parameters<double>& parameters) {
  inertias.resize(topology.links);
  external.resize(topology.links);
  rnea.resize(topology);
  for (auto* array : {&predicted, &mean_velocity, &bias, &diagonal, &rhs, &z, &stretch})
    array->assign(topology.nv, 0.0);
  mass.resize(topology);
  saturated.assign(topology.nv, 0);
  springs.clear();
  for (int j = 0; j < topology.nv; ++j)
    if (parameters.stiffness[j] != 0.0) springs.push_back(j);
}

void computeExternal(const StepInput& input, const Kinematics<double>& kin, std::vector<Force<double>>& external) {
  if (!input.wrenches.empty()) std::fill(external.begin(), external.end(), Force<double>{});
  for (const LinkWrench& w : input.wrenches) {
    const Transform<double>& X = kin.X_OL[w.link];
    const Vec3<double> force = w.in_world ? w.force : X.R * w.force;
    const Vec3<double> torque = w.in_world ? w.torque : X.R * w.torque;
    external[w.link] += forceAt(X * w.point, force, torque);
  }
}

void predictIncrement(const Memory& memory, double kick, FreeMotion& motion) {
  // weights of the last rates, youngest first, that extrapolate a polynomial in time by one step
  static constexpr double kWeights[4][3] = {{0, 0, 0}, {1, 0, 0}, {2, -1, 0}, {3, -3, 1}};
  const double* weight = kWeights[memory.increments];
  const double *r0 = memory.rates[0].data(), *r1 = memory.rates[1].data(), *r2 = memory.rates[2].data();
  for (std::size_t j = 0; j < motion.predicted.size(); ++j)
    motion.predicted[j] = kick * (weight[0] * r0[j] + weight[1] * r1[j] + weight[2] * r2[j]);
}

void computeInertiasAndBias(const Topology& topology, const Parameters<double>& parameters,
                            const Kinematics<double>& kin, const StepInput& input, const double* v,
                            FreeMotion& motion) {
  const Force<double>* external = prepareBias(topology, kin, input, v, motion);
  placeAndMoveOutward(topology, parameters, kin, motion.mean_velocity.data(), external, motion.inertias, motion.rnea);
  motion.rnea.total = motion.rnea.f;
  sumTorques(topology, kin, motion.rnea.total, motion.bias.data());
}

void computeBias(const Topology& topology, const Parameters<double>& parameters, const Kinematics<double>& kin,
                 const StepInput& input, const double* v, FreeMotion& motion) {
  const Force<double>* external = prepareBias(topology, kin, input, v, motion);
  rnea(topology, parameters, kin, motion.inertias, motion.mean_velocity.data(), nullptr, external, motion.rnea,
       motion.bias.data());
}

void computeMass(const Topology& topology, const Parameters<double>& parameters, const Kinematics<double>& kin,
                 FreeMotion& motion) {
  for (int j = 0; j < topology.nv; ++j)
    motion.diagonal[j] = parameters.armature[j] + 0.5 * motion.kick * parameters.damping[j];
  motion.mass.setMass(topology, kin, motion.inertias, motion.diagonal.data());
}

void computeStretch(const Topology& topology, const Parameters<double>& parameters, const double* q,
                    FreeMotion& motion) {
  if (!motion.springs.empty()) difference(topology, parameters.spring_reference.data(), q, motion.stretch.data());
}

void factorMass(const Topology& topology, const Parameters<double>& parameters, const StepInput& input,
                FreeMotion& motion) {
  const auto factor = [&](double spring_share) {
    std::fill(motion.diagonal.begin(), motion.diagonal.end(), 0.0);
    for (const Drive& drive : input.drives)
      if (!motion.saturated[drive.dof]) motion.diagonal[drive.dof] = motion.kick * drive.stiffness(motion.h);
    for (const int j : motion.springs) motion.diagonal[j] += spring_share * parameters.stiffness[j];
    motion.mass.factor(topology, motion.diagonal.data());
  };
  factor(0.0);
  motion.stiff = !motion.springs.empty() && springsAreStiff(topology, parameters, motion);
  if (motion.stiff) factor(0.25 * motion.h * motion.h);
}

void computeKick(const Topology& topology, const Parameters<double>& parameters, const StepInput& input,
                 const double* q, const double* v, FreeMotion& motion) {
  const double *tau = input.tau.data(), *bias = motion.bias.data(), *damping = parameters.damping.data();
  double* rhs = motion.rhs.data();
  const double kick = motion.kick;
#pragma GCC ivdep
  for (int j = 0; j < topology.nv; ++j) rhs[j] = kick * (tau[j] - bias[j] - damping[j] * v[j]);
  for (const int j : motion.springs) rhs[j] += springImpulse(parameters, motion, j, v[j], v[j]);
  for (const Drive& drive : input.drives)
    if (!motion.saturated[drive.dof]) rhs[drive.dof] += driveImpulse(drive, motion, q, v);
  motion.z = motion.rhs;
  motion.mass.solveLTranspose(topology, motion.z.data());
  const std::vector<double>& inverse_D = motion.mass.inverseD();
  for (int j = 0; j < topology.nv; ++j) motion.z[j] *= inverse_D[j];
}

void computeFreeMotion(const Topology& topology, const Parameters<double>& parameters, const Kinematics<double>& kin,
                       const StepInput& input, const double* q, const double* v, FreeMotion& motion) {
  computeInertiasAndBias(topology, parameters, kin, input, v, motion);
  computeMass(topology, parameters, kin, motion);
  computeStretch(topology, parameters, q, motion);
  factorMass(topology, parameters, input, motion);
  computeKick(topology, parameters, input, q, v, motion);
}

}  // namespace rigor
