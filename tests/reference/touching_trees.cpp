#include "reference/touching_trees.h"

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
  return builder.build();
}

}  // namespace rigor
