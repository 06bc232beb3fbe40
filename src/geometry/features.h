// What a shape touches a plane or a sphere with: balls, of radius zero at the corners of a box.
#pragma once

#include <vector>

#include "math/vec3.h"
#include "rigor/shape.h"

namespace rigor {

struct SphereFeature {
  Vec3<double> centre;  ///< in the frame of the shape
  double radius = 0.0;
};

/// Sphere 1; capsule 2, the end at −z first; box its vertices, in the order of the polytope; others none. The
/// index is part of a contact's id: it never changes.
std::vector<SphereFeature> sphereFeatures(const Shape& shape);

/// True if shapes of these kinds touch with balls and planes only, all of whose pairs are known beforehand (gap.h); in
/// either order.
bool haveBallFeatures(ShapeKind kind_1, ShapeKind kind_2);

/// True if there is contact code for two shapes of these kinds, in either order.
bool haveContactCode(ShapeKind kind_1, ShapeKind kind_2);

}  // namespace rigor
