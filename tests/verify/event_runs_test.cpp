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
