#include "derivatives/generalized_inverse.h"

#include <cmath>
#include <numeric>
#include <utility>

namespace rigor {

int GeneralizedInverse::compute(const Eigen::MatrixXd& B, Eigen::MatrixXd& G) {
  constexpr double kNoPivot =
      1e-11;  // dependent rows leave rounding, 1e-15, of what they were; independent ones of robots 1e-8
  const auto n = static_cast<int>(B.rows());
  work_ = B;
  row_.resize(n), column_.resize(n);
  std::iota(row_.begin(), row_.end(), 0);
  std::iota(column_.begin(), column_.end(), 0);

  // Gauss–Jordan in place: what was eliminated makes room for its part of the inverse.
  int rank = 0;
  double largest = 0.0;
  for (; rank < n; ++rank) {
    int i = rank, j = rank;
    const double pivot = work_.bottomRightCorner(n - rank, n - rank).cwiseAbs().maxCoeff(&i, &j);
    if (rank == 0) largest = pivot;
    if (!(pivot > kNoPivot * largest)) break;
    i += rank, j += rank;
    if (i != rank) work_.row(i).swap(work_.row(rank)), std::swap(row_[i], row_[rank]);
    if (j != rank) work_.col(j).swap(work_.col(rank)), std::swap(column_[j], column_[rank]);
    const double inverse = 1.0 / work_(rank, rank);
    work_(rank, rank) = 0.0;
    for (int k = 0; k < n; ++k) {
      if (k == rank) continue;
      const double factor = work_(rank, k) * inverse;
      work_.col(k) -= factor * work_.col(rank);
      work_(rank, k) = factor;
    }
    work_.col(rank) *= -inverse;
    work_(rank, rank) = inverse;
  }
  G.setZero(n, n);
  for (int k = 0; k < rank; ++k)
    for (int l = 0; l < rank; ++l) G(column_[k], row_[l]) = work_(k, l);
  return rank;
}

}  // namespace rigor
