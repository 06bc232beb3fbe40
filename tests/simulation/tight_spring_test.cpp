// Springs between points are taken as they are across their line: a run tells where its steps are too long for that.
#include <gtest/gtest.h>

#include "rigor/run_summary.h"
#include "rigor/tight_spring_watch.h"
#include "simple_scenes.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

constexpr double kMass = 2.0;
constexpr double kLength = 0.1;

/// A ball without weight on a spring to the world, or on equal parts of one, stretched to 1.5 times its length, struck across it.
Scene makeTether(double stiffness, double dt, double off_centre = 0.0, int parts = 1) {
  ModelBuilder builder;
  builder.setGravity(Vector3d::Zero());
  BodySpec body;
  body.name = "ball", body.joint.type = kFree;
  body.mass = {kMass, Vector3d::Zero(), Vector3d(0.01, 0.01, 0.01).asDiagonal()};
  builder.addBody(body);
  SpringSpec spring;
  spring.name = "tether", spring.body_1 = kWorld, spring.body_2 = 0;
  spring.point_2 = Vector3d(0, 0, off_centre);
  spring.stiffness = stiffness / parts, spring.length = kLength;
  for (int i = 0; i < parts; ++i) {
    if (i > 0) spring.name = "strand" + std::to_string(i);
    builder.addSpring(spring);
  }
  Scene scene;
  scene.model = builder.build();
  scene.dt = dt;
  scene.q = scene.model.q0();
  scene.q[0] = 1.5 * kLength;
  scene.v = Eigen::VectorXd::Zero(6);
  scene.v[1] = 0.1;
  return scene;
}

struct Told {
  std::vector<Warning> warnings;
  double gain;  ///< largest rise of the energy, over that of the start
};
Told runFor(const Scene& scene, std::int64_t steps) {
  Simulator simulator(scene);
  TightSpringWatch watch;
  Summarizer summarizer;
  EXPECT_EQ(run(simulator, steps, {}, {&watch, &summarizer}).refused, 0);
  return {watch.warnings(), summarizer.summary().energy_gain_max / summarizer.summary().energy_start};
}

// It is stretched by 0.05 of 0.15 m: k/3 pulls it back across the line, and h² k/3 = kMass at k = 3 kMass/h².
TEST(SpringBetweenPoints, IsToldWhereItSwingsFasterThanTheStep) {
  const double h = 0.01;
  EXPECT_TRUE(runFor(makeTether(0.95 * 3.0 * kMass / (h * h), h), 10).warnings.empty());
  const Told told = runFor(makeTether(1.1 * 3.0 * kMass / (h * h), h), 10);
  ASSERT_EQ(told.warnings.size(), 1u);
  EXPECT_EQ(told.warnings[0].where.element, "spring \"tether\"");
  EXPECT_NE(told.warnings[0].message.find("times as stiff across its line as steps of 0.01 s"), std::string::npos)
      << told.warnings[0].message;
}

// What the watch is for: at eight times the limit the swing gains all the energy that it began with. With the step that the warning names
// energy wavers by the square of h ω/2, ω of the spring along its line: 3/4 of the (h ω)² = 1/16 across it.
TEST(SpringBetweenPoints, GainsEnergyWhereItIsToldAndKeepsItWithTheStepThatTheWarningNames) {
  const double h = 0.01, stiffness = 8.0 * 3.0 * kMass / (h * h);
  const Told told = runFor(makeTether(stiffness, h), 300);
  ASSERT_EQ(told.warnings.size(), 1u);
  EXPECT_GT(told.gain, 0.9);
  const std::string& message = told.warnings[0].message;
  const double wanted = std::stod(message.substr(message.find("Take steps of ") + 14));
  EXPECT_LT(wanted, 0.1 * h);
  const Told followed = runFor(makeTether(stiffness, wanted), std::lround(300 * h / wanted));
  EXPECT_TRUE(followed.warnings.empty());
  EXPECT_LT(followed.gain, 0.06);
}

// Off its centre by 0.1 m the ball turns away: 1/m + r²/I = 0.5 + 1 per kg.
TEST(SpringBetweenPoints, IsMeasuredByWhatItMovesWhereItPulls) {
  const double h = 0.01, stiffness = 0.95 * 3.0 * kMass / (h * h);
  EXPECT_TRUE(runFor(makeTether(stiffness, h, 0.0), 10).warnings.empty());
  EXPECT_EQ(runFor(makeTether(stiffness, h, 0.1), 10).warnings.size(), 1u);
}

// Twenty strands of 0.9 times the limit each are a rope of 18 times the limit, and gain what that would.
TEST(SpringsBetweenTheSameBodies, AreToldAsTheOneThatTheyMake) {
  const double h = 0.01, limit = 3.0 * kMass / (h * h);
  const Told one = runFor(makeTether(18.0 * limit, h), 300),
             strands = runFor(makeTether(18.0 * limit, h, 0.0, 20), 300);
  ASSERT_EQ(one.warnings.size(), 1u);
  ASSERT_EQ(strands.warnings.size(), 1u);
  EXPECT_GT(strands.gain, 0.9);
  EXPECT_EQ(strands.warnings[0].message, "with 19 more between the same bodies " + one.warnings[0].message);
  EXPECT_TRUE(runFor(makeTether(0.9 * limit, h, 0.0, 20), 10).warnings.empty());
}

}  // namespace
}  // namespace rigor
