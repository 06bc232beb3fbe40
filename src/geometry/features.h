// What a shape touches a plane or a sphere with: balls, of radius zero at the corners of a box.
#pragma once

#include "math/vec3.h"
#include "rigor/shape.h"

namespace rigor {

struct SphereFeature {
  Vec3<double> centre;  ///< in the frame of the shape
  double radius = 0.0;
};

inline constexpr int kMaxSphereFeatures = 8;

/// Fills `out` and returns how many there are: sphere 1; capsule 2, the end at −z first; box 8 corners, bits 0, 1, 2 of
/// the index are the signs of x, y, z (set: positive); plane 0. The index is part of a contact's id: it never changes.
int sphereFeatures(const Shape& shape, SphereFeature out[kMaxSphereFeatures]);

/// True if two shapes of these kinds touch with features that pairs are made of (gap.h); in either order.
bool haveContactCode(ShapeKind kind_1, ShapeKind kind_2);

}  // namespace rigor
