// The shortest of all x that bring A x nearest to r, where directions that A hardly feels count as none: Householder's QR
// with column pivoting, cut where the pivots end, and the rest of each row turned into its first columns. A diagonal added
// to A would do the same until its answer has to be exact in directions that are weak but there.
#pragma once

#include <vector>

#include "rigor/solver.h"

namespace rigor {

class LeastNorm {
 public:
  /// Makes room for systems of up to this size, before the first of them.
  void reserve(int n);

  /// Makes the matrix n × n, all of it to be written through row().
  void resize(int n);
  double* row(int i) { return matrix_.data() + static_cast<std::size_t>(i) * size_; }

  /// Once it is raised, what is left of the matrix counts as not felt: rank 0 if nothing was done.
  void heed(const StopFlag* stop) { stop_ = stop; }

  /// r → x. Directions that A stretches by `cut` or less are left alone. Overwrites the matrix; returns its rank.
  int solve(double cut, double* x);

 private:
  void sortRows(double* x);
  bool pivot(int k, double cut);
  void reflect(int k, double* x);
  void foldRow(int i, int rank);
  void substitute(int rank, double* x) const;

  const StopFlag* stop_ = nullptr;
  int size_ = 0;
  std::vector<double> matrix_, sorted_;  // [n × n]
  std::vector<double> work_, tail_;  // [n] the answer before it is unfolded; first entries of the reflections of rows
  std::vector<int> column_, order_;  // [n] which column of A stands there; rows from large to small
};

}  // namespace rigor
