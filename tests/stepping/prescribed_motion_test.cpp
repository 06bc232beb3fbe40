#include "stepping/prescribed_motion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/joint_motion.h"

namespace rigor {
namespace {

Model makeKinematic() {
  ModelBuilder builder;
  BodySpec body;
  body.name = "table";
  body.joint.type = kFree;
  body.kinematic = true;
  body.mass = {1.0, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()};
  builder.addBody(body);
  return builder.build();
}

Pose poseOf(double x, double y, double z, const Eigen::Vector3d& turn) {
  const double angle = turn.norm();
  const Eigen::Vector3d axis = angle > 0.0 ? Eigen::Vector3d(turn / angle) : Eigen::Vector3d::UnitZ();
  return {{x, y, z}, Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis))};
}

/// Uneven times, turns about changing axes, a row that stands, one that goes back.
MotionSpec makeWinding() {
  MotionSpec motion;
  motion.time = {0.5, 1.0, 1.2, 2.0, 2.5, 3.5};
  motion.poses = {poseOf(0, 0, 1, {0, 0, 0}),           poseOf(0.3, -0.1, 1, {0.2, 0, 0.9}),
                  poseOf(0.4, -0.3, 1, {0.4, 0.1, 1}),  poseOf(0.4, 0.2, 1.5, {0.4, 0.1, 1}),
                  poseOf(0.4, 0.2, 1.5, {0.4, 0.1, 1}), poseOf(-2, 0.5, 1.6, {-1, 0.8, 2})};
  return motion;
}

struct At {
  double q[7], v[6];
};
At at(const PrescribedMotion& motion, double time) {
  At found;
  motion.poseAt(time, found.q);
  motion.velocityAt(time, found.v);
  return found;
}

TEST(PrescribedMotion, PassesThroughItsRows) {
  const Model model = makeKinematic();
  const MotionSpec rows = makeWinding();
  const PrescribedMotion motion(model, rows);
  for (std::size_t i = 0; i < rows.time.size(); ++i) {
    const At now = at(motion, rows.time[i]);
    const Eigen::Quaterniond turn(now.q[3], now.q[4], now.q[5], now.q[6]);
    EXPECT_LT((Eigen::Map<const Eigen::Vector3d>(now.q) - rows.poses[i].position).norm(), 1e-15);  // rounding
    EXPECT_LT(turn.angularDistance(rows.poses[i].rotation), 1e-7);  // acos near 1 loses half the digits
  }
}

TEST(PrescribedMotion, VelocityIsTheDerivativeOfThePoseAndContinuous) {
  const PrescribedMotion motion(makeKinematic(), makeWinding());
  constexpr double kStep = 1e-6;
  // central differences of functions with third derivatives below 1e3/s³ miss by kStep²·1e3/6, rounding adds 1e-16/kStep
  constexpr double kMiss = 1e-9;
  for (double time = 0.0; time < 4.0; time += 0.00713) {
    const At before = at(motion, time - kStep), now = at(motion, time), after = at(motion, time + kStep);
    double way[6];
    differenceJoint(kFree, before.q, after.q, way);
    // where the third derivative jumps, differences see half of the jump of the second one: kStep times 30/s²
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(way[k] / (2.0 * kStep), now.v[k], kMiss + 3e-5) << time << " " << k;
  }
  for (const double row : makeWinding().time) {
    const At before = at(motion, row - 1e-9), after = at(motion, row + 1e-9);
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(before.v[k], after.v[k], 2e-7) << row;  // accelerations below 100/s²
  }
}

TEST(PrescribedMotion, NeverLeadsBeyondItsRowsAndStandsBetweenEqualOnes) {
  const PrescribedMotion motion(makeKinematic(), makeWinding());
  for (double time = 0.0; time < 4.0; time += 0.001) {
    const At now = at(motion, time);
    EXPECT_GE(now.q[2], 1.0);
    EXPECT_LE(now.q[2], 1.6);
    EXPECT_LE(now.q[0], 0.4);
    if (time < 2.0 || time > 2.5) continue;
    for (const double speed : now.v) EXPECT_EQ(speed, 0.0);
  }
  for (const double outside : {-1.0, 0.5, 3.5, 10.0})
    for (const double speed : at(motion, outside).v) EXPECT_NEAR(speed, 0.0, 1e-15);  // at rest before and after
}

TEST(PrescribedMotion, ConstantVelocitiesTurnOnForEver) {
  MotionSpec spin;
  spin.poses = {poseOf(1, 2, 3, {0.1, 0.2, 0.3})};
  spin.velocity = {0.5, 0, 0};
  spin.angular_velocity = {0, 0, 7};
  const PrescribedMotion motion(makeKinematic(), spin);
  const At late = at(motion, 1000.0);
  EXPECT_EQ(late.q[0], 501.0);
  const Eigen::Quaterniond expected =
      spin.poses[0].rotation * Eigen::Quaterniond(Eigen::AngleAxisd(7000.0, Eigen::Vector3d::UnitZ()));
  EXPECT_LT(
      (Eigen::Quaterniond(late.q[3], late.q[4], late.q[5], late.q[6]).toRotationMatrix() - expected.toRotationMatrix())
          .norm(),
      1e-11);  // 7000 rad are rounded to 1e-12
}

TEST(PrescribedMotion, RefusesRowsThatDefineNone) {
  const auto refuses = [](auto change) {
    MotionSpec motion = makeWinding();
    change(motion);
    EXPECT_THROW(checkMotion(motion), Error);
  };
  EXPECT_NO_THROW(checkMotion(makeWinding()));
  refuses([](MotionSpec& m) { std::swap(m.time[1], m.time[2]); });
  refuses([](MotionSpec& m) { m.time[3] = m.time[2]; });
  refuses([](MotionSpec& m) { m.time.resize(1), m.poses.resize(1); });
  refuses([](MotionSpec& m) { m.poses.pop_back(); });
  refuses([](MotionSpec& m) { m.time.clear(); });
  refuses([](MotionSpec& m) { m.poses[2].position.x() = std::nan(""); });
  refuses([](MotionSpec& m) { m.poses[2].rotation.coeffs() *= 2.0; });
  refuses([](MotionSpec& m) { m.time[0] = -INFINITY; });
  refuses([](MotionSpec& m) { m.poses[1].rotation = Eigen::AngleAxisd(3.1, Eigen::Vector3d::UnitX()); });
  refuses([](MotionSpec& m) { m.velocity.x() = std::nan(""); });
}

}  // namespace
}  // namespace rigor
