// Random convex shapes and pairs of poses, the nasty ones among them.
#pragma once

#include <random>
#include <vector>

#include "math/vec3.h"
#include "rigor/shape.h"

namespace rigor::reference {

/// The convex hull of points by trying every plane through three of them: O(n⁴), coplanar faces merged. Sets polytope, mesh
/// and size.
Shape slowHull(const std::vector<Vec3<double>>& points);

/// A shape of a convex kind whose sizes are around `size` [m]. Hulls: scattered points, prisms, lattices.
Shape randomShape(std::mt19937_64& random, ShapeKind kind, double size);

Eigen::Quaterniond randomRotation(std::mt19937_64& random);

struct PosedPair {
  Shape a, b;
  Pose X_WA, X_WB;
};

enum class PairStyle {
  kAnywhere,    ///< from apart to overlapping
  kDeep,        ///< centres near each other
  kConcentric,  ///< the same position, and for every other pair the same rotation
  kAligned,     ///< axes parallel, faces one at the other at −1e-3 … 1e-3 m
  kTiny,        ///< one a thousand times larger
  kFarAway,     ///< as anywhere, 1e4 m from the origin
  kTouching,    ///< a point of one at a point of the other with opposite normals, at −1e-3 … 1e-3 m
  kEdges,       ///< the same at the middles of edges; where a shape has none, at any point
  kInside,      ///< the smaller somewhere within the larger
  kCount
};

PosedPair randomPair(std::mt19937_64& random, ShapeKind a, ShapeKind b, PairStyle style);

/// The same shapes at other poses of the style.
void poseAgain(std::mt19937_64& random, PairStyle style, PosedPair& pair);

}  // namespace rigor::reference
