// The linear system that Newton-type stages share. In variables scaled by one number per block (x = √w λ, y = u/√w)
// each block contributes dF = A dy + B dx with dy = W̃ dx, so the matrix is A W̃ + B.
#pragma once

#include <vector>

#include "contact/unit_rows.h"
#include "rigor/contact_problem.h"
#include "solvers/dense_lu.h"

namespace rigor {

/// root[row] = √w of the row's block.
void computeRoots(const ContactProblem& problem, std::vector<double>& root);

/// Fills the rows of `lu` with A (W̃ + ε I) + B + δ I, the equations being those of the units at their rows.
void assembleScaled(const ContactProblem& problem, const std::vector<double>& root,
                    const std::vector<EquationRow>& equations, double epsilon, double delta, DenseLu& lu);

}  // namespace rigor
