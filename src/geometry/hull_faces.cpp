#include "geometry/hull_faces.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <unordered_map>

#include "geometry/convert.h"

namespace rigor {
namespace {

/// Slivers have normals that doubles cannot tell: planes are found with 64 bits, which costs little once per mesh.
using Wide = Eigen::Matrix<long double, 3, 1>;

struct WidePlane {
  Wide normal = Wide::Zero();  ///< unit; zero if there is none
  Wide point = Wide::Zero();
  long double area = 0.0L;  ///< twice that of the polygon
  double distance(const Eigen::Vector3d& p) const {
    return static_cast<double>(normal.dot(p.cast<long double>() - point));
  }
};

/// Newell's plane of directed edges around a polygon, in any order.
WidePlane planeThrough(const std::vector<Eigen::Vector3d>& points, const HullSide& edges) {
  WidePlane plane;
  const Wide origin = points[edges[0][0]].cast<long double>();
  for (const auto& [from, to] : edges) {
    const Wide a = points[from].cast<long double>(), b = points[to].cast<long double>();
    plane.normal += (a - origin).cross(b - a);
    plane.point += a / static_cast<long double>(edges.size());
  }
  plane.area = plane.normal.norm();
  if (plane.area > 0.0L) plane.normal /= plane.area;
  return plane;
}

using EdgeTable = std::unordered_map<std::uint64_t, int>;  // directed edge → side

std::uint64_t keyOf(int from, int to) {
  return static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
}

/// Empty if an edge has not one side on its left and one on its right.
EdgeTable listEdges(const std::vector<HullSide>& sides) {
  EdgeTable table;
  table.reserve(4 * sides.size());
  for (std::size_t side = 0; side < sides.size(); ++side)
    for (const auto& [from, to] : sides[side])
      if (!table.emplace(keyOf(from, to), static_cast<int>(side)).second) return {};
  for (const HullSide& side : sides)
    for (const auto& [from, to] : side)
      if (!table.count(keyOf(to, from))) return {};
  return table;
}

/// Group of each side: sides within the tolerance of the plane of the largest one that they hang together with.
std::vector<int> groupSides(const std::vector<Eigen::Vector3d>& points, const std::vector<HullSide>& sides,
                            const EdgeTable& edges, double tolerance) {
  std::vector<WidePlane> planes;
  planes.reserve(sides.size());
  for (const HullSide& side : sides) planes.push_back(planeThrough(points, side));
  std::vector<int> order(sides.size()), group(sides.size(), -1), reached;
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return planes[a].area > planes[b].area; });
  int count = 0;
  for (const int seed : order) {
    if (group[seed] >= 0) continue;
    group[seed] = count++;
    reached.assign(1, seed);
    for (std::size_t next = 0; next < reached.size(); ++next)
      for (const auto& [from, to] : sides[reached[next]]) {
        const int other = edges.at(keyOf(to, from));
        if (group[other] >= 0) continue;
        const bool flat = std::all_of(sides[other].begin(), sides[other].end(), [&](const auto& edge) {
          return std::abs(planes[seed].distance(points[edge[0]])) <= 0.5 * tolerance;
        });
        if (!flat) continue;
        group[other] = group[seed];
        reached.push_back(other);
      }
  }
  return group;
}

/// The outline of each group as a loop of corners. Nothing if one is not a single loop.
std::optional<std::vector<std::vector<int>>> traceOutlines(const std::vector<HullSide>& sides, const EdgeTable& edges,
                                                           const std::vector<int>& group) {
  std::vector<std::unordered_map<int, int>> next(1 + *std::max_element(group.begin(), group.end()));
  for (std::size_t side = 0; side < sides.size(); ++side)
    for (const auto& [from, to] : sides[side])
      if (group[edges.at(keyOf(to, from))] != group[side] && !next[group[side]].emplace(from, to).second) return {};
  std::vector<std::vector<int>> outlines;
  for (const auto& step : next) {
    if (step.size() < 3) return {};
    std::vector<int>& outline = outlines.emplace_back();
    int corner = step.begin()->first;
    const int start = corner;
    do {
      outline.push_back(corner);
      const auto found = step.find(corner);
      if (found == step.end() || outline.size() > step.size()) return {};
      corner = found->second;
    } while (corner != start);
    if (outline.size() != step.size()) return {};
  }
  return outlines;
}

double distanceFromChord(const Eigen::Vector3d& p, const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return (b - a).cross(p - a).norm() / (b - a).norm();
}

/// Without the corners between two true ones (at which three or more faces meet) that lie on the line between them.
std::vector<int> dropStraight(const std::vector<Eigen::Vector3d>& points, const std::vector<int>& outline,
                              const std::vector<int>& meeting, double tolerance) {
  const int count = static_cast<int>(outline.size());
  const auto isTrue = [&](int i) { return meeting[outline[(i % count + count) % count]] >= 3; };
  std::vector<int> kept;
  for (int i = 0; i < count; ++i) {
    int before = i - 1, after = i + 1;
    while (before > i - count && !isTrue(before)) --before;
    while (after < i + count && !isTrue(after)) ++after;
    const Eigen::Vector3d &a = points[outline[(before % count + count) % count]], &b = points[outline[after % count]];
    const bool straight = !isTrue(i) && isTrue(before) && isTrue(after) && a != b &&
                          distanceFromChord(points[outline[i]], a, b) <= tolerance;
    if (!straight) kept.push_back(outline[i]);
  }
  return kept;
}

}  // namespace

std::optional<std::vector<std::vector<int>>> joinHullSides(const std::vector<Eigen::Vector3d>& points,
                                                           const std::vector<HullSide>& sides, double tolerance) {
  const EdgeTable edges = listEdges(sides);
  if (edges.empty()) return {};
  auto outlines = traceOutlines(sides, edges, groupSides(points, sides, edges, tolerance));
  if (!outlines) return {};
  std::vector<int> meeting(points.size(), 0);
  for (const auto& outline : *outlines)
    for (const int corner : outline) ++meeting[corner];
  for (auto& outline : *outlines) {
    outline = dropStraight(points, outline, meeting, tolerance);
    if (outline.size() < 3) return {};
  }
  return outlines;
}

bool fitPlanes(Polytope& polytope, double tolerance) {
  std::vector<Eigen::Vector3d> points;
  for (const Vec3<double>& vertex : polytope.vertices) points.push_back(toEigen(vertex));
  for (std::size_t f = 0; f < polytope.faces.size(); ++f) {
    const auto corners = polytope.cornersOf(static_cast<int>(f));
    HullSide edges;
    for (std::size_t i = 0; i < corners.size(); ++i) edges.push_back({corners[i], corners[(i + 1) % corners.size()]});
    const WidePlane plane = planeThrough(points, edges);
    if (!(plane.area > 0.0L)) return false;
    polytope.faces[f].normal = toVec3(plane.normal.cast<double>());
    polytope.faces[f].offset = static_cast<double>(plane.normal.dot(plane.point));
    for (const int corner : corners)
      if (std::abs(plane.distance(points[corner])) > tolerance) return false;
    for (int i = 0; i < polytope.faces[f].count; ++i) {
      const Polytope::Edge& edge = polytope.edges[polytope.corner_edge[polytope.faces[f].first + i]];
      const int beside = edge.face[0] == static_cast<int>(f) ? edge.face[1] : edge.face[0];
      for (const int corner : polytope.cornersOf(beside))
        if (plane.distance(points[corner]) > tolerance) return false;
    }
  }
  return true;
}

}  // namespace rigor
