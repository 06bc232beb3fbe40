#include "solvers/lemke_howson.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rigor {

bool LemkeHowson::begin(const LcpForm& form) {
  form_ = &form;
  const int n = form.rows();
  group_.assign(n, -1);
  for (int i = 0; i < n; ++i) {
    if (!(form.q[i] < 0.0) || form.lo[i] != 0.0 || std::isfinite(form.hi[i])) return false;
    for (int j = 0; j < n; ++j)
      if (form.at(i, j) < 0.0) return false;
  }
  std::vector<int> open;
  for (int first = 0; first < n; ++first) {
    if (group_[first] >= 0) continue;
    group_[first] = 0;
    open.assign(1, first);
    while (!open.empty()) {
      const int i = open.back();
      open.pop_back();
      for (int j = 0; j < n; ++j) {
        if (form.at(i, j) == 0.0 && form.at(j, i) == 0.0) continue;
        if (group_[j] == group_[i]) return false;
        if (group_[j] >= 0) continue;
        group_[j] = 1 - group_[i];
        open.push_back(j);
      }
    }
  }
  return true;
}

// Of the rows that z of this column alone must answer, the one that asks for most; −1 if one of them does not feel it.
int LemkeHowson::findFirstAsked(int column) const {
  int first = -1;
  double most = 0.0;
  for (int i = 0; i < form_->rows(); ++i) {
    if (group_[i] == group_[column]) continue;
    const double entry = form_->at(i, column);
    if (!(entry > 0.0)) return -1;
    if (-form_->q[i] / entry > most) most = -form_->q[i] / entry, first = i;
  }
  return first;
}

// The basic variable that reaches 0 first; of ties the one with the largest rate. −1: a ray.
int LemkeHowson::findLeaving(bool& leaves_w) const {
  constexpr double kPivot = 1e-9, kTie = 1e-12;
  const int n = form_->rows();
  double largest = 0.0, size = 1.0;
  for (int i = 0; i < n; ++i) {
    largest = std::max({largest, std::abs(basis_.dz[i]), std::abs(basis_.dw[i])});
    size = std::max(size, std::abs(basis_.z[i]));
  }
  const auto forEach = [&](auto&& f) {
    for (int i = 0; i < n; ++i) {
      if (basis_.isColumn(i) && -basis_.dz[i] > kPivot * largest)
        f(i, false, std::max(basis_.z[i], 0.0), -basis_.dz[i]);
      if (!basis_.isRow(i) && -basis_.dw[i] > kPivot * largest) f(i, true, std::max(basis_.w[i], 0.0), -basis_.dw[i]);
    }
  };
  double farthest = std::numeric_limits<double>::infinity(), best = 0.0;
  forEach([&](int, bool, double gap, double rate) { farthest = std::min(farthest, (gap + kTie * size) / rate); });
  int leaving = -1;
  forEach([&](int i, bool is_w, double gap, double rate) {
    if (gap / rate > farthest || rate <= best) return;
    best = rate, leaving = i, leaves_w = is_w;
  });
  return leaving;
}

bool LemkeHowson::follow(int label, int max_pivots, const StopFlag* stop) {
  pivots_ = 0;
  const int other = findFirstAsked(label);
  const int first = other < 0 ? -1 : findFirstAsked(other);
  if (first < 0) return false;
  start_.assign(form_->rows(), LcpPlace::kLower);
  basis_.begin(*form_, start_);
  basis_.addColumn(label), basis_.addColumn(other);
  basis_.addRow(other), basis_.addRow(first);
  int entering = first;
  bool enters_w = false, done = first == label;
  while (true) {
    if (!basis_.factor(stop) || !basis_.computeValues(done)) return false;
    if (done) return true;
    if (pivots_++ >= max_pivots || isRaised(stop)) return false;
    basis_.computeRates(entering, enters_w, 1.0);
    bool leaves_w = false;
    const int leaving = findLeaving(leaves_w);
    if (leaving < 0) return false;
    if (enters_w)
      basis_.removeRow(entering);
    else
      basis_.addColumn(entering);
    if (leaves_w)
      basis_.addRow(leaving);
    else
      basis_.removeColumn(leaving, LcpPlace::kLower);
    entering = leaving, enters_w = !leaves_w;
    done = leaving == label;
  }
}

}  // namespace rigor
