// The basis of Lemke's method, factored from the original numbers each time it is asked: updated tableaux lose it from mass ratios
// of 1e3 on.
//
//   w = M z + q + t d,   t the artificial variable, d the cover
//
// Basic are some z, t while the path goes on, and w of every row that is not in `rows`. Unit columns of w need no algebra, so what
// is factored is M [rows × columns] alone: as many as pushes, however many corners a pyramid has.
#pragma once

#include <vector>

#include "solvers/dense_lu.h"
#include "solvers/lcp_form.h"

namespace rigor {

class LemkeBasis {
 public:
  void reserve(int rows, int most_basic);
  /// The basis of these places, whatever it is worth. Empty: all rows at a bound but those without any, which are basic as far as
  /// they are independent (largest entry first, 1e-10).
  void begin(const LcpForm& form, const std::vector<LcpPlace>& places);

  const LcpForm& form() const { return *form_; }
  int artificial() const { return form_->rows(); }  ///< the index of t among columns and z
  const std::vector<int>& columns() const { return columns_; }
  const std::vector<int>& rows() const { return rows_; }
  bool isRow(int i) const { return in_rows_[i] != 0; }        ///< w_i = 0 is an equation of the basis
  bool isColumn(int i) const { return in_columns_[i] != 0; }  ///< z_i is basic
  LcpPlace place(int i) const { return places_[i]; }
  const std::vector<LcpPlace>& places() const { return places_; }

  void addRow(int i);
  void removeRow(int i);
  void addColumn(int i);
  void removeColumn(int i, LcpPlace to);
  void setPlace(int i, LcpPlace to) { places_[i] = to; }
  /// d [n].
  std::vector<double>& cover() { return cover_; }

  bool factor(const StopFlag* stop);
  /// z, t and w of this basis, refined once with sums in long double if asked. False if one of them is not finite.
  bool computeValues(bool refine);
  /// What is left of w in the rows of this basis [n] becomes the change of z that takes it away.
  bool correct(std::vector<double>& left);
  /// How they change per unit of z_k, or of w_k.
  void computeRates(int k, bool of_w, double sign);

  std::vector<double> z, w, dz, dw;  ///< [n + 1] with t at the end, [n], and the rates

 private:
  double entry(int row, int column) const { return column == artificial() ? cover_[row] : form_->at(row, column); }
  double boundOf(int i) const;
  void chooseFree();
  void multiply(const std::vector<double>& vector, std::vector<double>& out);
  void refineOnce();

  const LcpForm* form_ = nullptr;
  std::vector<int> rows_, columns_, nonzero_, free_rows_, free_columns_;
  std::vector<char> in_rows_, in_columns_;
  std::vector<LcpPlace> places_;
  std::vector<double> cover_, right_, plain_, product_, block_;
  DenseLu lu_;
};

}  // namespace rigor
