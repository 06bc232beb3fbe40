#include "verify/friction_shape.h"

#include <algorithm>
#include <cmath>

namespace rigor::verify {
namespace {

constexpr Real kTwoPi = 6.283185307179586476925286766559L;

/// A side of the polygon of this radius: its middle direction, half its length, its distance.
struct Side {
  Vec out, along;
  Real distance, half;

  Side(const Vec axes[3], int corners, int j, Real radius)
      : out(std::cos(kTwoPi * (j + 0.5L) / corners) * axes[1] + std::sin(kTwoPi * (j + 0.5L) / corners) * axes[2]),
        along(std::cos(kTwoPi * (j + 0.5L) / corners) * axes[2] - std::sin(kTwoPi * (j + 0.5L) / corners) * axes[1]),
        distance(radius * std::cos(kTwoPi / 2 / corners)),
        half(radius * std::sin(kTwoPi / 2 / corners)) {}
  Vec nearest(const Vec& point) const { return distance * out + std::clamp(dot(point, along), -half, half) * along; }
};

}  // namespace

Real FrictionShape::room(const Vec axes[3], const Vec& friction, Real radius) const {
  if (corners_ == 0) return radius - norm(friction);
  Real least = radius;
  for (int j = 0; j < corners_; ++j) {
    const Side side(axes, corners_, j, radius);
    least = std::min(least, side.distance - dot(friction, side.out));
  }
  return least;
}

Real FrictionShape::miss(const Vec axes[3], const Vec& friction, const Vec& slip, Real radius) const {
  const Vec wanted = friction - slip;
  const Real length = norm(wanted);
  if (corners_ == 0) return norm(friction - (length > radius ? (radius / length) * wanted : wanted));
  if (room(axes, wanted, radius) >= 0) return norm(slip);
  Vec nearest = Side(axes, corners_, 0, radius).nearest(wanted);
  for (int j = 1; j < corners_; ++j) {
    const Vec point = Side(axes, corners_, j, radius).nearest(wanted);
    if (norm(wanted - point) < norm(wanted - nearest)) nearest = point;
  }
  return norm(friction - nearest);
}

}  // namespace rigor::verify
