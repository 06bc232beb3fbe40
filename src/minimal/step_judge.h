// The judge's third part, for steps in minimal coordinates: from positions, not from W and b; momentum: momentum_judge.h.
#pragma once

#include "minimal/assemble.h"
#include "minimal/momentum_judge.h"

namespace rigor {

/// The law on (λ, u from positions) for all blocks of an island:
/// r ≤ ε·max(|b|, |Wλ|, h·1 m/s²) + 8·eps·Σ|W||λ| + 4·eps·(|x|₁ + |p|₁)/h.
Residuals judgePositions(const ConstraintSet& set, Island& island);

/// φ(q′) ≥ min(φ, 0) − 1e-11 m, up to the floor, for every contact and limit of the step, and |g(q′)| ≤ 1e-11 m
/// or rad for every loop: whatever the law was told. A judge with an ε above 1e-10 lets as many times more pass.
bool keepsGaps(const ConstraintSet& set, double h);

}  // namespace rigor
