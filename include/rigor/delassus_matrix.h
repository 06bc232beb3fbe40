// The matrix between the impulses and the velocities of a contact problem, behind the few questions that solvers ask.
#pragma once

#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace rigor {

/// W = J̃ M⁻¹ Jᵀ [m × m], in m/s per N s. Dense and row-major inside; who asks through these calls need not know.
class DelassusMatrix {
 public:
  DelassusMatrix() = default;
  /// Row-major entries. If their number is not a square, the problem that holds them is refused for it.
  DelassusMatrix(std::vector<double> entries)
      : rows_(static_cast<int>(std::sqrt(static_cast<double>(entries.size())))), entries_(std::move(entries)) {}
  DelassusMatrix(std::initializer_list<double> entries) : DelassusMatrix(std::vector<double>(entries)) {}

  int rows() const { return rows_; }

  double operator()(int row, int column) const { return this->row(row)[column]; }
  double& operator()(int row, int column) { return this->row(row)[column]; }

  /// One whole row [m], for stages that factor a dense matrix.
  const double* row(int index) const { return entries_.data() + static_cast<std::size_t>(index) * rows_; }
  double* row(int index) { return entries_.data() + static_cast<std::size_t>(index) * rows_; }

  /// (W x)_row; the order of summation depends on m alone, so equal inputs give equal bits.
  double multiplyRow(int row, const double* x) const;
  /// y = W x + b.
  void multiplyAdd(const double* x, const double* b, double* y) const;

  /// The block of rows and columns `first` … `first + kSize − 1`.
  template <int kSize>
  void copyBlock(int first, double out[kSize][kSize]) const {
    for (int r = 0; r < kSize; ++r)
      for (int c = 0; c < kSize; ++c) out[r][c] = (*this)(first + r, first + c);
  }

  /// w of a block: the mean of its diagonal entries; 0 where nothing can move it.
  double scale(int first, int size) const {
    const double* diagonal = row(first) + first;
    const std::size_t next = rows_ + 1;
    if (size == 3) return (diagonal[0] + diagonal[next] + diagonal[2 * next]) * (1.0 / 3.0);  // nearly every block
    double trace = 0.0;
    for (int r = 0; r < size; ++r) trace += diagonal[r * next];
    return trace / size;
  }

  /// Makes it m × m, all zero. Does not allocate where it has been as large before.
  void setZero(int rows) {
    rows_ = rows;
    entries_.assign(static_cast<std::size_t>(rows) * rows, 0.0);
  }

  const std::vector<double>& entries() const { return entries_; }  ///< row-major, as problem files hold them

 private:
  int rows_ = 0;
  std::vector<double> entries_;
};

}  // namespace rigor
