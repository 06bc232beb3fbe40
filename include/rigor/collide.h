// Two shapes at two poses: how far apart, in which direction, and all the points where they touch.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "rigor/shape.h"

namespace rigor {

/// A place where two surfaces touch, or nearly do.
struct TouchingPoint {
  Eigen::Vector3d point_1, point_2;  ///< on the surfaces, in the world: point_2 − point_1 = gap · normal
  Eigen::Vector3d normal;            ///< unit, from 1 to 2; that of the pair but where a side is made of triangles
  double gap = 0.0;                  ///< [m] negative: overlap
};

struct Collision {
  double distance = 0.0;  ///< [m] signed; apart: the gap; overlapping: minus the least way that separates them
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();   ///< unit, from 1 to 2
  Eigen::Vector3d point_1 = Eigen::Vector3d::Zero();  ///< witness on 1, in the world
  Eigen::Vector3d point_2 = Eigen::Vector3d::Zero();  ///< witness on 2: point_2 − point_1 = distance · normal
  /// All points with a gap of at most the margin: the corners of what the shapes have in common, seen along the normal.
  /// None is dropped because others are deeper. Empty if the distance is above the margin.
  std::vector<TouchingPoint> manifold;
};

/// A pure function: the same arguments give the same bits, and exchanging 1 and 2 gives the answer with 1 and 2 exchanged.
///
/// The distance is exact to 1e-12 of the larger shape for boxes, hulls, spheres, capsules and planes, 1e-10 where cylinders,
/// cones or ellipsoids take part. Where several directions are equally short, as between concentric spheres, one is taken.
/// Triangles and height fields are surfaces, solid on the side away from their normals: one that reaches into a shape is
/// left along its own normal or that of a convex edge, never across an edge that is only drawn on a flat side, and a shape
/// wholly behind the surface leaves it through the nearest triangle.
///
/// Rotations need not be unit quaternions; the margin [m] may be negative or infinite. Throws Error for poses or a margin
/// that are not numbers, for positions beyond 1e100 m, for shapes with sizes that no solid has, and for pairs of planes,
/// height fields and triangles, but a plane with triangles.
Collision collide(const Shape& shape_1, const Pose& X_W1, const Shape& shape_2, const Pose& X_W2, double margin);

/// The same into a result that is used again and again: no memory is asked for once the manifold had room.
void collide(const Shape& shape_1, const Pose& X_W1, const Shape& shape_2, const Pose& X_W2, double margin,
             Collision& out);

/// What of a shape has a point that `collide` gave, for people: "vertex", "edge" or "face" of boxes, hulls, planes and
/// triangles; "side", "rim", "apex" or "face" (a flat end) of cylinders and cones; "side" or "cap" of capsules; else "surface".
const char* featureAt(const Shape& shape, const Pose& X_WS, const Eigen::Vector3d& point);

/// False for the pairs that `collide` throws for, whatever their poses.
bool canCollide(ShapeKind kind_1, ShapeKind kind_2);

}  // namespace rigor
