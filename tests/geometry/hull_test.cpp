// Hulls of clouds whose corners and faces are known, and of clouds that make trouble.
#include "geometry/hull.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <limits>

#include "geometry/convert.h"
#include "meshes.h"
#include "rigor/error.h"
#include "rigor/shape.h"

namespace rigor {
namespace {

using Cloud = std::vector<Eigen::Vector3d>;

/// Every face flat, every point behind every face, Euler's formula; `slack` as a part of the size.
void expectHullOf(const Cloud& cloud, const Polytope& hull, double slack = kHullTolerance) {
  EXPECT_EQ(hull.vertices.size() + hull.faces.size(), hull.edges.size() + 2);
  Eigen::Vector3d low = cloud[0], high = cloud[0];
  for (const auto& point : cloud) low = low.cwiseMin(point), high = high.cwiseMax(point);
  const double size = (high - low).maxCoeff(),
               distance = std::max(low.cwiseAbs().maxCoeff(), high.cwiseAbs().maxCoeff());
  // beside the slack, the plane of a face is rounded: its offset by the distance from the origin
  const double tolerance = slack * size + 4e-16 * distance;
  double farthest_out = 0.0, farthest_off = 0.0;
  for (int f = 0; f < static_cast<int>(hull.faces.size()); ++f) {
    const Polytope::Face& face = hull.faces[f];
    EXPECT_NEAR(norm(face.normal), 1.0, 1e-15);
    for (const int corner : hull.cornersOf(f))
      farthest_off = std::max(farthest_off, std::abs(dot(face.normal, hull.vertices[corner]) - face.offset));
    for (const auto& point : cloud)
      farthest_out = std::max(farthest_out, dot(face.normal, toVec3(point)) - face.offset);
  }
  EXPECT_LE(farthest_off, tolerance);
  EXPECT_LE(farthest_out, tolerance);
}

Cloud randomCloud(int count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Cloud cloud;
  for (int i = 0; i < count; ++i) cloud.push_back({normal(random), normal(random), normal(random)});
  return cloud;
}

Cloud turned(Cloud cloud, const Eigen::Vector3d& axis_angle, const Eigen::Vector3d& shift = Eigen::Vector3d::Zero()) {
  const Eigen::AngleAxisd turn(axis_angle.norm(), axis_angle.normalized());
  for (auto& point : cloud) point = turn * point + shift;
  return cloud;
}

TEST(Hull, OfACubeOfManyPointsHasEightCornersAndSixFaces) {
  for (const int cells : {1, 2, 3, 10, 17}) {
    const Cloud cloud = cubeGrid(cells);
    const Polytope hull = makeHullPolytope(cloud, "cube");
    EXPECT_EQ(hull.vertices.size(), 8u) << cells;
    EXPECT_EQ(hull.faces.size(), 6u) << cells;
    EXPECT_EQ(hull.edges.size(), 12u) << cells;
    for (const Polytope::Face& face : hull.faces) EXPECT_EQ(face.count, 4);
    expectHullOf(cloud, hull);
    EXPECT_EQ(hull.radius, std::sqrt(3.0));
  }
}

// Turned, no four points of a face lie in one plane of doubles: rounding must not make slivers.
TEST(Hull, OfATurnedCubeOfManyPointsHasEightCornersAndSixFacesToo) {
  for (int round = 0; round < 50; ++round) {
    const Cloud cloud = turned(cubeGrid(1 + round % 12), randomCloud(1, round)[0], 3.0 * randomCloud(1, round + 99)[0]);
    const Polytope hull = makeHullPolytope(cloud, "cube");
    EXPECT_EQ(hull.vertices.size(), 8u) << round;
    EXPECT_EQ(hull.faces.size(), 6u) << round;
    expectHullOf(cloud, hull);
  }
}

TEST(Hull, HoldsEveryPointOfRandomCloudsOfEverySize) {
  for (const int count : {4, 5, 10, 100, 3000})
    for (const double scale : {1e-8, 1e-3, 1.0, 1e3, 1e7}) {
      Cloud cloud = randomCloud(count, count);
      for (auto& point : cloud) point *= scale;
      expectHullOf(cloud, makeHullPolytope(cloud, "cloud"));
    }
}

TEST(Hull, OfAFineBallKeepsEveryVertexAndTriangle) {
  const Mesh ball = ballMesh(4);
  const Polytope hull = makeHullPolytope(ball.vertices, "ball");
  EXPECT_EQ(hull.vertices.size(), ball.vertices.size());
  // the ball is symmetric about its three planes: a few triangles meet their mirror image in one plane there
  EXPECT_LE(hull.faces.size(), ball.triangles.size());
  EXPECT_GE(hull.faces.size(), ball.triangles.size() * 9 / 10);
  expectHullOf(ball.vertices, hull);
}

// A disc: two faces of many corners, whose neighbours are almost parallel to each other.
TEST(Hull, OfAPrismHasOneFaceOnEachSide) {
  for (const int corners : {3, 12, 64, 1000}) {
    Cloud cloud;
    for (int i = 0; i < corners; ++i)
      for (const double z : {-0.1, 0.1})
        cloud.push_back({std::cos(2 * M_PI * i / corners), std::sin(2 * M_PI * i / corners), z});
    for (const bool turn : {false, true}) {
      const Cloud placed = turn ? turned(cloud, {0.3, -1.1, 0.7}) : cloud;
      const Polytope hull = makeHullPolytope(placed, "prism");
      EXPECT_EQ(hull.faces.size(), corners + 2u) << corners;
      EXPECT_EQ(hull.vertices.size(), 2u * corners) << corners;
      expectHullOf(placed, hull);
    }
  }
}

TEST(Hull, OfFloatsHoldsThemAll) {
  for (int round = 0; round < 20; ++round) {
    Cloud cloud = turned(cubeGrid(8), randomCloud(1, round)[0]);
    for (auto& point : cloud) point = point.cast<float>().cast<double>();  // what an STL file keeps
    expectHullOf(cloud, makeHullPolytope(cloud, "float"));
  }
}

TEST(Hull, HoldsPointsThatAlmostCoincideUpToTheWeld) {
  for (const double noise : {1e-16, 1e-14, 1e-12, 1e-10, 1e-8}) {
    Cloud cloud;
    for (int round = 0; round < 4; ++round)
      for (const auto& point : cubeGrid(3)) cloud.push_back(point + noise * randomCloud(1, 31 * round)[0]);
    expectHullOf(cloud, makeHullPolytope(cloud, "noisy"), 3e-7);  // the coarsest weld is 1e-7 of the size
  }
}

TEST(Hull, OfSliversIsFlatAndConvex) {
  for (int k = 1; k < 9; ++k) {
    const double thin = std::pow(10.0, -k);
    Cloud cloud{{0, 0, 0}, {1, 0, 0}, {0.5, thin, 0}, {0.5, 0.5 * thin, thin}, {0.3, 0.1 * thin, 0.5 * thin}};
    expectHullOf(cloud, makeHullPolytope(cloud, "needle"));
    cloud = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, thin}, {0.5, 0.5, -thin}, {0.5, -thin, 0}};
    expectHullOf(cloud, makeHullPolytope(cloud, "plate"));
  }
}

TEST(Hull, HasTheSameBitsForTheSamePoints) {
  const Cloud cloud = randomCloud(500, 7);
  const Polytope a = makeHullPolytope(cloud, "a"), b = makeHullPolytope(cloud, "b");
  ASSERT_EQ(a.vertices.size(), b.vertices.size());
  for (std::size_t i = 0; i < a.vertices.size(); ++i) EXPECT_EQ(toEigen(a.vertices[i]), toEigen(b.vertices[i]));
  EXPECT_EQ(a.corner_vertex, b.corner_vertex);
  for (std::size_t i = 0; i < a.faces.size(); ++i) {
    EXPECT_EQ(toEigen(a.faces[i].normal), toEigen(b.faces[i].normal));
    EXPECT_EQ(a.faces[i].offset, b.faces[i].offset);
  }
}

TEST(Hull, KeepsItsVerticesInTheOrderOfTheMesh) {
  const Mesh box = boxMesh({0, 0, 0}, {1, 2, 3});
  const Polytope hull = makeHullPolytope(box.vertices, "box");
  for (int i = 0; i < 8; ++i) EXPECT_EQ(toEigen(hull.vertices[i]), box.vertices[i]);
}

void expectRefused(const Cloud& cloud, const std::string& part) {
  try {
    makeHullPolytope(cloud, "bad.stl");
    ADD_FAILURE() << "taken, though " << part;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    EXPECT_EQ(error.where().file, "bad.stl");
    EXPECT_FALSE(error.remedy().empty());
  }
}

TEST(Hull, RefusesWhatEnclosesNoSolidAndSaysWhy) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  expectRefused({}, "no vertices");
  expectRefused({{1, 2, 3}}, "in one spot");
  expectRefused(Cloud(100, {1, 2, 3}), "in one spot");
  expectRefused({{0, 0, 0}, {1, 1, 1}}, "on one line");
  expectRefused({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}}, "on one line");
  expectRefused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, "in one plane");
  expectRefused(turned({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.3, 0.2, 0}}, {1, 2, 3}), "in one plane");
  expectRefused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1e-12}}, "in one plane");
  expectRefused({{0, 0, 0}, {1, 0, 0}, {0, nan, 0}, {0, 0, 1}}, "vertex 2 is");
  expectRefused({{0, 0, 0}, {inf, 0, 0}, {0, 1, 0}, {0, 0, 1}}, "vertex 1 is");
  expectRefused({{0, 0, 0}, {1e30, 0, 0}, {0, 1e30, 0}, {0, 0, 1e30}}, "1e+30 m");
  expectRefused({{0, 0, 0}, {1e-30, 0, 0}, {0, 1e-30, 0}, {0, 0, 1e-30}}, "1e-30 m");
}

TEST(Hull, ShapeKeepsTheMeshAndCountsWhatItIsMadeOf) {
  const auto mesh = share(boxMesh({-1, -2, 1}, {2, 5, 3}));
  const Shape hull = makeHull(mesh);
  EXPECT_EQ(hull.mesh, mesh);
  EXPECT_EQ(hull.size, Eigen::Vector3d(1, 3, 4));
  const HullCounts counts = countHull(hull);
  EXPECT_EQ(counts.vertices, 8);
  EXPECT_EQ(counts.edges, 12);
  EXPECT_EQ(counts.faces, 6);
  EXPECT_EQ(countHull(makeSphere(1.0)).vertices, 0);
  EXPECT_THROW(makeHull(nullptr), Error);
}

TEST(Hull, OfAMillionVerticesIsFoundInSeconds) {
  Cloud cloud = randomCloud(1000000, 3);  // a few hundred of them are corners
  const Polytope hull = makeHullPolytope(cloud, "cloud");
  EXPECT_LT(hull.vertices.size(), 1000u);
  cloud.resize(2000);
  for (const Polytope::Face& face : hull.faces)
    for (const auto& point : cloud) ASSERT_LE(dot(face.normal, toVec3(point)), face.offset + 1e-11);  // of a size of 10
}

}  // namespace
}  // namespace rigor
