// A convex shape against a surface of triangles.
#pragma once

#include <vector>

#include "geometry/manifold.h"
#include "geometry/triangle_surface.h"

namespace rigor {

/// Distance and points, the surface being side 1. A triangle takes part with normals that the surface has there: its own, and
/// those between it and its neighbours at convex edges and corners. So a shape that slides over a flat side meets no edge.
Separation meetSurface(const Surface& surface, const Transform<double>& X_WS, const ConvexShape& shape, double margin,
                       std::vector<ManifoldPoint>& out);

}  // namespace rigor
