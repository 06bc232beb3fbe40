#include "rigor/walk.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <regex>

#include "rigor/algorithms.h"
#include "rigor/io.h"

namespace rigor {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

Scene load(const std::string& name) { return loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + name); }

WalkSpec specOf(const Scene& scene, double speed, double time = 1.5) {
  WalkSpec spec;
  spec.feet = findWalkingFeet(scene.model, scene.q);
  spec.speed = speed, spec.time = time;
  return spec;
}

TEST(Walk, StandsOnFeetThatNeitherSlideNorSinkWithEveryRobot) {
  for (const char* file : {"a1.urdf", "a1_stand.toml", "anymal.urdf", "anymal_stand.toml", "humanoid.urdf",
                           "rp_biped.urdf", "rp_quadruped.urdf"})
    for (const double speed : {0.4, -0.2, 0.0}) {
      SCOPED_TRACE(std::string(file) + " at " + std::to_string(speed));
      const Scene scene = load(file);
      const WalkSpec spec = specOf(scene, speed);
      const Walk walk = planWalk(scene.model, scene.q, spec);
      EXPECT_LE(walk.slip, 1e-12);
      EXPECT_LE(walk.depth, 1e-12);
      Data data(scene.model);
      int base = -1;
      for (const char* name : {"trunk", "base", "pelvis", "torso"}) base = std::max(base, scene.model.findBody(name));
      ASSERT_GE(base, 0);
      const Vector3d start = framePlacement(scene.model, data, walk.motion.q.front(), base).translation();
      const Vector3d way = framePlacement(scene.model, data, walk.motion.q.back(), base).translation() - start;
      EXPECT_LE((way - Vector3d(speed * walk.motion.time.back(), 0.0, 0.0)).norm(), 1e-12);
    }
}

TEST(Walk, LeavesFlatSolesExactlyWhereTheyLanded) {
  const Scene scene = load("rp_biped.urdf");
  const WalkSpec spec = specOf(scene, 0.5, 2.0);
  const Walk walk = planWalk(scene.model, scene.q, spec);
  const int period = static_cast<int>(std::lround(walk.period / spec.dt));
  const int standing = static_cast<int>(std::lround(walk.duty * period));
  Data data(scene.model);
  int checked = 0;
  for (int k = 0; k < 2; ++k)
    for (int landing = k * period / 2; landing + standing < static_cast<int>(walk.motion.q.size()); landing += period) {
      const auto landed = framePlacement(scene.model, data, walk.motion.q[landing], spec.feet[k]);
      for (int row = landing; row <= landing + standing; ++row, ++checked) {
        const auto now = framePlacement(scene.model, data, walk.motion.q[row], spec.feet[k]);
        ASSERT_LE((now.matrix() - landed.matrix()).cwiseAbs().maxCoeff(), 1e-12) << "foot " << k << ", row " << row;
      }
    }
  EXPECT_GE(checked, 4 * standing);
}

TEST(Walk, RollsRoundFeetAsFarAsTheyTurn) {
  // a leg of A1 swings in a plane that its hip tilts by φ: the centre of the foot goes r·cos φ·(turn about y) forward
  const Scene scene = load("a1_stand.toml");
  const WalkSpec spec = specOf(scene, 0.5);
  const Walk walk = planWalk(scene.model, scene.q, spec);
  const int standing = static_cast<int>(std::lround(walk.duty * walk.period / spec.dt));
  Data data(scene.model);
  const Model& model = scene.model;
  const auto angleOf = [&](const char* joint, int row) {
    return walk.motion.q[row][model.joints()[model.findJoint(joint)].q_index];
  };
  const auto pitchAt = [&](int row) { return angleOf("FL_thigh_joint", row) + angleOf("FL_calf_joint", row); };
  const int foot = model.findBody("FL_calf");
  ASSERT_EQ(spec.feet[0], foot);
  const Vector3d middle(0.0, 0.0, -0.2);
  const Vector3d landed = framePlacement(model, data, walk.motion.q[0], foot) * middle;
  for (int row = 1; row <= standing; ++row) {
    const Vector3d way = framePlacement(model, data, walk.motion.q[row], foot) * middle - landed;
    const double rolled = 0.02 * std::cos(angleOf("FL_hip_joint", row)) * (pitchAt(row) - pitchAt(0));
    ASSERT_LE((way - Vector3d(rolled, 0.0, 0.0)).norm(), 1e-12) << "row " << row;
  }
  EXPECT_GE(std::abs(pitchAt(standing) - pitchAt(0)), 0.1);  // it does turn
}

/// The largest distance of v from the mean velocity of the rows around it, and the largest jump of v and of its change.
struct Roughness {
  double off = 0.0, jump = 0.0, bend = 0.0;
};
Roughness roughness(const Scene& scene, double dt) {
  WalkSpec spec = specOf(scene, 0.5);
  spec.period = 0.48, spec.dt = dt;
  const Walk walk = planWalk(scene.model, scene.q, spec);
  const auto& [time, q, v] = walk.motion;
  Roughness most;
  for (std::size_t i = 1; i + 1 < q.size(); ++i) {
    const VectorXd mean =
        (difference(scene.model, q[i - 1], q[i]) + difference(scene.model, q[i], q[i + 1])) / (2.0 * dt);
    most.off = std::max(most.off, (v[i] - mean).cwiseAbs().maxCoeff());
    most.jump = std::max(most.jump, (v[i + 1] - v[i]).cwiseAbs().maxCoeff());
    most.bend = std::max(most.bend, (v[i + 1] - 2.0 * v[i] + v[i - 1]).cwiseAbs().maxCoeff() / dt);
  }
  return most;
}

TEST(Walk, MovesSmoothly) {
  for (const char* file : {"a1_stand.toml", "rp_quadruped.urdf"}) {
    SCOPED_TRACE(file);
    const Scene scene = load(file);
    const Roughness coarse = roughness(scene, 2e-3), fine = roughness(scene, 1e-3);
    EXPECT_LE(coarse.off, 0.05);               // rows know velocities to second order, where the third derivative jumps
    EXPECT_LE(fine.off, 0.3 * coarse.off);     // a quarter
    EXPECT_LE(fine.jump, 0.52 * coarse.jump);  // velocities are continuous: half
    EXPECT_LE(fine.bend, 0.6 * coarse.bend);   // so are accelerations: about half
  }
}

TEST(Walk, RepeatsItselfAPeriodLaterAndAStrideFartherOn) {
  const Scene scene = load("anymal_stand.toml");
  const WalkSpec spec = specOf(scene, 0.7);
  const Walk walk = planWalk(scene.model, scene.q, spec);
  const int period = static_cast<int>(std::lround(walk.period / spec.dt));
  for (int row = 0; row + period < static_cast<int>(walk.motion.q.size()); row += 37) {
    VectorXd way = difference(scene.model, walk.motion.q[row], walk.motion.q[row + period]);
    way[0] -= walk.stride;
    EXPECT_LE(way.cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_EQ(walk.motion.v[row], walk.motion.v[row + period]);
  }
}

std::string refusal(const Model& model, const VectorXd& q, const WalkSpec& spec) {
  try {
    planWalk(model, q, spec);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Walk, RefusesASpeedThatItsLegsCannotReachWithTheLargestThatTheyCan) {
  for (const double sign : {1.0, -1.0}) {
    const Scene scene = load("a1_stand.toml");
    WalkSpec spec = specOf(scene, 8.0 * sign, 0.5);
    const std::string words = refusal(scene.model, scene.q, spec);
    std::smatch found;
    ASSERT_TRUE(std::regex_search(words, found, std::regex("the largest speed that they reach is (-?[0-9.]+) m/s")))
        << words;
    const double largest = std::stod(found[1]);
    EXPECT_GT(sign * largest, 0.5);
    spec.speed = largest;
    EXPECT_LE(planWalk(scene.model, scene.q, spec).slip, 1e-12);
    spec.speed = largest + sign * 0.004;  // found to 8/4096 m/s, told to 0.001
    EXPECT_NE(refusal(scene.model, scene.q, spec), "nothing");
  }
}

TEST(Walk, RefusesWhatCannotWalk) {
  const Scene scene = load("a1_stand.toml");
  const WalkSpec sound = specOf(scene, 0.3, 0.5);
  const auto complaint = [&](const std::function<void(WalkSpec&)>& damage) {
    WalkSpec spec = sound;
    damage(spec);
    return refusal(scene.model, scene.q, spec);
  };
  const auto contains = [](const std::string& text, const char* words) {
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  EXPECT_EQ(complaint([](WalkSpec&) {}), "nothing");
  contains(complaint([](WalkSpec& s) { s.speed = std::numeric_limits<double>::quiet_NaN(); }), "not finite");
  contains(complaint([](WalkSpec& s) { s.dt = 0.0; }), "must be positive");
  contains(complaint([](WalkSpec& s) { s.duty = 0.4; }), "a foot stands for 0.4 of the time");
  contains(complaint([](WalkSpec& s) { s.feet.resize(1); }), "1 feet to walk on");
  contains(complaint([](WalkSpec& s) { s.feet[1] = 99; }), "names a foot that there is not");
  contains(complaint([&](WalkSpec& s) { s.feet[1] = s.feet[0]; }), "two feet hang on joint");
  contains(complaint([&](WalkSpec& s) { s.feet[1] = scene.model.findBody("FR_thigh"); }), "has no collision shape");
  contains(complaint([](WalkSpec& s) { s.step_height = 0.5; }), "cannot step in place");
  LoadOptions fixed;
  fixed.base = BaseKind::kFixed;
  const Scene bolted = loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/a1.urdf", fixed);
  WalkSpec spec = specOf(bolted, 0.3);
  contains(refusal(bolted.model, bolted.q, spec), "--base free");
}

}  // namespace
}  // namespace rigor
