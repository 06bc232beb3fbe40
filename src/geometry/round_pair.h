// Spheres and capsules among themselves: segments, which may be points, grown by radii. All in closed form.
#pragma once

#include "geometry/distance.h"

namespace rigor {

constexpr bool isRoundCore(ShapeKind kind) { return kind == ShapeKind::kSphere || kind == ShapeKind::kCapsule; }

/// The signed distance of two spheres or capsules.
Separation separateRound(const ConvexShape& a, const ConvexShape& b);

/// Whether two spheres or capsules touch at their witnesses alone: seen along the normal, one of them is a point, or their
/// lines cross there or nowhere. False if that takes a closer look.
bool touchOnce(const ConvexShape& a, const ConvexShape& b, const Separation& separation);

}  // namespace rigor
