#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "simulation/state_hash.h"

namespace rigor {
namespace {

std::uint64_t hashAfter(Simulator& sim, int steps) {
  std::uint64_t hash = 0;
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(sim.step().accepted());
    hash = hash * 31 + hashState(sim.state());
  }
  return hash;
}

TEST(Snapshot, RestoredAtAnyStepGivesTheSameBits) {
  for (const char* name : {"anymal_stand", "anymal_drop", "anymal_hang"}) {
    Simulator sim(loadNamed(name));
    for (const int when : {0, 1, 7, 400, 900}) {
      while (sim.state().time < when * 1e-3 - 1e-9) ASSERT_TRUE(sim.step().accepted());
      const Snapshot snapshot = sim.save();
      const std::uint64_t expected = hashAfter(sim, 200);
      Simulator other(loadNamed(name));
      other.restore(snapshot);
      EXPECT_EQ(hashAfter(other, 200), expected) << name << " at step " << when;
      sim.restore(snapshot);
      EXPECT_EQ(hashAfter(sim, 200), expected) << name << " at step " << when;
    }
  }
}

TEST(Fork, LivesItsOwnLifeWithTheSameBits) {
  Simulator sim(loadNamed("anymal_drop"));
  ASSERT_TRUE(sim.run(0.5).accepted());
  Simulator fork = sim;
  const std::uint64_t expected = hashAfter(fork, 300);
  const double time = sim.state().time;
  EXPECT_NEAR(time, 0.5, 1e-12);
  EXPECT_EQ(hashAfter(sim, 300), expected);
}

// Forks share the tables of their model and nothing that a step writes; a fork may even be taken while others step.
TEST(Fork, StepsInAThreadWithTheBitsOfOneAfterTheOther) {
  constexpr int kForks = 4, kSteps = 400;
  Simulator parent(loadNamed("anymal_stand"));
  ASSERT_TRUE(parent.run(0.05).accepted());
  const Simulator& shared = parent;
  const auto life = [&](int k) {
    Simulator fork = shared;
    fork.input().ctrl = Eigen::VectorXd::Constant(12, 0.1 * k);  // each goes its own way
    return hashAfter(fork, kSteps);
  };
  std::uint64_t expected[kForks], found[kForks];
  for (int k = 0; k < kForks; ++k) expected[k] = life(k);
  std::vector<std::thread> threads;
  for (int k = 0; k < kForks; ++k) threads.emplace_back([&, k] { found[k] = life(k); });
  for (std::thread& thread : threads) thread.join();
  for (int k = 0; k < kForks; ++k) EXPECT_EQ(found[k], expected[k]) << "fork " << k;
  EXPECT_NE(expected[0], expected[1]);
}

TEST(TwoSimulators, GiveTheSameBitsInTwoThreads) {
  std::uint64_t hashes[3];
  const auto run = [&](int k) {
    Simulator sim(loadNamed("anymal_hang"));
    hashes[k] = hashAfter(sim, 2000);
  };
  run(2);
  std::thread first(run, 0), second(run, 1);
  first.join();
  second.join();
  EXPECT_EQ(hashes[0], hashes[2]);
  EXPECT_EQ(hashes[1], hashes[2]);
}

TEST(Simulator, AnExceptionInAControllerLeavesTheStateUntouched) {
  Simulator sim(loadNamed("anymal_stand"));
  ASSERT_TRUE(sim.run(0.1).accepted());
  const std::uint64_t before = hashState(sim.state());
  sim.setController([](const State&, Input&) { throw std::runtime_error("stop"); });
  EXPECT_THROW(sim.step(), std::runtime_error);
  EXPECT_EQ(hashState(sim.state()), before);
  sim.setController({});
  EXPECT_TRUE(sim.step().accepted());
}

TEST(Simulator, RefusesASnapshotOfAnotherModel) {
  Simulator anymal(loadNamed("anymal_stand")), cube(loadNamed("cube_drop"));
  EXPECT_THROW(cube.restore(anymal.save()), Error);
}

TEST(Simulator, AskingForTheVelocityDoesNotChangeTheNextStep) {
  Simulator asked(loadNamed("anymal_drop")), silent(loadNamed("anymal_drop"));
  for (int i = 0; i < 600; ++i) {
    asked.velocity();
    asked.step();
    silent.step();
  }
  EXPECT_EQ(hashState(asked.state()), hashState(silent.state()));
}

}  // namespace
}  // namespace rigor
