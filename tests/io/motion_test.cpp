#include "rigor/motion.h"

#include <gtest/gtest.h>

#include "files.h"
#include "io/npz/npz.h"
#include "rigor/io.h"
#include "rigor/recording.h"
#include "rigor/simulator.h"

namespace rigor {
namespace {

/// Two rows of the double pendulum: 2 coordinates, 2 velocities.
const Model& pendulum() {
  static const Model model = loadModel(scenePath("double_pendulum.urdf"));
  return model;
}

MotionTable sway() {
  MotionTable motion;
  motion.time = {0.0, 0.5, 1.0 / 3.0 + 0.5};
  motion.q = {Eigen::Vector2d(0.1, 0.2), Eigen::Vector2d(1.0 / 3.0, -0.0), Eigen::Vector2d(0.5, 5e-324)};
  motion.v = {Eigen::Vector2d(0.0, 1.0 / 7.0), Eigen::Vector2d(0.3, 0.0), Eigen::Vector2d(-1.0, 2.0)};
  return motion;
}

TEST(MotionFile, GivesBackTheSameBits) {
  const TemporaryFolder folder;
  const MotionTable a = sway();
  saveMotion(folder("m.npz"), pendulum(), a);
  const MotionTable b = loadMotion(folder("m.npz"), pendulum());
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v, b.v);
  EXPECT_EQ(folder.count(), 1);
}

TEST(MotionFile, MayBeColumnsWithAHeading) {
  const TemporaryFolder folder;
  const std::string rows = "0,0.1,0.2,1,0\r\n\n0.5, 0.3,0.4,2,0\n";
  const MotionTable motion = loadMotion(folder.write("m.csv", "time,q1,q2,v1,v2\n" + rows), pendulum());
  ASSERT_EQ(motion.time, (std::vector<double>{0.0, 0.5}));
  EXPECT_EQ(motion.q[1], Eigen::Vector2d(0.3, 0.4));
  EXPECT_EQ(motion.v[1], Eigen::Vector2d(2.0, 0.0));
  EXPECT_EQ(loadMotion(folder.write("bare.csv", rows), pendulum()).q, motion.q);
}

TEST(MotionFile, MayLeaveOutVelocities) {
  const TemporaryFolder folder;
  const MotionTable motion = loadMotion(folder.write("m.csv", "0,1,0\n0.5,2,0\n1,3,-1\n"), pendulum());
  EXPECT_EQ(motion.v[1], Eigen::Vector2d(2.0, -1.0));  // means of (2, 0) and (2, −2)
  EXPECT_EQ(motion.v[0], Eigen::Vector2d(2.0, 1.0));
}

TEST(MotionFile, MayBeARecording) {
  const TemporaryFolder folder;
  Scene scene = loadScene(scenePath("double_pendulum.toml"));
  Simulator simulator(scene);
  Recorder recorder(scene);
  run(simulator, 50, {}, {&recorder});
  saveRecording(folder("run.npz"), recorder.recording());
  const MotionTable motion = loadMotion(folder("run.npz"), scene.model);
  EXPECT_EQ(motion.time, recorder.recording().time);
  EXPECT_EQ(motion.q.back()[1], recorder.recording().q.back());
}

TEST(MotionFile, IsRefusedWithFileAndPlace) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::string& name, const std::string& text, const std::string& words) {
    const std::string file = folder.write(name, text);
    const Error error = expectError([&] { loadMotion(file, pendulum()); });
    EXPECT_TRUE(contains(error.what(), file) && contains(error.what(), words)) << error.what();
    EXPECT_FALSE(error.remedy().empty());
  };
  expect("m.txt", "0,1,2\n", "is not a known kind of motion file");
  expect("m.csv", "", "has 0 rows");
  expect("m.csv", "0,1,2\n", "has 1 rows");
  expect("m.csv", "0,1,2\n1,2\n", ":2: has 2 values, not 3");
  expect("m.csv", "0,1,2,3\n", ":1: has 4 values, not 3 or 5");
  expect("m.csv", "0,1,2\n1,2,x\n", ":2: \"x\" is not a finite number");
  expect("m.csv", "time,a,b\n1,2,nan\n", ":2: \"nan\" is not a finite number");
  expect("m.csv", "0,1,2\nlater,2,3\n", ":2: \"later\" is not a finite number");
  expect("m.csv", "1,1,2\n0,2,3\n", "time 0 s in row 2 is not after");
  expect("m.npz", "PK", "");
  const Error missing = expectError([&] { loadMotion(folder("none.npz"), pendulum()); });
  EXPECT_TRUE(contains(missing.what(), "none.npz"));
  EXPECT_TRUE(
      contains(expectError([&] { saveMotion(folder("m.csv"), pendulum(), sway()); }).what(), "written as .npz"));
}

TEST(MotionFile, WithArraysThatDoNotFitIsRefused) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::vector<double>& time, std::size_t width, std::size_t v_rows, const char* words) {
    NpzWriter npz(folder("m.npz"));
    npz.add("time", time);
    npz.add("q", std::vector<double>(time.size() * width, 0.25), width);
    npz.add("v", std::vector<double>(v_rows * 2, 0.0), 2);
    npz.commit();
    const Error error = expectError([&] { loadMotion(folder("m.npz"), pendulum()); });
    EXPECT_TRUE(contains(error.what(), words)) << error.what();
  };
  expect({0.0, 1.0}, 3, 2, "q");
  expect({0.0, 1.0}, 2, 3, "v");
  expect({0.0, 0.0}, 2, 2, "is not after the time before");
}

TEST(MotionFile, OfAnotherRobotWithAsManyCoordinatesIsRefused) {
  const TemporaryFolder folder;
  const Model a1 = loadModel(scenePath("a1.urdf")), anymal = loadModel(scenePath("anymal.urdf"));
  ASSERT_EQ(a1.nq(), anymal.nq());
  MotionTable motion;
  motion.time = {0.0, 1.0};
  motion.q.assign(2, a1.q0());
  motion.v.assign(2, Eigen::VectorXd::Zero(a1.nv()));
  saveMotion(folder("m.npz"), a1, motion);
  EXPECT_TRUE(contains(expectError([&] { loadMotion(folder("m.npz"), anymal); }).what(), "joints that"));
}

}  // namespace
}  // namespace rigor
