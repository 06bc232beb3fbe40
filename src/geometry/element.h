// Elements that curved surfaces are made of, and where two of them face each other.
//
// Two elements face each other along a unit normal n, from a to b, with gap φ:  x_b − x_a = φ n,  n ⟂ every direction in which
// x_a and x_b may move on their elements. The system is regular where they touch, which a distance of points is not: sharp
// edges that touch have no way between them to take a direction from.
#pragma once

#include "math/vec3.h"

namespace rigor {

enum class ElementKind : unsigned char {
  kPoint,      ///< p, grown by radius
  kLine,       ///< through p along axis, grown by radius
  kCircle,     ///< around p and the axis, of that radius: any of its points
  kRim,        ///< the same as the border of a disc: of its points that which lies farthest along the normal
  kConeSide,   ///< of the cone with apex p that opens along −axis; slope = tangent of its half angle
  kEllipsoid,  ///< around p with the semi-axes `size` along the columns of R
};

struct Element {
  ElementKind kind = ElementKind::kPoint;
  Vec3<double> p = {}, axis = {};
  double radius = 0.0, slope = 0.0;
  Vec3<double> size = {};
  Mat3<double> R = {};
};

/// Where two elements face each other.
struct Facing {
  Vec3<double> normal;
  double gap = 0.0;
  Vec3<double> point_a, point_b;  ///< on the surfaces: point_b − point_a = gap · normal
};

/// The solution next to `normal` and, for circles that lie nearly across it and cross more than once, next to the point `near`.
/// False if there is none: parallel lines, or the search left the neighbourhood of its start.
bool faceElements(const Element& a, const Element& b, const Vec3<double>& normal, Facing& facing,
                  const Vec3<double>* near = nullptr);

}  // namespace rigor
