// Lemke and Howson's method for bimatrix games: M = [0 A; B 0] with positive A and B, in any order of rows, and negative q. Lemke's
// method ends on rays there from most covers, though a solution always exists.
#pragma once

#include <vector>

#include "solvers/lemke_basis.h"

namespace rigor {

class LemkeHowson {
 public:
  /// True if the rows fall into two groups that meet only each other, by entries that are not negative, with q < 0 and z ≥ 0
  /// everywhere.
  bool begin(const LcpForm& form);
  /// The path that gives up the complementarity of row `label` until it comes back. True if it ends at a basis; z() tells it.
  bool follow(int label, int max_pivots, const StopFlag* stop);
  const std::vector<double>& z() const { return basis_.z; }  ///< [n + 1] scaled; the last entry is nothing
  const std::vector<LcpPlace>& places() const { return basis_.places(); }
  int pivots() const { return pivots_; }

 private:
  int findFirstAsked(int column) const;
  int findLeaving(bool& leaves_w) const;

  const LcpForm* form_ = nullptr;
  std::vector<int> group_;  // [n] 0 or 1
  std::vector<LcpPlace> start_;
  LemkeBasis basis_;
  int pivots_ = 0;
};

}  // namespace rigor
