// Triangles that form a surface: what belongs to which of them, where the surface bends, and a tree of boxes over them.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/axis_box.h"
#include "geometry/polytope.h"
#include "rigor/mesh.h"

namespace rigor {

/// How a surface goes on across an edge, seen from the front.
enum class Bend : std::uint8_t {
  kFlat,     ///< both triangles lie in one plane, to rounding
  kConvex,   ///< a ridge
  kConcave,  ///< a valley
  kOpen,     ///< one triangle alone
  kMany,     ///< three or more triangles, or two that are turned against each other
};

/// Numbers of vertices, edges and faces are those of `core`: parts of contact ids. It is no convex polyhedron. Its faces are the
/// triangles in the order of the mesh; a surface with two sides has their backs after them, in the same order. Edges
/// are in the order in which the triangles first pass them, each in the direction of that triangle; an open one has no second
/// face (−1).
struct Surface {
  struct Node {
    AxisBox box;
    int first = 0;  ///< of the triangles of a leaf, in `order`; of the two children, which lie side by side
    int count = 0;  ///< of triangles; 0: not a leaf
  };

  Polytope core;
  int triangles = 0;
  bool two_sided = false;                       ///< pushes on both sides; else it is solid behind the triangles
  bool open = false;                            ///< has a border
  std::vector<Bend> bend;                       ///< [edges]
  std::vector<int> edge_face_start, edge_face;  ///< the triangles of each edge
  std::vector<int> order;                       ///< of the triangles in the leaves
  std::vector<Node> nodes;                      ///< the root first

  int corner(int triangle, int k) const { return core.corner_vertex[3 * triangle + k]; }
  const Vec3<double>& vertexOf(int triangle, int k) const { return core.vertices[corner(triangle, k)]; }
  int edgeOf(int triangle, int k) const { return core.corner_edge[3 * triangle + k]; }  ///< from corner k to the next
  const Vec3<double>& normal(int triangle) const { return core.faces[triangle].normal; }
  bool isHeightField() const { return open && !two_sided; }
  int triangleOfFace(int face) const { return face < triangles ? face : face - triangles; }
};

/// What surfaces do with meshes that do not enclose a volume.
enum class Sides : std::uint8_t {
  kOne,      ///< solid behind every triangle
  kByEdges,  ///< two sides unless every edge is passed as often in one direction as in the other
};

/// Vertices at the same place are one; triangles without area and vertices without triangles are left out.
Surface makeSurface(const Mesh& mesh, Sides sides = Sides::kByEdges);

/// Its tree, from `core` and `triangles`.
void makeTree(Surface& surface);

/// The triangles of a height field, as a mesh.
Mesh meshOf(const HeightField& field);

/// How many edges of a surface are neither between two triangles nor open.
int countOddEdges(const Surface& surface);

/// Triangles whose boxes meet a box, or reach below a plane with the unit normal n: n · x ≤ height. In ascending order; the list
/// is filled anew.
void findTriangles(const Surface& surface, const AxisBox& box, std::vector<int>& found);
void findTrianglesBelow(const Surface& surface, const Vec3<double>& n, double height, std::vector<int>& found);

}  // namespace rigor
