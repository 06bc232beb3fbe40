// Ctrl-C as a question between two steps instead of a sudden end.
#pragma once

namespace rigor::app {

/// While it lives, the first SIGINT or SIGTERM only raises a flag; a second one ends the program as usual.
class InterruptFlag {
 public:
  InterruptFlag();
  ~InterruptFlag();
  InterruptFlag(const InterruptFlag&) = delete;

  bool raised() const;
};

}  // namespace rigor::app
