// What users of other engines report broken when boxes touch boxes: short runs, each with its closed form.
#include <gtest/gtest.h>

#include <cmath>

#include "solid_scenes.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

constexpr double kDeep = 1e-11;   // [m] true overlap that no accepted step may leave
constexpr double kStill = 1e-20;  // [J] rounding of velocities near 1e-12 m/s

Shape cube(double edge) { return makeBox(Vector3d::Constant(0.5 * edge)); }

/// The box as an STL file has it: 12 loose triangles.
Shape boxOfTriangles(const Vector3d& half) {
  auto mesh = std::make_shared<Mesh>();
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const auto corner = [&](double x, double y) {
        Vector3d p;
        p[axis] = side * half[axis], p[u] = x * half[u], p[v] = side * y * half[v];
        return p;
      };
      const Vector3d corners[4] = {corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)};
      for (const auto& [i, j, k] : {std::array{0, 1, 2}, {0, 2, 3}}) {
        const int first = static_cast<int>(mesh->vertices.size());
        for (const int c : {i, j, k}) mesh->vertices.push_back(corners[c]);
        mesh->triangles.push_back({first, first + 1, first + 2});
      }
    }
  return makeHull(mesh);
}

/// How far the coordinates of a world move in `time`, once it has settled.
double creepOf(Simulator& simulator, double time) {
  const Eigen::VectorXd q = simulator.state().q;
  EXPECT_EQ(simulator.run(time).status, StepStatus::kAccepted);
  return (simulator.state().q - q).cwiseAbs().maxCoeff();
}

// Boxes that start with less overlap than anybody can see are not thrown apart by a depth that is none.
TEST(ReportedSolids, EqualBoxesThatKissStayWhereTheyAre) {
  for (const double overlap : {1e-5, 1e-7, 1e-9, 1e-11, 1e-12, 0.0}) {
    SolidWorld world;
    world.floor = true;
    world.bodies = {{cube(0.1), {{0, 0, 0.05}}}, {cube(0.1), {{0, 0, 0.15 - overlap}}}};
    Simulator simulator(world.scene());
    const SolidRun run = runSolids(simulator, 100);
    ASSERT_TRUE(run.accepted) << overlap;
    EXPECT_LE(run.kinetic, kStill) << overlap;
    // what overlaps is moved apart by the overlap and no more; what does not falls by what it was above
    EXPECT_NEAR(simulator.pose(1).position.z(), 0.15, overlap + 1e-11) << overlap;
    EXPECT_LE(simulator.pose(1).position.head(2).cwiseAbs().maxCoeff(), 1e-11) << overlap;
    EXPECT_LE(creepOf(simulator, 0.5), 1e-12) << overlap;
  }
}

TEST(ReportedSolids, AnStlBoxOnAPlaneIsAsStillAsAPrimitive) {
  const Vector3d half(0.05, 0.08, 0.03);
  for (const Shape& shape : {makeBox(half), boxOfTriangles(half)}) {
    SolidWorld world;
    world.floor = true;
    const Eigen::Quaterniond yaw(Eigen::AngleAxisd(0.3, Vector3d::UnitZ()));
    world.bodies = {{shape, {{0, 0, 0.031}, yaw}}, {shape, {{0.01, 0.02, 0.093}, yaw}}};
    Simulator simulator(world.scene());
    const SolidRun run = runSolids(simulator, 300);
    ASSERT_TRUE(run.accepted);
    EXPECT_GE(run.deepest, -kDeep);
    EXPECT_LE(run.kinetic, kStill);
    EXPECT_NEAR(simulator.pose(1).position.z(), 0.09, kDeep);
    EXPECT_LE(creepOf(simulator, 1.0), 1e-12);
  }
}

// 10 µm on each side: the peg falls freely for the way to the bottom and rests there, and never in a wall.
TEST(ReportedSolids, ASquarePegFallsIntoAHoleTenMicrometresWider) {
  SolidWorld world;
  world.friction = 0.0;
  const double half = 0.01, clearance = 1e-5, thick = 0.02;
  for (int side = 0; side < 4; ++side) {
    const Eigen::Quaterniond q(Eigen::AngleAxisd(0.5 * M_PI * side, Vector3d::UnitZ()));
    world.bodies.push_back({makeBox({thick, 0.05, 0.05}), {q * Vector3d(half + clearance + thick, 0, 0.05), q}, true});
  }
  world.bodies.push_back({makeBox({0.05, 0.05, 0.01}), {{0, 0, -0.01}}, true});
  world.bodies.push_back({makeBox({half, half, 0.05}), {{3e-6, -2e-6, 0.12}}});
  Simulator simulator(world.scene());
  const SolidRun run = runSolids(simulator, 400);
  ASSERT_TRUE(run.accepted);
  EXPECT_GE(run.deepest, -kDeep);
  EXPECT_LE(run.kinetic, kStill);
  const Vector3d end = simulator.pose(5).position;
  EXPECT_NEAR(end.z(), 0.05, kDeep);
  EXPECT_LE(end.head(2).cwiseAbs().maxCoeff(), clearance + kDeep);
}

TEST(ReportedSolids, ABoxRestsOnAHundredMetreBox) {
  for (const double edge : {1e-3, 1e-2, 1e-1}) {
    SolidWorld world;
    world.bodies = {{makeBox({50, 50, 50}), {{0, 0, -50}}, true}, {cube(edge), {{31.7, -22.3, 0.5 * edge + 1e-4}}}};
    Simulator simulator(world.scene());
    const SolidRun run = runSolids(simulator, 200);
    ASSERT_TRUE(run.accepted) << edge;
    EXPECT_GE(run.deepest, -kDeep) << edge;
    EXPECT_NEAR(simulator.pose(1).position.z(), 0.5 * edge, kDeep) << edge;
    EXPECT_LE(creepOf(simulator, 0.5), kDeep) << edge;  // 30 m from the origin the last digit is 4e-15 m
  }
}

// Bodies at the same place have no way apart that is better than others: the run says so before its first step, or moves them
// apart; it never explodes.
TEST(ReportedSolids, CoincidentBoxesAreMovedApartOrRefusedByName) {
  SolidWorld world;
  world.floor = true;
  world.bodies = {{cube(0.1), {{0, 0, 0.5}}}, {cube(0.1), {{0, 0, 0.5}}}};
  try {
    Simulator simulator(world.scene());
    const SolidRun run = runSolids(simulator, 600);
    ASSERT_TRUE(run.accepted);
    EXPECT_GE(run.deepest, -kDeep);
    EXPECT_LE(run.kinetic, 1e-12);
    EXPECT_LE(run.rise, 1e-9);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("body_"), std::string::npos) << error.what();
    EXPECT_FALSE(error.remedy().empty());
  }
}

// The lowest box weighs a gram, the one on top of all a ton; then the other way round.
TEST(ReportedSolids, AStackOfMassRatioAMillionStands) {
  for (const bool heavy_on_top : {true, false}) {
    SolidWorld world;
    world.floor = true;
    for (int i = 0; i < 5; ++i) {
      const double share = heavy_on_top ? i / 4.0 : 1.0 - i / 4.0;
      world.bodies.push_back(
          {cube(0.1), {{0, 0, 0.05 + 0.1 * i}}, false, {0, 0, 0}, {0, 0, 0}, std::pow(10.0, 6.0 * share)});
    }
    Simulator simulator(world.scene());
    const SolidRun run = runSolids(simulator, 200);
    ASSERT_TRUE(run.accepted);
    EXPECT_GE(run.deepest, -kDeep);
    EXPECT_NEAR(simulator.pose(4).position.z(), 0.45, 1e-10);
    EXPECT_LE(creepOf(simulator, 1.0), 1e-10);
  }
}

}  // namespace
}  // namespace rigor
