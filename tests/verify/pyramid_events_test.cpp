// Recordings of stepper event by law pyramid: friction at a corner, between two, at rest; and what is changed in them is seen.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "rigor/io.h"
#include "rigor/verify.h"
#include "simulation/closed_form_scenes.h"
#include "verify/recorded_runs.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

/// A ball of 1 kg that slides over the floor, spinning: its slip turns.
Scene spinningBall(int corners) {
  FreeBody ball{makeSphere(0.1), 1.0, {{0, 0, 0.1}}};
  ball.velocity = {0.7, -0.4, 0};
  Scene scene = makeFreeBodies({ball}, {makeMaterial("ground", "", 0.3)});
  scene.v.segment<3>(3) = Vector3d(9.0, 4.0, 20.0);
  scene.stepper = "event", scene.law = "pyramid", scene.directions = corners, scene.dt = 1e-2;
  return scene;
}

Scene sceneByEvents(const std::string& name, int corners) {
  Scene scene = loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + name + ".toml");
  scene.stepper = "event", scene.law = "pyramid", scene.directions = corners, scene.dt = 1e-3;
  return scene;
}

void expectHolds(const Recording& recording, const std::string& what) {
  const Verdict verdict = verifyRecording(recording);
  EXPECT_TRUE(verdict.holds) << what << ", step " << verdict.first_bad.step << ": " << verdict.first_bad.what << ": "
                             << verdict.first_bad.value << " > " << verdict.first_bad.limit;
}

TEST(EventRecording, ByLawPyramidHoldsBeforeTheSecondOpinion) {
  for (const int corners : {4, 8, 64})
    expectHolds(recordRun(spinningBall(corners), 40), fmt::format("ball, {} corners", corners));
  for (const auto& [name, corners] : {std::pair{"anymal_drop", 8}, {"cube_drop", 64}, {"hopper", 4}})
    expectHolds(recordRun(sceneByEvents(name, corners), 450), fmt::format("{}, {} corners", name, corners));
}

/// Turns the friction of one contact by an angle about its normal.
void turnFriction(Recording& recording, std::size_t contact, double angle) {
  Eigen::Map<Vector3d> impulse(&recording.contact_impulse[3 * contact]);
  const Eigen::Map<const Vector3d> normal(&recording.contact_normal[3 * contact]);
  const Vector3d pressure = normal.dot(impulse) * normal;
  impulse = pressure + Eigen::AngleAxisd(angle, normal) * (impulse - pressure);
}

TEST(EventRecording, ByLawPyramidIsDeniedIfFrictionIsAtAnotherPlaceOfThePolygon) {
  const Recording recording = recordRun(spinningBall(8), 20);
  ASSERT_TRUE(verifyRecording(recording).holds);
  int slipping = 0;
  for (std::size_t c = 0; c < recording.contact_mode.size() && slipping < 8; ++c) {
    if (recording.contact_mode[c] != 2) continue;
    ++slipping;
    for (const double angle : {1e-6, -1e-6, 0.25 * 3.141592653589793, -0.25 * 3.141592653589793}) {
      Recording wrong = recording;
      turnFriction(wrong, c, angle);
      EXPECT_FALSE(verifyRecording(wrong).holds) << "contact " << c << " by " << angle;
    }
  }
  EXPECT_EQ(slipping, 8);
}

TEST(EventRecording, ByLawPyramidIsDeniedAsCoulombsAndWithOtherCorners) {
  Recording recording = recordRun(spinningBall(8), 20);
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>{"\"pyramid\"", "\"coulomb\""}, {"\"directions\":8", "\"directions\":10"}}) {
    Recording wrong = recording;
    const std::size_t at = wrong.header.find(from);
    ASSERT_NE(at, std::string::npos) << wrong.header.substr(0, 400);
    wrong.header.replace(at, from.size(), to);
    EXPECT_FALSE(verifyRecording(wrong).holds) << to;
  }
}

}  // namespace
}  // namespace rigor
