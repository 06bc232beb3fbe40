#include <algorithm>
#include <limits>

#include "reference/lcp_families.h"
#include "reference/mechanism.h"

namespace rigor::reference {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

MatrixXd randomMatrix(Random& random, int rows, int columns, double lo, double hi) {
  MatrixXd A(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) A(i, j) = random.uniform(lo, hi);
  return A;
}

MatrixXd randomIntegers(Random& random, int rows, int columns, int lo, int hi) {
  MatrixXd A(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) A(i, j) = random.integer(lo, hi);
  return A;
}

// On a grid of 2⁻²⁰, so that sums of products with multiples of 1/8 are exact and what is planted is true to the last bit.
double onGrid(double x) { return std::ldexp(std::round(std::ldexp(x, 20)), -20); }
MatrixXd onGrid(const MatrixXd& A) {
  return A.unaryExpr([](double x) { return onGrid(x); });
}
double eighths(Random& random) { return random.integer(2, 8) / 8.0; }

Lcp fromEigen(const MatrixXd& M, const VectorXd& q) {
  Lcp lcp;
  lcp.q.assign(q.data(), q.data() + q.size());
  for (int i = 0; i < M.rows(); ++i)
    for (int j = 0; j < M.cols(); ++j) lcp.M.push_back(M(i, j));
  return lcp;
}

// q such that a complementary pair solves it; in degenerate ones half of the rows have z = w = 0.
VectorXd plant(Random& random, const MatrixXd& M, bool degenerate, bool whole = false) {
  const int n = static_cast<int>(M.rows());
  VectorXd z = VectorXd::Zero(n), w = VectorXd::Zero(n);
  for (int i = 0; i < n; ++i) {
    const double size = whole ? random.integer(1, 3) : random.uniform(0.1, 2.0);
    const int choice = random.integer(0, degenerate ? 3 : 1);
    if (choice == 0) z[i] = size;
    if (choice == 1) w[i] = size;
  }
  return w - M * z;
}

// Positive definite and a skew part: a P-matrix that is not symmetric, in units that differ by up to 1e4.
MatrixXd positiveDefinite(Random& random, int n) {
  const MatrixXd A = randomMatrix(random, n, n, -1.0, 1.0), S = randomMatrix(random, n, n, -1.0, 1.0);
  MatrixXd M = A * A.transpose() + 0.05 * MatrixXd::Identity(n, n) + (S - S.transpose());
  const double spread = random.integer(0, 1) ? 100.0 : 1.0;
  for (int i = 0; i < n; ++i) {
    const double unit = random.logUniform(1.0 / spread, spread);
    M.row(i) *= unit, M.col(i) *= unit;
  }
  return M;
}

LcpSample pMatrix(std::uint64_t seed) {
  Random random(seed);
  const int n = random.integer(1, 24);
  return {fromEigen(positiveDefinite(random, n), randomMatrix(random, n, 1, -1.0, 1.0)), LcpTruth::kSolvable};
}

// P but far from definite: triangular with a positive diagonal, rows and columns in any order.
LcpSample triangular(std::uint64_t seed) {
  Random random(seed);
  const int n = random.integer(2, 16);
  MatrixXd M = MatrixXd::Zero(n, n);
  std::vector<int> order(n);
  for (int i = 0; i < n; ++i) order[i] = i;
  for (int i = n - 1; i > 0; --i) std::swap(order[i], order[random.integer(0, i)]);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) M(order[i], order[j]) = i == j ? random.uniform(0.5, 2.0) : random.uniform(-2.0, 2.0);
  return {fromEigen(M, randomMatrix(random, n, 1, -1.0, 1.0)), LcpTruth::kSolvable};
}

LcpSample semidefinite(std::uint64_t seed) {
  Random random(seed);
  const int n = random.integer(2, 24), rank = random.integer(1, n);
  const MatrixXd A = randomMatrix(random, n, rank, -1.0, 1.0), S = randomMatrix(random, n, n, -1.0, 1.0);
  MatrixXd M = A * A.transpose();
  if (random.integer(0, 1)) M += S - S.transpose();
  return {fromEigen(M, plant(random, M, false)), LcpTruth::kSolvable};
}

// Strictly copositive, mostly indefinite: entries that are not negative and a positive diagonal, plus a semidefinite part.
LcpSample copositive(std::uint64_t seed) {
  Random random(seed);
  const int n = random.integer(2, 20);
  const MatrixXd A = randomMatrix(random, n, random.integer(1, n), -1.0, 1.0);
  MatrixXd M = randomMatrix(random, n, n, 0.0, 3.0) + A * A.transpose();
  M.diagonal().array() += 0.01;
  return {fromEigen(M, randomMatrix(random, n, 1, -1.0, 1.0)), LcpTruth::kSolvable};
}

// Whole numbers, rows twice, z and w zero at once, q the same in many rows: ties in nearly every pivot.
LcpSample degenerate(std::uint64_t seed) {
  Random random(seed);
  const int n = random.integer(2, 16), rank = random.integer(1, n);
  MatrixXd A = randomIntegers(random, n, rank, -1, 1);
  for (int i = 1; i < n; ++i)
    if (random.integer(0, 2) == 0) A.row(i) = A.row(random.integer(0, i - 1));
  const MatrixXd M = A * A.transpose();
  return {fromEigen(M, plant(random, M, true, true)), LcpTruth::kSolvable};
}

LcpSample bimatrix(std::uint64_t seed) {
  Random random(seed);
  const int rows = random.integer(2, 8), columns = random.integer(2, 8), n = rows + columns;
  const bool whole = random.integer(0, 1) == 1;
  MatrixXd M = MatrixXd::Zero(n, n);
  const auto payoffs = [&](int r, int c) {
    return whole ? randomIntegers(random, r, c, 1, 30) : randomMatrix(random, r, c, 0.1, 1.0);
  };
  M.topRightCorner(rows, columns) = payoffs(rows, columns);
  M.bottomLeftCorner(columns, rows) = payoffs(columns, rows);
  return {fromEigen(M, VectorXd::Constant(n, -1.0)), LcpTruth::kSolvable};
}

// Some z have bounds on both sides, some none, some the same twice.
void bound(Random& random, Lcp& lcp) {
  const int n = lcp.rows();
  lcp.lo.assign(n, 0.0), lcp.hi.assign(n, kInfinity);
  for (int i = 0; i < n; ++i) {
    const double lo = random.uniform(-1.0, 1.0);
    switch (random.integer(0, 5)) {
      case 0:
        lcp.free.push_back(i);
        break;
      case 1:
        lcp.lo[i] = lo, lcp.hi[i] = lo + random.uniform(0.0, 1.0);
        break;
      case 2:
        lcp.lo[i] = -kInfinity, lcp.hi[i] = lo;
        break;
      case 3:
        lcp.lo[i] = lo;
        break;
      case 4:
        if (random.integer(0, 3) == 0) lcp.lo[i] = lcp.hi[i] = lo;
        break;
      default:
        break;
    }
  }
}

LcpSample mixed(std::uint64_t seed) {
  Random random(seed);
  const int n = random.integer(1, 20);
  LcpSample sample{fromEigen(positiveDefinite(random, n), randomMatrix(random, n, 1, -3.0, 3.0)), LcpTruth::kSolvable};
  bound(random, sample.lcp);
  return sample;
}

// Equations that say the same twice, or nothing: their part of M is singular, or skew with nothing on its diagonal.
LcpSample equations(std::uint64_t seed) {
  Random random(seed);
  const int n = random.integer(3, 16), free = random.integer(1, n - 1);
  MatrixXd A = randomMatrix(random, n, random.integer(1, n), -1.0, 1.0);
  for (int i = 1; i < free; ++i)
    if (random.integer(0, 1)) A.row(i) = random.uniform(-2.0, 2.0) * A.row(random.integer(0, i - 1));
  MatrixXd M = A * A.transpose();
  if (random.integer(0, 1)) {  // a program: x and its multipliers
    const int k = random.integer(1, n - 1);
    M.bottomRightCorner(n - k, n - k).setZero();
    M.bottomLeftCorner(n - k, k) = -M.topRightCorner(k, n - k).transpose().eval();
  }
  VectorXd z = VectorXd::Zero(n), w = VectorXd::Zero(n);
  for (int i = 0; i < n; ++i) {
    const double size = random.uniform(0.1, 2.0);
    if (i < free)
      z[i] = size - 1.0;
    else if (random.integer(0, 1))
      z[i] = size;
    else
      w[i] = size;
  }
  LcpSample sample{fromEigen(M, w - M * z), LcpTruth::kSolvable};
  for (int i = 0; i < free; ++i) sample.lcp.free.push_back(i);
  return sample;
}

// One row of M is what it must be for Mᵀv ≤ 0, zero in half of the columns, and q is moved until v·q < 0.
LcpSample infeasible(std::uint64_t seed) {
  Random random(seed);
  const int n = random.integer(1, 20), last = random.integer(0, n - 1);
  const bool whole = random.integer(0, 1) == 1;
  MatrixXd M = whole ? randomIntegers(random, n, n, -5, 5) : onGrid(randomMatrix(random, n, n, -1.0, 1.0));
  VectorXd q = whole ? randomIntegers(random, n, 1, -5, 5) : onGrid(randomMatrix(random, n, 1, -1.0, 1.0));
  VectorXd v = VectorXd::Zero(n), y = VectorXd::Zero(n);
  for (int i = 0; i < n; ++i) {
    if (random.integer(0, 1)) v[i] = whole ? random.integer(1, 3) : eighths(random);
    if (random.integer(0, 1)) y[i] = whole ? -random.integer(1, 4) : onGrid(random.uniform(-1.0, 0.0));
  }
  v[last] = 1.0;
  M.row(last) += (y - M.transpose() * v).transpose();
  q[last] += -v.dot(q) - (whole ? 1.0 : random.logUniform(1e-3, 1.0));
  return {fromEigen(M, q), LcpTruth::kInfeasible};
}

// The same in a semidefinite problem: v moves nothing, and q asks it to.
LcpSample infeasibleSemidefinite(std::uint64_t seed) {
  Random random(seed);
  const int n = random.integer(2, 20), rank = random.integer(1, n - 1);
  MatrixXd A = randomIntegers(random, n, rank, -3, 3);
  VectorXd v = VectorXd::Zero(n);
  const int last = random.integer(0, n - 1);
  for (int i = 0; i < n; ++i) v[i] = random.integer(0, 2);
  v[last] = 1.0;
  A.row(last) -= (A.transpose() * v).transpose();
  const MatrixXd M = A * A.transpose();
  VectorXd q = plant(random, M, false);
  q[last] -= v.dot(q) + random.logUniform(1e-3, 1.0);
  return {fromEigen(M, q), LcpTruth::kInfeasible};
}

// With equations and bounds: v is free on the former, 0 on rows between two bounds, and there z can only do so much.
LcpSample infeasibleMixed(std::uint64_t seed) {
  Random random(seed);
  const int n = random.integer(2, 16), last = random.integer(0, n - 1);
  LcpSample sample{fromEigen(onGrid(randomMatrix(random, n, n, -1.0, 1.0)), randomMatrix(random, n, 1, -1.0, 1.0)),
                   LcpTruth::kInfeasible};
  Lcp& lcp = sample.lcp;
  bound(random, lcp);
  const auto isFree = [&](int i) { return std::find(lcp.free.begin(), lcp.free.end(), i) != lcp.free.end(); };
  if (isFree(last)) lcp.free.erase(std::find(lcp.free.begin(), lcp.free.end(), last));
  lcp.lo[last] = 0.0, lcp.hi[last] = kInfinity;
  double most = 0.0;  // of v·w
  std::vector<double> v(n, 0.0);
  for (int i = 0; i < n; ++i) {
    const bool lower = !isFree(i) && std::isfinite(lcp.lo[i]), upper = !isFree(i) && std::isfinite(lcp.hi[i]);
    if (lower && upper) continue;
    v[i] = eighths(random) * (upper || (!lower && random.integer(0, 1)) ? -1.0 : 1.0);
  }
  v[last] = 1.0;
  for (int j = 0; j < n; ++j) {
    const bool lower = !isFree(j) && std::isfinite(lcp.lo[j]), upper = !isFree(j) && std::isfinite(lcp.hi[j]);
    double y = 0.0, sum = 0.0;
    if (lower && upper)
      y = onGrid(random.uniform(-1.0, 1.0));
    else if (lower || upper)
      y = random.integer(0, 1) * onGrid(random.uniform(0.0, 1.0)) * (lower ? -1.0 : 1.0);
    for (int i = 0; i < n; ++i) sum += v[i] * lcp.M[i * n + j];
    lcp.M[last * n + j] += y - sum;
    if (y != 0.0) most += y * (y > 0.0 ? lcp.hi[j] : lcp.lo[j]);
  }
  for (int i = 0; i < n; ++i) most += v[i] * lcp.q[i];
  lcp.q[last] -= most + random.logUniform(1e-2, 1.0);
  return sample;
}

}  // namespace

const std::vector<LcpFamily>& algebraicLcps() {
  static const std::vector<LcpFamily> families = {
      {"p_matrix", pMatrix},
      {"triangular", triangular},
      {"semidefinite", semidefinite},
      {"copositive", copositive},
      {"degenerate", degenerate},
      {"bimatrix", bimatrix},
      {"mixed", mixed},
      {"equations", equations},
      {"infeasible", infeasible},
      {"infeasible_semidefinite", infeasibleSemidefinite},
      {"infeasible_mixed", infeasibleMixed},
  };
  return families;
}

}  // namespace rigor::reference
