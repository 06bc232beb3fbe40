#include "io/page/meshes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "geometry/polytope.h"
#include "io/page/text.h"
#include "rigor/mesh.h"

namespace rigor {
namespace {

using Singles = std::array<float, 3>;
struct SinglesHash {
  std::size_t operator()(const Singles& place) const {
    std::uint64_t hash = 0;
    for (const float x : place) hash = (hash ^ std::bit_cast<std::uint32_t>(x)) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
  }
};

std::string describeMesh(const PageMesh& mesh) {
  const bool wide = mesh.position.size() / 3 > 0x10000;
  const std::string index =
      wide ? arrayForPage(mesh.index) : arrayForPage(std::vector<std::uint16_t>(mesh.index.begin(), mesh.index.end()));
  return fmt::format("{{\"position\":{},\"index\":{},\"wide\":{}}}", arrayForPage(mesh.position), index, wide);
}

std::string describeField(const HeightField& field) {
  return fmt::format("{{\"rows\":{},\"columns\":{},\"half\":{},\"heights\":{}}}", field.rows, field.columns,
                     listForPage(std::array{field.half_x, field.half_y}),
                     arrayForPage(std::vector<float>(field.heights.begin(), field.heights.end())));
}

}  // namespace

PageMesh makePageMesh(const Mesh& mesh) {
  PageMesh out;
  std::unordered_map<Singles, std::uint32_t, SinglesHash> known;
  std::vector<std::uint32_t> number;  // of each vertex of the mesh
  for (const Eigen::Vector3d& vertex : mesh.vertices) {
    // + 0 makes −0 the same place as 0
    const Singles place{float(vertex.x()) + 0.0f, float(vertex.y()) + 0.0f, float(vertex.z()) + 0.0f};
    const auto [at, is_new] = known.try_emplace(place, static_cast<std::uint32_t>(known.size()));
    if (is_new) out.position.insert(out.position.end(), place.begin(), place.end());
    number.push_back(at->second);
  }
  const auto count = static_cast<int>(number.size());
  for (const auto& [a, b, c] : mesh.triangles) {
    if (std::min({a, b, c}) < 0 || std::max({a, b, c}) >= count) continue;
    const std::uint32_t corners[] = {number[a], number[b], number[c]};
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) continue;
    out.index.insert(out.index.end(), corners, corners + 3);
  }
  return out;
}

PageMesh makePageMesh(const Polytope& polytope) {
  PageMesh out;
  for (const Vec3<double>& vertex : polytope.vertices)
    for (const double x : {vertex.x, vertex.y, vertex.z}) out.position.push_back(static_cast<float>(x));
  for (std::size_t face = 0; face < polytope.faces.size(); ++face) {
    const auto corners = polytope.cornersOf(static_cast<int>(face));
    for (std::size_t i = 2; i < corners.size(); ++i)
      for (const int corner : {corners[0], corners[i - 1], corners[i]})
        out.index.push_back(static_cast<std::uint32_t>(corner));
  }
  return out;
}

int PageMeshes::find(const Shape& shape) {
  if (shape.kind == ShapeKind::kHeightField && shape.field)
    return add(shape.field.get(), [&] { return describeField(*shape.field); });
  if (shape.kind == ShapeKind::kHull && shape.polytope)
    return add(shape.polytope.get(), [&] { return describeMesh(makePageMesh(*shape.polytope)); });
  if ((shape.kind == ShapeKind::kHull || shape.kind == ShapeKind::kTriangles) && shape.mesh)
    return add(shape.mesh.get(), [&] { return describeMesh(makePageMesh(*shape.mesh)); });
  return -1;
}

int PageMeshes::add(const void* what, const std::function<std::string()>& describe) {
  const auto [at, is_new] = known_.try_emplace(what, static_cast<int>(known_.size()));
  if (is_new) text_ += (text_.empty() ? "" : ",\n") + describe();
  return at->second;
}

}  // namespace rigor
