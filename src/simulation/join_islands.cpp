#include "simulation/join_islands.h"

#include <algorithm>
#include <cassert>

#include "contact/check_problem.h"

namespace rigor {
namespace {

void append(const std::vector<double>& part, int rows, std::vector<double>& whole) {
  whole.insert(whole.end(), part.begin(), part.end());
  whole.resize(static_cast<std::size_t>(rows), 0.0);  // what an island leaves out is zero
}

// Copies the island's W to the place on the diagonal of the whole that begins at `first`.
void copyDelassus(const ContactProblem& part, int first, ContactProblem& whole) {
  const int m = part.rows();
  const DelassusMatrix W = part.W.toDense();
  for (int i = 0; i < m; ++i) std::copy_n(W.row(i), m, whole.W.row(first + i) + first);
}

// A whole is as good as its worst part; one part without a solution leaves the whole without.
SolveStatus worse(SolveStatus a, SolveStatus b) {
  for (const SolveStatus status :
       {SolveStatus::kBadInput, SolveStatus::kNoSolution, SolveStatus::kUnsolved, SolveStatus::kInaccurate})
    if (a == status || b == status) return status;
  return SolveStatus::kSolved;
}

}  // namespace

SolvedProblem joinIslands(const Islands& islands) {
  SolvedProblem joined;
  ContactProblem& whole = joined.problem;
  joined.status = SolveStatus::kSolved;
  bool has_error = false, has_proof = false;
  for (int i = 0; i < islands.count; ++i) {
    const ContactProblem& part = islands.list[i].problem;
    const ContactSolution& solution = islands.list[i].solution;
    assert(hasFittingSizes(part) && "the stepper assembled the island");
    const int first = whole.rows(), rows = first + part.rows();
    assert(static_cast<int>(solution.impulse.size()) == part.rows() && "an island is joined after it was solved");
    for (Block block : part.blocks) {
      block.row += first;
      whole.blocks.push_back(block);
    }
    append(part.b, rows, whole.b);
    append(part.bias, rows, whole.bias);
    append(part.compliance, rows, whole.compliance);
    append(part.row_error, rows, whole.row_error);
    append(solution.impulse, rows, joined.impulse);
    append(solution.certificate, rows, joined.certificate);
    has_error = has_error || !part.row_error.empty();
    has_proof = has_proof || solution.status == SolveStatus::kNoSolution;
    whole.law = part.law;
    whole.directions = part.directions;
    whole.velocity_scale = std::max(whole.velocity_scale, part.velocity_scale);
    joined.status = worse(joined.status, solution.status);
  }
  whole.W.setZero(whole.rows());
  int first = 0;
  for (int i = 0; i < islands.count; ++i) {
    copyDelassus(islands.list[i].problem, first, whole);
    first += islands.list[i].problem.rows();
  }
  if (!has_error) whole.row_error.clear();
  if (!has_proof) joined.certificate.clear();
  return joined;
}

}  // namespace rigor
