// What every solver does before its first and after its last number: put the caller's start in order, and let the judge
// decide what the answer is.
#pragma once

#include <limits>
#include <vector>

#include "rigor/solver.h"
#include "solvers/jam.h"

namespace rigor {

/// Sizes of the answer, and nothing in it but the caller's start.
struct Start {
  bool sound = false;       ///< else the solution says kBadInput, judged, and why
  bool sets_known = false;  ///< the caller's modes may be trusted
};

/// `knows_law` if the solver solves the law of the problem: an answer by another law would be a wrong one.
Start prepareSolution(const ContactProblem& problem, bool knows_law, ContactSolution& solution);

/// The same problem with a dense W, for solvers that know no factors.
ContactProblem makeDense(const ContactProblem& problem);
/// A solver that knows factors, of problems with more than `most_dense` rows, does better with a dense W. To write down that of a
/// forest costs more than to solve along its links, but for a few rows.
inline bool wantsDense(const DelassusMatrix& W, int most_dense) {
  constexpr int kFewRows = 12;
  const bool knows_factors = most_dense < std::numeric_limits<int>::max();
  return W.isFactored() && W.rows() <= (W.hasForest() && knows_factors ? kFewRows : most_dense);
}

/// Rows of a problem that the stages of small ones are tried on when those of large ones have failed: they know more.
inline constexpr int kDenseAtLast = 300;

class SolverVerdict {
 public:
  void begin(const ContactProblem& problem);
  void reserve(int rows) { jam_finder_.reserve(rows), ray_.reserve(rows); }
  /// True if the problem is proved to have no solution; then no stage can help. Looked for once per problem.
  bool proveJam(const SolverOptions& options);
  /// Status, certificate and by_floor of a solution whose residuals are the judge's.
  void conclude(const SolverOptions& options, ContactSolution& solution);

 private:
  SolveStatus decide(const SolverOptions& options, const Residuals& residuals);

  const ContactProblem* problem_ = nullptr;
  enum class Jam { kNotAsked, kNotFound, kProved } jam_ = Jam::kNotAsked;
  JamFinder jam_finder_;
  std::vector<double> ray_;
};

}  // namespace rigor
