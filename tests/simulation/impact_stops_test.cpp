// How many impacts a step stops for, and what becomes of the others.
#include <gtest/gtest.h>

#include "minimal/balls.h"
#include "rigor/simulator.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

/// A comb of balls that fall one after the other: a board with a ball below each of its ends and between, tilted a little.
Scene makeBoard(int balls, double restitution) {
  ModelBuilder builder = withGround(restitution);
  BodySpec board;
  board.name = "board";
  board.joint.name = "base";
  board.joint.type = kFree;
  board.mass = computeMassProperties(makeBox({0.5, 0.1, 0.02}), 500.0);
  for (int i = 0; i < balls; ++i) {
    ShapeSpec ball{"ball_" + std::to_string(i), makeSphere(0.02), {}};
    ball.X_BS.position = Vector3d(-0.5 + 1.0 * i / (balls - 1), 0.02 * (i % 2), -2e-4 * i * i);  // an arc: it rocks
    board.shapes.push_back(ball);
  }
  builder.addBody(board);
  Scene scene;
  scene.name = "board";
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q[2] = 0.2;
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  scene.v[2] = -2.0;
  scene.dt = 0.02;
  return scene;
}

/// Most sub-steps of a step while the board lands; nothing may be refused or sink.
int mostSubsteps(Scene scene, int stops) {
  scene.impact_stops = stops;
  Simulator sim(scene);
  int most = 0;
  for (int i = 0; i < 40; ++i) {
    const StepReport& report = sim.step();
    EXPECT_TRUE(report.accepted()) << report.explain();
    EXPECT_LE(report.penetration, 1e-10);
    most = std::max(most, report.substeps);
  }
  return most;
}

TEST(ImpactStops, LetAStepCloseWhatItDoesNotStopFor) {
  for (const char* stepper : {"minimal", "maximal"}) {
    Scene scene = makeBoard(9, 0.0);
    scene.stepper = stepper;
    EXPECT_EQ(mostSubsteps(scene, 0), 1) << stepper;
    const int all = mostSubsteps(scene, 1000), one = mostSubsteps(scene, 1);
    EXPECT_GT(all, one) << stepper;
    EXPECT_GT(one, 1) << stepper;
  }
}

TEST(ImpactStops, DoNotHinderBounces) {
  const Scene scene = makeBoard(9, 0.5);
  EXPECT_EQ(mostSubsteps(scene, 0), mostSubsteps(scene, 1000));
}

TEST(ImpactStops, BelowZeroAreRefused) {
  Scene scene = makeBoard(2, 0.0);
  scene.impact_stops = -1;
  try {
    Simulator sim(scene);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("impact_stops"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace rigor
