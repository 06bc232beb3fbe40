// Runs on surfaces of triangles, and the second opinion on them.
#include <gtest/gtest.h>

#include "simulation/solid_scenes.h"
#include "simulation/surface_scenes.h"
#include "verify/recorded_runs.h"
#include "verify/surface.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

double flat(double, double) { return 0.0; }

Eigen::Quaterniond turn(const Vector3d& axis, double angle) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()));
}

SolidWorld solidOnHills(const Shape& shape) {
  SolidWorld world;
  world.dt = 2e-3;
  world.bodies = {{makeHeightField(makeField(16, 1.0, hills)), {}, true},
                  {shape, {{0.03, 0.02, 0.2}, turn({1, 2, 0}, 0.2)}}};
  return world;
}

TEST(SecondOpinionOnSurfaces, AgreesOnSolidsThatFallOnHills) {
  for (const Shape& shape :
       {makeSphere(0.05), makeCapsule(0.03, 0.05), makeBox({0.06, 0.05, 0.03}), makeEllipsoid({0.06, 0.05, 0.03})}) {
    SCOPED_TRACE(static_cast<int>(shape.kind));
    const Recording recording = recordRun(solidOnHills(shape).scene(), 250);
    EXPECT_EQ(recording.steps(), 250);
    expectAgreement(recording);
  }
}

TEST(SecondOpinionOnSurfaces, AgreesOnABlockThatSlidesOverASheetAndABoxOfTriangles) {
  for (const bool open : {true, false}) {
    SolidWorld world;
    world.friction = 0.3, world.dt = 2e-3;
    const Shape floor = makeTriangles(open ? makeSheet(9, 1.5, flat) : makeCutBox({1.5, 1.5, 0.25}, 5));
    world.bodies = {{floor, {{0, 0, open ? 0.0 : -0.25}}, true},
                    {makeBox({0.1, 0.08, 0.05}), {{-1.0, 0.07, 0.05}, turn({0, 0, 1}, 0.2)}, false, {2, 0, 0}}};
    const Recording recording = recordRun(world.scene(), 250);
    EXPECT_EQ(recording.steps(), 250);
    expectAgreement(recording);
  }
}

/// A header's entry for triangles; its polytope is the only one.
verify::Solid readTriangles(const Mesh& mesh, bool two_sided) {
  verify::Json polytope = {{"vertices", verify::Json::array()}, {"faces", verify::Json::array()}};
  for (const Vector3d& v : mesh.vertices) polytope["vertices"].push_back({v.x(), v.y(), v.z()});
  for (const auto& triangle : mesh.triangles) polytope["faces"].push_back(triangle);
  return verify::readSolid({{"kind", "triangles"},
                            {"body", -1},
                            {"size", {1.0, 1.0, 1.0}},
                            {"polytope", 0},
                            {"two_sided", two_sided},
                            {"frame", {{"position", {0.0, 0.0, 0.0}}, {"quaternion_wxyz", {1.0, 0.0, 0.0, 0.0}}}}},
                           verify::Json::array({polytope}));
}

TEST(SecondOpinionOnSurfaces, MeasuresAsCollideDoesAndKnowsWhatIsInside) {
  const auto mesh = makeCutBox({0.5, 0.4, 0.3}, 2);
  const verify::Solid surface = readTriangles(*mesh, false);
  const Shape box = makeBox({0.5, 0.4, 0.3}), ball = makeSphere(0.05);
  verify::Solid other;
  other.kind = verify::SolidKind::kGrown, other.corners = {{}}, other.radius = other.bound = 0.05L;
  other.thickness = 0.1L;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> place(-0.8, 0.8);
  int inside = 0;
  for (int i = 0; i < 300; ++i) {
    const Vector3d p(place(random), place(random), place(random));
    const double known = collide(box, {}, ball, {p, Eigen::Quaterniond::Identity()}, 0.0).distance;
    const verify::Pose X{{}, {p.x(), p.y(), p.z()}};
    const auto found = verify::findSeparation(verify::placeAt(surface, {}), verify::placeAt(other, X), {});
    EXPECT_EQ(found.distance < 0, known < 0.0) << p.transpose();
    // where no triangle's box is near, a lower bound; inside the number says no more than that it is
    EXPECT_LE(static_cast<double>(found.distance), known < 0.0 ? 0.0 : known + 1e-12);
    if (known > 0.0 && known < 1e-3) {
      EXPECT_NEAR(static_cast<double>(found.distance), known, 1e-12);
    }
    inside += known < -0.05;
  }
  EXPECT_GT(inside, 10);
}

}  // namespace
}  // namespace rigor
