// Where Mᵀv has to be exactly 0, on free rows, it is only to rounding of v: whether some v beside it does it exactly.
#pragma once

#include <vector>

#include "rigor/lcp.h"

namespace rigor {

/// Writes t [n] and returns true if it is certain that some v' with |v'_i − v_i| ≤ t_i |v_i|, t_i ≤ 1/2, has Mᵀv' = 0 in these columns.
/// `answer` [n] is Mᵀv.
///
/// With A the rows of Mᵀ for these columns, each over its Σ|M_ij v_i|, columns times |v_i|, and X nearly Aᵀ(A Aᵀ)⁻¹: if
/// ‖I − A X‖∞ ≤ 1/2 then A X has an inverse of at most 2, and v' = v − |v| X (A X)⁻¹ε (Krawczyk).
bool findNearby(const Lcp& lcp, const std::vector<int>& columns, const std::vector<double>& v,
                const std::vector<long double>& answer, std::vector<long double>& t);

}  // namespace rigor
