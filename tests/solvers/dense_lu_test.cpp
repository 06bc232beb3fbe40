#include "solvers/dense_lu.h"

#include <gtest/gtest.h>

#include "reference/mechanism.h"

namespace rigor {
namespace {

Eigen::MatrixXd randomMatrix(reference::Random& random, int n) {
  Eigen::MatrixXd A(n, n);
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) A(r, c) = random.uniform(-1.0, 1.0);
  return A;
}

void fill(DenseLu& lu, const Eigen::MatrixXd& A) {
  lu.resize(static_cast<int>(A.rows()));
  for (int r = 0; r < A.rows(); ++r)
    for (int c = 0; c < A.cols(); ++c) lu.row(r)[c] = A(r, c);
}

TEST(DenseLu, SolvesWhatEigenSolvesAtEverySize) {
  reference::Random random(1);
  DenseLu lu;
  for (int n = 1; n <= 40; ++n) {
    const Eigen::MatrixXd A = randomMatrix(random, n);
    Eigen::VectorXd b = randomMatrix(random, n).col(0), x = b;
    fill(lu, A);
    ASSERT_TRUE(lu.factor());
    lu.solve(x.data());
    // Backward stable up to the growth that pivots ten times too small allow.
    EXPECT_LE((A * x - b).norm(), 1e-11 * (1.0 + x.norm())) << n;
  }
}

TEST(DenseLu, NeedsNoSwapsForPositiveDefiniteMatrices) {
  reference::Random random(2);
  DenseLu lu;
  for (int n = 1; n <= 40; ++n) {
    const Eigen::MatrixXd half = randomMatrix(random, n);
    Eigen::MatrixXd A = half * half.transpose() + 1e-3 * Eigen::MatrixXd::Identity(n, n);
    A += 1e-5 * randomMatrix(random, n);  // rows at the predicted pose
    Eigen::VectorXd b = randomMatrix(random, n).col(0), x = b;
    fill(lu, A);
    ASSERT_TRUE(lu.factorInOrder()) << n;
    lu.solve(x.data());
    EXPECT_LE((A * x - b).norm(), 1e-12 * (1.0 + A.norm() * x.norm())) << n;
  }
}

TEST(DenseLu, SaysSoWhenThereIsNoPivot) {
  DenseLu lu;
  fill(lu, Eigen::MatrixXd::Zero(4, 4));
  EXPECT_FALSE(lu.factor());
  Eigen::MatrixXd swap(2, 2);
  swap << 0, 1, 1, 0;
  fill(lu, swap);
  EXPECT_FALSE(lu.factorInOrder());
  fill(lu, swap);
  ASSERT_TRUE(lu.factor());
  double x[2] = {3, 4};
  lu.solve(x);
  EXPECT_EQ(x[0], 4);
  EXPECT_EQ(x[1], 3);
  fill(lu, Eigen::MatrixXd::Constant(3, 3, NAN));
  EXPECT_FALSE(lu.factor());
  fill(lu, Eigen::MatrixXd::Constant(12, 12, NAN));
  EXPECT_FALSE(lu.factorInOrder());
}

}  // namespace
}  // namespace rigor
