// Scenes whose numbers differ by many orders of magnitude: their rounding is no reason to refuse them.
#include <gtest/gtest.h>

#include <cmath>

#include "rigor/rigor.h"
#include "simulation/simple_scenes.h"

namespace rigor {
namespace {

constexpr double kRadius = 0.1;

/// Balls of the same size at these places, of these masses, on a floor, with the friction of MaterialPair.
Scene makeBalls(const std::vector<Eigen::Vector3d>& places, const std::vector<double>& masses) {
  ModelBuilder builder("balls");
  builder.addWorldShape({"ground", makePlane(), {}});
  for (std::size_t i = 0; i < places.size(); ++i) {
    BodySpec body;
    body.name = "ball_" + std::to_string(i);
    body.joint.name = body.name + "_joint";
    body.joint.type = kFree;
    body.joint.X_PJ.position = places[i];
    body.mass = computeMassProperties(makeSphere(kRadius), 1000.0);
    body.mass.inertia *= masses[i] / body.mass.mass;
    body.mass.mass = masses[i];
    body.shapes.push_back({body.name, makeSphere(kRadius), {}});
    builder.addBody(body);
  }
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  return scene;
}

void expectToStand(const Scene& scene, const std::string& what) {
  Simulator simulator(scene);
  ASSERT_TRUE(simulator.run(0.05).accepted()) << what << ": " << simulator.report().explain();
  // the judge allows 1e-6·h·1 m/s² of rounding per step: 5e-11 m in 50 steps of 1 ms
  EXPECT_LE((simulator.state().q - scene.q).cwiseAbs().maxCoeff(), 1e-10) << what;
}

TEST(HeavyOnLight, ColumnsStandToAMassRatioOfTenMillion) {
  for (const int count : {2, 3, 10})
    for (const double ratio : {1e2, 3e5, 1e7}) {
      std::vector<Eigen::Vector3d> places;
      std::vector<double> top_heavy, alternating;
      for (int i = 0; i < count; ++i) {
        places.push_back({0, 0, kRadius * (2 * i + 1)});
        top_heavy.push_back(i + 1 == count ? ratio : 1.0);
        alternating.push_back(i % 2 == 1 ? 0.1 * ratio : 1.0);  // five of them rest on the lowest
      }
      const std::string what = std::to_string(count) + " balls, ratio " + std::to_string(ratio);
      expectToStand(makeBalls(places, top_heavy), what + ", one heavy");
      expectToStand(makeBalls(places, alternating), what + ", alternating");
    }
}

TEST(HeavyOnLight, PyramidsStandToAMassRatioOfTenMillion) {
  for (const double ratio : {1e2, 1e4, 1e6, 1e7}) {
    std::vector<Eigen::Vector3d> places;
    std::vector<double> masses;
    for (int row = 0; row < 4; ++row)
      for (int i = 0; i < 4 - row; ++i) {
        places.push_back({kRadius * (2 * i + row), 0, kRadius * (1 + row * std::sqrt(3.0))});
        masses.push_back(row == 3 ? ratio : 1.0);
      }
    expectToStand(makeBalls(places, masses), "ratio " + std::to_string(ratio));
  }
}

TEST(ThinRod, LandsInAnyOrientation) {
  for (const double thickness : {1e-2, 2e-3, 1e-3})
    for (int k = 0; k < 6; ++k) {
      OneBody spec;
      spec.shape = makeBox({0.5, 0.5 * thickness, 0.5 * thickness});
      spec.pose.position = {0, 0, 0.6};
      spec.pose.rotation = Eigen::Quaterniond(1.0, 0.3 * k, 0.7 * std::sin(2.0 * k), 0.1 * k * k).normalized();
      spec.material.friction = 0.5;
      Scene scene = makeOneBody(spec);
      scene.v << 0.3, 0.0, 0.0, 0.1, 0.5, 0.2;
      Simulator simulator(scene);
      ASSERT_TRUE(simulator.run(0.9).accepted())
          << "1 m × " << thickness << " m, orientation " << k << ": " << simulator.report().explain();
      EXPECT_LE(simulator.report().penetration, 1e-12);
    }
}

// μ|ut| is part of the law, so the rounding of ut counts μ times.
TEST(Friction, OfAThousandIsAsGoodAsAnyOther) {
  for (const Shape& shape : {makeBox({0.1, 0.1, 0.1}), makeSphere(0.1)}) {
    OneBody spec;
    spec.shape = shape;
    spec.pose.position = {0, 0, 0.2};
    spec.material.friction = 1e3;
    Scene scene = makeOneBody(spec);
    scene.v << 2.0, 0.0, 0.0, 1.0, 2.0, 3.0;
    Simulator simulator(scene);
    for (int k = 0; k < 500; ++k) {
      ASSERT_TRUE(simulator.step().accepted()) << simulator.report().explain();
      EXPECT_LE(simulator.report().penetration, 1e-10);
    }
  }
}

/// Rods of 5 cm and 10 g with a ball at the middle of each, straight along x; hinges about y and z in turns.
Scene makeChain(int links, bool free, double height) {
  ModelBuilder builder("chain");
  builder.addWorldShape({"ground", makePlane(), {}});
  for (int i = 0; i < links; ++i) {
    BodySpec body;
    body.name = "link_" + std::to_string(i);
    body.parent = i - 1;
    body.joint.name = body.name + "_joint";
    body.joint.type = i == 0 && free ? kFree : kHinge;
    body.joint.axis = i % 2 == 0 ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitZ();
    body.joint.X_PJ.position = {i == 0 ? 0.0 : 0.05, 0, i == 0 ? height : 0.0};
    body.mass.mass = 0.01;
    body.mass.com = {0.025, 0, 0};
    body.mass.inertia = Eigen::Vector3d(1e-7, 2e-6, 2e-6).asDiagonal();
    ShapeSpec shape{body.name, makeSphere(0.01), {}};
    shape.X_BS.position = body.mass.com;
    if (free || i + 1 == links) body.shapes.push_back(shape);
    builder.addBody(body);
  }
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  return scene;
}

TEST(LongChain, OfAThousandLinksHangsAndSwings) {
  for (const bool hanging : {true, false}) {
    Scene scene = makeChain(1000, false, 60.0);
    if (hanging) scene.q[0] = 0.5 * kPi;
    Simulator simulator(scene);
    ASSERT_TRUE(simulator.run(0.1).accepted()) << simulator.report().explain();
  }
}

TEST(LongChain, FallsOnTheFloor) {
  Simulator simulator(makeChain(40, true, 0.0101));
  ASSERT_TRUE(simulator.run(0.01).accepted()) << simulator.report().explain();
  EXPECT_GE(simulator.report().contacts.size(), 40u);
  EXPECT_LE(simulator.report().penetration, 1e-12);
}

}  // namespace
}  // namespace rigor
