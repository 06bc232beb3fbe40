// Impacts that are stepped to: closed forms, order, energy, and what happens when several things strike at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "rigor/algorithms.h"
#include "simulation/simple_scenes.h"

namespace rigor {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

MaterialPair material(double friction, double restitution) {
  MaterialPair pair;
  pair.material_1 = pair.material_2 = "default";
  pair.friction = friction;
  pair.restitution = restitution;
  return pair;
}

struct BallSpec {
  double radius = 0.1, mass = 1.0;
  Vector3d position = Vector3d::Zero(), velocity = Vector3d::Zero();
};

/// Free balls, on a ground plane at z = 0 if asked for.
Scene balls(const std::vector<BallSpec>& specs, const MaterialPair& pair, bool ground, double gravity, double dt) {
  ModelBuilder builder("balls");
  builder.setGravity({0, 0, -gravity});
  builder.addMaterialPair(pair);
  if (ground) builder.addWorldShape({"ground", makePlane(), {}, "default"});
  for (std::size_t i = 0; i < specs.size(); ++i) {
    BodySpec body;
    body.name = "ball" + std::to_string(i);
    body.joint.type = kFree;
    body.joint.name = body.name + "_joint";
    body.joint.X_PJ.position = specs[i].position;
    body.mass = computeMassProperties(makeSphere(specs[i].radius), 1000.0);
    const double factor = specs[i].mass / body.mass.mass;
    body.mass.mass *= factor;
    body.mass.inertia *= factor;
    body.shapes.push_back({body.name, makeSphere(specs[i].radius), {}, "default"});
    builder.addBody(body);
  }
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = VectorXd::Zero(scene.model.nv());
  for (std::size_t i = 0; i < specs.size(); ++i) scene.v.segment<3>(6 * static_cast<int>(i)) = specs[i].velocity;
  scene.dt = dt;
  return scene;
}

double energy(const StepReport& report) { return report.kinetic + report.potential; }

// Exact up to the half nanometre above the floor at which a ball turns: 5e-10 m per bounce, and as much again for the time
// that it comes too early.
TEST(BouncingBall, RisesToTheClosedFormAtTheFifthBounceForAnyStep) {
  const double e = 0.5;
  for (const double dt : {4e-3, 2e-3, 1e-3, 1e-4}) {
    Simulator sim(balls({{0.1, 1.0, {0, 0, 1.1}}}, material(0.3, e), true, kGravity, dt));
    // times of the bounces and of the fifth peak
    double t = std::sqrt(2.0 / kGravity), speed = std::sqrt(2.0 * kGravity);
    for (int k = 0; k < 5; ++k) {
      speed *= e;
      t += (k < 4 ? 2.0 : 1.0) * speed / kGravity;
    }
    const auto before = static_cast<int>(t / dt);
    for (int i = 0; i < before; ++i) ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    const double away = t - sim.state().time, peak = std::pow(e, 10);
    EXPECT_NEAR(sim.state().q[2] - 0.1, peak - 0.5 * kGravity * away * away, 2e-8) << "dt " << dt;
  }
}

// A tumbling box couples everything: pose errors after several bounces with friction fall with the square of the step.
TEST(TumblingBox, ConvergesWithSecondOrderThroughItsBounces) {
  const auto poseAfter = [](double dt) {
    OneBody spec;
    spec.shape = makeBox({0.1, 0.15, 0.2});
    spec.pose.position = {0, 0, 0.6};
    spec.pose.rotation = Eigen::AngleAxisd(0.4, Vector3d(1, 2, 0.5).normalized());
    spec.material = material(0.2, 0.6);
    spec.material.material_2 = "";
    spec.dt = dt;
    Scene scene = makeOneBody(spec);
    scene.v << 0.5, -0.3, 0.0, 2.0, 1.0, -1.5;
    Simulator sim(scene);
    int impacts = 0;
    const int steps = static_cast<int>(std::lround(0.5 / dt));
    for (int i = 0; i < steps; ++i) {
      EXPECT_TRUE(sim.step().accepted()) << sim.report().explain();
      impacts += sim.report().impacts;
    }
    EXPECT_GE(impacts, 2);
    return sim.state().q;
  };
  const VectorXd truth = poseAfter(6.25e-5);
  const double coarse = (poseAfter(4e-3) - truth).norm(), middle = (poseAfter(2e-3) - truth).norm(),
               fine = (poseAfter(1e-3) - truth).norm();
  EXPECT_GT(coarse / middle, 3.0) << coarse << " " << middle << " " << fine;  // 4 in the limit
  EXPECT_GT(middle / fine, 3.0) << coarse << " " << middle << " " << fine;
}

// Both reverse where the lower one meets the floor; then the upper, which follows close behind, meets the lower one: the
// light ball on top of the heavy one leaves with (3 m1 − m2)/(m1 + m2) of the speed.
TEST(StackedBalls, DroppedTogetherThrowTheUpperOneUpForAnyStep) {
  const double m1 = 1.0, m2 = 0.25, gap = 1e-4, height = 0.5;
  for (const double dt : {5e-3, 1e-3, 2e-4}) {
    Simulator sim(balls({{0.1, m1, {0, 0, 0.1 + height}}, {0.05, m2, {0, 0, 0.25 + gap + height}}}, material(0.0, 1.0),
                        true, kGravity, dt));
    const double start = energy(sim.node());
    ASSERT_TRUE(sim.run(0.4).accepted()) << sim.report().explain();
    const double v = std::sqrt(2.0 * kGravity * height);
    const double t = 0.4 - v / kGravity, up = v * (3.0 * m1 - m2) / (m1 + m2) - kGravity * t;
    EXPECT_NEAR(sim.velocity()[8], up, 1e-3)
        << "dt " << dt;  // they meet gap/2v after the floor: g·gap/v and gravity's share
    EXPECT_NEAR(energy(sim.node()), start, 1e-7 * start);  // 2e-9 m of height where the balls turn
  }
}

// Newton's law, all at once: the row of three balls that touch answers with −1/3, 2/3, 2/3.
TEST(Cradle, OfThreeTouchingBallsAnswersSimultaneously) {
  Simulator sim(balls({{0.1, 1.0, {-0.5, 0, 0}, {1, 0, 0}}, {0.1, 1.0, {0, 0, 0}}, {0.1, 1.0, {0.2, 0, 0}}},
                      material(0.0, 1.0), false, 0.0, 1e-3));
  ASSERT_TRUE(sim.run(0.5).accepted()) << sim.report().explain();
  const VectorXd v = sim.velocity();
  EXPECT_NEAR(v[0], -1.0 / 3.0, 1e-9);
  EXPECT_NEAR(v[6], 2.0 / 3.0, 1e-9);
  EXPECT_NEAR(v[12], 2.0 / 3.0, 1e-9);
}

// With a gap of a micrometre between them the impacts follow one another, and the last ball takes all.
TEST(Cradle, WithGapsAnswersInSequence) {
  Simulator sim(balls({{0.1, 1.0, {-0.5, 0, 0}, {1, 0, 0}}, {0.1, 1.0, {0, 0, 0}}, {0.1, 1.0, {0.2 + 1e-6, 0, 0}}},
                      material(0.0, 1.0), false, 0.0, 1e-3));
  ASSERT_TRUE(sim.run(0.5).accepted()) << sim.report().explain();
  const VectorXd v = sim.velocity();
  EXPECT_NEAR(v[0], 0.0, 1e-9);
  EXPECT_NEAR(v[6], 0.0, 1e-9);
  EXPECT_NEAR(v[12], 1.0, 1e-9);
}

// Whatever gap a step leaves, touching and fast is an impact: no ball may stop dead because it arrived exactly.
TEST(TouchingBall, ThatMovesTowardsTheFloorBounces) {
  for (const double gap : {0.0, 1e-12, 5e-10, 1e-9, 2e-9, 1e-8, 1e-6}) {
    Simulator sim(balls({{0.1, 1.0, {0, 0, 0.1 + gap}, {0, 0, -1.0}}}, material(0.0, 0.8), true, 0.0, 1e-3));
    ASSERT_TRUE(sim.run(0.01).accepted()) << sim.report().explain();
    EXPECT_NEAR(sim.velocity()[2], 0.8, 1e-9) << "gap " << gap;
  }
}

TEST(SlowBall, BelowTheThresholdLandsWithoutABounce) {
  Simulator sim(balls({{0.1, 1.0, {0, 0, 0.1 + 1e-6}, {0, 0, -0.009}}}, material(0.0, 1.0), true, 0.0, 1e-3));
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(sim.step().accepted());
    EXPECT_EQ(sim.report().impacts, 0) << "step " << i;
  }
  EXPECT_NEAR(sim.velocity()[2], 0.0, 1e-9);
}

// Newton's law with friction would multiply the energy of this rod; the guard never lets an impact raise it.
TEST(RodOnARoughFloor, NeverGainsEnergyInAnImpact) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  int guarded = 0;
  for (int i = 0; i < 60; ++i) {
    OneBody spec;
    spec.shape = makeCapsule(0.02, 0.5);
    const Vector3d axis = Vector3d(number(generator), number(generator), number(generator)).normalized();
    spec.pose.rotation = Eigen::AngleAxisd(1.5 * number(generator), axis);
    spec.pose.position = {0, 0, 0.6};
    spec.material = material(i % 3 == 0 ? 2.0 : 0.5, i % 2 == 0 ? 1.0 : 0.95);
    spec.material.material_2 = "";
    Scene scene = makeOneBody(spec);
    for (int j = 0; j < 6; ++j) scene.v[j] = (j < 3 ? 3.0 : 10.0) * number(generator);
    Simulator sim(scene);
    double last = energy(sim.node());
    for (int k = 0; k < 700; ++k) {
      ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
      guarded += sim.report().theta < 1.0;
      const double now = energy(sim.node());
      // between impacts the leapfrog breathes with (h ω)²
      ASSERT_LE(now, last + 1e-4 * sim.report().kinetic) << "rod " << i << ", step " << k;
      last = now;
    }
  }
  EXPECT_GT(guarded, 20);
}

// A ball that just fits between two walls bounces between them, or rests: it never ends the run.
TEST(BallInASlot, OfAMicrometreRunsThrough) {
  for (const double slot : {1e-3, 1e-6, 1e-8}) {
    for (const double e : {1.0, 0.5, 0.0}) {
      ModelBuilder builder("slot");
      builder.setGravity(Vector3d::Zero());
      builder.addMaterialPair(material(0.0, e));
      builder.addWorldShape({"floor", makePlane(), {}, "default"});
      Pose above{{0, 0, 0.2 + slot}, Eigen::Quaterniond(Eigen::AngleAxisd(kPi, Vector3d::UnitX()))};
      builder.addWorldShape({"ceiling", makePlane(), above, "default"});
      BodySpec body;
      body.name = "ball";
      body.joint.type = kFree;
      body.joint.X_PJ.position = {0, 0, 0.1 + 0.5 * slot};
      body.mass = computeMassProperties(makeSphere(0.1), 1000.0);
      body.shapes.push_back({"ball", makeSphere(0.1), {}, "default"});
      builder.addBody(body);
      Scene scene;
      scene.model = builder.build();
      scene.q = scene.model.q0();
      scene.v = VectorXd::Zero(6);
      scene.v[2] = 0.1;
      Simulator sim(scene);
      for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
        ASSERT_LE(sim.report().penetration, 1e-11);
      }
      if (slot > 1e-7 && e == 1.0) {
        EXPECT_NEAR(std::fabs(sim.velocity()[2]), 0.1, 1e-9) << slot;
      }
    }
  }
}

// An independent look: at every node away from an impact the reported velocity is the mean slope of the positions around
// it, and the energy that of this velocity.
TEST(NodeValues, AgreeWithPositionsAwayFromImpacts) {
  OneBody spec;
  spec.shape = makeBox({0.1, 0.15, 0.2});
  spec.pose.position = {0, 0, 0.5};
  spec.pose.rotation = Eigen::AngleAxisd(0.4, Vector3d(1, 2, 0.5).normalized());
  spec.material = material(0.6, 0.0);
  spec.material.material_2 = "";
  spec.dt = 5e-4;
  Scene scene = makeOneBody(spec);
  scene.v << 0.5, -0.3, 0.0, 2.0, 1.0, -1.5;
  Simulator sim(scene);
  Data data(scene.model);
  VectorXd before, at = sim.state().q;
  bool struck_before = true, struck = true;
  int checked = 0;
  for (int i = 0; i < 2000; ++i) {
    before = at;
    at = sim.state().q;
    struck_before = struck;
    const StepReport& report = sim.step();
    ASSERT_TRUE(report.accepted()) << report.explain();
    struck = report.impacts > 0;
    if (i == 0 || struck || struck_before) continue;
    const VectorXd slope = (sim.state().q - before).head<3>() / (2.0 * scene.dt);
    // a rocking box changes its velocity softly when a corner lands slower than the threshold
    EXPECT_LE((report.velocity.head<3>() - slope).norm(), 0.02) << "step " << i;
    const double kinetic = computeKineticEnergy(scene.model, data, at, report.velocity);
    EXPECT_NEAR(report.kinetic, kinetic, 1e-12 * (1.0 + kinetic));
    ++checked;
  }
  EXPECT_GT(checked, 1500);
}

}  // namespace
}  // namespace rigor
