#include "io/page/meshes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "geometry/polytope.h"
#include "io/page/coarsen.h"
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

int PageMeshes::find(const Shape& shape, bool is_look) {
  const bool is_field = shape.kind == ShapeKind::kHeightField, is_hull = shape.kind == ShapeKind::kHull;
  const void* made_of = nullptr;
  if (is_field) made_of = shape.field.get();
  if (is_hull) made_of = shape.polytope.get();
  if (!made_of && (is_hull || shape.kind == ShapeKind::kTriangles)) made_of = shape.mesh.get();
  if (!made_of) return -1;
  const auto [at, is_new] = known_.try_emplace(made_of, static_cast<int>(entries_.size()));
  if (is_new && is_field) entries_.push_back({{}, shape.field, false});
  if (is_new && !is_field)
    entries_.push_back(
        {is_hull && shape.polytope ? makePageMesh(*shape.polytope) : makePageMesh(*shape.mesh), {}, true});
  Entry& entry = entries_[at->second];
  entry.is_look = entry.is_look && is_look;
  return at->second;
}

std::string PageMeshes::list() const {
  std::size_t looks = 0, triangles = 0;
  for (const Entry& entry : entries_)
    if (entry.is_look) ++looks, triangles += entry.mesh.index.size() / 3;
  const std::size_t most = triangles > kMaxLookTriangles ? kMaxLookTriangles / looks : triangles;
  std::string out;
  for (const Entry& entry : entries_) {
    out += out.empty() ? "" : ",\n";
    if (entry.field)
      out += describeField(*entry.field);
    else
      out += describeMesh(entry.is_look ? coarsen(entry.mesh, most) : entry.mesh);
  }
  return "[" + out + "]";
}

}  // namespace rigor
