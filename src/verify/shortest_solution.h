// Solves with a square matrix whose rows may depend on each other: the shortest x that A x comes nearest to b with.
//
// Columns are made orthogonal, the longest that is left first: A = Q B with B = QᵀA. The rows of B likewise, B = L Z, L lower
// triangular; then x = Zᵀ L⁻¹ Qᵀ b. Each is made orthogonal twice, which is enough.
#pragma once

#include <algorithm>

#include "verify/real.h"

namespace rigor::verify {

struct ShortestSolution {
  Reals x;
  bool unique = true;  ///< A has full rank
};

namespace shortest {

inline Real product(const Reals& a, const Reals& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Takes from `a` what lies along the unit vector `axis`; how long that was.
inline Real takeAway(const Reals& axis, Reals& a) {
  const Real along = product(axis, a);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= along * axis[i];
  return along;
}

/// Unit vectors that span `vectors`, but for what is shorter than `dependent` of the longest.
inline std::vector<Reals> basisOf(std::vector<Reals> vectors, Real dependent) {
  std::vector<Reals> basis;
  Real longest = 0;
  while (!vectors.empty()) {
    const auto next = std::max_element(vectors.begin(), vectors.end(),
                                       [](const Reals& a, const Reals& b) { return product(a, a) < product(b, b); });
    Reals axis = std::move(*next);
    vectors.erase(next);
    for (const Reals& other : basis) takeAway(other, axis);
    const Real length = std::sqrt(product(axis, axis));
    longest = std::max(longest, length);
    if (!(length > dependent * longest)) break;
    for (Real& entry : axis) entry /= length;
    for (Reals& left : vectors) takeAway(axis, left);
    basis.push_back(std::move(axis));
  }
  return basis;
}

}  // namespace shortest

/// A is given by its columns.
inline ShortestSolution solveShortest(const std::vector<Reals>& columns, const Reals& b, Real dependent) {
  using namespace shortest;
  const std::size_t n = columns.size();
  const std::vector<Reals> Q = basisOf(columns, dependent);
  ShortestSolution out{Reals(n, 0), Q.size() == n};
  std::vector<Reals> Z;
  Reals y;
  for (std::size_t k = 0; k < Q.size(); ++k) {
    Reals row(n), along(k, 0);
    for (std::size_t j = 0; j < n; ++j) row[j] = product(Q[k], columns[j]);
    for (int twice = 0; twice < 2; ++twice)
      for (std::size_t i = 0; i < k; ++i) along[i] += takeAway(Z[i], row);
    const Real length = std::sqrt(product(row, row));
    for (Real& entry : row) entry /= length;
    Z.push_back(std::move(row));
    y.push_back((product(Q[k], b) - product(along, Reals(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(k)))) /
                length);
    for (std::size_t j = 0; j < n; ++j) out.x[j] += y[k] * Z[k][j];
  }
  return out;
}

}  // namespace rigor::verify
