// Solves with a symmetric positive definite matrix; the textbook's algorithm, without the zeros before the first entry of
// a row: limbs that nothing but the trunk ties are blocks on the diagonal.
#pragma once

#include "verify/real.h"

#include <algorithm>
#include <cassert>

namespace rigor::verify {

class Cholesky {
 public:
  /// M is [n × n] row-major; where it is not positive definite the answers are NaN and fail every check.
  Cholesky(Reals M, int n) : n_(n), L_(std::move(M)), first_(n) {
    assert(L_.size() == static_cast<std::size_t>(n) * n && "a square matrix");
    for (int i = 0; i < n; ++i) {
      while (first_[i] < i && at(i, first_[i]) == 0) ++first_[i];
      for (int j = first_[i]; j <= i; ++j) {
        for (int k = std::max(first_[i], first_[j]); k < j; ++k) at(i, j) -= at(i, k) * at(j, k);
        at(i, j) = i == j ? std::sqrt(at(i, j)) : at(i, j) / at(j, j);
      }
    }
  }
  Reals solve(Reals b) const {
    assert(b.size() == static_cast<std::size_t>(n_) && "one right side per row");
    for (int i = 0; i < n_; ++i) {
      for (int k = first_[i]; k < i; ++k) b[i] -= at(i, k) * b[k];
      b[i] /= at(i, i);
    }
    for (int i = n_ - 1; i >= 0; --i) {
      b[i] /= at(i, i);
      for (int k = first_[i]; k < i; ++k) b[k] -= at(i, k) * b[i];
    }
    return b;
  }

 private:
  Real& at(int i, int j) { return L_[static_cast<std::size_t>(i) * n_ + j]; }
  Real at(int i, int j) const { return L_[static_cast<std::size_t>(i) * n_ + j]; }

  int n_;
  Reals L_;
  std::vector<int> first_;  ///< [n] first column of a row that is not zero
};

}  // namespace rigor::verify
