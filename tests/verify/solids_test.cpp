// Runs in which solids touch, and the second opinion on them.
#include <gtest/gtest.h>

#include "verify/recorded_runs.h"
#include "verify/solid_scenes.h"

namespace rigor {
namespace {

/// How many recorded contacts of this kind push.
int countPushing(const Recording& r, std::uint64_t kind) {
  int count = 0;
  for (std::size_t i = 0; i < r.contact_id.size(); ++i)
    count +=
        (r.contact_id[i].high & 0xff) == kind &&
        (r.contact_impulse[3 * i] != 0.0 || r.contact_impulse[3 * i + 1] != 0.0 || r.contact_impulse[3 * i + 2] != 0.0);
  return count;
}

TEST(SecondOpinionOnSolids, AgreesOnABoxThatSlidesOnABox) {
  const Recording recording = recordRun(makeBoxOnBox(), 400);
  EXPECT_EQ(recording.steps(), 400);
  expectAgreement(recording);
  EXPECT_GT(countPushing(recording, 2) + countPushing(recording, 3), 100);
}

TEST(SecondOpinionOnSolids, AgreesOnAStack) {
  const Recording recording = recordRun(makeStack(), 300);
  EXPECT_EQ(recording.steps(), 300);
  expectAgreement(recording);
  EXPECT_GT(countPushing(recording, 4) + countPushing(recording, 5), 100);  // yawed boxes: edges cross
}

TEST(SecondOpinionOnSolids, AgreesOnABoxThatLandsTiltedAndFallsOffTheEdge) {
  const Recording recording = recordRun(makeTiltedLanding(), 500);
  EXPECT_EQ(recording.steps(), 500);
  expectAgreement(recording);
}

TEST(SecondOpinionOnSolids, AgreesOnCapsulesAndBallsOnABeam) {
  const Recording recording = recordRun(makeCapsuleOnBox(), 500);
  EXPECT_EQ(recording.steps(), 500);
  expectAgreement(recording);
  EXPECT_GT(countPushing(recording, 8) + countPushing(recording, 9), 100);
}

TEST(SecondOpinionOnSolids, AgreesOnHullsOnHulls) {
  const Recording recording = recordRun(makeHullOnHull(), 300);
  EXPECT_EQ(recording.steps(), 300);
  expectAgreement(recording);
}

TEST(SecondOpinionOnSolids, AgreesOnHeapsOfEverything) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const Recording recording = recordRun(makeMixedHeap(seed, 6), 200);
    EXPECT_EQ(recording.steps(), 200);  // none is refused
    expectAgreement(recording);
  }
}

// A watch looks at the end of every step, and sees what the simulator does not tell.
TEST(GeometryWatch, AgreesWithAStackAndSeesWhatItIsNotTold) {
  const Scene scene = makeStack();
  Simulator sim(scene);
  GeometryWatch watch(scene);
  run(sim, 100, {}, {&watch});
  EXPECT_TRUE(watch.verdict().holds) << watch.verdict().first_bad.what;
  EXPECT_EQ(watch.verdict().steps, 100);
  EXPECT_LT(watch.verdict().worst.overlap, 5e-12);

  Scene other = makeStack();  // the same bodies for a watch that thinks the second box to be where the first one is
  other.q.segment<7>(7) = other.q.segment<7>(0);
  Simulator blind(scene);
  GeometryWatch surprised(scene);
  surprised.begin(blind, 1);
  const StepReport& report = blind.step();
  Simulator moved(scene);
  moved.setState(other.q, scene.v);
  surprised.see(moved, {report, scene.q, 0.0, 1});
  ASSERT_FALSE(surprised.verdict().holds);
  EXPECT_EQ(surprised.verdict().first_bad.what, "\"box_0\" and \"box_1\" overlap");
  EXPECT_NEAR(surprised.verdict().first_bad.value, 0.1, 1e-12);  // the way out along the shortest side
}

// A user may start with an overlap; it is told at the start and held against nobody, but it may not grow.
TEST(SecondOpinionOnSolids, ExcusesAnOverlapOfTheStartAlone) {
  Scene scene = makeBoxOnBox();
  scene.v.setZero();
  scene.q[2] -= 0.0011;  // 1 mm deep
  Recording recording = recordRun(scene, 50);
  EXPECT_EQ(recording.steps(), 50);
  const Verdict verdict = verifyRecording(recording);
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.what;
  const std::size_t last = recording.substep_h.size() - 1;
  recording.substep_v_end[6 * last + 2] -= 1e-9 / recording.substep_h[last];
  EXPECT_NE(verifyRecording(recording).first_bad.what.find("overlap"), std::string::npos);
}

}  // namespace
}  // namespace rigor
