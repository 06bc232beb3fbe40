// Contacts with torsion and rolling: cones of more rows, against cones of three, central differences and the text of the law.
#include "contact/round_cone.h"

#include <gtest/gtest.h>

#include <array>

#include "contact/half_line.h"
#include "reference/mechanism.h"

namespace rigor {
namespace {

using reference::Random;

constexpr double kStep = 1e-6, kAgreement = 1e-8;  // as in nonsmooth_maps_test.cpp

template <class Cone>
using Rows = std::array<double, Cone::kRows>;

template <class Cone>
Rows<Cone> randomRows(Random& random, double size) {
  Rows<Cone> rows;
  for (double& x : rows) x = random.uniform(-size, size);
  return rows;
}

template <class Cone>
class Cones : public testing::Test {};
using AllCones = testing::Types<TorsionCone, RollingCone>;
TYPED_TEST_SUITE(Cones, AllCones);

// A cone of more rows that uses two of them is the cone of three.
TYPED_TEST(Cones, AreTheConeOfThreeRowsWhereNothingTurns) {
  using Cone = TypeParam;
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    const double mu = random.logUniform(0.01, 10.0), bias = random.uniform(-0.3, 0.3), w = random.logUniform(0.1, 10.0);
    const double R = i % 2 == 0 ? 0.0 : random.uniform(0.0, 0.8);
    const Cone cone(mu, bias, R);
    const FrictionCone plain(mu, bias, R);
    Rows<Cone> x{}, y{};
    for (int r = 0; r < 3; ++r) x[r] = random.uniform(-1, 1), y[r] = random.uniform(-1, 1);
    const double plain_residual = plain.residual(x.data(), y.data(), w);
    EXPECT_NEAR(cone.residual(x.data(), y.data(), w), plain_residual, 1e-13 * (1.0 + plain_residual));
    EXPECT_EQ(cone.classify(x.data(), y.data(), w), plain.classify(x.data(), y.data(), w));
    EquationRow rows[Cone::kRows], three[3];
    for (const bool natural : {true, false}) {
      if (natural)
        cone.linearizeNaturalMap(x.data(), y.data(), rows), plain.linearizeNaturalMap(x.data(), y.data(), three);
      else
        cone.linearizeAlartCurnier(x.data(), y.data(), rows), plain.linearizeAlartCurnier(x.data(), y.data(), three);
      for (int r = 0; r < 3; ++r) {
        EXPECT_NEAR(rows[r].F, three[r].F, 1e-14);
        for (int c = 0; c < 3; ++c) {
          EXPECT_NEAR(rows[r].A[c], three[r].A[c], 1e-13);
          EXPECT_NEAR(rows[r].B[c], three[r].B[c], 1e-13);
        }
      }
    }
    Rows<Cone> projected = x;
    double plain_projected[3] = {x[0], x[1], x[2]};
    cone.project(projected.data()), plain.project(plain_projected);
    for (int r = 0; r < 3; ++r) EXPECT_NEAR(projected[r], plain_projected[r], 1e-15);
  }
}

// dF = A dy + B dx entry by entry, away from the edges between two branches.
TYPED_TEST(Cones, HaveMapsWithTheDerivativesOfCentralDifferences) {
  using Cone = TypeParam;
  Random random(6);
  int compared = 0;
  for (int i = 0; i < 400; ++i) {
    const Cone cone(random.uniform(0.3, 1.5), random.uniform(-0.2, 0.2), random.uniform(0.0, 0.5));
    Rows<Cone> x = randomRows<Cone>(random, 0.5), y = randomRows<Cone>(random, 0.5);
    x[0] += 0.7;
    for (const bool natural : {true, false}) {
      const auto map = [&](const Rows<Cone>& at_x, const Rows<Cone>& at_y, EquationRow* out) {
        natural ? cone.linearizeNaturalMap(at_x.data(), at_y.data(), out)
                : cone.linearizeAlartCurnier(at_x.data(), at_y.data(), out);
      };
      EquationRow at[Cone::kRows], up[Cone::kRows], down[Cone::kRows];
      map(x, y, at);
      double off = 0.0, bend = 0.0;
      for (const bool by_y : {false, true})
        for (int c = 0; c < Cone::kRows; ++c) {
          Rows<Cone> above[2] = {x, y}, below[2] = {x, y};
          above[by_y][c] += kStep, below[by_y][c] -= kStep;
          map(above[0], above[1], up), map(below[0], below[1], down);
          for (int r = 0; r < Cone::kRows; ++r) {
            off = std::max(off, std::abs((by_y ? at[r].A : at[r].B)[c] - (up[r].F - down[r].F) / (2.0 * kStep)));
            bend = std::max(bend, std::abs(up[r].F - 2.0 * at[r].F + down[r].F) / kStep);
          }
        }
      if (bend > 1e-4) continue;  // an edge between two branches lies within the difference
      EXPECT_LE(off, 10 * kAgreement) << i << (natural ? " natural" : " Alart–Curnier");
      ++compared;
    }
  }
  EXPECT_GT(compared, 600);
}

// The condensed equations of the path against those of its two cones.
TYPED_TEST(Cones, HaveAPathWithTheDerivativesOfItsTwoCones) {
  using Cone = TypeParam;
  Random random(7);
  for (int i = 0; i < 50; ++i) {
    const double mu = random.uniform(0.3, 1.5), tau = random.uniform(0.1, 0.4), R = random.uniform(0.0, 0.5);
    const Cone cone(mu, 0.0, R);
    Rows<Cone> x = randomRows<Cone>(random, 0.1), y = randomRows<Cone>(random, 0.3);
    x[0] = random.uniform(0.6, 1.2), y[0] = random.uniform(0.2, 0.9);
    const auto slip = [&](const Rows<Cone>& at_x, const Rows<Cone>& at_y) {
      double sum = tau;
      for (int r = 1; r < Cone::kRows; ++r) sum -= at_x[r] * at_y[r];
      return sum / (mu * at_x[0]);
    };
    // y[0] is s; the velocity of the row is v with s = v + R x₀
    const auto equations = [&](const Rows<Cone>& at_x, Rows<Cone> at_y, double* F) {
      F[0] = at_x[0] * (at_y[0] + R * (at_x[0] - x[0]));
      for (int r = 1; r < Cone::kRows; ++r) F[r] = mu * at_x[0] * at_y[r] + slip(at_x, at_y) * at_x[r];
    };
    double psi = slip(x, y);
    EquationRow linear[Cone::kRows];
    PathRows rows{};
    rows.root = 1.0, rows.x = x.data(), rows.y = y.data(), rows.z = &psi, rows.equations = linear;
    cone.linearizePath(rows);
    const double first = x[0] + y[0], other = mu * x[0] + psi;
    for (const bool by_y : {false, true})
      for (int c = 0; c < Cone::kRows; ++c) {
        Rows<Cone> above[2] = {x, y}, below[2] = {x, y};
        double up[Cone::kRows], down[Cone::kRows];
        above[by_y][c] += kStep, below[by_y][c] -= kStep;
        equations(above[0], above[1], up), equations(below[0], below[1], down);
        for (int r = 0; r < Cone::kRows; ++r)
          EXPECT_NEAR((by_y ? linear[r].A : linear[r].B)[c],
                      (up[r] - down[r]) / (2.0 * kStep) / (r == 0 ? first : other), kAgreement);
      }
  }
}

// λ ∈ K, û ∈ K*, λ ⟂ û for W of any rank, with and without compliance.
TYPED_TEST(Cones, AreSolvedAloneToRounding) {
  using Cone = TypeParam;
  constexpr int n = Cone::kRows;
  Random random(8);
  int modes[3] = {};
  for (int i = 0; i < 20000; ++i) {
    const int rank = 1 + i % n;
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
    for (int c = 0; c < rank; ++c)
      for (int r = 0; r < n; ++r) A(r, c) = random.uniform(-1, 1);
    const double size = random.logUniform(1e-3, 1e3);
    const Eigen::MatrixXd M = size * A * A.transpose();
    Eigen::VectorXd parts(n);
    for (int r = 0; r < n; ++r) parts[r] = random.uniform(-1, 1);
    Eigen::VectorXd b = A * parts * random.logUniform(1e-6, 1e3);
    if (b[0] > 0.0 && random.uniform(0, 1) < 0.9) b = -b;
    if (M(0, 0) <= 1e-4 * M.trace()) continue;  // the normal must be able to move
    const Cone cone(random.logUniform(1e-2, 5.0), 0.0, i % 3 == 0 ? size * random.uniform(0.0, 2.0) : 0.0);
    double W[n][n], next[n];
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c) W[r][c] = M(r, c);
    const Rows<Cone> zero{};
    ++modes[static_cast<int>(cone.solveAlone(W, b.data(), zero.data(), next))];
    const Eigen::Map<Eigen::VectorXd> x(next, n);
    const Eigen::VectorXd u = M * x + b;
    const double w = M.trace() / n, speed = b.norm() + (M.cwiseAbs() * x.cwiseAbs()).norm();
    // truncated ranks leave out 1e-10 of ĥ by design; others lose what the elimination of the normal does, 1e4 at most
    ASSERT_LE(std::sqrt(cone.residual(next, u.data(), w)), 1e-9 * speed) << i << " rank " << rank;
  }
  EXPECT_GT(std::min({modes[0], modes[1], modes[2]}), 500);  // every branch was exercised
}

// Reduced Newton's frame: columns, rows and steps are those of λt = μ λn d + E s.
TYPED_TEST(Cones, CombineRowsAcrossTheirSlip) {
  using Cone = TypeParam;
  constexpr int n = Cone::kRows, unknowns = n - 1;
  Random random(9);
  Rows<Cone> impulse = randomRows<Cone>(random, 1.0);
  impulse[0] = 1.3;
  SlipFrame frame{};
  frame.mu = 0.6;
  ASSERT_TRUE(Cone::aimSlip(impulse.data(), frame));
  Eigen::MatrixXd W(n, n);
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) W(r, c) = random.uniform(-1, 1);
  // T = dλ/d(unknowns), by columns of unit vectors
  Eigen::MatrixXd T(n, unknowns);
  for (int k = 0; k < n; ++k) {
    Eigen::VectorXd unit = Eigen::VectorXd::Unit(n, k);
    double target[n];
    Cone::combineColumns(frame, unit.data(), target);
    for (int j = 0; j < unknowns; ++j) T(k, j) = target[j];
  }
  const Eigen::MatrixXd across = T.rightCols(unknowns - 1).bottomRows(n - 1);
  EXPECT_NEAR((across.transpose() * across - Eigen::MatrixXd::Identity(unknowns - 1, unknowns - 1)).norm(), 0, 1e-14);
  EXPECT_NEAR((across.transpose() * T.col(0).tail(n - 1)).norm(), 0, 1e-14);
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = W;
  std::vector<double> combined(static_cast<std::size_t>(unknowns - 1) * n);
  Cone::combineRows(frame, rows.data(), n, combined.data());
  for (int i = 0; i < unknowns - 1; ++i)
    for (int j = 0; j < n; ++j) EXPECT_NEAR(combined[i * n + j], across.col(i).dot(W.col(j).tail(n - 1)), 1e-14);
}

// û = u + ν + R λ of a limit: û = 0 where it is pressed.
TEST(SoftLimit, GivesWayByItsCompliance) {
  const HalfLine limit(-0.5, 0.25);
  const double W[1][1] = {{0.75}}, free = -0.5;
  double next = 0.0;
  EXPECT_EQ(limit.solveAlone(W, &free, nullptr, &next), ContactMode::kStick);
  EXPECT_DOUBLE_EQ(next, 1.0);
  const double u = 0.75 * next + free;
  EXPECT_EQ(limit.residual(&next, &u, 0.75), 0.0);
}

}  // namespace
}  // namespace rigor
