// LU factorisation of a small dense matrix, written for 3 to 300 rows that change every step: row-major, two lanes,
// no allocation. Answers are corrected by Newton's method and judged, so pivots need only be good enough.
#pragma once

#include <cstddef>
#include <vector>

#include "rigor/solver.h"

namespace rigor {

class DenseLu {
 public:
  /// Makes room for n rows; entries are not kept. Row i starts at row(i).
  void resize(int n);
  int size() const { return size_; }
  int stride() const { return stride_; }
  double* row(int i) { return matrix_.data() + static_cast<std::size_t>(i) * stride_; }

  /// Factorisations end as if a pivot were 0 once this is raised: a thousand rows take seconds.
  void heed(const StopFlag* stop) { stop_ = stop; }

  /// Factors what the rows hold, in place. Keeps the diagonal as pivot unless its column holds an entry ten times as
  /// large. False if a pivot is 0 or not finite.
  bool factor();
  /// The same without swaps, in under half the time, for matrices that are nearly positive definite. False if a pivot
  /// shrinks below `least` of its diagonal entry: fill the rows again and use factor().
  bool factorInOrder(double least = 1e-10);
  /// x ← A⁻¹ x.
  void solve(double* x);
  /// The smallest pivot of what was factored, as a share of the largest: near zero, rows depend on each other.
  double pivotRange() const;

 private:
  struct Largest {
    double value;
    int row;
  };
  bool factorPanel(int first, int last);
  template <int kRest>
  Largest eliminateColumn(int k);
  Largest eliminateColumn(int k, int last);

  int size_ = 0, stride_ = 0;
  bool swapped_ = false;
  const StopFlag* stop_ = nullptr;
  std::vector<double> matrix_, inverse_pivot_, scratch_;
  std::vector<int> order_;
};

}  // namespace rigor
