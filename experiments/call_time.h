// How long a call takes, on a machine that others use too: processor time of this thread, in rounds so short that no other one falls
// into all of them.
#pragma once

#include <functional>
#include <limits>

namespace rigor {

double processorSeconds();  ///< of this thread

/// The best of the rounds so far. The first one is a single call; later ones repeat it until half a millisecond is full.
class CallTimer {
 public:
  explicit CallTimer(std::function<void()> call) : call_(std::move(call)) {}

  void runRound();
  double best() const { return best_; }  ///< [s] per call

 private:
  std::function<void()> call_;
  double best_ = std::numeric_limits<double>::infinity();
};

/// Seconds per call: the best of rounds for a second, or of 200.
double timeCall(const std::function<void()>& call);

}  // namespace rigor
