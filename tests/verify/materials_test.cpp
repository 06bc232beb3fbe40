// What materials say of surfaces: belts, torsion, rolling, a grain, softness, friction at rest. Closed forms, and the second opinion.
#include <gtest/gtest.h>

#include "simulation/simple_scenes.h"
#include "simulation/tolerance.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

constexpr double kRadius = 0.1;

OneBody ballOnFloor() {
  OneBody spec;
  spec.shape = makeSphere(kRadius);
  spec.pose.position = {0, 0, kRadius};
  spec.material.friction = 0.5;
  return spec;
}
OneBody blockOnFloor() {
  OneBody spec;
  spec.shape = makeBox({0.15, 0.15, 0.1});
  spec.pose.position = {0, 0, 0.1};
  spec.material.friction = 0.4;
  return spec;
}

void expectVerified(const Scene& scene, int steps) {
  Simulator sim(scene);
  Recording recording = makeRecording(scene);
  for (int i = 0; i < steps; ++i) {
    const Eigen::VectorXd q = sim.state().q;
    ASSERT_TRUE(sim.step().accepted()) << i << ": " << sim.report().explain();
    recording.append(q, sim.report());
  }
  recording.finish(sim);
  const Verdict verdict = verifyRecording(recording);
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.what << " " << verdict.first_bad.value << " > "
                             << verdict.first_bad.limit << " in step " << verdict.first_bad.step;
}

// a = μ g until both have the speed of the belt, 1 m/s at 0.255 s, then rest on it.
TEST(Belt, AcceleratesAParcelByFrictionAndCarriesItAtItsOwnSpeed) {
  OneBody spec = blockOnFloor();
  spec.material.surface_velocity = {1.0, 0.0, 0.0};
  const Scene scene = makeOneBody(spec);
  Simulator sim(scene);
  ASSERT_TRUE(sim.run(0.2).accepted()) << sim.report().explain();
  const double speed = 0.4 * kGravity * 0.2, way = 0.5 * 0.4 * kGravity * 0.04;
  EXPECT_NEAR(sim.velocity()[0], speed, 10 * tolerance::kConstantAcceleration);
  EXPECT_NEAR(sim.pose(0).position.x(), way, 10 * tolerance::kConstantAcceleration);
  ASSERT_TRUE(sim.run(0.8).accepted()) << sim.report().explain();
  EXPECT_NEAR(sim.velocity()[0], 1.0, 1e-12);  // rounding of a position of a metre, over a step of 1 ms
  EXPECT_NEAR(sim.velocity().tail<5>().norm(), 0.0, 1e-11);
  expectVerified(scene, 400);
}

// The velocity is that of the surface in the frame of its shape: a belt across a slope moves what lies on it across.
TEST(Belt, RunsInTheFrameOfItsShapeAndAgainstEveryMaterial) {
  OneBody spec = blockOnFloor();
  const double slope = 0.2;
  spec.ground = tilt(slope, 0.7);
  spec.pose = {spec.ground * Vector3d(0, 0, 0.1), spec.ground};
  spec.material.surface_velocity = {-0.5, 0.2, 3.0};  // what it has along the normal counts for nothing
  Simulator sim(makeOneBody(spec));
  ASSERT_TRUE(sim.run(1.5).accepted()) << sim.report().explain();
  const Vector3d belt = spec.ground * Vector3d(-0.5, 0.2, 0.0);
  EXPECT_NEAR((sim.velocity().head<3>() - belt).norm(), 0.0, 1e-11);
}

// I ω′ = −c m g: 2/5 m r² ω₀/(c m g) seconds, and linear until then.
TEST(Torsion, StopsASpinningBallAfterTheTimeOfItsMomentOfInertia) {
  OneBody spec = ballOnFloor();
  spec.material.torsion = 0.002;
  Scene scene = makeOneBody(spec);
  scene.v[5] = 3.0;
  const double rate = 0.002 * kGravity / (0.4 * kRadius * kRadius), stop = 3.0 / rate;  // 4.9 rad/s², 0.61 s
  Simulator sim(scene);
  ASSERT_TRUE(sim.run(0.5).accepted()) << sim.report().explain();
  EXPECT_NEAR(sim.velocity()[5], 3.0 - 0.5 * rate, 1e-10);
  ASSERT_TRUE(sim.run(stop - 0.5 + 0.01).accepted()) << sim.report().explain();
  EXPECT_NEAR(sim.velocity()[5], 0.0, 1e-12);
  EXPECT_LE(sim.velocity().norm(), 1e-11);
  expectVerified(scene, 700);
}

/// Rolling that slows down by itself alike: with the friction f = ρ τ, τ² /c² + f²/μ² = N² and the creep v − r ω = (c/μ)² ρ ω that the
/// ellipsoid asks for, ρ solves 2/5 r² ρ = (r + (c/μ)² ρ)(1 − r ρ), near 5/(7 r).
struct Slowing {
  double ratio, deceleration;  ///< v/ω [m], [m/s²]
};
Slowing slowingOf(double c, double mu) {
  const double k = c * c / (mu * mu), r = kRadius;
  double rho = 5.0 / (7.0 * r);
  for (int i = 0; i < 50; ++i) rho = (r + k * rho) * (1.0 - r * rho) / (0.4 * r * r) * 0.3 + 0.7 * rho;
  return {r + k * rho, rho * c * kGravity / std::sqrt(1.0 + rho * rho * k)};
}

TEST(Rolling, DeceleratesARollingBallAsTheEllipsoidSaysUntilItRests) {
  OneBody spec = ballOnFloor();
  spec.material.rolling = 0.01;
  Scene scene = makeOneBody(spec);
  const Slowing slowing = slowingOf(0.01, 0.5);
  EXPECT_NEAR(slowing.deceleration, 5.0 / 7.0 * kGravity * 0.01 / kRadius, 0.03);  // that of infinite friction
  scene.v[0] = 0.5, scene.v[4] = 0.5 / slowing.ratio;
  Simulator sim(scene);
  ASSERT_TRUE(sim.run(0.5).accepted()) << sim.report().explain();
  EXPECT_NEAR(sim.velocity()[0], 0.5 - 0.5 * slowing.deceleration, 1e-9);
  EXPECT_NEAR(sim.velocity()[4] * slowing.ratio, sim.velocity()[0], 1e-9);
  EXPECT_NEAR(sim.pose(0).position.x(), 0.25 - 0.125 * slowing.deceleration, 1e-9);
  ASSERT_TRUE(sim.run(0.3).accepted()) << sim.report().explain();
  EXPECT_LE(sim.velocity().norm(), 1e-11);
  expectVerified(scene, 800);
}

// Torque r m g sin α and force m g sin α in one ellipsoid: tan α ≤ c/√(r² + (c/μ)²). It holds, and nothing creeps.
TEST(Rolling, HoldsABallOnASlopeUpToTheEdgeOfTheEllipsoid) {
  for (const double part : {0.999, 1.01}) {
    OneBody spec = ballOnFloor();
    spec.material.rolling = 0.01;
    const double slope = std::atan(part * 0.01 / std::hypot(kRadius, 0.01 / 0.5));
    spec.ground = tilt(slope, 0.4);
    spec.pose = {spec.ground * Vector3d(0, 0, kRadius), spec.ground};
    Simulator sim(makeOneBody(spec));
    const Vector3d start = sim.pose(0).position;
    ASSERT_TRUE(sim.run(1.0).accepted()) << sim.report().explain();
    const double way = (sim.pose(0).position - start).norm();
    if (part < 1.0)
      EXPECT_LE(way, tolerance::kRest);
    else
      EXPECT_GT(way, 1e-3);  // a hundredth of g tan α for a second: some mm
  }
}

// m v′ = −m g (c₁² v₁, c₂² v₂)/√((c₁ v₁)² + (c₂ v₂)²): the friction of the ellipse that takes most.
TEST(Grain, BendsTheWayOfASlidingBlockAsTheEllipseSays) {
  OneBody spec = blockOnFloor();
  const double c1 = 0.4, c2 = 0.12;
  spec.material.anisotropy = {Vector3d(1.0, 1.0, 0.5), c2 / c1};  // what stands on the surface counts for nothing
  const Vector3d along = Vector3d(1, 1, 0).normalized(), across(-along.y(), along.x(), 0.0);
  Scene scene = makeOneBody(spec);
  scene.v[0] = 1.5;
  Eigen::Vector4d state(0, 0, 1.5 * along.x(), 1.5 * across.x());  // way and velocity along and across
  const auto rate = [&](const Eigen::Vector4d& y) {
    const double size = std::hypot(c1 * y[2], c2 * y[3]);
    return Eigen::Vector4d(y[2], y[3], -kGravity * c1 * c1 * y[2] / size, -kGravity * c2 * c2 * y[3] / size);
  };
  const double dt = 1e-4;
  for (int i = 0; i < 3000; ++i) {
    const Eigen::Vector4d k1 = rate(state), k2 = rate(state + 0.5 * dt * k1), k3 = rate(state + 0.5 * dt * k2);
    state += dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + rate(state + dt * k3));
  }
  // the direction of friction is that of the end of a step, so errors are of first order: they halve with the step, and what is
  // left after that is of second order
  Eigen::Vector4d found[2];
  for (const int halves : {0, 1}) {
    scene.dt = halves == 0 ? 1e-3 : 5e-4;
    Simulator sim(scene);
    ASSERT_TRUE(sim.run(0.3).accepted()) << sim.report().explain();
    const Vector3d way = sim.pose(0).position, v = sim.velocity().head<3>();
    found[halves] << way.dot(along), way.dot(across), v.dot(along), v.dot(across);
  }
  EXPECT_LE((found[0] - state).norm(), 1e-3);
  EXPECT_NEAR((found[1] - state).norm() / (found[0] - state).norm(), 0.5, 0.05);
  EXPECT_LE((2.0 * found[1] - found[0] - state).norm(), 1e-5);
  scene.dt = 1e-3;
  expectVerified(scene, 300);
}

// φ = −C m g.
TEST(SoftFloor, CarriesABallAsDeepAsItsWeightAsksFor) {
  OneBody spec = ballOnFloor();
  spec.material.compliance = 1e-4;
  spec.pose.position = {0, 0, kRadius + 0.01};
  spec.dt = 0.01;  // hω = 0.5: every step takes a tenth of what it swings by
  const Scene scene = makeOneBody(spec);
  const double weight = scene.model.mass() * kGravity;
  Simulator sim(scene);
  ASSERT_TRUE(sim.run(4.0).accepted()) << sim.report().explain();
  EXPECT_NEAR(sim.pose(0).position.z(), kRadius - 1e-4 * weight, 1e-12);
  EXPECT_LE(sim.report().penetration, 1e-11);  // beyond what its force asks for
  expectVerified(scene, 500);

  // and one that starts there stays: overlap of what is soft is not removed
  spec.pose.position.z() = kRadius - 1e-4 * weight;
  Simulator rest(makeOneBody(spec));
  EXPECT_TRUE(rest.warnings().empty());
  ASSERT_TRUE(rest.run(0.1).accepted()) << rest.report().explain();
  EXPECT_NEAR(rest.pose(0).position.z(), kRadius - 1e-4 * weight, 1e-14);
}

// The force is that of the end of the step, so a bounce loses energy: 1/√(1 + (hω)²) of its size in every step, hω = 0.1 here.
TEST(SoftFloor, GivesBackLessThanItTook) {
  OneBody spec = ballOnFloor();
  spec.density = 1.0 / (4.0 / 3.0 * kPi * kRadius * kRadius * kRadius);
  spec.material.compliance = 1e-4;  // ω = 100 rad/s
  spec.pose.position = {0, 0, kRadius + 0.1};
  double height[2];
  int k = 0;
  for (const double dt : {1e-3, 1e-4}) {
    spec.dt = dt;
    Simulator sim(makeOneBody(spec));
    ASSERT_TRUE(sim.run(0.15).accepted()) << sim.report().explain();
    double top = 0.0;
    for (int i = 0; i < 0.2 / dt; ++i) {
      ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
      top = std::max(top, sim.pose(0).position.z() - kRadius);
    }
    height[k++] = top;
  }
  EXPECT_LT(height[0], 0.1);
  EXPECT_LT(height[1], 0.1);
  EXPECT_GT(height[1], 0.095);      // half a period loses π/2·hω = 1.6 % of the speed, 3.1 % of the height
  EXPECT_GT(height[1], height[0]);  // shorter steps lose less
}

// Four corners share the weight, boxes stand on each other's springs.
TEST(SoftFloor, CarriesABlockOnItsCorners) {
  OneBody spec = blockOnFloor();
  spec.material.compliance = 1e-5;
  const Scene scene = makeOneBody(spec);
  Simulator sim(scene);
  ASSERT_TRUE(sim.run(2.0).accepted()) << sim.report().explain();
  EXPECT_NEAR(sim.pose(0).position.z(), 0.1 - 1e-5 * scene.model.mass() * kGravity / 4.0, 1e-12);
  expectVerified(scene, 300);
}

// Soft contacts by the other laws: the block that slides on its four springs stops where the same hard one does, and sinks as
// deep as by Coulomb's law.
TEST(SoftFloor, CarriesABlockByEveryLaw) {
  for (const char* law : {"coulomb", "dissipation", "pyramid"}) {
    OneBody spec = blockOnFloor();
    spec.material.compliance = 1e-6;
    spec.material.friction = 0.4;
    Scene scene = makeOneBody(spec);
    scene.law = law;
    scene.v[0] = 1.0;
    Simulator sim(scene);
    ASSERT_TRUE(sim.run(2.0).accepted()) << law << sim.report().explain();
    EXPECT_NEAR(sim.pose(0).position.z(), 0.1 - 1e-6 * scene.model.mass() * kGravity / 4.0, 1e-11) << law;
    EXPECT_LE(sim.velocity().norm(), 1e-9) << law;
    // along a corner of the pyramid all laws have μ; rocking on the springs makes a difference of second order
    EXPECT_NEAR(sim.pose(0).position.x(), 1.0 / (2.0 * 0.4 * kGravity), 2e-3) << law;
    expectVerified(scene, 300);
  }
}

// Up a slope between both frictions, at 10 ms: it comes to rest within a step, and static friction holds it there.
TEST(StaticFriction, HoldsABlockThatComesToRestWithinAStep) {
  for (const double dt : {1e-3, 1e-2}) {
    OneBody spec;
    spec.shape = makeBox({0.1, 0.1, 0.1});
    spec.ground = tilt(std::atan(0.5), 0.0);
    spec.pose = {spec.ground * Vector3d(0, 0, 0.1), spec.ground};
    spec.material.friction = 0.4, spec.material.friction_static = 0.6;
    spec.dt = dt;
    Scene scene = makeOneBody(spec);
    const Vector3d up = spec.ground * -Vector3d::UnitX();
    scene.v.head<3>() = 0.5 * up;
    const double slope = std::atan(0.5), a = kGravity * (std::sin(slope) + 0.4 * std::cos(slope));
    Simulator sim(scene);
    const Vector3d start = sim.pose(0).position;
    ASSERT_TRUE(sim.run(0.2).accepted()) << sim.report().explain();
    const Vector3d stopped = sim.pose(0).position;
    EXPECT_NEAR((stopped - start).dot(up), 0.125 / a, a * dt * dt);  // stops at a node, not between two
    ASSERT_TRUE(sim.run(0.5).accepted()) << sim.report().explain();
    EXPECT_LE((sim.pose(0).position - stopped).norm(), tolerance::kRest);
    expectVerified(scene, static_cast<int>(0.2 / dt));
  }
}

// A sphere on a fixed box gives way as on a plane; boxes on boxes are hard, and a run says so.
TEST(SoftSolids, AreSpheresOnAnythingAndOthersAreHard) {
  const auto onBox = [](const Shape& shape, double height) {
    OneBody spec;
    spec.shape = shape;
    spec.pose.position = {0, 0, height};
    Scene plain = makeOneBody(spec);
    ModelBuilder builder("on a box");
    ShapeSpec floor{"floor", makeBox({0.5, 0.5, 0.5}), {{0, 0, -0.5}, Eigen::Quaterniond::Identity()}, "pad"};
    builder.addWorldShape(floor);
    MaterialPair pad{"pad", ""};
    pad.compliance = 1e-5;
    builder.addMaterialPair(pad);
    const int index = builder.addBody(plain.model.body(0));
    builder.setReference(index, plain.q);
    plain.model = builder.build();
    return plain;
  };
  const Scene ball = onBox(makeSphere(kRadius), kRadius);
  Simulator sim(ball);
  EXPECT_TRUE(sim.warnings().empty());
  ASSERT_TRUE(sim.run(2.0).accepted()) << sim.report().explain();
  EXPECT_NEAR(sim.pose(0).position.z(), kRadius - 1e-5 * ball.model.mass() * kGravity, 1e-11);
  expectVerified(ball, 300);

  const Scene block = onBox(makeBox({0.1, 0.1, 0.1}), 0.1);
  Simulator hard(block);
  ASSERT_EQ(hard.warnings().size(), 1u);
  EXPECT_NE(hard.warnings()[0].message.find("box and box"), std::string::npos) << hard.warnings()[0].message;
  ASSERT_TRUE(hard.run(0.5).accepted()) << hard.report().explain();
  EXPECT_NEAR(hard.pose(0).position.z(), 0.1, 1e-12);
  expectVerified(block, 200);
}

// Whoever changes what a soft contact, a belt or a turning contact did is found out.
TEST(Verify, FindsChangedNumbersOfSurfaces) {
  const auto record = [](Scene scene) {
    Simulator sim(scene);
    Recording recording = makeRecording(scene);
    for (int i = 0; i < 50; ++i) {
      const Eigen::VectorXd q = sim.state().q;
      EXPECT_TRUE(sim.step().accepted());
      recording.append(q, sim.report());
    }
    recording.finish(sim);
    EXPECT_TRUE(verifyRecording(recording).holds);
    return recording;
  };
  OneBody spinning = ballOnFloor();
  spinning.material.rolling = 0.01;
  Scene scene = makeOneBody(spinning);
  scene.v[0] = 0.5, scene.v[4] = 5.0;
  Recording rolling = record(scene);
  ASSERT_EQ(rolling.contact_torque.size(), 3 * rolling.contact_id.size());
  for (double& torque : rolling.contact_torque) torque *= 1.0 + 1e-6;
  EXPECT_FALSE(verifyRecording(rolling).holds);

  OneBody soft = ballOnFloor();
  soft.material.compliance = 1e-4;
  Recording pressed = record(makeOneBody(soft));
  for (double& gap : pressed.contact_gap_end) gap += 1e-9;
  EXPECT_FALSE(verifyRecording(pressed).holds);
}

}  // namespace
}  // namespace rigor
