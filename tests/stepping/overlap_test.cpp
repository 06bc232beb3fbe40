#include "stepping/overlap.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "dynamics/kinematics.h"
#include "dynamics/poses.h"
#include "reference/all_pairs.h"

namespace rigor {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

Pose at(double x, double y, double z) { return {{x, y, z}, Eigen::Quaterniond::Identity()}; }

BodySpec body(const std::string& name, const Pose& pose, const Shape& shape, double density = 1000.0) {
  BodySpec spec;
  spec.name = name;
  spec.joint.name = name + "_joint";
  spec.joint.type = kFree;
  spec.joint.X_PJ = pose;
  spec.mass = computeMassProperties(shape, density);
  spec.shapes.push_back({name, shape, {}});
  return spec;
}

/// A model whose overlap is removed from its reference pose.
struct Removed {
  explicit Removed(const ModelBuilder& builder) : model(builder.build()), table(makeCollisionTable(model)) {
    before = q = model.q0();
    const auto solver = makeSolver("auto");
    warnings = removeOverlap(model, table, {}, *solver, q);
  }
  double deepest() const {
    Kinematics<double> kin;
    kin.resize(model.topology());
    computeKinematics(model.topology(), model.parameters(), q.data(), kin);
    FeatureCentres centres;
    placeFeatures(table, {kin.X_OL.data(), kin.origin.data(), model.topology().tree.data()}, centres);
    double gap = 1.0;
    for (const FeaturePair& pair : listAllPairs(table).pairs) gap = std::min(gap, gapOf(table, pair, centres).gap);
    return gap;
  }
  Model model;
  CollisionTable table;
  VectorXd before, q;
  std::vector<Warning> warnings;
};

ModelBuilder withGround() {
  ModelBuilder builder;
  builder.addWorldShape({"ground", makePlane(), {}});
  return builder;
}

/// Counts the rows that it is asked about.
class CountingSolver final : public ContactSolver {
 public:
  std::string_view name() const override { return "counting"; }
  void solve(const ContactProblem& problem, const SolverOptions& options, ContactSolution& solution) override {
    most_rows = std::max(most_rows, problem.rows());
    ++problems;
    solver_->solve(problem, options, solution);
  }
  int most_rows = 0, problems = 0;

 private:
  std::unique_ptr<ContactSolver> solver_ = makeSolver("auto");
};

TEST(RemoveOverlap, AsksNothingAboutRangesOfRobotsThatNothingMoves) {
  ModelBuilder builder = withGround();
  builder.addBody(body("sunken", at(0, 0, 0.05), makeSphere(0.1)));
  for (int i = 0; i < 20; ++i) {
    BodySpec lever = body("lever" + std::to_string(i), at(3.0 + i, 0, 1), makeSphere(0.1));
    lever.joint.type = kHinge;
    lever.joint.range = Range{-1.0, 1.0};
    builder.addBody(lever);
  }
  const Model model = builder.build();
  CountingSolver solver;
  VectorXd q = model.q0();
  const CollisionTable table = makeCollisionTable(model);
  removeOverlap(model, table, {}, solver, q);
  EXPECT_NEAR(q[2], 0.1, 1e-8);
  EXPECT_EQ(solver.most_rows, 1);  // the ball on the ground
  EXPECT_LE(solver.problems, 4);   // a few iterations; 21 islands in each would be more
}

TEST(RemoveOverlap, LeavesAPoseThatOnlyTouchesBitForBit) {
  ModelBuilder builder = withGround();
  builder.addBody(body("ball", at(0, 0, 0.1), makeSphere(0.1)));
  const Removed removed(builder);
  EXPECT_EQ(removed.q, removed.before);
  EXPECT_TRUE(removed.warnings.empty());
}

TEST(RemoveOverlap, LiftsASphereByExactlyItsDepthAndSaysSo) {
  ModelBuilder builder = withGround();
  builder.addBody(body("ball", at(0.3, 0.2, 0.09), makeSphere(0.1)));
  const Removed removed(builder);
  VectorXd expected = removed.before;
  expected[2] += 0.01;
  EXPECT_LE((removed.q - expected).cwiseAbs().maxCoeff(), 1e-14);
  ASSERT_EQ(removed.warnings.size(), 1u);
  const std::string text = removed.warnings[0].text();
  EXPECT_NE(text.find("\"ground\" and \"ball\" overlap by 0.01 m"), std::string::npos) << text;
  EXPECT_NE(text.find("moved apart: \"ball\" by 0.01 m"), std::string::npos) << text;  // who, and how far
}

// Least mass-weighted way to lift a corner by d: M⁻¹Jᵀ d/(J M⁻¹Jᵀ), partly by turning.
TEST(RemoveOverlap, MovesATiltedBoxAsLittleAsItsMassAllows) {
  const Vector3d half(0.1, 0.2, 0.3);
  const Eigen::Quaterniond tilt(Eigen::AngleAxisd(0.5, Vector3d(1.0, 2.0, 0.5).normalized()));
  double lowest = 0.0;
  Vector3d arm = Vector3d::Zero();
  for (int corner = 0; corner < 8; ++corner) {
    const Vector3d c = tilt * Vector3d(corner & 1 ? half.x() : -half.x(), corner & 2 ? half.y() : -half.y(),
                                       corner & 4 ? half.z() : -half.z());
    if (c.z() < lowest) lowest = c.z(), arm = c;
  }
  constexpr double kDepth = 1e-6;  // so small that the gap is linear
  ModelBuilder builder = withGround();
  builder.addBody(body("box", {{0, 0, -lowest - kDepth}, tilt}, makeBox(half)));
  const Removed removed(builder);
  EXPECT_NEAR(removed.deepest(), 0.0, 10 * kDepth * kDepth);

  const MassProperties mass = computeMassProperties(makeBox(half), 1000.0);
  const Vector3d lever = tilt.conjugate() * arm.cross(Vector3d::UnitZ());  // body axes
  const Vector3d spin = mass.inertia.inverse() * lever;
  const double response = 1.0 / mass.mass + lever.dot(spin);
  const Vector3d moved = removed.q.head<3>() - removed.before.head<3>();
  EXPECT_LE((moved - Vector3d(0, 0, kDepth / mass.mass / response)).norm(), 1e-5 * kDepth);
  const auto rotation = [](const VectorXd& q) { return Eigen::Quaterniond(q[3], q[4], q[5], q[6]); };
  const Vector3d turned = 2.0 * (rotation(removed.before).conjugate() * rotation(removed.q)).vec();
  EXPECT_LE((turned - spin * kDepth / response).norm(), 1e-4 * kDepth);
}

TEST(RemoveOverlap, LeavesADeepTiltedBoxTouching) {
  const Eigen::Quaterniond tilt(Eigen::AngleAxisd(0.5, Vector3d(1.0, 2.0, 0.5).normalized()));
  ModelBuilder builder = withGround();
  builder.addBody(body("box", {{0, 0, 0.27}, tilt}, makeBox({0.1, 0.2, 0.3})));
  const Removed removed(builder);
  EXPECT_NEAR(removed.deepest(), 0.0, 1e-12);  // 0 ≤ λ ⟂ φ ≥ 0: what was pushed ends in touch, not above
}

TEST(RemoveOverlap, PartsTwoSpheresAndKeepsTheirCentreOfMass) {
  ModelBuilder builder;
  builder.addBody(body("light", at(0, 0, 0), makeSphere(0.1), 1000.0));
  builder.addBody(body("heavy", at(0.09, 0.12, 0), makeSphere(0.1), 3000.0));
  const Removed removed(builder);
  const Vector3d light = removed.q.head<3>() - removed.before.head<3>();
  const Vector3d heavy = removed.q.segment<3>(7) - removed.before.segment<3>(7);
  const Vector3d direction(0.6, 0.8, 0.0);
  EXPECT_LE((light + 0.05 * 0.75 * direction).norm(), 1e-13);
  EXPECT_LE((heavy - 0.05 * 0.25 * direction).norm(), 1e-13);
  EXPECT_NEAR(removed.deepest(), 0.0, 1e-13);
  ASSERT_EQ(removed.warnings.size(), 1u);
  EXPECT_NE(removed.warnings[0].message.find("\"light\" and \"heavy\" overlap by 0.05 m"), std::string::npos);
}

TEST(RemoveOverlap, PartsConcentricSpheres) {
  ModelBuilder builder;
  builder.addBody(body("a", at(0, 0, 1), makeSphere(0.1)));
  builder.addBody(body("b", at(0, 0, 1), makeSphere(0.1)));
  const Removed removed(builder);
  EXPECT_NEAR(removed.deepest(), 0.0, 1e-13);
}

TEST(RemoveOverlap, DoesNotPressOneBodyIntoTheNext) {
  ModelBuilder builder = withGround();
  builder.addBody(body("lower", at(0, 0, 0.08), makeSphere(0.1)));
  builder.addBody(body("upper", at(0, 0, 0.285), makeSphere(0.1)));  // 5 mm above the lower one
  const Removed removed(builder);
  EXPECT_NEAR(removed.deepest(), 0.0, 1e-13);
  EXPECT_NEAR(removed.q[9], removed.before[9] + 0.015, 1e-12);
}

// 540 rows of one island: more than the solver gets as a dense matrix.
TEST(RemoveOverlap, PartsAHeapOfBallsThatAllHangTogetherAndKeepsItsCentreOfMass) {
  constexpr int kSide = 6;
  ModelBuilder builder;
  for (int i = 0; i < kSide * kSide * kSide; ++i)
    builder.addBody(body("ball" + std::to_string(i),
                         at(0.199 * (i % kSide), 0.199 * (i / kSide % kSide), 0.199 * (i / (kSide * kSide))),
                         makeSphere(0.1)));
  const Removed removed(builder);
  EXPECT_EQ(removed.warnings.size(), 3u * kSide * kSide * (kSide - 1));
  EXPECT_GE(removed.deepest(), -1e-10);  // what counts as apart at the start
  Vector3d shift = Vector3d::Zero();
  for (int i = 0; i < kSide * kSide * kSide; ++i)
    shift += removed.q.segment<3>(7 * i) - removed.before.segment<3>(7 * i);
  EXPECT_LE(shift.norm() / (kSide * kSide * kSide), 1e-13);  // equal and opposite impulses, to rounding
  // the outermost of six balls in a row that are 1 mm too near moves by 2.5 mm, half of what five gaps need
  EXPECT_NEAR((removed.q.head<3>() - removed.before.head<3>()).norm(), 2.5e-3 * std::sqrt(3.0), 1e-9);
}

TEST(RemoveOverlap, LeavesWhatOverlapsNothingBitForBitWhileOthersArePartedAndTheSameAsAlone) {
  const auto pair = [](ModelBuilder& builder, double x, const char* name) {
    builder.addBody(body(std::string(name) + "1", at(x, 0, 0), makeSphere(0.1)));
    builder.addBody(body(std::string(name) + "2", at(x, 0.15, 0), makeSphere(0.1), 2000.0));
  };
  ModelBuilder alone, together;
  pair(alone, 0.0, "a");
  pair(together, 0.0, "a");
  together.addBody(body("far", at(5, 0.3, 0.7), makeSphere(0.1)));
  pair(together, 9.0, "b");
  const Removed one(alone), all(together);
  EXPECT_EQ(all.q.head(14), one.q) << "islands do not know of each other";
  EXPECT_EQ(all.q.segment(14, 7), all.before.segment(14, 7));
}

/// A light ball on a slider, 2 cm deep in a wall: the free base must do the rest.
ModelBuilder sliderAgainstAWall(Range range, double start) {
  ModelBuilder builder;
  builder.addWorldShape(
      {"wall", makePlane(), {{0, 0, 0}, Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), Vector3d::UnitX())}});
  const int base = builder.addBody(body("base", at(1, 0, 0), makeSphere(0.1)));
  BodySpec tip = body("tip", at(-0.92, 0, 0), makeSphere(0.1), 10.0);
  tip.joint.type = kSlide;
  tip.joint.axis = Vector3d::UnitX();
  tip.joint.range = range;
  tip.parent = base;
  const int slider = builder.addBody(tip);
  builder.setReference(slider, VectorXd::Constant(1, start));
  return builder;
}

TEST(RemoveOverlap, NamesJointsThatItMovesAndKeepsThemWithinTheirRanges) {
  const Removed removed(sliderAgainstAWall({-0.01, 0.005}, 0.0));  // 2 cm ask for more than the range has
  EXPECT_GE(removed.deepest(), -1e-12);
  EXPECT_LE(removed.q[7], 0.005 + 1e-12);
  ASSERT_EQ(removed.warnings.size(), 2u);
  EXPECT_EQ(removed.warnings[1].message, "joints moved with what was moved apart: \"tip_joint\" from 0 to 0.005 m");
}

TEST(RemoveOverlap, MovesNoJointFartherOutOfItsRange) {
  const Removed removed(sliderAgainstAWall({-0.5, -0.1}, 0.01));
  EXPECT_GE(removed.deepest(), -1e-12);
  EXPECT_LE(removed.q[7], 0.01 + 1e-12);
  for (const Warning& warning : removed.warnings)
    EXPECT_EQ(warning.message.find("tip_joint"), std::string::npos) << warning.message;  // it stays where it was
}

TEST(RemoveOverlap, RefusesToStartWithWhatNothingCanMove) {
  ModelBuilder builder = withGround();
  BodySpec slider = body("slider", at(0, 0, 0.09), makeSphere(0.1));
  slider.joint.type = kSlide;
  slider.joint.axis = Vector3d::UnitX();
  builder.addBody(slider);
  try {
    const Removed removed(builder);
    ADD_FAILURE() << "started inside the ground";
  } catch (const Error& error) {
    EXPECT_EQ(error.problem(), "\"ground\" and \"slider\" overlap by 0.01 m at the start and could not be moved apart");
    EXPECT_NE(error.remedy().find("exclude"), std::string::npos);
  }
}

/// One of each kind that a moving body may have.
std::vector<Shape> everyShape() {
  return {makeSphere(0.1),         makeCapsule(0.05, 0.1),  makeBox({0.1, 0.05, 0.03}),
          makeCylinder(0.1, 0.05), makeCylinder(0.03, 0.2), makeEllipsoid({0.1, 0.05, 0.05}),
          makeCone(0.1, 0.2)};
}

Pose turnedAt(const Vector3d& position, int turn) {
  const Vector3d axis(std::sin(1.0 + turn), std::cos(2.0 + 3.0 * turn), std::sin(5.0 * turn));
  return {position, Eigen::Quaterniond(Eigen::AngleAxisd(0.7 * turn, axis.normalized()))};
}

/// Removed once, it is gone: whoever looks again finds nothing to move.
void expectRemoved(const ModelBuilder& builder, const std::string& what) {
  try {
    Removed removed(builder);
    VectorXd q = removed.q;
    const auto solver = makeSolver("auto");
    EXPECT_TRUE(removeOverlap(removed.model, removed.table, {}, *solver, q).empty()) << what;
    EXPECT_EQ(q, removed.q) << what;
  } catch (const Error& error) {
    ADD_FAILURE() << what << ": " << error.what();
  }
}

TEST(Overlap, OfAnyFreeBodyWithAPlaneIsRemovedHoweverDeepItIs) {
  for (const Shape& shape : everyShape())
    for (const double depth : {0.0, 0.02, 0.3, 2.0, 50.0})
      for (int turn = 0; turn < 12; ++turn) {
        ModelBuilder builder = withGround();
        builder.addBody(body("a", turnedAt({0.1, 0.2, -depth}, turn), shape));
        expectRemoved(builder, fmt::format("kind {} at {} m, turn {}", static_cast<int>(shape.kind), depth, turn));
      }
}

TEST(Overlap, OfAnyTwoFreeBodiesIsRemoved) {
  const std::vector<Shape> shapes = everyShape();
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t k = 0; k <= i; ++k)
      for (int turn = 0; turn < 4; ++turn) {
        ModelBuilder builder = withGround();
        builder.addBody(body("a", turnedAt({0.0, 0.0, 0.0}, turn), shapes[i]));
        builder.addBody(body("b", turnedAt({0.01 * turn, 0.02, 0.03}, turn + 5), shapes[k]));
        expectRemoved(builder, fmt::format("kinds {} and {}, turn {}", static_cast<int>(shapes[i].kind),
                                           static_cast<int>(shapes[k].kind), turn));
      }
}

}  // namespace
}  // namespace rigor
