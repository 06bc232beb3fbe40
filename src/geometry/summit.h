// The summit of the separation over directions, where surfaces are round.
//
// A round surface gives a smooth separation but for ridges: along a cylinder, on the side of a cone, at an edge, all normals
// lie on a circle of the sphere of directions, and the separation has a kink across it. Directions are moved on such a
// circle, or freely.
#pragma once

#include "geometry/simplex.h"

namespace rigor {

/// Directions n with axis · n = along: the normals of an edge or a ruled side.
struct Ridge {
  Vec3<double> axis;  ///< unit
  double along = 0.0;
  int edge = -1;  ///< of a polytope
};

inline constexpr int kMostRidges = 24;

struct RidgeList {
  Ridge ridge[kMostRidges];
  int count = 0;
};

/// The direction of the ridge that is nearest to n. False if n is the axis.
bool projectToRidge(const Ridge& ridge, const Vec3<double>& n, Vec3<double>& out);

/// The direction on both ridges that is nearer to n. False if they are parallel or do not meet.
bool crossRidges(const Ridge& a, const Ridge& b, const Vec3<double>& n, Vec3<double>& out);

/// The direction on the ridge where the separation is largest, near n.
Vec3<double> climbAlongRidge(const DifferenceShape& difference, const Ridge& ridge, const Vec3<double>& n);

/// The direction where the separation is largest, near n; n itself where no summit is found.
Vec3<double> climbToSummit(const DifferenceShape& difference, const Vec3<double>& n);

}  // namespace rigor
