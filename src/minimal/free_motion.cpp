#include "minimal/free_motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dynamics/integrate.h"
#include "dynamics/jacobian.h"
#include "math/pair.h"
#include "minimal/discrete_motion.h"

namespace rigor {
namespace {

/// h²·tr(K M̂⁻¹) > 1, of one tree: what it does is not for others to decide.
bool springsAreStiff(const Trees& tree, const Parameters<double>& parameters, FreeMotion& motion) {
  // z is scratch until the kick is known
  const double trace = motion.mass.weighInverse(tree, motion.springs, parameters.stiffness, motion.z.data());
  // a half kick ends what the step before it began
  const double h = std::max(motion.h, motion.lastStep(tree.first_dof));
  return h * h * trace > 1.0;
}

/// Decides for every tree with springs whether they are too stiff, and factors it anew if they are.
void stiffenSprings(const Part& part, const Parameters<double>& parameters, FreeMotion& motion) {
  for (const int index : part.trees) {
    const Trees tree(part.runs[0].trees.topology, index, index + 1);
    const std::span<const int> springs = springsOf(motion, tree);
    if (springs.empty()) continue;
    const bool stiff = springsAreStiff(tree, parameters, motion);
    std::fill(motion.stiff.begin() + tree.first_dof, motion.stiff.begin() + tree.end_dof, stiff);
    if (!stiff) continue;
    for (const int j : springs) motion.diagonal[j] += 0.25 * motion.h * motion.h * parameters.stiffness[j];
    motion.mass.factor(tree, motion.diagonal.data());
  }
}

/// v̄ and the external forces on links, null without any.
const Force<double>* prepareBias(const Part& part, const Kinematics<double>& kin, const StepInput& input,
                                 const double* v, FreeMotion& motion) {
  part.forEachDof([&](int j) { motion.mean_velocity[j] = v[j] + 0.5 * motion.predicted[j]; });
  return computeExternal(input, motion.own, kin, motion.external);
}

/// A turn from one pose to another, as its rotation vector θ: of all that lead there, θ(1 + 2πk/|θ|), the one nearest to the guess. Two
/// poses do not tell how often something turned round.
void unwind(const double* guess, double* turn) {
  constexpr double kRound = 2.0 * std::numbers::pi;
  const Vec3<double> wanted{guess[0], guess[1], guess[2]}, told{turn[0], turn[1], turn[2]};
  const double angle = norm(told), size = norm(wanted);
  if (size < 0.5 * std::numbers::pi) return;
  const Vec3<double> axis = angle > 0.0 ? (1.0 / angle) * told : (1.0 / size) * wanted;
  const Vec3<double> nearest = (angle + kRound * std::round((dot(axis, wanted) - angle) / kRound)) * axis;
  turn[0] = nearest.x, turn[1] = nearest.y, turn[2] = nearest.z;
}

}  // namespace

void DiscreteMotion::resize(const Topology& topology) {
  for (auto* array : {&base, &momentum, &given, &at_base, &at_end}) array->assign(topology.nv, 0.0);
  strides.resize(topology.links);
  for (auto* array : {&momenta, &about_O}) array->resize(topology.links);
  V.resize(topology.links);
  node.resize(topology);
  q_end.resize(topology.nq);
}

void FreeMotion::resize(const Topology& topology, const Parameters<double>& parameters, Formulation formulation) {
  inertias.resize(topology.links);
  external.resize(topology.links);
  rnea.resize(topology);
  for (auto* array : {&kick, &predicted, &mean_velocity, &bias, &diagonal, &rhs, &z, &stretch, &told, &told_at_node})
    array->assign(topology.nv, 0.0);
  if (formulation == Formulation::kMaximal) {
    mass.resize(topology, MassMethod::kTwoPoses);
    discrete.resize(topology);
  } else {
    mass.resize(topology);
  }
  saturated.assign(topology.nv, 0);
  stiff.assign(topology.nv, 0);
  springs.clear();
  for (int j = 0; j < topology.nv; ++j)
    if (parameters.stiffness[j] != 0.0) springs.push_back(j);
}

void setLengths(const Part& part, double h, FreeMotion& motion) {
  motion.h = h;
  for (const Run& run : part.runs)
    std::fill(motion.kick.begin() + run.trees.first_dof, motion.kick.begin() + run.trees.end_dof,
              0.5 * (run.last_step + h));
}

const Force<double>* computeExternal(const StepInput& input, const OwnForces& own, const Kinematics<double>& kin,
                                     std::vector<Force<double>>& external) {
  if (input.wrenches.empty() && own.forces.empty()) return nullptr;
  std::fill(external.begin(), external.end(), Force<double>{});
  for (const LinkWrench& w : input.wrenches) {
    const Transform<double>& X = kin.X_OL[w.link];
    const Vec3<double> force = w.in_world ? w.force : X.R * w.force;
    const Vec3<double> torque = w.in_world ? w.torque : X.R * w.torque;
    external[w.link] += forceAt(X * w.point, force, torque);
  }
  for (const LinkForce& force : own.forces) external[force.link] += force.about_O;
  return external.data();
}

void predictIncrement(const Part& part, const Memory& memory, FreeMotion& motion) {
  // weights of the last rates, youngest first, that extrapolate a polynomial in time by one step
  static constexpr double kWeights[4][3] = {{0, 0, 0}, {1, 0, 0}, {2, -1, 0}, {3, -3, 1}};
  const double *r0 = memory.rates[0].data(), *r1 = memory.rates[1].data(), *r2 = memory.rates[2].data();
  for (const Run& run : part.runs) {
    const double* weight = kWeights[run.increments];
    for (int j = run.trees.first_dof; j < run.trees.end_dof; ++j)
      motion.predicted[j] = motion.kick[j] * (weight[0] * r0[j] + weight[1] * r1[j] + weight[2] * r2[j]);
  }
}

void tellPrescribed(const Part& part, const StepInput& input, double time, const double* q, const double* v,
                    FreeMotion& motion) {
  motion.prescribed.clear();
  for (const PrescribedMotion& told : input.motions) {
    if (!part.has[told.tree()]) continue;
    const int first = told.dof();
    double way[6], q_end[7];
    const double since = time - input.motions_begin;
    told.velocityAt(since, &motion.told_at_node[first]);
    told.poseAt(since + motion.h, q_end);
    differenceJoint(kFree, q + told.qIndex(), q_end, way);
    double guess[3];
    for (int k = 0; k < 3; ++k) guess[k] = motion.h * motion.told_at_node[first + 3 + k];
    unwind(guess, way + 3);
    for (int k = 0; k < 6; ++k) {
      const int j = first + k;
      const double v_end = motion.h > 0.0 ? way[k] / motion.h : motion.told_at_node[j];
      motion.prescribed.push_back(j);
      motion.told[j] = motion.predicted[j] = v_end - v[j];
    }
  }
}

void computeInertiasAndBias(const Part& part, const Parameters<double>& parameters, const Kinematics<double>& kin,
                            const StepInput& input, const double* v, FreeMotion& motion) {
  const Force<double>* external = prepareBias(part, kin, input, v, motion);
  for (const Run& run : part.runs) {
    placeAndMoveOutward(run.trees, parameters, kin, motion.mean_velocity.data(), external, motion.inertias,
                        motion.rnea);
    startTotals(run.trees, motion.rnea);
    sumTorques(run.trees, kin, motion.rnea.total, motion.bias.data());
  }
}

void computeBias(const Part& part, const Parameters<double>& parameters, const Kinematics<double>& kin,
                 const StepInput& input, const double* v, FreeMotion& motion) {
  const Force<double>* external = prepareBias(part, kin, input, v, motion);
  for (const Run& run : part.runs)
    rnea(run.trees, parameters, kin, motion.inertias, motion.mean_velocity.data(), nullptr, external, motion.rnea,
         motion.bias.data());
}

void computeMass(const Part& part, const Parameters<double>& parameters, const Kinematics<double>& kin,
                 FreeMotion& motion) {
  part.forEachDof(
      [&](int j) { motion.diagonal[j] = parameters.armature[j] + 0.5 * motion.kick[j] * parameters.damping[j]; });
  for (const int j : motion.prescribed) motion.diagonal[j] = 1.0;
  for (const Run& run : part.runs) motion.mass.setMass(run.trees, kin, motion.inertias, motion.diagonal.data());
}

void computeStretch(const Part& part, const Parameters<double>& parameters, const double* q, FreeMotion& motion) {
  if (motion.springs.empty()) return;
  for (const Run& run : part.runs) difference(run.trees, parameters.spring_reference.data(), q, motion.stretch.data());
}

void factorMass(const Part& part, const Parameters<double>& parameters, const StepInput& input, FreeMotion& motion) {
  part.forEachDof([&](int j) { motion.diagonal[j] = 0.0; });
  for (const Run& run : part.runs) {
    for (const Drive& drive : within(input.drives, run.trees))
      if (!motion.saturated[drive.dof]) motion.diagonal[drive.dof] = motion.kick[drive.dof] * drive.stiffness(motion.h);
    motion.mass.factor(run.trees, motion.diagonal.data());
  }
  if (!motion.springs.empty()) stiffenSprings(part, parameters, motion);
}

void computeKick(const Part& part, const Parameters<double>& parameters, const StepInput& input, const double* q,
                 const double* v, FreeMotion& motion) {
  if (motion.isDiscrete()) return computeDiscreteKick(part, parameters, input, q, v, motion);
  const double *tau = input.tau.data(), *bias = motion.bias.data(), *damping = parameters.damping.data();
  const double* kick = motion.kick.data();
  double *rhs = motion.rhs.data(), *z = motion.z.data();
  for (const Run& run : part.runs)
#pragma GCC ivdep
    for (int j = run.trees.first_dof; j < run.trees.end_dof; ++j)
      rhs[j] = kick[j] * (tau[j] - bias[j] - damping[j] * v[j]);
  const std::vector<double>& inverse_D = motion.mass.inverseD();
  for (const Run& run : part.runs) {
    for (const int j : springsOf(motion, run.trees)) rhs[j] += springImpulse(parameters, motion, j, v[j], v[j]);
    for (const Drive& drive : within(input.drives, run.trees))
      if (!motion.saturated[drive.dof]) rhs[drive.dof] += driveImpulse(drive, motion, q, v);
    std::copy(rhs + run.trees.first_dof, rhs + run.trees.end_dof, z + run.trees.first_dof);
    motion.mass.solveLTranspose(run.trees, z);
    for (int j = run.trees.first_dof; j < run.trees.end_dof; ++j) z[j] *= inverse_D[j];
  }
  for (const int j : motion.prescribed) rhs[j] = z[j] = motion.told[j];
}

double missedVelocity(const Trees& trees, const FreeMotion& motion, const double* v, const double* v_end) {
  const double* mean = motion.mean_velocity.data();
  Pair most(0.0);
  int j = trees.first_dof;
  for (; j + 1 < trees.end_dof; j += 2)
    most = larger(most, absolute(Pair::load(mean + j) - Pair(0.5) * (Pair::load(v + j) + Pair::load(v_end + j))));
  double missed = std::max(most.lane(0), most.lane(1));
  for (; j < trees.end_dof; ++j) missed = std::max(missed, std::fabs(mean[j] - 0.5 * (v[j] + v_end[j])));
  return missed;
}

void computeFreeMotion(const Part& part, const Parameters<double>& parameters, const Kinematics<double>& kin,
                       const StepInput& input, const double* q, const double* v, FreeMotion& motion) {
  computeInertiasAndBias(part, parameters, kin, input, v, motion);
  computeMass(part, parameters, kin, motion);
  computeStretch(part, parameters, q, motion);
  factorMass(part, parameters, input, motion);
  computeKick(part, parameters, input, q, v, motion);
}

}  // namespace rigor
