#include "rigor/shape.h"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/convert.h"
#include "geometry/mesh_mass.h"
#include "geometry/polytope.h"
#include "geometry/shape_check.h"
#include "rigor/error.h"

namespace rigor {
namespace {

constexpr double kPi = std::numbers::pi;

/// Positive and finite; a half length may be zero where `or_zero` says so.
void checkLength(const char* kind, const char* what, double value, bool or_zero = false) {
  if (std::isfinite(value) && (value > 0.0 || (or_zero && value == 0.0))) return;
  throw Error(
      fmt::format("{} of a {} is {} m", what, kind, value),
      fmt::format("Give a {}finite number{}.", or_zero ? "" : "positive ", or_zero ? " that is not negative" : ""));
}

void checkContent(const char* kind, const char* maker, bool there) {
  if (!there) throw Error(fmt::format("a {} has nothing that it is made of", kind), fmt::format("Use {}.", maker));
}

/// Second moments ∫ x², ∫ y², ∫ z² of the solid divided by its volume, about its centre of mass.
Eigen::Vector3d meanSquares(const Shape& shape) {
  const double r = shape.size[0], r2 = r * r;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return Eigen::Vector3d::Constant(r2 / 5.0);
    case ShapeKind::kCapsule: {
      // Cylinder of height 2a and two half balls whose flat faces lie at ±a. Along z a half ball has, measured from
      // its flat face, mean 3r/8 and mean square r²/5.
      const double a = shape.size[1];
      const double cylinder = 2.0 * a, ball = 4.0 / 3.0 * r;  // volumes over πr²
      const double across = (cylinder * r2 / 4.0 + ball * r2 / 5.0) / (cylinder + ball);
      const double along = (cylinder * a * a / 3.0 + ball * (a * a + 0.75 * a * r + r2 / 5.0)) / (cylinder + ball);
      return {across, across, along};
    }
    case ShapeKind::kBox:
      return shape.size.cwiseAbs2() / 3.0;
    case ShapeKind::kCylinder:
      return {r2 / 4.0, r2 / 4.0, shape.size[1] * shape.size[1] / 3.0};
    case ShapeKind::kCone:  // of height 2a: 3r²/20 across, 3(2a)²/80 along
      return {3.0 * r2 / 20.0, 3.0 * r2 / 20.0, 3.0 * shape.size[1] * shape.size[1] / 20.0};
    case ShapeKind::kEllipsoid:
      return shape.size.cwiseAbs2() / 5.0;
    case ShapeKind::kHull:
    case ShapeKind::kTriangles:
    case ShapeKind::kHeightField:
    case ShapeKind::kPlane:
      break;
  }
  throw Error(fmt::format("a {} has no mass", shapeKindName(shape.kind)),
              "Give mass properties to the body itself, or use another shape.");
}

}  // namespace

void checkShape(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return checkLength("sphere", "radius", shape.size[0]);
    case ShapeKind::kCapsule:
      checkLength("capsule", "radius", shape.size[0]);
      return checkLength("capsule", "half length", shape.size[1], true);
    case ShapeKind::kBox:
      for (int i = 0; i < 3; ++i) checkLength("box", "half extent", shape.size[i]);
      return;
    case ShapeKind::kCylinder:
      checkLength("cylinder", "radius", shape.size[0]);
      return checkLength("cylinder", "half length", shape.size[1]);
    case ShapeKind::kCone:
      checkLength("cone", "radius", shape.size[0]);
      return checkLength("cone", "half height", shape.size[1]);
    case ShapeKind::kEllipsoid:
      for (int i = 0; i < 3; ++i) checkLength("ellipsoid", "semi-axis", shape.size[i]);
      return;
    case ShapeKind::kHull:
      return checkContent("hull", "makeHull", shape.mesh && shape.polytope);
    case ShapeKind::kTriangles:
      return checkContent("shape of triangles", "makeTriangles", shape.mesh != nullptr);
    case ShapeKind::kHeightField:
      return checkContent("height field", "makeHeightField", shape.field != nullptr);
    case ShapeKind::kPlane:
      return;
  }
  throw Error(fmt::format("unknown kind of shape {}", static_cast<int>(shape.kind)));
}

const char* shapeKindName(ShapeKind kind) {
  constexpr const char* kNames[] = {"sphere", "capsule",   "box",  "plane",     "cylinder",
                                    "cone",   "ellipsoid", "hull", "triangles", "height field"};
  assert(static_cast<std::size_t>(kind) < std::size(kNames) && "a shape of a new kind needs a name");
  return kNames[static_cast<int>(kind)];
}

Shape makeSphere(double radius) {
  const Shape shape{ShapeKind::kSphere, {radius, 0.0, 0.0}};
  return checkShape(shape), shape;
}

Shape makeCapsule(double radius, double half_length) {
  const Shape shape{ShapeKind::kCapsule, {radius, half_length, 0.0}};
  return checkShape(shape), shape;
}

Shape makeBox(const Eigen::Vector3d& half_extents) {
  Shape shape{ShapeKind::kBox, half_extents};
  checkShape(shape);
  shape.polytope = std::make_shared<const Polytope>(makeBoxPolytope(toVec3(half_extents)));
  return shape;
}

Shape makePlane() { return {ShapeKind::kPlane, Eigen::Vector3d::Zero()}; }

Shape makeCylinder(double radius, double half_length) {
  const Shape shape{ShapeKind::kCylinder, {radius, half_length, 0.0}};
  return checkShape(shape), shape;
}

Shape makeCone(double radius, double half_height) {
  const Shape shape{ShapeKind::kCone, {radius, half_height, 0.0}};
  return checkShape(shape), shape;
}

Shape makeEllipsoid(const Eigen::Vector3d& semi_axes) {
  const Shape shape{ShapeKind::kEllipsoid, semi_axes};
  return checkShape(shape), shape;
}

double computeVolume(const Shape& shape) {
  const double r = shape.size[0];
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return 4.0 / 3.0 * kPi * r * r * r;
    case ShapeKind::kCapsule:
      return kPi * r * r * (2.0 * shape.size[1] + 4.0 / 3.0 * r);
    case ShapeKind::kBox:
      return 8.0 * shape.size.prod();
    case ShapeKind::kCylinder:
      return 2.0 * kPi * r * r * shape.size[1];
    case ShapeKind::kCone:
      return 2.0 / 3.0 * kPi * r * r * shape.size[1];
    case ShapeKind::kEllipsoid:
      return 4.0 / 3.0 * kPi * shape.size.prod();
    case ShapeKind::kHull:
    case ShapeKind::kTriangles:
      return meshMassProperties(shape, 1.0).mass;
    case ShapeKind::kHeightField:
    case ShapeKind::kPlane:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

MassProperties computeMassProperties(const Shape& shape, double density) {
  checkShape(shape);
  if (!std::isfinite(density) || density < 0.0)
    throw Error(fmt::format("density is {} kg/m³", density), "Give a finite number that is not negative.");
  if (shape.kind == ShapeKind::kHull || shape.kind == ShapeKind::kTriangles) return meshMassProperties(shape, density);
  const Eigen::Vector3d squares = meanSquares(shape);
  const double mass = density * computeVolume(shape);
  const Eigen::Vector3d diagonal(squares.y() + squares.z(), squares.x() + squares.z(), squares.x() + squares.y());
  const double com_z = shape.kind == ShapeKind::kCone ? -0.5 * shape.size[1] : 0.0;  // a quarter of the height
  return {mass, Eigen::Vector3d(0.0, 0.0, com_z), (mass * diagonal).asDiagonal()};
}

}  // namespace rigor
