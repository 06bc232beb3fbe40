// Names and checks of shapes, for messages.
#pragma once

#include "rigor/shape.h"

namespace rigor {

/// Throws Error if a size is not finite or not positive (the half length of a capsule may be zero).
void checkShape(const Shape& shape);

const char* shapeKindName(ShapeKind kind);  ///< "sphere", "capsule", "box", "plane"

}  // namespace rigor
