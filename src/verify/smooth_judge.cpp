#include "verify/smooth_judge.h"

#include "verify/friction_shape.h"
#include "verify/limits.h"

namespace rigor::verify {
namespace {

constexpr Real kFine = 1e-13L;  // of the speed: what half the length changes less is known well enough

Reals minus(const Reals& a, const Reals& b) {
  Reals difference = a;
  for (std::size_t i = 0; i < a.size(); ++i) difference[i] -= b[i];
  return difference;
}

Real largest(const Reals& values) {
  Real size = 0;
  for (const Real x : values) size = std::isnan(x) ? x : std::max(size, std::fabs(x));
  return size;
}

/// [trees]
Reals largestOfTrees(const World& world, const Reals& values) {
  Reals sizes(world.trees, 0);
  for (int j = 0; j < world.nv; ++j)
    if (!(std::fabs(values[j]) <= sizes[world.tree[j]])) sizes[world.tree[j]] = std::fabs(values[j]);
  return sizes;
}

/// [N] Of a contact that sticks, or slips on an edge, with forces along its axes.
Real frictionRoom(const Hold& hold, const Real* force) {
  const Real radius = hold.mu * force[0];
  if (hold.on_edge) return radius * std::sin(std::numbers::pi_v<Real> / hold.corners) - std::fabs(force[1]);
  const Vec axes[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  return FrictionShape(hold.corners).room(axes, {force[1], force[2], 0}, radius);
}

/// The error of four pieces is a fifteenth of how they differ from two.
WayPoint extrapolated(const World& world, const WayPoint& coarse, const WayPoint& fine) {
  constexpr Real kShare = 1 / 15.0L;
  WayPoint out = fine;
  out.q = move(world, fine.q, wayBetweenPoses(world, coarse.q, fine.q), kShare);
  for (int j = 0; j < world.nv; ++j) out.v[j] += kShare * (fine.v[j] - coarse.v[j]);
  return out;
}

}  // namespace

SmoothJudge::SmoothJudge(const World& world, const Recording& recording, Findings& findings)
    : world_(world), r_(recording), findings_(findings), way_(world, recording), freedom_joint_(world.nv) {
  for (const Body& body : world.bodies)
    for (const Joint& joint : body.joints)
      for (int k = joint.v; k < joint.v + joint.nv; ++k) freedom_joint_[k] = &joint;
}

bool SmoothJudge::begin(const SubstepData& data) {
  data_ = &data;
  way_.begin(data);
  return way_.isKnown();
}

void SmoothJudge::follow() {
  once_ = way_.go(1);
  end_ = way_.go(2);
  const Real difference = std::max(largest(minus(end_.v, once_.v)), largest(wayBetweenPoses(world_, once_.q, end_.q)));
  if (!(difference <= kFine * std::max(largest(end_.v), Real(r_.dt)))) end_ = extrapolated(world_, end_, way_.go(4));
  missed_q_ = largestOfTrees(world_, wayBetweenPoses(world_, end_.q, once_.q));
  missed_v_ = largestOfTrees(world_, minus(once_.v, end_.v));
}

Real SmoothJudge::energyError() const {
  const Sums once = computeSums(world_, once_.q, once_.v), end = computeSums(world_, end_.q, end_.v);
  return std::fabs(once.kinetic - end.kinetic + once.potential - end.potential);
}

void SmoothJudge::judge(const SubstepData& data, const SubstepJudge& places) {
  data_ = &data;
  for (int tree = 0; tree < world_.trees; ++tree)
    findings_.require(
        world_.prescribed[tree] || r_.substep_kick[data.index * r_.kick_columns + tree] == r_.substep_h[data.index],
        "the kick of a smooth sub-step is not as long as the sub-step");
  findings_.require(data.v == data.v_mean, "a smooth sub-step does not begin with the velocity of its node");
  judgeStart(findStart());
  judgeForces(places);
  judgeTorques();
  judgeEnd();
  judgeModes();
}

/// How far the recorded end is from where the way leads.
void SmoothJudge::judgeEnd() {
  const SubstepData& d = *data_;
  const Reals miss_q = largestOfTrees(world_, wayBetweenPoses(world_, end_.q, d.q_end));
  const Reals miss_v = largestOfTrees(world_, minus(d.v_end, end_.v));
  Reals speed = largestOfTrees(world_, d.v), speed_end = largestOfTrees(world_, d.v_end);
  const SmoothWay::Rates rates = way_.ratesAt(d.q, d.v);
  Real strongest = 1;  // [m/s²]
  for (std::size_t r = 0; r < rates.forces.size(); ++r)
    strongest = std::max(strongest, std::fabs(rates.forces[r] * rates.responses[r]));
  for (int tree = 0; tree < world_.trees; ++tree) {
    if (world_.prescribed[tree]) continue;
    const auto name = [&](const char* what) {
      return [&, what] {
        return fmt::format("{} of \"{}\" is not where the forces lead", what,
                           world_.freedom[world_.tree_freedoms[tree].front()]);
      };
    };
    const Real fastest = std::max({speed[tree], speed_end[tree], Real(r_.dt), d.h * strongest});
    const Real limit = kFourthOrder * missed_v_[tree] + kWayRounding * world_.wider() * fastest;
    Real size = 1;
    for (const int j : world_.tree_coordinates[tree]) size = std::max(size, std::fabs(d.q_end[j]));
    findings_.check(miss_v[tree] / fastest, limit / fastest, &VerifyWorst::momentum, name("velocity"));
    findings_.check(
        miss_q[tree],
        kFourthOrder * missed_q_[tree] + d.h * limit + world_.wider() * kDeeper + kPositionFloor * kEps * size, nullptr,
        name("place"));
  }
}

/// Forces that are known at the end still push, and stay within their cones; slip has not turned round.
void SmoothJudge::judgeModes() {
  const SubstepData& d = *data_;
  const SmoothWay::Rates start = way_.ratesAt(d.q, d.v), end = way_.ratesAt(end_.q, end_.v),
                         once = way_.ratesAt(once_.q, once_.v);
  const Motion pose = computeMotion(world_, end_.q, {});
  judgeRubsAtEnd(pose);
  const std::vector<Hold>& held = way_.holds().held;
  for (std::size_t i = 0; i < held.size(); ++i) {
    const Hold& hold = held[i];
    const auto name = [&](const char* what) { return [&, what] { return nameOf(hold) + ": " + what; }; };
    if (hold.kind == Hold::kContact && hold.slips) judgeSlipAtEnd(hold, pose);
    if (!end.unique || !start.unique || hold.kind == Hold::kLoop) continue;
    const int row = way_.firstRow(i);
    const auto knownTo = [&](int r) {
      const Real weight = std::fabs(end.responses[r]);
      const Real passed = std::fabs(end.forces[r] - start.forces[r]) * std::min<Real>(kEventTime / d.h, 1);
      const Real missed = kFourthOrder * std::fabs(once.forces[r] - end.forces[r]);
      Real strongest = 0;
      for (int k = row; k < row + hold.rows; ++k)
        strongest = std::max({strongest, std::fabs(end.forces[k]), std::fabs(start.forces[k])});
      const Real size = std::max({Real(1), weight * strongest, largest(end.a)});
      return weight * (passed + missed) + 2 * kHeldAcceleration * world_.accuracy * size;
    };
    const Real weight = std::fabs(end.responses[row]);
    if (hold.kind == Hold::kJoint || hold.kind == Hold::kFreedom) {
      findings_.check(weight * (std::fabs(end.forces[row]) - hold.bound), knownTo(row), nullptr,
                      name("sticks longer than its friction holds"));
      continue;
    }
    findings_.check(-weight * end.forces[row], knownTo(row), &VerifyWorst::complementarity,
                    name("is held longer than it pushes"));
    if (hold.kind != Hold::kContact || (hold.slips && !hold.on_edge)) continue;
    Real weight_across = 0, known_to = 0;
    for (int k = row + 1; k < row + hold.rows; ++k) {
      weight_across = std::max(weight_across, std::fabs(end.responses[k]));
      known_to += knownTo(k);
    }
    findings_.check(-weight_across * frictionRoom(hold, &end.forces[row]),
                    known_to + (1 + hold.mu) * knownTo(row) * std::max<Real>(1, weight_across / weight),
                    &VerifyWorst::cone,
                    name(hold.on_edge ? "stays on the border longer than its friction holds"
                                      : "sticks longer than its friction holds"));
  }
}

/// Dry friction that moves still opposes where its joint goes.
void SmoothJudge::judgeRubsAtEnd(const Motion& pose) {
  const Real missed = kFourthOrder * *std::max_element(missed_v_.begin(), missed_v_.end());
  for (const Rub& rub : way_.holds().rubs) {
    Hold hold;
    hold.kind = rub.of_joint ? Hold::kJoint : Hold::kFreedom, hold.index = rub.index;
    const Real rate = dot(rowsOf(world_, way_.ties(), hold, way_.start(), pose, data_->q_end).J[0], data_->v_end);
    findings_.check(std::copysign(1, rub.force) * rate, kSmoothRest + missed, &VerifyWorst::slip,
                    [&] { return nameOf(hold) + ": moves on after it has come to rest"; });
  }
}

void SmoothJudge::judgeSlipAtEnd(const Hold& hold, const Motion& pose) {
  const HoldRows rows = rowsOf(world_, way_.ties(), hold, way_.start(), pose, data_->q_end);
  const Vec slip = slipAt(rows, data_->v_end);
  const Real missed = kFourthOrder * *std::max_element(missed_v_.begin(), missed_v_.end());
  if (hold.corners > 0) {
    Vec axes[3];
    axesAt(hold, rows.normal, axes);
    findings_.check(hold.outOfSector(dot(axes[1], slip), dot(axes[2], slip)), kOnBorder + missed, &VerifyWorst::slip,
                    [&] { return nameOf(hold) + ": slips on beyond where its friction is against it"; });
    return;
  }
  findings_.check(-dot(slip, hold.against), kSmoothRest + missed, &VerifyWorst::slip,
                  [&] { return nameOf(hold) + ": slips on after it has come to rest"; });
}

}  // namespace rigor::verify
