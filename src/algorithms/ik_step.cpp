#include "algorithms/ik_step.h"

#include <cmath>

namespace rigor {

IkStep::IkStep(int unknowns, int rows)
    : n_(unknowns),
      fixed_(unknowns),
      basis_(unknowns, rows),
      A_(unknowns, unknowns),
      pulled_(unknowns),
      step_(unknowns),
      scratch_(unknowns) {}

/// Over the free unknowns.
double IkStep::product(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const {
  double sum = 0.0;
  for (int j = 0; j < n_; ++j)
    if (!fixed_[j]) sum += a[j] * b[j];
  return sum;
}

/// Gram and Schmidt, twice; a row of which a billionth is left adds no direction.
void IkStep::buildBasis(const Eigen::MatrixXd& J, int higher) {
  constexpr double kNothingLeft = 1e-9;
  basis_size_ = 0;
  for (int row = 0; row < higher; ++row) {
    scratch_ = J.row(row).transpose();
    const double size = std::sqrt(product(scratch_, scratch_));
    for (int pass = 0; pass < 2; ++pass)
      for (int k = 0; k < basis_size_; ++k) {
        double along = 0.0;
        for (int j = 0; j < n_; ++j)
          if (!fixed_[j]) along += basis_(j, k) * scratch_[j];
        scratch_ -= along * basis_.col(k);
      }
    const double left = std::sqrt(product(scratch_, scratch_));
    if (left <= kNothingLeft * size || left == 0.0) continue;
    basis_.col(basis_size_++) = scratch_ / left;
  }
}

/// P H P over the free unknowns into A, P g over all into pulled.
void IkStep::project(const Eigen::MatrixXd& H, const Eigen::VectorXd& g) {
  A_ = H;
  pulled_ = g;
  for (int k = 0; k < basis_size_; ++k) {
    const auto q = basis_.col(k);
    double along = 0.0, twice = 0.0;
    for (int j = 0; j < n_; ++j) {
      if (fixed_[j]) continue;
      along += q[j] * pulled_[j];
      double sum = 0.0;
      for (int i = 0; i < n_; ++i)
        if (!fixed_[i]) sum += (i > j ? A_(i, j) : A_(j, i)) * q[i];
      scratch_[j] = sum;
      twice += q[j] * sum;
    }
    pulled_ -= along * q;
    for (int j = 0; j < n_; ++j)
      for (int i = j; i < n_ && !fixed_[j]; ++i)
        if (!fixed_[i]) A_(i, j) += twice * q[i] * q[j] - q[i] * scratch_[j] - scratch_[i] * q[j];
  }
}

/// Cholesky's factors of A + μ over the free unknowns, in place; fixed ones are rows of the identity.
void IkStep::factorAndSolve(double damping) {
  for (int j = 0; j < n_; ++j) {
    if (fixed_[j]) {
      step_[j] = 0.0;
      continue;
    }
    double* column = &A_(0, j);
    const double pivot = std::sqrt(std::fmax(column[j] + damping, damping)), inverse = 1.0 / pivot;
    column[j] = inverse;
    for (int i = j + 1; i < n_; ++i) column[i] = fixed_[i] ? 0.0 : column[i] * inverse;
    for (int k = j + 1; k < n_; ++k) {
      const double factor = column[k];
      if (factor == 0.0) continue;  // limbs that do not know each other
      double* next = &A_(0, k);
      for (int i = k; i < n_; ++i) next[i] -= factor * column[i];
    }
    step_[j] = -pulled_[j];
  }
  for (int j = 0; j < n_; ++j) {
    if (fixed_[j]) continue;
    const double y = step_[j] *= A_(j, j);
    for (int i = j + 1; i < n_; ++i) step_[i] -= A_(i, j) * y;
  }
  for (int j = n_ - 1; j >= 0; --j) {
    if (fixed_[j]) continue;
    double sum = step_[j];
    for (int i = j + 1; i < n_; ++i) sum -= A_(i, j) * step_[i];
    step_[j] = sum * A_(j, j);
  }
}

void IkStep::solve(const Eigen::MatrixXd& H, const Eigen::VectorXd& g, const Eigen::MatrixXd& J, int higher,
                   const std::vector<AtBound>& bounds, double damping) {
  const auto outward = [&](int j, double move) {
    return (bounds[j] == AtBound::kLower && move < 0.0) || (bounds[j] == AtBound::kUpper && move > 0.0);
  };
  bool any_bound = false;
  for (int j = 0; j < n_; ++j) any_bound |= fixed_[j] = bounds[j] != AtBound::kNone;
  buildBasis(J, higher);
  project(H, g);
  if (any_bound) {
    for (int j = 0; j < n_; ++j)
      if (fixed_[j] && bounds[j] != AtBound::kBoth && pulled_[j] != 0.0 && !outward(j, -pulled_[j])) fixed_[j] = false;
    buildBasis(J, higher);
    project(H, g);
  }
  pull_ = std::sqrt(product(pulled_, pulled_));
  for (bool again = true; again;) {
    factorAndSolve(damping);
    again = false;
    for (int j = 0; j < n_ && any_bound; ++j)
      if (!fixed_[j] && outward(j, step_[j])) fixed_[j] = again = true;
    if (!again) return;
    buildBasis(J, higher);
    project(H, g);
  }
}

}  // namespace rigor
