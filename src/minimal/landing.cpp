#include "minimal/landing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "minimal/attempt.h"
#include "minimal/contact_rows.h"

namespace rigor {
namespace {

constexpr int kTries = 40;   // steps of other lengths until one ends where something touches
constexpr int kGuesses = 8;  // of them that follow the speed alone

/// Who is awaited, until the landing ends.
class Awaiting {
 public:
  explicit Awaiting(StepWork& work) : work_(work) {
    work_.set.trying = true;
    ++work_.set.tries;
  }
  Awaiting(const Awaiting&) = delete;
  Awaiting& operator=(const Awaiting&) = delete;
  ~Awaiting() {
    for (const int slot : work_.set.awaited) work_.set.slots[slot].awaited = false;
    work_.set.awaited.clear();
    forgetIslands();
    work_.set.trying = false;
  }

  /// Those that strike in the last attempt are from now on.
  void add(const StepContext& context) {
    for (int i = 0; i < work_.islands.count; ++i) {
      const Island& island = work_.islands.list[i];
      for (std::size_t k = 0; k < island.constraints.size(); ++k)
        if (closingOf(context, work_.motion, work_.set, island, k, work_.motion.h).found()) add(island.constraints[k]);
    }
  }
  /// The first of them to close in or after the last attempt, unless `first` is before it. One that dips and is open at the end does
  /// not close.
  void findFirst(const StepContext& context, Closing& first) const {
    for (const int slot : work_.set.awaited) {
      const Constraint& c = work_.set.slots[slot];
      const Closing closing = closingOf(context, work_.motion, work_.set, c);
      const bool dips = closing.time < work_.motion.h && c.gap_end > kTouching;
      if (!dips && closing.time < first.time) first = closing;
    }
  }
  /// The attempt went on behind the impact of one of them.
  bool passed() const {
    return std::any_of(work_.set.awaited.begin(), work_.set.awaited.end(),
                       [&](int slot) { return work_.set.slots[slot].gap_end < 0.0; });
  }

 private:
  void forgetIslands() {
    work_.islands.made_of.clear();
    work_.islands.found = 0;
  }
  void add(int slot) {
    Constraint& c = work_.set.slots[slot];
    const ContactDetail* contact = contactOf(c, work_.set);
    if (contact && isOfSolids(contact->pair.kind)) return;
    c.awaited = true;
    work_.set.awaited.push_back(slot);
    forgetIslands();
  }

  StepWork& work_;
};

/// The answer of this try is where the next one, of another length, begins.
void noteTry(StepWork& work) {
  ++work.set.tries;
  for (int i = 0; i < work.islands.count; ++i) {
    const Island& island = work.islands.list[i];
    for (std::size_t k = 0; k < island.constraints.size(); ++k) {
      Constraint& c = work.set.slots[island.constraints[k]];
      c.tried = work.set.tries;
      c.tried_mode = island.solution.modes[k];
    }
  }
}

/// Lengths between which the root is: the gap of who is first is open at the end of the shorter one, and would be passed in the
/// longer one.
struct Bracket {
  struct End {
    double time;
    double gap =
        std::numeric_limits<double>::quiet_NaN();  ///< [m] above what is looked for; nothing if somebody pushed
  };
  End shorter{0.0}, longer;
  double last = std::numeric_limits<double>::infinity();  ///< [m] of the last try
  bool slow = false;                                      ///< guesses do not lead to the root as they should

  explicit Bracket(double time) : longer{time} {}

  void take(double time, bool too_long, const Closing& next) {
    const bool known = next.found() && !next.pressed;
    const double gap = known ? next.gap_end - 0.5 * kTouching : std::numeric_limits<double>::quiet_NaN();
    slow = slow || std::fabs(gap) > kAsGuessed * last;
    last = std::fabs(gap);
    // the other end counts half when the same one moves again (Illinois): else it would stay for ever
    End &moved = too_long ? longer : shorter, &other = too_long ? shorter : longer;
    if (too_long == moved_longer) other.gap *= 0.5;
    moved_longer = too_long;
    moved = {time, gap};
  }
  double middle() const { return 0.5 * (shorter.time + longer.time); }
  double chord() const { return (shorter.time * longer.gap - longer.time * shorter.gap) / (longer.gap - shorter.gap); }
  bool holds(double time) const { return time > shorter.time && time < longer.time; }

 private:
  static constexpr double kAsGuessed = 0.1;
  std::optional<bool> moved_longer;
};

}  // namespace

StepStatus land(const StepTask& task, const Snapshot& from, Snapshot& to, double& time) {
  StepWork& work = task.work;
  const FreeMotion& motion = work.motion;
  const StepContext context = task.from(from);
  const double begin = motion.h;
  Bracket bracket(begin);
  bool passed = false;  // a step of the longer length is known to be too long
  time = work.closing.time;
  Awaiting awaiting(work);
  awaiting.add(context);
  for (int tries = 0; tries < kTries; ++tries) {
    const StepStatus status = attempt(task, from, time, false, to);
    if (status != StepStatus::kAccepted) return status;
    // an impact at the node, which came up with the new length
    if (work.closing.time == 0.0) return StepStatus::kNotConverged;
    const double longer = bracket.longer.time;
    Closing next = findFirstClosing(context, motion, work.set, work.islands, longer);
    awaiting.findFirst(context, next);
    const bool too_long = work.closing.found() || awaiting.passed();
    const bool at_touch = next.found() && next.gap_end <= kTouching;
    if (!too_long && (at_touch || longer - time <= motion.least)) {
      accept(task, from, time, to);
      return status;
    }
    // pressed once more: others answered to the impulse too, and only a length that is too short can tell
    const double guess = next.pressed && longer < begin ? next.time - (time - next.time) : next.time;
    bracket.take(time, too_long, next);
    passed = passed || too_long;
    noteTry(work);
    awaiting.add(context);
    // guesses may creep towards the middle from both sides
    const bool halves = tries >= kGuesses && tries % 2 == 0;
    if (!next.found() && !passed)
      time = longer;
    else if (const double chord = bracket.chord(); bracket.slow && bracket.holds(chord) && !halves)
      time = chord;
    else
      time = bracket.holds(guess) && !halves ? guess : bracket.middle();
    if (time <= motion.least) return StepStatus::kNotConverged;
  }
  return StepStatus::kNotConverged;
}

}  // namespace rigor
