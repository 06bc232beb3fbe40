#include "solvers/jam.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/judge.h"
#include "contact/visit_block.h"

namespace rigor {
namespace {

// A pivot of the scaled matrix is dᵀG d of the direction d that leaves the columns inside at rest; this part of |d|₁²
// is rounding. A mass ratio of 1e8 leaves 1e-8.
constexpr double kNoCurvature = 64.0 * std::numeric_limits<double>::epsilon();
// Part of a direction's largest entry that is rounding.
constexpr double kNoEntry = 1e-13;
// Part of the terms of a sum that is rounding.
constexpr double kNoApproach = 16.0 * std::numeric_limits<double>::epsilon();

}  // namespace

void JamFinder::reserve(int rows) {
  const std::size_t square = static_cast<std::size_t>(rows) * rows;
  for (auto* array : {&root_, &cost_, &slack_, &solved_, &x_, &direction_}) array->reserve(rows);
  gram_.reserve(square), factor_.reserve(square + rows);
  inside_.reserve(rows), waiting_.reserve(rows), is_inside_.reserve(rows), rows_.reserve(rows);
}

bool JamFinder::find(const ContactProblem& problem, double tolerance, std::vector<double>& ray, const StopFlag* stop) {
  stop_ = stop;
  collect(problem, tolerance);
  scale(problem);
  bool found = enterEqualRows();
  const int limit = 4 * count() + 20;
  for (int round = 0; round < limit && !found; ++round) {
    if (isRaised(stop_)) return false;
    const int column = pickEntering(round > 2 * count());
    if (column < 0) return false;
    const Entry entry = enter(column);
    if (entry == Entry::kFlat) return false;
    found = entry == Entry::kRay;
  }
  if (found) writeRay(problem, ray);
  return found;
}

// Equal rows first, then normal rows.
void JamFinder::collect(const ContactProblem& problem, double tolerance) {
  const double least = leastScale(problem);
  rows_.clear();
  cost_.clear();
  slack_.clear();
  for (const bool equal : {true, false}) {
    for (const Block& block : problem.blocks) {
      double speed = 0.0;
      for (int r = 0; r < block.size; ++r) speed = std::hypot(speed, problem.b[block.row + r]);
      forEachUnit(problem, block, [&]<class Unit>(const Unit&, int first) {
        if (Unit::kEquation != equal) return;
        for (int row = first; row < first + (equal ? Unit::kRows : Unit::kNormalRows); ++row) {
          rows_.push_back(row);
          cost_.push_back(problem.b[row] + (equal ? 0.0 : problem.bias[row]));
          slack_.push_back(tolerance * std::max(speed, least));
        }
      });
    }
    if (equal) equal_ = count();
  }
}

void JamFinder::scale(const ContactProblem& problem) {
  const int k = count();
  // what is soft gives way under any impulse: no ray leads along it
  const auto W = [&](int i, int j) {
    return problem.W(rows_[i], rows_[j]) + (i == j && i >= equal_ ? problem.compliance[rows_[i]] : 0.0);
  };
  root_.resize(k);
  gram_.resize(static_cast<std::size_t>(k) * k);
  factor_.resize(gram_.size() + k);  // and a row for the column that finds no pivot
  solved_.resize(k);
  inside_.reserve(k);
  waiting_.reserve(k);
  x_.assign(k, 0.0);
  direction_.assign(k, 0.0);
  is_inside_.assign(k, 0);
  inside_.clear();
  double largest = 0.0;
  for (int j = 0; j < k; ++j) largest = std::max(largest, W(j, j));
  if (!(largest > 0.0)) largest = 1.0;
  for (int j = 0; j < k; ++j) {
    root_[j] = std::sqrt(W(j, j) > 1e-14 * largest ? W(j, j) : largest);
    cost_[j] /= root_[j];
    slack_[j] /= root_[j];
  }
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < k; ++j)
      gram_[static_cast<std::size_t>(i) * k + j] = 0.5 * (W(i, j) + W(j, i)) / (root_[i] * root_[j]);
}

// True if rows that say the same contradict each other; else such rows stay outside.
bool JamFinder::enterEqualRows() {
  for (int column = 0; column < equal_ && !isRaised(stop_); ++column) {
    if (append(column)) continue;
    if (approaches()) return true;
    for (double& entry : direction_) entry = -entry;
    if (approaches()) return true;
  }
  solveInside();
  for (int p = 0; p < insideCount(); ++p) x_[inside_[p]] = solved_[p];
  return false;
}

// The normal row outside that approaches fastest, or the first one that does (Bland's rule, which cannot cycle).
int JamFinder::pickEntering(bool first) const {
  int best = -1;
  double fastest = 0.0;
  for (int j = equal_; j < count(); ++j) {
    if (is_inside_[j]) continue;
    double velocity = cost_[j], size = std::abs(cost_[j]);
    for (const int i : inside_) {
      const double term = gram(j)[i] * x_[i];
      velocity += term;
      size += std::abs(term);
    }
    if (velocity < -slack_[j] - kNoApproach * size && velocity < fastest) {
      best = j;
      fastest = velocity;
      if (first) break;
    }
  }
  return best;
}

// Takes the column in. Where its pivot is rounding, goes along the direction without curvature instead, until an
// impulse runs out and makes room; if none does, that direction is the ray.
JamFinder::Entry JamFinder::enter(int column) {
  while (!append(column)) {
    int blocking = -1;
    double length = std::numeric_limits<double>::infinity();
    for (int p = 0; p < insideCount(); ++p) {
      const int i = inside_[p];
      if (i < equal_ || direction_[i] >= 0.0 || x_[i] >= -length * direction_[i]) continue;
      length = -x_[i] / direction_[i];
      blocking = p;
    }
    if (isRaised(stop_)) return Entry::kFlat;
    if (blocking < 0) return approaches() ? Entry::kRay : Entry::kFlat;
    for (int j = 0; j < count(); ++j) x_[j] += length * direction_[j];
    remove(blocking);
  }
  descend();
  return Entry::kInside;
}

// Puts the column into the factor; false if its pivot is rounding, then `direction_` is the one without curvature.
bool JamFinder::append(int column) {
  const double pivot = computePivot(column);
  computeDirection(column);
  double size = 0.0;
  for (const double entry : direction_) size += std::abs(entry);
  if (!(pivot > kNoCurvature * size * size)) return false;
  keep(column, pivot);
  return true;
}

// The next row of the factor without its diagonal; returns the square of that.
double JamFinder::computePivot(int column) {
  double* row = factor(insideCount());
  double pivot = gram(column)[column];
  for (int i = 0; i < insideCount(); ++i) {
    double sum = gram(column)[inside_[i]];
    for (int j = 0; j < i; ++j) sum -= row[j] * factor(i)[j];
    row[i] = sum / factor(i)[i];
    pivot -= row[i] * row[i];
  }
  return pivot;
}

void JamFinder::keep(int column, double pivot) {
  factor(insideCount())[insideCount()] = std::sqrt(pivot);
  inside_.push_back(column);
  is_inside_[column] = 1;
}

// Takes a column out; those after it are factored anew, which only raises their pivots.
void JamFinder::remove(int position) {
  waiting_.assign(inside_.begin() + position, inside_.end());
  inside_.resize(position);
  for (const int column : waiting_) is_inside_[column] = 0;
  x_[waiting_[0]] = 0.0;
  for (std::size_t i = 1; i < waiting_.size(); ++i) {
    const double pivot = isRaised(stop_) ? 0.0 : computePivot(waiting_[i]);
    if (pivot > 0.0)
      keep(waiting_[i], pivot);
    else
      x_[waiting_[i]] = 0.0;
  }
}

// Towards the minimum over the columns inside; impulses that run out on the way leave.
void JamFinder::descend() {
  for (;;) {
    solveInside();
    int blocking = -1;
    double length = 1.0;
    for (int p = 0; p < insideCount(); ++p) {
      const double from = x_[inside_[p]], to = solved_[p];
      if (inside_[p] < equal_ || to > 0.0 || from >= length * (from - to)) continue;
      length = from / (from - to);
      blocking = p;
    }
    for (int p = 0; p < insideCount(); ++p) x_[inside_[p]] += length * (solved_[p] - x_[inside_[p]]);
    if (blocking < 0 || isRaised(stop_)) return;
    remove(blocking);
  }
}

// gram x = −cost over the columns inside.
void JamFinder::solveInside() {
  const int p = insideCount();
  for (int i = 0; i < p; ++i) {
    double sum = -cost_[inside_[i]];
    for (int j = 0; j < i; ++j) sum -= factor(i)[j] * solved_[j];
    solved_[i] = sum / factor(i)[i];
  }
  for (int i = p - 1; i >= 0; --i) {
    for (int j = i + 1; j < p; ++j) solved_[i] -= factor(j)[i] * solved_[j];
    solved_[i] /= factor(i)[i];
  }
}

// After computePivot: 1 at the column, and what the columns inside need so that they do not move.
void JamFinder::computeDirection(int column) {
  const int p = insideCount();
  const double* row = factor(p);
  std::fill(direction_.begin(), direction_.end(), 0.0);
  direction_[column] = 1.0;
  for (int i = p - 1; i >= 0; --i) {
    double sum = -row[i];
    for (int j = i + 1; j < p; ++j) sum -= factor(j)[i] * direction_[inside_[j]];
    direction_[inside_[i]] = sum / factor(i)[i];
  }
  double largest = 0.0;
  for (const double entry : direction_) largest = std::max(largest, std::abs(entry));
  for (double& entry : direction_)
    if (std::abs(entry) <= kNoEntry * largest) entry = 0.0;
}

// Do the rows approach along the direction, beyond what the judge forgives?
bool JamFinder::approaches() const {
  double approach = 0.0, forgiven = 0.0;
  for (int j = 0; j < count(); ++j) {
    approach += direction_[j] * cost_[j];
    forgiven += std::abs(direction_[j]) * slack_[j];
  }
  return approach < -forgiven;
}

void JamFinder::writeRay(const ContactProblem& problem, std::vector<double>& ray) const {
  ray.assign(problem.rows(), 0.0);
  double largest = 0.0;
  for (int j = 0; j < count(); ++j) {
    ray[rows_[j]] = direction_[j] / root_[j];
    largest = std::max(largest, std::abs(ray[rows_[j]]));
  }
  for (double& entry : ray) entry /= largest;
}

void JamFinder::sharpen(const ContactProblem& problem, std::vector<double>& ray) {
  constexpr double kNoAnswer = 1e-10;  // a direction that all rows answer by less is part of the ray
  const int m = problem.rows();
  double largest = 0.0;
  for (int i = 0; i < m; ++i) largest = std::max(largest, problem.W(i, i));
  if (!(largest > 0.0)) return;
  change_.resize(m), unit_.resize(m);
  for (int i = 0; i < m; ++i) unit_[i] = 1.0 / std::sqrt(std::max(problem.W(i, i), 1e-14 * largest));
  shortest_.resize(m);
  for (int i = 0; i < m; ++i) {
    long double moved = 0.0;
    for (int j = 0; j < m; ++j) {
      const double answer = 0.5 * (problem.W(i, j) + problem.W(j, i));
      moved += static_cast<long double>(answer) * ray[j];
      shortest_.row(i)[j] = ray[j] != 0.0 ? unit_[i] * answer * unit_[j] : 0.0;
    }
    change_[i] = static_cast<double>(-moved * unit_[i]);
  }
  shortest_.solve(kNoAnswer, change_.data());
  for (int j = 0; j < m; ++j) ray[j] += unit_[j] * change_[j];
}

}  // namespace rigor
