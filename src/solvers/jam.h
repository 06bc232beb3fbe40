// Looks for a jam: f ≥ 0 on normal rows, free on equal rows, with W f = 0 and f·(b + ν) < 0. Such an f is a ray along
// which the energy of the problem without friction,
//
//   ½ fᵀW f + f·(b + ν),   f ≥ 0 on normal rows,
//
// falls without end, so the active-set method that minimises it either ends at a minimum (no jam) or on that ray. Rows
// enter by their approach and leave when their impulse runs out; W of the rows inside is kept factored (Cholesky), and
// a row whose pivot is rounding gives the direction of zero curvature. Scaled by √W_jj, symmetrised.
#pragma once

#include <vector>

#include "rigor/solver.h"
#include "solvers/least_norm.h"

namespace rigor {

class JamFinder {
 public:
  /// Writes the ray [m], largest entry 1, and returns true if one is found along which the rows approach faster than
  /// the tolerance of the judge. Proves nothing yet: ask provesNoSolution. Finds none once `stop` is raised. Allocates nothing
  /// once it has seen the size.
  bool find(const ContactProblem& problem, double tolerance, std::vector<double>& ray, const StopFlag* stop = nullptr);

  /// Room for this many rows: the first doubtful answer of a run may come late.
  void reserve(int rows);

  /// Moves a ray that was found as little as it takes so that no row at all answers it. Where its contacts nearly lie in a plane
  /// their normal rows alone tell its slope to the root of rounding only; tangential rows tell the rest.
  void sharpen(const ContactProblem& problem, std::vector<double>& ray);

 private:
  enum class Entry { kInside, kRay, kFlat };  // flat: a direction of zero curvature that the judge would forgive

  int count() const { return static_cast<int>(rows_.size()); }
  int insideCount() const { return static_cast<int>(inside_.size()); }
  const double* gram(int j) const { return gram_.data() + static_cast<std::size_t>(j) * rows_.size(); }
  double* factor(int p) { return factor_.data() + static_cast<std::size_t>(p) * rows_.size(); }

  void collect(const ContactProblem& problem, double tolerance);
  void scale(const ContactProblem& problem);
  bool enterEqualRows();
  int pickEntering(bool first) const;
  Entry enter(int column);
  bool append(int column);
  double computePivot(int column);
  void keep(int column, double pivot);
  void remove(int position);
  void descend();
  void solveInside();
  void computeDirection(int column);
  bool approaches() const;
  void writeRay(const ContactProblem& problem, std::vector<double>& ray) const;

  const StopFlag* stop_ = nullptr;
  int equal_ = 0;                      // columns 0 … equal_ − 1 have free sign
  std::vector<int> rows_;              // [k] row of the problem of each column
  std::vector<double> root_;           // [k] √W_jj
  std::vector<double> gram_;           // [k × k] scaled W
  std::vector<double> cost_, slack_;   // [k] scaled b + ν, and what of it the judge forgives
  std::vector<double> x_, direction_;  // [k]
  std::vector<char> is_inside_;        // [k]
  std::vector<int> inside_, waiting_;  // columns whose impulse may be other than 0, in the order of the factor; scratch
  std::vector<double> factor_;         // [k × k] Cholesky factor of gram_ inside, lower, by rows
  std::vector<double> solved_;         // [k] in the order of inside_
  LeastNorm shortest_;
  std::vector<double> change_, unit_;  // [m] of sharpen
};

}  // namespace rigor
