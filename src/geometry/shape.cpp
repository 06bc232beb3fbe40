#include "rigor/shape.h"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

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

/// Second moments ∫ x², ∫ y², ∫ z² of the solid divided by its volume, about its centre. All three kinds are symmetric.
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
    case ShapeKind::kPlane:
      break;
  }
  throw Error("a plane has no mass", "Give mass properties to the body itself, or use a box.");
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
    case ShapeKind::kPlane:
      return;
  }
  throw Error(fmt::format("unknown kind of shape {}", static_cast<int>(shape.kind)));
}

const char* shapeKindName(ShapeKind kind) {
  constexpr const char* kNames[] = {"sphere", "capsule", "box", "plane"};
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
  const Shape shape{ShapeKind::kBox, half_extents};
  return checkShape(shape), shape;
}

Shape makePlane() { return {ShapeKind::kPlane, Eigen::Vector3d::Zero()}; }

double computeVolume(const Shape& shape) {
  const double r = shape.size[0];
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return 4.0 / 3.0 * kPi * r * r * r;
    case ShapeKind::kCapsule:
      return kPi * r * r * (2.0 * shape.size[1] + 4.0 / 3.0 * r);
    case ShapeKind::kBox:
      return 8.0 * shape.size.prod();
    case ShapeKind::kPlane:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

MassProperties computeMassProperties(const Shape& shape, double density) {
  checkShape(shape);
  if (!std::isfinite(density) || density < 0.0)
    throw Error(fmt::format("density is {} kg/m³", density), "Give a finite number that is not negative.");
  const Eigen::Vector3d squares = meanSquares(shape);
  const double mass = density * computeVolume(shape);
  const Eigen::Vector3d diagonal(squares.y() + squares.z(), squares.x() + squares.z(), squares.x() + squares.y());
  return {mass, Eigen::Vector3d::Zero(), (mass * diagonal).asDiagonal()};
}

}  // namespace rigor
