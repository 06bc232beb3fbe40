// The judge's third part, for steps in minimal coordinates: from positions and from momentum, not from W and b.
#pragma once

#include "minimal/assemble.h"

namespace rigor {

/// The law on (λ, u from positions) for all blocks of an island:
/// r ≤ ε·max(|b|, |Wλ|, h·1 m/s²) + 8·eps·Σ|W||λ| + 4·eps·(|x|₁ + |p|₁)/h.
Residuals judgePositions(const ConstraintSet& set, Island& island);

/// φ(q′) ≥ min(φ, 0) − 1e-11 m, up to the floor, for every contact and limit of the step, and |g(q′)| ≤ 1e-11 m
/// or rad for every loop: whatever the law was told.
bool keepsGaps(const ConstraintSet& set, double h);

/// True if two balls are on the other side of each other at the end of the step: the gap is open again, but they passed.
bool ballsPassed(const StepContext& context, const StepPose& end, const ConstraintSet& set);

struct MomentumScratch {
  std::vector<Force<double>> external, smooth;       ///< [links] impulses of constraints, of velocity terms and gravity
  std::vector<double> change, balance, rnea_torque;  ///< [nv]
  RneaScratch<double> rnea;

  void resize(const Topology& topology);
};

/// Velocity terms and inertias are those of the free motion; mass matrix, factors, rows and W play no part.
/// Momentum balance M (v′ − v) − k (τ − c) − Jᵀλ by RNEA with the impulses as forces at their points, turned into the
/// velocity error balance/D (D from M̂ = LᵀDL) and divided by max(|v|, |v′|, h·1 m/s²).
double judgeMomentum(const StepContext& context, const Kinematics<double>& start, const FreeMotion& motion,
                     const ConstraintSet& set, const double* v_end, MomentumScratch& scratch);

}  // namespace rigor
