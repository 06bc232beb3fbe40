// Derivatives of the balance of momentum, by dof j,
//
//   R = (M + armature)(v′ − v) + κ (c(q, v̄) − τ + ½ D (v + v′) − drives) + springs − Jᵀλ = 0.
//
// M(q)(v′ − v) + κ c − Jᵀλ is κ times inverse dynamics with the acceleration (v′ − v)/κ and the forces λ/κ on the links: its closed
// derivatives (rnea_derivatives.h) take those forces as carried along by their links, and what they do besides is added here. Where
// κ = 0, in an impact, it is inverse dynamics from rest without gravity, with the acceleration v′ − v.
#include <algorithm>

#include "derivatives/linearise.h"
#include "derivatives/row_terms_of.h"
#include "dynamics/rnea.h"
#include "math/rotation.h"
#include "minimal/contact_rows.h"
#include "minimal/loop_rows.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

/// 1/κ, or 1 in an impact.
double perKick(double kick) { return kick > 0.0 ? 1.0 / kick : 1.0; }

double kickOf(const StepContext& context, const FreeMotion& motion, int link) {
  return motion.kick[context.topology.v_index[link]];
}

/// How an inertia about O changes with one number of a body that is placed on its link at X.
Inertia<double> inertiaBy(const StepParameter& parameter, const MassProperties& mass, const Transform<double>& X) {
  const Vec c = X * Vec{mass.com.x(), mass.com.y(), mass.com.z()};
  if (parameter.kind == StepParameter::Kind::kMass) return inertiaAbout(1.0, c, {});
  if (parameter.kind == StepParameter::Kind::kCentre) {
    const Vec axes[3] = {X.R.x, X.R.y, X.R.z};
    const Vec e = mass.mass * axes[parameter.axis];
    const double along = 2.0 * dot(c, e);
    return {0.0,
            e,
            {along - 2.0 * c.x * e.x, along - 2.0 * c.y * e.y, along - 2.0 * c.z * e.z, -(c.x * e.y + c.y * e.x),
             -(c.x * e.z + c.z * e.x), -(c.y * e.z + c.z * e.y)}};
  }
  Sym3<double> unit;
  double* entries[6] = {&unit.xx, &unit.yy, &unit.zz, &unit.xy, &unit.xz, &unit.yz};
  *entries[parameter.axis] = 1.0;
  return {0.0, {}, rotate(X.R, unit)};
}

}  // namespace

void Lineariser::collectForces(const StepContext& context, const StepWork& work) {
  const FreeMotion& motion = work.motion;
  std::fill(external_.begin(), external_.end(), Force<double>{});
  for (int link = 0; link < context.topology.links && !context.input.wrenches.empty(); ++link)
    if (kickOf(context, motion, link) > 0.0) external_[link] = motion.external[link];
  wrenches_.resize(std::max(wrenches_.size(), bound_.size()));
  for (std::size_t k = 0; k < bound_.size(); ++k) {
    const Constraint& c = work.set.slots[bound_[k].slot];
    if (!actsOnLinks(termsOf(context, c))) continue;
    computeWrench(context, work.start.pose, c, work.set, &work.set.impulse[c.first_row], wrenches_[k]);
    for (const Side& side : work.set.answeringSidesOf(c))
      external_[side.link] += perKick(kickOf(context, motion, side.link)) * wrenches_[k].F[side.end];
  }
}

void Lineariser::addTurningWrenches(const StepContext& context, const StepWork& work) {
  std::fill(rnea_derivatives_.E.begin(), rnea_derivatives_.E.end(), TurningForce<double>{});
  for (const LinkWrench& w : context.input.wrenches)
    if (w.in_world && kickOf(context, work.motion, w.link) > 0.0)
      rnea_derivatives_.E[w.link] += fixedAxesForce(work.start.pose.kin.X_OL[w.link] * w.point, w.force, w.torque);
}

void Lineariser::differentiateMomentum(const StepContext& context, const StepWork& work, SubstepSystem& system) {
  const Topology& topology = context.topology;
  const FreeMotion& motion = work.motion;
  const int n = topology.nv;
  bool kicked = false;
  for (int j = 0; j < n; ++j) {
    const bool by_kick = motion.kick[j] > 0.0;
    kicked = kicked || by_kick;
    system.kick[j] = motion.kick[j];
    system.rate[j] = acceleration_[j] = work.change[j] * perKick(motion.kick[j]);
    system.v_end[j] = v_end_[j] = context.v[j] + work.change[j];
    mean_[j] = by_kick ? motion.mean_velocity[j] : 0.0;
  }
  const Parameters<double>& parameters = kicked ? context.parameters : weightless_;
  const Kinematics<double>& kin = work.start.pose.kin;
  collectForces(context, work);
  addTurningWrenches(context, work);
  rnea(topology, parameters, kin, motion.inertias, mean_.data(), acceleration_.data(), external_.data(), rnea_,
       torque_.data());
  Eigen::MatrixXd& A = system.balance;
  A.setZero(n, n);
  computeRneaDerivatives(topology, parameters, kin, motion.inertias, mean_.data(), acceleration_.data(), rnea_,
                         !context.input.wrenches.empty(), rnea_derivatives_,
                         {system.by_q.data(), system.by_predicted.data(), A.data()});
  for (int j = 0; j < n; ++j) {
    const double k = motion.kick[j];
    if (k > 0.0) system.by_q.row(j) *= k;
    system.by_predicted.row(j) *= k;  // κ ∂c/∂v̄
  }
  rememberMean(context, work, system);
  addForceChanges(context, work, system);
  A.diagonal() += Eigen::Map<const Eigen::VectorXd>(context.parameters.armature.data(), n);
  const double share = system.extrapolates ? 1.0 : 0.5;  // of v̄ that is v
  system.by_v = share * system.by_predicted - A;
  if (!system.extrapolates) A += 0.5 * system.by_predicted;
  system.by_predicted *= 0.5;  // v̄ = v + ½ increment
  addActuators(context, work, system);
  addInertialParameters(context, work, system);
  if (system.extrapolates)
    system.mass = work.motion.mass;
  else
    system.invert();
}

/// Whether v̄ is what the memory extrapolated, or was renewed to ½(v + v′).
void Lineariser::rememberMean(const StepContext& context, const StepWork& work, SubstepSystem& system) const {
  static constexpr double kWeights[4][3] = {{0, 0, 0}, {1, 0, 0}, {2, -1, 0}, {3, -3, 1}};  // predictIncrement
  system.extrapolates = true;
  for (const Run& run : context.part.runs)
    for (int j = run.trees.first_dof; j < run.trees.end_dof; ++j) {
      double rate = 0.0;
      for (int k = 0; k < 3; ++k) {
        system.weights(j, k) = kWeights[run.increments][k];
        rate += system.weights(j, k) * context.memory.rates[k][j];
      }
      system.predicted_rate[j] = rate;
      const double rounding = 1e-14 * (std::fabs(rate) * system.kick[j] + std::fabs(v_end_[j]));
      if (std::fabs(work.motion.predicted[j] - system.kick[j] * rate) > rounding) system.extrapolates = false;
    }
}

void Lineariser::addForceChanges(const StepContext& context, const StepWork& work, SubstepSystem& system) {
  const Topology& topology = context.topology;
  const Motion<double>* S = work.start.pose.kin.S.data();
  for (std::size_t k = 0; k < bound_.size(); ++k) {
    const Constraint& c = work.set.slots[bound_[k].slot];
    const RowTerms terms = termsOf(context, c);
    if (terms == RowTerms::kCoupling) {
      const LoopPart& part = context.tables.loops[c.index];
      double curvature = 0.0;
      for (int i = 4; i >= 2; --i) curvature = curvature * context.q[part.q_2] + i * (i - 1) * part.coefficients[i];
      system.by_q(part.dof_2, part.dof_2) += curvature * work.set.impulse[c.first_row];
      continue;
    }
    if (!actsOnLinks(terms)) continue;
    for (const Side& side : work.set.answeringSidesOf(c)) {
      // what the force does beyond being carried along: δF = change·m − m ×* F
      Eigen::Matrix<double, 6, 12> change = wrenches_[k].change[side.end];
      const Force<double>& F = wrenches_[k].F[side.end];
      change.block<3, 3>(0, 6 * side.end + 3) += crossMatrix(F.linear);
      change.block<3, 3>(3, 6 * side.end + 3) += crossMatrix(F.angular);
      change.block<3, 3>(3, 6 * side.end) += crossMatrix(F.linear);
      const int* chain = topology.chain.data() + topology.chain_start[side.link];
      for (int at = 0; at < topology.chain_length[side.link]; ++at) {
        const Eigen::Matrix<double, 1, 12> row = rowOf({S[chain[at]].linear, S[chain[at]].angular}) * change;
        for (const Side& other : work.set.sidesOf(c))
          addOnChain(topology, S, other.link, forceOf(row.segment<6>(6 * other.end)), -1.0, system.by_q, chain[at]);
      }
    }
  }
}

void Lineariser::addActuators(const StepContext& context, const StepWork& work, SubstepSystem& system) {
  const FreeMotion& motion = work.motion;
  const Parameters<double>& parameters = context.parameters;
  for (int j = 0; j < context.topology.nv; ++j) {
    const double half_damper = 0.5 * motion.kick[j] * parameters.damping[j];
    system.balance(j, j) += half_damper;
    system.by_v(j, j) += half_damper;
    system.by_kick[j] =
        motion.bias[j] - context.input.tau[j] + 0.5 * parameters.damping[j] * (context.v[j] + v_end_[j]);
    system.by_h[j] = system.by_last[j] = 0.0;
  }
  for (const int j : motion.springs) {
    const double k = parameters.stiffness[j], last = motion.lastStep(j);
    system.by_kick[j] += k * motion.stretch[j];
    if (!motion.stiff[j]) continue;
    system.balance(j, j) += 0.25 * motion.h * motion.h * k;
    system.by_v(j, j) -= 0.25 * last * last * k;
    system.by_h[j] += 0.5 * k * motion.h * v_end_[j];
    system.by_last[j] -= 0.5 * k * last * context.v[j];
  }
  for (int link = 0; link < context.topology.links && !motion.springs.empty(); ++link) {
    const int first = context.topology.v_index[link], dofs = context.topology.dofs[link];
    const bool turns_freely = context.topology.joint[link].rotation == Rotation::kAll;
    for (int i = 0; i < dofs - (turns_freely ? 3 : 0); ++i)
      system.by_q(first + i, first + i) += motion.kick[first + i] * parameters.stiffness[first + i];
    if (!turns_freely) continue;
    const int j = first + dofs - 3;
    const Vec stretch{motion.stretch[j], motion.stretch[j + 1], motion.stretch[j + 2]};  // δ = Jr⁻¹ of a turn
    const auto coefficients = expCoefficients(dot(stretch, stretch));
    const Vec axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; ++i)
      system.by_q.block<1, 3>(j + i, j) +=
          motion.kick[j + i] * parameters.stiffness[j + i] *
          columnOf(leftJacobianInverseTransposeTimes(-stretch, coefficients, axes[i])).transpose();
  }
  for (std::size_t k = 0; k < context.input.drives.size(); ++k) {
    const Drive& drive = context.input.drives[k];
    const int j = drive.dof;
    const double kick = motion.kick[j];
    system.targets[k] = {j, -1, 0.0};
    if (motion.saturated[j]) continue;  // a row of its own
    system.targets[k].slope = kick * drive.kp;
    system.by_q(j, j) += kick * drive.kp;
    system.balance(j, j) += kick * drive.stiffness(motion.h);
    system.by_h[j] += kick * drive.kp * v_end_[j];
    system.by_kick[j] -= drive.torqueAtEnd(motion.h, context.q[drive.q_index], v_end_[j]);
  }
}

void Lineariser::addInertialParameters(const StepContext& context, const StepWork& work, SubstepSystem& system) {
  const Model& model = context.tables.model;
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const StepParameter& parameter = parameters_[p];
    if (parameter.kind < StepParameter::Kind::kMass) continue;
    const BodyPlacement& placement = model.placements()[parameter.body];
    const int link = placement.link;
    const Transform<double>& X_OL = work.start.pose.kin.X_OL[link];
    const Transform<double> X_OB{X_OL.R * placement.X_LB.R, X_OL * placement.X_LB.p};
    const Inertia<double> I = inertiaBy(parameter, model.body(parameter.body).mass, X_OB);
    const double kick = kickOf(context, work.motion, link);
    const Force<double> f = (kick > 0.0 ? kick : 1.0) * movingForce(I, rnea_.V[link], rnea_.A[link]);
    const int* chain = context.topology.chain.data() + context.topology.chain_start[link];
    for (int at = 0; at < context.topology.chain_length[link]; ++at)
      system.by_parameter(chain[at], p) = dot(work.start.pose.kin.S[chain[at]], f);
  }
}

}  // namespace rigor
