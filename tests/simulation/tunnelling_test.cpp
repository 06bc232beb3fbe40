// Nothing passes through anything, however far it flies in a step and however often it is thrown off its way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/mechanism.h"
#include "rigor/rigor.h"
#include "simulation/simple_scenes.h"

namespace rigor {
namespace {

constexpr double kRadius = 0.005;

struct Flight {
  Eigen::Vector3d position, velocity;
};

/// Small balls that fly without gravity, between planes that are given by their outward normals and offsets. They are free,
/// or slide along x.
Scene makeFlights(JointType joint, const std::vector<Flight>& flights, const std::vector<Eigen::Vector4d>& planes,
                  double restitution, double dt) {
  ModelBuilder builder("flights");
  builder.setGravity(Eigen::Vector3d::Zero());
  for (std::size_t i = 0; i < planes.size(); ++i) {
    ShapeSpec wall{"wall_" + std::to_string(i), makePlane(), {}};
    const Eigen::Vector3d normal = planes[i].head(3);
    wall.X_BS.rotation = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), normal);
    wall.X_BS.position = planes[i][3] * normal;
    builder.addWorldShape(wall);
  }
  MaterialPair pair;
  pair.material_1 = pair.material_2 = "default";
  pair.restitution = restitution;
  pair.friction = 0.0;
  builder.addMaterialPair(pair);
  for (std::size_t i = 0; i < flights.size(); ++i) {
    BodySpec body;
    body.name = "ball_" + std::to_string(i);
    body.joint.name = body.name + "_joint";
    body.joint.type = joint;
    body.joint.axis = Eigen::Vector3d::UnitX();
    body.joint.X_PJ.position = flights[i].position;
    body.mass = computeMassProperties(makeSphere(kRadius), 1000.0);
    body.shapes.push_back({body.name, makeSphere(kRadius), {}});
    builder.addBody(body);
  }
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  for (std::size_t i = 0; i < flights.size(); ++i)
    if (joint == kSlide)
      scene.v[i] = flights[i].velocity.x();
    else
      scene.v.segment<3>(6 * i) = flights[i].velocity;
  scene.dt = dt;
  return scene;
}

/// Balls that slide along x stay in their order, at least touching.
void expectOrder(const Scene& scene, int steps, const std::string& what) {
  Simulator simulator(scene);
  for (int k = 0; k < steps; ++k) {
    ASSERT_TRUE(simulator.step().accepted()) << what << ", step " << k << ": " << simulator.report().explain();
    for (int i = 0; i + 1 < scene.model.bodyCount(); ++i)
      ASSERT_GE(simulator.pose(i + 1).position.x() - simulator.pose(i).position.x(), 2 * kRadius - 1e-11)
          << what << ": balls " << i << " and " << i + 1 << " after step " << k;
  }
}

std::string describe(double speed, double restitution, double dt) {
  return "speed " + std::to_string(speed) + ", e " + std::to_string(restitution) + ", dt " + std::to_string(dt);
}

TEST(FastBall, ThatBouncesOffAWallDoesNotPassTheBallBehindIt) {
  for (const double restitution : {0.5, 1.0})
    for (const double dt : {1e-3, 5e-3, 1e-2, 2e-2})
      for (const double speed : {10.0, 100.0, 300.0})
        expectOrder(makeFlights(kSlide, {{{0.3, 0, 0}, {-speed, 0, 0}}, {{0.4, 0, 0}, {0, 0, 0}}}, {{1, 0, 0, 0}},
                                restitution, dt),
                    20, describe(speed, restitution, dt));
}

TEST(FastBall, StruckByAnotherDoesNotPassAThird) {
  for (const double restitution : {0.0, 0.5, 1.0})
    for (const double dt : {1e-3, 1e-2})
      for (const double speed : {10.0, 100.0, 300.0})
        expectOrder(
            makeFlights(kSlide, {{{0, 0, 0}, {speed, 0, 0}}, {{0.3, 0, 0}, {0, 0, 0}}, {{0.6, 0, 0}, {0, 0, 0}}}, {},
                        restitution, dt),
            20, describe(speed, restitution, dt));
}

TEST(FastBalls, OnALineBetweenWallsKeepTheirOrder) {
  for (const double restitution : {0.0, 0.5, 1.0})
    for (const double dt : {1e-3, 5e-3, 2e-2})
      for (int seed = 0; seed < 2; ++seed) {
        reference::Random random(seed);
        std::vector<Flight> flights;
        for (int i = 0; i < 6; ++i)
          flights.push_back({{0.1 * i + random.uniform(0.0, 0.08), 0, 0}, {random.uniform(-100, 100), 0, 0}});
        expectOrder(makeFlights(kSlide, flights, {{1, 0, 0, -0.1}, {-1, 0, 0, -0.8}}, restitution, dt), 10,
                    "seed " + std::to_string(seed) + ", " + describe(100.0, restitution, dt));
      }
}

/// Between two poses that a step joins by straight ways, no two balls change sides through each other.
void expectNoneCrossed(const std::vector<Eigen::Vector3d>& from, const std::vector<Eigen::Vector3d>& to,
                       const std::string& what) {
  for (std::size_t i = 0; i < from.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Eigen::Vector3d start = from[i] - from[j], way = to[i] - to[j] - start;
      const double share = way.squaredNorm() > 0.0 ? std::clamp(-start.dot(way) / way.squaredNorm(), 0.0, 1.0) : 0.0;
      const bool changed_sides = start.dot(start + way) < 0.0;
      EXPECT_FALSE(changed_sides && (start + share * way).norm() < 2 * kRadius - 1e-9)
          << what << ": balls " << i << " and " << j << " passed at " << (start + share * way).norm() << " m";
    }
}

TEST(FastBalls, InABoxNeverPassThroughEachOther) {
  const std::vector<Eigen::Vector4d> box = {{1, 0, 0, 0},     {-1, 0, 0, -0.1}, {0, 1, 0, 0},
                                            {0, -1, 0, -0.1}, {0, 0, 1, 0},     {0, 0, -1, -0.1}};
  for (const double restitution : {0.0, 1.0})
    for (const double dt : {1e-4, 1e-3})
      for (int seed = 0; seed < 2; ++seed) {
        reference::Random random(seed);
        std::vector<Flight> flights;
        for (int i = 0; i < 8; ++i) {  // one in every eighth of the box
          const Eigen::Vector3d corner(i & 1, (i >> 1) & 1, i >> 2);
          const Eigen::Vector3d centre = Eigen::Vector3d::Constant(0.025) + 0.05 * corner;
          flights.push_back({centre + random.vector(0.015), random.vector(50.0)});
        }
        Simulator simulator(makeFlights(kFree, flights, box, restitution, dt));
        const auto places = [&] {
          std::vector<Eigen::Vector3d> all;
          for (int i = 0; i < 8; ++i) all.push_back(simulator.pose(i).position);
          return all;
        };
        const std::string what = "seed " + std::to_string(seed) + ", " + describe(50.0, restitution, dt);
        for (int k = 0; k < 30; ++k) {
          const std::vector<Eigen::Vector3d> before = places();
          ASSERT_TRUE(simulator.step().accepted()) << what << ", step " << k << ": " << simulator.report().explain();
          if (simulator.report().substeps == 1) expectNoneCrossed(before, places(), what);
          for (const Eigen::Vector3d& place : places()) {
            EXPECT_GE(place.minCoeff(), kRadius - 1e-11) << what;
            EXPECT_LE(place.maxCoeff(), 0.1 - kRadius + 1e-11) << what;
          }
        }
      }
}

}  // namespace
}  // namespace rigor
