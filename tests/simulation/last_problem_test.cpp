// The contact problem of a step, taken out of the simulator.
#include <gtest/gtest.h>

#include "simulation/join_islands.h"
#include "simulation/simple_scenes.h"

namespace rigor {
namespace {

TEST(LastProblem, IsAcceptedByTheJudgeWithTheImpulsesThatTheStepFound) {
  ModelBuilder builder("two boxes that rest far from each other");
  for (const double x : {0.0, 5.0}) {
    BodySpec box;
    box.name = x == 0.0 ? "near" : "far";
    box.joint.type = kFree;
    box.joint.name = box.name + "_joint";
    box.shapes = {{box.name + "_skin", makeBox({0.1, 0.2, 0.1}), {}, "default"}};
    box.mass = computeMassProperties(box.shapes[0].shape, 1000.0);
    Eigen::VectorXd q(7);
    q << x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0;
    builder.setReference(builder.addBody(box), q);
  }
  Simulator simulator(makeModelScene(std::move(builder), {.clearance = 0.0}));
  ASSERT_TRUE(simulator.run(0.1).accepted());
  const SolvedProblem last = simulator.lastProblem();
  const int m = last.problem.rows();
  ASSERT_EQ(m, 2 * 4 * 3);  // four corners each
  EXPECT_EQ(last.status, SolveStatus::kSolved);
  EXPECT_TRUE(last.certificate.empty());
  EXPECT_EQ(last.problem.W(0, m - 1), 0.0);  // they do not act on each other
  ContactSolution solution;
  solution.impulse = last.impulse;
  for (int i = 0; i < m; ++i) {
    solution.velocity.push_back(last.problem.b[i]);
    for (int j = 0; j < m; ++j) solution.velocity[i] += last.problem.W(i, j) * last.impulse[j];
  }
  EXPECT_TRUE(accepts(judge(last.problem, solution), 1e-10));
}

TEST(LastProblem, IsEmptyInTheAirAndAfterTheNodeWasAsked) {
  Scene scene = ballOnIncline(0.0, 0.0, 0.5);
  Simulator resting(scene);
  scene.q[2] += 1.0;
  Simulator flying(scene);
  EXPECT_EQ(resting.lastProblem().problem.rows(), 0);  // before the first step
  resting.step();
  flying.step();
  EXPECT_EQ(resting.lastProblem().problem.rows(), 3);
  EXPECT_EQ(flying.lastProblem().problem.rows(), 0);
  resting.node();
  EXPECT_EQ(resting.lastProblem().problem.rows(), 0);
}

/// A ball of 2 kg at 0.7 mm above the ground that falls with 1 m/s: it bounces after 0.7 ms of the first step.
Scene ballAboutToBounce() {
  Scene scene = makeOneBody({.shape = makeSphere(0.1),
                             .density = 2.0 / (4.0 / 3.0 * kPi * 1e-3),
                             .pose = {{0.0, 0.0, 0.1 + 0.7e-3}, Eigen::Quaterniond::Identity()},
                             .material = {.material_1 = "", .material_2 = "", .restitution = 1.0}});
  scene.v[2] = -1.0;
  return scene;
}

TEST(LastProblem, IsThatOfTheBounceIfTheLargestOfTheStepIsWanted) {
  Simulator simulator(ballAboutToBounce());
  simulator.wanted().problem = true;
  ASSERT_TRUE(simulator.step().accepted());
  ASSERT_EQ(simulator.report().impacts, 1);
  const SolvedProblem largest = simulator.lastProblem();
  ASSERT_EQ(largest.problem.rows(), 3);
  // 2 m v, v with the 0.7 ms of fall; the bounce is found where the gap is 5e-9 m, which is 5e-8 m/s of that
  EXPECT_NEAR(largest.impulse[0], 2.0 * 2.0 * (1.0 + 0.7e-3 * kGravity), 1e-4);
  EXPECT_GE(largest.of, largest.place);

  Simulator fork(simulator);  // watches its own steps
  ASSERT_TRUE(fork.step().accepted());
  EXPECT_EQ(fork.lastProblem().problem.rows(), 0);  // it flies
  EXPECT_EQ(simulator.lastProblem().problem.rows(), 3);

  Simulator other(ballAboutToBounce());
  ASSERT_TRUE(other.step().accepted());
  const SolvedProblem last = other.lastProblem();  // of the way up: no push
  EXPECT_TRUE(last.impulse.empty() || last.impulse[0] == 0.0);
}

// Two islands of one row each; the second is proved to have no solution.
TEST(JoinIslands, PutsProblemsOneAfterTheOtherWithTheProofOfTheOneThatHasNone) {
  Islands islands;
  islands.list.resize(3);  // the third is out of use
  islands.count = 2;
  for (int i = 0; i < 3; ++i) {
    Island& island = islands.list[i];
    island.problem.blocks = {{.kind = BlockKind::kAtLeast, .row = 0, .size = 1, .id = {0, std::uint64_t(10 + i)}}};
    island.problem.W = {1.0 + i};
    island.problem.b = {-5.0 - i};
    island.problem.bias = {0.25 * i};
    island.problem.compliance = {0.0};
    island.problem.velocity_scale = 1e-3;
    island.solution.impulse = {7.0 + i};
    island.solution.status = SolveStatus::kSolved;
  }
  islands.list[1].solution.status = SolveStatus::kNoSolution;
  islands.list[1].solution.certificate = {1.0};
  const SolvedProblem joined = joinIslands(islands);
  EXPECT_EQ(joined.problem.W.entries(), (std::vector<double>{1.0, 0.0, 0.0, 2.0}));
  EXPECT_EQ(joined.problem.b, (std::vector<double>{-5.0, -6.0}));
  EXPECT_EQ(joined.problem.bias, (std::vector<double>{0.0, 0.25}));
  EXPECT_TRUE(joined.problem.row_error.empty());
  EXPECT_EQ(joined.problem.velocity_scale, 1e-3);
  ASSERT_EQ(joined.problem.blocks.size(), 2u);
  EXPECT_EQ(joined.problem.blocks[1].row, 1);
  EXPECT_EQ(joined.problem.blocks[1].id.low, 11u);
  EXPECT_EQ(joined.impulse, (std::vector<double>{7.0, 8.0}));
  EXPECT_EQ(joined.certificate, (std::vector<double>{0.0, 1.0}));
  EXPECT_EQ(joined.status, SolveStatus::kNoSolution);
}

}  // namespace
}  // namespace rigor
