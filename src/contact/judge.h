// The judge's law and equation part (one for all solvers), in a lean form for every step and a full one for reports.
// Per block, from λ and u alone:
//
//   r_i = w_i · |λ_i − P_K(λ_i − û_i / w_i)|                                   [m/s or rad/s]
//   s_i = max(|b_i|, |(Wλ)_i|, velocity_scale)
//   accepted ⇔ r_i ≤ ε s_i + min(8 · eps · |Σ_j |W_ij| |λ_j|| + known error of b_i, 1e-6 s_i)
//
// and the same limit for |u_i − (Wλ + b)_i|. W enters only as the scale w_i = trace(W_ii)/k. The eps-term is the floor
// that no solver in doubles can beat. It has a ceiling, and where rounding alone is above that ceiling nothing is
// accepted: in a jam (no solution) ever larger impulses make Wλ uncertain until some rounding happens to fit.
//
// A problem without velocity_scale (0) is judged by its own numbers: s_i is at least 1e-6 of the largest |b| and the
// ceiling 1e-6 of the largest |b|. So a block that is all zero, like the upper ones of a standing stack, is judged to
// rounding, and a slow block beside a fast one by its own speed. All rows of a problem share their units.
//
// Not finite is refused first, because max() swallows NaN.
//
// Each law has its own K and û (friction_cone.h, pyramid_cone.h, dissipation_cone.h). An answer by another law than
// Coulomb's has a law gap: the residual that Coulomb's law leaves of it.
#pragma once

#include "rigor/contact_problem.h"
#include "rigor/solver.h"

namespace rigor {

/// trace(W_ii)/k of one block; 0 where nothing can move it.
inline double blockScale(const ContactProblem& problem, const Block& block) {
  return problem.W.scale(block.row, block.size);
}

/// Scale for blocks with blockScale 0: the largest one of the problem, 1 if there is none.
double substituteScale(const ContactProblem& problem);

/// The least s_i of any block: velocity_scale, or what stands for it in a problem without one.
double leastScale(const ContactProblem& problem);

/// law, plain_law, by_floor, equation, natural_map, floor, worst_block, finite; the rest stays 0. No allocation. The
/// blocks must be sound. A velocity read from positions has an error of its own [m/s] per row, which joins the floor
/// (it does not grow with λ, so no ceiling limits it) and is taken off `plain_law` too, which then tells what the rounding of
/// impulses must excuse: at most ε + 1e-6 in what is accepted. Null: exact.
Residuals judgeLaw(const ContactProblem& problem, const double* impulse, const double* velocity,
                   const double* known_error = nullptr, double tolerance = SolverOptions{}.tolerance);

/// True if the residuals are accepted at this tolerance, but not without the floor.
bool needsFloor(const Residuals& residuals, double tolerance);

/// The same for the velocity that belongs to the impulse: writes u = Wλ + b and judges it (equation part 0, by_floor left false).
Residuals judgeImpulse(const ContactProblem& problem, const double* impulse, double* velocity);

/// The same for what may be the answer, which must not hang on how a sum in doubles is rounded. Near the limit that decides, and
/// û = u + μ|ut| n magnifies it by μ: there what is accepted is judged once more with Wλ + b in long double, rounded once. Not
/// where W has factors.
Residuals judgeAnswer(const ContactProblem& problem, double tolerance, const double* impulse, double* velocity);
/// The second of the two for an answer that is accepted, `residuals`; false if it is accepted no more.
bool confirm(const ContactProblem& problem, double tolerance, const double* impulse, double* velocity,
             Residuals& residuals);

/// plain_law alone and the same u, for an iterate that is only passed: nothing is accepted by it. Infinite if not finite.
double judgePlainly(const ContactProblem& problem, const double* impulse, double* velocity);

}  // namespace rigor
