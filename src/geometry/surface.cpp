#include "geometry/surface.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "geometry/convert.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr int kLeaf = 4;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr AxisBox kNothing{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};

void grow(AxisBox& box, const Vec& p) {
  box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y), std::min(box.low.z, p.z)};
  box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y), std::max(box.high.z, p.z)};
}

/// Vertices at the same place, as files of loose triangles have them, are one.
std::vector<int> weld(const Mesh& mesh, Surface& surface) {
  std::map<std::array<double, 3>, int> known;
  std::vector<int> number;
  for (const Eigen::Vector3d& v : mesh.vertices) {
    const auto [place, is_new] =
        known.try_emplace({v.x() + 0.0, v.y() + 0.0, v.z() + 0.0}, static_cast<int>(surface.vertices.size()));
    if (is_new) surface.vertices.push_back(toVec3(v)), surface.radius = std::max(surface.radius, v.norm());
    number.push_back(place->second);
  }
  return number;
}

Vec centreOf(const Surface& surface, const std::array<int, 3>& t) {
  return surface.vertices[t[0]] + surface.vertices[t[1]] + surface.vertices[t[2]];
}

/// Halves the triangles [first, first + count) along the longest side of the box around them, until few are left.
void build(Surface& surface, int node, int first, int count) {
  AxisBox box = kNothing;
  for (int t = first; t < first + count; ++t)
    for (const int corner : surface.triangles[t]) grow(box, surface.vertices[corner]);
  surface.nodes[node] = {box, first, count};
  if (count <= kLeaf) return;
  const Vec size = box.high - box.low;
  double Vec::* const axis = size.x >= size.y && size.x >= size.z ? &Vec::x : size.y >= size.z ? &Vec::y : &Vec::z;
  const auto begin = surface.triangles.begin() + first;
  std::nth_element(begin, begin + count / 2, begin + count, [&](const auto& a, const auto& b) {
    return centreOf(surface, a).*axis < centreOf(surface, b).*axis;
  });
  const int children = static_cast<int>(surface.nodes.size());
  surface.nodes.resize(children + 2);
  surface.nodes[node].first = children, surface.nodes[node].count = 0;
  build(surface, children, first, count / 2);
  build(surface, children + 1, first + count / 2, count - count / 2);
}

void findNeighbours(Surface& surface) {
  std::map<std::pair<int, int>, std::pair<int, int>> sides;  // (from, to) → triangle, side
  const int count = static_cast<int>(surface.triangles.size());
  for (int t = 0; t < count; ++t)
    for (int k = 0; k < 3; ++k) sides[{surface.triangles[t][k], surface.triangles[t][(k + 1) % 3]}] = {t, k};
  surface.neighbours.assign(count, {-1, -1, -1});
  std::vector<std::vector<int>> ends(surface.vertices.size());
  for (const auto& [side, owner] : sides) {
    const auto [from, to] = side;
    const auto twin = sides.find({to, from});
    if (twin != sides.end()) surface.neighbours[owner.first][owner.second] = twin->second.first;
    ends[from].push_back(to);
    if (twin == sides.end()) ends[to].push_back(from);
  }
  surface.spoke_start.assign(1, 0);
  for (const std::vector<int>& of_vertex : ends) {
    surface.spoke.insert(surface.spoke.end(), of_vertex.begin(), of_vertex.end());
    surface.spoke_start.push_back(static_cast<int>(surface.spoke.size()));
  }
}

}  // namespace

double boxDistance(const AxisBox& a, const AxisBox& b) {
  const auto gap = [](double low_a, double high_a, double low_b, double high_b) {
    return std::max({low_a - high_b, low_b - high_a, 0.0});
  };
  return norm(Vec{gap(a.low.x, a.high.x, b.low.x, b.high.x), gap(a.low.y, a.high.y, b.low.y, b.high.y),
                  gap(a.low.z, a.high.z, b.low.z, b.high.z)});
}

Surface makeSurface(const Mesh& mesh) {
  Surface surface;
  const std::vector<int> number = weld(mesh, surface);
  const auto normalOf = [&](const std::array<int, 3>& t) {
    return cross(surface.vertices[t[1]] - surface.vertices[t[0]], surface.vertices[t[2]] - surface.vertices[t[0]]);
  };
  for (const std::array<int, 3>& t : mesh.triangles) {
    const std::array<int, 3> corners{number[t[0]], number[t[1]], number[t[2]]};
    if (norm(normalOf(corners)) > 0.0) surface.triangles.push_back(corners);
  }
  if (surface.triangles.empty()) return surface;
  surface.nodes.resize(1);
  build(surface, 0, 0, static_cast<int>(surface.triangles.size()));
  for (const std::array<int, 3>& t : surface.triangles) {
    const Vec normal = normalOf(t);
    surface.normals.push_back((1.0 / norm(normal)) * normal);
  }
  findNeighbours(surface);
  return surface;
}

Mesh meshOf(const HeightField& field) {
  Mesh mesh{field.source, {}, {}};
  for (int row = 0; row < field.rows; ++row)
    for (int column = 0; column < field.columns; ++column)
      mesh.vertices.emplace_back(field.half_x * (2.0 * column / (field.columns - 1) - 1.0),
                                 field.half_y * (2.0 * row / (field.rows - 1) - 1.0),
                                 field.heights[static_cast<std::size_t>(row) * field.columns + column]);
  for (int row = 0; row + 1 < field.rows; ++row)
    for (int column = 0; column + 1 < field.columns; ++column) {
      const int at = row * field.columns + column, beyond = at + field.columns;
      mesh.triangles.push_back({at, at + 1, beyond + 1});
      mesh.triangles.push_back({at, beyond + 1, beyond});
    }
  return mesh;
}

}  // namespace rigor
