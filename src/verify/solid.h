// Shapes as the second opinion knows them: corners, edges, faces and radii, and how far they reach in a direction.
#pragma once

#include "verify/header_text.h"

namespace rigor::verify {

enum class SolidKind {
  kUnknown,    ///< nothing is known of it
  kHalfSpace,  ///< below z = 0 of its frame
  kGrown,      ///< a core of corners, edges and faces, grown by a radius
  kCylinder,   ///< size = (radius, half length)
  kCone,       ///< size = (radius of the base, half height), apex at +z
  kEllipsoid,  ///< size = semi-axes
  kSurface,    ///< triangles; of a surface with two sides the backs follow the fronts
};

/// A shape in its own frame. A sphere is one corner, a capsule two and the edge between them, −z first. The ends of a cylinder's
/// axis are corners, and the axis is an edge; the apex of a cone is a corner. Discs are faces: −z first.
struct Solid {
  SolidKind kind = SolidKind::kUnknown;
  int body = -1;
  Pose frame;  ///< in the body
  Vec size;
  std::vector<Vec> corners;
  std::vector<std::array<int, 2>> edges;
  std::vector<std::vector<int>> faces;     ///< corners, counter-clockwise seen from outside
  std::vector<Vec> normals;                ///< [faces] outward
  std::vector<std::array<int, 2>> beside;  ///< [edges] the faces of a core that meet there; empty without faces
  bool closed = false, two_sided = false;  ///< of a surface
  std::vector<std::array<bool, 3>> ends;   ///< [faces] of a surface: sides beyond which it falls away, or there is none
  Real radius = 0;                         ///< that the core is grown by
  Real bound = 0;                          ///< of a ball around the frame's origin that holds it
  Real thickness = 0;                      ///< of two parallel planes that hold it, about the least distance

  bool isBall() const { return kind == SolidKind::kGrown && corners.size() == 1; }
  bool isCylinder() const { return kind == SolidKind::kCylinder; }
  bool isRound() const { return isCylinder() || kind == SolidKind::kCone || kind == SolidKind::kEllipsoid; }
  int discs() const { return isCylinder() ? 2 : kind == SolidKind::kCone ? 1 : 0; }
  int faceCount() const { return kind == SolidKind::kHalfSpace ? 1 : static_cast<int>(faces.size()) + discs(); }
};

/// `polytopes` are those of the header, for hulls.
Solid readSolid(const Json& shape, const Json& polytopes);

/// A solid at a pose, its corners and normals in the world. Those of a surface are too many to be placed for one look: corner()
/// and faceNormal() place one of them.
struct PlacedSolid {
  const Solid* solid = nullptr;
  Pose X;
  std::vector<Vec> corners, normals;

  Vec edge(int index) const {  ///< from its first corner to its second
    return corner(solid->edges[index][1]) - corner(solid->edges[index][0]);
  }
  Vec edgeStart(int index) const { return corner(solid->edges[index][0]); }
  Real edgeRadius() const { return solid->isCylinder() ? solid->size.x : solid->radius; }

  /// Faces: those of the core, the discs of what is round, and that of a half space.
  Vec faceNormal(int face) const;
  Vec facePoint(int face) const;
  /// Corners; points of rims by kRimPoint + disc · 2²⁹ + azimuth in parts of 2²⁹ of a turn; points of edges by kEdgePoint +
  /// kFinePoint + edge · 2²⁰ + share of the way between its ends in parts of 2²⁰ − 1, from the 256th on by kEdgePoint + edge · 2¹⁵ + share in
  /// parts of 2¹⁵ − 1; of the side of a cone its root.
  Vec corner(int number) const;
  Real cornerRadius(int number) const;
};
inline constexpr int kRimPoint = 1 << 30, kEdgePoint = 1 << 29, kFinePoint = 1 << 28;
constexpr int edgeOfPoint(int number) { return (number & (kFinePoint - 1)) >> ((number & kFinePoint) != 0 ? 20 : 15); }
PlacedSolid placeSolid(const Solid& solid, const Pose& body);
PlacedSolid placeAt(const Solid& solid, const Pose& X);  ///< X: where its own frame is

/// How far it reaches along a unit direction: the largest n · x of its points. Infinite for a half space that n does not
/// stand on.
Real reachOf(const PlacedSolid& solid, const Vec& n);

/// How far outside a solid a point is [m], about; 0 inside.
Real outsideOf(const PlacedSolid& solid, const Vec& point);

}  // namespace rigor::verify
