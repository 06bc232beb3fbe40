#include "minimal/free_motion.h"

#include <algorithm>

#include "dynamics/crba.h"
#include "dynamics/integrate.h"
#include "dynamics/jacobian.h"

namespace rigor {

namespace {

/// h²·tr(K M̂⁻¹) > 1, one diagonal entry of M̂⁻¹ at a time: column j of L⁻ᵀ lives on the chain of its link.
bool springsAreStiff(const Topology& topology, const Parameters<double>& parameters, FreeMotion& motion) {
  double trace = 0.0;
  for (int j = 0; j < topology.nv; ++j) {
    if (parameters.stiffness[j] == 0.0) continue;
    const int link = topology.dof_link[j], length = topology.chain_length[link];
    const int* chain = topology.chain.data() + topology.chain_start[link];
    double* column = motion.z.data();  // scratch until the kick is known
    std::fill_n(column, length, 0.0);
    column[topology.dof_depth[j]] = 1.0;
    solveChainLTranspose<1>(topology, motion.L.data(), link, column);
    for (int k = 0; k < length; ++k)
      trace += parameters.stiffness[j] * column[k] * column[k] * motion.inverse_D[chain[k]];
  }
  const double h = std::max(motion.h, motion.lastStep());  // a half kick ends what the step before it began
  return h * h * trace > 1.0;
}

}  // namespace

void FreeMotion::resize(const Topology& topology, const Parameters<double>& parameters) {
  inertias.resize(topology.links);
  composite.resize(topology.links);
  external.resize(topology.links);
  rnea.resize(topology);
  for (auto* array : {&predicted, &mean_velocity, &bias, &inverse_D, &rhs, &z, &stretch})
    array->assign(topology.nv, 0.0);
  M.resize(topology.packed_size);
  L.resize(topology.packed_size);
  saturated.assign(topology.nv, 0);
  sprung = std::any_of(parameters.stiffness.begin(), parameters.stiffness.end(), [](double k) { return k > 0.0; });
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

void computeBias(const Topology& topology, const Parameters<double>& parameters, const Kinematics<double>& kin,
                 const StepInput& input, const double* v, FreeMotion& motion) {
  for (int j = 0; j < topology.nv; ++j) motion.mean_velocity[j] = v[j] + 0.5 * motion.predicted[j];
  computeExternal(input, kin, motion.external);
  rnea(topology, parameters, kin, motion.inertias, motion.mean_velocity.data(), nullptr,
       input.wrenches.empty() ? nullptr : motion.external.data(), motion.rnea, motion.bias.data());
}

void computeMass(const Topology& topology, const Parameters<double>& parameters, const Kinematics<double>& kin,
                 FreeMotion& motion) {
  motion.composite = motion.inertias;
  crba(topology, kin, motion.composite, motion.M.data());
  for (int j = 0; j < topology.nv; ++j)
    motion.M[topology.row_start[j] + topology.dof_depth[j]] +=
        parameters.armature[j] + 0.5 * motion.kick * parameters.damping[j];
}

void computeStretch(const Topology& topology, const Parameters<double>& parameters, const double* q,
                    FreeMotion& motion) {
  if (motion.sprung) difference(topology, parameters.spring_reference.data(), q, motion.stretch.data());
}

void factorMass(const Topology& topology, const Parameters<double>& parameters, const StepInput& input,
                FreeMotion& motion) {
  const auto factor = [&](double spring_share) {
    motion.L = motion.M;
    for (int j = 0; j < topology.nv; ++j) {
      double& diagonal = motion.L[topology.row_start[j] + topology.dof_depth[j]];
      if (!motion.saturated[j]) diagonal += motion.kick * (input.kd[j] + motion.h * input.kp[j]);
      diagonal += spring_share * parameters.stiffness[j];
    }
    factorLtl(topology, motion.L.data(), motion.inverse_D.data());
  };
  factor(0.0);
  motion.stiff = motion.sprung && springsAreStiff(topology, parameters, motion);
  if (motion.stiff) factor(0.25 * motion.h * motion.h);
}

void computeKick(const Topology& topology, const Parameters<double>& parameters, const StepInput& input,
                 const double* q, const double* v, FreeMotion& motion) {
  for (int j = 0; j < topology.nv; ++j)
    motion.rhs[j] = motion.kick * (input.tau[j] - motion.bias[j] - parameters.damping[j] * v[j]) +
                    springImpulse(parameters, motion, j, v[j], v[j]);
  for (int link = 0; link < topology.links; ++link) {
    if (topology.dofs[link] != 1) continue;  // only joints with one freedom are held
    const int j = topology.v_index[link];
    if (!motion.saturated[j]) motion.rhs[j] += pdImpulse(input, motion, j, q[topology.q_index[link]], v[j]);
  }
  motion.z = motion.rhs;
  solveLTranspose(topology, motion.L.data(), motion.z.data());
  for (int j = 0; j < topology.nv; ++j) motion.z[j] *= motion.inverse_D[j];
}

}  // namespace rigor
