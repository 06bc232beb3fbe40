#include "reference/touching_trees.h"

#include <iterator>

namespace rigor {
namespace {

Shape randomShape(Random& random) {
  switch (random.index(4)) {
    case 0:
      return makeBox({random.number(0.05, 0.3), random.number(0.05, 0.3), random.number(0.05, 0.3)});
    case 1:
      return makeCapsule(random.number(0.05, 0.2), random.number(0.05, 0.3));
    default:  // twice as likely: only spheres touch each other
      return makeSphere(random.number(0.5, 2.0));
  }
}

/// Stops, of which loops that are open pass one or the other, dry friction and a motor; where there is one freedom to act on.
void act(LoopSpec& loop) {
  if (velocityCount(jointTypeOf(loop)) != 1) return;
  loop.range = Range{-0.1, 0.1};
  loop.dry_friction = 0.4;
  loop.motor = {.kp = 30.0, .kd = 0.7, .target = 0.3, .torque = -0.2, .effort = 5.0};
}

/// One loop of every kind between bodies of different links, or to the world; nothing closes them.
void addRandomLoops(const Model& bare, Random& random, ModelBuilder& builder) {
  std::vector<int> moving, coupled;
  for (int i = 0; i < bare.bodyCount(); ++i) {
    if (velocityCount(bare.body(i).joint.type) > 0) moving.push_back(i);
    if (velocityCount(bare.body(i).joint.type) == 1) coupled.push_back(i);
  }
  for (const LoopKind kind : {LoopKind::kConnect, LoopKind::kHinge, LoopKind::kWeld}) {
    LoopSpec loop;
    loop.kind = kind;
    loop.body_1 = moving[random.index(static_cast<int>(moving.size()))];
    loop.body_2 = moving[random.index(static_cast<int>(moving.size()))];
    if (loop.body_1 == loop.body_2) (random.index(2) == 0 ? loop.body_1 : loop.body_2) = kWorld;
    loop.X_1F = random.pose(0.3), loop.X_2F = random.pose(0.3);
    loop.axis = random.pose(1.0).rotation * Eigen::Vector3d::UnitZ();
    act(loop);
    builder.addLoop(loop);
  }
  if (coupled.size() < 2) return;
  LoopSpec coupling;
  coupling.kind = LoopKind::kJoint;
  coupling.joint_1 = bare.body(coupled.front()).joint.name, coupling.joint_2 = bare.body(coupled.back()).joint.name;
  for (double& c : coupling.coefficients) c = random.number(-1.0, 1.0);
  builder.addLoop(coupling);
}

/// A loop of another type for every seed, and a spring between points; all of them sprung and damped.
void addRandomSprings(const Model& bare, std::uint64_t seed, ModelBuilder& builder) {
  const JointType types[] = {kSlide,
                             kCylindrical,
                             {Translation::kAxis, Rotation::kAll},
                             {Translation::kPlane, Rotation::kNone},
                             kPlanar,
                             {Translation::kPlane, Rotation::kAll},
                             {Translation::kAll, Rotation::kNone},
                             {Translation::kAll, Rotation::kAxis},
                             kUniversal,
                             kHelical};
  Random random(seed + 2000);
  std::vector<int> moving;
  for (int i = 0; i < bare.bodyCount(); ++i)
    if (velocityCount(bare.body(i).joint.type) > 0) moving.push_back(i);
  const int one = moving[random.index(static_cast<int>(moving.size()))];
  const int other = moving[random.index(static_cast<int>(moving.size()))];
  LoopSpec loop;
  loop.kind = LoopKind::kOfType;
  loop.type = types[seed % std::size(types)];
  loop.body_1 = one, loop.body_2 = one == other ? kWorld : other;
  loop.X_1F = random.pose(0.3), loop.X_2F = random.pose(0.3);
  loop.axis = random.pose(1.0).rotation * Eigen::Vector3d::UnitZ();
  loop.pitch = 0.07, loop.stiffness = 20.0, loop.damping = 0.3;
  act(loop);
  builder.addLoop(loop);
  SpringSpec spring;
  spring.body_1 = loop.body_2, spring.body_2 = one;
  spring.point_1 = random.vector(0.3), spring.point_2 = random.vector(0.3);
  spring.stiffness = 1e6, spring.damping = 2.0, spring.length = 0.4;
  builder.addSpring(spring);
}

}  // namespace

Model makeTouchingTrees(std::uint64_t seed, int trees) {
  const Model bare = makeRandomTree(seed, trees);
  Random random(seed + 1000);
  ModelBuilder builder("touching");
  builder.setGravity(bare.gravity());
  Pose plane = random.pose(0.0);
  plane.position = plane.rotation * Eigen::Vector3d(0.3, -0.2, 40.0);
  builder.addWorldShape({"plane", makePlane(), plane});
  builder.addWorldShape({"post", makeSphere(1.5), random.pose(0.5)});
  for (int i = 0; i < bare.bodyCount(); ++i) {
    BodySpec body = bare.body(i);
    body.shapes.push_back({"shape_" + std::to_string(i), randomShape(random), random.pose(0.2)});
    if (velocityCount(body.joint.type) == 1) body.joint.range = Range{-0.3, 0.3};
    if (i % 3 == 0) body.joint.dry_friction = 0.7;
    builder.addBody(body);
  }
  addRandomLoops(bare, random, builder);
  addRandomSprings(bare, seed, builder);
  return builder.build();
}

}  // namespace rigor
