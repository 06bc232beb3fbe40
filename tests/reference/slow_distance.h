// The signed distance of convex shapes, slowly: long double, every face, every pair of edges, every direction.
#pragma once

#include "rigor/shape.h"

namespace rigor::reference {

/// Boxes and hulls: all face normals and all pairs of edges where they overlap, all pairs of features where they are apart.
/// Other kinds: a dense set of directions, the best of them refined by two golden sections, one within the other.
/// The direction `also` is one of the starts: the separation along any direction is a lower bound, so the normal of the
/// code under test can only help to find the summit, never feign one.
double slowDistance(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB, const Eigen::Vector3d& also);

}  // namespace rigor::reference
