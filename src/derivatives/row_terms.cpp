// The rows that bind and what holds of them, by mode:
//
//   stick, loop, limit, motor or dry friction at rest    δ(u + bias + R λ) = 0
//   slip, d = ut/|ut|                                     δun + δν = 0,  δλt + μ d δλn + (μ λn/|ut|)(1 − d dᵀ) δut + λn d δμ = 0
//   at a bound                                            δλ = δbound
//
// u of a step of length h is a way over h: a function of q′ and q. In a step of length 0 it is J(q) v′.
#include <cmath>

#include "derivatives/linearise.h"
#include "derivatives/row_terms_of.h"
#include "dynamics/jacobian.h"
#include "math/rotation.h"
#include "minimal/closing.h"
#include "minimal/contact_rows.h"
#include "minimal/loop_rows.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

/// A gap that is closed when the step ends, whatever it was: what is deeper than a touch stays as deep.
bool closes(const Constraint& c) { return c.bias != 0.0 || c.gap >= -kTouching; }

}  // namespace

void addOnChain(const Topology& topology, const Motion<double>* S, int link, const Force<double>& F, double scale,
                Eigen::MatrixXd& rows, int row) {
  const int* chain = topology.chain.data() + topology.chain_start[link];
  for (int k = 0; k < topology.chain_length[link]; ++k) rows(row, chain[k]) += scale * dot(S[chain[k]], F);
}

void Lineariser::differentiateRows(const StepContext& context, const StepWork& work, SubstepSystem& system) {
  const Topology& topology = context.topology;
  const ConstraintSet& set = work.set;
  const int n = topology.nv, rows = system.rows;
  force_rows_.setZero(rows, n);
  free_rows_.setZero(rows, rows);
  system.resizeRows(n, static_cast<int>(parameters_.size()));
  for (const BoundRows& bound : bound_) {
    const Constraint& c = set.slots[bound.slot];
    for (const Side& side : set.answeringSidesOf(c)) {
      const int* chain = set.entriesOf(side);
      for (int k = 0; k < side.length; ++k)
        for (int r = 0; r < bound.rows; ++r)
          force_rows_(bound.first + r, chain[k]) += set.force[side.offset + k * c.rows + r];
    }
    if (termsOf(context, c) == RowTerms::kSpeed) {
      system.binding(bound.first, c.index) = 1.0;
    } else if (system.h > 0.0) {
      differentiateWay(context, work, c);
      storeWay(work, bound, system);
    } else {
      differentiateRates(context, work, bound, system);
    }
  }
  respond(context, work, system);
  for (const BoundRows& bound : bound_) bind(context, work, bound, system);
}

/// S = A⁻¹ Jᵀ; of the mass matrix the step has half of it, Z.
void Lineariser::respond(const StepContext& context, const StepWork& work, SubstepSystem& system) {
  if (!system.extrapolates) {
    if (system.rows > 0) system.response.noalias() = system.inverse * force_rows_.transpose();
    return;
  }
  const ConstraintSet& set = work.set;
  for (const BoundRows& bound : bound_) {
    const Constraint& c = set.slots[bound.slot];
    for (const Side& side : set.answeringSidesOf(c)) {
      const int* chain = set.entriesOf(side);
      for (int k = 0; k < side.length; ++k)
        for (int r = 0; r < bound.rows; ++r)
          system.response(chain[k], bound.first + r) += set.response[side.offset + k * c.rows + r];
    }
  }
  const Trees all(context.topology);
  for (int r = 0; r < system.rows; ++r) work.motion.mass.solveU(all, &system.response(0, r));
}

/// end_rows_, start_rows_ and turn_rows_ of one constraint.
void Lineariser::differentiateWay(const StepContext& context, const StepWork& work, const Constraint& c) {
  const int n = context.topology.nv;
  for (auto* rows : {&end_rows_, &start_rows_, &turn_rows_}) rows->setZero(3, n);
  const RowTerms terms = termsOf(context, c);
  if (terms == RowTerms::kLimit) {
    const double sign = work.set.joints[c.detail].sign;
    end_rows_(0, c.index) = sign;
    start_rows_(0, c.index) = -sign;
    return;
  }
  if (terms == RowTerms::kCoupling) {
    const LoopPart& part = context.tables.loops[c.index];
    const LoopOpening opening = computeOpening(part, context.topology, work.end.pose.kin, work.end.q.data());
    end_rows_(0, part.dof_1) += 1.0;
    end_rows_(0, part.dof_2) += opening.slope_2;
    return;
  }
  computeWay(context, work.end.pose, work.end.q.data(), c, work.set, way_);
  if (const ContactDetail* contact = contactOf(c, work.set)) addTurn(context, work, c, *contact);
  for (const Side& side : work.set.sidesOf(c))
    for (int r = 0; r < c.rows; ++r) {
      addOnChain(context.topology, work.end.pose.kin.S.data(), side.link,
                 forceOf(way_.by_end.row(r).segment<6>(6 * side.end)), 1.0, end_rows_, r);
      addOnChain(context.topology, work.start.pose.kin.S.data(), side.link,
                 forceOf(way_.by_start.row(r).segment<6>(6 * side.end)), 1.0, start_rows_, r);
    }
}

/// The turn θ = log(R′Rᵀ) of a link, δθ = Jl(θ)⁻¹ δφ′ − Jr(θ)⁻¹ δφ; of a round one θ = R hω, δθ = R (hδω − hω × δ).
void Lineariser::addTurn(const StepContext& context, const StepWork& work, const Constraint& c,
                         const ContactDetail& contact) {
  for (const Side& side : work.set.sidesOf(c)) {
    if (!way_.turns[side.end]) continue;
    const Vec& theta = contact.turn[side.end];
    const auto coefficients = expCoefficients(dot(theta, theta));
    for (int r = 1; r < 3; ++r) {
      const Eigen::RowVector3d by = way_.by_turn[side.end].row(r);
      const Vec g{by[0], by[1], by[2]};
      if (!context.tables.collision.round[side.link]) {
        way_.by_end.row(r).segment<3>(6 * side.end + 3) +=
            columnOf(leftJacobianInverseTransposeTimes(theta, coefficients, g)).transpose();
        way_.by_start.row(r).segment<3>(6 * side.end + 3) -=
            columnOf(leftJacobianInverseTransposeTimes(-theta, coefficients, g)).transpose();
        continue;
      }
      const int j = context.topology.v_index[side.link] + 3;
      const double h = work.motion.h;
      const Vec in_body = transposeTimes(work.start.pose.kin.X_OL[side.link].R, g);
      const Vec turn{h * v_end_[j], h * v_end_[j + 1], h * v_end_[j + 2]};
      turn_rows_.block<1, 3>(r, j) += h * columnOf(in_body).transpose();
      start_rows_.block<1, 3>(r, j) -= columnOf(cross(in_body, turn)).transpose();
    }
  }
}

/// C and s from the ways of one constraint: u = way/h.
void Lineariser::storeWay(const StepWork& work, const BoundRows& bound, SubstepSystem& system) {
  const Constraint& c = work.set.slots[bound.slot];
  const double per_h = 1.0 / system.h;
  if (c.can_open && closes(c)) start_rows_.row(0).setZero();  // the law is then φ(q′) = 0
  for (int r = 0; r < bound.rows; ++r) {
    const int row = bound.first + r;
    system.rows_by_h[row] = -per_h * (end_rows_.row(r) + per_h * turn_rows_.row(r)).dot(system.v_end);
    system.binding.row(row) = end_rows_.row(r) + per_h * turn_rows_.row(r);
    system.rows_by_q.row(row) = -per_h * (end_rows_.row(r) + start_rows_.row(r));
    for (const QuaternionCarry& one : system.quaternions) {
      const Eigen::RowVector3d by = end_rows_.block<1, 3>(r, one.dof);
      system.binding.block<1, 3>(row, one.dof) += by * one.turn - by;
      system.rows_by_q.block<1, 3>(row, one.dof) -= per_h * (by * one.carry - by);
    }
  }
}

/// The same of a step of length 0: u = J v′, and of what bounces un + e J v = 0.
void Lineariser::differentiateRates(const StepContext& context, const StepWork& work, const BoundRows& bound,
                                    SubstepSystem& system) {
  const Topology& topology = context.topology;
  const Constraint& c = work.set.slots[bound.slot];
  system.binding.middleRows(bound.first, bound.rows) = force_rows_.middleRows(bound.first, bound.rows);
  if (bound.bounce > 0.0) {
    system.rows_by_v.row(bound.first) = -bound.bounce * force_rows_.row(bound.first);
    system.rows_know_v = true;
  }
  const RowTerms terms = termsOf(context, c);
  if (terms == RowTerms::kLimit) return;
  if (terms == RowTerms::kCoupling) {
    const LoopPart* loop = &context.tables.loops[c.index];
    double curvature = 0.0;
    for (int i = 4; i >= 2; --i) curvature = curvature * context.q[loop->q_2] + i * (i - 1) * loop->coefficients[i];
    system.rows_by_q(bound.first, loop->dof_2) += curvature * v_end_[loop->dof_2];
    return;
  }
  const Kinematics<double>& kin = work.start.pose.kin;
  for (int r = 0; r < bound.rows; ++r) {
    double impulse[kMostRows] = {};
    impulse[r] = 1.0;
    computeWrench(context, work.start.pose, c, work.set, impulse, unit_);
    // velocity that the row meets, of v′ or of v′ + e v
    acceleration_ = v_end_;
    if (r == 0 && bound.bounce > 0.0)
      acceleration_ += bound.bounce * Eigen::Map<const Eigen::VectorXd>(context.v, topology.nv);
    computeVelocities(topology, kin, acceleration_.data(), V_);
    for (const Side& side : work.set.sidesOf(c)) {
      const Motion<double>& V = V_[side.link];
      const Eigen::Matrix<double, 1, 12> by_poses = rowOf({V.linear, V.angular}) * unit_.change[side.end];
      for (const Side& other : work.set.sidesOf(c))
        addOnChain(topology, kin.S.data(), other.link, forceOf(by_poses.segment<6>(6 * other.end)), -1.0,
                   system.rows_by_q, bound.first + r);
      // ∂V/∂q_j = S_j × (V − W), W that of the link of j after its freedoms that turn with its parent
      const int* chain = topology.chain.data() + topology.chain_start[side.link];
      for (int at = 0; at < topology.chain_length[side.link]; ++at) {
        const int j = chain[at], owner = topology.dof_link[j], parent = topology.parent[owner];
        Motion<double> W = parent < 0 ? Motion<double>{} : V_[parent];
        for (int k = 0; k < topology.parent_columns[owner]; ++k)
          W += acceleration_[topology.v_index[owner] + k] * kin.S[topology.v_index[owner] + k];
        const Motion<double> relative{V.linear - W.linear, V.angular - W.angular};
        system.rows_by_q(bound.first + r, j) -= dot(cross(kin.S[j], relative), unit_.F[side.end]);
      }
    }
  }
}

void Lineariser::bind(const StepContext& context, const StepWork& work, const BoundRows& bound, SubstepSystem& system) {
  const Constraint& c = work.set.slots[bound.slot];
  if (termsOf(context, c) == RowTerms::kSpeed) return bindBox(context, work, bound, system);
  if (bound.slips) bindSlip(work, bound, system);
  if (contactOf(c, work.set)) addSurfaceParameters(context, work, bound, system);
}

void Lineariser::bindSlip(const StepWork& work, const BoundRows& bound, SubstepSystem& system) {
  const Constraint& c = work.set.slots[bound.slot];
  const double *impulse = &work.set.impulse[c.first_row], *u = &work.set.velocity[c.first_row];
  const double speed = std::hypot(u[1], u[2]), w = bound.scale;
  const Eigen::Vector2d d(u[1] / speed, u[2] / speed);
  const int row = bound.first + 1;
  const Eigen::Matrix2d across =
      (w * bound.mu * impulse[0] / speed) * (Eigen::Matrix2d::Identity() - d * d.transpose());
  // two rows at once, in place
  const auto turn = [&](Eigen::MatrixXd& rows) {
    for (Eigen::Index k = 0; k < rows.cols(); ++k) {
      const Eigen::Vector2d both = rows.block<2, 1>(row, k);
      rows.block<2, 1>(row, k) = across * both;
    }
  };
  turn(system.binding);
  turn(system.rows_by_q);
  if (system.rows_know_v) turn(system.rows_by_v);
  const Eigen::Vector2d by_h = system.rows_by_h.segment<2>(row);
  system.rows_by_h.segment<2>(row) = across * by_h;
  free_rows_.block<2, 2>(row, row) = w * Eigen::Matrix2d::Identity();
  free_rows_.block<2, 1>(row, bound.first) = w * bound.mu * d;
}

void Lineariser::bindBox(const StepContext& context, const StepWork& work, const BoundRows& bound,
                         SubstepSystem& system) {
  const Constraint& c = work.set.slots[bound.slot];
  const int row = bound.first, j = c.index;
  const double kick = work.motion.kick[j], impulse = work.set.impulse[c.first_row];
  // dry friction holds by a row that is not compliant, as no motor with gains is
  const Drive* drive = c.compliance > 0.0 ? &context.input.drives[context.input.drive_of[j]] : nullptr;
  system.row_dof[row] = j;
  if (bound.at_bound) {
    system.binding.row(row).setZero();
    free_rows_(row, row) = bound.scale;
    system.rows_by_kick[row] = kick > 0.0 ? bound.scale * impulse / kick : 0.0;
    return;
  }
  if (!drive) return;  // dry friction holds: δv′ = 0
  // v′ − u* + R λ = 0 with u* = kp (q* − q)/k and R = 1/(κ k), k = kd + h kp
  const double stiffness = drive->stiffness(work.motion.h), pull = drive->kp / stiffness;
  const double way = drive->target - context.q[drive->q_index];
  free_rows_(row, row) = c.compliance;
  system.rows_by_q(row, j) -= pull;
  system.rows_by_h[row] = pull * (impulse / (kick * stiffness) - drive->kp * way / stiffness);
  system.rows_by_kick[row] = impulse / (kick * kick * stiffness);
  system.targets[context.input.drive_of[j]] = {j, row, pull};
}

void Lineariser::addSurfaceParameters(const StepContext& context, const StepWork& work, const BoundRows& bound,
                                      SubstepSystem& system) {
  const Constraint& c = work.set.slots[bound.slot];
  const FeaturePair& pair = work.set.contacts[c.detail].pair;
  const std::vector<ModelShape>& shapes = context.tables.model.shapes();
  const int bodies[2] = {shapes[pair.shape[0]].body, shapes[pair.shape[1]].body};
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const StepParameter& parameter = parameters_[p];
    if (parameter.kind > StepParameter::Kind::kRestitution || !meets(parameter, bodies[0], bodies[1])) continue;
    const double *impulse = &work.set.impulse[c.first_row], *u = &work.set.velocity[c.first_row];
    if (parameter.kind == StepParameter::Kind::kFriction && bound.slips) {
      const double per_speed = -bound.scale * impulse[0] / std::hypot(u[1], u[2]);
      for (int r = 1; r < 3; ++r) system.rows_by_parameter(bound.first + r, p) = per_speed * u[r];
    }
    if (parameter.kind == StepParameter::Kind::kRestitution && bound.bounce > 0.0)
      system.rows_by_parameter(bound.first, p) = -rateOfGap(work.set, c);
  }
}

bool Lineariser::findLanding(const StepContext& context, const StepWork& work, SubstepSystem& system) {
  system.lands = work.set.trying;
  if (!system.lands) return true;
  const Constraint* first = nullptr;
  for (const int slot : work.set.awaited)
    if (const Constraint& c = work.set.slots[slot]; !first || c.gap_end < first->gap_end) first = &c;
  const char* why = nullptr;
  if (!first || !hasPairTerms(context, *first, work.set, why)) return false;
  differentiateWay(context, work, *first);
  system.gap_row = end_rows_.row(0).transpose();
  return true;
}

}  // namespace rigor
