// Along which normals the edges and vertices of a surface of triangles may push.
//
// A triangle pushes along its own normal. An edge or a vertex pushes only along normals that the surface has there: those in whose
// direction nothing around it rises. Between two triangles of one plane, and in a valley, that is none, so that what slides over
// the seams of a floor does not feel them. Everything is in the frame of the surface.
#pragma once

#include "geometry/triangle_surface.h"

namespace rigor {

/// n is a unit vector, from the surface to whoever touches it.
bool edgeHasNormal(const Surface& surface, int edge, const Vec3<double>& n);
bool vertexHasNormal(const Surface& surface, int vertex, const Vec3<double>& n);

/// The same where a triangle reaches farthest along n: at its face, at an edge that lies across n, or at a corner.
bool triangleHasNormal(const Surface& surface, int triangle, const Vec3<double>& n);

/// What of a triangle is nearest to a point.
struct TriangleSpot {
  enum class On : std::uint8_t { kFace, kEdge, kVertex };

  Vec3<double> point;
  On on = On::kFace;
  int number = 0;       ///< of the face, edge or vertex, in the surface
  double height = 0.0;  ///< [m] of the given point above the plane of the triangle
};
/// A point beside the triangle by no more than rounding is above its face: there are no holes between triangles.
TriangleSpot nearestOnTriangle(const Surface& surface, int triangle, const Vec3<double>& from);

/// The same for a face that goes on, as its plane, beyond edges where the surface does not fall away from it: flat ones and those
/// of valleys. The distance is smooth, and for what rolls over a flat seam it does not even change. On kFace or kEdge; `number` is
/// the face.
TriangleSpot nearestOnFace(const Surface& surface, int face, const Vec3<double>& from);
/// Whether the foot of a point is on a face that goes on so.
bool isOverFace(const Surface& surface, int face, const Vec3<double>& from);

/// How near a point comes to a triangle on the straight way from one place to another.
double distanceOnWay(const Surface& surface, int triangle, const Vec3<double>& from, const Vec3<double>& to);

/// Whether the surface pushes from a spot towards the point that the spot is nearest to; a back pushes if there are two sides.
bool spotHasNormal(const Surface& surface, const TriangleSpot& spot, const Vec3<double>& from);

/// True if a point is in the solid behind a surface with one side: inside a closed mesh, or under a height field.
bool isBehind(const Surface& surface, const Vec3<double>& point);

}  // namespace rigor
