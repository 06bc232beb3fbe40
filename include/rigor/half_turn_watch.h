// Springs of loops that pass half a turn in a run: what they do there is not what a wound spring would do.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rigor/run.h"

namespace rigor {

/// The spring of a loop measures its angle from where it rests by at most half a turn either way, because the poses of two bodies tell
/// no more. Where it passes that, its torque jumps from one side to the other (2π times the stiffness), and a step of length h that
/// leads over the jump changes the energy by up to π k h ω, at random. Of a screw the advance tells the turns.
class HalfTurnWatch final : public RunObserver {
 public:
  HalfTurnWatch();
  ~HalfTurnWatch() override;

  void begin(const Simulator& simulator, std::int64_t steps) override;
  void see(const Simulator& simulator, const RunStep& step) override;

  /// One for each loop whose spring passed half a turn: how often, when first, what it may cost, what to do.
  std::vector<Warning> warnings() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace rigor
