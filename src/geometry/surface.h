// Triangles that form a surface: their neighbours, and a tree of boxes over them.
#pragma once

#include <array>
#include <vector>

#include "math/vec3.h"
#include "rigor/mesh.h"

namespace rigor {

/// A box with sides along the axes.
struct AxisBox {
  Vec3<double> low, high;
};

/// Distance of two boxes; zero where they overlap.
double boxDistance(const AxisBox& a, const AxisBox& b);

/// Corner i of a triangle is the start of its side i.
struct Surface {
  struct Node {
    AxisBox box;
    int first = 0;  ///< of the triangles of a leaf; of the two children, which lie side by side
    int count = 0;  ///< of triangles; 0: not a leaf
  };

  std::vector<Vec3<double>> vertices;          ///< each place once
  std::vector<std::array<int, 3>> triangles;   ///< counter-clockwise seen from outside, in the order of the leaves
  std::vector<Vec3<double>> normals;           ///< unit
  std::vector<std::array<int, 3>> neighbours;  ///< beyond each side; −1: open
  std::vector<int> spoke_start, spoke;         ///< vertices at the other ends of the edges of a vertex
  std::vector<Node> nodes;                     ///< the root first
  double radius = 0.0;                         ///< of the ball around the frame's origin that holds it
};

/// Triangles without area are left out.
Surface makeSurface(const Mesh& mesh);

/// The triangles of a height field, as a mesh.
Mesh meshOf(const HeightField& field);

}  // namespace rigor
