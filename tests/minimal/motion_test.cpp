// Prediction, momentum judge and node velocities: the bookkeeping around the solve.
#include <gtest/gtest.h>

#include "minimal/step_judge.h"
#include "minimal/step_result.h"
#include "minimal/touching_step.h"
#include "model/make_topology.h"

namespace rigor {
namespace {

using Eigen::VectorXd;

/// Two freedoms whose increment is predicted from what the last steps left, with a kick of 10 ms.
struct Prediction {
  Topology topology = makeTopology({-1, -1}, {kHinge, kHinge});
  Part part;
  FreeMotion motion;

  explicit Prediction(int increments) {
    part.runs.push_back({Trees(topology), 0.01, increments});
    motion.kick = motion.predicted = {0.0, 0.0};
    setLengths(part, 0.01, motion);
  }
};

Memory quadraticMemory() {
  Memory memory;
  for (int k = 0; k < 3; ++k) {
    const double t = -1.0 - k;  // steps before the one that is predicted
    memory.rates[k].resize(2);
    memory.rates[k] << 3.0 + 0.5 * t - 0.25 * t * t, -1.0 + 2.0 * t + 4.0 * t * t;
  }
  return memory;
}

TEST(PredictedIncrement, IsExactForAccelerationsThatAreQuadraticInTime) {
  Prediction third(3);
  predictIncrement(third.part, quadraticMemory(), third.motion);
  EXPECT_NEAR(third.motion.predicted[0], 0.01 * 3.0, 1e-16);
  EXPECT_NEAR(third.motion.predicted[1], 0.01 * -1.0, 1e-16);
}

TEST(PredictedIncrement, UsesOnlyTheRatesThatAreValid) {
  const Memory memory = quadraticMemory();
  Prediction none(0), one(1), two(2);
  predictIncrement(none.part, memory, none.motion);  // after an impact
  EXPECT_EQ(none.motion.predicted, (std::vector<double>{0.0, 0.0}));
  predictIncrement(one.part, memory, one.motion);
  EXPECT_EQ(one.motion.predicted[0], 0.01 * memory.rates[0][0]);
  predictIncrement(two.part, memory, two.motion);
  EXPECT_NEAR(two.motion.predicted[0], 0.01 * (2.0 * memory.rates[0][0] - memory.rates[1][0]), 1e-16);
}

/// Everything that a solver is given, and where its impulses lead, with the mass matrix factored in one way.
struct FactoredStep {
  FactoredStep(int seed, MassMethod method) : step(seed, 1e-2) {
    step.factorBy(method);
    step.linearise();
    for (double& impulse : step.set.impulse) impulse = step.random.number(-0.1, 0.1);
    findIslands(step.topology, step.set, islands);
    for (int i = 0; i < islands.count; ++i) {
      assembleIsland(step.topology, step.motion, step.set, kAlwaysDense, islands.list[i]);
      assembleFreeVelocity(step.motion, step.set, step.v.data(), step.v_end.data(), islands.list[i]);
    }
    change.resize(step.model.nv());
    applyImpulses(step.part, step.motion, step.set, ImpulseChoice::kAll, change.data());
  }

  TouchingStep step;
  Islands islands;
  VectorXd change;
};

/// Largest difference, relative to the largest entry.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
  using Array = Eigen::Map<const VectorXd>;
  const Array x(a.data(), static_cast<Eigen::Index>(a.size())), y(b.data(), static_cast<Eigen::Index>(b.size()));
  return (x - y).cwiseAbs().maxCoeff() / y.cwiseAbs().maxCoeff();
}

TEST(FreeMotion, IsTheSameWithPackedRowsAndWithArticulatedBodies) {
  constexpr double kSame = 1e-12;  // eps and a condition of some hundreds
  for (int seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const FactoredStep packed(seed, MassMethod::kPacked), articulated(seed, MassMethod::kArticulated);
    ASSERT_EQ(packed.islands.count, articulated.islands.count);
    for (int i = 0; i < packed.islands.count; ++i) {
      const ContactProblem &a = articulated.islands.list[i].problem, &b = packed.islands.list[i].problem;
      EXPECT_LE(difference(a.W.entries(), b.W.entries()), kSame);
      EXPECT_LE(difference(a.b, b.b), kSame);
    }
    EXPECT_LE((articulated.change - packed.change).norm(), kSame * packed.change.norm());
  }
}

/// A step with random impulses, its exact end velocity and the judge of its momentum.
class BalancedStep {
 public:
  explicit BalancedStep(int seed) : step(seed, 1e-2) {
    for (double& impulse : step.set.impulse) impulse = step.random.number(-0.1, 0.1);
    VectorXd change(step.model.nv());
    applyImpulses(step.part, step.motion, step.set, ImpulseChoice::kAll, change.data());
    step.v_end = step.v + change;
    scratch.resize(step.topology);
  }
  double judge() { return judge(step.context()); }
  double judge(const StepContext& context) {
    return judgeMomentum(context, step.start.kin, step.motion, step.set, step.v_end.data(), scratch);
  }

  TouchingStep step;
  MomentumScratch scratch;
};

constexpr double kBalanced = 1e-12;  // rounding; the judge refuses 1e-10
constexpr int kSeeds = 20;

TEST(MomentumJudge, FindsNothingInAStepThatBalances) {
  for (int seed = 0; seed < kSeeds; ++seed) EXPECT_LE(BalancedStep(seed).judge(), kBalanced) << "seed " << seed;
}

TEST(MomentumJudge, NoticesEveryImpulseThatIsWrong) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    BalancedStep balanced(seed);
    ConstraintSet& set = balanced.step.set;
    for (const Constraint& c : set.slots)
      for (int r = 0; r < c.rows; ++r) {
        const int row = c.first_row + r;
        double pushes = 0.0;  // a row that moves nothing cannot be noticed
        for (const Side& side : set.sidesOf(c))
          for (int k = 0; k < side.length; ++k)
            pushes = std::max(pushes, std::fabs(set.force[side.offset + k * c.rows + r]));
        if (pushes < 1e-3) continue;
        const double right = set.impulse[row];
        set.impulse[row] += 1e-4;
        EXPECT_GE(balanced.judge(), 1e-10) << "seed " << seed << ", row " << row;
        set.impulse[row] = right;
      }
  }
}

TEST(MomentumJudge, NoticesAnEndVelocityThatIsOffByAMillionth) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    BalancedStep balanced(seed);
    for (int j = 0; j < balanced.step.model.nv(); ++j) {
      const double right = balanced.step.v_end[j];
      balanced.step.v_end[j] += 1e-6;
      EXPECT_GE(balanced.judge(), 1e-8) << "seed " << seed << ", freedom " << j;
      balanced.step.v_end[j] = right;
    }
  }
}

TEST(MomentumJudge, NoticesMissingDampingTorqueOrGain) {
  int damped = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    BalancedStep balanced(seed);
    TouchingStep& step = balanced.step;
    for (int j = 0; j < step.model.nv(); ++j) {
      Parameters<double> parameters = step.model.parameters();
      if (parameters.damping[j] > 0.1 && std::fabs(step.v[j] + step.v_end[j]) > 0.1) {
        ++damped;
        parameters.damping[j] = 0.0;
        const StepContext wrong{step.tables, step.topology, parameters,    step.part,
                                step.input,  step.memory,   step.q.data(), step.v.data()};
        EXPECT_GE(balanced.judge(wrong), 1e-7);
      }
      StepInput input = step.input;
      const StepContext wrong = makeContext(step.tables, step.part, input, step.memory, step.q.data(), step.v.data());
      input.tau[j] += 1e-3;
      EXPECT_GE(balanced.judge(wrong), 1e-8);
      input = step.input;
      if (const int drive = input.drive_of[j]; drive >= 0 && !step.motion.saturated[j]) {
        input.drives[drive].kd *= 0.9;
        EXPECT_GE(balanced.judge(wrong), 1e-8);
      }
    }
  }
  EXPECT_GE(damped, 10);
}

TEST(MomentumJudge, SaysInfinityForNumbersThatAreNotFinite) {
  BalancedStep balanced(0);
  balanced.step.v_end[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(balanced.judge(), std::numeric_limits<double>::infinity());
}

// v′ less the half of the increment that follows the node: between the carried velocities, whatever caused it.
TEST(NodeVelocity, LiesHalfAKickBeforeTheEnd) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    BalancedStep balanced(seed);
    TouchingStep& step = balanced.step;
    VectorXd change(step.model.nv()), node;
    applyImpulses(step.part, step.motion, step.set, ImpulseChoice::kAll, change.data());
    step.v_end = step.v + change;
    computeNodeVelocity(step.context(), step.motion, step.v_end.data(), node);
    const double before_node = 1.0 - 0.5 * step.motion.h / step.motion.kick[0];
    const VectorXd expected = step.v + before_node * change;
    EXPECT_LE((node - expected).cwiseAbs().maxCoeff(), 1e-12 * (1.0 + expected.cwiseAbs().maxCoeff()));
  }
}

// A step of length 0 that ends a kick leads to its node; one without a kick is an impact, and starts from it.
TEST(NodeVelocity, IsThatAfterAHalfKickAndBeforeAnImpact) {
  BalancedStep balanced(1);
  TouchingStep& step = balanced.step;
  VectorXd node;
  step.motion.h = 0.0;
  computeNodeVelocity(step.context(), step.motion, step.v_end.data(), node);
  EXPECT_EQ(node, step.v_end);
  makeOneRun(step.topology, 0.0, step.part);
  computeNodeVelocity(step.context(), step.motion, step.v_end.data(), node);
  EXPECT_EQ(node, step.v);
}

}  // namespace
}  // namespace rigor
