// Where a slipping contact may end: the impulses of the friction cone that end the approach and lie on the mantle, as a
// curve λt = r(θ) d, d = (cos θ, sin θ), PC eq. 13–16. With the normal eliminated (single_contact.h), k = Wnt/Wnn:
//
//   r = μ λn0 / ρ,   ρ = 1 + μ k·d              PC eq. 14; where ρ ≤ 0 no such point exists (the Painlevé range)
//   ut = ĥ + r Ŵ d                              PC eq. 16
//   dE/dθ = (r/ρ) ut·(d⊥ + μ k⊥)                PC eq. 15: η = ∇h1 × ∇h2 is along d⊥ + μ k⊥
//
// From λ(v=0), the impulse x0 that would stop the contact, one sees the points with ∇h2·(x0 − λ) ≥ 0 (PC Alg. 1 line 13 has
// the sign wrong). On the curve that is d·x0 ≥ μ λn(x0): all within an angle of x0 that is known in closed form. Energy has one
// minimum there, and it falls from either end, so a change of sign of dE/dθ is enclosed.
#pragma once

#include "contact/single_contact.h"

namespace rigor {

/// d, and what follows from it.
struct SlipPoint {
  double d1, d2;
  double rho;  ///< ρ; no point of the curve where it is not positive
};

struct SlipCurve {
  single_contact::Tangential t;
  double mu;
  double x1, x2;  ///< λt(v=0), or only its direction where nothing finite stops the contact
  double sight;   ///< μ λn(v=0); with only a direction x its part that grows with it, −μ k·x

  SlipPoint at(double d1, double d2) const { return {d1, d2, 1.0 + mu * (t.k1 * d1 + t.k2 * d2)}; }
  double radius(const SlipPoint& p) const { return mu * t.normal / p.rho; }
  /// On the curve and in the line of sight of λ(v=0).
  bool sees(const SlipPoint& p) const { return p.rho > 0.0 && p.d1 * x1 + p.d2 * x2 >= sight; }
  /// In the Painlevé range the curve ends where ρ = 0. True if that gap lies between two directions less than half a turn
  /// apart, from `p` in the sense of `turn` to `to`.
  bool endsBetween(const SlipPoint& p, const SlipPoint& to, double turn) const {
    if (mu * mu * (t.k1 * t.k1 + t.k2 * t.k2) < 1.0) return false;
    return turn * (p.d2 * t.k1 - p.d1 * t.k2) >= 0.0 && turn * (to.d1 * t.k2 - to.d2 * t.k1) >= 0.0;
  }
  /// ρ ut·(d⊥ + μ k⊥): the sign of dE/dθ, without a division.
  double gradient(const SlipPoint& p) const {
    const double reach = mu * t.normal;
    const double u1 = p.rho * t.h1 + reach * (t.a * p.d1 + t.b * p.d2);
    const double u2 = p.rho * t.h2 + reach * (t.c * p.d1 + t.d * p.d2);
    return u2 * (p.d1 + mu * t.k1) - u1 * (p.d2 + mu * t.k2);
  }
  /// The angle by which Newton's method on `gradient` turns a point.
  double newtonTurn(const SlipPoint& p) const {
    const double reach = mu * t.normal, m1 = mu * t.k1, m2 = mu * t.k2, turn = m2 * p.d1 - m1 * p.d2;  // ρ′
    const double u1 = p.rho * t.h1 + reach * (t.a * p.d1 + t.b * p.d2),
                 u2 = p.rho * t.h2 + reach * (t.c * p.d1 + t.d * p.d2);
    const double v1 = turn * t.h1 + reach * (t.b * p.d1 - t.a * p.d2),
                 v2 = turn * t.h2 + reach * (t.d * p.d1 - t.c * p.d2);
    const double value = u2 * (p.d1 + m1) - u1 * (p.d2 + m2),
                 slope = v2 * (p.d1 + m1) - u2 * p.d2 - v1 * (p.d2 + m2) - u1 * p.d1;
    return -value / slope;
  }
};

/// λ at a point of the curve: the normal row holds, and λt is exactly on the mantle.
inline void impulseAt(const SlipCurve& curve, const SlipPoint& p, double impulse[3]) {
  const double r = curve.radius(p);
  impulse[0] = curve.t.normal - r * (curve.t.k1 * p.d1 + curve.t.k2 * p.d2);
  impulse[1] = curve.mu * impulse[0] * p.d1;
  impulse[2] = curve.mu * impulse[0] * p.d2;
}

}  // namespace rigor
