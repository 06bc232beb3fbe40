// One contact by the law of least energy (PC eq. 8), to rounding: the exact twin of the searches of PC. Kernel code as in
// single_contact.h. With the normal eliminated, k = Wnt/Wnn, the energy is E = ½ λt·Ŵλt + ĥ·λt and its stationary points on
// the mantle |λt| = μ(λn0 − k·λt) are
//
//   (Ŵ + e Q) λt = −(ĥ + e c),   Q = I − μ² k kᵀ,   c = μ² λn0 k,   e ≥ 0
//
// with e half of Lagrange's multiplier. As in Coulomb's secular equation λt = −N/D with polynomials of e,
//
//   N = adj(Ŵ)ĥ + e (adj(Ŵ)c + adj(Q)ĥ) + e² c,   D = det Ŵ + e (tr Ŵ − μ² k·adj(Ŵ)k) + e² (1 − μ²|k|²)
//
// and ψ(e) = μ (λn0 D + k·N)/|N| − 1 has one root: negative at 0 (no stick), 1/(μ|k|) − 1 > 0 at ∞. In the Painlevé range
// μ|k| ≥ 1 the root may lie beyond a pole; there, and near it, the slip curve is searched instead. The set of impulses is convex even then,
// so the answer is unique wherever Ŵ is regular.
#pragma once

#include "contact/slip_curve.h"

namespace rigor {

namespace single_contact {

/// λt = −N/D as polynomials of e.
struct SlipPolynomials {
  double n1[3], n2[3], d[3];

  /// Ranks below two leave a common factor e.
  void divideByE() {
    for (double* p : {n1, n2, d}) p[0] = p[1], p[1] = p[2], p[2] = 0.0;
  }
};

inline SlipPolynomials slipPolynomials(const Tangential& t, double mu) {
  const double m2 = mu * mu, c1 = m2 * t.normal * t.k1, c2 = m2 * t.normal * t.k2;
  const double q = 1.0 - m2 * (t.k1 * t.k1 + t.k2 * t.k2), kh = m2 * (t.k1 * t.h1 + t.k2 * t.h2);
  const double ak1 = t.d * t.k1 - t.b * t.k2, ak2 = t.a * t.k2 - t.c * t.k1;  // adj(Ŵ) k
  return {{t.d * t.h1 - t.b * t.h2, m2 * t.normal * ak1 + q * t.h1 + kh * t.k1, c1},
          {t.a * t.h2 - t.c * t.h1, m2 * t.normal * ak2 + q * t.h2 + kh * t.k2, c2},
          {t.det, t.trace - m2 * (t.k1 * ak1 + t.k2 * ak2), q}};
}

inline double valueAt(const double p[3], double e) { return p[0] + e * (p[1] + e * p[2]); }
inline double slopeAt(const double p[3], double e) { return p[1] + 2.0 * e * p[2]; }

/// Root of ψ in (0, ∞) by Newton's method kept inside a bracket. Returns e, or −1 without a root.
inline double findMultiplier(const Tangential& t, double mu, const SlipPolynomials& p, int& steps) {
  double lo = 0.0, hi = std::numeric_limits<double>::infinity(), e = 0.0;
  for (steps = 0; steps < 200; ++steps) {
    const double N1 = valueAt(p.n1, e), N2 = valueAt(p.n2, e), square = N1 * N1 + N2 * N2;
    const double dN1 = slopeAt(p.n1, e), dN2 = slopeAt(p.n2, e), inverse = 1.0 / std::sqrt(square);
    const double lift = t.normal * valueAt(p.d, e) + t.k1 * N1 + t.k2 * N2;  // D·λn
    const double psi = mu * lift * inverse - 1.0;
    const double slope =
        mu * inverse * (t.normal * slopeAt(p.d, e) + t.k1 * dN1 + t.k2 * dN2 - lift * (N1 * dN1 + N2 * dN2) / square);
    (psi < 0.0 ? lo : hi) = e;
    if (std::abs(psi) <= 4.0 * std::numeric_limits<double>::epsilon()) return e;
    double next = e - psi / slope;
    if (!(next > lo && next < hi))
      next = hi < std::numeric_limits<double>::infinity()
                 ? 0.5 * (lo + hi)
                 : 2.0 * e + std::sqrt(t.h1 * t.h1 + t.h2 * t.h2) / (mu * t.normal);
    if (std::abs(next - e) <= 2.0 * std::numeric_limits<double>::epsilon() * next) return next;
    e = next;
    if (!std::isfinite(e)) return -1.0;
  }
  return e;
}

/// Where Ŵ has rank 1 a whole line of impulses stops the contact: is one of them in the cone? Of those the one nearest to the
/// shortest impulse is taken.
inline bool findStickOnLine(const Tangential& t, double mu, double x[2]) {
  const double h = std::sqrt(t.h1 * t.h1 + t.h2 * t.h2), p1 = -t.h2 / h, p2 = t.h1 / h;
  x[0] = -t.h1 / t.trace, x[1] = -t.h2 / t.trace;
  const double A = t.normal - (t.k1 * x[0] + t.k2 * x[1]), B = t.k1 * p1 + t.k2 * p2, m2 = mu * mu;
  const double rest = x[0] * x[0] + x[1] * x[1] - m2 * A * A;
  if (A >= 0.0 && rest <= 0.0) return true;
  // |x + α p| = μ (A − α B): a α² + 2 b α + rest = 0
  const double a = 1.0 - m2 * B * B, b = m2 * A * B, discriminant = b * b - a * rest;
  if (!(discriminant >= 0.0)) return false;
  const double q = -(b + std::copysign(std::sqrt(discriminant), b));
  double nearest = std::numeric_limits<double>::infinity();
  for (const double alpha : {a != 0.0 ? q / a : INFINITY, q != 0.0 ? rest / q : INFINITY})
    if (std::isfinite(alpha) && A - alpha * B >= 0.0 && std::abs(alpha) < std::abs(nearest)) nearest = alpha;
  if (!std::isfinite(nearest)) return false;
  x[0] += nearest * p1, x[1] += nearest * p2;
  return true;
}

/// `p` turned by nearly this angle, to the third order of it: without a sine, and exact where Newton's method ends.
inline SlipPoint turnedBy(const SlipCurve& curve, const SlipPoint& p, double angle) {
  const double half = 0.5 * angle, scale = 1.0 / (1.0 + half * half);
  const double cosine = (1.0 - half * half) * scale, sine = angle * scale;
  return curve.at(p.d1 * cosine - p.d2 * sine, p.d1 * sine + p.d2 * cosine);
}

/// The point of the slip curve with the least energy, by Newton's method on dE/dθ within the angle that λ(v=0) sees, halved
/// where Newton leaves it; false if there is none.
inline bool searchSlipCurve(const SlipCurve& curve, SlipPoint& found, int& steps) {
  constexpr double kRounding = std::numeric_limits<double>::epsilon();  // [rad]
  const double length = std::sqrt(curve.x1 * curve.x1 + curve.x2 * curve.x2);
  const SlipPoint middle = curve.at(curve.x1 / length, curve.x2 / length);
  if (!(middle.rho > 0.0)) return false;                          // the cone goes on for ever that way
  const double turn = curve.gradient(middle) > 0.0 ? -1.0 : 1.0;  // where energy falls to
  const auto isBeyond = [&](const SlipPoint& a, const SlipPoint& b) {
    return turn * (a.d1 * b.d2 - a.d2 * b.d1) > 0.0;
  };
  // What cannot be seen lies beyond the minimum, like what has the other sign. The far end may be as far as half a turn.
  const auto isSeen = [&](const SlipPoint& p) { return curve.sees(p) && !curve.endsBetween(middle, p, turn); };
  SlipPoint near = middle, far = curve.at(-turn * middle.d2, turn * middle.d1);
  if (isSeen(far) && turn * curve.gradient(far) < 0.0) near = far, far = curve.at(-middle.d1, -middle.d2);
  SlipPoint p = near;
  bool seen = true;
  for (steps = 0; steps < 80; ++steps) {
    const double by = seen ? curve.newtonTurn(p) : std::numeric_limits<double>::infinity();
    if (std::abs(by) <= kRounding) break;
    SlipPoint next = std::abs(by) < 1.0 ? turnedBy(curve, p, by) : middle;
    if (!(std::abs(by) < 1.0 && isBeyond(near, next) && isBeyond(next, far))) {
      const double sum1 = near.d1 + far.d1, sum2 = near.d2 + far.d2, size = std::sqrt(sum1 * sum1 + sum2 * sum2);
      next = curve.at(sum1 / size, sum2 / size);
      if ((next.d1 == near.d1 && next.d2 == near.d2) || (next.d1 == far.d1 && next.d2 == far.d2)) break;
    }
    p = next;
    seen = isSeen(p);
    (seen && turn * curve.gradient(p) < 0.0 ? near : far) = p;
  }
  found = seen ? p : near;
  return true;
}

}  // namespace single_contact

/// Open and stick of law dissipation, and what is left for slip: the curve to search. True if `answer` is complete.
struct SlipStart {
  SlipCurve curve;
  int rank;
};
inline bool beginDissipation(const ContactBlock& block, ContactAnswer& answer, SlipStart& start) {
  using namespace single_contact;
  if (block.b[0] >= 0.0) return true;
  if (!(block.W[0][0] > 0.0)) {
    answer.solved = false;
    return true;
  }
  SlipCurve& curve = start.curve;
  Tangential& t = curve.t;
  t = eliminateNormal(block);
  curve.mu = block.mu;
  answer.impulse[0] = t.normal;
  answer.mode = ContactMode::kSlip;
  if (block.mu <= 0.0) return true;
  answer.painleve = block.mu * std::sqrt(t.k1 * t.k1 + t.k2 * t.k2) >= 1.0;
  start.rank = truncateRank(block, t);
  const double h = std::sqrt(t.h1 * t.h1 + t.h2 * t.h2);
  answer.mode = ContactMode::kStick;
  if (h == 0.0) return true;
  const double n1 = t.d * t.h1 - t.b * t.h2, n2 = t.a * t.h2 - t.c * t.h1;  // adj(Ŵ) ĥ
  double x[2] = {-t.h1, -t.h2};
  if (start.rank == 2) {
    x[0] = -n1 / t.det, x[1] = -n2 / t.det;
  }
  const bool in_range = start.rank == 1 && std::abs(n1) + std::abs(n2) <= 1e-9 * t.trace * h;
  const bool sticks = start.rank == 2
                          ? std::sqrt(x[0] * x[0] + x[1] * x[1]) <= block.mu * (t.normal - t.k1 * x[0] - t.k2 * x[1])
                          : in_range && findStickOnLine(t, block.mu, x);
  if (sticks) {
    answer.impulse[0] = t.normal - t.k1 * x[0] - t.k2 * x[1];
    answer.impulse[1] = x[0], answer.impulse[2] = x[1];
    return true;
  }
  if (start.rank == 1 && !in_range) x[0] = -n1, x[1] = -n2;  // nothing finite stops it, but ever more that way
  curve.x1 = x[0], curve.x2 = x[1];
  const bool finite = start.rank == 2 || in_range;
  curve.sight = block.mu * ((finite ? t.normal : 0.0) - t.k1 * x[0] - t.k2 * x[1]);
  answer.mode = ContactMode::kSlip;
  return false;
}

/// Open, stick or slip by law dissipation, to rounding.
inline ContactAnswer solveDissipation(const ContactBlock& block) {
  using namespace single_contact;
  constexpr double kNearPainleve = 0.99;  // of μ|k|: from here on polynomials lose digits
  ContactAnswer answer;
  SlipStart start;
  if (beginDissipation(block, answer, start)) return answer;
  const SlipCurve& curve = start.curve;
  const Tangential& t = curve.t;
  if (block.mu * std::sqrt(t.k1 * t.k1 + t.k2 * t.k2) > kNearPainleve) {
    SlipPoint point;
    answer.solved = searchSlipCurve(curve, point, answer.steps);
    if (answer.solved) impulseAt(curve, point, answer.impulse);
    return answer;
  }
  SlipPolynomials p = slipPolynomials(t, block.mu);
  const double h = std::sqrt(t.h1 * t.h1 + t.h2 * t.h2);
  if (start.rank == 0 || (start.rank == 1 && std::abs(p.n1[0]) + std::abs(p.n2[0]) <= 1e-9 * t.trace * h))
    p.divideByE();
  const double e = findMultiplier(t, block.mu, p, answer.steps);
  const double D = valueAt(p.d, e);
  if (!(e >= 0.0 && D > 0.0)) {
    answer.solved = false;
    return answer;
  }
  const double t1 = -valueAt(p.n1, e) / D, t2 = -valueAt(p.n2, e) / D;
  answer.impulse[0] = t.normal - t.k1 * t1 - t.k2 * t2;
  const double stretch = block.mu * answer.impulse[0] / std::sqrt(t1 * t1 + t2 * t2);
  answer.impulse[1] = stretch * t1, answer.impulse[2] = stretch * t2;
  return answer;
}

}  // namespace rigor
