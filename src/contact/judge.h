// The judge's law and equation part (one for all solvers), in a lean form for every step and a full one for reports.
// Per block, from λ and u alone:
//
//   r_i = w_i · |λ_i − P_K(λ_i − û_i / w_i)|                                   [m/s or rad/s]
//   accepted ⇔ r_i ≤ ε · max(|b_i|, |(Wλ)_i|, h · 1 m/s²) + 8 · eps · |Σ_j |W_ij| |λ_j||
//
// and the same limit for |u_i − (Wλ + b)_i|. W enters only as the scale w_i = trace(W_ii)/k. The eps-term is the floor
// that no solver in doubles can beat. Not finite is refused first, because max() swallows NaN.
#pragma once

#include "rigor/contact_problem.h"
#include "rigor/solver.h"

namespace rigor {

/// trace(W_ii)/k of one block; 0 where nothing can move it.
inline double blockScale(const ContactProblem& problem, const Block& block) {
  const int m = problem.rows();
  if (block.size == 3) {
    const double* W = problem.W.data() + static_cast<std::size_t>(block.row) * (m + 1);
    return (W[0] + W[m + 1] + W[2 * m + 2]) * (1.0 / 3.0);
  }
  double trace = 0.0;
  for (int r = block.row; r < block.row + block.size; ++r) trace += problem.W[static_cast<std::size_t>(r) * m + r];
  return trace / block.size;
}

/// Scale for blocks with blockScale 0: the largest one of the problem, 1 if there is none.
double substituteScale(const ContactProblem& problem);

/// law, equation, natural_map, floor, worst_block, finite; the rest stays 0. No allocation. The blocks must be sound.
/// A velocity read from positions has an error of its own [m/s] per row, which joins the floor; null: exact.
Residuals judgeLaw(const ContactProblem& problem, const double* impulse, const double* velocity,
                   const double* known_error = nullptr);

/// The same for the velocity that belongs to the impulse: writes u = Wλ + b and judges it (equation part 0).
Residuals judgeImpulse(const ContactProblem& problem, const double* impulse, double* velocity);

}  // namespace rigor
