// Recordings of stepper event, as it makes them: pieces of smooth motion, impacts, and what the time stepper did in between.
#include <gtest/gtest.h>

#include "rigor/io.h"
#include "rigor/verify.h"
#include "verify/recorded_runs.h"

namespace rigor {
namespace {

Recording recordByEvents(const std::string& name, int steps) {
  Scene scene = loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + name + ".toml");
  scene.stepper = "event";
  scene.dt = 1e-3;
  return recordRun(scene, steps);
}

void expectHolds(const Recording& recording) {
  const Verdict verdict = verifyRecording(recording);
  EXPECT_TRUE(verdict.holds) << "step " << verdict.first_bad.step << ": " << verdict.first_bad.what << ": "
                             << verdict.first_bad.value << " > " << verdict.first_bad.limit;
}

TEST(EventRecording, HoldsBeforeTheSecondOpinion) {
  for (const char* name : {"anymal_drop", "cube_drop", "hopper", "block_incline"}) {
    SCOPED_TRACE(name);
    expectHolds(recordByEvents(name, 450));
  }
}

// Where a slide ends the slip is known to rounding of velocities, 1e-16 m/s of 1e-9: its direction to 1e-7, which friction has.
TEST(EventRecording, HoldsWhereASlideEnds) {
  const struct {
    const char* name;
    int steps;
  } runs[] = {{"tumbling_ellipsoid", 8}, {"rolling_ellipsoid", 80}, {"cylinder_on_its_side", 420}};
  for (const auto& [name, steps] : runs) {
    Scene scene = loadScene(std::string(RIGOR_SOURCE_DIR) + "/tests/verify/scenes/events/" + name + ".toml");
    scene.stepper = "event";
    const Recording recording = recordRun(scene, steps);
    const Verdict verdict = verifyRecording(recording);
    EXPECT_TRUE(verdict.holds) << name << ", step " << verdict.first_bad.step << ": " << verdict.first_bad.what << ": "
                               << verdict.first_bad.value << " > " << verdict.first_bad.limit;
    // friction that is turned by a thousandth is denied all the same
    Recording wrong = recording;
    for (std::size_t i = 0; i + 2 < wrong.contact_impulse.size(); i += 3) {
      if (wrong.contact_mode[i / 3] != 2) continue;
      const double x = wrong.contact_impulse[i], y = wrong.contact_impulse[i + 1];
      wrong.contact_impulse[i] = x - 1e-3 * y, wrong.contact_impulse[i + 1] = y + 1e-3 * x;
    }
    EXPECT_FALSE(verifyRecording(wrong).holds) << name;
  }
}

TEST(EventRecording, IsDeniedIfAnImpactOrAPieceWasChanged) {
  const Recording recording = recordByEvents("cube_drop", 320);
  ASSERT_TRUE(verifyRecording(recording).holds);
  bool strikes = false;
  for (std::size_t s = 0; s < recording.substep_h.size(); ++s) {
    if (recording.substep_h[s] > 0.0) continue;
    strikes = true;
    Recording wrong = recording;
    wrong.substep_v_end[s * recording.nv + 2] += 1e-6;  // [m/s] after the impact
    EXPECT_FALSE(verifyRecording(wrong).holds);
  }
  EXPECT_TRUE(strikes);
  Recording wrong = recording;
  for (std::size_t i = 0; i < wrong.contact_impulse.size(); ++i) wrong.contact_impulse[i] *= 1.0 + 1e-6;
  EXPECT_FALSE(verifyRecording(wrong).holds);
}

TEST(EventRecording, WithSpringsOnLoopsOfEveryTypeAndBetweenPointsHolds) {
  for (const std::string& name : jointTypeNames()) {
    if (name == "free") continue;
    SCOPED_TRACE(name);
    Scene scene = makeTied(*findJointType(name));
    scene.stepper = "event", scene.dt = 1e-3;
    const Recording recording = recordRun(scene, 40);
    expectHolds(recording);
    Recording wrong = recording;
    for (double& impulse : wrong.row_impulse) impulse *= 1.0 + 1e-6;
    EXPECT_FALSE(verifyRecording(wrong).holds);
  }
}

TEST(EventRecording, WithBeltsHolds) {
  for (const char* law : {"coulomb", "pyramid"}) {
    SCOPED_TRACE(law);
    Scene scene = loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/conveyor.toml");
    scene.stepper = "event", scene.law = law;
    // parcels fall onto the belt, slip, and are carried along
    expectHolds(recordRun(scene, 700));
  }
}

}  // namespace
}  // namespace rigor
