// A shape as contact between solids sees it: a core of vertices, edges and faces, grown by a radius.
#pragma once

#include <memory>

#include "geometry/support.h"

namespace rigor {

/// Sphere: one vertex; capsule: two vertices and the edge between them; box and hull: their polytope, radius 0.
struct Solid {
  ShapeKind kind = ShapeKind::kSphere;
  Vec3<double> size;  ///< as in Shape
  std::shared_ptr<const Polytope> core;
  double radius = 0.0;  ///< [m] that the core is grown by

  bool isBall() const { return core->vertices.size() == 1; }
};

/// True for shapes that makeSolid knows.
bool isSolid(ShapeKind kind);
Solid makeSolid(const Shape& shape);

/// A solid at a pose.
struct PlacedSolid {
  const Solid* solid = nullptr;
  Transform<double> X_WS;
  Vec3<double> origin;  ///< the point O that its link's poses are relative to, in the world

  ConvexShape view() const { return {solid->kind, solid->size, solid->core.get(), X_WS}; }
  const Polytope& core() const { return *solid->core; }
  double radius() const { return solid->radius; }
  Vec3<double> toLocal(const Vec3<double>& point) const { return transposeTimes(X_WS.R, point - X_WS.p); }
  Vec3<double> vertex(int index) const { return X_WS * core().vertices[index]; }
  Vec3<double> edge(int index) const {  ///< from its first vertex to its second
    const Polytope::Edge& e = core().edges[index];
    return X_WS.R * (core().vertices[e.vertex[1]] - core().vertices[e.vertex[0]]);
  }
  Vec3<double> edgeStart(int index) const { return vertex(core().edges[index].vertex[0]); }
  Vec3<double> normal(int face) const { return X_WS.R * core().faces[face].normal; }
};

/// The point of a core that is nearest to a point, both in the frame of the shape.
struct NearestPoint {
  Vec3<double> point;
  int inside_face = -1;  ///< ≥ 0: the given point lies inside, and this is the face that it is nearest to
};
NearestPoint nearestOnCore(const Polytope& core, const Vec3<double>& from);

}  // namespace rigor
