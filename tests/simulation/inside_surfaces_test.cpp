// Bodies that begin inside surfaces of triangles: told and moved out at the start of a scene; never let through in silence
// after setState.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "solid_scenes.h"
#include "surface_scenes.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

double flat(double, double) { return 0.0; }
double bowl(double x, double y) { return 0.1 * (x * x + y * y); }

std::vector<Shape> convexKinds() {
  auto hull = std::make_shared<Mesh>();
  hull->vertices = {{0.1, 0.1, -0.1}, {-0.1, 0.1, -0.1}, {-0.1, -0.1, -0.1}, {0.1, -0.1, -0.1}, {0, 0, 0.1}};
  return {makeSphere(0.1),    makeCapsule(0.1, 0.05), makeBox({0.1, 0.1, 0.1}),       makeCylinder(0.1, 0.1),
          makeCone(0.1, 0.1), makeHull(hull),         makeEllipsoid({0.12, 0.1, 0.1})};
}

/// From the origin of such a shape, as it stands, down to its lowest point [m].
double footOf(const Shape& shape) { return shape.kind == ShapeKind::kCapsule ? 0.15 : 0.1; }

bool namesOverlap(const Simulator& simulator) {
  for (const Warning& warning : simulator.warnings())
    if (warning.text().find("overlap by") != std::string::npos) return true;
  return false;
}

TEST(AScene, TellsWhatStartsWhollyUnderAHeightFieldAndPutsItOnTop) {
  for (const auto& height : {flat, bowl, hills})
    for (const Shape& shape : convexKinds())
      for (const double z : {-0.3, -5.0, -1e5}) {
        SolidWorld world;
        world.bodies = {{makeHeightField(makeField(8, 1.0, height)), {{0, 0, 0.1}}, true}, {shape, {{0.1, 0.05, z}}}};
        Simulator simulator(world.scene());
        EXPECT_TRUE(namesOverlap(simulator)) << static_cast<int>(shape.kind) << " " << z;
        EXPECT_GE(leastDistance(simulator), -1e-10);
        EXPECT_GT(simulator.pose(1).position.z(), 0.1) << static_cast<int>(shape.kind) << " " << z;
        // no shape reaches beyond the four cells around the middle, and between their corners the ground is not higher
        double highest = height(0.0, 0.0);
        for (const double x : {-0.25, 0.0, 0.25})
          for (const double y : {-0.25, 0.0, 0.25}) highest = std::max(highest, height(x, y));
        const double rounding = 1e-9;  // [m] what moving out of 1e5 m leaves of a pose
        EXPECT_LE(simulator.pose(1).position.z(), 0.1 + highest + footOf(shape) + rounding)
            << static_cast<int>(shape.kind) << " " << z;
      }
}

TEST(AScene, TellsTheSameDepthAsCheck) {
  SolidWorld world;
  const Shape ground =
      makeHeightField(makeField(2, 1.0, [](double x, double y) { return x == 0 && y == 0 ? 0.1 : 0; }));
  for (const double z : {0.0, 0.05, -0.3}) {
    world.bodies = {{ground, {}, true}, {makeBox({0.1, 0.1, 0.1}), {{0.1, 0.05, z}}}};
    const Scene scene = world.scene();
    const std::vector<ShapeOverlap> overlaps = findOverlaps(scene.model, scene.q);
    ASSERT_EQ(overlaps.size(), 1u);
    char depth[32];
    std::snprintf(depth, sizeof depth, "overlap by %.3g m", overlaps[0].depth);
    const Simulator simulator(scene);
    ASSERT_FALSE(simulator.warnings().empty());
    EXPECT_NE(simulator.warnings()[0].text().find(depth), std::string::npos) << simulator.warnings()[0].text();
  }
}

TEST(AHeightField, EndsAtItsBorderAndHasNoGroundBesideIt) {
  for (const auto& height : {flat, bowl})
    for (const Shape& shape : convexKinds())
      for (const double z : {0.05, -0.02, -0.3, -10.0}) {
        SolidWorld world;
        world.bodies = {{makeHeightField(makeField(8, 1.0, height)), {}, true}, {shape, {{1.13, 0.05, z}}}};
        Simulator simulator(world.scene());
        EXPECT_FALSE(namesOverlap(simulator)) << static_cast<int>(shape.kind) << " " << z;
        EXPECT_EQ(simulator.pose(1).position.z(), z);
        world.bodies[1].pose.position.x() = 1.05;  // half of it is under the field, where that is high enough
        if (z <= -0.3) {
          EXPECT_TRUE(namesOverlap(Simulator(world.scene()))) << static_cast<int>(shape.kind) << " " << z;
        }
      }
}

/// How high a shape stands on a floor, by the distances of `collide`: it touches between 5 cm lower and 1 m higher than on z = 0.
double findStand(Simulator& simulator, const Shape& shape) {
  Eigen::VectorXd q = simulator.state().q;
  double low = footOf(shape) - 0.05, high = footOf(shape) + 1.0;
  while (0.5 * (low + high) > low && 0.5 * (low + high) < high) {
    q[2] = 0.5 * (low + high);
    simulator.setState(q, Eigen::VectorXd::Zero(6));
    (leastDistance(simulator) < 0.0 ? low : high) = q[2];
  }
  return high;
}

/// How much deeper a shape that is put `depth` lower than it stands is after 60 steps [m]; nothing if a step was refused.
std::optional<double> sinkAfter(const Shape& floor, double top, const Shape& shape, double depth) {
  SolidWorld world;
  world.dt = 5e-3;
  world.bodies = {{floor, {{0, 0, -top}}, true}, {shape, {{0.13, 0.21, 2.0}}}};
  Simulator simulator(world.scene());
  Eigen::VectorXd q = simulator.state().q;
  q[2] = findStand(simulator, shape) - depth;
  simulator.setState(q, Eigen::VectorXd::Zero(6));
  const double before = leastDistance(simulator);
  const SolidRun run = runSolids(simulator, 60);
  return run.accepted ? std::optional(before - run.deepest) : std::nullopt;
}

TEST(SetState, IntoASurfaceLetsNothingSinkDeeperUnlessTheStepIsRefused) {
  const std::vector<std::pair<Shape, double>> floors = {{makeHeightField(makeField(8, 2.0, flat)), 0.0},
                                                        {makeHeightField(makeField(8, 2.0, bowl)), 0.0},
                                                        {makeTriangles(makeSheet(8, 2.0, flat)), 0.0},
                                                        {makeTriangles(makeCutBox({2, 2, 0.5}, 4)), 0.5}};
  for (const auto& [floor, top] : floors) {
    int accepted = 0;
    for (const Shape& shape : convexKinds())
      // more than half of a body is on the other side of a sheet that has two, and leaves it there
      for (const double depth : {0.0, 1e-12, 1e-10, 9e-10, 2e-9, 1e-8, 1e-6, 1e-4, 1e-2, 0.05, 0.09, 0.11}) {
        if (depth > 0.1 && floor.kind == ShapeKind::kTriangles && top == 0.0) continue;
        const std::optional<double> sink = sinkAfter(floor, top, shape, depth);
        accepted += sink.has_value();
        // 60 steps, each of which may end 1e-11 m deeper than it began
        EXPECT_LE(sink.value_or(0.0), 60 * 1e-11) << static_cast<int>(shape.kind) << " " << depth;
        // up to 1e-9 m a direction still separates (kEntered), for every kind of shape
        EXPECT_TRUE(sink || depth > 1e-9) << static_cast<int>(shape.kind) << " " << depth;
      }
    // seven kinds at four depths up to 1e-9 m, the four that are round at four up to 0.1 mm, and a ball with its centre outside
    EXPECT_GE(accepted, 7 * 4 + 4 * 4 + 3) << static_cast<int>(floor.kind) << " " << top;
  }
}

/// Closed boxes in one surface.
std::shared_ptr<const Mesh> makeBoxes(const std::vector<std::pair<Vector3d, Vector3d>>& centres_and_halves) {
  auto mesh = std::make_shared<Mesh>();
  mesh->source = "boxes";
  for (const auto& [centre, half] : centres_and_halves) {
    const int first = static_cast<int>(mesh->vertices.size());
    const auto box = makeCutBox(half, 1);
    for (const auto& vertex : box->vertices) mesh->vertices.push_back(centre + vertex);
    for (auto triangle : box->triangles) {
      for (int& corner : triangle) corner += first;
      mesh->triangles.push_back(triangle);
    }
  }
  return mesh;
}

// The centre of a ball is 1 cm under the top of a block, whose triangles do not push from behind, and the ball touches the lower
// edge of another block of the same surface, 2 cm above the first. What pushes there does not hold it here.
TEST(SetState, BehindOneTriangleIsNotHeldByAnotherThatPushesElsewhere) {
  const double beside = std::sqrt(0.1 * 0.1 - 0.03 * 0.03);
  SolidWorld world;
  world.bodies = {
      {makeTriangles(makeBoxes({{{0, 0, -0.5}, {2, 2, 0.5}}, {{beside + 0.3, 0, 0.32}, {0.3, 2, 0.3}}})), {}, true},
      {makeSphere(0.1), {{0, 0, 2.0}}}};
  Simulator simulator(world.scene());
  Eigen::VectorXd q = simulator.state().q;
  q[2] = -0.01;
  simulator.setState(q, Eigen::VectorXd::Zero(6));
  EXPECT_NE(simulator.step().status, StepStatus::kAccepted);
  EXPECT_EQ(simulator.pose(1).position.z(), -0.01) << "the state stays";
}

TEST(SetState, ThrowsForWhatIsWhollyInsideASurface) {
  for (const auto& [floor, z] : {std::pair(makeHeightField(makeField(8, 2.0, bowl)), -0.5),
                                 std::pair(makeTriangles(makeCutBox({2, 2, 0.5}, 4)), 0.1)})
    for (const Shape& shape : convexKinds()) {
      SolidWorld world;
      world.bodies = {{floor, {}, true}, {shape, {{0.13, 0.21, 2.0}}}};
      Simulator simulator(world.scene());
      Eigen::VectorXd q = simulator.state().q;
      q[2] = z;
      try {
        simulator.setState(q, Eigen::VectorXd::Zero(6));
        ADD_FAILURE() << static_cast<int>(shape.kind);
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("wholly inside"), std::string::npos) << error.what();
      }
      EXPECT_EQ(simulator.pose(1).position.z(), 2.0) << "the state stays";
    }
}

}  // namespace
}  // namespace rigor
