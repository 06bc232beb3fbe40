// Shapes that are made of vertices: hulls, triangles, height fields.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "geometry/convert.h"
#include "geometry/hull.h"
#include "geometry/mesh_mass.h"
#include "geometry/point_cloud.h"
#include "geometry/triangle_surface.h"
#include "rigor/error.h"
#include "rigor/mesh.h"
#include "rigor/shape.h"

namespace rigor {
namespace {
constexpr double kLargestField = 1e9;  // [m] as far as anything may start

void checkCorners(const Mesh& mesh) {
  const int count = static_cast<int>(mesh.vertices.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const int corner : mesh.triangles[t])
      if (corner < 0 || corner >= count)
        throw Error({mesh.source, 0, ""},
                    fmt::format("triangle {} has the corner {}, of {} vertices", t, corner, count),
                    "Corners count from 0; the mesh was cut or joined wrongly.");
}

/// Exactly without area: corners that coincide or lie on a line.
bool isDegenerate(const Mesh& mesh, const std::array<int, 3>& triangle) {
  const auto& [a, b, c] = triangle;
  const Eigen::Vector3d &p = mesh.vertices[a], &q = mesh.vertices[b], &r = mesh.vertices[c];
  return (q - p).cross(r - p).isZero(0.0);
}

/// One entry per edge of a triangle: its ends with the smaller first, and the direction in which the triangle runs. Triangles
/// without area count: they may fill the seam between a long edge and two short ones.
struct Passage {
  std::uint64_t ends;
  int direction;
};

std::vector<Passage> listPassages(const Mesh& mesh) {
  std::vector<Passage> passages;
  passages.reserve(3 * mesh.triangles.size());
  for (const auto& triangle : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      const std::uint64_t from = triangle[k], to = triangle[(k + 1) % 3];
      if (from == to) continue;
      passages.push_back({std::min(from, to) << 32 | std::max(from, to), from < to ? 1 : -1});
    }
  }
  std::sort(passages.begin(), passages.end(), [](const Passage& a, const Passage& b) { return a.ends < b.ends; });
  return passages;
}

/// Half extents of a box around the frame's origin.
Eigen::Vector3d reachOf(const Extent& extent) { return extent.low.cwiseAbs().cwiseMax(extent.high.cwiseAbs()); }

}  // namespace

MeshReport inspectMesh(const Mesh& mesh) {
  checkCorners(mesh);
  if (!mesh.vertices.empty()) findExtent(mesh.vertices, mesh.source);
  MeshReport report;
  report.vertices = static_cast<int>(mesh.vertices.size());
  report.triangles = static_cast<int>(mesh.triangles.size());
  for (const auto& triangle : mesh.triangles) report.degenerate += isDegenerate(mesh, triangle);
  const std::vector<Passage> passages = listPassages(mesh);
  for (std::size_t i = 0; i < passages.size();) {
    int sum = 0;
    std::size_t end = i;
    for (; end < passages.size() && passages[end].ends == passages[i].ends; ++end) sum += passages[end].direction;
    if (end - i == 1) ++report.open_edges;
    if (end - i > 1 && sum != 0) ++report.clashing_edges;
    i = end;
  }
  if (report.closed()) report.volume = signedVolume(mesh);
  return report;
}

Shape makeHull(std::shared_ptr<const Mesh> mesh) {
  if (!mesh) throw Error("a hull of no mesh", "Load a mesh first.");
  Shape shape{ShapeKind::kHull};
  shape.polytope = std::make_shared<const Polytope>(makeHullPolytope(mesh->vertices, mesh->source));
  shape.size = reachOf(findExtent(mesh->vertices, mesh->source));
  shape.mesh = std::move(mesh);
  return shape;
}

Shape makeTriangles(std::shared_ptr<const Mesh> mesh) {
  if (!mesh) throw Error("triangles of no mesh", "Load a mesh first.");
  const MeshReport report = inspectMesh(*mesh);
  if (report.triangles == report.degenerate)
    throw Error({mesh->source, 0, ""},
                report.triangles == 0 ? std::string("the mesh has no triangles")
                                      : fmt::format("none of the {} triangles has an area", report.triangles),
                "Export the mesh again, with its faces.");
  const bool inside_out = report.closed() && report.volume < 0.0;
  Shape shape{ShapeKind::kTriangles};
  shape.size = reachOf(findExtent(mesh->vertices, mesh->source));
  shape.mesh = mesh;
  shape.surface = std::make_shared<const Surface>(makeSurface(*mesh));
  if (report.degenerate == 0 && !inside_out) return shape;
  auto corrected = std::make_shared<Mesh>(*mesh);
  std::erase_if(corrected->triangles, [&](const auto& triangle) { return isDegenerate(*mesh, triangle); });
  if (inside_out)
    for (auto& triangle : corrected->triangles) std::swap(triangle[1], triangle[2]);
  shape.surface = std::make_shared<const Surface>(makeSurface(*corrected));
  shape.mesh = std::move(corrected);
  return shape;
}

Shape makeHeightField(HeightField field) {
  const Place where{field.source, 0, "height field"};
  if (field.rows < 2 || field.columns < 2)
    throw Error(where, fmt::format("has {} rows and {} columns", field.rows, field.columns),
                "Give at least two of each.");
  if (field.heights.size() != static_cast<std::size_t>(field.rows) * static_cast<std::size_t>(field.columns))
    throw Error(where,
                fmt::format("{} rows and {} columns, but {} heights", field.rows, field.columns, field.heights.size()),
                "Give one height for each point of the grid.");
  for (const double half : {field.half_x, field.half_y})
    if (!std::isfinite(half) || !(half > 0.0))
      throw Error(where, fmt::format("half extents are {} m and {} m", field.half_x, field.half_y),
                  "Give positive finite lengths.");
  double highest = 0.0;
  for (std::size_t i = 0; i < field.heights.size(); ++i) {
    if (!std::isfinite(field.heights[i]))
      throw Error(
          where,
          fmt::format("the height in row {}, column {} is {}", i / field.columns, i % field.columns, field.heights[i]),
          "Heights must be finite numbers in metres; fill holes with those of their neighbours.");
    highest = std::max(highest, std::abs(field.heights[i]));
  }
  for (const double length : {field.half_x, field.half_y, highest})
    if (length > kLargestField)
      throw Error(
          where, fmt::format("reaches {:g} m from its middle", length),
          fmt::format("Doubles resolve no contact farther away than {:g} m; is the unit right?", kLargestField));
  Shape shape{ShapeKind::kHeightField, {field.half_x, field.half_y, highest}};
  shape.surface = std::make_shared<const Surface>(makeSurface(meshOf(field), Sides::kOne));
  shape.field = std::make_shared<const HeightField>(std::move(field));
  return shape;
}

HullCounts countHull(const Shape& shape) {
  if (!shape.polytope) return {};
  return {static_cast<int>(shape.polytope->vertices.size()), static_cast<int>(shape.polytope->edges.size()),
          static_cast<int>(shape.polytope->faces.size())};
}

}  // namespace rigor
