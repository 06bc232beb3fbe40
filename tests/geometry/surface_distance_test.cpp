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

// Beside the border no normal of the ground leads from its nearest corner to the shape: that of a farther corner once counted,
// and made the distance 3 % too large.
TEST(SurfaceDistance, IsThatOfTheNearestTriangleForWhatIsBesideAHeightField) {
  HeightField field{
      "", 6, 6, 1.0, 1.0, {0.0003,  -0.1459, -0.0228, -0.1695, 0.1531, -0.1827, -0.1148, 0.0984,  -0.1892,
                           0.1793,  -0.1447, -0.0291, -0.1401, 0.1359, 0.0919,  0.1987,  -0.0035, -0.0557,
                           -0.1915, -0.1834, 0.0835,  0.0677,  0.0585, -0.0628, -0.0828, 0.1845,  0.0525,
                           -0.1817, -0.0798, -0.0017, 0.0740,  0.0594, -0.1988, -0.1932, -0.0781, 0.1630}};
  const Shape ground = makeHeightField(field), capsule = makeCapsule(0.608, 0.1466);
  const Pose X_WG{Vector3d::Zero(), Eigen::Quaterniond(-0.0034, 0.6228, 0.1879, -0.7594).normalized()};
  const Pose X_WC{{-1.4427, 2.7207, 1.5704}, Eigen::Quaterniond(0.0415, 0.9908, -0.1258, 0.0269).normalized()};
  const Pose X_GC{X_WG.rotation.conjugate() * X_WC.position, X_WG.rotation.conjugate() * X_WC.rotation};
  // rounding of two sums in frames that are turned against each other
  EXPECT_NEAR(collide(ground, X_WG, capsule, X_WC, 0.0).distance, leastOfTriangles(meshOf(field), capsule, X_GC),
              1e-14);
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
