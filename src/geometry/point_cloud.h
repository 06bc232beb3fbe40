// Whether a cloud of points encloses a solid.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace rigor {

/// Corners of the smallest box along the axes that holds all points.
struct Extent {
  Eigen::Vector3d low, high;
  Eigen::Vector3d centre() const { return 0.5 * (low + high); }
  double size() const { return (high - low).maxCoeff(); }  ///< [m] its longest edge
};

/// Throws Error, naming `source`, for no points, coordinates that are not finite or beyond 1e9 m.
Extent findExtent(const std::vector<Eigen::Vector3d>& points, const std::string& source);

/// Throws Error for points in one spot, on one line or in one plane, up to kFlat of their extent.
void checkSolid(const std::vector<Eigen::Vector3d>& points, const Extent& extent, const std::string& source);

}  // namespace rigor
