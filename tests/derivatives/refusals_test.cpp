// What has no derivatives says so.
#include <gtest/gtest.h>

#include "derivatives/differences.h"
#include "derivatives/leaper.h"

namespace rigor {
namespace {

std::string messageOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(StepParameters, ThatDoNotExistAreRefusedByName) {
  const Model model = makeLeaper().model;
  const auto message = [&](const std::string& name) { return messageOf([&] { findStepParameter(model, name); }); };
  EXPECT_NE(message("frction").find("friction"), std::string::npos) << message("frction");
  EXPECT_NE(message("mass:shnk").find("no body \"shnk\""), std::string::npos);
  EXPECT_NE(message("mass:shnk").find("shank"), std::string::npos) << "the nearest name";
  EXPECT_NE(message("mass").find("mass:BODY"), std::string::npos);
  EXPECT_NE(message("mass:world").find("no body \"world\""), std::string::npos);
  EXPECT_NE(message("friction:shank,flor").find("no body \"flor\""), std::string::npos);
  EXPECT_EQ(message("friction:shank,world"), "");
}

TEST(StepDerivatives, OfARefusedStepAreRefused) {
  Scene scene = makeLeaper();
  scene.v[9] = 1e4;  // turns farther in any sub-step than a step may
  Simulator sim(scene, {.max_halvings = 0});
  StepDerivatives derivatives(sim);
  ASSERT_FALSE(derivatives.step(sim).accepted());
  EXPECT_FALSE(derivatives.known());
  EXPECT_NE(derivatives.reason(), "");
  EXPECT_NE(messageOf([&] { derivatives.jacobians(); }).find("refused"), std::string::npos);
  StepTangent end = derivatives.zeroEnd(), start = derivatives.zeroStart();
  EXPECT_NE(messageOf([&] { derivatives.pullBack(end, start); }).find("refused"), std::string::npos);
}

TEST(StepDerivatives, OfNoStepAreRefused) {
  const Simulator sim(makeLeaper());
  StepDerivatives derivatives(sim);
  EXPECT_FALSE(derivatives.known());
  EXPECT_NE(messageOf([&] { derivatives.jacobians(); }).find("no step"), std::string::npos);
}

TEST(StepDerivatives, OfAnotherSceneAreRefused) {
  const Simulator sim(makeLeaper());
  Simulator other(loadChanged("anymal_stand", {}));
  StepDerivatives derivatives(sim);
  EXPECT_NE(messageOf([&] { derivatives.step(other); }).find("another scene"), std::string::npos);
}

TEST(StepDerivatives, OfTangentsOfWrongSizeAreRefused) {
  Simulator sim(makeLeaper());
  StepDerivatives derivatives(sim);
  ASSERT_TRUE(derivatives.step(sim).accepted());
  StepTangent start = derivatives.zeroStart(), end = derivatives.zeroEnd();
  start.tau.resize(3);
  EXPECT_NE(messageOf([&] { derivatives.pushForward(start, end); }).find("sizes"), std::string::npos);
  end.state.q.resize(1);
  EXPECT_NE(messageOf([&] { derivatives.pullBack(end, start); }).find("sizes"), std::string::npos);
}

TEST(StepDerivatives, OfOtherSteppersSayThatThereAreNone) {
  for (const auto& [stepper, reason] : {std::pair{"maximal", "stepper maximal"}, std::pair{"event", "stepper event"}}) {
    Scene scene = makeLeaper();
    scene.q[2] = 2.0;
    scene.stepper = stepper;
    Simulator sim(scene);
    StepDerivatives derivatives(sim);
    ASSERT_TRUE(derivatives.step(sim).accepted());
    EXPECT_EQ(derivatives.reason(), reason);
    EXPECT_NE(messageOf([&] { derivatives.jacobians(); }).find(reason), std::string::npos);
  }
}

TEST(StepDerivatives, TellHowFarTheStepWasFromAnotherMode) {
  Scene scene = makeLeaper([](LeaperNumbers& numbers) { numbers.surface.friction = 0.2; });
  scene.v[0] = 1.0;
  Simulator sim(scene);
  for (int i = 0; i < 5; ++i) sim.step();
  StepDerivatives derivatives(sim);
  ASSERT_TRUE(derivatives.step(sim).accepted());
  ASSERT_EQ(sim.report().contacts.size(), 1u);
  ASSERT_EQ(sim.report().contacts[0].mode, ContactMode::kSlip);
  const double slip = sim.report().contacts[0].slip.norm();
  EXPECT_LE(derivatives.margin().velocity, slip * (1.0 + 1e-12));
  EXPECT_GT(derivatives.margin().velocity, 0.0);
  EXPECT_NE(derivatives.describeMargin().find("\"foot\""), std::string::npos) << derivatives.describeMargin();
}

}  // namespace
}  // namespace rigor
