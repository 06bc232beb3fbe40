#include "minimal/free_motion.h"

#include <algorithm>

#include "dynamics/crba.h"
#include "dynamics/jacobian.h"

namespace rigor {

void FreeMotion::resize(const Topology& topology) {
  inertias.resize(topology.links);
  composite.resize(topology.links);
  external.resize(topology.links);
  rnea.resize(topology);
  for (auto* array : {&predicted, &mean_velocity, &bias, &inverse_D, &rhs, &z}) array->assign(topology.nv, 0.0);
  M.resize(topology.packed_size);
  L.resize(topology.packed_size);
  saturated.assign(topology.nv, 0);
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

void factorMass(const Topology& topology, const StepInput& input, FreeMotion& motion) {
  motion.L = motion.M;
  for (int j = 0; j < topology.nv; ++j)
    if (!motion.saturated[j])
      motion.L[topology.row_start[j] + topology.dof_depth[j]] += motion.kick * (input.kd[j] + motion.h * input.kp[j]);
  factorLtl(topology, motion.L.data(), motion.inverse_D.data());
}

void computeKick(const Topology& topology, const Parameters<double>& parameters, const StepInput& input,
                 const double* q, const double* v, FreeMotion& motion) {
  for (int j = 0; j < topology.nv; ++j)
    motion.rhs[j] = motion.kick * (input.tau[j] - motion.bias[j] - parameters.damping[j] * v[j]);
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
