#include "geometry/features.h"

#include <cassert>

namespace rigor {

int sphereFeatures(const Shape& shape, SphereFeature out[kMaxSphereFeatures]) {
  const Eigen::Vector3d& size = shape.size;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      out[0] = {{0.0, 0.0, 0.0}, size[0]};
      return 1;
    case ShapeKind::kCapsule:
      out[0] = {{0.0, 0.0, -size[1]}, size[0]};
      out[1] = {{0.0, 0.0, size[1]}, size[0]};
      return 2;
    case ShapeKind::kBox:
      for (int corner = 0; corner < 8; ++corner)
        out[corner] = {
            {corner & 1 ? size[0] : -size[0], corner & 2 ? size[1] : -size[1], corner & 4 ? size[2] : -size[2]}, 0.0};
      return 8;
    case ShapeKind::kPlane:
    case ShapeKind::kCylinder:
    case ShapeKind::kCone:
    case ShapeKind::kEllipsoid:
    case ShapeKind::kHull:
    case ShapeKind::kTriangles:
    case ShapeKind::kHeightField:
      return 0;
  }
  assert(false && "a shape of a new kind needs its features here");
  return 0;
}

bool haveContactCode(ShapeKind kind_1, ShapeKind kind_2) {
  const auto touchesPlanes = [](ShapeKind kind) {
    return kind == ShapeKind::kSphere || kind == ShapeKind::kCapsule || kind == ShapeKind::kBox;
  };
  if (kind_1 == ShapeKind::kPlane) return touchesPlanes(kind_2);
  if (kind_2 == ShapeKind::kPlane) return touchesPlanes(kind_1);
  return kind_1 == ShapeKind::kSphere && kind_2 == ShapeKind::kSphere;
}

}  // namespace rigor
