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

/// The part that a solver asks before every solve: everything but W and b. Does not allocate. Entries of those two that
/// are not finite make the judge refuse the answer, because all of them enter it.
bool hasSoundBlocks(const ContactProblem& problem);

/// True if every entry of W, b, bias, compliance and row_error is finite and none of the last two is negative.
bool hasSoundNumbers(const ContactProblem& problem);

}  // namespace rigor
