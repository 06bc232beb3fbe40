// Convex hulls by qhull: points in, sides out. Only quick_hull.cpp knows the library.
#pragma once

#include <array>
#include <vector>

#include "math/vec3.h"

namespace rigor {

/// One side of a hull: its directed edges by the indices of their points, counter-clockwise seen from outside, in no order.
using HullSide = std::vector<std::array<int, 2>>;

/// Sides of the convex hull; triangles in one plane up to rounding are one side already. Empty if qhull gives up: the
/// points lie in a plane, or memory ran out. The same points always give the same sides.
std::vector<HullSide> findHullSides(const std::vector<Vec3<double>>& points);

}  // namespace rigor
