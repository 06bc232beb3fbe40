// Steps with loops against the dense twin, and what must hold for any loop.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <limits>

#include "minimal/time_stepper.h"
#include "reference/random_tree.h"
#include "reference/slow_loop.h"
#include "stepping/close_loops.h"

namespace rigor {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Pose inverse(const Pose& X) {
  const Eigen::Quaterniond back = X.rotation.conjugate();
  return {back * -X.position, back};
}

Pose poseOf(const slow::BodyMotion& body) { return {body.p(), Eigen::Quaterniond(body.R()).normalized()}; }

struct KindOfLoop {
  LoopKind kind;
  JointType type = kBall;  ///< of kOfType

  std::string name() const {
    LoopSpec loop;
    loop.kind = kind, loop.type = type;
    return loopName(loop);
  }
  friend void PrintTo(const KindOfLoop& kind, std::ostream* out) { *out << kind.name(); }
};

/// A random tree with a loop that the pose q closes, between the first body that moves and the last, or to the world.
struct ClosedTree {
  ClosedTree(std::uint64_t seed, const KindOfLoop& kind) {
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
    loop.kind = kind.kind, loop.type = kind.type;
    loop.pitch = 0.05;
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
    input = makeIdleInput(model.nv());
    Snapshot from;
    from.state.q = q, from.state.v = v;
    from.memory = makeMemory(model.topology().trees, model.nv());
    stepper.step(input, from, h, to, report);
  }
  TimeStepper stepper;
  Snapshot to;
  StepReport report;
};

class StepWithALoop : public testing::TestWithParam<KindOfLoop> {};

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
  int accepted = 0;
  for (int seed = 0; seed < 25; ++seed)
    for (const double h : {1e-4, 1e-3, 5e-3}) {
      const ClosedTree tree(seed, GetParam());
      const OneStep step(tree.model, tree.q, tree.v, h);
      if (!step.report.accepted()) continue;  // too fast for the longest step: refused, not kept
      ++accepted;
      // poses of a few metres are known to 1e-15
      EXPECT_LE(slow::computeOpenings(tree.model, step.to.state.q).cwiseAbs().maxCoeff(), 2e-13) << "seed " << seed;
      EXPECT_LE(step.report.loop_gap, 1e-13);
      EXPECT_LE(step.report.step, 1e-10);
    }
  EXPECT_GE(accepted, 50);  // of 75
}

INSTANTIATE_TEST_SUITE_P(OfKind, StepWithALoop,
                         testing::Values(KindOfLoop{LoopKind::kConnect}, KindOfLoop{LoopKind::kHinge},
                                         KindOfLoop{LoopKind::kWeld}),
                         [](const auto& kind) { return kind.param.name(); });

KindOfLoop ofType(Translation translation, Rotation rotation) { return {LoopKind::kOfType, {translation, rotation}}; }

INSTANTIATE_TEST_SUITE_P(
    OfType, StepWithALoop,
    testing::Values(ofType(Translation::kNone, Rotation::kAll), ofType(Translation::kNone, Rotation::kAxis),
                    ofType(Translation::kNone, Rotation::kNone), ofType(Translation::kAxis, Rotation::kNone),
                    ofType(Translation::kAxis, Rotation::kAxis), ofType(Translation::kAxis, Rotation::kAll),
                    ofType(Translation::kPlane, Rotation::kNone), ofType(Translation::kPlane, Rotation::kAxis),
                    ofType(Translation::kPlane, Rotation::kAll), ofType(Translation::kAll, Rotation::kNone),
                    ofType(Translation::kAll, Rotation::kAxis), ofType(Translation::kNone, Rotation::kTwoAxes),
                    ofType(Translation::kNone, Rotation::kHelix)),
    [](const auto& kind) { return kind.param.name(); });

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

BodySpec freeBlock(const std::string& name, double mass) {
  BodySpec block;
  block.name = name;
  block.joint.name = name + "_base";
  block.joint.type = kFree;
  block.mass = {mass, Eigen::Vector3d::Zero(), mass * Eigen::Vector3d(0.1, 0.2, 0.25).asDiagonal()};
  return block;
}

// A loop between free bodies is an internal force: it moves both and leaves their common momentum alone.
TEST(LoopBetweenFreeBodies, KeepsLinearMomentum) {
  for (const LoopKind kind : {LoopKind::kConnect, LoopKind::kHinge, LoopKind::kWeld}) {
    ModelBuilder builder;
    builder.setGravity(Eigen::Vector3d::Zero());
    builder.addBody(freeBlock("one", 1.5));
    builder.addBody(freeBlock("two", 4.0));
    LoopSpec loop;
    loop.kind = kind;
    loop.body_1 = 0, loop.body_2 = 1;
    loop.X_1F.position = {0.3, 0.1, -0.2};
    loop.X_2F.position = {-0.2, 0.4, 0.1};
    builder.addLoop(loop);
    const Model model = builder.build();
    VectorXd q = model.q0(), v = VectorXd::Zero(12);
    q.segment<3>(7) = loop.X_1F.position - loop.X_2F.position;
    v << 0.3, -0.2, 0.1, 0.5, 0.4, -0.3, 0.2, 0.1, -0.4, -0.6, 0.2, 0.7;  // would open the loop: the step must pull
    const OneStep step(model, q, v, 1e-3);
    ASSERT_TRUE(step.report.accepted());
    const VectorXd& end = step.to.state.v;
    const Eigen::Vector3d pull = 1.5 * (end.head<3>() - v.head<3>()),
                          other = 4.0 * (end.segment<3>(6) - v.segment<3>(6));
    EXPECT_GE(pull.norm(), 0.01) << loopKindName(kind);
    EXPECT_LE((pull + other).norm(), 1e-14) << loopKindName(kind);  // momenta of a few kg m/s, known to eps
  }
}

// Half a turn is as far from closed as a weld can be, and the one place where R2 R1ᵀ is symmetric.
TEST(WeldOpenByHalfATurn, CountsAsOpen) {
  ModelBuilder builder;
  builder.setGravity(Eigen::Vector3d::Zero());
  builder.addBody(freeBlock("one", 1.0));
  builder.addBody(freeBlock("two", 1.0));
  LoopSpec loop;
  loop.kind = LoopKind::kWeld;
  loop.body_1 = 0, loop.body_2 = 1;
  builder.addLoop(loop);
  const Model model = builder.build();
  const TimeStepper stepper(model, makeSolver("auto"), {});
  for (const Eigen::Vector3d& axis :
       {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(0, 1, 0), Eigen::Vector3d(0.6, 0, -0.8)})
    for (const double angle : {M_PI, M_PI - 1e-9, M_PI - 1e-5, M_PI - 0.1}) {
      VectorXd q = model.q0();
      const Eigen::Quaterniond turn(Eigen::AngleAxisd(angle, axis));
      q.segment<4>(10) << turn.w(), turn.x(), turn.y(), turn.z();
      Kinematics<double> kin;
      kin.resize(model.topology());
      computeKinematics(model.topology(), model.parameters(), q.data(), kin);
      const VectorXd g = computeLoopRowsAtPose(stepper.tables().loops, model.topology(), kin, q.data()).g;
      // the angle near π comes from a cosine there: half of the digits
      EXPECT_NEAR(g.tail<3>().norm(), angle, 1e-7);
      EXPECT_LE(g.tail<3>().normalized().cross(axis).norm(), 1e-7);
    }
}

}  // namespace
}  // namespace rigor
