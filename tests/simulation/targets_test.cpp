// Input::ctrl: the targets of the drives, step by step.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "simulation/simple_scenes.h"
#include "simulation/state_hash.h"

namespace rigor {
namespace {

/// Where the drives of a standing robot are to be at a time: each swings about its place in the scene.
Eigen::VectorXd swingingTargets(const Scene& scene, double time) {
  const std::vector<HoldSpec> drives = listDrives(scene);
  Eigen::VectorXd targets(static_cast<Eigen::Index>(drives.size()));
  for (Eigen::Index i = 0; i < targets.size(); ++i)
    targets[i] = drives[i].target + 0.2 * std::sin(10.0 * time + static_cast<double>(i));
  return targets;
}

/// The same step by another way: a scene that has these targets, from the snapshot on.
Snapshot stepWithTargets(Scene scene, const Snapshot& from, const Eigen::VectorXd& targets) {
  scene.holds = listDrives(scene);
  for (std::size_t i = 0; i < scene.holds.size(); ++i) scene.holds[i].target = targets[static_cast<Eigen::Index>(i)];
  Simulator sim(scene);
  sim.restore(from);
  EXPECT_TRUE(sim.step().accepted()) << sim.report().explain();
  return sim.save();
}

TEST(Targets, ThatMoveGiveTheBitsOfASceneThatIsChangedBeforeEveryStep) {
  const Scene scene = loadNamed("anymal_stand");
  Simulator sim(scene);
  Snapshot changed = sim.save();
  bool touched = false;
  for (int i = 0; i < 300; ++i) {
    const Eigen::VectorXd targets = swingingTargets(scene, sim.state().time);
    sim.input().ctrl = targets;
    ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    changed = stepWithTargets(scene, changed, targets);
    ASSERT_EQ(hashState(sim.state()), hashState(changed.state)) << "step " << i;
    touched = touched || !sim.report().contacts.empty();
  }
  EXPECT_TRUE(touched);  // it landed: motors, contacts and passes were at work
  Simulator held(scene);
  ASSERT_TRUE(held.run(0.3).accepted());
  EXPECT_NE(hashState(held.state()), hashState(sim.state()));
}

TEST(Targets, LeftEmptyAreThoseOfTheSceneAlsoAfterOthers) {
  Simulator sim(loadNamed("anymal_stand")), untouched(loadNamed("anymal_stand"));
  const Snapshot start = sim.save();
  sim.input().ctrl = swingingTargets(sim.scene(), 0.1);
  ASSERT_TRUE(sim.run(0.05).accepted());
  sim.input().ctrl.resize(0);
  sim.restore(start);
  ASSERT_TRUE(sim.run(0.2).accepted());
  ASSERT_TRUE(untouched.run(0.2).accepted());
  EXPECT_EQ(hashState(sim.state()), hashState(untouched.state()));
}

TEST(Targets, GoOnInAFork) {
  Simulator sim(loadNamed("anymal_stand"));
  sim.input().ctrl = swingingTargets(sim.scene(), 0.1);
  ASSERT_TRUE(sim.run(0.05).accepted());
  Simulator fork = sim;
  ASSERT_TRUE(fork.run(0.1).accepted());
  ASSERT_TRUE(sim.run(0.1).accepted());
  EXPECT_EQ(hashState(sim.state()), hashState(fork.state()));
}

// PD lags behind a target of constant speed by kd/kp of that speed; here with the target taken at the start of the step
// and the joint at its end, which is one step more.
TEST(Targets, OfConstantSpeedAreFollowedAtADistanceThatTheGainsGive) {
  OneJoint spec;
  spec.length = 0.0;
  spec.inertia = 0.5;
  Scene scene = makeOneJoint(spec);
  const double kp = 400.0, kd = 40.0, speed = 0.7;
  scene.holds.push_back({.joint = 0, .kp = kp, .kd = kd});
  Simulator sim(scene);
  sim.setController(
      [&](const State& state, Input& input) { input.ctrl = Eigen::VectorXd::Constant(1, speed * state.time); });
  ASSERT_TRUE(sim.run(3.0).accepted());  // e^(−10·3): 1e-13 of the start is left
  const double lag = speed * sim.state().time - sim.state().q[0];
  EXPECT_NEAR(lag, speed * (kd / kp + scene.dt), 1e-11);
  EXPECT_NEAR(sim.velocity()[0], speed, 1e-11);
}

TEST(Targets, StandInTheOrderOfTheJointsHoweverTheSceneListsItsHolds) {
  Scene scene = loadNamed("anymal_stand");
  const Eigen::VectorXd targets = swingingTargets(scene, 0.3);
  Simulator sim(scene);
  std::reverse(scene.holds.begin(), scene.holds.end());
  HoldSpec idle = scene.holds.front();
  idle.kp = idle.kd = 0.0;  // drives nothing
  scene.holds.push_back(idle);
  scene.holds.insert(scene.holds.begin(), scene.holds.back());
  scene.holds.front().kp = 1.0;  // overruled by a later one of the same joint
  Simulator shuffled(scene);
  for (Simulator* one : {&sim, &shuffled}) {
    one->input().ctrl = targets;
    ASSERT_TRUE(one->run(0.2).accepted());
  }
  EXPECT_EQ(hashState(sim.state()), hashState(shuffled.state()));
  const std::vector<HoldSpec> drives = listDrives(scene);
  ASSERT_EQ(drives.size(), 12u);
  for (std::size_t i = 1; i < drives.size(); ++i) EXPECT_LT(drives[i - 1].joint, drives[i].joint);
}

/// What a step says to the targets.
std::string complaint(Simulator& sim, const Eigen::VectorXd& ctrl) {
  const std::uint64_t before = hashState(sim.state());
  sim.input().ctrl = ctrl;
  try {
    sim.step();
  } catch (const Error& error) {
    EXPECT_EQ(hashState(sim.state()), before);
    return error.what();
  }
  return "";
}

TEST(Targets, OfAWrongNumberOrNotFiniteAreRefusedWithTheRightOne) {
  Simulator sim(loadNamed("anymal_stand")), limp(loadNamed("anymal_drop"));
  for (const int size : {1, 11, 13, 18}) {
    const std::string text = complaint(sim, Eigen::VectorXd::Zero(size));
    EXPECT_NE(text.find("has " + std::to_string(size) + " entries"), std::string::npos) << text;
    EXPECT_NE(text.find("12 drives"), std::string::npos) << text;
    EXPECT_NE(text.find("listDrives"), std::string::npos) << text;
  }
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Eigen::VectorXd ctrl = Eigen::VectorXd::Zero(12);
    ctrl[7] = bad;
    EXPECT_NE(complaint(sim, ctrl).find("ctrl[7]"), std::string::npos);
  }
  ASSERT_TRUE(listDrives(limp.scene()).empty());
  EXPECT_NE(complaint(limp, Eigen::VectorXd::Zero(12)).find("0 drives"), std::string::npos);
  EXPECT_EQ(complaint(sim, Eigen::VectorXd::Zero(12)), "");
}

}  // namespace
}  // namespace rigor
