// A convex polyhedron: vertices, edges and faces, numbered once. The numbers are parts of contact ids and never change.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "math/vec3.h"

namespace rigor {

struct Polytope {
  /// All its corners lie in one plane: coplanar triangles are merged, so that no edge is only drawn on a flat side.
  struct Face {
    Vec3<double> normal;       ///< outward, unit
    double offset = 0.0;       ///< normal · (point of the face)
    int first = 0, count = 0;  ///< corners, counter-clockwise seen from outside
  };
  struct Edge {
    int vertex[2];  ///< face[0] runs from the first to the second, face[1] back
    int face[2];
  };

  std::vector<Vec3<double>> vertices;
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<int> corner_vertex;  ///< [corners of all faces]
  std::vector<int> corner_edge;    ///< the edge from this corner to the next
  /// Neighbours of vertex v along its edges: neighbour[neighbour_start[v] … neighbour_start[v + 1]).
  std::vector<int> neighbour_start, neighbour, neighbour_edge;
  /// The vertex farthest along (±1, ±1, ±1), bits 0, 1, 2 set for plus: where a climb along any direction begins.
  std::array<int, 8> octant_vertex = {};
  double radius = 0.0;  ///< [m] of the ball around the frame's origin that holds it

  std::span<const int> cornersOf(int face) const {
    return {corner_vertex.data() + faces[face].first, static_cast<std::size_t>(faces[face].count)};
  }
};

/// From vertices and the corners of each face, counter-clockwise seen from outside. Throws Error if they do not enclose
/// a solid: every edge must belong to two faces, once in each direction.
Polytope makePolytope(std::vector<Vec3<double>> vertices, const std::vector<std::vector<int>>& faces);

/// Fills the neighbours of its vertices from its edges.
void findNeighbours(Polytope& polytope);

/// Vertex: bits 0, 1, 2 are the signs of x, y, z (set: positive). Face: 2·axis, +1 on the positive side. Edge:
/// 4·axis + the signs of the other two coordinates in cyclic order.
Polytope makeBoxPolytope(const Vec3<double>& half_extents);

}  // namespace rigor
