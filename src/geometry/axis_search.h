// From a direction that is nearly the best to the best: the normals that faces, edges and round surfaces can have.
#pragma once

#include "geometry/distance.h"
#include "geometry/simplex.h"

namespace rigor {

/// A direction and the separation of the cores along it.
struct Axis {
  Vec3<double> normal;
  double separation = 0.0;
  AxisKind kind = AxisKind::kDirection;
  int feature_1 = -1, feature_2 = -1;
};

/// Tries the normals of faces and edges at the corners of the simplex and, where a surface is round, climbs to the summit.
/// Never returns less separation than it was given.
Axis refineAxis(const DifferenceShape& difference, const Simplex& simplex, const Axis& start);

/// The face or the pair of edges that three corners of the simplex name, if both shapes are polytopes; else separation −∞.
Axis axisOfSimplex(const DifferenceShape& difference, const Simplex& simplex);

/// The best of all faces and pairs of edges of two polytopes, without any start. Slow: for what defeats the others.
Axis searchAllAxes(const DifferenceShape& difference);

}  // namespace rigor
