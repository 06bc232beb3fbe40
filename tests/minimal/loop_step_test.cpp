// Steps with loops against the dense twin, and what must hold for any loop.
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <limits>

#include "minimal/time_stepper.h"
#include "reference/random_tree.h"
#include "reference/slow_loop.h"

namespace rigor {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Pose inverse(const Pose& X) {
  const Eigen::Quaterniond back = X.rotation.conjugate();
  return {back * -X.position, back};
}

Pose poseOf(const slow::BodyMotion& body) { return {body.p(), Eigen::Quaterniond(body.R()).normalized()}; }

/// A random tree with a loop that the pose q closes, between the first body that moves and the last, or to the world.
struct ClosedTree {
  ClosedTree(std::uint64_t seed, LoopKind kind) {
    const Model bare = makeRandomTree(seed, 2);
    Random random(seed + 50);
    q = randomPosition(bare, random);
    const VectorXd rest = VectorXd::Zero(bare.nv());
    const std::vector<slow::BodyMotion> motions = slow::computeMotions(bare, q, rest, rest);
    ModelBuilder builder("closed");
    builder.setGravity(bare.gravity());
    std::vector<int> moving;
    for (int i = 0; i < bare.bodyCount(); ++i) {
      builder.addBody(bare.body(i));
      if (velocityCount(bare.body(i).joint.type) > 0) moving.push_back(i);
    }
    LoopSpec loop;
    loop.kind = kind;
    loop.body_1 = moving.front();
    loop.body_2 = seed % 3 == 0 ? kWorld : moving.back();
    loop.X_1F = random.pose(0.3);
    loop.axis = random.vector(1.0);
    loop.X_2F = poseOf(motions[loop.body_1]) * loop.X_1F;
    if (loop.body_2 != kWorld) loop.X_2F = inverse(poseOf(motions[loop.body_2])) * loop.X_2F;
    builder.addLoop(loop);
    model = builder.build();
    // a velocity that keeps it closed
    const MatrixXd J = slow::computeOpeningRows(model, q);
    v = 0.3 * randomVelocity(model, random);
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
    solver.setThreshold(1e-7);
    v -= solver.compute(J).solve(J * v);
  }

  Model model;
  VectorXd q, v;
};

/// One step of length h from a node.
struct OneStep {
  OneStep(const Model& model, const VectorXd& q, const VectorXd& v, double h)
      : stepper(model, makeSolver("auto"), {.max_halvings = 0}) {
    StepInput input;
    for (auto* array : {&input.tau, &input.kp, &input.kd, &input.target}) array->assign(model.nv(), 0.0);
    input.effort.assign(model.nv(), std::numeric_limits<double>::infinity());
    Snapshot from;
    from.state.q = q, from.state.v = v;
    for (VectorXd& rate : from.memory.rates) rate = VectorXd::Zero(model.nv());
    stepper.step(input, from, h, to, report);
  }
  TimeStepper stepper;
  Snapshot to;
  StepReport report;
};

class StepWithALoop : public testing::TestWithParam<LoopKind> {};

TEST_P(StepWithALoop, EndsWithTheVelocityOfTheDenseTwin) {
  int compared = 0;
  for (int seed = 0; seed < 25; ++seed) {
    const ClosedTree tree(seed, GetParam());
    const double h = 1e-3;
    const OneStep step(tree.model, tree.q, tree.v, h);
    ASSERT_TRUE(step.report.accepted()) << "seed " << seed;
    const VectorXd expected = slow::solveLoopStep(tree.model, tree.q, tree.v, 0.5 * h, h);
    if (slow::computeOpenings(tree.model, slow::moveAlong(tree.model, tree.q, expected, h)).cwiseAbs().maxCoeff() >
        1e-11)
      continue;  // the twin itself did not converge: a nearly singular pose
    ++compared;
    // rows by differences are known to 1e-10, and a joint may be a hundred times lighter than what pulls at it
    EXPECT_LE((step.to.state.v - expected).cwiseAbs().maxCoeff(), 1e-7 * (1.0 + expected.cwiseAbs().maxCoeff()))
        << "seed " << seed;
  }
  EXPECT_GE(compared, 20);
}

TEST_P(StepWithALoop, LeavesItClosedToRounding) {
  for (int seed = 0; seed < 25; ++seed)
    for (const double h : {1e-4, 1e-3, 5e-3}) {
      const ClosedTree tree(seed, GetParam());
      const OneStep step(tree.model, tree.q, tree.v, h);
      if (!step.report.accepted()) continue;  // too fast for the longest step: refused, not kept
      // poses of a few metres are known to 1e-15
      EXPECT_LE(slow::computeOpenings(tree.model, step.to.state.q).cwiseAbs().maxCoeff(), 2e-13) << "seed " << seed;
      EXPECT_LE(step.report.loop_gap, 1e-13);
      EXPECT_LE(step.report.step, 1e-10);
    }
}

INSTANTIATE_TEST_SUITE_P(OfKind, StepWithALoop, testing::Values(LoopKind::kConnect, LoopKind::kHinge, LoopKind::kWeld),
                         [](const auto& kind) { return loopKindName(kind.param); });

// A pose that hardly moves shares its rows with the start; what is open there must still be closed.
TEST(RestingLoop, ClosesAGapThatTheStartPoseHas) {
  ModelBuilder builder;
  builder.setGravity(Eigen::Vector3d::Zero());
  BodySpec block;
  block.name = "block";
  block.joint.name = "base";
  block.joint.type = kFree;
  block.mass = {1.0, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()};
  builder.addBody(block);
  LoopSpec loop;
  loop.kind = LoopKind::kWeld;
  loop.body_1 = 0;
  loop.X_2F.position = {2e-9, 0, 0};
  builder.addLoop(loop);
  const Model model = builder.build();
  const OneStep step(model, model.q0(), VectorXd::Zero(6), 1e-3);
  ASSERT_TRUE(step.report.accepted());
  EXPECT_EQ(step.report.passes, 2);  // the first solve closes it; the second takes the mean velocity anew
  EXPECT_NEAR(step.to.state.q[0], 2e-9, 1e-20);
}

// A loop within a free tree is an internal force: momentum does not notice it.
TEST(LoopWithinATree, KeepsMomentum) {
  for (int seed = 0; seed < 40; ++seed) {
    const ClosedTree tree(seed, LoopKind::kConnect);
    if (tree.model.loops()[0].body_2 == kWorld) continue;
    bool all_free = true;
    for (int body = 0; body < tree.model.bodyCount(); ++body)
      all_free = all_free && (tree.model.body(body).parent != kWorld || tree.model.body(body).joint.type == kFree);
    if (!all_free) continue;
    const double h = 1e-3;
    const OneStep step(tree.model, tree.q, tree.v, h);
    ASSERT_TRUE(step.report.accepted());
    const TimeStepper& stepper = step.stepper;
    ASSERT_EQ(stepper.islands().count, 1);
    // the impulses of the loop, through the force rows at the start, must leave the momentum at that pose alone
    const VectorXd impulse = Eigen::Map<const VectorXd>(stepper.islands().list[0].solution.impulse.data(), 3);
    const Pose X = poseOf(slow::computeMotions(tree.model, tree.q, tree.v, tree.v)[tree.model.loops()[0].body_1]);
    const Eigen::Vector3d point = X * tree.model.loops()[0].X_1F.position;
    const VectorXd kick = (slow::computeJacobian(tree.model, tree.q, tree.model.loops()[0].body_2, point).topRows<3>() -
                           slow::computeJacobian(tree.model, tree.q, tree.model.loops()[0].body_1, point).topRows<3>())
                              .transpose() *
                          impulse;
    const VectorXd change = slow::computeMassMatrix(tree.model, tree.q).ldlt().solve(kick);
    const double size = impulse.cwiseAbs().maxCoeff();
    EXPECT_LE(slow::computeMomentum(tree.model, tree.q, change).cwiseAbs().maxCoeff(), 1e-10 * size);
  }
}

}  // namespace
}  // namespace rigor
