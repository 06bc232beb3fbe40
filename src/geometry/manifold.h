// All points at which two convex shapes touch, or nearly do.
//
// Seen along the normal, the parts of the surfaces that face each other are polygons, segments or discs. Their common area
// has corners: corners of one inside the other, and crossings of outlines. Between them the gap is linear, so the corners
// say everything.
#pragma once

#include <vector>

#include "geometry/distance.h"

namespace rigor {

struct ManifoldPoint {
  Vec3<double> point_1, point_2;  ///< on the surfaces, in the world: point_2 − point_1 = gap · normal
  Vec3<double> normal;            ///< unit, from 1 to 2
  double gap = 0.0;               ///< [m]
};

/// Appends the points with a gap of at most `margin`; the witnesses are among them, or a corner with the same gap.
void addManifold(const ConvexShape& a, const ConvexShape& b, const Separation& separation, double margin,
                 std::vector<ManifoldPoint>& out);

/// The same without the witnesses: nothing where the parts that face each other along the normal miss each other.
void addPatchPoints(const ConvexShape& a, const ConvexShape& b, const Separation& separation, double margin,
                    std::vector<ManifoldPoint>& out);

}  // namespace rigor
