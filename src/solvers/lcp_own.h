// What a row or a column of a complementarity problem may be measured by. Rows (w_i) and columns (z_j) may be multiplied by any positive
// numbers without changing the problem, so that a number of one is small only beside others of the same one.
#pragma once

#include <vector>

#include "rigor/lcp.h"

namespace rigor {

/// The exception: rows that push each other as contacts and joints do, M_ij = J_i M⁻¹J_jᵀ. Entries of such a matrix are known to the
/// rounding of √(M_ii M_jj), however small they are, and of singular ones, stacks and jams, nothing better can be asked. Two rows push
/// each other if M_ii, M_jj > 0 and M_ij, M_ji are the same number, no larger than √(M_ii M_jj) and no rounding of it; all that are linked
/// so are a group. Rows of groups are mutual unless M_ij or M_ji is larger than that or they differ by more than rounding.
class MutualRows {
 public:
  explicit MutualRows(const Lcp& lcp);

  /// √(M_ii M_jj), or 0 if they are no such pair.
  double size(int i, int j) const;
  /// 1/√M_ii, or 0 if M_ii is not positive.
  double scale(int i) const { return root_[i] > 0.0 ? 1.0 / root_[i] : 0.0; }
  bool any() const { return any_; }
  /// The largest |q_j|/√M_jj of its group.
  double asked(int i) const { return asked_[i]; }
  /// [n] at least |z|: pushes of a group are solved for together, so that each is known to the rounding of the largest, √M_ii |z_i|.
  std::vector<double> pushes(const std::vector<double>& z) const;

 private:
  const Lcp& lcp_;
  std::vector<double> root_, asked_;
  std::vector<int> group_;       // −1: none
  std::vector<char> is_linked_;  // to another row
  bool any_ = false;
};

/// Factors of all w_i and z_j, powers of two, that make the largest entries of each row and column of M about 1: rows and columns of problems
/// without mutual rows have units of their own, and pivots should not see them.
struct LcpUnits {
  std::vector<double> row, column;  ///< [n] w_i = row · w̃_i, z_j = column · z̃_j
};
LcpUnits findUnits(const Lcp& lcp);
Lcp inUnits(const Lcp& lcp, const LcpUnits& units);

/// Σ a_k b_k with every bit of its products, so that its sign is right. Numbers of any size that checkLcp lets pass.
class ExactSum {
 public:
  void clear() { parts_.clear(); }
  void add(double a, double b);
  long double value() const;  ///< to rounding of itself

 private:
  void grow(long double x);
  std::vector<long double> parts_;  // none overlaps another, the largest last (Shewchuk)
};

}  // namespace rigor
