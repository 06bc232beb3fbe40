// Loops of every type of joint against the same joint in a tree, with springs and dampers on what it leaves free.
#include <gtest/gtest.h>

#include "simple_scenes.h"

namespace rigor {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct TypeCase {
  JointType type;
  friend void PrintTo(const TypeCase& one, std::ostream* out) { *out << jointTypeName(one.type); }
};

constexpr TypeCase kTypes[] = {{kFixed},
                               {kHinge},
                               {kBall},
                               {kSlide},
                               {kCylindrical},
                               {{Translation::kAxis, Rotation::kAll}},
                               {{Translation::kPlane, Rotation::kNone}},
                               {kPlanar},
                               {{Translation::kPlane, Rotation::kAll}},
                               {{Translation::kAll, Rotation::kNone}},
                               {{Translation::kAll, Rotation::kAxis}},
                               {kUniversal},
                               {kHelical}};

BodySpec makeBlock(const std::string& name, double mass) {
  BodySpec body;
  body.name = name;
  body.joint.name = name + "_joint";
  body.joint.type = kFree;
  body.mass = {mass, Vector3d(0.02, -0.01, 0.03), mass * Vector3d(0.04, 0.05, 0.06).asDiagonal().toDenseMatrix()};
  return body;
}

VectorXd coordinatesOf(const Pose& pose) {
  const Quaterniond& r = pose.rotation;
  VectorXd q(7);
  q << pose.position, r.w(), r.x(), r.y(), r.z();
  return q;
}

/// Where the joint starts, away from zero and from where its spring rests; a screw more than half a turn.
VectorXd startOf(JointType type) {
  VectorXd q(positionCount(type));
  for (int k = 0; k < q.size(); ++k) q[k] = type == kHelical ? 4.0 : 0.1 + 0.05 * k;
  if (type.rotation == Rotation::kAll) q.tail<4>() << 0.9, 0.3, -0.2, std::sqrt(1.0 - 0.81 - 0.09 - 0.04);
  return q;
}

/// Two blocks in space that turn and fly together, tied by a joint that its spring pulls away from where it starts.
struct TiedBlocks {
  TiedBlocks(JointType type, double dt, double stiffness, double damping) {
    const Vector3d axis = Vector3d(0.3, -0.2, 1.0).normalized();
    const Pose frame{Vector3d(0.3, 0.1, -0.2), Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, 2, 2) / 3.0))};
    VectorXd rest = startOf(type);
    if (velocityCount(type) > 0) rest[0] += 0.2;
    if (type.rotation == Rotation::kAll) rest.tail<4>() << 1.0, 0.0, 0.0, 0.0;

    ModelBuilder in_tree, in_loop;
    in_tree.setGravity(Vector3d(0, 0, -1)), in_loop.setGravity(Vector3d(0, 0, -1));
    in_tree.addBody(makeBlock("a", 2.0));
    BodySpec child = makeBlock("b", 1.0);
    child.parent = 0;
    child.joint.type = type, child.joint.axis = axis, child.joint.X_PJ = frame, child.joint.pitch = 0.05;
    const bool moves = velocityCount(type) > 0;
    if (moves) child.joint.stiffness = stiffness, child.joint.damping = damping, child.joint.spring_reference = rest;
    in_tree.addBody(child);
    tree = sceneOf(in_tree, dt);
    tree.q.tail(positionCount(type)) = startOf(type);
    tree.v.head<6>() << 0.3, -0.2, 0.5, 0.4, -0.3, 0.6;

    in_loop.addBody(makeBlock("a", 2.0));
    in_loop.addBody(makeBlock("b", 1.0));
    LoopSpec spec;
    spec.kind = LoopKind::kOfType;
    spec.type = type, spec.axis = axis, spec.pitch = 0.05;
    spec.body_1 = 0, spec.body_2 = 1;
    spec.X_1F = frame;
    if (moves) spec.stiffness = stiffness, spec.damping = damping, spec.spring_reference = rest;
    in_loop.addLoop(spec);
    loop = sceneOf(in_loop, dt);
    const Pose other = Simulator(tree).pose(1);
    loop.q.tail<7>() = coordinatesOf(other);
    const Vector3d omega = tree.v.segment<3>(3);  // of block a, whose frame is that of the world
    loop.v << tree.v.head<6>(), tree.v.head<3>() + omega.cross(other.position), other.rotation.conjugate() * omega;
  }

  static Scene sceneOf(const ModelBuilder& builder, double dt) {
    Scene scene;
    scene.model = builder.build();
    scene.q = scene.model.q0();
    scene.v = VectorXd::Zero(scene.model.nv());
    scene.dt = dt;
    return scene;
  }

  Scene tree, loop;
};

/// Largest distance and angle between the blocks of the two scenes after a while.
double differenceAfter(const TiedBlocks& blocks, double seconds) {
  Simulator tree(blocks.tree), loop(blocks.loop);
  if (!tree.run(seconds).accepted()) throw Error(tree.report().explain());
  if (!loop.run(seconds).accepted()) throw Error(loop.report().explain());
  double most = 0.0;
  for (int body = 0; body < 2; ++body) {
    const Pose a = tree.pose(body), b = loop.pose(body);
    most = std::max({most, (a.position - b.position).norm(), a.rotation.angularDistance(b.rotation)});
  }
  return most;
}

class LoopOfType : public testing::TestWithParam<TypeCase> {};

// Both are second order and differ in how they split a step, so their difference shrinks with its square.
TEST_P(LoopOfType, MovesAsTheSameJointInATree) {
  const JointType type = GetParam().type;
  const double coarse = differenceAfter(TiedBlocks(type, 2e-3, 8.0, 0.1), 1.0);
  const double fine = differenceAfter(TiedBlocks(type, 1e-3, 8.0, 0.1), 1.0);
  // ω up to 20 rad/s of the springs: (hω)²/24 per radian of its phase, 20 rad, swings of 0.2 rad
  EXPECT_LE(fine, 1e-4);
  EXPECT_LE(fine, 0.3 * coarse + 1e-9);
}

/// Lowest and highest energy over ten seconds, and the widest gap of a loop.
struct Ride {
  double low = 1e300, high = -1e300, gap = 0.0;
};
Ride rideOn(const Scene& scene) {
  Simulator sim(scene);
  Ride ride;
  for (int i = 0; i < 5000; ++i) {
    const StepReport& report = sim.step();
    if (!report.accepted()) throw Error(report.explain());
    ride.gap = std::max(ride.gap, report.loop_gap);
    ride.low = std::min(ride.low, report.kinetic + report.potential);
    ride.high = std::max(ride.high, report.kinetic + report.potential);
  }
  return ride;
}

TEST_P(LoopOfType, StaysClosedAndKeepsItsEnergyAsWellAsATreeDoes) {
  const TiedBlocks blocks(GetParam().type, 2e-3, 8.0, 0.0);
  const Ride tree = rideOn(blocks.tree), loop = rideOn(blocks.loop);
  // rounding of positions, which fall 50 m: 4 eps times that, once for each of a few terms
  EXPECT_LE(loop.gap, 2e-13);
  // both swing by a second-order error, and blocks that tumble drift by it; of 1 to 4 J
  EXPECT_LE(loop.high - loop.low, 2.0 * (tree.high - tree.low) + 1e-5);
  EXPECT_NEAR(loop.low, tree.low, 0.05);
}

INSTANTIATE_TEST_SUITE_P(Types, LoopOfType, testing::ValuesIn(kTypes),
                         [](const auto& one) { return jointTypeName(one.param.type); });

// A planar four-bar closed in space has three rows too many; closed by a point on a line across it, none.
TEST(FourBarClosedByAnyType, SwingsTheSameWay) {
  const auto swing = [](LoopKind kind, JointType type) {
    ModelBuilder builder;
    const auto bar = [&](const std::string& name, int parent, const Vector3d& at, const Vector3d& com) {
      BodySpec body = makeBlock(name, 1.0);
      body.parent = parent;
      body.joint.type = kHinge, body.joint.axis = Vector3d::UnitY(), body.joint.X_PJ.position = at;
      body.mass.com = com;
      return builder.addBody(body);
    };
    const int left = bar("left", kWorld, {0, 0, 0}, {0, 0, 0.5}), top = bar("top", left, {0, 0, 1}, {0.5, 0, 0});
    const int right = bar("right", kWorld, {1, 0, 0}, {0, 0, 0.5});
    LoopSpec loop;
    loop.kind = kind, loop.type = type;
    loop.body_1 = top, loop.body_2 = right;
    loop.X_1F.position = {1, 0, 0}, loop.X_2F.position = {0, 0, 1};
    loop.axis = Vector3d::UnitY();
    builder.addLoop(loop);
    Scene scene = TiedBlocks::sceneOf(builder, 1e-3);
    scene.q << 0.3, -0.3, 0.3;
    Simulator sim(scene);
    if (!sim.run(1.0).accepted()) throw Error(sim.report().explain());
    EXPECT_LE(sim.report().loop_gap, 1e-13);
    return sim.state().q;
  };
  const VectorXd hinge = swing(LoopKind::kHinge, kBall);
  EXPECT_GE(std::fabs(hinge[0] - 0.3), 0.5);
  // rows that say nothing new push nothing: the motion is the same up to rounding
  for (const JointType type : {kHinge, kBall, kCylindrical, JointType{Translation::kAxis, Rotation::kAll}, kHelical})
    EXPECT_LE((swing(LoopKind::kOfType, type) - hinge).cwiseAbs().maxCoeff(), 1e-9) << jointTypeName(type);
}

}  // namespace
}  // namespace rigor
