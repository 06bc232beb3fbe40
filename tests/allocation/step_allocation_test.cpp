#include <gtest/gtest.h>

#include <cmath>

#include "minimal/falling_chain.h"
#include "reference/allocation_counter.h"
#include "reference/print_integrator.h"
#include "rigor/rigor.h"
#include "simulation/redundant_chain.h"
#include "simulation/solid_scenes.h"
#include "simulation/surface_scenes.h"
#include "simulation/twin_loops.h"
#include "solvers/interior_point.h"

namespace rigor {
namespace {

class Step : public testing::TestWithParam<const char*> {};

// Warm-up covers the landing: by then every array has had its largest size.
TEST_P(Step, AllocatesNothingAfterWarmUp) {
  constexpr int kSteps = 2000;
  Simulator sim(loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + GetParam() + ".toml"));
  for (int i = 0; i < kSteps; ++i) ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
  std::int64_t allocations = 0;
  int first = -1;
  for (int i = 0; i < kSteps; ++i) {
    AllocationScope scope;
    sim.step();
    if (scope.count() > 0 && first < 0) first = i;
    allocations += scope.count();
    ASSERT_TRUE(sim.report().accepted()) << sim.report().explain();
  }
  EXPECT_EQ(allocations, 0) << "the first one in step " << kSteps + first;
}

INSTANTIATE_TEST_SUITE_P(OfScene, Step,
                         testing::Values("anymal_stand", "anymal_drop", "anymal_hang", "cube_drop", "three_link_loop",
                                         "double_four_bar", "bricard"),
                         [](const auto& scene) { return scene.param; });

class MaximalStep : public testing::TestWithParam<const char*> {};

TEST_P(MaximalStep, AllocatesNothingAfterWarmUp) {
  constexpr int kSteps = 2000;
  Scene scene = loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + GetParam() + ".toml");
  scene.stepper = "maximal";
  Simulator sim(scene);
  for (int i = 0; i < kSteps; ++i) ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
  AllocationScope scope;
  for (int i = 0; i < kSteps; ++i) sim.step();
  EXPECT_EQ(scope.count(), 0);
  EXPECT_TRUE(sim.report().accepted());
}

INSTANTIATE_TEST_SUITE_P(OfScene, MaximalStep,
                         testing::Values("anymal_stand", "anymal_drop", "cube_drop", "double_four_bar"),
                         [](const auto& scene) { return scene.param; });

// Where modes stay, pieces need no memory; their changes do, since what is held is listed anew.
TEST(EventStep, AllocatesNothingWhileABoxRests) {
  Scene scene = loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/cube_drop.toml");
  scene.stepper = "event";
  Simulator sim(scene);
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
  AllocationScope scope;
  for (int i = 0; i < 100; ++i) sim.step();
  EXPECT_EQ(scope.count(), 0);
  EXPECT_TRUE(sim.report().accepted());
}

// Contacts come and go, and with them the graph of links that is solved along. Islands find their places by what was there before: it takes
// eight times the same way until each place has had its largest island.
TEST(StepOfALongChain, AllocatesNothingWhenItGoesTheSameWayAgain) {
  Simulator sim(makeFallingChain(60, kBall, 8));
  const Snapshot start = sim.save();
  for (int time = 0; time < 8; ++time) {
    sim.restore(start);
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    ASSERT_EQ(sim.report().algebra, LinearAlgebra::kGraph);
  }
  sim.restore(start);
  for (int i = 0; i < 2; ++i) sim.step();  // a start has no momentum to make room for
  AllocationScope scope;
  for (int i = 2; i < 60; ++i) sim.step();
  EXPECT_EQ(scope.count(), 0);
}

// Lemke's method has a basis of another size in every pivot.
TEST(StepWithPyramids, AllocatesNothingAfterWarmUp) {
  for (const char* stepper : {"minimal", "maximal"})
    for (const char* name : {"anymal_stand", "anymal_drop"}) {
      Scene scene = loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + name + ".toml");
      scene.stepper = stepper, scene.solver = "lemke", scene.law = "pyramid";
      Simulator sim(scene);
      for (int i = 0; i < 2000; ++i) ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
      AllocationScope scope;
      for (int i = 0; i < 500; ++i) sim.step();
      EXPECT_EQ(scope.count(), 0) << name << " " << stepper;
      EXPECT_TRUE(sim.report().accepted());
    }
}

/// A pendulum on a loop, between stops, rubbing and driven to and fro by its own swing.
TEST(StepWithStopsFrictionAndMotorOfALoop, AllocatesNothingAfterWarmUp) {
  for (const char* stepper : {"minimal", "maximal"}) {
    const TwinLoops twins{.acting = {.range = Range{-0.3, 0.6},
                                     .dry_friction = 0.05,
                                     .motor = {.kp = 5.0, .kd = 0.01, .target = 0.7, .effort = 1.0}},
                          .speed = 3.0,
                          .stepper = stepper};
    Simulator sim(twins.loop());
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    AllocationScope scope;
    for (int i = 0; i < 1000; ++i) sim.step();
    EXPECT_EQ(scope.count(), 0) << stepper;
    EXPECT_TRUE(sim.report().accepted());
  }
}

// Functions that a user writes are asked at dual numbers, which live on the stack.
TEST(StepWithOwnTerms, AllocatesNothingAfterWarmUp) {
  for (const char* stepper : {"minimal", "maximal"}) {
    Scene scene = loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/cube_drop.toml");
    scene.stepper = stepper;
    const double height = scene.q[2];
    scene.potentials = {{"leash", kWorld, 0,
                         [](const OwnPose&, const OwnPose& body) { return 0.5 * dot(body.position, body.position); }}};
    scene.constraints = {{"wall", kWorld, 0, [](const OwnPose&, const OwnPose& body) {
                            return body.position.y - 0.01 * sin(body.position.x);
                          }}};
    Simulator sim(scene);
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    AllocationScope scope;
    for (int i = 0; i < 1000; ++i) sim.step();
    EXPECT_EQ(scope.count(), 0) << stepper;
    EXPECT_TRUE(sim.report().accepted());
    EXPECT_LT(sim.state().q[2], height);
  }
}

class StepOfIntegrator : public testing::TestWithParam<IntegratorInfo> {};

TEST_P(StepOfIntegrator, AllocatesNothingAfterWarmUp) {
  Scene scene = loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/anymal_energy.toml");
  scene.integrator = std::string(GetParam().name);
  Simulator sim(scene);
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
  AllocationScope scope;
  for (int i = 0; i < 200; ++i) sim.step();
  EXPECT_EQ(scope.count(), 0);
  EXPECT_TRUE(sim.report().accepted());
}

INSTANTIATE_TEST_SUITE_P(Of, StepOfIntegrator, testing::ValuesIn(listIntegrators()),
                         [](const auto& test) { return std::string(test.param.name); });

// The stage for jams is needed for the first time in some late step. Until then paths have been followed in the plain way, which
// is what makes room for the nodes.
TEST(AnInteriorPoint, AllocatesNothingWhenItFollowsAPathCloselyForTheFirstTime) {
  const ContactProblem problem =
      loadProblem(std::string(RIGOR_SOURCE_DIR) + "/tests/solvers/problems/folded_jam_of_balls.npz");
  ASSERT_TRUE(problem.W.isFactored());
  InteriorPoint path;
  Iterate iterate;
  iterate.resize(problem.rows());
  path.reserveFactored(problem.rows());
  path.begin(problem, {}, iterate);
  path.goOn(problem, 0.0, 3, iterate);
  AllocationScope scope;
  path.begin(problem, {.closely = true}, iterate);
  path.goOn(problem, 0.0, 20, iterate);
  EXPECT_EQ(scope.count(), 0);
  EXPECT_FALSE(path.ended());
}

// A ball rolls from triangle to triangle, and a block lies across many.
TEST(StepOnASurface, AllocatesNothingAfterWarmUp) {
  SolidWorld world;
  world.dt = 2e-3;
  world.bodies = {{makeHeightField(makeField(20, 2.0, hills)), {}, true},
                  {makeSphere(0.05), {{0.5, 0.3, 0.3}, Eigen::Quaterniond::Identity()}},
                  {makeBox({0.06, 0.05, 0.03}), {{-0.4, 0.02, 0.2}, Eigen::Quaterniond::Identity()}}};
  Simulator sim(world.scene());
  for (int i = 0; i < 8000; ++i) ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
  AllocationScope scope;
  for (int i = 0; i < 500; ++i) sim.step();
  EXPECT_EQ(scope.count(), 0);
  EXPECT_TRUE(sim.report().accepted());
}

// Points of rims and sides are looked for and taken while the solids roll and tip: the same run once more needs no more room.
TEST(StepOfRoundSolids, AllocatesNothingWhenItIsTakenAgain) {
  for (const char* name : {"rim_onto_disc", "disc_over_apex", "rim_beside_apex", "apex_along_cylinder",
                           "cone_along_cone", "sides_nearly_parallel"}) {
    Simulator sim(loadScene(std::string(RIGOR_SOURCE_DIR "/tests/verify/scenes/round/") + name + ".toml"));
    const Snapshot start = sim.save();
    const int steps = static_cast<int>(std::lround(sim.scene().time / sim.scene().dt));
    for (int runs = 0; runs < 2; ++runs) {  // twice, as states before and after a step change places
      for (int i = 0; i < steps; ++i) ASSERT_TRUE(sim.step().accepted()) << name << ": " << sim.report().explain();
      sim.restore(start);
    }
    std::int64_t allocations = 0;
    for (int i = 0; i < steps; ++i) {
      AllocationScope scope;
      sim.step();
      allocations += scope.count();
    }
    EXPECT_EQ(allocations, 0) << name;
  }
}

// Impacts of one ball at a time, then of several, while the others rest.
TEST(StepOfBodiesThatCannotMeet, AllocatesNothingAfterWarmUp) {
  Scene scene;
  ModelBuilder builder;
  builder.addWorldShape({"ground", makePlane(), {}});
  builder.addMaterialPair({"default", "default", 0.5, -1.0, 0.999});
  for (int i = 0; i < 8; ++i) {
    BodySpec ball;
    ball.name = "ball_" + std::to_string(i);
    ball.joint.name = ball.name + "_joint";
    ball.joint.type = kFree;
    ball.joint.X_PJ.position = {1.0 * i, 0, i < 4 ? 0.1 : 0.1 + 0.02 * i};
    ball.mass = computeMassProperties(makeSphere(0.1), 1000.0);
    ball.shapes.push_back({ball.name, makeSphere(0.1), {}});
    builder.addBody(ball);
  }
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  Simulator sim(scene);
  for (int i = 0; i < 2000; ++i) ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
  int impacts = 0;
  AllocationScope scope;
  for (int i = 0; i < 2000; ++i) impacts += sim.step().impacts;
  EXPECT_EQ(scope.count(), 0);
  EXPECT_GT(impacts, 10);
}

TEST(StepOfRedundantChains, AllocatesNothingAfterWarmUp) {
  Simulator sim(makeRedundantChains({9, 14}));  // their graphs take turns
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
  AllocationScope scope;
  for (int i = 0; i < 200; ++i) sim.step();
  EXPECT_EQ(scope.count(), 0);
  EXPECT_TRUE(sim.report().accepted());
}

TEST(StepWithMovingTargets, AllocatesNothingAfterWarmUp) {
  Simulator sim(loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/anymal_stand.toml"));
  Eigen::VectorXd targets(12);
  for (int i = 0; i < 12; ++i) targets[i] = listDrives(sim.scene())[i].target;
  sim.setController([&](const State& state, Input& input) {
    input.ctrl = targets;
    input.ctrl[2] += 0.1 * state.time;
  });
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
  AllocationScope scope;
  for (int i = 0; i < 500; ++i) sim.step();
  EXPECT_EQ(scope.count(), 0);
  EXPECT_TRUE(sim.report().accepted());
}

TEST(StepWithControllers, AllocatesNothingAfterWarmUp) {
  Scene table = loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/anymal_stand.toml");
  table.target_tables.push_back({{listDrives(table)[2].joint},
                                 {0.0, 1.0},
                                 {Eigen::VectorXd::Constant(1, -0.8), Eigen::VectorXd::Constant(1, -0.9)}});
  const std::string scenes = std::string(RIGOR_SOURCE_DIR) + "/scenes/";
  for (const Scene& scene : {loadScene(scenes + "anymal_trot.toml"), loadScene(scenes + "anymal_random.toml"), table}) {
    SCOPED_TRACE(scene.name);
    Simulator sim(scene);
    // long enough for the largest problem of the run: the first time that so many feet strike at once makes room for them
    for (int i = 0; i < 8000; ++i) ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    AllocationScope scope;
    for (int i = 0; i < 500; ++i) sim.step();
    EXPECT_EQ(scope.count(), 0);
    EXPECT_TRUE(sim.report().accepted());
  }
}

TEST(StepThatResetsTheScene, AllocatesNothing) {
  Scene scene = loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/anymal_stand.toml");
  scene.reset.every = 0.15;
  Simulator sim(scene);
  for (int i = 0; i < 400; ++i) ASSERT_TRUE(sim.step().accepted());
  int resets = 0;
  AllocationScope scope;
  for (int i = 0; i < 400; ++i) {
    const double height = sim.state().q[2];
    sim.step();
    resets += sim.state().q[2] > height + 0.01;  // back above the ground
  }
  EXPECT_EQ(scope.count(), 0);
  EXPECT_GE(resets, 2);
}

}  // namespace
}  // namespace rigor
