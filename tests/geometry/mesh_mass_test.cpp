// Mass properties of meshes against closed forms; what is told of open, inverted and broken ones.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>

#include "meshes.h"
#include "rigor/error.h"
#include "rigor/shape.h"

namespace rigor {
namespace {

void expectSame(const MassProperties& a, const MassProperties& b, double tolerance) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
  EXPECT_LE((a.com - b.com).norm(), tolerance);
  EXPECT_LE((a.inertia - b.inertia).norm(), tolerance * b.inertia.norm());
}

TEST(MeshMass, OfABoxIsThatOfTheBox) {
  const Eigen::Vector3d size(0.2, 0.5, 1.1), low(0.7, -0.3, 2.0);
  MassProperties box = computeMassProperties(makeBox(0.5 * size), 800.0);
  box.com = low + 0.5 * size;
  const auto mesh = share(boxMesh(low, size));
  // second moments about the first vertex are a few times those about the centre: a few roundings each
  expectSame(computeMassProperties(makeHull(mesh), 800.0), box, 1e-14);
  expectSame(computeMassProperties(makeTriangles(mesh), 800.0), box, 1e-14);
  EXPECT_NEAR(computeVolume(makeHull(mesh)), size.prod(), 1e-15);
}

TEST(MeshMass, OfABoxFarAwayLosesOnlyTheDigitsOfItsVertices) {
  const Eigen::Vector3d size(0.2, 0.5, 1.1), low(1e6, -1e6, 3e5);
  MassProperties box = computeMassProperties(makeBox(0.5 * size), 1.0);
  box.com = low + 0.5 * size;
  // vertices at 1e6 m are rounded to 1.2e-10 m, which is 6e-10 of the shortest edge
  expectSame(computeMassProperties(makeHull(share(boxMesh(low, size))), 1.0), box, 3e-9);
}

TEST(MeshMass, OfATetrahedronIsTheTextbookOne) {
  const Mesh corner{
      "corner", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  for (const Shape& shape : {makeHull(share(corner)), makeTriangles(share(corner))}) {
    const MassProperties mass = computeMassProperties(shape, 6.0);
    EXPECT_NEAR(mass.mass, 1.0, 1e-15);
    EXPECT_LE((mass.com - Eigen::Vector3d::Constant(0.25)).norm(), 1e-15);
    // ∫ x² = 1/10 and ∫ x y = 1/20 of the mass about the corner; less 1/16 about the centre of mass
    EXPECT_NEAR(mass.inertia(0, 0), 2.0 * (1.0 / 10 - 1.0 / 16), 1e-15);
    EXPECT_NEAR(mass.inertia(0, 1), -(1.0 / 20 - 1.0 / 16), 1e-15);
  }
}

TEST(MeshMass, OfFinerAndFinerBallsTendsToThatOfTheBallWithTheSquareOfTheEdge) {
  const MassProperties ball = computeMassProperties(makeSphere(1.0), 1.0);
  double before = 0.0;
  for (int rounds = 2; rounds < 6; ++rounds) {
    const MassProperties mass = computeMassProperties(makeTriangles(share(ballMesh(rounds))), 1.0);
    const double error = ball.mass - mass.mass;
    EXPECT_GT(error, 0.0);
    if (rounds > 2) {  // half the edge; the next order is a quarter of that again
      EXPECT_NEAR(before / error, 4.0, 0.25);
    }
    EXPECT_LE(mass.com.norm(), 1e-14);
    EXPECT_LE((mass.inertia - mass.inertia(0, 0) * Eigen::Matrix3d::Identity()).norm(), 1e-13);
    before = error;
  }
  EXPECT_LE(before, 3e-3 * ball.mass);
}

TEST(MeshReport, TellsWhetherAMeshIsClosedOpenOrInsideOut) {
  Mesh box = boxMesh({0, 0, 0}, {1, 1, 1});
  EXPECT_TRUE(inspectMesh(box).closed());
  EXPECT_NEAR(inspectMesh(box).volume, 1.0, 1e-15);
  for (auto& triangle : box.triangles) std::swap(triangle[1], triangle[2]);
  EXPECT_TRUE(inspectMesh(box).closed());
  EXPECT_NEAR(inspectMesh(box).volume, -1.0, 1e-15);
  std::swap(box.triangles[3][1], box.triangles[3][2]);
  EXPECT_EQ(inspectMesh(box).clashing_edges, 3);
  EXPECT_FALSE(inspectMesh(box).closed());
  box.triangles.erase(box.triangles.begin() + 3);
  EXPECT_EQ(inspectMesh(box).open_edges, 3);
  EXPECT_EQ(inspectMesh(box).clashing_edges, 0);
  box.triangles.push_back({1, 1, 2});
  EXPECT_EQ(inspectMesh(box).degenerate, 1);
  EXPECT_EQ(inspectMesh(box).open_edges, 3);
}

TEST(MeshReport, RefusesCornersThatAreNoVertices) {
  Mesh box = boxMesh({0, 0, 0}, {1, 1, 1});
  for (const int bad : {-1, 8, 1 << 30}) {
    box.triangles[4][1] = bad;
    EXPECT_THROW(inspectMesh(box), Error) << bad;
    EXPECT_THROW(makeTriangles(share(box)), Error) << bad;
  }
}

TEST(Triangles, OfAMeshInsideOutAreTurnedAndThoseWithoutAreaDropped) {
  Mesh box = boxMesh({0, 0, 0}, {1, 2, 3});
  const auto good = share(box);
  EXPECT_EQ(makeTriangles(good).mesh, good);  // nothing to correct: shared as it is
  for (auto& triangle : box.triangles) std::swap(triangle[1], triangle[2]);
  box.triangles.push_back({2, 2, 5});
  const Shape turned = makeTriangles(share(box));
  EXPECT_EQ(turned.mesh->triangles, good->triangles);
  EXPECT_NEAR(computeVolume(turned), 6.0, 1e-14);
}

TEST(Triangles, MayBeOpenButThenHaveNoMass) {
  Mesh box = boxMesh({0, 0, 0}, {1, 1, 1});
  box.triangles.pop_back();
  const Shape open = makeTriangles(share(box));
  EXPECT_THROW(computeMassProperties(open, 1.0), Error);
  EXPECT_THROW(computeVolume(open), Error);
  EXPECT_NEAR(computeVolume(makeHull(open.mesh)), 1.0, 1e-15);
}

TEST(Triangles, AreRefusedIfThereAreNone) {
  EXPECT_THROW(makeTriangles(nullptr), Error);
  EXPECT_THROW(makeTriangles(share({"empty", {}, {}})), Error);
  EXPECT_THROW(makeTriangles(share({"points", {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {}})), Error);
  EXPECT_THROW(makeTriangles(share({"line", {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}})), Error);
  EXPECT_THROW(makeTriangles(share({"nan", {{0, 0, 0}, {1, 0, 0}, {0, std::nan(""), 0}}, {{0, 1, 2}}})), Error);
}

HeightField flatField() { return {"field", 2, 3, 1.0, 2.0, std::vector<double>(6, 0.5)}; }

TEST(HeightField, IsTakenIfItsNumbersFitTogether) {
  const Shape shape = makeHeightField(flatField());
  EXPECT_EQ(shape.size, Eigen::Vector3d(1.0, 2.0, 0.5));
  EXPECT_EQ(shape.field->columns, 3);
  EXPECT_TRUE(std::isinf(computeVolume(shape)));
  EXPECT_THROW(computeMassProperties(shape, 1.0), Error);
}

TEST(HeightField, IsRefusedWithOneRowAMissingHeightOrOneThatIsNoNumber) {
  HeightField field = flatField();
  field.rows = 1;
  EXPECT_THROW(makeHeightField(field), Error);
  field = flatField();
  field.heights.pop_back();
  EXPECT_THROW(makeHeightField(field), Error);
  field = flatField();
  field.heights[4] = std::nan("");
  EXPECT_THROW(makeHeightField(field), Error);
  field = flatField();
  for (const double bad : {0.0, -1.0, std::nan("")}) {
    field.half_y = bad;
    EXPECT_THROW(makeHeightField(field), Error);
  }
}

}  // namespace
}  // namespace rigor
