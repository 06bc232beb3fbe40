// What the judge of momentum must find, and what is rounding: errors planted into steps that balance.
#include "minimal/momentum_judge.h"

#include <gtest/gtest.h>

#include <limits>

#include "minimal/touching_step.h"

namespace rigor {
namespace {

using Eigen::VectorXd;

constexpr double kH = 1e-3;
constexpr double kTolerance = 1e-10;  // ε of the judge

void addBall(const std::string& name, double x, double z, double mass, ModelBuilder& builder) {
  BodySpec body;
  body.name = name;
  body.joint.name = name + "_joint";
  body.joint.type = kFree;
  body.joint.X_PJ.position = {x, 0, z};
  body.mass = computeMassProperties(makeSphere(0.1), 1000.0);
  body.mass.inertia *= mass / body.mass.mass;
  body.mass.mass = mass;
  body.shapes.push_back({name, makeSphere(0.1), {}});
  builder.addBody(body);
}

/// Two balls side by side on the floor; of the first one v′ and λ will be wrong.
Model twoBalls() {
  ModelBuilder builder;
  builder.addWorldShape({"ground", makePlane(), {}});
  addBall("judged", 0, 0.1, 1.0, builder);
  addBall("other", 5, 0.1, 1.0, builder);
  return builder.build();
}

/// A step of which the impulses are given, its end velocity, and the judge.
struct JudgedStep {
  JudgedStep(const Model& model, const VectorXd& v, double h = kH) : step(model, v, h) {
    scratch.resize(step.topology);
  }

  /// The velocity that the impulses lead to.
  void balance() {
    VectorXd change(step.model.nv());
    applyImpulses(step.part, step.motion, step.set, ImpulseChoice::kAll, change.data());
    step.v_end = step.v + change;
  }
  double judge() {
    return judgeMomentum(step.context(), step.start.kin, step.motion, step.set, step.v_end.data(), scratch);
  }
  /// A billionth added to a number must be found.
  void expectFound(double& number, const std::string& what) {
    const double right = number;
    number *= 1.0 + 1e-9;
    EXPECT_GT(judge(), kTolerance) << what;
    number = right;
    EXPECT_LE(judge(), 0.0) << what;
  }

  TouchingStep step;
  MomentumScratch scratch;
};

TEST(MomentumJudge, FindsABillionthInASlowBodyBesideAFastOne) {
  for (const double fast : {0.0, 1e2, 1e6, 1e10}) {
    VectorXd v = VectorXd::Zero(12);
    v.head(6) << 0.3, -0.2, 0.0, 1.0, 2.0, 3.0;
    v.tail(6).setConstant(fast);
    JudgedStep judged(twoBalls(), v);
    ASSERT_FALSE(judged.step.set.empty());
    judged.step.set.impulse[0] = 0.5 * kH * 9.81;  // half a kick: the first step from a node
    judged.balance();
    EXPECT_LE(judged.judge(), 0.0);
    judged.expectFound(judged.step.v_end[0], "x");
    judged.expectFound(judged.step.v_end[4], "turning about y");
    v.head(6).setZero();  // at rest the impulse is all there is
    judged.step.v = v;
    judged.balance();
    judged.expectFound(judged.step.set.impulse[0], "impulse at rest");
  }
}

TEST(MomentumJudge, FindsABillionthInTheFlightOfABallThatSpinsFast) {
  VectorXd v = VectorXd::Zero(12);
  v.head(6) << 0.3, -0.2, 0.0, 1e5, -2e5, 1e4;
  JudgedStep judged(twoBalls(), v);
  judged.balance();
  judged.expectFound(judged.step.v_end[0], "x");
  judged.expectFound(judged.step.v_end[1], "y");
  judged.expectFound(judged.step.v_end[3], "turning about x");
}

// The light ball is pushed by two impulses that differ by one part in 1e8: their rounding moves it by 1e-10 m/s.
TEST(MomentumJudge, ExcusesTheRoundingOfALightBallUnderAHeavyOneAndNothingElse) {
  ModelBuilder builder;
  builder.addWorldShape({"ground", makePlane(), {}});
  addBall("light", 0, 0.1, 1.0, builder);
  addBall("heavy", 0, 0.3, 1e8, builder);
  JudgedStep judged(builder.build(), VectorXd::Zero(12));
  ASSERT_EQ(judged.step.set.size(), 2);
  const double light = 0.5 * kH * 9.81, heavy = 1e8 * light;
  judged.step.set.impulse[0] = light + heavy;
  judged.step.set.impulse[3] = heavy;
  judged.balance();
  EXPECT_LE(judged.judge(), 0.0);
  judged.step.v_end[2] += 1e-7;  // ten times what 1e-6 of the scale k·g excuses
  EXPECT_GT(judged.judge(), kTolerance);
}

TEST(MomentumJudge, ExcusesNoMoreThanAMillionthHoweverLargeTheImpulses) {
  for (const double push : {1e3, 1e9, 1e15, 1e100}) {
    JudgedStep judged(twoBalls(), VectorXd::Zero(12));
    judged.balance();
    // the same impulse on the light ball from two sides, so that nothing moves
    ConstraintSet& set = judged.step.set;
    Constraint other = set.at(0);
    Side opposite = set.sidesOf(other)[0];
    opposite.sign = -1.0;
    other.first_side = static_cast<int>(set.sides.size());
    set.sides.push_back(opposite);
    set.active.push_back(static_cast<int>(set.slots.size()));
    set.slots.push_back(other);
    set.impulse[0] = push;
    EXPECT_LE(judged.judge(), 0.0) << push;
    judged.step.v_end[0] += 1e-5 * judged.step.v_end.cwiseAbs().maxCoeff();
    EXPECT_GT(judged.judge(), kTolerance) << push;
  }
}

// An impact has no length: no force acts, velocities jump.
TEST(MomentumJudge, JudgesAnImpactOfNoLength) {
  VectorXd v = VectorXd::Zero(12);
  v.head(6) << 0.3, -0.2, -1.0, 1.0, 2.0, 3.0;
  JudgedStep judged(twoBalls(), v);
  FreeMotion& motion = judged.step.motion;
  motion.velocity_scale = 0.0;
  makeOneRun(judged.step.topology, 0.0, judged.step.part);
  setLengths(judged.step.part, 0.0, motion);
  computeKick(judged.step.part, judged.step.model.parameters(), judged.step.input, judged.step.q.data(),
              judged.step.v.data(), motion);
  double* impulse = judged.step.set.impulse.data();
  impulse[0] = 1.5, impulse[1] = 0.2, impulse[2] = -0.1;
  judged.balance();
  EXPECT_NEAR(judged.step.v_end[2], 0.5, 1e-15);
  EXPECT_LE(judged.judge(), 0.0);
  judged.expectFound(impulse[0], "impulse");
  judged.expectFound(judged.step.v_end[2], "velocity");
  judged.expectFound(judged.step.v_end[4], "spin");
}

TEST(MomentumJudge, RefusesWhatIsNotFinite) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const int j : {0, 5, 6, 11}) {
      JudgedStep judged(twoBalls(), VectorXd::Zero(12));
      judged.balance();
      judged.step.v_end[j] = bad;
      EXPECT_FALSE(judged.judge() <= kTolerance) << bad << " in " << j;
    }
}

// Newton's method takes `whole` for how far it is from a solution: it must not be that of a pass before.
TEST(MomentumJudge, KeepsNoDistanceOfAnEarlierPassForAStepThatIsNotFinite) {
  JudgedStep judged(twoBalls(), VectorXd::Zero(12));
  judged.balance();
  EXPECT_LE(judged.judge(), 0.0);
  EXPECT_LT(judged.scratch.whole, 1e-12);
  judged.step.v_end[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(judged.judge(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(judged.scratch.whole, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace rigor
