// How deep a solid is in a surface of triangles at the start of a run.
#pragma once

#include <vector>

#include "collision/collision_table.h"
#include "geometry/manifold.h"

namespace rigor {

/// The signed distance of the two shapes of a pair, of which one is a surface, with all points within the margin, from side 1 to
/// side 2. What is inside a closed mesh or under a height field overlaps it, however far its triangles are away; a surface with two
/// sides is only overlapped by what it cuts.
Separation meetSurface(const SolidPair& pair, const PlacedSolid& a, const PlacedSolid& b, double margin,
                       std::vector<ManifoldPoint>& points);

/// True if a solid is in a closed mesh, or under a height field, and reaches no triangle: nothing in a step would ever push it.
bool isSwallowed(const SolidPair& pair, const PlacedSolid& a, const PlacedSolid& b);

/// How far a solid that is wholly under a height field must rise along the z axis of the field until it lies on it [m]; 0 for
/// all others.
double liftOntoField(const SolidPair& pair, const PlacedSolid& a, const PlacedSolid& b);

}  // namespace rigor
