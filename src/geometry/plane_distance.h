// Everything that a plane meets: the vertices of what has them, the ends of capsules, the rims of cylinders and cones.
#pragma once

#include <vector>

#include "geometry/manifold.h"
#include "geometry/triangle_surface.h"

namespace rigor {

/// The plane z = 0 of the frame X_WP is side 1; the half space below it is solid.
Separation meetPlane(const Transform<double>& X_WP, const ConvexShape& shape, double margin,
                     std::vector<ManifoldPoint>& out);
Separation meetPlane(const Transform<double>& X_WP, const Surface& surface, const Transform<double>& X_WS,
                     double margin, std::vector<ManifoldPoint>& out);

}  // namespace rigor
