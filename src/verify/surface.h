// Surfaces of triangles: how far a solid is from them, triangle by triangle, and whether it is behind them.
#pragma once

#include "verify/distance.h"

namespace rigor::verify {

/// The least distance of a solid from the triangles of a surface; a solid behind a surface with one side, inside a closed mesh or
/// under a height field, overlaps it. Where no triangle is near, a lower bound. The direction is from the surface to the solid.
Separation separateSurface(const PlacedSolid& surface, const PlacedSolid& solid);

/// From a point to a face of a surface: in front of the face, or beside it, to the nearest point of the triangle; behind it minus
/// the depth.
struct OverTriangle {
  Vec point;          ///< of the triangle
  Real height = 0;    ///< over the plane of the face
  bool over = false;  ///< the foot of the point is in the triangle, up to 1e-9 of its size
};
OverTriangle findOverTriangle(const PlacedSolid& surface, int face, const Vec& from);

}  // namespace rigor::verify
