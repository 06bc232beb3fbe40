#include "simulation/lowest_point.h"

#include <cmath>
#include <limits>

#include "rigor/mesh.h"

namespace rigor {
namespace {

// Of the lowest vertex below the origin of the mesh [m]; below zero if all lie above.
double depthOfVertices(const Mesh& mesh, const Eigen::Quaterniond& R_WS) {
  const Eigen::Vector3d up = R_WS.toRotationMatrix().row(2);
  double lowest = std::numeric_limits<double>::infinity();
  for (const Eigen::Vector3d& vertex : mesh.vertices) lowest = std::min(lowest, up.dot(vertex));
  return -lowest;
}

}  // namespace

double depthBelowCentre(const Shape& shape, const Eigen::Quaterniond& R_WS) {
  const Eigen::Vector3d down = R_WS.toRotationMatrix().row(2).cwiseAbs();  // |z| of the shape's axes
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return shape.size[0];
    case ShapeKind::kCapsule:
      return shape.size[0] + shape.size[1] * down[2];
    case ShapeKind::kBox:
      return down.dot(shape.size);
    case ShapeKind::kCylinder:
    case ShapeKind::kCone:  // as low as the cylinder around it
      return shape.size[1] * down[2] + shape.size[0] * std::sqrt(std::max(0.0, 1.0 - down[2] * down[2]));
    case ShapeKind::kEllipsoid:
      return down.cwiseProduct(shape.size).norm();
    case ShapeKind::kHull:
    case ShapeKind::kTriangles:
      return depthOfVertices(*shape.mesh, R_WS);
    case ShapeKind::kPlane:
    case ShapeKind::kHeightField:
      break;
  }
  return 0.0;
}

}  // namespace rigor
