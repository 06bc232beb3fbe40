// A refusal for speed names who is fast.
#include <gtest/gtest.h>

#include "rigor/rigor.h"

namespace rigor {
namespace {

BodySpec makePart(const std::string& name, JointType type, int parent, double x) {
  BodySpec body;
  body.name = name, body.parent = parent, body.joint.name = name + "_joint", body.joint.type = type;
  body.joint.X_PJ.position = {x, 0.0, 0.0};
  body.mass = {1.0, Eigen::Vector3d::Zero(), Eigen::Vector3d(0.1, 0.1, 0.15).asDiagonal()};
  return body;
}

/// A cart with two wheels, and a top that flies beside it.
Scene makeFair(const std::string& integrator) {
  ModelBuilder builder("fair");
  builder.addBody(makePart("cart", kFree, kWorld, 0.0));
  builder.addBody(makePart("left", kHinge, 0, -0.5));
  builder.addBody(makePart("right", kHinge, 0, 0.5));
  builder.addBody(makePart("top", kFree, kWorld, 5.0));
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0(), scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  scene.integrator = integrator;
  return scene;
}

// At 1 ms the scheme follows 300 rad/s; without halvings more is refused at once.
TEST(FastestTurn, OfARefusedStepIsNamedWithItsSpeed) {
  for (const char* integrator : {"leapfrog", "rk4"}) {
    Scene scene = makeFair(integrator);
    scene.v[7] = 500.0, scene.v[6] = 100.0, scene.v[11] = 200.0;
    Simulator wheel(scene, {.max_halvings = 0});
    ASSERT_EQ(wheel.step().status, StepStatus::kTooFast) << integrator;
    EXPECT_EQ(wheel.report().fastest, "joint \"right_joint\" turns at 500 rad/s") << integrator;
    EXPECT_NE(wheel.report().explain().find("joint \"right_joint\" turns at 500 rad/s"), std::string::npos);
    RunSummary summary;
    summary.add(wheel.report());
    EXPECT_EQ(summary.first_failure->fastest, wheel.report().fastest);

    scene.v[7] = 100.0, scene.v[12] = 900.0, scene.v[13] = 1200.0;  // of the top: |ω| = 1513 rad/s
    Simulator top(scene, {.max_halvings = 0});
    ASSERT_EQ(top.step().status, StepStatus::kTooFast) << integrator;
    EXPECT_EQ(top.report().fastest.substr(0, 17), "body \"top\" turns ") << top.report().fastest;
  }
  Simulator slow(makeFair("leapfrog"));
  ASSERT_TRUE(slow.step().accepted());
  EXPECT_TRUE(slow.report().fastest.empty());
}

}  // namespace
}  // namespace rigor
