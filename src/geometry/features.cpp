#include "geometry/features.h"

#include "geometry/solid.h"

namespace rigor {

namespace {

bool isMadeOfBalls(ShapeKind kind) {
  return kind == ShapeKind::kSphere || kind == ShapeKind::kCapsule || kind == ShapeKind::kBox;
}

}  // namespace

std::vector<SphereFeature> sphereFeatures(const Shape& shape) {
  if (!isMadeOfBalls(shape.kind)) return {};
  const Solid solid = makeSolid(shape);
  std::vector<SphereFeature> features;
  for (const Vec3<double>& vertex : solid.core->vertices) features.push_back({vertex, solid.radius});
  return features;
}

bool haveBallFeatures(ShapeKind kind_1, ShapeKind kind_2) {
  if (kind_1 == ShapeKind::kPlane) return isMadeOfBalls(kind_2);
  if (kind_2 == ShapeKind::kPlane) return isMadeOfBalls(kind_1);
  return kind_1 == ShapeKind::kSphere && kind_2 == ShapeKind::kSphere;
}

bool haveContactCode(ShapeKind kind_1, ShapeKind kind_2) {
  const auto is = [&](ShapeKind one, ShapeKind other) { return kind_1 == one && kind_2 == other; };
  if (isConvexKind(kind_1) || isConvexKind(kind_2)) return true;
  return is(ShapeKind::kPlane, ShapeKind::kTriangles) || is(ShapeKind::kTriangles, ShapeKind::kPlane);
}

}  // namespace rigor
