// Large islands in whole steps: buildings at rest, threads, crowds.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "brick_wall.h"
#include "building_scenes.h"
#include "reference/allocation_counter.h"
#include "rigor/simulator.h"

namespace rigor {
namespace {

// Redundant gaps contradict each other by their rounding. Unless the solver knows it, no sets agree with all of them, and
// every step climbs the whole ladder.
TEST(WallAtRest, IsSolvedByTheLastSetsInEveryStep) {
  Simulator simulator(makeWall(5, 5));
  const Eigen::VectorXd start = simulator.state().q;
  for (int step = 0; step < 60; ++step) {
    const StepReport& report = simulator.step();
    ASSERT_TRUE(report.accepted()) << report.explain();
    EXPECT_LE(report.penetration, 1e-13);  // rounding of coordinates of a metre
    if (step == 0) continue;               // impulses of nothing lead nowhere
    EXPECT_EQ(std::string(report.stage), "sets") << "step " << step;
    EXPECT_EQ(report.iterations, 1) << "step " << step;
  }
  EXPECT_LE((simulator.state().q - start).cwiseAbs().maxCoeff(), 1e-13);  // sixty roundings of a metre
}

TEST(WallAtRest, AllocatesNothing) {
  Simulator simulator(makeWall(4, 4));
  for (int step = 0; step < 10; ++step) ASSERT_TRUE(simulator.step().accepted());
  AllocationScope scope;
  for (int step = 0; step < 20; ++step) simulator.step();
  EXPECT_EQ(scope.count(), 0);
}

// Towers that slide, each with its own speed, and come to rest.
Scene makeSlidingTowers() {
  Scene scene = makeKapla(8, 3);
  for (int i = 0; i < scene.v.size(); i += 6) scene.v[i] = 0.01 * (1 + i / 48);
  return scene;
}

TEST(Threads, DoNotChangeABit) {
  Simulator one(makeSlidingTowers()), two(makeSlidingTowers(), {.threads = 2}),
      four(makeSlidingTowers(), {.threads = 4});
  for (int step = 0; step < 20; ++step) {
    ASSERT_TRUE(one.step().accepted()) << one.report().explain();
    for (Simulator* other : {&two, &four}) {
      ASSERT_TRUE(other->step().accepted());
      const State &a = one.state(), &b = other->state();
      ASSERT_EQ(std::memcmp(a.q.data(), b.q.data(), sizeof(double) * a.q.size()), 0) << "step " << step;
      ASSERT_EQ(std::memcmp(a.v.data(), b.v.data(), sizeof(double) * a.v.size()), 0) << "step " << step;
      ASSERT_EQ(one.report().iterations, other->report().iterations);
    }
  }
}

TEST(Threads, AllocateNothingOnTheCallersSide) {
  Simulator simulator(makeKapla(8, 3), {.threads = 2});
  for (int step = 0; step < 10; ++step) ASSERT_TRUE(simulator.step().accepted());
  AllocationScope scope;
  for (int step = 0; step < 20; ++step) simulator.step();
  EXPECT_EQ(scope.count(), 0);
}

TEST(Threads, MustBeAtLeastOne) { EXPECT_THROW(Simulator(makeKapla(2), {.threads = 0}), Error); }

TEST(FactoredLadder, AnswersDoNotDependOnWhatWasSolvedBefore) {
  BrickWall wall({.columns = 5, .rows = 5}), other({.columns = 5, .rows = 5, .push = 0.9, .seed = 7});
  const ContactProblem problem = wall.nextProblem();
  const auto fresh = makeSolver("auto"), used = makeSolver("auto");
  ContactSolution first, before, second;
  fresh->solve(problem, {}, first);
  used->solve(other.nextProblem(), {}, before);  // the same graph, other sets
  used->solve(problem, {}, second);
  ASSERT_EQ(first.impulse.size(), second.impulse.size());
  EXPECT_EQ(std::memcmp(first.impulse.data(), second.impulse.data(), sizeof(double) * first.impulse.size()), 0);
}

// A column of cubes, 10 µm apart, that falls on the ground at 1 m/s: every gap closes within the first step.
int impactsOfColumn(int cubes) {
  Scene scene = makeBoxColumn(cubes, 1.0, 1e-5);
  for (int cube = 0; cube < cubes; ++cube) scene.v[6 * cube + 2] = -1.0 - 0.1 * cube;
  Simulator simulator(scene);
  const StepReport& report = simulator.step();
  EXPECT_TRUE(report.accepted()) << report.explain();
  EXPECT_LE(report.penetration, 1e-11);  // the limit of the judge
  return report.impacts;
}

TEST(Crowd, IsNotSteppedToEveryImpactWithoutRestitution) {
  EXPECT_GE(impactsOfColumn(3), 1);
  EXPECT_EQ(impactsOfColumn(8), 0);
}

}  // namespace
}  // namespace rigor
