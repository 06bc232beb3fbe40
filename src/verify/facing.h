// Where two elements of round shapes face each other, in long double.
//
// Two elements face each other along a unit normal n with gap φ where x₂ − x₁ = φ n and n is across every direction in which
// x₁ and x₂ may move on them. Newton's method with a Jacobian from differences finds the place next to a guess.
#pragma once

#include <optional>

#include "verify/solid.h"

namespace rigor::verify {

enum class ElementKind {
  kPoint,      ///< p, grown by the radius
  kLine,       ///< through p along the axis, grown by the radius
  kCircle,     ///< around p and the axis, any of its points
  kRim,        ///< of a disc: that point of the circle which lies farthest along the normal
  kConeSide,   ///< p is the apex; slope is the tangent of half the angle
  kEllipsoid,  ///< around p, semi-axes along the columns of R
};

struct Element {
  ElementKind kind = ElementKind::kPoint;
  Vec p, axis;
  Real radius = 0, slope = 0;
  Vec size;
  Mat R;
};

struct Facing {
  Vec normal;  ///< from 1 to 2
  Real gap = 0;
  Vec point_1, point_2;  ///< on the surfaces
};

/// Next to the guesses; nothing if Newton's method does not end there.
std::optional<Facing> faceElements(const Element& first, const Element& second, const Vec& normal, const Vec& near);

/// The point of an ellipsoid that lies farthest in a direction.
Vec placeOnEllipsoid(const PlacedSolid& solid, const Vec& outward);
/// The point of the surface of a round shape that is nearest to a point.
Vec nearestOnRound(const PlacedSolid& solid, const Vec& from);

Element edgeOf(const PlacedSolid& solid, int edge);
Element circleOf(const PlacedSolid& solid, int disc, ElementKind kind);
Element coneSideOf(const PlacedSolid& solid);
/// The one that a round or sharp solid has farthest along a direction that is known to about 1e-9.
std::optional<Element> elementAlong(const PlacedSolid& solid, const Vec& outward);

}  // namespace rigor::verify
