// Chains: through impacts, through many steps, forwards and backwards.
#include <gtest/gtest.h>

#include <random>

#include "derivatives/differences.h"
#include "derivatives/leaper.h"
#include "reference/allocation_counter.h"

namespace rigor {
namespace {

Scene ballScene(double restitution, double friction) {
  Scene scene = makeLeaper();
  ModelBuilder builder("ball");
  builder.addWorldShape({.name = "ground", .shape = makePlane()});
  MaterialPair surface;
  surface.material_1 = "default";
  surface.friction = friction;
  surface.restitution = restitution;
  builder.addMaterialPair(surface);
  BodySpec ball;
  ball.name = "ball";
  ball.joint.type = kFree;
  ball.mass = computeMassProperties(makeSphere(0.1), 500.0);
  ball.shapes = {{.name = "ball", .shape = makeSphere(0.1)}};
  builder.addBody(ball);
  scene = {};
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q[2] = 0.6;
  scene.v = Eigen::VectorXd::Zero(6);
  return scene;
}

void carryOn(const StepTangent& end, StepTangent& start) { start.state = end.state, start.memory = end.memory; }

/// ∂(state after some steps)/∂(v when they begin, parameters), by pushing forward column after column.
Eigen::MatrixXd pushThrough(Simulator& sim, StepDerivatives& derivatives, int steps) {
  const int n = sim.scene().model.nv(), parameters = static_cast<int>(derivatives.parameters().size());
  std::vector<StepTangent> start(static_cast<std::size_t>(n + parameters), derivatives.zeroStart());
  for (int k = 0; k < n; ++k) start[static_cast<std::size_t>(k)].state.v[k] = 1.0;
  for (int k = 0; k < parameters; ++k) start[static_cast<std::size_t>(n + k)].parameters[k] = 1.0;
  StepTangent end = derivatives.zeroEnd();
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(derivatives.step(sim).accepted());
    EXPECT_TRUE(derivatives.known()) << derivatives.reason();
    for (StepTangent& tangent : start) {
      derivatives.pushForward(tangent, end);
      carryOn(end, tangent);
    }
  }
  Eigen::MatrixXd result(2 * n, n + parameters);
  for (int k = 0; k < n + parameters; ++k)
    result.col(k) << start[static_cast<std::size_t>(k)].state.q, start[static_cast<std::size_t>(k)].state.v;
  return result;
}

// z falls for t₁, bounces with e and is e w (T − t₁) − g (T − t₁)²/2 high: the derivative of t₁ counts.
TEST(StepChain, ThroughABounceIsTheClosedForm) {
  const double e = 0.7, z = 0.5, v = -1.0, g = 9.81, T = 0.5;
  Scene scene = ballScene(e, 0.0);
  scene.v[2] = v;
  Simulator sim(scene);
  StepDerivatives derivatives(sim, {findStepParameter(scene.model, "restitution")});
  const Eigen::MatrixXd D = pushThrough(sim, derivatives, 500);
  const double w = std::sqrt(v * v + 2.0 * g * z), after = T - (v + w) / g;
  const double speed = e * w - g * after;  // at T
  // the step that leads to the impact ends 0 to 1e-9 m above the ground: of 3 m/s that is 3e-10 s
  EXPECT_NEAR(D(2, 2), e * v / w * after - speed * (1.0 + v / w) / g, 1e-8);
  EXPECT_NEAR(D(2, 6), w * after, 1e-8);
  // the velocity in the middle of the last step, half a step before T
  EXPECT_NEAR(D(8, 2), e * v / w + (1.0 + v / w), 1e-8);
  EXPECT_NEAR(D(8, 6), w, 1e-8);
}

TEST(StepChain, ThroughABounceWithFrictionAndSpinIsTheCentralDifference) {
  Scene scene = ballScene(0.8, 0.2);
  scene.v << 2.0, 0.5, -1.0, 1.0, 8.0, -2.0;
  Simulator sim(scene), before(scene);
  StepDerivatives derivatives(sim);
  constexpr int kSteps = 300;
  const Eigen::MatrixXd D = pushThrough(sim, derivatives, kSteps);
  const double size = 1e-3;
  const Eigen::MatrixXd differences = differentiateBy(scene.model, 6, size, [&](int k, double by) {
    Snapshot at = before.save();
    at.state.v[k] += by;
    return stepFrom(before, at, {}, {}, kSteps);
  });
  // landings end within 1e-9 m, over the size of the differences
  EXPECT_LE(disagreement(D, differences), 1e-5);
}

// A foot strikes the ground while a motor, springs and dampers act: how long their kicks last has a derivative.
TEST(StepChain, ThroughTheImpactOfALegHeldByAMotorIsTheCentralDifference) {
  Scene scene = makeLeaper([](LeaperNumbers& numbers) {
    numbers.surface.threshold = 0.01;
    numbers.surface.restitution = 0.4;
    numbers.alone = true;
  });
  scene.q[2] += 0.02;
  scene.v << 0.3, 0.1, -1.5, 0.2, 0.1, -0.3, 0.1, -0.2, 0.3, 0.4;
  scene.holds = {{.joint = 2, .kp = 20.0, .kd = 0.3, .target = 0.4}};
  Simulator sim(scene), before(scene);
  StepDerivatives derivatives(sim);
  constexpr int kSteps = 20;
  const Eigen::MatrixXd D = pushThrough(sim, derivatives, kSteps);
  const Eigen::MatrixXd differences = differentiateBy(scene.model, scene.model.nv(), 1e-3, [&](int k, double by) {
    Snapshot at = before.save();
    at.state.v[k] += by;
    return stepFrom(before, at, {}, {}, kSteps);
  });
  // what v̄ misses before it is renewed, 1e-7 of the energy in every step, and where landings end
  EXPECT_LE(disagreement(D, differences), 1e-4);
}

TEST(StepChain, ThroughTheStepsOfARobotThatLandsIsTheCentralDifference) {
  Scene scene = loadChanged("anymal_stand", {withoutImpacts(0.8)});
  Simulator sim(scene);
  Eigen::VectorXd v = Eigen::VectorXd::Zero(18);
  v[0] = 0.3, v[3] = 0.2;
  sim.setState(sim.state().q, v);
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(sim.step().accepted());
  Simulator before(sim);
  StepDerivatives derivatives(sim);
  constexpr int kSteps = 20;
  const Eigen::MatrixXd D = pushThrough(sim, derivatives, kSteps);
  const Eigen::MatrixXd differences = differentiateBy(scene.model, 18, 1e-5, [&](int k, double by) {
    Snapshot at = before.save();
    at.state.v[k] += by;
    return stepFrom(before, at, {}, {}, kSteps);
  });
  EXPECT_LE(disagreement(D, differences), 1e-5);
}

StepTangent randomTangent(StepTangent like, std::mt19937& random) {
  std::normal_distribution<double> normal;
  const auto fill = [&](Eigen::VectorXd& vector) {
    for (double& x : vector) x = normal(random);
  };
  for (Eigen::VectorXd* part : {&like.state.q, &like.state.v, &like.tau, &like.ctrl, &like.parameters,
                                &like.memory.rates[0], &like.memory.rates[1], &like.memory.rates[2]})
    fill(*part);
  like.memory.last_step.setConstant(normal(random));
  return like;
}

double product(const StepTangent& a, const StepTangent& b) {
  double sum = a.state.q.dot(b.state.q) + a.state.v.dot(b.state.v) + a.memory.last_step.dot(b.memory.last_step);
  for (int k = 0; k < 3; ++k) sum += a.memory.rates[k].dot(b.memory.rates[k]);
  if (a.tau.size() > 0) sum += a.tau.dot(b.tau) + a.ctrl.dot(b.ctrl) + a.parameters.dot(b.parameters);
  return sum;
}

TEST(StepDerivatives, BackwardsAreTheTransposeOfForwards) {
  std::mt19937 random(7);
  int with_impacts = 0, steps = 0, unknown = 0;
  for (const char* name : {"anymal_stand", "anymal_drop", "double_four_bar", "humanoid_stand"}) {
    Simulator sim(loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + name + ".toml"));
    const Model& model = sim.scene().model;
    StepDerivatives derivatives(sim, {findStepParameter(model, "friction"), findStepParameter(model, "restitution"),
                                      findStepParameter(model, "mass:" + model.body(model.bodyCount() - 1).name)});
    StepTangent end = derivatives.zeroEnd(), start = derivatives.zeroStart();
    for (int i = 0; i < 2000; ++i) {
      ASSERT_TRUE(derivatives.step(sim).accepted());
      if (i % 50 != 0 && derivatives.substeps() == 1) continue;
      if (!derivatives.known()) {
        EXPECT_EQ(derivatives.reason(), "an impact at the very end of a step") << name;
        ++unknown;
        continue;
      }
      ++steps, with_impacts += sim.report().impacts > 0;
      const StepTangent x = randomTangent(derivatives.zeroStart(), random),
                        y = randomTangent(derivatives.zeroEnd(), random);
      derivatives.pushForward(x, end);
      derivatives.pullBack(y, start);
      // both sum hundreds of products of these sizes
      const double size =
          std::sqrt(product(end, end) * product(y, y)) + std::sqrt(product(start, start) * product(x, x));
      EXPECT_NEAR(product(y, end), product(start, x), 1e-12 * size) << name << " step " << i;
    }
  }
  EXPECT_GE(with_impacts, 20);
  EXPECT_LE(unknown, 5);
  EXPECT_GE(steps, 200);
}

TEST(StepDerivatives, AllocateNothingAfterWarmUp) {
  Simulator sim(loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/anymal_stand.toml"));
  StepDerivatives derivatives(sim, {findStepParameter(sim.scene().model, "friction")});
  StepTangent end = derivatives.zeroEnd(), start = derivatives.zeroStart();
  const auto take = [&] {
    derivatives.step(sim);
    derivatives.jacobians();
    derivatives.pushForward(start, end);
    derivatives.pullBack(end, start);
  };
  for (int i = 0; i < 1000; ++i) take();
  AllocationScope scope;
  for (int i = 0; i < 200; ++i) take();
  EXPECT_EQ(scope.count(), 0);
}

}  // namespace
}  // namespace rigor
