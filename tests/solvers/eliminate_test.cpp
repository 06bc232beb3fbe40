// Equal rows are taken out before a solver sees the problem: the answer must not show it.
#include "solvers/eliminate.h"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "reference/allocation_counter.h"
#include "reference/problem_families.h"
#include "rigor/solver.h"
#include "solver_choice.h"

namespace rigor {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, -1, -1, Eigen::RowMajor>;

/// Rows of `equal` blocks of one row each, then one limit per row of `limits`; W = J M⁻¹ Jᵀ with M = 1, u = J v + W λ.
ContactProblem makeProblem(const MatrixXd& equal, const MatrixXd& limits, const VectorXd& v) {
  MatrixXd J(equal.rows() + limits.rows(), v.size());
  J << equal, limits;
  ContactProblem problem;
  const int m = static_cast<int>(J.rows());
  problem.W.setZero(m);
  Eigen::Map<RowMajor>(problem.W.row(0), m, m) = J * J.transpose();
  const VectorXd b = J * v;
  problem.b.assign(b.begin(), b.end());
  problem.bias.assign(m, 0.0);
  problem.compliance.assign(m, 0.0);
  for (int i = 0; i < m; ++i) {
    const BlockKind kind = i < equal.rows() ? BlockKind::kEqual : BlockKind::kAtLeast;
    problem.blocks.push_back({.kind = kind, .row = i, .size = 1});
  }
  return problem;
}

ContactSolution solveBy(const char* name, const ContactProblem& problem) {
  ContactSolution solution;
  solution.impulse.assign(problem.rows(), 0.0);
  makeSolver(name)->solve(problem, {}, solution);
  return solution;
}

TEST(Elimination, LeavesTheSchurComplementOfTheOtherRows) {
  for (const char* family : {"jointed_bodies"})
    for (const reference::Family& known : reference::problemFamilies()) {
      if (known.name != family) continue;
      const ContactProblem problem = reference::makeSample(known, 1);
      const int m = problem.rows();
      std::vector<int> equal, kept;
      for (const Block& block : problem.blocks)
        for (int row = block.row; row < block.row + block.size; ++row)
          (block.kind == BlockKind::kEqual ? equal : kept).push_back(row);
      ASSERT_FALSE(equal.empty());
      const MatrixXd W = Eigen::Map<const RowMajor>(problem.W.row(0), m, m);
      const VectorXd b = Eigen::Map<const VectorXd>(problem.b.data(), m);
      const Eigen::ColPivHouseholderQR<MatrixXd> inner(MatrixXd(W(equal, equal)));
      const MatrixXd expected = W(kept, kept) - W(kept, equal) * inner.solve(MatrixXd(W(equal, kept)));
      const VectorXd expected_b = b(kept) - W(kept, equal) * inner.solve(VectorXd(b(equal)));

      Elimination elimination;
      elimination.reduce(problem);
      const int k = static_cast<int>(kept.size());
      ASSERT_EQ(elimination.reduced().rows(), k);
      EXPECT_EQ(elimination.rank(), static_cast<int>(equal.size()));
      const MatrixXd reduced = Eigen::Map<const RowMajor>(elimination.reduced().W.row(0), k, k);
      const VectorXd reduced_b = Eigen::Map<const VectorXd>(elimination.reduced().b.data(), k);
      // elimination and QR differ by rounding times the condition of a few hundred
      EXPECT_LE((reduced - expected).cwiseAbs().maxCoeff(), 1e-12 * W.cwiseAbs().maxCoeff());
      EXPECT_LE((reduced_b - expected_b).cwiseAbs().maxCoeff(), 1e-12 * (1.0 + b.cwiseAbs().maxCoeff()));
    }
}

TEST(Elimination, FindsTheRankOfRowsThatRepeatEachOtherOrMoveNothing) {
  MatrixXd equal(5, 4);
  equal << 1, 0, 0, 0,  //
      0, 1, 0, 0,       //
      1, 2, 0, 0,       // says what the first two say
      0, 0, 1e-17, 0,   // out of the plane: rounding
      0, 0, 0, 1e-4;    // light, but real
  VectorXd v(4);
  v << 1.0, 2.0, 0.0, 3.0;
  Elimination elimination;
  elimination.reduce(makeProblem(equal, MatrixXd(0, 4), v));
  EXPECT_EQ(elimination.rank(), 3);
  EXPECT_EQ(elimination.reduced().rows(), 0);
}

TEST(RedundantRows, ShareTheLoadWithTheLeastWeightedSquares) {
  MatrixXd equal(3, 2);
  equal << 1, 0, 1, 0, 2, 0;
  const VectorXd v = Eigen::Vector2d(6.0, 1.0);
  const ContactSolution solution = solveBy("auto", makeProblem(equal, MatrixXd(0, 2), v));
  ASSERT_EQ(solution.status, SolveStatus::kSolved);
  // λ1 + λ2 + 2 λ3 = −6 with the least λ1² + λ2² + (2 λ3)²: the third weighs twice as much
  EXPECT_NEAR(solution.impulse[0], -2.0, 1e-12);
  EXPECT_NEAR(solution.impulse[1], -2.0, 1e-12);
  EXPECT_NEAR(solution.impulse[2], -1.0, 1e-12);
  EXPECT_STREQ(solution.stage, "loops");
}

TEST(RowsThatContradictEachOther, AreProvedToHaveNoSolution) {
  MatrixXd equal(2, 2);
  equal << 1, 0, 1, 0;
  ContactProblem problem = makeProblem(equal, MatrixXd(0, 2), Eigen::Vector2d(1.0, 0.0));
  problem.b[1] = 1.5;  // the same row asks for another velocity
  const ContactSolution solution = solveBy("auto", problem);
  EXPECT_EQ(solution.status, SolveStatus::kNoSolution);
  EXPECT_EQ(solution.certificate[0], -solution.certificate[1]);
  EXPECT_TRUE(solution.residuals.finite);
}

TEST(LimitThatTheLoopsHoldEntirely, GetsAFiniteImpulseInEverySolver) {
  MatrixXd equal(2, 2), limit(1, 2);
  equal << 1, 0.3, 0.2, 1;
  limit << 0.7, -0.4;
  const ContactProblem problem = makeProblem(equal, limit, Eigen::Vector2d(1.0, -2.0));
  for (const SolverInfo& info : solversOf(Law::kCoulomb)) {
    const ContactSolution solution = solveBy(info.name.data(), problem);
    EXPECT_EQ(solution.status, SolveStatus::kSolved) << info.name;
    for (const double impulse : solution.impulse) EXPECT_LE(std::abs(impulse), 1e3) << info.name;
  }
}

TEST(EverySolver, GivesTheMotionOfTheDenseTwinWhereLoopsAndLimitsMeet) {
  // one loop row, one limit that presses and one that opens: KKT by hand
  MatrixXd equal(1, 3), limits(2, 3);
  equal << 1, 1, 0;
  limits << 1, 0, 1, 0, 0, -1;
  VectorXd v(3);
  v << -1.0, 0.5, -3.0;
  MatrixXd active(2, 3);
  active << equal, limits.row(0);
  const VectorXd held = v - active.transpose() * (active * active.transpose()).ldlt().solve(active * v);
  ASSERT_GT((limits.row(1) * held).value(), 0.0);
  for (const SolverInfo& info : solversOf(Law::kCoulomb)) {
    const ContactSolution solution = solveBy(info.name.data(), makeProblem(equal, limits, v));
    ASSERT_EQ(solution.status, SolveStatus::kSolved) << info.name;
    MatrixXd J(3, 3);
    J << equal, limits;
    const VectorXd moved = v + J.transpose() * Eigen::Map<const VectorXd>(solution.impulse.data(), 3);
    EXPECT_LE((moved - held).cwiseAbs().maxCoeff(), 1e-10) << info.name;
  }
}

/// A step through a dead centre: the loop holds the first of two freedoms, and a row along it turned by `before` at the start (forces)
/// and `after` at the end (motions) of the step. Then what moves along the second freedom.
ContactProblem makeDeadCentre(double before, double after, Block held, double compliance) {
  MatrixXd forces(3, 2), motions(3, 2);
  forces << 1, 0, 1, before, 0, 1;
  motions << 1, 0, 1, after, 0, 1;
  ContactProblem problem = makeProblem(MatrixXd::Identity(1, 2), MatrixXd::Identity(2, 2), Eigen::Vector2d(0.3, 2.0));
  Eigen::Map<RowMajor>(problem.W.row(0), 3, 3) = motions * forces.transpose();
  held.kind = BlockKind::kBox, held.row = 1, held.size = 1;
  problem.blocks[1] = held;
  problem.compliance[1] = compliance;
  problem.blocks[2] = {.kind = BlockKind::kBox, .row = 2, .size = 1, .lo = -INFINITY, .hi = INFINITY};
  problem.compliance[2] = 1e5;  // a weak damper
  return problem;
}

constexpr double kDeadCentreAngles[] = {0.0, 1e-12, -1e-12, 1e-7, -1e-7, 1e-5, -1e-5, 1e-3, -1e-3};

void expectSolvedAtDeadCentres(std::string_view solver, double lo, double hi, double compliance) {
  for (const double before : kDeadCentreAngles)
    for (const double after : kDeadCentreAngles) {
      const ContactProblem problem = makeDeadCentre(before, after, {.lo = lo, .hi = hi}, compliance);
      EXPECT_EQ(solveBy(solver.data(), problem).status, SolveStatus::kSolved)
          << solver << ", bounds " << lo << " " << hi << ", compliance " << compliance << ", angles " << before << " "
          << after;
    }
}

// Weak dampers and springs on a link that a ball joint holds showed it: one step in a hundred had no answer.
TEST(SpringOrDamperAtADeadCentreOfALoop, IsSolvedHoweverWeakByEverySolver) {
  for (const SolverInfo& info : solversOf(Law::kCoulomb)) {
    for (const double compliance : {1e8, 1e5, 1.0, 1e-4})
      expectSolvedAtDeadCentres(info.name, -INFINITY, INFINITY, compliance);
    for (const double known : {0.0, 1e-9, 0.1}) expectSolvedAtDeadCentres(info.name, known, known, 0.0);
  }
}

TEST(DryFrictionOrMotorAtADeadCentreOfALoop, IsSolvedHoweverStrong) {
  for (const double bound : {1e-9, 1e-6, 0.1, 1e3})
    for (const double compliance : {0.0, 1e-4, 1e5}) expectSolvedAtDeadCentres("auto", -bound, bound, compliance);
}

TEST(Elimination, AllocatesNothingOnceItHasSeenTheSize) {
  MatrixXd equal(3, 3);
  equal << 1, 0, 0, 1e-17, 0, 0, 1, 1, 0;
  const ContactProblem problem = makeProblem(equal, MatrixXd::Identity(2, 3), Eigen::Vector3d(1.0, 2.0, 3.0));
  const auto solver = makeSolver("auto");
  ContactSolution solution;
  solution.impulse.assign(problem.rows(), 0.0);
  solver->solve(problem, {}, solution);  // cold
  solver->solve(problem, {}, solution);  // from the last sets
  AllocationScope scope;
  solver->solve(problem, {}, solution);
  EXPECT_EQ(scope.count(), 0);
}

}  // namespace
}  // namespace rigor
