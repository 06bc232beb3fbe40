#include "geometry/polytope.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rigor/error.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

/// Newell's normal: exact for a planar polygon, the best plane for one that is only nearly so.
Polytope::Face planeOf(const std::vector<Vec>& vertices, const std::vector<int>& corners) {
  Vec normal{}, centre{};
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec &a = vertices[corners[i]], &b = vertices[corners[(i + 1) % corners.size()]];
    normal += cross(a - vertices[corners[0]], b - vertices[corners[0]]);
    centre += a;
  }
  normal *= 1.0 / norm(normal);
  centre *= 1.0 / static_cast<double>(corners.size());
  return {normal, dot(normal, centre)};
}

void findEdges(const std::vector<std::vector<int>>& faces, Polytope& polytope) {
  std::map<std::pair<int, int>, int> known;
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (std::size_t i = 0; i < faces[f].size(); ++i) {
      const int a = faces[f][i], b = faces[f][(i + 1) % faces[f].size()], face = static_cast<int>(f);
      const auto [place, is_new] = known.try_emplace(std::minmax(a, b), static_cast<int>(polytope.edges.size()));
      if (is_new) polytope.edges.push_back({{a, b}, {face, -1}});
      Polytope::Edge& edge = polytope.edges[place->second];
      if (!is_new && (edge.face[1] >= 0 || edge.vertex[0] != b))
        throw Error(fmt::format("the faces at the edge from vertex {} to {} do not fit together", a, b));
      if (!is_new) edge.face[1] = face;
      polytope.corner_edge.push_back(place->second);
    }
  for (const Polytope::Edge& edge : polytope.edges)
    if (edge.face[1] < 0)
      throw Error(
          fmt::format("the edge from vertex {} to {} belongs to one face only", edge.vertex[0], edge.vertex[1]));
}

void findOctantVertices(Polytope& polytope) {
  for (int octant = 0; octant < 8; ++octant) {
    const Vec d{octant & 1 ? 1.0 : -1.0, octant & 2 ? 1.0 : -1.0, octant & 4 ? 1.0 : -1.0};
    const auto highest = std::max_element(polytope.vertices.begin(), polytope.vertices.end(),
                                          [&](const Vec& a, const Vec& b) { return dot(a, d) < dot(b, d); });
    polytope.octant_vertex[octant] = static_cast<int>(highest - polytope.vertices.begin());
  }
}

}  // namespace

void findNeighbours(Polytope& polytope) {
  const std::size_t count = polytope.vertices.size();
  polytope.neighbour_start.assign(count + 1, 0);
  for (const Polytope::Edge& edge : polytope.edges)
    for (const int vertex : edge.vertex) ++polytope.neighbour_start[vertex + 1];
  for (std::size_t v = 0; v < count; ++v) polytope.neighbour_start[v + 1] += polytope.neighbour_start[v];
  polytope.neighbour.resize(2 * polytope.edges.size());
  polytope.neighbour_edge.resize(2 * polytope.edges.size());
  std::vector<int> next(polytope.neighbour_start.begin(), polytope.neighbour_start.end() - 1);
  for (std::size_t e = 0; e < polytope.edges.size(); ++e)
    for (int side = 0; side < 2; ++side) {
      const int place = next[polytope.edges[e].vertex[side]]++;
      polytope.neighbour[place] = polytope.edges[e].vertex[1 - side];
      polytope.neighbour_edge[place] = static_cast<int>(e);
    }
}

Polytope makePolytope(std::vector<Vec> vertices, const std::vector<std::vector<int>>& faces) {
  Polytope polytope;
  polytope.vertices = std::move(vertices);
  for (const std::vector<int>& corners : faces) {
    Polytope::Face face = planeOf(polytope.vertices, corners);
    face.first = static_cast<int>(polytope.corner_vertex.size());
    face.count = static_cast<int>(corners.size());
    polytope.faces.push_back(face);
    polytope.corner_vertex.insert(polytope.corner_vertex.end(), corners.begin(), corners.end());
  }
  findEdges(faces, polytope);
  findNeighbours(polytope);
  findOctantVertices(polytope);
  for (const Vec& vertex : polytope.vertices) polytope.radius = std::max(polytope.radius, norm(vertex));
  return polytope;
}

Polytope makeBoxPolytope(const Vec& half) {
  std::vector<Vec> vertices;
  for (int corner = 0; corner < 8; ++corner)
    vertices.push_back({corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z});
  std::vector<std::vector<int>> faces;
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      const int a = 1 << axis, b = 1 << (axis + 1) % 3, c = 1 << (axis + 2) % 3, base = side ? a : 0;
      faces.push_back(side ? std::vector<int>{base, base | b, base | b | c, base | c}
                           : std::vector<int>{base, base | c, base | b | c, base | b});
    }
  Polytope box = makePolytope(std::move(vertices), faces);
  // edges in the order that their numbers promise
  const auto numberOf = [](const Polytope::Edge& edge) {
    const int from = edge.vertex[0], axis_bit = from ^ edge.vertex[1];
    const int axis = axis_bit == 1 ? 0 : axis_bit == 2 ? 1 : 2;
    return 4 * axis + (from >> (axis + 1) % 3 & 1) + 2 * (from >> (axis + 2) % 3 & 1);
  };
  std::vector<Polytope::Edge> sorted(12);
  for (const Polytope::Edge& edge : box.edges) sorted[numberOf(edge)] = edge;
  for (int& edge : box.corner_edge) edge = numberOf(box.edges[edge]);
  box.edges = std::move(sorted);
  findNeighbours(box);
  return box;
}

}  // namespace rigor
