// Mechanisms with loops: known motions, gaps at rounding, energy without trend.
#include <gtest/gtest.h>

#include <cstring>

#include "simple_scenes.h"

namespace rigor {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

Scene loadNamed(const std::string& name) {
  return loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + name + ".toml");
}

/// Positions of metres are known to 1e-16; a chain of five joints adds a few of these errors.
constexpr double kGap = 1e-13;  // [m]

struct Ride {
  double gap = 0.0, lowest = 1e300, highest = -1e300;
};

Ride ride(Simulator& sim, double seconds) {
  Ride out;
  const int steps = static_cast<int>(std::lround(seconds / sim.scene().dt));
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = sim.step();
    EXPECT_TRUE(report.accepted()) << report.explain();
    if (!report.accepted()) break;
    out.gap = std::max(out.gap, report.loop_gap);
    out.lowest = std::min(out.lowest, report.kinetic + report.potential);
    out.highest = std::max(out.highest, report.kinetic + report.potential);
  }
  return out;
}

TEST(ThreeLinkLoop, StaysClosedAndKeepsItsEnergy) {
  Scene scene = loadNamed("three_link_loop");
  Simulator sim(scene);
  const Ride first = ride(sim, 20.0), later = ride(sim, 20.0);
  EXPECT_LE(std::max(first.gap, later.gap), kGap);
  // steps of 10 ms: the energy at the nodes swings by a second-order error, but later not more than at first
  EXPECT_LE(later.highest - later.lowest, 1.5 * (first.highest - first.lowest));
  EXPECT_NEAR(0.5 * (later.highest + later.lowest), 0.5 * (first.highest + first.lowest),
              0.2 * (first.highest - first.lowest));
}

TEST(DoubleFourBar, FollowsTheReferenceMotionThroughItsSingularPoses) {
  Simulator sim(loadNamed("double_four_bar"));
  const int upright = sim.scene().model.findBody("upright_0");
  struct {
    double time, x, z;
  } const reference[] = {{1, -0.195020, -0.980799}, {2, 0.057816, 0.998327}, {3, -0.549340, -0.835599}};
  for (const auto& node : reference) {
    const Ride part = ride(sim, node.time - sim.state().time);
    EXPECT_LE(part.gap, kGap);
    EXPECT_NEAR(part.lowest, 35.835, 5e-3);  // second order: 40 mJ at 10 ms, a hundredth of it at 1 ms
    EXPECT_NEAR(part.highest, 35.835, 5e-3);
    const Vector3d top = sim.pose(upright) * Vector3d(0, 0, 1);
    EXPECT_NEAR(top.x(), node.x, 2e-5) << node.time << " s";  // printed to 1e-6; second-order error of 1 ms
    EXPECT_NEAR(top.z(), node.z, 2e-5) << node.time << " s";
    EXPECT_NEAR(top.y(), 0.0, 1e-14);
  }
}

TEST(Bricard, MovesWithOneFreedomThoughItHasAsManyRowsAsJoints) {
  Simulator sim(loadNamed("bricard"));
  const VectorXd start = sim.state().q;
  const Ride part = ride(sim, 3.0);
  EXPECT_LE(part.gap, kGap);
  EXPECT_GE((sim.state().q - start).cwiseAbs().maxCoeff(), 0.5);
  EXPECT_LE(part.highest - part.lowest, 1e-3);  // of 25 J of weight; second order in the step
}

BodySpec freeBody(const std::string& name, const Vector3d& position, double mass) {
  BodySpec body;
  body.name = name;
  body.joint.name = name + "_joint";
  body.joint.type = kFree;
  body.joint.X_PJ.position = position;
  body.mass = {mass, Vector3d(0.02, -0.01, 0.03), mass * Vector3d(0.02, 0.03, 0.04).asDiagonal().toDenseMatrix()};
  return body;
}

Scene sceneOf(const ModelBuilder& builder, double dt = 1e-3) {
  Scene scene;
  scene.name = "loops";
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = VectorXd::Zero(scene.model.nv());
  scene.dt = dt;
  return scene;
}

TEST(TwoWeldedBodies, MoveLikeOneBody) {
  const Vector3d offset(0.3, 0.1, -0.2);
  ModelBuilder welded, whole;
  welded.addBody(freeBody("a", Vector3d::Zero(), 2.0));
  welded.addBody(freeBody("b", offset, 1.0));
  LoopSpec weld;
  weld.kind = LoopKind::kWeld;
  weld.body_1 = 0, weld.body_2 = 1;
  weld.X_1F.position = offset;
  welded.addLoop(weld);
  whole.addBody(freeBody("a", Vector3d::Zero(), 2.0));
  BodySpec fixed = freeBody("b", offset, 1.0);
  fixed.parent = 0;
  fixed.joint.type = kFixed;
  whole.addBody(fixed);

  Scene one = sceneOf(whole), two = sceneOf(welded);
  one.v << 0.3, -0.2, 1.0, 1.5, -0.7, 2.0;
  const Vector3d omega = one.v.tail<3>();
  two.v << one.v, one.v.head<3>() + omega.cross(offset), omega;
  Simulator a(one), b(two);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(a.step().accepted());
    ASSERT_TRUE(b.step().accepted()) << b.report().explain();
    ASSERT_LE(b.report().loop_gap, kGap);
  }
  // both are second order in the step but do not split the spin alike: (ω h)² · 1 rad = 6e-6
  EXPECT_LE((a.pose(0).position - b.pose(0).position).norm(), 2e-5);
  EXPECT_LE(a.pose(0).rotation.angularDistance(b.pose(0).rotation), 2e-5);
  EXPECT_LE(b.pose(0).rotation.angularDistance(b.pose(1).rotation), 1e-13);
}

/// Two hinged wheels, the second turned by the first through gears: q2 = ratio · q1.
Scene gearedPair(double inertia_1, double inertia_2, double ratio) {
  ModelBuilder builder;
  builder.setGravity(Vector3d::Zero());
  const double inertias[2] = {inertia_1, inertia_2};
  for (int i = 0; i < 2; ++i) {
    BodySpec wheel;
    wheel.name = i == 0 ? "motor" : "load";
    wheel.joint.name = wheel.name + "_joint";
    wheel.joint.type = kHinge;
    wheel.mass.mass = 1.0;
    wheel.mass.inertia = inertias[i] * Eigen::Matrix3d::Identity();
    builder.addBody(wheel);
  }
  LoopSpec gear;
  gear.kind = LoopKind::kJoint;
  gear.joint_1 = "load_joint", gear.joint_2 = "motor_joint";
  gear.coefficients = {0.0, ratio, 0.0, 0.0, 0.0};
  builder.addLoop(gear);
  return sceneOf(builder);
}

TEST(GearedPair, HasTheReflectedInertiaOfTheLoad) {
  const double I1 = 0.02, I2 = 0.7, ratio = -0.25, torque = 0.4;
  Simulator sim(gearedPair(I1, I2, ratio));
  sim.input().tau << torque, 0.0;
  ASSERT_TRUE(sim.run(1.0).accepted());
  const double acceleration = torque / (I1 + ratio * ratio * I2);
  EXPECT_NEAR(sim.state().q[0], 0.5 * acceleration, 1e-10 * acceleration);  // leapfrog is exact here
  EXPECT_NEAR(sim.state().q[1], ratio * sim.state().q[0], 1e-14);
}

TEST(PolynomialCoupling, IsFollowedToRounding) {
  Scene scene = gearedPair(0.1, 0.2, 1.0);
  ModelBuilder builder;
  builder.setGravity(Vector3d::Zero());
  builder.addBody(scene.model.body(0));
  builder.addBody(scene.model.body(1));
  LoopSpec cam = scene.model.loops()[0];
  cam.coefficients = {0.1, 0.5, -0.3, 0.2, 0.05};
  builder.addLoop(cam);
  Scene with_cam = sceneOf(builder);
  with_cam.v[0] = 2.0;
  Simulator sim(with_cam);
  ASSERT_EQ(sim.warnings().size(), 2u);  // the load starts 0.1 rad off and at rest
  const Ride part = ride(sim, 1.0);
  const double x = sim.state().q[0], y = sim.state().q[1];
  EXPECT_GE(std::fabs(x), 0.5);
  EXPECT_NEAR(y, 0.1 + x * (0.5 + x * (-0.3 + x * (0.2 + x * 0.05))), 1e-14);
  EXPECT_LE(part.gap, kGap);
  EXPECT_LE(part.highest - part.lowest, 1e-4 * part.highest);  // a cam does no work
}

TEST(MimicGripper, ClosesBothFingersWithOneForce) {
  Scene scene = loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/loops/gripper.urdf", {}, true);
  const Model& model = scene.model;
  ASSERT_EQ(model.loops().size(), 1u);
  EXPECT_EQ(model.loops()[0].kind, LoopKind::kJoint);
  const int left = model.joints()[model.findJoint("left_slide")].v_index;
  const int right = model.joints()[model.findJoint("right_slide")].v_index;
  Simulator sim(scene);
  sim.input().tau[left] = -0.026;
  ASSERT_TRUE(sim.run(0.2).accepted());
  // 0.05 kg and 0.08 kg on one force: −0.2 m/s²
  EXPECT_NEAR(sim.state().q[left], -0.5 * 0.2 * 0.04, 1e-12);
  EXPECT_NEAR(sim.state().q[right], -sim.state().q[left], 1e-15);
}

/// A square four-bar of 1 m bars with feet, standing on the floor: the bottom bar is free, the top one closes the loop.
Scene standingFourBar(double tilt) {
  ModelBuilder builder;
  builder.addWorldShape({"ground", makePlane(), {}});
  const auto bar = [](const std::string& name, int parent, const Vector3d& joint, const Vector3d& com) {
    BodySpec body;
    body.name = name;
    body.parent = parent;
    body.joint.name = name + "_joint";
    body.joint.type = kHinge;
    body.joint.axis = Vector3d::UnitY();
    body.joint.X_PJ.position = joint;
    body.mass = {1.0, com, Vector3d(0.1, 0.1, 0.1).asDiagonal()};
    return body;
  };
  BodySpec base = bar("base", kWorld, Vector3d::Zero(), {0.5, 0, 0});
  base.joint.type = kFree;
  for (int i = 0; i < 4; ++i) {
    ShapeSpec foot{"foot_" + std::to_string(i), makeSphere(0.05), {}};
    foot.X_BS.position = {i / 2 * 1.0, (i % 2 - 0.5) * 0.4, 0.0};
    base.shapes.push_back(foot);
  }
  const int base_index = builder.addBody(base);
  VectorXd q(7);
  q << 0, 0, 0.05, 1, 0, 0, 0;
  builder.setReference(base_index, q);
  const int left = builder.addBody(bar("left", base_index, Vector3d::Zero(), {0, 0, 0.5}));
  const int right = builder.addBody(bar("right", base_index, {1, 0, 0}, {0, 0, 0.5}));
  const int top = builder.addBody(bar("top", left, {0, 0, 1}, {0.5, 0, 0}));
  LoopSpec loop;
  loop.kind = LoopKind::kHinge;
  loop.body_1 = top, loop.body_2 = right;
  loop.X_1F.position = {1, 0, 0}, loop.X_2F.position = {0, 0, 1};
  loop.axis = Vector3d::UnitY();
  builder.addLoop(loop);
  Scene scene = sceneOf(builder);
  scene.q[scene.model.qIndex(left)] = scene.q[scene.model.qIndex(right)] = tilt;
  scene.q[scene.model.qIndex(top)] = -tilt;
  return scene;
}

TEST(FourBarOnTheFloor, SwingsOnItsFeetWithoutSinkingOrOpening) {
  Simulator sim(standingFourBar(2.5));
  double penetration = 0.0, gap = 0.0;
  int stuck = 0;
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    penetration = std::max(penetration, sim.report().penetration);
    gap = std::max(gap, sim.report().loop_gap);
    for (const Contact& contact : sim.report().contacts) stuck += contact.mode == ContactMode::kStick;
  }
  EXPECT_LE(penetration, 1e-12);
  EXPECT_LE(gap, kGap);
  EXPECT_GE(stuck, 2000);
}

TEST(FourBarOnTheFloor, PressesOnItWithItsWeight) {
  Scene scene = standingFourBar(0.0);  // upright, in balance
  Simulator sim(scene);
  ASSERT_TRUE(sim.step().accepted());
  ASSERT_TRUE(sim.step().accepted());
  double lift = 0.0;
  for (const Contact& contact : sim.report().contacts) lift += contact.impulse.z();
  EXPECT_NEAR(lift, 4.0 * kGravity * scene.dt, 1e-10);
}

TEST(Simulator, RestoredAmidALoopGivesTheSameBits) {
  for (const char* name : {"three_link_loop", "bricard"}) {
    Simulator sim(loadNamed(name));
    ASSERT_TRUE(sim.run(0.5).accepted());
    const Snapshot snapshot = sim.save();
    ASSERT_TRUE(sim.run(0.3).accepted());
    const VectorXd q = sim.state().q, v = sim.state().v;
    Simulator other(loadNamed(name));
    other.restore(snapshot);
    ASSERT_TRUE(other.run(0.3).accepted());
    EXPECT_EQ(std::memcmp(q.data(), other.state().q.data(), q.size() * sizeof(double)), 0) << name;
    EXPECT_EQ(std::memcmp(v.data(), other.state().v.data(), v.size() * sizeof(double)), 0) << name;
  }
}

TEST(OpenLoop, IsClosedAtTheStartWithAWarning) {
  Scene scene = loadNamed("three_link_loop");
  scene.q[0] += 0.02;
  Simulator sim(scene);
  ASSERT_EQ(sim.warnings().size(), 1u);
  const std::string text = sim.warnings()[0].text();
  EXPECT_NE(text.find("loop \"coupler_to_right\": was open by 0.02"), std::string::npos) << text;
  EXPECT_EQ(text.find("coupler_to_right"), text.rfind("coupler_to_right")) << text;  // its name once
  const StepReport& report = sim.step();
  ASSERT_TRUE(report.accepted());
  EXPECT_LE(report.kinetic, 1e-20);  // at rest: closing gave it no velocity
}

TEST(LoopThatCannotBeClosed, IsRefusedWithItsNameAndGap) {
  ModelBuilder builder;
  OneJoint spec;
  builder.addBody(makeOneJoint(spec).model.body(0));
  LoopSpec loop;
  loop.name = "too_far";
  loop.body_1 = 0;
  loop.X_1F.position = {0, 0, -1};
  loop.X_2F.position = {3, 0, 0};  // the link reaches 1 m
  builder.addLoop(loop);
  const Scene scene = sceneOf(builder);
  try {
    Simulator sim(scene);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("loop \"too_far\": cannot be closed"), 0u) << error.what();
    EXPECT_NE(error.problem().find("2.0"), std::string::npos) << error.what();
  }
}

TEST(VelocityThatOpensALoop, IsTakenAwayWithAWarning) {
  Scene scene = loadNamed("three_link_loop");
  scene.v[0] = 1.0;
  Simulator sim(scene);
  ASSERT_EQ(sim.warnings().size(), 1u);
  EXPECT_NE(sim.warnings()[0].message.find("would open the loops"), std::string::npos);
  ASSERT_TRUE(sim.step().accepted());
  // what is left keeps the loop closed by itself: the step changes it by gravity and curvature alone, about 10 h
  EXPECT_GE(sim.report().velocity.cwiseAbs().maxCoeff(), 0.1);
  EXPECT_LE((sim.state().v - sim.report().velocity).cwiseAbs().maxCoeff(), 20.0 * scene.dt);
}

TEST(SetState, ClosesTheLoops) {
  Simulator sim(loadNamed("three_link_loop"));
  VectorXd q = sim.state().q;
  q[1] += 1e-3;
  sim.setState(q, VectorXd::Zero(3));
  EXPECT_NE(sim.state().q[1], q[1]);
  ASSERT_TRUE(sim.step().accepted());
  EXPECT_LE(sim.report().kinetic, 1e-20);
}

}  // namespace
}  // namespace rigor
