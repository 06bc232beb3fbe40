#include "solvers/lemke_basis.h"

#include <algorithm>
#include <cmath>

#include "math/finite.h"

namespace rigor {

void LemkeBasis::reserve(int rows, int most_basic) {
  for (auto* list : {&rows_, &columns_, &nonzero_, &free_rows_, &free_columns_}) list->reserve(rows + 1);
  for (auto* flags : {&in_rows_, &in_columns_}) flags->reserve(rows + 1);
  places_.reserve(rows + 1);
  for (auto* array : {&cover_, &right_, &plain_, &product_, &z, &w, &dz, &dw}) array->reserve(rows + 1);
  lu_.resize(std::min(rows, most_basic) + 1);
}

void LemkeBasis::begin(const LcpForm& form, const std::vector<LcpPlace>& places) {
  form_ = &form;
  const int n = form.rows();
  rows_.clear(), columns_.clear();
  in_rows_.assign(n + 1, 0), in_columns_.assign(n + 1, 0);
  places_.assign(n + 1, LcpPlace::kLower);
  for (auto* array : {&z, &dz}) array->assign(n + 1, 0.0);
  for (auto* array : {&w, &dw, &cover_, &product_}) array->assign(n, 0.0);
  for (auto* array : {&right_, &plain_}) array->assign(n + 1, 0.0);
  for (int i = 0; i < n; ++i) {
    const bool lower = std::isfinite(form.lo[i]), upper = std::isfinite(form.hi[i]);
    LcpPlace place = lower || !upper ? LcpPlace::kLower : LcpPlace::kUpper;
    if (!places.empty()) {
      place = places[i];
      if (place == LcpPlace::kLower && !lower && upper) place = LcpPlace::kUpper;
      if (place == LcpPlace::kUpper && !upper) place = LcpPlace::kLower;
    }
    if (form.isFree(i) && places.empty()) place = LcpPlace::kLower;  // chosen below
    if (form.isFixed(i) && place == LcpPlace::kInside) place = LcpPlace::kLower;
    places_[i] = place;
    if (place == LcpPlace::kInside) addRow(i), addColumn(i);
  }
  if (places.empty()) chooseFree();
}

// Equations and unknowns of rows without bounds, the largest remaining entry first: skew rows have nothing on their diagonal, and
// redundant ones are left to those that were taken.
void LemkeBasis::chooseFree() {
  constexpr double kRank = 1e-10;
  free_rows_.clear();
  for (int i = 0; i < form_->rows(); ++i)
    if (form_->isFree(i)) free_rows_.push_back(i);
  const int count = static_cast<int>(free_rows_.size());
  free_columns_ = free_rows_;
  block_.resize(static_cast<std::size_t>(count) * count);
  const auto at = [&](int r, int c) -> double& { return block_[static_cast<std::size_t>(r) * count + c]; };
  for (int r = 0; r < count; ++r)
    for (int c = 0; c < count; ++c) at(r, c) = form_->at(free_rows_[r], free_rows_[c]);
  double first = 0.0;
  for (int k = 0; k < count; ++k) {
    int row = k, column = k;
    for (int r = k; r < count; ++r)
      for (int c = k; c < count; ++c)
        if (std::abs(at(r, c)) > std::abs(at(row, column))) row = r, column = c;
    const double size = std::abs(at(row, column));
    if (k == 0) first = size;
    if (!(size > kRank * first)) break;
    std::swap(free_rows_[k], free_rows_[row]), std::swap(free_columns_[k], free_columns_[column]);
    for (int c = 0; c < count; ++c) std::swap(at(k, c), at(row, c));
    for (int r = 0; r < count; ++r) std::swap(at(r, k), at(r, column));
    for (int r = k + 1; r < count; ++r) {
      const double factor = at(r, k) / at(k, k);
      for (int c = k; c < count; ++c) at(r, c) -= factor * at(k, c);
    }
    addRow(free_rows_[k]), addColumn(free_columns_[k]);
  }
}

void LemkeBasis::addRow(int i) {
  rows_.push_back(i);
  in_rows_[i] = 1;
}

void LemkeBasis::removeRow(int i) {
  rows_.erase(std::find(rows_.begin(), rows_.end(), i));
  in_rows_[i] = 0;
}

void LemkeBasis::addColumn(int i) {
  columns_.push_back(i);
  in_columns_[i] = 1;
  places_[i] = LcpPlace::kInside;
}

void LemkeBasis::removeColumn(int i, LcpPlace to) {
  columns_.erase(std::find(columns_.begin(), columns_.end(), i));
  in_columns_[i] = 0;
  places_[i] = to;
}

bool LemkeBasis::factor(const StopFlag* stop) {
  const int size = static_cast<int>(columns_.size());
  lu_.heed(stop);
  lu_.resize(size);
  for (int r = 0; r < size; ++r)
    for (int c = 0; c < size; ++c) lu_.row(r)[c] = entry(rows_[r], columns_[c]);
  return lu_.factor();
}

double LemkeBasis::boundOf(int i) const {
  if (i == artificial() || form_->isFree(i)) return 0.0;
  return places_[i] == LcpPlace::kUpper ? form_->hi[i] : form_->lo[i];
}

// out = M vector + t d, scaled.
void LemkeBasis::multiply(const std::vector<double>& vector, std::vector<double>& out) {
  const int n = form_->rows();
  nonzero_.clear();
  for (int i = 0; i < n; ++i) {
    if (vector[i] == 0.0) continue;
    nonzero_.push_back(i);
    plain_[i] = form_->scale[i] * vector[i];
  }
  form_->M->multiply(nonzero_, plain_.data(), out.data());
  const double t = vector[n];
  for (int i = 0; i < n; ++i) out[i] = form_->scale[i] * out[i] + t * cover_[i];
}

bool LemkeBasis::computeValues(bool refine) {
  const int n = form_->rows(), size = static_cast<int>(columns_.size());
  bool all_zero = true;
  for (int i = 0; i <= n; ++i) {
    z[i] = in_columns_[i] ? 0.0 : boundOf(i);
    all_zero = all_zero && z[i] == 0.0;
  }
  if (all_zero)
    std::fill(product_.begin(), product_.end(), 0.0);
  else
    multiply(z, product_);
  for (int r = 0; r < size; ++r) right_[r] = -form_->q[rows_[r]] - product_[rows_[r]];
  lu_.solve(right_.data());
  for (int c = 0; c < size; ++c) z[columns_[c]] = right_[c];
  if (refine) refineOnce(), refineOnce();
  multiply(z, w);
  for (int i = 0; i < n; ++i) w[i] = isRow(i) ? 0.0 : w[i] + form_->q[i];
  return allFinite(z) && allFinite(w);
}

// What doubles leave of the equations, summed in long double.
void LemkeBasis::refineOnce() {
  const int n = form_->rows(), size = static_cast<int>(columns_.size());
  nonzero_.clear();
  for (int i = 0; i <= n; ++i)
    if (z[i] != 0.0) nonzero_.push_back(i);
  for (int r = 0; r < size; ++r) {
    long double left = form_->q[rows_[r]];
    for (const int j : nonzero_) left += static_cast<long double>(entry(rows_[r], j)) * z[j];
    right_[r] = static_cast<double>(-left);
  }
  lu_.solve(right_.data());
  for (int c = 0; c < size; ++c) z[columns_[c]] += right_[c];
}

bool LemkeBasis::correct(std::vector<double>& left) {
  const int size = static_cast<int>(columns_.size());
  for (int r = 0; r < size; ++r) right_[r] = -left[rows_[r]];
  lu_.solve(right_.data());
  std::fill(left.begin(), left.end(), 0.0);
  for (int c = 0; c < size; ++c)
    if (columns_[c] != artificial()) left[columns_[c]] = right_[c];
  return allFinite(left);
}

void LemkeBasis::computeRates(int k, bool of_w, double sign) {
  const int size = static_cast<int>(columns_.size());
  for (int r = 0; r < size; ++r) right_[r] = of_w ? (rows_[r] == k ? sign : 0.0) : -sign * entry(rows_[r], k);
  lu_.solve(right_.data());
  std::fill(dz.begin(), dz.end(), 0.0);
  for (int c = 0; c < size; ++c) dz[columns_[c]] = right_[c];
  if (!of_w) dz[k] = sign;
  multiply(dz, dw);
  for (const int row : rows_) dw[row] = 0.0;
  if (of_w) dw[k] = sign;
}

}  // namespace rigor
