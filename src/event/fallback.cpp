#include "event/fallback.h"

#include <algorithm>
#include <cmath>

#include "dynamics/integrate.h"
#include "minimal/impact.h"
#include "minimal/step_report.h"
#include "minimal/substeps.h"

namespace rigor {
namespace {

constexpr double kFirst = 1e-4;     // [s]
constexpr double kShortest = 1e-6;  // [s] below, the error is only told
constexpr int kPatience = 1000;  // stretches of a step; of later ones each is at least twice as long as the one before
constexpr double kHalvesShare = 1.0 / 3.0;  // of two steps of second order: their error by what they differ from one

}  // namespace

void carryForces(const Memory& before, Memory& after) {
  for (BlockMemory& block : after.blocks) {
    const BlockMemory* known = findBlock(before, block.id);
    for (int r = 0; r < kMostRows; ++r) block.impulse[r] = known && r < known->rows ? known->impulse[r] : 0.0;
  }
}

StepStatus Fallback::take(const StepTask& task, const Snapshot& from, double left, double accuracy, double least,
                          Snapshot& to) {
  const double shortest = std::max(least, std::ldexp(kShortest, std::clamp(task.report.fallbacks - kPatience, 0, 30)));
  double length = std::min(left, std::max(length_ > 0.0 ? length_ : kFirst, shortest));
  const bool reported = task.work.part.reported;
  for (;;) {
    const bool known = compare(task, from, length);
    task.work.part.reported = reported;
    if (isRaised(task.options.stop)) return StepStatus::kInterrupted;
    const double allowed = accuracy * length;
    if (length <= shortest || (known && error_ <= allowed)) {
      const double room = known ? 0.9 * std::sqrt(allowed / std::max(error_, 0.05 * allowed)) : 1.0;
      length_ = std::max(length * std::clamp(room, 0.2, 4.0), shortest);
      return go(task, from, length, 2, to);
    }
    const double shorter = known ? 0.9 * std::sqrt(allowed / error_) : 0.25;
    length = std::max(length * std::clamp(shorter, 0.1, 0.8), shortest);
  }
}

/// False if one of both ways cannot be gone.
bool Fallback::compare(const StepTask& task, const Snapshot& from, double length) {
  static const SubstepObserver nobody;
  beginReport(from.state.time, length, aside_);
  aside_.wanted = {};
  const StepTask aside{task.tables, task.options, task.crew, task.input, length, task.work, aside_, nobody};
  error_ = 0.0;
  if (go(aside, from, length, 1, whole_) != StepStatus::kAccepted ||
      go(aside, from, length, 2, halves_) != StepStatus::kAccepted)
    return false;
  way_.resize(task.tables.topology.nv);
  difference(task.tables.topology, whole_.state.q.data(), halves_.state.q.data(), way_.data());
  const double speed = 1.0 + halves_.state.v.lpNorm<Eigen::Infinity>();
  error_ = kHalvesShare * std::max(way_.lpNorm<Eigen::Infinity>(),
                                   (whole_.state.v - halves_.state.v).lpNorm<Eigen::Infinity>() / speed);
  return true;
}

/// So many sub-steps, and the half kick to the node at the end of each.
StepStatus Fallback::go(const StepTask& task, const Snapshot& from, double length, int parts, Snapshot& to) {
  node_ = from;
  for (int k = 0; k < parts; ++k) {
    const StepTask part{task.tables,    task.options, task.crew,   task.input,
                        length / parts, task.work,    task.report, task.observer};
    StepStatus status = advance(part, node_, part.length, 0, next_);
    if (status != StepStatus::kAccepted) return status;
    carryForces(node_.memory, next_.memory);
    std::swap(node_, next_);
    if (!isInFlight(task.work.part, node_.memory)) continue;
    status = closeKick(part, node_, next_);
    if (status != StepStatus::kAccepted) return status;
    carryForces(node_.memory, next_.memory);
    std::swap(node_, next_);
  }
  std::swap(to, node_);
  return StepStatus::kAccepted;
}

}  // namespace rigor
