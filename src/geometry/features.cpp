#include "geometry/features.h"

#include "geometry/solid.h"

namespace rigor {

std::vector<SphereFeature> sphereFeatures(const Shape& shape) {
  if (!isSolid(shape.kind)) return {};
  const Solid solid = makeSolid(shape);
  std::vector<SphereFeature> features;
  for (const Vec3<double>& vertex : solid.core->vertices) features.push_back({vertex, solid.radius});
  return features;
}

bool haveBallFeatures(ShapeKind kind_1, ShapeKind kind_2) {
  if (kind_1 == ShapeKind::kPlane) return isSolid(kind_2);
  if (kind_2 == ShapeKind::kPlane) return isSolid(kind_1);
  return kind_1 == ShapeKind::kSphere && kind_2 == ShapeKind::kSphere;
}

bool haveContactCode(ShapeKind kind_1, ShapeKind kind_2) {
  return haveBallFeatures(kind_1, kind_2) || (isSolid(kind_1) && isSolid(kind_2));
}

}  // namespace rigor
