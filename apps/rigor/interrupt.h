// Ctrl-C as a question between two steps, and within a long one, instead of a sudden end.
#pragma once

#include "rigor/solver.h"

namespace rigor::app {

/// While it lives, the first SIGINT or SIGTERM only raises a flag; a second one ends the program as usual.
class InterruptFlag {
 public:
  InterruptFlag();
  ~InterruptFlag();
  InterruptFlag(const InterruptFlag&) = delete;

  bool raised() const;
  /// The flag itself, for as long as the program runs.
  static const StopFlag* flag();
};

}  // namespace rigor::app
