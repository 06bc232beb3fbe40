#include "verify/mean_velocity.h"

#include <gtest/gtest.h>

#include "simulation/solid_scenes.h"
#include "verify/recorded_runs.h"

namespace rigor {
namespace {

using verify::Real;

/// A ball that a floor pushes in a very short sub-step, and one of 1 ms after it, in which it falls.
struct TwoSubsteps {
  explicit TwoSubsteps(double gap, double first_h) {
    SolidWorld solids;
    solids.floor = true;
    solids.bodies.push_back({makeSphere(0.1), {{0.0, 0.0, 0.1}}});
    recording = makeRecording(solids.scene());
    world = verify::readWorld(recording.header);
    recording.substep_kick = {first_h, kStep};
    recording.contact_start = {0, 1, 1};
    recording.row_start = {0, 0, 0};
    recording.contact_id = {RowId{}};
    recording.contact_body = {-1, 0};
    recording.contact_gap = {gap};
    recording.contact_normal = recording.contact_impulse = {0.0, 0.0, 1.0};
    h[0] = first_h, h[1] = kStep;
  }
  /// Whether velocity-dependent forces of the second sub-step may be taken `missed` beside the mean.
  bool holds(Real missed) {
    Verdict verdict;
    verify::Findings findings(verdict);
    verify::MeanVelocity mean(world, recording);
    const Real before[2] = {-1, 0}, after[2] = {0, -0.01L};
    for (int s = 0; s < 2; ++s) {
      verify::SubstepData data;
      data.index = s, data.h = h[s];
      data.takes = {1};
      data.q = {0, 0, 0.1L, 1, 0, 0, 0};
      data.v = data.v_end = data.v_mean = verify::Reals(6, 0);
      data.v[2] = before[s], data.v_end[2] = after[s];
      data.v_mean[2] = (before[s] + after[s]) / 2 + (s == 1 ? missed : 0);
      mean.judge(data, findings);
    }
    return verdict.holds;
  }
  static constexpr double kStep = 1e-3;
  Recording recording;
  verify::World world;
  Real h[2];
};

// 1 m/s within a nanosecond would be a million times that within the next millisecond.
TEST(MeanVelocity, IsNotExcusedByTheRateOfAnImpact) {
  TwoSubsteps struck(1e-6, 1e-9);
  EXPECT_TRUE(struck.holds(0.039));  // four changes of the sub-step itself
  EXPECT_FALSE(struck.holds(0.041));
  TwoSubsteps instant(0.0, 0.0);  // nothing but impulses
  EXPECT_FALSE(instant.holds(0.041));
}

TEST(MeanVelocity, MayBeExtrapolatedAtTheRateOfASubstepOfAnotherLength) {
  TwoSubsteps pressed(0.0, 5e-4);  // 1 m/s within half the length
  EXPECT_TRUE(pressed.holds(4 * 1.99));
  EXPECT_FALSE(pressed.holds(4 * 2.01));
  TwoSubsteps even(0.0, TwoSubsteps::kStep);
  EXPECT_TRUE(even.holds(4 * 0.99));
  EXPECT_FALSE(even.holds(4 * 1.01));
}

}  // namespace
}  // namespace rigor
