// Is a contact problem one at all? Asked once when it is read from a file, and by solvers before they start.
#pragma once

#include <optional>

#include "rigor/contact_problem.h"
#include "rigor/error.h"

namespace rigor {

/// The first defect of the problem with its remedy, or nothing: sizes, rows covered exactly once and in order, kinds
/// with their number of rows, μ ≥ 0, lo ≤ hi, every number finite (bounds may be infinite) and of a size that can be
/// squared, no negative compliance or row_error. With `symmetric` also: no negative diagonal of W, and
/// |W_ij − W_ji| ≤ ½ √(W_ii W_jj) (the largest diagonal in place of those of equal rows). Rows that turn far within a
/// step break the latter and are sound all the same.
std::optional<Error> findDefect(const ContactProblem& problem, bool symmetric = true);

/// Throws what findDefect found.
void checkProblem(const ContactProblem& problem);

/// True if W, b, bias, compliance, row_error and the last block agree on the number of rows: what every loop over rows
/// takes for granted, cheap enough for an assert in every solve.
inline bool hasFittingSizes(const ContactProblem& problem) {
  const std::size_t m = problem.b.size();
  return static_cast<std::size_t>(problem.W.rows()) == m && problem.bias.size() == m &&
         problem.compliance.size() == m && (problem.row_error.empty() || problem.row_error.size() == m) &&
         (problem.blocks.empty() ? m == 0 : problem.blocks.back().row + problem.blocks.back().size == problem.rows());
}

/// The part that a solver asks before every solve: everything but W and b. Does not allocate. Entries of those two that
/// are not finite make the judge refuse the answer, because all of them enter it.
bool hasSoundBlocks(const ContactProblem& problem);

/// True if every entry of W, b, bias, compliance and row_error is finite and none of the last two is negative.
bool hasSoundNumbers(const ContactProblem& problem);

}  // namespace rigor
