// Shapes that are turned and slid in small steps: distance and normal move no faster than the shapes.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "reference/random_shapes.h"
#include "rigor/collide.h"
#include "rigor/mesh.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

constexpr double kStep = 1e-4;
constexpr double kPi = std::numbers::pi;

Eigen::Quaterniond about(const Vector3d& axis, double angle) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()));
}

struct Jumps {
  double distance = 0.0, normal = 0.0;
};

/// Largest change from step to step while `pose` moves the second shape over [0, end].
template <class PoseAt>
Jumps jumpsOf(const Shape& a, const Shape& b, double end, PoseAt poseAt) {
  Jumps jumps;
  Collision last;
  for (double t = 0.0; t < end; t += kStep) {
    const Collision now = collide(a, {}, b, poseAt(t), 0.01);
    if (t > 0.0) {
      jumps.distance = std::max(jumps.distance, std::fabs(now.distance - last.distance));
      jumps.normal = std::max(jumps.normal, (now.normal - last.normal).norm());
    }
    last = now;
  }
  return jumps;
}

// A point of the second shape moves by at most its distance from the pivot times the step, and a distance cannot change by
// more; 1e-9 is what round surfaces are exact to.

TEST(Continuity, ABoxTurnedOverAnEdgeHasNoJump) {
  const Shape floor = makeBox({1, 1, 0.1}), box = makeBox({0.1, 0.1, 0.1});
  const Jumps jumps = jumpsOf(floor, box, kPi / 2, [](double t) {
    const Vector3d pivot(0.1, 0, 0.1 + 1e-3), arm(-0.1, 0, 0.1);
    const Eigen::Quaterniond q = about(Vector3d::UnitY(), t);
    return Pose{pivot + q * arm, q};
  });
  EXPECT_LE(jumps.distance, kStep * 0.3 + 1e-12);
  EXPECT_LE(jumps.normal, 1e-10);  // the floor's face has the only normal
}

TEST(Continuity, ABoxSlidOffAnEdgeTurnsItsNormalSmoothly) {
  const Shape floor = makeBox({1, 1, 0.1}), box = makeBox({0.1, 0.1, 0.1});
  const Jumps jumps = jumpsOf(floor, box, 0.5, [](double t) {
    return Pose{Vector3d(0.9 + t, 0, 0.1 + 0.2), about(Vector3d::UnitY(), kPi / 4)};
  });
  EXPECT_LE(jumps.distance, kStep + 1e-12);
  // apart by d the normal turns by at most the way over d; d stays above 0.05 m
  EXPECT_LE(jumps.normal, kStep / 0.05);
}

TEST(Continuity, ACylinderTurnedFromStandingToLyingHasNoJump) {
  for (const Shape& floor : {makeBox({1, 1, 0.1}), makePlane()}) {
    const double top = floor.kind == ShapeKind::kPlane ? 0.0 : 0.1;
    const Jumps jumps = jumpsOf(floor, makeCylinder(0.1, 0.2), kPi / 2, [top](double t) {
      const Vector3d pivot(0.1, 0, top + 1e-3), arm(-0.1, 0, 0.2);
      const Eigen::Quaterniond q = about(Vector3d::UnitY(), t);
      return Pose{pivot + q * arm, q};
    });
    EXPECT_LE(jumps.distance, kStep * 0.5 + 1e-9);
    EXPECT_LE(jumps.normal, 1e-6);
  }
}

TEST(Continuity, ACylinderSlidOverItsRimOnAnEdgeHasNoJumpInDistance) {
  const Jumps jumps = jumpsOf(makeBox({1, 1, 0.1}), makeCylinder(0.1, 0.2), 0.4, [](double t) {
    return Pose{Vector3d(0.85 + t, 0.02, 0.3 + 1e-3), Eigen::Quaterniond::Identity()};
  });
  EXPECT_LE(jumps.distance, kStep + 1e-9);
}

TEST(Continuity, EveryPairHasDistancesThatMoveNoFasterThanItsShapes) {
  std::mt19937_64 random(17);
  for (const ShapeKind a :
       {ShapeKind::kBox, ShapeKind::kCylinder, ShapeKind::kCone, ShapeKind::kEllipsoid, ShapeKind::kHull})
    for (const ShapeKind b :
         {ShapeKind::kCapsule, ShapeKind::kBox, ShapeKind::kCylinder, ShapeKind::kEllipsoid, ShapeKind::kHull}) {
      const Shape first = reference::randomShape(random, a, 1.0), second = reference::randomShape(random, b, 1.0);
      const Eigen::Quaterniond start = reference::randomRotation(random);
      const Vector3d from(1.7, 0.3, 0.1), way(-2.0, 0.1, 0.2);
      // from apart through touching to deep inside and out again
      const Jumps jumps = jumpsOf(
          first, second, 0.4, [&](double t) { return Pose{from + 2.5 * t * way, start * about({1, 2, 3}, 2.5 * t)}; });
      const double speed = 2.5 * (way.norm() + 2.0);  // no point is farther than 2 m from the second origin
      EXPECT_LE(jumps.distance, kStep * speed) << static_cast<int>(a) << " " << static_cast<int>(b);
    }
}

/// A square of side 2 in z = 0 looking up, cut by a diagonal; a flat height field of 4 × 4 cells.
Shape flatTriangles() {
  auto mesh = std::make_shared<Mesh>();
  mesh->vertices = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  mesh->triangles = {{0, 1, 2}, {0, 2, 3}};
  return makeTriangles(mesh);
}
Shape flatField() { return makeHeightField({"", 5, 5, 1.0, 1.0, std::vector<double>(25, 0.0)}); }

Shape pyramid() {
  return reference::slowHull({{-0.1, -0.1, -0.1}, {0.1, -0.1, -0.1}, {0.1, 0.1, -0.1}, {-0.1, 0.1, -0.1}, {0, 0, 0.1}});
}

TEST(Continuity, AHullOverASeamFeelsNothing) {
  for (const Shape& floor : {flatTriangles(), flatField()})
    for (const double overlap : {-1e-6, 0.0, 1e-6, 1e-3}) {
      const Jumps jumps = jumpsOf(floor, pyramid(), 0.4, [&](double t) {
        return Pose{Vector3d(-0.2 + t, 0.03, 0.1 - overlap), about(Vector3d::UnitZ(), 0.3)};
      });
      // the height does not change, and up is the only normal
      EXPECT_LE(jumps.distance, 1e-15) << overlap;
      EXPECT_LE(jumps.normal, 1e-15) << overlap;
    }
}

TEST(Continuity, ATumblingHullOverASeamHasTheDistanceOfThePlane) {
  for (const Shape& floor : {flatTriangles(), flatField()})
    for (double t = 0.0; t < 0.5; t += kStep) {
      const Pose X{Vector3d(-0.2 + t, 0.03, 0.11), about({1, 2, 0.5}, 6.0 * t)};
      const Collision c = collide(floor, {}, pyramid(), X, 0.01), plane = collide(makePlane(), {}, pyramid(), X, 0.01);
      if (plane.distance < -0.02) continue;  // deeper, a part of it may be nearer to the border than to the surface
      ASSERT_NEAR(c.distance, plane.distance, 1e-14) << t;
      ASSERT_LE((c.normal - plane.normal).norm(), 1e-9) << t;
    }
}

TEST(Continuity, ABoxTurnedOverAnEdgeWhileItOverlapsHasNoJump) {
  const Shape floor = makeBox({1, 1, 0.1});
  for (const Shape& box : {makeBox({0.1, 0.1, 0.1}), pyramid()})
    for (const double overlap : {1e-9, 1e-6, 1e-3, 1e-2}) {
      const Jumps jumps = jumpsOf(floor, box, kPi / 2, [&](double t) {
        const Vector3d pivot(0.1, 0, 0.1 - overlap), arm(-0.1, 0, 0.1);
        const Eigen::Quaterniond q = about(Vector3d::UnitY(), t);
        return Pose{pivot + q * arm, q};
      });
      EXPECT_LE(jumps.distance, kStep * 0.3 + 1e-12);
      EXPECT_LE(jumps.normal, 1e-10);  // up is the shortest way out all the time
    }
}

TEST(Continuity, ABoxTurnedOnItsEdgeByTinyAnglesHasNoJump) {
  // from flat to tilted and back through angles at which faces and edges are parallel to rounding
  const Shape floor = makeBox({1, 1, 0.1});
  for (const Shape& box : {makeBox({0.1, 0.1, 0.1}), makeCylinder(0.1, 0.1)}) {
    double last = 0.0;
    for (int exponent = -160; exponent <= -10; ++exponent) {
      const double angle = std::pow(10.0, 0.1 * exponent);
      const Vector3d pivot(0.1, 0, 0.1), arm(-0.1, 0, 0.1);
      const Eigen::Quaterniond q = about(Vector3d::UnitY(), angle);
      const Collision c = collide(floor, {}, box, {pivot + q * arm, q}, 0.01);
      ASSERT_NEAR(c.distance, 0.0, 1e-15) << angle;  // the pivot touches
      ASSERT_LE((c.normal - Vector3d::UnitZ()).norm(), 1e-9) << angle;
      last = angle;
    }
    EXPECT_GT(last, 0.09);
  }
}

TEST(Continuity, ACylinderSlidOverTheEdgeLyingAndStandingHasNoJumpHoweverDeep) {
  const Shape floor = makeBox({1, 1, 0.1}), cylinder = makeCylinder(0.1, 0.2);
  for (const double overlap : {-1e-3, 1e-6, 1e-3})
    for (const double tilt : {0.0, 0.3, kPi / 2}) {
      const Eigen::Quaterniond q = about(Vector3d::UnitY(), tilt);
      const double reach = 0.1 * std::fabs(std::sin(tilt)) + 0.2 * std::fabs(std::cos(tilt));
      const Jumps jumps = jumpsOf(floor, cylinder, 0.5,
                                  [&](double t) { return Pose{Vector3d(0.8 + t, 0.02, 0.1 + reach - overlap), q}; });
      EXPECT_LE(jumps.distance, kStep + 1e-9) << overlap << " " << tilt;
    }
}

}  // namespace
}  // namespace rigor
