// Surfaces of triangles: how far a solid is from them, triangle by triangle, and whether it is behind them.
#pragma once

#include "verify/distance.h"

namespace rigor::verify {

/// The least distance of a solid from the triangles of a surface; a solid behind a surface with one side, inside a closed mesh or
/// under a height field, overlaps it. Where no triangle is near, a lower bound. The direction is from the surface to the solid.
Separation separateSurface(const PlacedSolid& surface, const PlacedSolid& solid);

/// The nearest point of a face of a surface, which goes on beyond sides where it does not end (Solid::ends).
struct OverTriangle {
  Vec point;
  Real height = 0;    ///< over the plane of the face
  bool over = false;  ///< the foot of the point is on the face
};
OverTriangle findOverTriangle(const PlacedSolid& surface, int face, const Vec& from);

/// From a point in the frame of a surface to the nearest of its triangles.
Real distanceFromTriangles(const Solid& surface, const Vec& point);

/// A triangle of a surface as a solid with a front and a back.
Solid solidOfFace(const Solid& surface, int face);

}  // namespace rigor::verify
