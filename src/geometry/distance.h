// The signed distance of two convex shapes.
//
// It is the largest separation over all directions (support.h): apart, the gap; overlapping, minus the least way that
// separates them. Whatever finds the direction, the number returned is the separation along it, a proof in itself.
#pragma once

#include <cstdint>

#include "geometry/support.h"

namespace rigor {

/// What the normal is made of, so that it can be made again at another pose.
enum class AxisKind : std::uint8_t {
  kDirection,  ///< between vertices, edges or round surfaces: no axis fixed to one of the shapes
  kFace1,      ///< normal of a face of 1 (feature_1)
  kFace2,      ///< minus the normal of a face of 2 (feature_2)
  kEdges,      ///< across an edge of 1 (feature_1) and an edge of 2 (feature_2)
};

struct Separation {
  double distance = 0.0;          ///< [m] negative: overlap
  Vec3<double> normal;            ///< unit, from 1 to 2
  Vec3<double> point_1, point_2;  ///< witnesses in the world: point_2 − point_1 = distance · normal
  AxisKind axis = AxisKind::kDirection;
  int feature_1 = -1, feature_2 = -1;  ///< numbers of the polytopes of the axis
};

/// Exact to 1e-12 of the larger shape for boxes and hulls, 1e-10 where cylinders, cones or ellipsoids take part. A hint is
/// the normal of an earlier answer; it changes the time, not the answer.
Separation findSeparation(const ConvexShape& a, const ConvexShape& b, const Vec3<double>* hint = nullptr);

}  // namespace rigor
