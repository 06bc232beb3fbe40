// The start of stepper maximal that VG prints: the given velocity is the mean one of a first step in which nothing acts.
#include <gtest/gtest.h>

#include "rigor/algorithms.h"
#include "rigor/io.h"
#include "rigor/simulator.h"

namespace rigor {
namespace {

Scene sceneOf(const std::string& name) {
  Scene scene = loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + name + ".toml");
  scene.stepper = "maximal";
  scene.start = "first_order";
  return scene;
}

std::string complaintOf(const Scene& scene) {
  try {
    const Simulator sim(scene);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(FirstOrderStart, LeadsToTheEndOfAFirstStepWithTheGivenVelocity) {
  Scene scene = sceneOf("asymmetric_top");
  scene.v.setConstant(0.5);
  const Simulator sim(scene);
  EXPECT_EQ(sim.state().time, scene.dt);
  EXPECT_EQ(sim.state().q, integrate(scene.model, scene.q, scene.dt * scene.v));  // the same bits
  EXPECT_EQ(sim.state().v, scene.v);
}

// By hand: v₁ = v₀ − h g after a whole kick; the Legendre start has half of it.
TEST(FirstOrderStart, KicksWithAllOfTheForcesInTheStepAfter) {
  Scene scene = sceneOf("cube_drop");
  scene.v[2] = 0.25;
  Simulator sim(scene);
  ASSERT_TRUE(sim.step().accepted());
  EXPECT_EQ(sim.state().time, 2.0 * scene.dt);
  EXPECT_NEAR(sim.state().v[2], 0.25 - 9.81 * scene.dt, 1e-15);
  scene.start = "legendre";
  Simulator legendre(scene);
  ASSERT_TRUE(legendre.step().accepted());
  EXPECT_NEAR(legendre.state().v[2], 0.25 - 0.5 * 9.81 * scene.dt, 1e-15);
}

// Whatever step has led somewhere with this mean velocity, momentum there is the same.
TEST(FirstOrderStart, GoesOnAsARunWhoseLastStepHadTheGivenVelocity) {
  for (const char* name : {"asymmetric_top", "double_pendulum"}) {
    Scene scene = sceneOf(name);
    scene.start = "legendre";
    scene.dt = 0.01;
    scene.v.setConstant(3.0);
    Simulator run(scene);
    ASSERT_TRUE(run.run(0.1).accepted()) << name;
    scene.q = run.state().q;
    ASSERT_TRUE(run.step().accepted()) << name;
    ASSERT_EQ(run.report().substeps, 1) << name;
    scene.v = run.state().v;
    scene.start = "first_order";
    Simulator again(scene);
    for (int i = 0; i < 3; ++i) {
      ASSERT_TRUE(run.step().accepted() && again.step().accepted()) << name;
      // Newton's method leaves 1e-12 of the momentum of a step
      EXPECT_LE((run.state().q - again.state().q).lpNorm<Eigen::Infinity>(), 1e-12) << name << ", step " << i;
      EXPECT_LE((run.state().v - again.state().v).lpNorm<Eigen::Infinity>(), 1e-10) << name << ", step " << i;
    }
  }
}

TEST(FirstOrderStart, BeginsWithClosedLoopsAndNothingInsideTheGround) {
  Scene bars = sceneOf("double_four_bar");
  bars.dt = 0.01;
  Simulator sim(bars);
  ASSERT_TRUE(sim.run(0.1).accepted()) << sim.report().explain();
  EXPECT_LE(sim.report().loop_gap, 1e-12);  // rounding of lengths of 1 m

  Scene cube = sceneOf("cube_drop");
  cube.v[2] = -100.0;  // a metre below the ground within a step of 10 ms
  cube.dt = 0.01;
  Simulator thrown(cube);
  EXPECT_FALSE(thrown.warnings().empty());
  ASSERT_TRUE(thrown.step().accepted()) << thrown.report().explain();
  EXPECT_LE(thrown.report().penetration, 1e-12);
}

TEST(FirstOrderStart, IsForStepperMaximalAndBodiesThatForcesMove) {
  Scene scene = sceneOf("cube_drop");
  EXPECT_EQ(complaintOf(scene), "");
  scene.start = "third_order";
  EXPECT_NE(complaintOf(scene).find("unknown start \"third_order\""), std::string::npos) << complaintOf(scene);
  scene.start = "first_order";
  scene.stepper = "minimal";
  EXPECT_NE(complaintOf(scene).find("\"first_order\" is not for stepper \"minimal\""), std::string::npos);

  const std::string told = complaintOf(sceneOf("gallery/turntable"));
  EXPECT_NE(told.find("which is kinematic"), std::string::npos) << told;
}

}  // namespace
}  // namespace rigor
