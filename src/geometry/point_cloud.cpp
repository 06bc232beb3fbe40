#include "geometry/point_cloud.h"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "geometry/hull.h"
#include "rigor/error.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

constexpr double kFarthest = 1e9;   // [m] beyond it a double does not resolve a contact
constexpr double kSmallest = 1e-9;  // [m] an atom

/// The point that a measure finds farthest away, and how far.
template <class Measure>
std::pair<Vector3d, double> farthest(const std::vector<Vector3d>& points, Measure measure) {
  std::pair<Vector3d, double> best{points[0], -1.0};
  for (const Vector3d& point : points)
    if (const double distance = measure(point); distance > best.second) best = {point, distance};
  return best;
}

}  // namespace

Extent findExtent(const std::vector<Vector3d>& points, const std::string& source) {
  if (points.empty()) throw Error({source, 0, ""}, "the mesh has no vertices", "Export it again, with its geometry.");
  Extent extent{points[0], points[0]};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vector3d& p = points[i];
    if (!p.allFinite())
      throw Error({source, 0, ""}, fmt::format("vertex {} is ({}, {}, {})", i, p.x(), p.y(), p.z()),
                  "Coordinates must be finite numbers; export the mesh again.");
    extent.low = extent.low.cwiseMin(p);
    extent.high = extent.high.cwiseMax(p);
  }
  const double reach = std::max(extent.low.cwiseAbs().maxCoeff(), extent.high.cwiseAbs().maxCoeff());
  if (reach > kFarthest)
    throw Error({source, 0, ""}, fmt::format("the mesh reaches {:.3g} m from its origin", reach),
                "Coordinates are metres: give a scale, for example 0.001 for millimetres.");
  return extent;
}

void checkSolid(const std::vector<Vector3d>& points, const Extent& extent, const std::string& source) {
  const auto refuse = [&](const std::string& problem) {
    throw Error(
        {source, 0, ""}, problem,
        "A solid needs at least four vertices that do not lie in one plane: give the mesh a thickness, or use a box.");
  };
  const double size = extent.size();
  if (size < kSmallest)
    refuse(size == 0.0 ? fmt::format("all {} vertices of the mesh lie in one spot", points.size())
                       : fmt::format("the mesh is {:.3g} m large", size));
  // the four corners of a large tetrahedron, one after the other
  const Vector3d a = farthest(points, [&](const Vector3d& p) { return (p - points[0]).norm(); }).first;
  const auto [b, length] = farthest(points, [&](const Vector3d& p) { return (p - a).norm(); });
  const Vector3d along = (b - a) / length;
  const auto [c, width] = farthest(points, [&](const Vector3d& p) { return along.cross(p - a).norm(); });
  if (!(width > kFlat * size)) refuse("all vertices of the mesh lie on one line");
  const Vector3d normal = along.cross(c - a) / width;
  const auto [d, thickness] = farthest(points, [&](const Vector3d& p) { return std::abs(normal.dot(p - a)); });
  if (!(thickness > kFlat * size))
    refuse(fmt::format("all {} vertices of the mesh lie in one plane, up to {:.3g} m", points.size(), thickness));
}

}  // namespace rigor
