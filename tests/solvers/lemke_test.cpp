// Contact solver `lemke`: what the tests of all solvers ask by Coulomb's law, here by law pyramid; pyramids beside the exact cone.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include "reference/allocation_counter.h"
#include "reference/problem_families.h"
#include "reference/slow_judge.h"
#include "rigor/io.h"
#include "rigor/simulator.h"
#include "rigor/solver.h"

namespace rigor {
namespace {

ContactProblem sample(const std::string& name, int index, int directions = kUsualDirections) {
  for (const reference::Family& family : reference::problemFamilies()) {
    if (family.name != name) continue;
    ContactProblem problem = reference::makeSample(family, index);
    problem.law = Law::kPyramid;
    problem.directions = directions;
    return problem;
  }
  ADD_FAILURE() << "no family " << name;
  return {};
}

ContactSolution coldStart(const ContactProblem& problem) {
  ContactSolution solution;
  solution.impulse.assign(problem.rows(), 0.0);
  return solution;
}

ContactSolution solveBy(const char* name, const ContactProblem& problem) {
  ContactSolution solution = coldStart(problem);
  makeSolver(name)->solve(problem, {}, solution);
  return solution;
}

TEST(Lemke, SolvesPyramidsOfFourToSixtyFourCorners) {
  for (const char* name :
       {"standing_robot", "sliding_box_4", "falling_box", "grip", "jointed_bodies", "standing_stack"})
    for (const int directions : {4, 6, 8, 16, 32, 64})
      for (int i = 0; i < 5; ++i) {
        const ContactProblem problem = sample(name, i, directions);
        const ContactSolution solution = solveBy("lemke", problem);
        EXPECT_EQ(solution.status, SolveStatus::kSolved) << name << " " << i << " " << directions;
        // another order of sums moves a residual by less than a part in 1e5 of the limit
        const double limit = 1e-10 * (1.0 + 1e-5);
        EXPECT_TRUE(reference::judgeSlowly(problem, solution.impulse, solution.velocity, limit).accepted) << name << i;
      }
}

TEST(Lemke, AllocatesNothingOnceItHasSeenTheSize) {
  const auto solver = makeSolver("lemke");
  for (const char* name : {"standing_robot", "lying_robot", "robot_limits_motors", "sliding_stack", "jointed_bodies"}) {
    const ContactProblem problem = sample(name, 0);
    ContactSolution solution = coldStart(problem);
    solver->solve(problem, {}, solution);
    solution.impulse.assign(problem.rows(), 0.0);
    solution.modes_known = false;
    AllocationScope scope;
    solver->solve(problem, {}, solution);
    EXPECT_EQ(scope.count(), 0) << name;
    solver->solve(problem, {}, solution);
    EXPECT_EQ(scope.count(), 0) << name << ", warm";
  }
}

TEST(Lemke, GivesTheSameBitsHoweverItWasUsedBefore) {
  const auto used = makeSolver("lemke");
  for (const reference::Family& family : reference::problemFamilies()) {
    const ContactProblem problem = sample(family.name, 2);
    ContactSolution first = coldStart(problem), second = coldStart(problem);
    used->solve(problem, {}, first);
    makeSolver("lemke")->solve(problem, {}, second);
    ASSERT_EQ(first.impulse.size(), second.impulse.size());
    EXPECT_EQ(std::memcmp(first.impulse.data(), second.impulse.data(), first.impulse.size() * sizeof(double)), 0)
        << family.name;
  }
}

// Modes and sides of the last answer are its basis: one factorisation, unless it is at the edge of a side.
TEST(Lemke, NeedsNoPivotFromItsOwnAnswer) {
  int tried = 0, at_once = 0;
  for (const char* name : {"standing_robot", "moving_robot", "resting_box_4", "sliding_box_4", "robot_limits_motors"})
    for (int i = 0; i < 20; ++i) {
      const ContactProblem problem = sample(name, i);
      const auto solver = makeSolver("lemke");
      ContactSolution solution = coldStart(problem);
      solver->solve(problem, {}, solution);
      solver->solve(problem, {}, solution);
      EXPECT_EQ(solution.status, SolveStatus::kSolved) << name << i;
      ++tried;
      at_once += std::string(solution.stage) == "basis" && solution.iterations == 0;
    }
  EXPECT_GE(at_once, tried * 9 / 10);
}

TEST(Lemke, RefusesProblemsThatAreNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const ContactProblem good = sample("standing_robot", 0);
  std::vector<ContactProblem> bad(6, good);
  bad[0].W = std::vector<double>(good.W.entries().begin(), good.W.entries().end() - 1);
  bad[1].W(0, 5) = nan;
  bad[2].b[0] = std::numeric_limits<double>::infinity();
  bad[3].blocks[2].mu = -1.0;
  bad[4].directions = 5;
  bad[5].law = Law::kCoulomb;
  for (std::size_t i = 0; i < bad.size(); ++i) EXPECT_EQ(solveBy("lemke", bad[i]).status, SolveStatus::kBadInput) << i;
  ContactSolution empty;
  ContactProblem nothing;
  nothing.law = Law::kPyramid;
  makeSolver("lemke")->solve(nothing, {}, empty);
  EXPECT_EQ(empty.status, SolveStatus::kSolved);
}

TEST(Lemke, LeavesItsBestIterateWhenPivotsRunOut) {
  const ContactProblem problem = sample("sliding_box_8", 1);
  ContactSolution solution = coldStart(problem);
  makeSolver("lemke")->solve(problem, {.max_iterations = 2}, solution);
  EXPECT_EQ(solution.status, SolveStatus::kUnsolved);
  EXPECT_TRUE(solution.residuals.finite);
  EXPECT_LE(solution.iterations, 2);
}

// OS eq. 34 as a whole, loops as free rows, against the contact solver, which takes them out before.
TEST(PyramidLcp, WithLoopsAsFreeRowsIsSolvedToWhatTheJudgeAccepts) {
  int loops = 0;
  for (const char* name : {"jointed_bodies", "robot_limits_motors", "grip", "hinge"})
    for (int i = 0; i < 10; ++i) {
      const ContactProblem problem = sample(name, i);
      const Lcp lcp = makePyramidLcp(problem);
      loops += static_cast<int>(lcp.free.size());
      const LcpSolution solution = solveLcp(lcp);
      ASSERT_EQ(solution.status, LcpStatus::kSolved) << name << i;
      ContactSolution answer = coldStart(problem);
      answer.impulse = readPyramidImpulse(problem, solution.z);
      answer.velocity.resize(problem.rows());
      problem.W.multiplyAdd(answer.impulse.data(), problem.b.data(), answer.velocity.data());
      // solveLcp is verified to 1e-9 of its rows, the judge measures blocks
      EXPECT_TRUE(accepts(judge(problem, answer), 1e-8)) << name << i << " " << judge(problem, answer).law;
    }
  EXPECT_GT(loops, 10);
}

// Problems of a limp ANYmal that falls and slides over the floor, or of one that stands.
std::vector<ContactProblem> robotProblems(const char* scene) {
  Simulator sim(loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + scene + ".toml"));
  std::vector<ContactProblem> problems;
  for (int step = 0; step < 1500 && problems.size() < 60; ++step) {
    EXPECT_TRUE(sim.step().accepted());
    if (step % 10 != 0) continue;
    const ContactProblem problem = sim.lastProblem().problem;
    if (problem.rows() >= 3) problems.push_back(problem);
  }
  EXPECT_GE(problems.size(), 30u);
  return problems;
}

struct Friction {
  double mu_normal, size, speed, angle;  // μ λn, |λt|, |ut|, between λt and −ut [rad]
};

std::vector<Friction> readFriction(const ContactProblem& problem, const ContactSolution& solution) {
  std::vector<Friction> all;
  for (const Block& block : problem.blocks) {
    if (block.kind != BlockKind::kContact || block.size != 3) continue;
    const double *x = &solution.impulse[block.row], *u = &solution.velocity[block.row];
    const double cross = x[1] * -u[2] - x[2] * -u[1], dot = -x[1] * u[1] - x[2] * u[2];
    all.push_back({block.mu * x[0], std::hypot(x[1], x[2]), std::hypot(u[1], u[2]), std::atan2(std::abs(cross), dot)});
  }
  return all;
}

TEST(PyramidOfAFallingRobot, IsOffTheConeByAnAngleThatFallsWithTheCornersWhileItSlides) {
  std::vector<ContactProblem> problems = robotProblems("anymal_drop");
  double last = 0.0;
  for (const int directions : {4, 8, 16, 32, 64}) {
    double sum = 0.0;
    int slides = 0;
    for (ContactProblem& problem : problems) {
      problem.law = Law::kPyramid, problem.directions = directions;
      const ContactSolution solution = solveBy("lemke", problem);
      ASSERT_EQ(solution.status, SolveStatus::kSolved);
      const double half = std::numbers::pi / directions;
      for (const Friction& one : readFriction(problem, solution)) {
        // faster than what the judge leaves open, pushed by more than rounding
        if (one.speed < 1e-4 || one.mu_normal < 1e-6) continue;
        EXPECT_LE(one.angle, half + 1e-5);
        EXPECT_GE(one.size, std::cos(half) * one.mu_normal * (1.0 - 1e-7));
        EXPECT_LE(one.size, one.mu_normal * (1.0 + 1e-7));
        sum += one.angle, ++slides;
      }
    }
    ASSERT_GT(slides, 30);
    const double mean = sum / slides;
    // ∝ 1/n: halved with twice the corners, as far as the mean over some hundred slides tells (a quarter)
    if (last > 0.0) {
      EXPECT_NEAR(last / mean, 2.0, 0.5) << directions;
    }
    last = mean;
  }
}

TEST(PyramidOfAStandingRobot, MovesAsTheConeDoesWhereAllContactsStick) {
  int compared = 0;
  for (ContactProblem problem : robotProblems("anymal_stand")) {
    const ContactSolution cone = solveBy("auto", problem);
    const double inside = std::cos(std::numbers::pi / 8);
    bool sticks = cone.status == SolveStatus::kSolved;
    for (const Friction& one : readFriction(problem, cone)) sticks = sticks && one.size < 0.99 * inside * one.mu_normal;
    if (!sticks) continue;
    problem.law = Law::kPyramid, problem.directions = 8;
    const ContactSolution pyramid = solveBy("lemke", problem);
    ASSERT_EQ(pyramid.status, SolveStatus::kSolved);
    double largest = problem.velocity_scale;
    for (const double b : problem.b) largest = std::max(largest, std::abs(b));
    for (int r = 0; r < problem.rows(); ++r) EXPECT_NEAR(pyramid.velocity[r], cone.velocity[r], 1e-8 * largest);
    ++compared;
  }
  EXPECT_GE(compared, 10);
}

}  // namespace
}  // namespace rigor
