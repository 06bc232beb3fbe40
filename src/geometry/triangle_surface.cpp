#include "geometry/triangle_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

#include "geometry/convert.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;
using Corners = std::array<int, 3>;

constexpr double kFlat = 1e-12;      // sine: triangles that are tilted less lie in one plane
constexpr double kRounding = 4e-15;  // of the size: as does what rounding of coordinates tilts

/// [vertices] the first vertex at the same place: files of loose triangles repeat them.
std::vector<int> weld(const std::vector<Eigen::Vector3d>& vertices) {
  std::vector<int> order(vertices.size()), first(vertices.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int v) {
    const Eigen::Vector3d& p = vertices[v];
    return std::array<double, 3>{p.x() + 0.0, p.y() + 0.0, p.z() + 0.0};  // −0 is 0
  };
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const auto p = key(a), q = key(b);
    return p != q ? p < q : a < b;
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && key(order[i]) == key(order[i - 1]);
    first[order[i]] = same ? first[order[i - 1]] : order[i];
  }
  return first;
}

/// Vertices in the order in which the triangles name them, and the triangles that have an area.
std::vector<Corners> takeTriangles(const Mesh& mesh, Polytope& core) {
  const std::vector<int> first = weld(mesh.vertices);
  std::vector<int> number(mesh.vertices.size(), -1);
  std::vector<Corners> triangles;
  for (const Corners& t : mesh.triangles) {
    const auto at = [&](int k) { return toVec3(mesh.vertices[t[k]]); };
    if (!(norm(cross(at(1) - at(0), at(2) - at(0))) > 0.0)) continue;
    Corners corners;
    for (int k = 0; k < 3; ++k) {
      int& known = number[first[t[k]]];
      if (known < 0) {
        known = static_cast<int>(core.vertices.size());
        core.vertices.push_back(at(k));
        core.radius = std::max(core.radius, norm(at(k)));
      }
      corners[k] = known;
    }
    triangles.push_back(corners);
  }
  return triangles;
}

void addFace(const Corners& t, bool back, Polytope& core) {
  const Vec& a = core.vertices[t[0]];
  const Vec across = cross(core.vertices[t[1]] - a, core.vertices[t[2]] - a);
  const Vec n = ((back ? -1.0 : 1.0) / norm(across)) * across;
  core.faces.push_back({n, dot(n, a), static_cast<int>(core.corner_vertex.size()), 3});
  for (const int k : {0, back ? 2 : 1, back ? 1 : 2}) core.corner_vertex.push_back(t[k]);
}

/// A side of a triangle: its ends, the smaller first, and where it is among the corners of all triangles.
struct Passage {
  int low, high, place;
  bool sameEdge(const Passage& other) const { return low == other.low && high == other.high; }
};

/// Numbers the edges, and lists the triangles of each. Returns whether each is passed as often forward as back.
bool findEdges(Surface& surface) {
  Polytope& core = surface.core;
  std::vector<Passage> passages;
  for (int place = 0; place < 3 * surface.triangles; ++place) {
    const int from = core.corner_vertex[place];
    const int to = core.corner_vertex[place % 3 == 2 ? place - 2 : place + 1];
    passages.push_back({std::min(from, to), std::max(from, to), place});
  }
  std::sort(passages.begin(), passages.end(), [](const Passage& a, const Passage& b) {
    return std::tie(a.low, a.high, a.place) < std::tie(b.low, b.high, b.place);
  });
  std::vector<int> group_at(passages.size(), -1);  // [places] where the group begins whose first passage this is
  for (std::size_t i = 0; i < passages.size(); ++i)
    if (i == 0 || !passages[i].sameEdge(passages[i - 1])) group_at[passages[i].place] = static_cast<int>(i);
  core.corner_edge.assign(passages.size(), -1);
  surface.edge_face_start.assign(1, 0);
  bool balanced = true;
  for (std::size_t place = 0; place < group_at.size(); ++place) {
    if (group_at[place] < 0) continue;
    const int number = static_cast<int>(core.edges.size()), from = core.corner_vertex[place];
    const Passage& first = passages[group_at[place]];
    Polytope::Edge edge{{from, first.low == from ? first.high : first.low}, {static_cast<int>(place) / 3, -1}};
    int forward = 0;
    for (std::size_t i = group_at[place]; i < passages.size() && passages[i].sameEdge(first); ++i) {
      core.corner_edge[passages[i].place] = number;
      surface.edge_face.push_back(passages[i].place / 3);
      forward += core.corner_vertex[passages[i].place] == from ? 1 : -1;
    }
    surface.edge_face_start.push_back(static_cast<int>(surface.edge_face.size()));
    const int count = surface.edge_face_start[number + 1] - surface.edge_face_start[number];
    if (count > 1) edge.face[1] = surface.edge_face[surface.edge_face_start[number] + 1];
    surface.bend.push_back(count == 1 ? Bend::kOpen : count == 2 && forward == 0 ? Bend::kFlat : Bend::kMany);
    balanced = balanced && forward == 0;
    core.edges.push_back(edge);
  }
  return balanced;
}

/// The corner of a triangle that is not on an edge.
const Vec& apexOf(const Surface& surface, int triangle, const Polytope::Edge& edge) {
  int k = 0;
  while (surface.corner(triangle, k) == edge.vertex[0] || surface.corner(triangle, k) == edge.vertex[1]) ++k;
  return surface.vertexOf(triangle, k);
}

/// A neighbour that falls behind the plane of a triangle makes a ridge.
void findBends(Surface& surface) {
  const Polytope& core = surface.core;
  for (std::size_t e = 0; e < core.edges.size(); ++e) {
    if (surface.bend[e] != Bend::kFlat) continue;
    const Polytope::Edge& edge = core.edges[e];
    const Vec &from = core.vertices[edge.vertex[0]], along = core.vertices[edge.vertex[1]] - from;
    double rise = 0.0;
    bool tilted = false;
    for (int side = 0; side < 2; ++side) {
      const Vec way = apexOf(surface, edge.face[1 - side], edge) - from;
      const double height = dot(surface.normal(edge.face[side]), way), width = norm(cross(along, way)) / norm(along);
      tilted = tilted || std::fabs(height) > std::max(kFlat * width, kRounding * core.radius);
      if (std::fabs(height) > std::fabs(rise)) rise = height;
    }
    const bool folded = dot(surface.normal(edge.face[0]), surface.normal(edge.face[1])) < 0.0;
    if (tilted || folded) surface.bend[e] = rise > 0.0 ? Bend::kConcave : Bend::kConvex;
  }
}

}  // namespace

Surface makeSurface(const Mesh& mesh, Sides sides) {
  Surface surface;
  Polytope& core = surface.core;
  const std::vector<Corners> triangles = takeTriangles(mesh, core);
  surface.triangles = static_cast<int>(triangles.size());
  for (const Corners& t : triangles) addFace(t, false, core);
  const bool balanced = findEdges(surface);
  findNeighbours(core);
  findBends(surface);
  surface.open = std::find(surface.bend.begin(), surface.bend.end(), Bend::kOpen) != surface.bend.end();
  surface.two_sided = sides == Sides::kByEdges && !balanced;
  if (surface.two_sided)
    for (const Corners& t : triangles) {
      addFace(t, true, core);
      const int front = 3 * static_cast<int>(&t - triangles.data());
      for (const int k : {2, 1, 0}) core.corner_edge.push_back(core.corner_edge[front + k]);
    }
  makeTree(surface);
  return surface;
}

int countOddEdges(const Surface& surface) {
  return static_cast<int>(std::count(surface.bend.begin(), surface.bend.end(), Bend::kMany));
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
