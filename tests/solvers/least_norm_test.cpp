// The step of least length where a system has directions that nothing determines.
#include "solvers/least_norm.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>
#include <random>

namespace rigor {
namespace {

Eigen::VectorXd solve(const Eigen::MatrixXd& A, Eigen::VectorXd right, double cut, int rank) {
  LeastNorm system;
  system.resize(static_cast<int>(A.rows()));
  for (int i = 0; i < A.rows(); ++i)
    for (int j = 0; j < A.cols(); ++j) system.row(i)[j] = A(i, j);
  EXPECT_EQ(system.solve(cut, right.data()), rank);
  return right;
}

TEST(LeastNorm, FindsWhatTheSingularValuesOfEigenFindAtEverySizeAndRank) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (int n = 1; n <= 40; n += 3)
    for (int rank = 0; rank <= n; rank += std::max(1, n / 3)) {
      Eigen::MatrixXd left(n, rank), right(rank, n);
      for (double& x : left.reshaped()) x = normal(random);
      for (double& x : right.reshaped()) x = normal(random);
      const Eigen::MatrixXd A = left * right;
      Eigen::VectorXd r(n);
      for (double& x : r) x = normal(random);
      Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
      svd.setThreshold(1e-10);
      const Eigen::VectorXd expected = rank > 0 ? Eigen::VectorXd(svd.solve(r)) : Eigen::VectorXd::Zero(n);
      const double worst = rank > 0 ? svd.singularValues()[0] / svd.singularValues()[rank - 1] : 1.0;
      EXPECT_LE((solve(A, r, 1e-9, rank) - expected).norm(), 1e-13 * worst * (1.0 + expected.norm()))
          << n << " " << rank;
    }
}

// Light bodies under heavy ones: rows of size 1 and 1e-8 in one system, each to be met to its own rounding.
TEST(LeastNorm, MeetsSmallRowsBesideLargeOnesToTheirOwnRounding) {
  const int n = 12;
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd A(n, n);
  for (double& x : A.reshaped()) x = normal(random);
  for (int i = 0; i < n; i += 2) A.row(i) *= 1e-12;
  Eigen::VectorXd r(n);
  for (int i = 0; i < n; ++i) r[i] = A.row(i).norm();
  const Eigen::VectorXd x = solve(A, r, 1e-20, n);
  for (int i = 0; i < n; ++i) EXPECT_NEAR(A.row(i) * x, r[i], 1e-13 * r[i] * (1.0 + x.norm())) << i;
}

}  // namespace
}  // namespace rigor
