#include "simulation/lowest_point.h"

#include <cmath>
#include <limits>

#include "rigor/mesh.h"

namespace rigor {
namespace {

constexpr double kLevel = 1e-6;  // share of the direction, or of the size: what is tilted less lies level

double signOf(double value, double level) { return std::fabs(value) < level ? 0.0 : std::copysign(1.0, value); }

/// The mean of the vertices that lie farthest.
Eigen::Vector3d farthestOf(const Mesh& mesh, const Eigen::Vector3d& d, double level) {
  double most = -std::numeric_limits<double>::infinity(), least = -most;
  for (const Eigen::Vector3d& vertex : mesh.vertices) {
    most = std::max(most, d.dot(vertex));
    least = std::min(least, d.dot(vertex));
  }
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  int count = 0;
  for (const Eigen::Vector3d& vertex : mesh.vertices)
    if (d.dot(vertex) >= most - level * (most - least)) sum += vertex, ++count;
  return sum / std::max(1, count);
}

/// In the frame of the shape.
Eigen::Vector3d farthestInShape(const Shape& shape, const Eigen::Vector3d& d, double level) {
  const Eigen::Vector3d sign(signOf(d.x(), level), signOf(d.y(), level), signOf(d.z(), level));
  const Eigen::Vector3d along(0.0, 0.0, sign.z()), across(d.x(), d.y(), 0.0);
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return shape.size[0] * d;
    case ShapeKind::kCapsule:
      return shape.size[0] * d + shape.size[1] * along;
    case ShapeKind::kBox:
      return shape.size.cwiseProduct(sign);
    case ShapeKind::kCylinder:
    case ShapeKind::kCone:  // as far as the cylinder around it
      return shape.size[1] * along + (across.norm() <= level ? 0.0 : shape.size[0]) * across.normalized();
    case ShapeKind::kEllipsoid:
      return shape.size.cwiseProduct(shape.size).cwiseProduct(d) / shape.size.cwiseProduct(d).norm();
    case ShapeKind::kHull:
    case ShapeKind::kTriangles:
      return farthestOf(*shape.mesh, d, level);
    case ShapeKind::kPlane:
    case ShapeKind::kHeightField:
      break;
  }
  return Eigen::Vector3d::Zero();
}

}  // namespace

Eigen::Vector3d farthestPoint(const Shape& shape, const Eigen::Quaterniond& R_WS, const Eigen::Vector3d& direction) {
  return R_WS * farthestInShape(shape, R_WS.conjugate() * direction, kLevel);
}

double depthBelowCentre(const Shape& shape, const Eigen::Quaterniond& R_WS) {
  const Eigen::Vector3d down = R_WS.conjugate() * -Eigen::Vector3d::UnitZ();
  return down.dot(farthestInShape(shape, down, 0.0));
}

}  // namespace rigor
