// The equations of the interior point's path, one block at a time, condensed to impulse x and velocity y: what depends on
// the slip speed ψ or on the multipliers of bounds is expressed by them.
//
//   contact    γ s = τ,  μγ u + ψ β = 0  with ψ = (τ − β·u)/(μγ)
//   at least   γ s = τ
//   box        y − m_lo + m_hi + R x = 0  with m_lo = τ/(x − lo), m_hi = τ/(hi − x)
//
// Only derivatives are here, dF = A dy + B dx, each row divided by a size of its own so that none is tiny.
#pragma once

#include <cmath>

#include "rigor/contact_problem.h"
#include "solvers/nonsmooth_maps.h"

namespace rigor {

/// Bounds of a box row in scaled impulse. Where they meet, the row is held there.
struct PathBounds {
  double lo, hi;
  bool has_lo, has_hi, fixed;
  PathBounds(const Block& block, double root)
      : lo(root * block.lo),
        hi(root * block.hi),
        has_lo(std::isfinite(lo)),
        has_hi(std::isfinite(hi)),
        fixed(has_lo && has_hi && !(hi - lo > 1e-14 * (std::abs(lo) + std::abs(hi)))) {}
};

/// x = (γ, β), y = (s, u), both inside their cones. Rows are divided by γ + s and μγ + ψ.
void linearizePathContact(double mu, const double x[3], const double y[3], double psi, BlockEquation& out);

/// Divided by γ + s.
void linearizePathLimit(double x, double y, BlockEquation& out);

/// m_lo, m_hi: multipliers of the bounds, 0 where there is none. Divided by 1 + the derivative by x.
void linearizePathBox(const PathBounds& bounds, double compliance, double x, double m_lo, double m_hi,
                      BlockEquation& out);

}  // namespace rigor
