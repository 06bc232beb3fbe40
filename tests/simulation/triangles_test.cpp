// Solids on surfaces of triangles: floors whose seams nobody feels, terrain on which everything comes to rest.
#include <gtest/gtest.h>

#include <cmath>

#include "solid_scenes.h"
#include "surface_scenes.h"

namespace rigor {
namespace {

using Eigen::AngleAxisd, Eigen::Quaterniond, Eigen::Vector3d;

constexpr double kGravity = 9.81;
constexpr double kDeep = 1e-11;   // [m] true overlap that no accepted step may leave
constexpr double kStill = 1e-12;  // [J]

Quaterniond turn(const Vector3d& axis, double angle) { return Quaterniond(AngleAxisd(angle, axis.normalized())); }

double flat(double, double) { return 0.0; }

/// The floor z = 0 in every way that triangles can make it.
std::vector<Shape> flatFloors() {
  return {makeHeightField(makeField(17, 4.0, flat)), makeTriangles(makeSheet(17, 4.0, flat)),
          makeTriangles(makeCutBox({4.0, 4.0, 0.5}, 9))};
}
double topOf(const Shape& floor) { return floor.kind == ShapeKind::kTriangles && floor.size.z() > 0.0 ? 0.5 : 0.0; }

class TrianglesAtEveryStepLength : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Triangles, TrianglesAtEveryStepLength, testing::Values(1e-3, 5e-3, 1e-2));

TEST_P(TrianglesAtEveryStepLength, LetsASlidingBlockCrossTheSeamsOfTrianglesWithoutNoticing) {
  for (const Shape& floor : flatFloors())
    for (const double yaw : {0.0, 0.3}) {
      SolidWorld world;
      world.friction = 0.0, world.dt = GetParam();
      world.bodies = {{floor, {{0, 0, -topOf(floor)}}, true},
                      {makeBox({0.2, 0.15, 0.1}), {{-1.5, 0.07, 0.1}, turn({0, 0, 1}, yaw)}, false, {3, 0, 0}}};
      Simulator simulator(world.scene());
      const SolidRun run = runSolids(simulator, static_cast<int>(0.8 / world.dt));
      ASSERT_TRUE(run.accepted) << simulator.report().explain();
      EXPECT_GE(run.deepest, -kDeep);
      const Eigen::VectorXd v = simulator.velocity();
      EXPECT_EQ(v[0], 3.0) << "not the last bit changes: no force has a part along x";
      EXPECT_LE(v.tail(5).cwiseAbs().maxCoeff(), 5e-9);  // as on boxes: the law's tolerance, over 800 steps
    }
}

TEST_P(TrianglesAtEveryStepLength, TakesExactlyMuGTFromABlockThatSlidesOverSeams) {
  for (const Shape& floor : flatFloors()) {
    SolidWorld world;
    world.friction = 0.3, world.dt = GetParam();
    world.bodies = {{floor, {{0, 0, -topOf(floor)}}, true},
                    {makeBox({0.2, 0.15, 0.1}), {{-1.5, 0.07, 0.1}}, false, {3, 0, 0}}};
    Simulator simulator(world.scene());
    ASSERT_EQ(simulator.run(0.6).status, StepStatus::kAccepted) << simulator.report().explain();
    EXPECT_NEAR(simulator.velocity()[0], 3.0 - 0.3 * kGravity * 0.6, 1e-9);
  }
}

// Seams change the names of contacts and nothing else.
TEST(Triangles, CarryARollingBallAsAPlaneDoes) {
  const auto roll = [](const Shape& floor) {
    SolidWorld world;
    world.dt = 5e-3;
    world.bodies = {{floor, {}, true}, {makeSphere(0.1), {{-52, 0.3, 0.1}}, false, {10, 1, 0}, {-10, 100, 0}}};
    Simulator simulator(world.scene());
    EXPECT_EQ(simulator.run(10.4).status, StepStatus::kAccepted) << simulator.report().explain();
    return simulator.state();
  };
  const State on_plane = roll(makePlane()), on_field = roll(makeHeightField(makeField(120, 60.0, flat)));
  EXPECT_GT(on_plane.q[0], 48.0);
  // the same numbers in another order: 2080 steps with rounding of 60 m
  EXPECT_LE((on_plane.q - on_field.q).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LE((on_plane.v - on_field.v).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Triangles, HaveNoHolesAtTheirCornersAndEdges) {
  const HeightField field = makeField(24, 3.0, hills);
  const Shape ground = makeHeightField(field);
  for (const double fast : {0.0, 3.0, 40.0})
    for (const auto& [x, y] :
         {std::pair(0.0, 0.0), {0.25, 0.25}, {0.25, 0.0}, {0.125, 0.125}, {0.0, 0.125}, {0.5, -0.25}}) {
      SolidWorld world;
      world.dt = 5e-3;
      world.bodies = {{ground, {}, true}, {makeSphere(0.03), {{x, y, 0.4}}, false, {0, 0, -fast}}};
      Simulator simulator(world.scene());
      const SolidRun run = runSolids(simulator, 100);
      ASSERT_TRUE(run.accepted) << simulator.report().explain();
      EXPECT_GE(run.deepest, -kDeep);
      EXPECT_GT(simulator.pose(1).position.z(), -0.1) << x << " " << y << " " << fast;
    }
}

TEST_P(TrianglesAtEveryStepLength, LetsSolidsComeToRestOnHills) {
  auto mesh = std::make_shared<Mesh>();
  mesh->vertices = {
      {0.06, 0, -0.04}, {-0.03, 0.05, -0.04}, {-0.03, -0.05, -0.04}, {0.02, 0.01, 0.05}, {-0.02, 0, 0.04}};
  const Shape ground = makeHeightField(makeField(20, 2.0, hills));
  for (const Shape& shape : {makeSphere(0.05), makeCapsule(0.03, 0.05), makeBox({0.06, 0.05, 0.03}),
                             makeEllipsoid({0.06, 0.05, 0.03}), makeHull(mesh)}) {
    SolidWorld world;
    world.dt = GetParam(), world.friction = 0.8;
    world.bodies = {{ground, {}, true}, {shape, {{0.03, 0.02, 0.2}, turn({1, 2, 0}, 0.2)}}};
    Simulator simulator(world.scene());
    const SolidRun run = runSolids(simulator, static_cast<int>(2.0 / world.dt));
    ASSERT_TRUE(run.accepted) << static_cast<int>(shape.kind) << " " << simulator.report().explain();
    EXPECT_GE(run.deepest, -kDeep) << static_cast<int>(shape.kind);
    const bool rolls = shape.kind != ShapeKind::kBox && shape.kind != ShapeKind::kHull;  // to and fro in the valley
    // what rolls has no more than it fell for: impacts without a bounce take of it, friction does, nothing gives
    const double fallen = simulator.scene().model.body(1).mass.mass * kGravity * (0.2 - simulator.pose(1).position.z());
    EXPECT_LE(run.kinetic, rolls ? fallen : kStill) << static_cast<int>(shape.kind);
  }
}

// Without friction it turns on the seams until it lies along one of them, or across: both are edges beside its side.
TEST_P(TrianglesAtEveryStepLength, CarriesCylindersThatLieAlongTheirSeams) {
  for (const Shape& floor : flatFloors())
    for (const double angle : {0.0, 1e-3, 0.785, 1.5708}) {
      SolidWorld world;
      world.dt = GetParam(), world.friction = 0.0;
      const Quaterniond lying = turn({0, 0, 1}, angle) * turn({0, 1, 0}, 1.5 - 0.1 * angle);
      world.bodies = {{floor, {{0, 0, -topOf(floor)}}, true}, {makeCylinder(0.07, 0.15), {{0, 0, 0.11}, lying}}};
      Simulator simulator(world.scene());
      const SolidRun run = runSolids(simulator, static_cast<int>(0.5 / world.dt));
      ASSERT_TRUE(run.accepted) << angle << " " << simulator.report().explain();
      EXPECT_GE(run.deepest, -kDeep);
      EXPECT_NEAR(simulator.pose(1).position.z(), 0.07, 1e-2);  // it lies; without friction it may still rock
    }
}

TEST_P(TrianglesAtEveryStepLength, LetsCylindersAndConesRestOnTriangles) {
  for (const Shape& floor : flatFloors())
    for (const Shape& shape : {makeCylinder(0.05, 0.03), makeCone(0.05, 0.05)}) {
      SolidWorld world;
      world.dt = GetParam(), world.friction = 0.8;
      world.bodies = {{floor, {{0, 0, -topOf(floor)}}, true}, {shape, {{0.03, 0.02, 0.06}, turn({1, 2, 0}, 0.01)}}};
      Simulator simulator(world.scene());
      const SolidRun run = runSolids(simulator, static_cast<int>(1.0 / world.dt));
      ASSERT_TRUE(run.accepted) << simulator.report().explain();
      EXPECT_GE(run.deepest, -kDeep);
      EXPECT_LE(run.kinetic, kStill) << static_cast<int>(shape.kind);
    }
}

TEST_P(TrianglesAtEveryStepLength, StopsABulletAtASheet) {
  for (const Shape& bullet : {makeBox({5e-3, 5e-3, 5e-3}), makeSphere(5e-3), makeCylinder(5e-3, 5e-3)})
    for (const double side : {-1.0, 1.0}) {
      SolidWorld world;
      world.dt = GetParam();
      const Pose wall{{0, 0, 0}, turn({0, 1, 0}, M_PI / 2)};
      world.bodies = {{makeTriangles(makeSheet(6, 1.0, flat)), wall, true},
                      {bullet, {{-1.03 * side, 0.01, 0.1}}, false, {300 * side, 0, 0}}};
      Simulator simulator(world.scene());
      const SolidRun run = runSolids(simulator, 30);
      ASSERT_TRUE(run.accepted) << simulator.report().explain();
      EXPECT_LT(side * simulator.pose(1).position.x(), -5e-3 + 1e-9);
    }
}

TEST(Triangles, ThatEncloseAVolumeMoveAndRestAsTheSolidTheyAre) {
  // a bench: a plate on two feet; its hull would rest on all of its underside, and would not fit over the bar
  auto bench = std::make_shared<Mesh>();
  bench->source = "bench";
  const std::vector<std::pair<double, double>> outline = {{-0.2, 0.0}, {-0.15, 0.0}, {-0.15, 0.1}, {0.15, 0.1},
                                                          {0.15, 0.0}, {0.2, 0.0},   {0.2, 0.15},  {-0.2, 0.15}};
  for (const double y : {-0.1, 0.1})
    for (const auto& [x, z] : outline) bench->vertices.emplace_back(x, y, z);
  for (const auto& [a, b, c] : {std::array{0, 1, 2}, {0, 2, 7}, {7, 2, 3}, {7, 3, 6}, {3, 5, 6}, {3, 4, 5}}) {
    bench->triangles.push_back({a, b, c});
    bench->triangles.push_back({c + 8, b + 8, a + 8});
  }
  for (int i = 0; i < 8; ++i) {
    const int k = (i + 1) % 8;
    bench->triangles.push_back({i, i + 8, k + 8});
    bench->triangles.push_back({i, k + 8, k});
  }
  ASSERT_TRUE(inspectMesh(*bench).closed());
  for (const double h : {1e-3, 5e-3, 1e-2}) {
    SolidWorld world;
    world.floor = true, world.dt = h;
    world.bodies = {{makeTriangles(bench), {{0, 0, 0.03}, turn({0, 0, 1}, 0.1)}},
                    {makeBox({0.1, 0.3, 0.04}), {{0, 0, 0.04}}, true},
                    {makeBox({0.03, 0.03, 0.03}), {{0.05, 0, 0.25}}}};
    Simulator simulator(world.scene());
    const SolidRun run = runSolids(simulator, static_cast<int>(0.5 / h));
    ASSERT_TRUE(run.accepted) << simulator.report().explain();
    EXPECT_GE(run.deepest, -kDeep);
    EXPECT_LE(run.kinetic, kStill);
    EXPECT_NEAR(simulator.pose(0).position.z(), 0.0, 1e-9) << "its feet stand on the floor";
    EXPECT_NEAR(simulator.pose(2).position.z(), 0.18, 1e-9) << "the block lies on the plate";
  }
}

TEST(Triangles, TellABodyThatStartsInsideThemAndMoveItOutOrRefuse) {
  SolidWorld world;
  world.bodies = {{makeHeightField(makeField(4, 1.0, flat)), {}, true}, {makeSphere(0.1), {{0.1, 0.2, -0.05}}}};
  Simulator under(world.scene());
  EXPECT_NEAR(under.pose(1).position.z(), 0.1, 1e-9);
  world.bodies = {{makeTriangles(makeCutBox({0.5, 0.5, 0.5}, 3)), {}, true}, {makeSphere(0.1), {{0.1, 0.2, 0.3}}}};
  Simulator inside(world.scene());
  EXPECT_GE(leastDistance(inside), -1e-10);
  EXPECT_GT(inside.pose(1).position.cwiseAbs().maxCoeff(), 0.6 - 1e-9);
}

}  // namespace
}  // namespace rigor
