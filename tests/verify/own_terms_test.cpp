// The second opinion on runs with potentials and constraints that a user wrote: it takes their impulses as they are recorded, says
// so, and judges everything else.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "rigor/ledger.h"
#include "verify/recorded_runs.h"

namespace rigor {
namespace {

/// The playground, and of its bodies the first on a leash to the second, the third on a curved rail.
Scene makeOwnPlayground(const std::string& stepper) {
  Scene scene = makePlayground();
  scene.stepper = stepper;
  const Eigen::Vector3d arm(0.01, 0.02, 0.03);
  scene.potentials = {{"leash", 0, 1, [=](const OwnPose& one, const OwnPose& two) {
                         return 5.0 * dot(two.point(arm) - one.position, two.point(arm) - one.position);
                       }}};
  const double y = scene.q[7 * 2 + 1], x = scene.q[7 * 2];
  scene.constraints = {{"rail", kWorld, 2, [=](const OwnPose&, const OwnPose& rider) {
                          return rider.position.y - y - 0.1 * sin(rider.position.x - x);
                        }}};
  return scene;
}

bool says(const Verdict& verdict, const std::string& words) {
  return std::any_of(verdict.unchecked.begin(), verdict.unchecked.end(),
                     [&](const std::string& line) { return line.find(words) != std::string::npos; });
}

class RunWithOwnTerms : public testing::TestWithParam<const char*> {};

TEST_P(RunWithOwnTerms, HoldsAndSaysWhatWasNotJudged) {
  const Recording recording = recordRun(makeOwnPlayground(GetParam()), 300);
  ASSERT_EQ(recording.steps(), 300);
  EXPECT_FALSE(recording.own_place.empty());
  const Verdict verdict = verifyRecording(recording);
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.step << ": " << verdict.first_bad.what << " "
                             << verdict.first_bad.value;
  EXPECT_TRUE(says(verdict, "own potential \"leash\": no recording has its function"));
  EXPECT_TRUE(says(verdict, "own constraint \"rail\": no recording has its function"));
  EXPECT_TRUE(says(verdict, "energy gain: own terms act"));
  EXPECT_NE(computeLedger(recording).missing.find("own potentials"), std::string::npos);
}

TEST_P(RunWithOwnTerms, IsDeniedIfARecordedImpulseOfOneIsChanged) {
  const Recording recording = recordRun(makeOwnPlayground(GetParam()), 50);
  for (const std::size_t entry : {std::size_t{0}, recording.own_impulse.size() / 12 * 6 + 4}) {
    Recording lie = recording;
    lie.own_impulse[entry] += 1e-6;
    const Verdict verdict = verifyRecording(lie);
    EXPECT_FALSE(verdict.holds);
    EXPECT_NE(verdict.first_bad.what.find("momentum balance"), std::string::npos) << verdict.first_bad.what;
  }
  Recording lie = recording;
  lie.own_place[1] = 7;
  EXPECT_NE(verifyRecording(lie).first_bad.what.find("an own term pushes what it does not know"), std::string::npos);
}

TEST_P(RunWithOwnTerms, IsTheSameAfterItWasSaved) {
  const std::string file = testing::TempDir() + "own_terms_" + GetParam() + ".npz";
  const Recording recording = recordRun(makeOwnPlayground(GetParam()), 20);
  saveRecording(file, recording);
  const Recording read = loadRecording(file);
  std::filesystem::remove(file);
  EXPECT_EQ(read.own_place, recording.own_place);
  EXPECT_EQ(read.own_impulse, recording.own_impulse);
  EXPECT_TRUE(verifyRecording(read).holds);
}

// Impulses are recorded at the frames of bodies, wherever the origins of their trees are.
TEST(ArmWithOwnTerms, Holds) {
  for (const char* stepper : {"minimal", "maximal"}) {
    ModelBuilder builder;
    int parent = kWorld;
    for (const char* name : {"upper", "lower", "tool"}) {
      BodySpec body;
      body.name = name;
      body.parent = parent;
      body.joint.name = std::string(name) + "_joint";
      body.joint.type = body.name == "tool" ? kFixed : kHinge;
      body.joint.X_PJ.position = {0.1, 0.0, 0.4};
      body.joint.axis = Eigen::Vector3d::UnitY();
      body.X_JB.position = {0.02, 0.1, 0.0};
      body.mass = {1.0, {0.0, 0.0, 0.2}, 0.01 * Eigen::Matrix3d::Identity()};
      parent = builder.addBody(body);
    }
    BodySpec load;
    load.name = "load";
    load.joint.type = kFree;
    load.mass = {0.5, {0.01, 0.02, 0.0}, 0.001 * Eigen::Matrix3d::Identity()};
    const int hung = builder.addBody(load);
    Scene scene;
    scene.stepper = stepper;
    scene.model = builder.build();
    scene.q = scene.model.q0();
    scene.q[0] = 0.4;
    scene.q.segment<3>(2) = Eigen::Vector3d(0.5, 0.3, 0.4);
    scene.v = Eigen::VectorXd::Zero(scene.model.nv());
    scene.potentials = {{"pull", kWorld, parent, [](const OwnPose&, const OwnPose& tool) {
                           return 20.0 * norm(tool.point(Eigen::Vector3d(0.1, 0.0, 0.1)) - Eigen::Vector3d(1, 1, 1));
                         }}};
    scene.constraints = {{"string", parent, hung, [](const OwnPose& tool, const OwnPose& hanging) {
                            return norm(hanging.position - tool.point(Eigen::Vector3d(0.0, 0.05, 0.0))) - 0.5;
                          }}};
    const Recording recording = recordRun(scene, 300);
    ASSERT_EQ(recording.steps(), 300);
    const Verdict verdict = verifyRecording(recording);
    EXPECT_TRUE(verdict.holds) << verdict.first_bad.what << " " << verdict.first_bad.value;
    EXPECT_LT(verdict.worst.momentum, 1e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(Stepper, RunWithOwnTerms, testing::Values("minimal", "maximal"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace rigor
