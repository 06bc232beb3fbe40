// Inverse of a small dense matrix that may lack rank: where contacts hold more than there is to hold, their rows depend on each other
// and only sums of their impulses are known.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace rigor {

/// G with B G B = B by elimination with full pivoting: pivots below a share of the largest one count as zero, and with them their rows
/// and columns. Where B y = c has answers, y = G c is one of them. Its memory is kept for the next matrix of that size.
class GeneralizedInverse {
 public:
  /// Writes G. Returns the rank.
  int compute(const Eigen::MatrixXd& B, Eigen::MatrixXd& G);

 private:
  Eigen::MatrixXd work_;
  std::vector<int> row_, column_;  ///< where the k-th pivot was
};

}  // namespace rigor
