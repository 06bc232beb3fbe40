// A triangle of a surface as a solid of its own, without thickness: what searches among convex solids can work with.
#pragma once

#include "geometry/solid_gap.h"
#include "geometry/triangle_surface.h"

namespace rigor {

/// Filled again and again. Its edges run as those of the surface do.
class ThinTriangle {
 public:
  ThinTriangle();
  ThinTriangle(const ThinTriangle&) : ThinTriangle() {}  ///< another one, to be filled
  ThinTriangle& operator=(const ThinTriangle&) { return *this; }

  void fill(const Surface& surface, int triangle);

  const Solid& solid() const { return solid_; }
  /// Where its surface is.
  PlacedSolid placed(const PlacedSolid& surface) const { return {&solid_, surface.X_WS, surface.origin}; }
  int triangle() const { return triangle_; }

  /// Numbers of features of the surface from those of this solid, and back (−1: not of this triangle). The back of a surface with
  /// one side has none.
  /// Points of edges too; −1 where the surface has too many edges to name one.
  int vertexInSurface(int vertex) const {
    if (!isEdgePoint(vertex)) return vertex_[vertex];
    const int edge = edge_[edgeOfPoint(vertex)];
    return edge < kMostEdgesWithPoints ? withEdge(vertex, edge) : -1;
  }
  int edgeInSurface(int edge) const { return edge_[edge]; }
  int faceInSurface(int face) const { return face_[face]; }
  int vertexHere(int number) const {
    if (!isEdgePoint(number)) return find(vertex_, 3, number);
    const int edge = edgeHere(edgeOfPoint(number));
    return edge < 0 ? -1 : withEdge(number, edge);
  }
  int edgeHere(int number) const { return find(edge_, 3, number); }
  int faceHere(int number) const { return find(face_, 2, number); }

 private:
  static int find(const int* list, int count, int number) {
    for (int i = 0; i < count; ++i)
      if (list[i] == number) return i;
    return -1;
  }

  std::shared_ptr<Polytope> core_;
  Solid solid_;
  int triangle_ = -1, vertex_[3], edge_[3], face_[2];
};

}  // namespace rigor
