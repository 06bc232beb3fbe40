// From the sides that a hull algorithm finds to faces that contact can rely on.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "geometry/polytope.h"
#include "geometry/quick_hull.h"

namespace rigor {

/// Joins sides that lie in one plane up to half the tolerance [m] and drops corners at which only two faces meet on a
/// straight edge. Corners are counter-clockwise seen from outside. Nothing if the sides do not fit together.
std::optional<std::vector<std::vector<int>>> joinHullSides(const std::vector<Eigen::Vector3d>& points,
                                                           const std::vector<HullSide>& sides, double tolerance);

/// Replaces the planes of all faces by more accurate ones. False if a corner is farther than the tolerance [m] from the plane
/// of its face, or a corner of a neighbour that far in front of it.
bool fitPlanes(Polytope& polytope, double tolerance);

}  // namespace rigor
