// The laws of stops, dry friction and motors on freedoms of loops: those of joints, on the coordinate of two frames.
#include <fmt/format.h>

#include "verify/limits.h"
#include "verify/substep.h"

namespace rigor::verify {

bool SubstepJudge::readFreedomRow(std::uint64_t index, Push& push) {
  const auto found = std::find_if(freedoms_.begin(), freedoms_.end(), [&](const FreedomPart& part) {
    return static_cast<std::uint64_t>(part.loop) == index / kFreedomRows;
  });
  findings_.require(found != freedoms_.end(), "a row belongs to a loop without stops, dry friction and motor");
  if (found == freedoms_.end()) return false;
  const Loop& loop = world_.loops[found->loop];
  push.part = static_cast<int>(found - freedoms_.begin());
  push.acts = static_cast<FreedomRow>(index % kFreedomRows);
  const bool known = push.acts == FreedomRow::kFriction ? loop.dry_friction > 0
                     : push.acts == FreedomRow::kMotor  ? loop.motor.acts
                                                        : loop.limited;
  findings_.require(known, "a row belongs to a stop, friction or motor that its loop has not");
  if (!known) return false;
  push.rows = 1;
  push.J[0] = makeRow({treeOf(loop.body_1), treeOf(loop.body_2)},
                      [&](Reals& row) { addSpringRow(world_, found->along, false, data_->start, row); });
  if (push.acts == FreedomRow::kUpper)
    for (auto& [j, value] : push.J[0]) value = -value;
  return true;
}

/// Coordinates stay within their range; one that began outside goes no farther.
void SubstepJudge::judgeRanges() {
  const SubstepData& d = *data_;
  for (const FreedomPart& part : freedoms_) {
    const Loop& loop = world_.loops[part.loop];
    if (!loop.limited || !takes(loop.body_1) || !takes(loop.body_2)) continue;
    const FreedomAt from = computeFreedom(part, d.start), to = computeFreedom(part, d.end);
    const Real x_end = from.x + wayBetween(part, from.x, to.x);
    for (const bool upper : {false, true}) {
      const Real passed = std::min<Real>(gapOfStop(loop, upper, from.x), 0) - gapOfStop(loop, upper, x_end);
      findings_.check(passed, world_.wider() * kDeeper + kPositionFloor * kEps * (from.size + to.size),
                      &VerifyWorst::limit, [&] { return fmt::format("range of loop \"{}\"", loop.name); });
    }
  }
}

void SubstepJudge::judgeFreedom(const Push& push) {
  const SubstepData& d = *data_;
  const FreedomPart& part = freedoms_[push.part];
  const Loop& loop = world_.loops[part.loop];
  const FreedomAt from = computeFreedom(part, d.start), to = computeFreedom(part, d.end);
  const bool upper = push.acts == FreedomRow::kUpper;
  const Real way = (upper ? -1 : 1) * wayBetween(part, from.x, to.x);
  Real rates = 0;  // sizes of the terms of a rate
  for (const auto& [j, value] : push.J[0])
    rates += std::fabs(value) * std::max(std::fabs(d.v[j]), std::fabs(d.v_end[j]));
  const Real u = d.h > 0 ? way / d.h : dot(push.J[0], d.v_end);
  const Real floor = d.h > 0 ? kPositionFloor * kEps * (from.size + to.size) / d.h
                             : kRateFloor * kEps * Real(push.J[0].size()) * rates;
  if (upper || push.acts == FreedomRow::kLower) {
    const Real gap = gapOfStop(loop, upper, from.x);
    const Real fastest = std::max(std::fabs(dot(push.J[0], d.v)), std::fabs(dot(push.J[0], d.v_mean)));
    return judgeStop(push, {gap, gap + way, u, fastest, floor});
  }
  const Real kick = kickBetween(loop.body_1, loop.body_2);
  if (kick == 0) return findings_.require(push.impulse[0] == 0, "friction or a motor of a loop pushes in an impact");
  if (push.acts == FreedomRow::kFriction)
    return judgeBox(push, {-kick * loop.dry_friction, kick * loop.dry_friction, u, u, floor});
  // λ = κ (τ + kp (x* − x − h u) − kd u) inside the bounds
  const LoopMotor& motor = loop.motor;
  const Real stiffness = motor.kd + d.h * motor.kp, bound = kick * motor.effort;
  const Real still = motor.torque + motor.kp * (motor.target - from.x);
  if (stiffness == 0) {  // no speed changes the torque
    const Real held = std::clamp(kick * still, -bound, bound);
    const Real size = std::fabs(held) + kick * motor.kp * from.size;
    return findings_.require(std::fabs(push.impulse[0] - held) <= 16 * kEps * size,
                             "a motor of a loop does not push as it is told");
  }
  judgeBox(push, {-bound, bound, u, u - still / stiffness + push.impulse[0] / (kick * stiffness), floor});
}

/// Friction and motors act whenever there is a kick.
void SubstepJudge::judgeMissingFreedoms() {
  std::vector<char> acts(kFreedomRows * freedoms_.size(), 0);
  for (const Push& push : pushes_)
    if (push.kind == Push::kLoopFreedom) acts[kFreedomRows * push.part + static_cast<int>(push.acts)] = 1;
  for (std::size_t i = 0; i < freedoms_.size(); ++i) {
    const Loop& loop = world_.loops[freedoms_[i].loop];
    if (!isKicked(loop.body_1) && !isKicked(loop.body_2)) continue;
    const auto isThere = [&](FreedomRow row) { return acts[kFreedomRows * i + static_cast<int>(row)] != 0; };
    const bool all =
        (loop.dry_friction == 0 || isThere(FreedomRow::kFriction)) && (!loop.motor.acts || isThere(FreedomRow::kMotor));
    findings_.require(all, fmt::format("dry friction or motor of loop \"{}\" is missing", loop.name).c_str());
  }
}

}  // namespace rigor::verify
