#include "simulation/lowest_point.h"

#include <cmath>
#include <limits>

#include "rigor/mesh.h"

namespace rigor {
namespace {

constexpr double kLevel = 1e-6;  // share of the direction, or of the size: what is tilted less lies level

double signOf(double value) { return std::fabs(value) < kLevel ? 0.0 : std::copysign(1.0, value); }

/// The mean of the vertices that lie farthest.
Eigen::Vector3d farthestOf(const Mesh& mesh, const Eigen::Vector3d& d) {
  double most = -std::numeric_limits<double>::infinity(), least = -most;
  for (const Eigen::Vector3d& vertex : mesh.vertices) {
    most = std::max(most, d.dot(vertex));
    least = std::min(least, d.dot(vertex));
  }
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  int count = 0;
  for (const Eigen::Vector3d& vertex : mesh.vertices)
    if (d.dot(vertex) >= most - kLevel * (most - least)) sum += vertex, ++count;
  return sum / std::max(1, count);
}

/// Of the lowest vertex below the origin of the mesh [m]; below zero if all lie above.
double depthOfVertices(const Mesh& mesh, const Eigen::Quaterniond& R_WS) {
  const Eigen::Vector3d up = R_WS.toRotationMatrix().row(2);
  double lowest = std::numeric_limits<double>::infinity();
  for (const Eigen::Vector3d& vertex : mesh.vertices) lowest = std::min(lowest, up.dot(vertex));
  return -lowest;
}

/// In the frame of the shape.
Eigen::Vector3d farthestInShape(const Shape& shape, const Eigen::Vector3d& d) {
  const Eigen::Vector3d along(0.0, 0.0, signOf(d.z())), across(d.x(), d.y(), 0.0);
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return shape.size[0] * d;
    case ShapeKind::kCapsule:
      return shape.size[0] * d + shape.size[1] * along;
    case ShapeKind::kBox:
      return {shape.size[0] * signOf(d.x()), shape.size[1] * signOf(d.y()), shape.size[2] * signOf(d.z())};
    case ShapeKind::kCylinder:
    case ShapeKind::kCone:  // as far as the cylinder around it
      return shape.size[1] * along + (across.norm() < kLevel ? 0.0 : shape.size[0]) * across.normalized();
    case ShapeKind::kEllipsoid:
      return shape.size.cwiseProduct(shape.size).cwiseProduct(d) / shape.size.cwiseProduct(d).norm();
    case ShapeKind::kHull:
    case ShapeKind::kTriangles:
      return farthestOf(*shape.mesh, d);
    case ShapeKind::kPlane:
    case ShapeKind::kHeightField:
      break;
  }
  return Eigen::Vector3d::Zero();
}

}  // namespace

Eigen::Vector3d farthestPoint(const Shape& shape, const Eigen::Quaterniond& R_WS, const Eigen::Vector3d& direction) {
  return R_WS * farthestInShape(shape, R_WS.conjugate() * direction);
}

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
