// The proof that a contact problem has no solution: impulses that move nothing and yet had to stop an approach.
#pragma once

#include <vector>

#include "rigor/contact_problem.h"

namespace rigor {

/// True if f proves that no impulse solves the problem. With f ≥ 0 on normal rows (contacts and limits), any sign on
/// equal rows, 0 on all others, and Wᵀf = 0, every λ has
///
///   f·(u + ν) = f·(b + ν) + (Wᵀf)·λ = f·(b + ν) < 0,
///
/// so some normal row still approaches or some equal row still moves (ν counts on normal rows). W is symmetric up to
/// how far the constraint rows turn in a step; W f = 0 is asked for too. Zero means rounding: 1e-12 of what the rows
/// could cause, Σ_j √(W_ii W_jj) |f_j|; with 1e-7 a stack of light and heavy boxes would be "proved" impossible. What
/// is left of Wᵀf may still be the small answer of a heavy body. So the approach must be faster than (Wᵀf)·λ for
/// impulses a thousand times those that stop each row alone, and than what rounding and row_error leave of f·(b + ν).
/// Separate from whatever found f. Does not allocate.
bool provesNoSolution(const ContactProblem& problem, const std::vector<double>& f);

}  // namespace rigor
