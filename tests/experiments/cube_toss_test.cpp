// Tosses of a cube: made-up ones whose truth is known, and rows of measured ones.
#include "experiments/cube_toss.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "experiments/toss_fit.h"
#include "experiments/toss_rollout.h"
#include "experiments/toss_start.h"

namespace rigor::experiments {
namespace {

constexpr double kPeriod = 1.0 / 148.0;
const std::string kMeasured = std::string(RIGOR_SOURCE_DIR) + "/tests/experiments/tosses";

/// A flight in closed form, `frames` long, from 0.3 m on.
Toss makeFlight(int frames, double gravity) {
  Toss toss;
  toss.name = "flight";
  toss.period = kPeriod;
  const Eigen::Vector3d v(1.0, -0.5, 0.3), w(3.0, -2.0, 5.0);
  const Eigen::Quaterniond R(Eigen::AngleAxisd(1.0, Eigen::Vector3d(1, 2, 3).normalized()));
  for (int k = 0; k < frames; ++k) {
    const double t = k * kPeriod;
    toss.positions.push_back(Eigen::Vector3d(0.1, 0.2, 0.3 - 0.5 * gravity * t * t) + t * v);
    toss.orientations.push_back(R * Eigen::AngleAxisd(t * w.norm(), w.normalized()));
  }
  toss.velocity = v + Eigen::Vector3d(0.0, 0.0, 0.5 * kPeriod * gravity);  // half a period before the frame
  toss.angular_velocity = w;
  return toss;
}

TEST(TossStart, OfAnExactFlightIsExactByBothWays) {
  const Toss toss = makeFlight(30, 9.81);
  for (const TossStart& start : {startFromFlight(toss, 0.1048, 9.81, 10), startFromFirstFrame(toss, 9.81)}) {
    EXPECT_LT((start.position - toss.positions[0]).norm(), 1e-14);
    EXPECT_LT((start.velocity - Eigen::Vector3d(1.0, -0.5, 0.3)).norm(), 1e-12);  // rounding over 68 ms
    EXPECT_LT(rotationVector(start.orientation.conjugate() * toss.orientations[0]).norm(), 1e-12);
    EXPECT_LT((start.angular_velocity - Eigen::Vector3d(3.0, -2.0, 5.0)).norm(), 1e-11);
  }
}

TEST(TossStart, UsesNoFrameAfterTheCubeHasComeDown) {
  Toss toss = makeFlight(40, 9.81);
  const int flight = countFlight(toss, 0.1048, 1000);
  ASSERT_GT(flight, 10);
  ASSERT_LT(flight, 40);
  for (int k = flight; k < 40; ++k) toss.positions[k] = {9.0, 9.0, 0.05};  // nonsense
  EXPECT_LT((startFromFlight(toss, 0.1048, 9.81, 1000).velocity - Eigen::Vector3d(1.0, -0.5, 0.3)).norm(), 1e-12);
}

TEST(RolloutOfAFlight, IsExact) {
  const std::vector<Toss> tosses = {makeFlight(20, 9.81)};
  const TossError error = rollOut(tosses, {}, {})[0];
  EXPECT_FALSE(error.refused);
  EXPECT_LT(error.position, 1e-9);  // the leapfrog is exact where only gravity acts
  EXPECT_LT(error.rotation, 1e-6);  // [degrees] and turns at a constant rate
}

/// Flights in closed form, and what the simulator makes of them.
std::vector<Toss> makeSimulated(const CubeModel& truth) {
  std::vector<Toss> tosses;
  for (int i = 0; i < 6; ++i) {
    Toss toss = makeFlight(90, truth.gravity());
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.4 * i, Eigen::Vector3d(1, i, 2).normalized()));
    for (int k = 0; k < toss.frames(); ++k) toss.orientations[k] = turn * toss.orientations[k];
    toss.name = fmt::format("made_{}", i);
    tosses.push_back(toss);
  }
  return simulate(tosses, truth, {});
}

TEST(FitContact, FindsTheFrictionThatTossesWereMadeWith) {
  CubeModel truth;
  truth.friction = 0.2;
  truth.restitution = 0.2;
  const std::vector<Toss> tosses = makeSimulated(truth);
  EXPECT_LT(scoreOf(rollOut(tosses, truth, {})).position_mean, 1e-6);
  int calls = 0;
  const CubeModel found = fitContact(tosses, {}, {}, [&] { ++calls; });
  EXPECT_EQ(calls, kFitSamples);
  // a quadratic through an error with a kink at the truth: to a third of the finer grid
  EXPECT_NEAR(found.friction, truth.friction, 0.005);
  EXPECT_NEAR(found.restitution, truth.restitution, 0.05);
}

TEST(MeasuredScale, IsThatOfTheFallAndOfTheRest) {
  CubeModel small;
  small.scale = 0.97;
  const MeasuredScale scale = measureScale(makeSimulated(small));
  EXPECT_NEAR(scale.of_fall, 0.97, 1e-9);
  EXPECT_NEAR(scale.of_rest, 0.97, 1e-9);
}

TEST(MeasuredTosses, OfTheFixtureAreFollowedWithinTheWidthOfTheCube) {
  const std::vector<Toss> tosses = loadTosses(kMeasured, 12);
  ASSERT_EQ(tosses.size(), 2u);
  EXPECT_EQ(tosses[0].frames(), 45);
  EXPECT_NEAR(tosses[0].period, kPeriod, 1e-7);
  for (const TossError& error : rollOut(tosses, {}, {})) {
    EXPECT_FALSE(error.refused);
    EXPECT_LT(error.position, 0.1);  // of the width, in the first 0.3 s
    EXPECT_LT(error.rotation, 15.0);
  }
}

class BadTosses : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "bad_tosses";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    for (const char* name : {"000.csv", "003.csv"})
      std::filesystem::copy_file(kMeasured + "/" + name, folder_ + "/" + name);
  }
  /// The second file with a text in place of another; loading it must fail with these words.
  void refused(const std::string& from, const std::string& to, const std::string& why) {
    std::ifstream in(kMeasured + "/003.csv");
    std::string text((std::istreambuf_iterator<char>(in)), {});
    ASSERT_NE(text.find(from), std::string::npos);
    std::ofstream(folder_ + "/003.csv") << text.replace(text.find(from), from.size(), to);
    expectError(why, "003.csv");
  }
  void expectError(const std::string& why, const std::string& file) {
    try {
      loadTosses(folder_, 12);
      ADD_FAILURE() << "accepted: " << why;
    } catch (const DataError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
      EXPECT_NE(error.where().file.find(file), std::string::npos);
    }
  }
  std::string folder_;
};

TEST_F(BadTosses, AreRefusedWithFileLineAndRemedy) {
  refused("t,x,y,z", "t,y,x,z", "the first line does not name the columns");
  refused("\n0.000000,", "\n0.000000,nan,", "003.csv:2: \"nan\" is not a finite number");
  refused("\n0.000000,", "\n0.000000,1,", "more than 14 values");
  refused("\n0.006757", "\n0.016757", "is not the next of equal periods");
  refused("\n0.006757,", "\n", "has 13 values");
  std::ofstream(folder_ + "/003.csv") << "";
  expectError("the first line", "003.csv");
  std::ofstream(folder_ + "/003.csv") << "t,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n";
  expectError("has 0 frames", "003.csv");
  std::ofstream(folder_ + "/003.csv") << "t,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n0,0,0,1,2,0,0,0,0,0,0,0,0,0\n";
  expectError("quaternion has length 2", "003.csv");
  std::filesystem::remove(folder_ + "/003.csv");
  expectError("holds 1 .csv files", "bad_tosses");
  std::filesystem::remove_all(folder_);
  expectError("no such folder", "bad_tosses");
}

}  // namespace
}  // namespace rigor::experiments
