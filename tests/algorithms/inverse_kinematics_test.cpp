#include "rigor/inverse_kinematics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/ik_rows.h"
#include "dynamics/samples.h"
#include "rigor/algorithms.h"
#include "slow_ik.h"

namespace rigor {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kPi = 3.14159265358979323846;

const IkOptions kNoRestarts = {.tolerance = 1e-12, .iterations = 200, .restarts = 0, .limits = true, .held = {}};

TEST(InverseKinematics, BendsATwoLinkArmAsTheLawOfCosinesSays) {
  const double a = 0.7, b = 0.5;
  const Model arm = planarArm({a, b});
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const double reach = random.number(0.25, 1.15), angle = random.number(-3.0, 3.0);
    const double elbow = std::acos((reach * reach - a * a - b * b) / (2.0 * a * b));
    for (const double side : {-1.0, 1.0}) {
      InverseKinematics ik(arm, {tipAt(arm, reach * std::cos(angle), reach * std::sin(angle))}, kNoRestarts);
      VectorXd q = Eigen::Vector2d(angle, side * 0.8);
      ASSERT_EQ(ik.solve(q).status, IkStatus::kSolved);
      const double shoulder = angle - side * std::atan2(b * std::sin(elbow), a + b * std::cos(elbow));
      // the tolerance of 1e-12 m, divided by the least singular value of the Jacobian, above 0.05 m here
      EXPECT_NEAR(std::remainder(q[1] - side * elbow, 2.0 * kPi), 0.0, 2e-11);
      EXPECT_NEAR(std::remainder(q[0] - shoulder, 2.0 * kPi), 0.0, 2e-11);
    }
  }
}

TEST(InverseKinematics, FollowsTheLegOfA1InClosedForm) {
  // hip about x, 85.05 mm outward, thigh and calf of 0.2 m about y
  const double d = 0.08505, l = 0.2;
  const Model leg = a1Leg(d, l);
  IkTask foot;
  foot.body = 2;
  foot.X_BF.position = {0.0, 0.0, -l};
  InverseKinematics ik(leg, {foot}, kNoRestarts);
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const double x = random.number(-0.15, 0.15), y = d + random.number(-0.1, 0.1), z = -random.number(0.15, 0.3);
    const double h = std::sqrt(y * y + z * z - d * d), r2 = x * x + h * h;
    const double hip = std::atan2(z, y) + std::atan2(h, d);
    const double calf = -std::acos((r2 - 2.0 * l * l) / (2.0 * l * l));
    const double thigh = std::atan2(-x, h) - std::atan2(l * std::sin(calf), l + l * std::cos(calf));
    ik.setTarget(0, {{x, y, z}, Eigen::Quaterniond::Identity()});
    VectorXd q = Vector3d(0.0, 0.9, -1.8);
    ASSERT_EQ(ik.solve(q).status, IkStatus::kSolved) << i;
    EXPECT_LE((q - Vector3d(hip, thigh, calf)).cwiseAbs().maxCoeff(), 1e-10);  // 1e-12 m over levers of centimetres
  }
}

TEST(InverseKinematics, HasTheDerivativesOfItsErrors) {
  forEachSample([](Sample& s) {
    std::vector<IkTask> tasks;
    for (const IkGoal goal : {IkGoal::kPosition, IkGoal::kOrientation, IkGoal::kPose, IkGoal::kCenterOfMass})
      tasks.push_back({goal, s.random.index(s.model.bodyCount()), s.random.pose(0.5), s.random.pose(1.0), 1.7, 0.6});
    const IkUnknowns unknowns(s.model, {}, false);
    IkRows rows(s.model, tasks, unknowns);
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(rows.count(), unknowns.count);
    VectorXd errors(rows.count()), after(rows.count()), before(rows.count()), step(unknowns.count), v(s.model.nv());
    rows.evaluate(s.model, tasks, s.q, errors);
    rows.differentiate(s.model, tasks, 0, 4, J);
    for (int u = 0; u < unknowns.count; ++u) {
      const double h = 1e-5;
      step.setZero();
      step[u] = h;
      unknowns.expand(step, v);
      rows.evaluate(s.model, tasks, integrate(s.model, s.q, v), after);
      rows.evaluate(s.model, tasks, integrate(s.model, s.q, -v), before);
      // truncation h² and rounding 1e-16/h stay below 1e-8; near half a turn third derivatives grow
      EXPECT_LE(relativeError(J.col(u), ((after - before) / (2.0 * h)).eval()), 1e-6) << "unknown " << u;
    }
  });
}

TEST(InverseKinematics, StopsAtTheNearestPointOfAnArmThatIsTooShort) {
  const Model arm = planarArm({0.7, 0.5, 0.3});
  InverseKinematics ik(arm, {tipAt(arm, 2.0, -1.0)});
  VectorXd q = Vector3d(0.3, 0.4, -0.2);
  const IkReport& report = ik.solve(q);
  EXPECT_EQ(report.status, IkStatus::kUnreachable);
  EXPECT_EQ(report.unmet, 0);
  EXPECT_NEAR(report.residual, std::sqrt(5.0) - 1.5,
              1e-12);  // straight at the target; the error is of second order in angles
  EXPECT_NE(report.explain(arm, ik.tasks()).find("\"link_2\" stays 0.736 m"), std::string::npos)
      << report.explain(arm, ik.tasks());
}

TEST(InverseKinematics, KeepsAJointAtItsLimitAndDoesItsBestWithTheOthers) {
  const double a = 0.7, b = 0.5, limit = 1.2;
  const Model arm = planarArm({a, b}, Range{-limit, limit});
  const double nearest = std::sqrt(a * a + b * b + 2.0 * a * b * std::cos(limit));
  InverseKinematics ik(arm, {tipAt(arm, 0.5, 0.4)});
  for (const double elbow : {-1.0, 0.3, 1.2}) {
    VectorXd q = Eigen::Vector2d(-0.5, elbow);
    const IkReport& report = ik.solve(q);
    EXPECT_EQ(report.status, IkStatus::kUnreachable);
    EXPECT_EQ(std::abs(q[1]), limit);
    EXPECT_NEAR(report.residual, nearest - std::hypot(0.5, 0.4), 1e-12);
  }
}

TEST(InverseKinematics, LeavesALimitThatIsInTheWay) {
  const double limit = 1.2;
  const Model arm = planarArm({0.7, 0.5}, Range{-limit, limit});
  InverseKinematics ik(arm, {tipAt(arm, 1.0, 0.4)}, kNoRestarts);
  for (const double elbow : {-limit, limit}) {
    VectorXd q = Eigen::Vector2d(0.0, elbow);
    EXPECT_EQ(ik.solve(q).status, IkStatus::kSolved);
    EXPECT_LT(std::abs(q[1]), limit - 0.1);
  }
}

TEST(InverseKinematics, LeavesNothingThatASmallMoveWithinTheLimitsCouldGain) {
  Random random(3);
  int at_limit = 0;
  for (int i = 0; i < 60; ++i) {
    const Model arm = spatialArm(random, 6, 0.6);
    std::vector<IkTask> tasks(2);
    tasks[0].goal = IkGoal::kPose, tasks[0].body = 5, tasks[0].target = random.pose(1.5);
    tasks[1].body = 3, tasks[1].target = random.pose(1.0), tasks[1].weight = 0.5;
    InverseKinematics ik(arm, tasks, kNoRestarts);
    VectorXd q = VectorXd::Zero(6);
    const IkReport& report = ik.solve(q);
    ASSERT_NE(report.status, IkStatus::kUnsolved) << "arm " << i << ", " << report.iterations << " iterations";
    at_limit += (q.cwiseAbs().array() == 0.6).count();
    // a stationary point to 1e-9 of errors times levers; 1e-4 rad would gain 1e-7 by a slope of 1e-3
    EXPECT_GE(gainOfSmallMoves(arm, tasks, q, 1e-4), -1e-8) << "arm " << i;
  }
  EXPECT_GE(at_limit, 60);  // the test is about limits
}

TEST(InverseKinematics, LeavesAStraightArmThatPointsAtItsTarget) {
  // a saddle: no first-order move shortens a straight arm
  const Model arm = planarArm({0.7, 0.5});
  InverseKinematics ik(arm, {tipAt(arm, 0.6, 0.0)});
  VectorXd q = VectorXd::Zero(2);
  const IkReport& report = ik.solve(q);
  EXPECT_EQ(report.status, IkStatus::kSolved);
  EXPECT_GE(report.restarts, 1);
}

TEST(InverseKinematics, ReachesAStraightArmFromABentOne) {
  // the solution is singular: the error is of second order in the elbow, so 1e-12 m is 1e-6 rad
  const Model arm = planarArm({0.7, 0.5});
  InverseKinematics ik(arm, {tipAt(arm, 0.0, 1.2)});
  VectorXd q = Eigen::Vector2d(1.0, 0.9);
  EXPECT_EQ(ik.solve(q).status, IkStatus::kSolved);
  EXPECT_NEAR(q[1], 0.0, 5e-6);
  EXPECT_NEAR(q[0], kPi / 2, 5e-6);
}

TEST(InverseKinematics, TurnsAFrameByHalfATurn) {
  Model ball = makeJointSample(kFree, 4);
  IkTask task;
  task.goal = IkGoal::kPose;
  task.target = {{0.1, 0.2, 0.3}, Eigen::Quaterniond(0.0, 0.6, 0.8, 0.0)};
  InverseKinematics ik(ball, {task});
  VectorXd q = neutral(ball);
  EXPECT_EQ(ik.solve(q).status, IkStatus::kSolved);
  Data data(ball);
  const Eigen::Isometry3d X = framePlacement(ball, data, q, 0);
  EXPECT_LE((X.linear() - task.target.rotation.toRotationMatrix()).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(InverseKinematics, MeetsTheFirstLevelExactlyAndTheSecondAsWellAsThatLeavesIt) {
  // three links hold the tip; the one freedom left brings the first elbow as near to its target as a scan over it can
  const std::vector<double> lengths = {0.6, 0.5, 0.4};
  const Model arm = planarArm(lengths);
  Random random(5);
  int ended = 0;
  for (int i = 0; i < 20; ++i) {
    IkTask tip = tipAt(arm, random.number(0.3, 0.6), random.number(-0.6, 0.6)), elbow;
    elbow.body = 0, elbow.X_BF.position = {lengths[0], 0.0, 0.0};
    elbow.target.position = {random.number(-1.0, 1.0), random.number(-1.0, 1.0), 0.0};
    elbow.level = 1;
    InverseKinematics ik(arm, {elbow, tip});
    VectorXd q = Vector3d(0.2, 0.7, 0.7);
    const IkReport& report = ik.solve(q);
    EXPECT_EQ(report.unmet, 0);
    EXPECT_LE(report.misses[1].distance, 1.5e-12);
    // the scan is 3e-5 rad wide, on a lever of 0.6 m; a local minimum may be farther
    EXPECT_GE(report.misses[0].distance, nearestElbow(lengths, tip.target.position, elbow.target.position) - 2e-5);
    if (report.status == IkStatus::kUnsolved) continue;
    ++ended;
    EXPECT_TRUE(isStationaryElbow(lengths, tip.target.position, elbow.target.position, q[0])) << "arm " << i;
  }
  EXPECT_GE(ended, 19);  // where the last two links end up straight, the last steps are many
}

TEST(InverseKinematics, GivesTheLevelsTheirOrder) {
  const Model arm = planarArm({0.6, 0.5});
  IkTask near = tipAt(arm, 0.5, 0.5), far = tipAt(arm, -0.4, 0.6);
  far.level = 1;
  VectorXd q = Eigen::Vector2d(0.3, 0.6);
  InverseKinematics first(arm, {near, far});
  EXPECT_LE(first.solve(q).misses[0].distance, 1.5e-12);
  near.level = 1, far.level = 0;
  InverseKinematics second(arm, {near, far});
  EXPECT_LE(second.solve(q).misses[1].distance, 1.5e-12);
  // one level: the mean of both, by weights of 1 and 2 on errors: 1 and 4 on squares
  near.level = far.level = 0, far.weight = 2.0;
  InverseKinematics both(arm, {near, far});
  EXPECT_EQ(both.solve(q).status, IkStatus::kUnreachable);
  Data data(arm);
  const Vector3d tip = framePlacement(arm, data, q, 1) * Vector3d(0.5, 0.0, 0.0);
  EXPECT_LE((tip - Vector3d((0.5 - 4.0 * 0.4) / 5.0, (0.5 + 4.0 * 0.6) / 5.0, 0.0)).norm(), 1e-8);
}

TEST(InverseKinematics, LosesNothingOfALevelThatItCannotMeetToALowerOne) {
  const Model arm = planarArm({0.6, 0.5, 0.4});
  IkTask far = tipAt(arm, 2.0, 0.0), elbow;
  elbow.body = 0, elbow.X_BF.position = {0.6, 0.0, 0.0}, elbow.target.position = {0.0, 0.6, 0.0}, elbow.level = 1;
  InverseKinematics ik(arm, {far, elbow});
  VectorXd q = Vector3d(0.5, 0.3, 0.2);
  const IkReport& report = ik.solve(q);
  EXPECT_EQ(report.unmet, 0);
  EXPECT_NEAR(report.misses[0].distance, 0.5, 2e-12);  // as if it were alone
}

TEST(InverseKinematics, MovesFollowersWithTheirLeadersAndHoldsWhatIsHeld) {
  ModelBuilder builder;
  addPlanarLinks(builder, {0.4, 0.4, 0.4}, {});
  BodySpec finger;
  finger.parent = 2;
  finger.name = "finger";
  finger.joint.name = "finger_joint";
  finger.joint.type = kHinge;
  finger.joint.X_PJ.position = {0.4, 0.0, 0.0};
  finger.joint.mimic = JointSpec::Mimic{"joint_1", -2.0, 0.1};
  finger.mass = {0.1, {0.1, 0.0, 0.0}, 1e-3 * Eigen::Matrix3d::Identity()};
  builder.addBody(finger);
  const Model arm = builder.build();
  IkTask tip;
  tip.body = 3, tip.X_BF.position = {0.2, 0.0, 0.0}, tip.target.position = {0.5, 0.7, 0.0};
  InverseKinematics ik(arm, {tip}, {.held = {2}});
  VectorXd q = Eigen::Vector4d(0.3, 0.5, -0.4, 9.0);
  ASSERT_EQ(ik.solve(q).status, IkStatus::kSolved);
  EXPECT_EQ(q[2], -0.4);
  EXPECT_NEAR(q[3], -2.0 * q[1] + 0.1, 1e-15);
  Data data(arm);
  EXPECT_LE((framePlacement(arm, data, q, 3) * Vector3d(0.2, 0.0, 0.0) - tip.target.position).norm(), 2e-12);
}

TEST(InverseKinematics, PutsTheCentreOfMassOverAPoint) {
  Random random(6);
  const Model arm = spatialArm(random, 7, 2.5);
  Data data(arm);
  IkTask mass, hand;
  mass.goal = IkGoal::kCenterOfMass;
  hand.body = 6;
  for (int i = 0; i < 10; ++i) {
    VectorXd there(7), q(7);
    for (int k = 0; k < 7; ++k) there[k] = random.number(-2.0, 2.0), q[k] = there[k] + random.number(-0.3, 0.3);
    mass.target.position = centerOfMass(arm, data, there);
    hand.target.position = framePlacement(arm, data, there, 6).translation();
    InverseKinematics ik(arm, {mass, hand});
    ASSERT_EQ(ik.solve(q).status, IkStatus::kSolved);
    EXPECT_LE((centerOfMass(arm, data, q) - mass.target.position).norm(), 2e-12);
  }
}

TEST(InverseKinematics, RefusesTasksThatMeanNothing) {
  const Model arm = planarArm({0.6, 0.5});
  const auto complaint = [&](const std::function<void(IkTask&)>& damage) -> std::string {
    IkTask task = tipAt(arm, 0.5, 0.5);
    damage(task);
    try {
      InverseKinematics ik(arm, {task});
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_NE(complaint([](IkTask& t) { t.body = 2; }).find("task 0: names a body"), std::string::npos);
  EXPECT_NE(complaint([](IkTask& t) { t.target.position[1] = NAN; }).find("not finite"), std::string::npos);
  EXPECT_NE(complaint([](IkTask& t) { t.X_BF.rotation.w() = 1.1; }).find("unit length"), std::string::npos);
  EXPECT_NE(complaint([](IkTask& t) { t.weight = 0.0; }).find("weight"), std::string::npos);
  EXPECT_NE(complaint([](IkTask& t) { t.level = -1; }).find("level"), std::string::npos);
  EXPECT_THROW(InverseKinematics(arm, {}), Error);
  EXPECT_THROW(InverseKinematics(arm, {tipAt(arm, 0, 0)}, {.held = {2}}), Error);
  InverseKinematics ik(arm, {tipAt(arm, 0.5, 0.5)});
  EXPECT_THROW(ik.setTarget(1, {}), Error);
  EXPECT_THROW(ik.setTarget(0, {{NAN, 0, 0}, Eigen::Quaterniond::Identity()}), Error);
  VectorXd q = Vector3d::Zero();
  EXPECT_THROW(ik.solve(q), Error);
}

}  // namespace
}  // namespace rigor
