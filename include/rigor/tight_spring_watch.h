// Springs between points that swing sideways faster than a step can follow.
#pragma once

#include <memory>
#include <vector>

#include "rigor/run.h"

namespace rigor {

/// Along its line a spring between points is stable at any stiffness. Across it a stretched one pulls back with k x/d per metre, x its
/// stretch and d the distance of its points, and that is taken at the start of each step: where h² k x/d is more than what it moves
/// weighs there, the swing is not followed, and may gain energy. Springs between the same two bodies, or what is fixed to them, count
/// together; springs to different bodies do not.
///
/// A bound that needs no solve tells of most springs that they are slow enough. Where it does not, the mass matrix is factored once
/// in a step.
class TightSpringWatch final : public RunObserver {
 public:
  TightSpringWatch();
  ~TightSpringWatch() override;

  void begin(const Simulator& simulator, std::int64_t steps) override;
  void see(const Simulator& simulator, const RunStep& step) override;

  /// One for each spring that was too tight in some step, or the first of several between the same bodies: when first, how much, and
  /// which step would do.
  std::vector<Warning> warnings() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace rigor
