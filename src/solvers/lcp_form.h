// A complementarity problem as the pivots see it: a matrix that is only asked for entries and products, and numbers scaled to one
// unit.
#pragma once

#include <vector>

#include "rigor/lcp.h"

namespace rigor {

/// M of an LCP. Stored, or made of a smaller matrix: that of a friction pyramid has a row for every corner, but W behind it has
/// three for every contact.
class LcpMatrix {
 public:
  virtual ~LcpMatrix() = default;
  virtual int rows() const = 0;
  virtual double at(int row, int column) const = 0;
  /// out = M z [n] of a z that is zero but in these columns.
  virtual void multiply(const std::vector<int>& columns, const double* z, double* out) const = 0;
};

class DenseLcpMatrix final : public LcpMatrix {
 public:
  explicit DenseLcpMatrix(const std::vector<double>& entries, int rows) : entries_(entries.data()), rows_(rows) {}

  int rows() const override { return rows_; }
  double at(int row, int column) const override { return entries_[static_cast<std::size_t>(row) * rows_ + column]; }
  void multiply(const std::vector<int>& columns, const double* z, double* out) const override;

 private:
  const double* entries_;
  int rows_;
};

/// With z = unit · d · z̃ and w = unit · w̃/d the scaled problem is w̃ = (d M d) z̃ + d q/unit: diagonal entries and the largest |q̃|
/// are 1, so that one number is small for all rows.
struct LcpForm {
  const LcpMatrix* M = nullptr;
  std::vector<double> scale;      ///< [n] d
  std::vector<double> q, lo, hi;  ///< [n] scaled
  double unit = 1.0;

  int rows() const { return static_cast<int>(q.size()); }
  double at(int row, int column) const { return scale[row] * M->at(row, column) * scale[column]; }
  bool isFree(int row) const;   ///< no bounds
  bool isFixed(int row) const;  ///< z is known; w may have any sign
  void reserve(int rows);
  /// Scales plain q and bounds, which `scale` fits already.
  void assign(const LcpMatrix& matrix, const double* plain_q, const double* plain_lo, const double* plain_hi);
};

/// d = M_ii^−½. Where M_ii is not positive, or no more than the rounding of what stands beside it, d is what makes the largest
/// entries of all rows and columns of d M d about 1 (Ruiz).
std::vector<double> computeScale(const Lcp& lcp);

/// Bounds [n] of a problem with everything that it leaves out.
struct LcpBounds {
  std::vector<double> lo, hi;
};
LcpBounds readBounds(const Lcp& lcp);

}  // namespace rigor
