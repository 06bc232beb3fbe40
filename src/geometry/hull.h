// The convex hull of a cloud of points as a polytope.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "geometry/polytope.h"

namespace rigor {

/// Corners of a face lie in its plane, and all vertices behind it, up to this part of the size: the largest extent.
inline constexpr double kHullTolerance = 1e-12;
/// Thinner clouds, as a part of their size, are flat: their faces would be slivers without a direction.
inline constexpr double kFlat = 1e-9;

/// Faces are polygons: coplanar triangles are merged, points inside faces and on edges dropped. Vertices keep the order of
/// the points, faces are sorted by their corners, so the same points always give the same numbers. Where points lie so close
/// together that no faces within kHullTolerance exist, they are welded, by 1e-12, 1e-9 or 1e-7 of the size.
/// Throws Error for points that are not finite, too few, flat, or of an absurd size; `source` is named there.
Polytope makeHullPolytope(const std::vector<Eigen::Vector3d>& points, const std::string& source);

}  // namespace rigor
