// Solves with a symmetric positive definite matrix; the textbook's algorithm.
#pragma once

#include "verify/real.h"

#include <cassert>

namespace rigor::verify {

class Cholesky {
 public:
  /// M is [n × n] row-major; where it is not positive definite the answers are NaN and fail every check.
  Cholesky(Reals M, int n) : n_(n), L_(std::move(M)) {
    assert(L_.size() == static_cast<std::size_t>(n) * n && "a square matrix");
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < j; ++k)
        for (int i = j; i < n; ++i) at(i, j) -= at(i, k) * at(j, k);
      const Real root = std::sqrt(at(j, j));
      for (int i = j; i < n; ++i) at(i, j) /= root;
    }
  }
  Reals solve(Reals b) const {
    assert(b.size() == static_cast<std::size_t>(n_) && "one right side per row");
    for (int i = 0; i < n_; ++i) {
      for (int k = 0; k < i; ++k) b[i] -= at(i, k) * b[k];
      b[i] /= at(i, i);
    }
    for (int i = n_ - 1; i >= 0; --i) {
      for (int k = i + 1; k < n_; ++k) b[i] -= at(k, i) * b[k];
      b[i] /= at(i, i);
    }
    return b;
  }

 private:
  Real& at(int i, int j) { return L_[static_cast<std::size_t>(i) * n_ + j]; }
  Real at(int i, int j) const { return L_[static_cast<std::size_t>(i) * n_ + j]; }

  int n_;
  Reals L_;
};

inline Real dot(const Reals& a, const Reals& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace rigor::verify
