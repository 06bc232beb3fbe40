// Of all the problems that the sub-steps of one step solved, the largest one.
#pragma once

#include <array>

#include "minimal/assemble.h"
#include "rigor/simulator.h"

namespace rigor {

/// A step that meets an impact or is halved solves several problems, and the last of them is often the emptiest: what struck
/// has left again. The one with the most rows that push is kept (a way down to an impact has them all, and none pushes); of
/// equals the one with the most rows, then that which the solver worked at longest, then the first.
class LargestProblem {
 public:
  void clear() { *this = {}; }
  /// The islands of the next sub-step that counts. Those without rows are no problem.
  void see(const Islands& islands);
  /// Without rows if nothing was seen.
  SolvedProblem join() const;

 private:
  Islands islands_;
  std::array<int, 3> size_{};  ///< rows that push, rows, iterations
  int seen_ = 0, place_ = 0;   ///< problems with rows; which of them, from 1, is the largest
};

}  // namespace rigor
