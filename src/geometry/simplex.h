// Points of the difference A − B of two convex shapes, and the point of up to four of them that is nearest to the origin.
#pragma once

#include "geometry/support.h"

namespace rigor {

/// A vertex of A − B with where it comes from.
struct DifferencePoint {
  Vec3<double> w, a, b;  ///< w = a − b
  int vertex_a = -1, vertex_b = -1;
};

/// The two shapes of a pair at poses relative to the origin of the first, so that no digits are lost far from the world's
/// origin, and the vertices at which the climb for the next support point begins.
struct DifferenceShape {
  ConvexShape a, b;
  double scale = 0.0;  ///< [m] size of the larger shape
  mutable int hint_a = -1, hint_b = -1;

  DifferenceShape(const ConvexShape& shape_a, const ConvexShape& shape_b);

  /// The point of A − B (of the cores) that lies farthest along n.
  RIGOR_INLINE DifferencePoint support(const Vec3<double>& n) const {
    const SupportPoint on_a = coreSupport(a, n, hint_a), on_b = coreSupport(b, -n, hint_b);
    hint_a = on_a.vertex, hint_b = on_b.vertex;
    return {on_a.point - on_b.point, on_a.point, on_b.point, on_a.vertex, on_b.vertex};
  }
};

struct Simplex {
  DifferencePoint point[4];
  double weight[4] = {1.0, 0.0, 0.0, 0.0};  ///< of the nearest point; they sum to one
  int count = 0;

  Vec3<double> nearest() const;
  Vec3<double> nearestOnA() const;
  Vec3<double> nearestOnB() const;
};

/// Corners of a simplex with the weights of a point between them.
struct SimplexPart {
  int corner[3] = {0, 0, 0}, count = 0;
  double weight[3] = {1.0, 0.0, 0.0};
  double distance2 = 0.0;  ///< of the point from the origin, squared

  Vec3<double> pointOf(const Simplex& simplex) const;
};

/// The part of a simplex that its nearest point to the origin lies between. False if the origin is inside a tetrahedron.
bool findNearestPart(const Simplex& simplex, SimplexPart& part);

/// Drops the other corners.
void keepPart(Simplex& simplex, const SimplexPart& part);

/// Keeps the corners that the nearest point to the origin lies between, and their weights. True if the origin is inside a
/// tetrahedron, which then stays whole.
bool reduceToNearest(Simplex& simplex);

}  // namespace rigor
