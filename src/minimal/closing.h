// The first impact of a step: which constraint closes too fast to be taken softly, and when.
//
// A step of another length t, with the other impulses as they are, leads to the gap
//   φ(t) = φ + t (u + ½ a (t − h)),   a = (u − u₀)/k
// u the secant rate of the step of length h without the constraint's own impulse, u₀ the rate at the carried velocity, k
// the kick. That is exact at t = h, and everywhere if the acceleration is constant and both bodies have the same kick.
#pragma once

#include <limits>

#include "minimal/assemble.h"

namespace rigor {

struct Closing {
  double time = std::numeric_limits<double>::infinity();  ///< from the start of the step [s]
  bool pressed = false;                                   ///< an impulse of this step kept it from passing
  double gap_end = 0.0;                                   ///< at the end of this step

  bool found() const { return time < std::numeric_limits<double>::infinity(); }
};

/// Rate of a gap at the velocity that the step begins with: the first force row of the constraint times that.
double rateOfGap(const ConstraintSet& set, const Constraint& c);

/// When a constraint that pushes nothing although it may (Constraint::awaited) closes, however slowly; within the last attempt or
/// after it.
Closing closingOf(const StepContext& context, const FreeMotion& motion, const ConstraintSet& set, const Constraint& c);

/// When the island's constraint number `index` closes within `horizon` of a step whose impulses and secants are known. One
/// that was open at the start and that no impulse presses can only close after the step, so with horizon h only pressed
/// ones are found.
Closing closingOf(const StepContext& context, const FreeMotion& motion, const ConstraintSet& set, const Island& island,
                  std::size_t index, double horizon);

/// Calls visit(constraint, closing) for all that close.
template <class Visit>
void forEachClosing(const StepContext& context, const FreeMotion& motion, const ConstraintSet& set,
                    const Islands& islands, double horizon, const Visit& visit) {
  for (int i = 0; i < islands.count; ++i)
    for (std::size_t k = 0; k < islands.list[i].constraints.size(); ++k) {
      const Closing closing = closingOf(context, motion, set, islands.list[i], k, horizon);
      if (closing.found()) visit(set.slots[islands.list[i].constraints[k]], closing);
    }
}

/// Scratch of findCrowds.
struct Crowds {
  bool tried = false;    ///< this step has been tried before
  int stops = 0;         ///< impacts that the (half of a) step was stopped for until now
  int most_stops = 0;    ///< how many of them without restitution a step may be stopped for
  std::vector<int> met;  ///< [trees] then: how many it was found to meet, with itself (split_step.h)
  TreeGroups groups;
  std::vector<int> size;      ///< [trees] of a group, by its first tree
  std::vector<char> counted;  ///< [trees]

  void prepare(int trees) {
    if (groups.size() == trees) return;
    groups.reset(trees);
    size.assign(trees, 0), counted.assign(trees, 0);
  }
};

/// Marks the constraints of crowds: more than five trees that may meet in this step, or did when it was tried. What closes there
/// without restitution is no event: a heap would stop for hundreds of them, and what a sub-step each would gain in order is lost in
/// the next collision. The step itself closes the gap, lets nothing pass and is judged like any other. So does one that was
/// stopped often enough: a long snake lands with many links in each step, and the time of a step may not grow with their square.
void findCrowds(const StepContext& context, Crowds& crowds, ConstraintSet& set);

/// Marks the features, open themselves, of rims that touched already when the step began (rollsOnRim).
void findRolling(ConstraintSet& set);

/// The earliest impact.
Closing findFirstClosing(const StepContext& context, const FreeMotion& motion, const ConstraintSet& set,
                         const Islands& islands, double horizon);

/// True if a constraint that touches, and did not already at the start of the last step, approaches faster than its
/// threshold: an impact at the node itself.
bool strikesAtNode(const ConstraintSet& set);
bool strikesAtNode(const ConstraintSet& set, const Constraint& c);

}  // namespace rigor
