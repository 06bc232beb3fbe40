// A shape as contact between solids sees it: a core of vertices, edges and faces, grown by a radius; or curved, with discs.
#pragma once

#include <cmath>
#include <memory>
#include <numbers>

#include "geometry/support.h"
#include "geometry/triangle_surface.h"

namespace rigor {

/// A flat round face and the rim around it.
struct Disc {
  Vec3<double> centre, normal;  ///< outward
  double radius = 0.0;
};

/// Sphere: one vertex; capsule: two vertices and the edge between them; box and hull: their polytope, radius 0. Cylinder: its
/// axis as an edge whose side is round, and two discs, −z first; cone: its apex, and one disc. An ellipsoid is a whole. A
/// plane is one face without borders. A surface of triangles is no convex thing: its core only numbers what it is made of, and
/// what asks for directions looks at its triangles one by one (thin_triangle.h).
struct Solid {
  ShapeKind kind = ShapeKind::kSphere;
  Vec3<double> size;  ///< as in Shape
  std::shared_ptr<const Polytope> core = {};
  double radius = 0.0;       ///< [m] that the core is grown by
  double edge_radius = 0.0;  ///< [m] of the side around an edge: as `radius`, or that of a cylinder
  Disc discs[2] = {};
  int disc_count = 0;
  std::shared_ptr<const Surface> surface = {};
  double extent =
      0.0;  ///< [m] of a triangle that lies far from the origin of its frame; 0: its radius about that is as good

  bool isBall() const { return kind == ShapeKind::kSphere; }
  bool isSurface() const { return surface != nullptr; }
  bool isPlane() const { return kind == ShapeKind::kPlane; }
  /// One contact along the true distance is all there is to it.
  bool isWhole() const { return kind == ShapeKind::kEllipsoid; }
  bool isCurved() const { return disc_count > 0 || isWhole(); }
  /// Faces are numbered through: those of the core, then the discs.
  int faceCount() const { return static_cast<int>(core->faces.size()) + disc_count; }
  const Disc* discOfFace(int face) const {
    const int disc = face - static_cast<int>(core->faces.size());
    return disc >= 0 ? &discs[disc] : nullptr;
  }
};

/// A material point of a rim counts as a vertex: this, the disc, and where it is on the rim in parts of a turn.
/// Next to an apex a rim turns around in a micrometre; above faces 2^22 parts are enough (kCoarseAzimuth of them are one).
inline constexpr int kRimPoint = 1 << 30, kAzimuthBits = 29, kAzimuths = 1 << kAzimuthBits, kCoarseAzimuth = 1 << 7;
constexpr int rimPoint(int disc, int azimuth) { return kRimPoint | disc << kAzimuthBits | (azimuth & (kAzimuths - 1)); }
constexpr bool isRimPoint(int vertex) { return (vertex & kRimPoint) != 0; }
constexpr int discOfRimPoint(int vertex) { return vertex >> kAzimuthBits & 1; }
constexpr int azimuthOfRimPoint(int vertex) { return vertex & (kAzimuths - 1); }

/// A point of an edge counts as a vertex too: this, the edge, and where it is between its ends. The first 256 edges have 2^20 − 1 parts,
/// the others 2^15 − 1. Of a cone: of its side, where the square of the share is that of the way from the apex, next to which it is bent
/// most.
inline constexpr int kEdgePoint = 1 << 29, kFine = 1 << 28, kFineBits = 20, kCoarseBits = 15;
inline constexpr int kFineEdges = 1 << (28 - kFineBits), kMostEdgesWithPoints = 1 << (28 - kCoarseBits);
constexpr int sharesOf(int edge) { return (1 << (edge < kFineEdges ? kFineBits : kCoarseBits)) - 1; }
constexpr int edgePoint(int edge, int share) {
  return kEdgePoint | (edge < kFineEdges ? kFine | edge << kFineBits : edge << kCoarseBits) | share;
}
constexpr bool isEdgePoint(int vertex) { return (vertex & (kRimPoint | kEdgePoint)) == kEdgePoint; }
constexpr int edgeOfPoint(int vertex) {
  return (vertex & kFine) != 0 ? (vertex & (kFine - 1)) >> kFineBits : (vertex & (kFine - 1)) >> kCoarseBits;
}
constexpr int shareOfPoint(int vertex) { return vertex & sharesOf(edgeOfPoint(vertex)); }
constexpr double portionOfPoint(int vertex) {
  return static_cast<double>(shareOfPoint(vertex)) / sharesOf(edgeOfPoint(vertex));
}

/// The same place on an edge of another number.
constexpr int withEdge(int vertex, int edge) {
  const double share = portionOfPoint(vertex) * sharesOf(edge);
  return edgePoint(edge, static_cast<int>(share + 0.5));
}

Solid makeSolid(const Shape& shape);

/// A solid at a pose.
struct PlacedSolid {
  const Solid* solid = nullptr;
  Transform<double> X_WS;
  Vec3<double> origin;  ///< the point O that its link's poses are relative to, in the world

  ConvexShape view() const { return {solid->kind, solid->size, solid->core.get(), X_WS}; }
  const Polytope& core() const { return *solid->core; }
  double radius() const { return solid->radius; }
  double edgeRadius() const { return solid->edge_radius; }
  /// What a vertex is grown by; the ends of a cylinder's axis by its side.
  double vertexRadius(int index) const {
    if (isRimPoint(index)) return 0.0;
    if (isEdgePoint(index)) return solid->kind == ShapeKind::kCone ? coneBall(index).radius : solid->edge_radius;
    return solid->kind == ShapeKind::kCylinder ? solid->edge_radius : solid->radius;
  }
  Vec3<double> toLocal(const Vec3<double>& point) const { return transposeTimes(X_WS.R, point - X_WS.p); }
  Vec3<double> vertex(int index) const {
    if (isRimPoint(index)) return X_WS * localRimPoint(index);
    if (isEdgePoint(index)) return X_WS * localEdgePoint(index);
    return X_WS * core().vertices[index];
  }
  Vec3<double> localRimPoint(int index) const {
    const Disc& disc = solid->discs[discOfRimPoint(index)];
    const double angle = 2.0 * std::numbers::pi / kAzimuths * azimuthOfRimPoint(index);
    const auto [sine, cosine] = sincos(angle);
    return disc.centre + Vec3<double>{disc.radius * cosine, disc.radius * sine, 0.0};
  }
  /// The ball that touches the side of a cone at a share of the way from its apex to its rim.
  struct ConeBall {
    double depth, radius;  ///< under the apex
  };
  ConeBall coneBall(int index) const {
    const double r = solid->size.x, height = 2.0 * solid->size.y, root = portionOfPoint(index), share = root * root;
    const double slant = std::sqrt(r * r + height * height);
    return {share * slant * slant / height, share * slant * r / height};
  }
  Vec3<double> localEdgePoint(int index) const {
    if (solid->kind == ShapeKind::kCone) return core().vertices[0] - Vec3<double>{0.0, 0.0, coneBall(index).depth};
    const Polytope::Edge& e = core().edges[edgeOfPoint(index)];
    const double share = portionOfPoint(index);
    return (1.0 - share) * core().vertices[e.vertex[0]] + share * core().vertices[e.vertex[1]];
  }
  Vec3<double> edge(int index) const {  ///< from its first vertex to its second
    const Polytope::Edge& e = core().edges[index];
    return X_WS.R * (core().vertices[e.vertex[1]] - core().vertices[e.vertex[0]]);
  }
  Vec3<double> edgeStart(int index) const { return vertex(core().edges[index].vertex[0]); }
  Vec3<double> normal(int face) const {
    const Disc* disc = solid->discOfFace(face);
    return X_WS.R * (disc ? disc->normal : core().faces[face].normal);
  }
  Vec3<double> facePoint(int face) const {  ///< a point of its plane
    if (const Disc* disc = solid->discOfFace(face)) return X_WS * disc->centre;
    return vertex(core().corner_vertex[core().faces[face].first]);
  }
  Vec3<double> axis() const { return X_WS.R.z; }
};

/// The point of a core that is nearest to a point, both in the frame of the shape.
struct NearestPoint {
  Vec3<double> point;
  int inside_face = -1;  ///< ≥ 0: the given point lies inside, and this is the face that it is nearest to
};
NearestPoint nearestOnCore(const Polytope& core, const Vec3<double>& from);

/// Least distance of two parallel planes that hold the solid, roughly and rather less.
double thicknessOf(const Solid& solid);

}  // namespace rigor
