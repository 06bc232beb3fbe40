// Triangles and height fields against their triangles one by one, and against the solid that they enclose.
#include "geometry/surface_distance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/convert.h"
#include "geometry/polytope.h"
#include "geometry/shape_check.h"
#include "meshes.h"
#include "reference/random_shapes.h"
#include "rigor/collide.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

constexpr ShapeKind kConvexKinds[] = {ShapeKind::kSphere, ShapeKind::kCapsule,   ShapeKind::kBox, ShapeKind::kCylinder,
                                      ShapeKind::kCone,   ShapeKind::kEllipsoid, ShapeKind::kHull};

double leastOfTriangles(const Mesh& mesh, const Shape& shape, const Pose& X_WS) {
  const ConvexShape view = viewOf(shape, toTransform(X_WS));
  double least = 1e300;
  for (const auto& t : mesh.triangles) {
    const Polytope thin =
        makePolytope({toVec3(mesh.vertices[t[0]]), toVec3(mesh.vertices[t[1]]), toVec3(mesh.vertices[t[2]])},
                     {{0, 1, 2}, {0, 2, 1}});
    const ConvexShape triangle{ShapeKind::kHull, {}, &thin, Transform<double>::identity()};
    least = std::min(least, findSeparation(triangle, view).distance);
  }
  return least;
}

HeightField ruggedField(std::mt19937_64& random) {
  std::uniform_real_distribution<double> height(-0.2, 0.2);
  HeightField field{"", 6, 6, 1.0, 1.0, {}};
  for (int i = 0; i < 36; ++i) field.heights.push_back(height(random));
  return field;
}

// A ridge that pierces an ellipsoid or a cone may reach into it with triangles of which none has a normal that leads out:
// such a pair once counted as apart.
TEST(SurfaceDistance, IsBelowZeroWhereverATriangleReachesIntoAShape) {
  std::mt19937_64 random(23);
  int reaching = 0, apart = 0;
  for (int i = 0; i < 200; ++i) {
    const HeightField field = ruggedField(random);
    const Shape ground = makeHeightField(field);
    for (const ShapeKind kind : kConvexKinds) {
      const Shape shape = reference::randomShape(random, kind, 0.5);
      const Pose X{Vector3d(0.3 * std::sin(i), 0.3 * std::cos(i), 0.3 * std::sin(0.7 * i)),
                   reference::randomRotation(random)};
      const double least = leastOfTriangles(meshOf(field), shape, X);
      const double distance = collide(ground, {}, shape, X, 0.0).distance;
      SCOPED_TRACE(testing::Message() << shapeKindName(kind) << " " << i);
      if (least < -1e-9) {
        EXPECT_LT(distance, 0.0);
        ++reaching;
      } else if (least > 1e-9 && distance > 0.0) {
        EXPECT_NEAR(distance, least, 1e-9);
        ++apart;
      }
    }
  }
  EXPECT_GT(reaching, 500);
  EXPECT_GT(apart, 50);
}

TEST(SurfaceDistance, IsThatOfTheSolidWhereShapesTouchItButBesideCorners) {
  const Vector3d half(0.4, 0.5, 0.3);
  const Shape solid = makeBox(half), shell = makeTriangles(share(boxMesh(-half, 2.0 * half)));
  std::mt19937_64 random(29);
  int touching = 0, exact = 0;
  for (const ShapeKind kind : kConvexKinds)
    for (int i = 0; i < 200; ++i) {
      const Shape shape = reference::randomShape(random, kind, 0.3);
      const Vector3d direction = reference::randomRotation(random) * Vector3d::UnitZ();
      Pose X{(0.5 + 0.005 * (i % 100)) * direction, reference::randomRotation(random)};
      const Collision away = collide(solid, {}, shape, X, 0.0);
      if (away.distance < 0.0) continue;
      const double gap = -1e-6 * (i % 3);
      X.position += (gap - away.distance) * away.normal;
      const Collision expected = collide(solid, {}, shape, X, 1e-3), c = collide(shell, {}, shape, X, 1e-3);
      // beside a corner the shortest way out of the solid may be no way out of a single triangle: then one along a face is
      // taken, which is longer, but never by more than the overlap; and at no overlap there is none
      EXPECT_LE(c.distance, expected.distance + 1e-9) << shapeKindName(kind) << " " << i;
      EXPECT_GE(c.distance, 2.0 * gap - 1e-9) << shapeKindName(kind) << " " << i;
      exact += std::fabs(c.distance - expected.distance) <= 1e-9;
      ++touching;
    }
  EXPECT_GT(touching, 500);
  EXPECT_GT(exact, 0.98 * touching);
}

}  // namespace
}  // namespace rigor
