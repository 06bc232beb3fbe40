// LU factorisation of a small dense matrix, written for 3 to 300 rows that change every step: row-major, two lanes,
// no allocation. Keeps the diagonal as pivot unless the column holds an entry ten times as large: the matrices are
// nearly positive definite, so most factorisations never swap a row, and the answer is corrected by Newton's method.
#pragma once

#include <vector>

namespace rigor {

class DenseLu {
 public:
  /// Makes room for n rows; entries are not kept. Row i starts at row(i).
  void resize(int n);
  int size() const { return size_; }
  double* row(int i) { return matrix_.data() + static_cast<std::size_t>(i) * stride_; }

  /// Factors what the rows hold, in place. False if a pivot is 0 or not finite.
  bool factor();
  /// x ← A⁻¹ x.
  void solve(double* x);

 private:
  int size_ = 0, stride_ = 0;
  bool swapped_ = false;
  std::vector<double> matrix_, inverse_pivot_, scratch_;
  std::vector<int> order_;
};

}  // namespace rigor
