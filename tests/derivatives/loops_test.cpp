// Steps of loops: every kind of part, and coupled joints.
#include <gtest/gtest.h>

#include "derivatives/differences.h"

namespace rigor {
namespace {

constexpr double kAgree = 1e-6;  // as in step_derivatives_test.cpp

BodySpec block(const std::string& name, double mass) {
  BodySpec body;
  body.name = name;
  body.joint.name = name + "_joint";
  body.joint.type = kFree;
  body.mass = {mass, Eigen::Vector3d(0.02, -0.01, 0.03),
               mass * Eigen::Vector3d(0.04, 0.05, 0.06).asDiagonal().toDenseMatrix()};
  return body;
}

Scene sceneOf(const ModelBuilder& builder) {
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::LinSpaced(scene.model.nv(), -0.8, 1.1);
  return scene;
}

// What ties them has parts that fix a point, a turn, an axis, and a point along a line or a plane.
TEST(StepDerivatives, OfTwoBlocksTiedByEveryTypeOfJointAreCentralDifferences) {
  for (const JointType type :
       {kFixed, kHinge, kBall, kSlide, kCylindrical, kPlanar, kUniversal, JointType{Translation::kAxis, Rotation::kAll},
        JointType{Translation::kPlane, Rotation::kNone}, JointType{Translation::kAll, Rotation::kAxis}}) {
    SCOPED_TRACE(jointTypeName(type));
    ModelBuilder builder;
    builder.addBody(block("a", 2.0));
    builder.addBody(block("b", 1.0));
    LoopSpec loop;
    loop.kind = LoopKind::kOfType;
    loop.type = type;
    loop.axis = Eigen::Vector3d(0.3, -0.2, 1.0).normalized();
    loop.body_1 = 0, loop.body_2 = 1;
    loop.X_1F = {Eigen::Vector3d(0.3, 0.1, -0.2),
                 Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 2) / 3.0))};
    builder.addLoop(loop);
    Scene scene = sceneOf(builder);
    const Eigen::Quaterniond& r = loop.X_1F.rotation;
    scene.q.tail<7>() << loop.X_1F.position, r.w(), r.x(), r.y(), r.z();
    Simulator sim(scene);  // takes away what would open the loop
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(sim.step().accepted());
    expectCentralDifferences(sim, kAgree);
  }
}

TEST(StepDerivatives, OfJointsThatAPolynomialCouplesAreCentralDifferences) {
  ModelBuilder builder;
  for (const char* name : {"a", "b"}) {
    BodySpec body = block(name, 1.0);
    body.joint.type = kHinge;
    body.joint.axis = Eigen::Vector3d::UnitY();
    builder.addBody(body);
  }
  LoopSpec gear;
  gear.kind = LoopKind::kJoint;
  gear.joint_1 = "a_joint", gear.joint_2 = "b_joint";
  gear.coefficients = {0.1, 0.5, 2.0, -1.0, 3.0};
  builder.addLoop(gear);
  Scene scene = sceneOf(builder);
  scene.v << 0.0, 3.0;
  Simulator sim(scene);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(sim.step().accepted());
  sim.input().tau << 30.0, -10.0;
  expectCentralDifferences(sim, kAgree);
}

}  // namespace
}  // namespace rigor
