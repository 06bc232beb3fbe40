#include "minimal/substeps.h"

#include <algorithm>

#include "minimal/attempt.h"
#include "minimal/impact.h"

namespace rigor {
namespace {

constexpr int kMaxImpacts = 16;     // of one (half of a) step before it is halved
constexpr double kSoftPart = 1e-2;  // of a step: how long an impact without a solution of its own takes

/// A bounce that was owed and not given must be told: the guard's factor is then 0.
void noteLostBounce(const StepTask& task) {
  const ConstraintSet& set = task.work.set;
  for (int i = 0; i < set.size(); ++i) {
    const Constraint& c = set.at(i);
    if (c.restitution > 0.0 && set.impulse[c.first_row] > 0.0 && rateOfGap(set, c) < -c.threshold)
      task.report.theta = 0.0;
  }
}

/// No other length of the step would help.
bool isFinal(StepStatus status) { return status == StepStatus::kNotFinite || status == StepStatus::kInterrupted; }

StepStatus halve(const StepTask& task, const Snapshot& from, double h, int halvings, Snapshot& to) {
  Snapshot& middle = task.work.levels[halvings].middle;
  const StepStatus first = advance(task, from, 0.5 * h, halvings + 1, middle);
  if (first != StepStatus::kAccepted) return first;
  return advance(task, middle, 0.5 * h, halvings + 1, to);
}

/// Leaves out what is too short to matter, unless something moves as it is told: that must be where the others will meet it.
void endEarly(const StepTask& task, const Snapshot& from, double left, Snapshot& to) {
  if (!task.work.motion.prescribed.empty() && left > 0.0 &&
      attempt(task, from, left, true, to) == StepStatus::kAccepted) {
    accept(task, from, left, to);
    return;
  }
  to = from;
  to.state.time += left;
}

}  // namespace

StepStatus advance(const StepTask& task, const Snapshot& from, double h, int halvings, Snapshot& to,
                   std::optional<StepStatus> tried) {
  HalvingLevel& level = task.work.levels[halvings];
  const Snapshot* at = &from;
  double left = h, soft_part = kSoftPart * task.length;
  bool softly = false;
  for (int impacts = 0;; ++impacts) {
    Snapshot& next = level.struck[impacts % 2];
    const double part = softly ? std::min(left, soft_part) : left;
    Snapshot& end = part < left ? next : to;
    task.work.crowds.stops = impacts;
    const StepStatus status = tried ? *tried : attempt(task, *at, part, softly, end);
    tried.reset();
    if (isFinal(status)) return status;
    if (status == StepStatus::kAccepted && !task.work.closing.found()) {
      if (softly) noteLostBounce(task);
      accept(task, *at, part, end);
      if (part == left) return status;
      at = &next;
      left -= part;
      softly = false;
      continue;
    }
    if (softly && part < left) {
      soft_part = left;
      continue;
    }
    if (status == StepStatus::kAccepted && impacts < kMaxImpacts) {
      const ImpactWay way = goThroughImpact(task, *at, level, next);
      at = way.reached;
      left -= way.time;
      if (left <= kLeastPart * task.length) {
        endEarly(task, *at, left, to);
        return status;
      }
      softly = !way.struck && way.time > 0.0;
      if (way.struck || softly) continue;
    }
    if (halvings < task.options.max_halvings) return halve(task, *at, left, halvings, to);
    if (status != StepStatus::kAccepted || softly) return status;
    softly = true;
  }
}

}  // namespace rigor
