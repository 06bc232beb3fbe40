#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "files.h"
#include "rigor/io.h"
#include "rigor/simulator.h"

namespace rigor {
namespace {

Snapshot makeSnapshot(const Scene& scene) {
  Snapshot snapshot;
  snapshot.state = {0.1 + 0.2, scene.q, Eigen::VectorXd::LinSpaced(scene.model.nv(), -1.0, 1.0 / 3.0)};
  snapshot.memory.last_step = {1e-3 / 7.0};
  snapshot.memory.increments = {2};
  snapshot.memory.rates[0] = Eigen::VectorXd::Constant(scene.model.nv(), -0.0);
  snapshot.memory.rates[1] = Eigen::VectorXd::Constant(scene.model.nv(), 5e-324);
  snapshot.memory.blocks = {
      {{0, 3}, 3, {0.1, 0.2, 0.3}, ContactMode::kStick},
      {{0xffffffffffffffffu, 0xfedcba9876543210u}, 6, {1e-17, 0, -0.0, 4.0, 5.0, 6.0}, ContactMode::kSlip}};
  snapshot.memory.controller = {1.0 / 3.0};
  snapshot.memory.random = {1, 0x8000000000000000u};
  return snapshot;
}

bool sameBits(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return a.size() == b.size() && (a.size() == 0 || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

TEST(SnapshotFile, GivesBackTheSameBits) {
  const TemporaryFolder folder;
  const Scene scene = loadScene(scenePath("anymal_drop.toml"));
  const Snapshot a = makeSnapshot(scene);
  saveSnapshot(folder("s.npz"), scene, a);
  const Snapshot b = loadSnapshot(folder("s.npz"), scene);
  EXPECT_EQ(b.state.time, a.state.time);
  EXPECT_TRUE(sameBits(b.state.q, a.state.q));
  EXPECT_TRUE(sameBits(b.state.v, a.state.v));
  EXPECT_EQ(b.memory.last_step, a.memory.last_step);
  EXPECT_EQ(b.memory.increments, a.memory.increments);
  for (int age = 0; age < 3; ++age) EXPECT_TRUE(sameBits(b.memory.rates[age], a.memory.rates[age])) << age;
  ASSERT_EQ(b.memory.blocks.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(b.memory.blocks[i].id, a.memory.blocks[i].id);
    EXPECT_EQ(std::memcmp(b.memory.blocks[i].impulse, a.memory.blocks[i].impulse, 6 * sizeof(double)), 0);
    EXPECT_EQ(b.memory.blocks[i].rows, a.memory.blocks[i].rows);
    EXPECT_EQ(b.memory.blocks[i].mode, a.memory.blocks[i].mode);
  }
  EXPECT_EQ(b.memory.controller, a.memory.controller);
  EXPECT_EQ(b.memory.random, a.memory.random);
}

// Written when blocks had three impulses and ids other bits: a cube that rests on four corners.
TEST(SnapshotFile, OfVersionOneIsReadWithItsImpulsesAndTheIdsOfToday) {
  const Scene scene = loadScene(scenePath("cube_drop.toml"));
  const Snapshot old = loadSnapshot(std::string(RIGOR_SOURCE_DIR) + "/tests/io/old/snapshot_1.npz", scene);
  EXPECT_EQ(old.state.time, 1.0);
  Simulator simulator(scene);
  simulator.run(1.0);
  const Snapshot now = simulator.save();
  ASSERT_EQ(old.memory.blocks.size(), 4u);
  ASSERT_EQ(now.memory.blocks.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(old.memory.blocks[i].id, now.memory.blocks[i].id);
    EXPECT_EQ(old.memory.blocks[i].rows, 3);
    EXPECT_NEAR(old.memory.blocks[i].impulse[0], now.memory.blocks[i].impulse[0], 1e-9);  // a quarter of m g dt
    EXPECT_GT(old.memory.blocks[i].impulse[0], 0.0);
  }
  simulator.restore(old);
  EXPECT_TRUE(simulator.step().accepted());
}

// Written when all trees had the same past: two balls that bounce beside each other.
TEST(SnapshotFile, OfVersionTwoGivesAllTreesTheSamePast) {
  const std::string old = std::string(RIGOR_SOURCE_DIR) + "/tests/io/old/";
  const Scene scene = loadScene(old + "two_balls.toml");
  const Snapshot snapshot = loadSnapshot(old + "snapshot_2.npz", scene);
  EXPECT_EQ(snapshot.memory.last_step, std::vector<double>(2, scene.dt));
  EXPECT_EQ(snapshot.memory.increments, std::vector<int>(2, 3));
  Simulator simulator(scene);
  simulator.restore(snapshot);
  EXPECT_TRUE(simulator.step().accepted());
}

// Written when ids had 64 bits: a box on a box and a capsule on the ground.
TEST(SnapshotFile, OfVersionThreeIsReadWithTheIdsOfToday) {
  const std::string old = std::string(RIGOR_SOURCE_DIR) + "/tests/io/old/";
  const Scene scene = loadScene(old + "box_on_step.toml");
  const Snapshot snapshot = loadSnapshot(old + "snapshot_3.npz", scene);
  Simulator simulator(scene);
  simulator.run(scene.time);
  const Snapshot now = simulator.save();
  ASSERT_EQ(snapshot.memory.blocks.size(), now.memory.blocks.size());
  EXPECT_GE(now.memory.blocks.size(), 5u);
  for (std::size_t i = 0; i < now.memory.blocks.size(); ++i)
    EXPECT_EQ(snapshot.memory.blocks[i].id, now.memory.blocks[i].id);
  simulator.restore(snapshot);
  EXPECT_TRUE(simulator.step().accepted());
}

TEST(SnapshotFile, IsRefusedForAnotherModel) {
  const TemporaryFolder folder;
  const Scene drop = loadScene(scenePath("anymal_drop.toml")), cube = loadScene(scenePath("cube_drop.toml"));
  saveSnapshot(folder("s.npz"), drop, makeSnapshot(drop));
  EXPECT_TRUE(contains(expectError([&] { loadSnapshot(folder("s.npz"), cube); }).problem(), "another model"));
  EXPECT_THROW(saveSnapshot(folder("t.npz"), cube, makeSnapshot(drop)), Error);
  EXPECT_EQ(folder.count(), 1);
  Scene longer = drop;  // other options, same model
  longer.time = 100.0;
  EXPECT_EQ(loadSnapshot(folder("s.npz"), longer).memory.blocks.size(), 2u);
}

TEST(SnapshotFile, RecordingsAndNanAreRefused) {
  const TemporaryFolder folder;
  const Scene scene = loadScene(scenePath("cube_drop.toml"));
  Snapshot snapshot = makeSnapshot(scene);
  snapshot.memory.blocks[0].impulse[1] = std::nan("");
  EXPECT_THROW(saveSnapshot(folder("s.npz"), scene, snapshot), Error);
  EXPECT_EQ(folder.count(), 0);
  EXPECT_THROW(loadSnapshot(folder("missing.npz"), scene), Error);
}

}  // namespace
}  // namespace rigor
