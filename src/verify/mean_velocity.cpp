#include "verify/mean_velocity.h"

#include <algorithm>

#include "verify/limits.h"
#include "verify/nodes.h"

namespace rigor::verify {
namespace {

bool pushes(const Recording& r, std::int64_t contact) {
  const double *impulse = &r.contact_impulse[3 * contact], *n = &r.contact_normal[3 * contact];
  return impulse[0] * n[0] + impulse[1] * n[1] + impulse[2] * n[2] > 0;
}

}  // namespace

/// |v̄ − (v + v′)/2| ≤ kMeanVelocity times the largest change that is extrapolated, or is missing from it. What strikes
/// changes a velocity in no time: nothing extrapolates from that, and its rate would excuse anything.
void MeanVelocity::judge(const SubstepData& data, Findings& findings) {
  bool unknown = false;
  Real increment = 0, missed = 0, size = r_.dt;
  for (int j = 0; j < r_.nv; ++j) {
    increment = std::max(increment, std::fabs(data.v_end[j] - data.v[j]));
    const Real mean = world_.carried ? data.v[j] : (data.v[j] + data.v_end[j]) / 2;
    missed = std::max(missed, std::fabs(data.v_mean[j] - mean));
    size = std::max(size, std::fabs(data.v[j]));
  }
  const auto struck = std::make_shared<const Ids>(listStruck(data.index));
  const bool strikes =
      data.h == 0 || !struck->empty() || goesOnStriking(data.index) || limitStrikes(data) || stopStrikes(data);
  Real largest = increment;
  for (int tree = 0; tree < world_.trees; ++tree) {
    if (!data.takes[tree]) continue;
    Past& past = past_[tree];
    const Real kick = kickOf(r_, data.index, tree);
    for (const Change& change : past.changes) largest = std::max(largest, change.within(kick, data.h));
    past.changes[past.count++ % 4] = strikes ? Change{} : Change{increment, kick, data.h};
    past.struck = struck;
    if (past.unknown > 0) unknown = true, --past.unknown;
  }
  if (unknown) return;
  findings.check(missed, kMeanVelocity * largest + kIteratedMean * size, nullptr,
                 [] { return std::string("velocity at which velocity-dependent forces were taken"); });
}

MeanVelocity::Ids MeanVelocity::listStruck(std::int64_t substep) const {
  Ids struck;
  for (std::int64_t c = r_.contact_start[substep]; c < r_.contact_start[substep + 1]; ++c)
    if (r_.contact_gap[c] > kTouching && pushes(r_, c)) struck.push_back(r_.contact_id[c]);
  std::sort(struck.begin(), struck.end());
  return struck;
}

/// A contact that closed within the last sub-step and pushes again: the rest of its impact.
bool MeanVelocity::goesOnStriking(std::int64_t substep) const {
  for (std::int64_t c = r_.contact_start[substep]; c < r_.contact_start[substep + 1]; ++c)
    for (int side = 0; side < 2 && pushes(r_, c); ++side) {
      const int body = r_.contact_body[2 * c + side], bodies = static_cast<int>(world_.bodies.size());
      const int tree = body < 0 || body >= bodies ? -1 : world_.bodies[body].tree;
      const Ids* struck = tree < 0 ? nullptr : past_[tree].struck.get();
      if (struck && std::binary_search(struck->begin(), struck->end(), r_.contact_id[c])) return true;
    }
  return false;
}

/// A joint that reaches the end of its range within the sub-step.
bool MeanVelocity::limitStrikes(const SubstepData& data) const {
  constexpr std::uint64_t kLimitRow = static_cast<std::uint64_t>(Push::kLimit) << 60;
  for (std::int64_t row = r_.row_start[data.index]; row < r_.row_start[data.index + 1]; ++row) {
    if (r_.row_id[row].high != kLimitRow || !(r_.row_impulse[3 * row] > 0)) continue;
    const std::uint64_t freedom = r_.row_id[row].low / 2;
    const bool upper = r_.row_id[row].low % 2 == 1;
    for (const Body& body : world_.bodies)
      for (const Joint& joint : body.joints) {
        if (joint.nv != 1 || static_cast<std::uint64_t>(joint.v) != freedom) continue;
        if ((upper ? joint.upper - data.q[joint.q] : data.q[joint.q] - joint.lower) > kTouching) return true;
      }
  }
  return false;
}

/// The same for a loop.
bool MeanVelocity::stopStrikes(const SubstepData& data) const {
  constexpr std::uint64_t kFreedomRow = static_cast<std::uint64_t>(Push::kLoopFreedom) << 60;
  for (std::int64_t row = r_.row_start[data.index]; row < r_.row_start[data.index + 1]; ++row) {
    const std::uint64_t index = r_.row_id[row].low, number = index % kFreedomRows;
    if (r_.row_id[row].high != kFreedomRow || number > 1 || !(r_.row_impulse[3 * row] > 0)) continue;
    for (const FreedomPart& part : freedoms_) {
      if (static_cast<std::uint64_t>(part.loop) != index / kFreedomRows) continue;
      const Real x = computeFreedom(part, data.start).x;
      if (gapOfStop(world_.loops[part.loop], number == 1, x) > kTouching) return true;
    }
  }
  return false;
}

}  // namespace rigor::verify
