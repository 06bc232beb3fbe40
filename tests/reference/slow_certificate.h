// The proof that a problem has no solution, checked once more with long doubles from the text of its definition.
#pragma once

#include <vector>

#include "rigor/contact_problem.h"

namespace rigor::reference {

/// f ≥ 0 on normal rows, any sign on equal rows, 0 elsewhere, and f·(b + ν) < 0 by more than Wᵀf could make up for with
/// impulses a thousand times as large as those that stop each row on its own.
bool provesSlowly(const ContactProblem& problem, const std::vector<double>& f);

}  // namespace rigor::reference
