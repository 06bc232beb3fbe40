#include "geometry/polytope.h"

#include <gtest/gtest.h>

#include "rigor/error.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

/// Every edge lies on its two faces, runs along the first and back along the second; every face looks outward.
void expectConsistent(const Polytope& polytope) {
  EXPECT_EQ(polytope.vertices.size() + polytope.faces.size(), polytope.edges.size() + 2);  // Euler
  for (std::size_t e = 0; e < polytope.edges.size(); ++e)
    for (int side = 0; side < 2; ++side) {
      const Polytope::Face& face = polytope.faces[polytope.edges[e].face[side]];
      int found = 0;
      for (int i = 0; i < face.count; ++i) {
        if (polytope.corner_edge[face.first + i] != static_cast<int>(e)) continue;
        ++found;
        EXPECT_EQ(polytope.corner_vertex[face.first + i], polytope.edges[e].vertex[side]);
        EXPECT_EQ(polytope.corner_vertex[face.first + (i + 1) % face.count], polytope.edges[e].vertex[1 - side]);
      }
      EXPECT_EQ(found, 1);
    }
  for (const Polytope::Face& face : polytope.faces)
    for (const Vec& vertex : polytope.vertices) EXPECT_LE(dot(face.normal, vertex), face.offset + 1e-15);
}

TEST(Polytope, OfABoxHasItsNumbersByAxesAndSigns) {
  const Polytope box = makeBoxPolytope({1.0, 2.0, 3.0});
  expectConsistent(box);
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      const Vec& normal = box.faces[2 * axis + side].normal;
      const double entries[3] = {normal.x, normal.y, normal.z};
      EXPECT_EQ(entries[axis], side ? 1.0 : -1.0);
      EXPECT_EQ(box.faces[2 * axis + side].offset, axis + 1.0);
    }
  for (int edge = 0; edge < 12; ++edge) {
    const int axis = edge / 4, from = box.edges[edge].vertex[0];
    EXPECT_EQ(from ^ box.edges[edge].vertex[1], 1 << axis);
    EXPECT_EQ((from >> (axis + 1) % 3 & 1) + 2 * (from >> (axis + 2) % 3 & 1), edge % 4);
  }
  EXPECT_DOUBLE_EQ(box.radius, std::sqrt(14.0));
}

TEST(Polytope, KnowsTheNeighboursOfEveryVertex) {
  const Polytope box = makeBoxPolytope({1.0, 1.0, 1.0});
  for (int v = 0; v < 8; ++v) {
    ASSERT_EQ(box.neighbour_start[v + 1] - box.neighbour_start[v], 3);
    for (int k = box.neighbour_start[v]; k < box.neighbour_start[v + 1]; ++k) {
      const Polytope::Edge& edge = box.edges[box.neighbour_edge[k]];
      EXPECT_TRUE((edge.vertex[0] == v && edge.vertex[1] == box.neighbour[k]) ||
                  (edge.vertex[1] == v && edge.vertex[0] == box.neighbour[k]));
    }
  }
}

TEST(Polytope, OfATetrahedronIsConsistent) {
  expectConsistent(
      makePolytope({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}));
}

TEST(Polytope, RefusesFacesThatDoNotEncloseASolid) {
  const std::vector<Vec> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_THROW(makePolytope(corners, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}}), Error);                        // open
  EXPECT_THROW(makePolytope(corners, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 3, 2}}), Error);             // inside out
  EXPECT_THROW(makePolytope(corners, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}, {0, 1, 2}}), Error);  // one too many
}

}  // namespace
}  // namespace rigor
