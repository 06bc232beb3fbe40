// A proof that two shapes do not touch.
#pragma once

#include "rigor/shape.h"

namespace rigor {

/// A distance [m] that the two shapes certainly have, found from planes between them: with a unit vector d, no point
/// of B is nearer to A than min d·b − max d·a. Never above the true distance; at most zero where none was found, and
/// always where they overlap. One of them may be a plane.
double provenDistance(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB);

/// Radius of the ball around the origin of its frame that the shape fits into [m]; zero for a plane, which never moves.
double boundingRadius(const Shape& shape);

}  // namespace rigor
