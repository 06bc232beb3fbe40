#include "geometry/hull.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "geometry/convert.h"
#include "geometry/hull_faces.h"
#include "geometry/point_cloud.h"
#include "geometry/quick_hull.h"
#include "geometry/weld.h"
#include "rigor/error.h"

namespace rigor {
namespace {

/// The points that stay when those within the tolerance of a first one are left out.
std::vector<Eigen::Vector3d> weld(const std::vector<Eigen::Vector3d>& points, double tolerance) {
  const std::vector<int> first = findFirstOfEach(points, tolerance);
  std::vector<Eigen::Vector3d> kept;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (first[i] == static_cast<int>(i)) kept.push_back(points[i]);
  return kept;
}

/// Around the origin and about as large as one, so that qhull's tolerances suit every size: a power of two rounds nothing.
std::vector<Vec3<double>> normalise(const std::vector<Eigen::Vector3d>& points, const Extent& extent) {
  const double scale = std::exp2(-std::ilogb(extent.size()));
  std::vector<Vec3<double>> normal;
  normal.reserve(points.size());
  for (const Eigen::Vector3d& point : points) normal.push_back(toVec3(scale * (point - extent.centre())));
  return normal;
}

/// Vertices of the faces alone, in the order of the points; faces begin at their smallest vertex and are sorted. Nothing if
/// they enclose no solid.
std::optional<Polytope> number(const std::vector<Eigen::Vector3d>& points, std::vector<std::vector<int>> faces) {
  std::vector<int> place(points.size(), -1);
  for (const auto& face : faces)
    for (const int corner : face) place[corner] = 0;
  std::vector<Vec3<double>> vertices;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (place[i] == 0) {
      place[i] = static_cast<int>(vertices.size());
      vertices.push_back(toVec3(points[i]));
    }
  for (auto& face : faces) {
    for (int& corner : face) corner = place[corner];
    std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
  }
  std::sort(faces.begin(), faces.end());
  try {
    return makePolytope(std::move(vertices), faces);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

Polytope makeHullPolytope(const std::vector<Eigen::Vector3d>& points, const std::string& source) {
  const Extent extent = findExtent(points, source);
  checkSolid(points, extent, source);
  for (const double tolerance : {0.0, 1e-12, 1e-9, 1e-7}) {
    const std::vector<Eigen::Vector3d> kept = weld(points, tolerance * extent.size());
    const std::vector<HullSide> sides = findHullSides(normalise(kept, extent));
    const auto faces = joinHullSides(kept, sides, kHullTolerance * extent.size());
    if (!faces) continue;
    std::optional<Polytope> hull = number(kept, *faces);
    if (hull && fitPlanes(*hull, kHullTolerance * extent.size())) return *std::move(hull);
  }
  throw Error({source, 0, ""}, "no hull was found: its faces cannot be told from rounding",
              "Clean the mesh from slivers and points that almost coincide, or use a simpler shape.");
}

}  // namespace rigor
