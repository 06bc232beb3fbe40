#include "inverse/step_share.h"

#include <algorithm>
#include <cmath>

#include "contact/visit_block.h"
#include "minimal/contact_rows.h"

namespace rigor {
namespace {

// Of two ways to share, how little the one counts that is not asked for: enough to decide where the other says nothing.
constexpr double kHardly = 1e-6;

bool isServo(const ConstraintSet& set, const Constraint& c) {
  return c.rows == 1 && c.index < static_cast<int>(set.servo_slot.size()) && set.servo_slot[c.index] >= 0 &&
         &set.slots[set.servo_slot[c.index]] == &c;
}

bool isPlainContact(const ConstraintSet& set, const Constraint& c) {
  const ContactDetail* contact = contactOf(c, set);
  return contact && c.rows == 3 && !contact->scaled;
}

}  // namespace

void StepShare::begin(int nv) {
  share_.J.resize(0, nv);
  share_.sets.clear();
  share_.driven.clear();
  rows_.clear();
  deepest_ = 0.0;
}

void StepShare::append(const ConstraintSet& set, const Constraint& c, ForceSet kind) {
  const Eigen::Index first = share_.J.rows();
  share_.J.conservativeResize(first + c.rows, Eigen::NoChange);
  share_.J.bottomRows(c.rows).setZero();
  for (const Side& side : set.answeringSidesOf(c)) {
    const int* entries = set.entriesOf(side);
    const double* row = &set.force[side.offset];
    for (int k = 0; k < side.length; ++k)
      for (int r = 0; r < c.rows; ++r) share_.J(first + r, entries[k]) += *row++;
  }
  kind.row = static_cast<int>(first);
  kind.size = c.rows;
  share_.sets.push_back(kind);
  rows_.push_back({c.id, static_cast<int>(&c - set.slots.data()), kind.row});
}

void StepShare::addSolved(const ConstraintSet& set, const Constraint& c, ContactMode mode) {
  const double* impulse = &set.impulse[c.first_row];
  if (isPlainContact(set, c)) {
    if (mode == ContactMode::kStick)
      append(set, c, {.kind = ForceSet::Kind::kCone, .mu = c.block.mu});
    else if (mode == ContactMode::kSlip && impulse[0] > 0.0)
      append(set, c,
             {.kind = ForceSet::Kind::kRay, .direction = {1.0, impulse[1] / impulse[0], impulse[2] / impulse[0]}});
  } else if (c.can_open && c.rows == 1 && impulse[0] > 0.0) {
    append(set, c, {.kind = ForceSet::Kind::kRay});
  } else if (isEquation(c.block) && !isServo(set, c) && c.rows <= 3) {
    append(set, c, {.kind = ForceSet::Kind::kAny});
  }
}

void StepShare::addKnown(const ConstraintSet& set, const Constraint& c, double h, const MotionOptions& use,
                         const double* known) {
  const double* u = &set.velocity[c.first_row];
  if (c.can_open) deepest_ = std::max(deepest_, -c.gap_end);
  if (isEquation(c.block)) {
    if (!isServo(set, c) && c.rows <= 3) append(set, c, {.kind = ForceSet::Kind::kAny});
    return;
  }
  if (!c.can_open || (c.rows != 1 && !isPlainContact(set, c))) return;
  if (use.contacts == ContactUse::kGiven && c.rows == 3) {
    if (!known) return;
    append(set, c, {.kind = ForceSet::Kind::kFixed});
    std::copy_n(known, 3, rows_.back().given);
    return;
  }
  if (c.gap_end > use.closed + use.rest * h) return;  // open at the end, as VG eq. 29c has it
  if (c.rows == 1) return append(set, c, {.kind = ForceSet::Kind::kRay});
  const double slip = std::hypot(u[1], u[2]), mu = c.block.mu;
  if (use.contacts == ContactUse::kSticks)
    append(set, c, {.kind = ForceSet::Kind::kAny});
  else if (slip <= use.rest)
    append(set, c, {.kind = ForceSet::Kind::kCone, .mu = mu});
  else
    append(set, c, {.kind = ForceSet::Kind::kRay, .direction = {1.0, -mu * u[1] / slip, -mu * u[2] / slip}});
}

Eigen::VectorXd StepShare::impulseOf(const ConstraintSet& set) const {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(share_.J.cols());
  for (const SharedRows& rows : rows_) {
    const Constraint& c = set.slots[rows.slot];
    for (int r = 0; r < c.rows; ++r) sum += set.impulse[c.first_row + r] * share_.J.row(rows.row + r).transpose();
  }
  return sum;
}

void StepShare::finish(const std::vector<int>& driven, const std::vector<double>& kick, const Eigen::VectorXd& limits,
                       const Eigen::VectorXd& wanted, ForceChoice choice, const Memory& last,
                       const ConstraintSet& set) {
  const Eigen::Index m = share_.J.rows();
  const auto count = static_cast<Eigen::Index>(driven.size());
  share_.driven = driven;
  share_.wanted = wanted;
  share_.near.setZero(m);
  share_.bias.setZero(count);
  share_.limit.resize(count);
  // torques that a force of contacts costs, per force, squared
  double lever = 0.0;
  for (const int j : driven) lever += share_.J.col(j).squaredNorm();
  lever = m > 0 && lever > 0.0 ? lever / static_cast<double>(m) : 1.0;
  const bool of_torque = choice == ForceChoice::kLeastTorque;
  share_.weight.setConstant(m, of_torque ? kHardly * lever : 1.0);
  share_.cost.setConstant(count, of_torque ? 1.0 : kHardly / lever);
  for (Eigen::Index k = 0; k < count; ++k)
    share_.limit[k] = limits.size() > 0 ? kick[driven[k]] * limits[driven[k]] : std::numeric_limits<double>::infinity();
  for (const SharedRows& rows : rows_) {
    const Constraint& c = set.slots[rows.slot];
    for (int r = 0; r < std::min(c.rows, 3); ++r) share_.near[rows.row + r] = rows.given[r];
    const BlockMemory* memory = choice == ForceChoice::kNearLast ? findBlock(last, c.id) : nullptr;
    for (int r = 0; memory && r < c.rows; ++r) share_.near[rows.row + r] = memory->impulse[r];
  }
}

}  // namespace rigor
