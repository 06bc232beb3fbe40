// Is a contact problem one at all? Asked once when it is read from a file, and by solvers before they start.
#pragma once

#include <optional>

#include "rigor/contact_problem.h"
#include "rigor/error.h"

namespace rigor {

/// The first defect of the problem with its remedy, or nothing: sizes, rows covered exactly once and in order, kinds
/// with their number of rows, μ ≥ 0, lo ≤ hi, every number finite (bounds may be infinite) and of a size that can be
/// squared, no negative compliance or row_error, W without a negative diagonal and not grossly unsymmetric:
/// |W_ij − W_ji| ≤ ½ √(W_ii W_jj). Whatever a step makes passes: its rows turn far less than that.
std::optional<Error> findDefect(const ContactProblem& problem);

/// Throws what findDefect found.
void checkProblem(const ContactProblem& problem);

/// The part that a solver asks before every solve: sizes, rows, each block's own numbers, the scale. Does not allocate.
/// Entries of W and b that are not finite are not looked for: they make the judge refuse the answer.
bool hasSoundBlocks(const ContactProblem& problem);

/// True if every entry of W, b, bias, compliance and row_error is finite and none of the last two is negative.
bool hasSoundNumbers(const ContactProblem& problem);

}  // namespace rigor
