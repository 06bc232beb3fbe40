// One contact, exact Coulomb friction (PC eq. 6), all others held (PC eq. 5): find λ with u = W λ + b that obeys the
// law. Kernel code: plain doubles, no allocation. b contains the bias ν on its normal entry; W may be slightly
// unsymmetric and of any rank.
//
// Eliminate the normal (k from the column Wtn, k′ from the row Wnt, each divided by Wnn):
//
//   Ŵ = Wtt − Wtn Wnt / Wnn,   ĥ = bt − k bn,   λn0 = −bn / Wnn,   λn = λn0 − k′·λt,   ut = ĥ + Ŵ λt
//
// bn ≥ 0: open. −Ŵ⁻¹ĥ inside the cone: stick. Else slip, with one scalar unknown, the slip compliance
// e = |ut| / (μ λn) > 0, because friction opposes slip: ut = −e λt, hence
//
//   λt(e) = −(Ŵ + e I)⁻¹ ĥ = −N/D,   N = adj(Ŵ) ĥ + e ĥ,   D = det + e tr + e²,   μ λn(e) = |λt(e)|
//
// ψ(e) = μ (λn0 D + k′·N) / |N| − 1 is negative at 0 and positive at ∞, almost linear, and never needs an angle.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigor/single_contact.h"

namespace rigor {

namespace single_contact {

/// The tangential problem left after the normal has been eliminated.
struct Tangential {
  double a, b, c, d;       // Ŵ = (a b; c d)
  double h1, h2;           // ĥ
  double k1, k2;           // k′
  double normal;           // λn0
  double trace, det, wtt;  // of Ŵ; wtt = trace(Wtt), the size that rounding is measured against
};

/// λn from the normal row: PC eq. 13. Ŵ and ĥ: the tangential rows of PC eq. 16.
inline Tangential eliminateNormal(const ContactBlock& block) {
  const auto& W = block.W;
  const double inverse = 1.0 / W[0][0];
  Tangential t;
  t.k1 = W[0][1] * inverse;
  t.k2 = W[0][2] * inverse;
  t.a = W[1][1] - W[1][0] * t.k1;
  t.b = W[1][2] - W[1][0] * t.k2;
  t.c = W[2][1] - W[2][0] * t.k1;
  t.d = W[2][2] - W[2][0] * t.k2;
  t.normal = -block.b[0] * inverse;
  t.h1 = block.b[1] + W[1][0] * t.normal;
  t.h2 = block.b[2] + W[2][0] * t.normal;
  t.trace = t.a + t.d;
  t.det = t.a * t.d - t.b * t.c;
  t.wtt = W[1][1] + W[2][2];
  return t;
}

/// Rank of Ŵ decided against rounding, with ĥ freed of the part that only rounding put outside the range.
/// Without this a link on a hinge (rank 1 or 2 blocks) gets impulses of noise divided by noise.
inline int truncateRank(const ContactBlock& block, Tangential& t) {
  const double size = std::abs(block.b[1]) + std::abs(block.b[2]) +
                      (std::abs(block.W[1][0]) + std::abs(block.W[2][0])) * std::abs(t.normal);
  const double noise = 1e-10 * size;
  if (t.trace <= 1e-12 * t.wtt) {
    t.a = t.b = t.c = t.d = t.trace = t.det = 0.0;
    if (std::abs(t.h1) + std::abs(t.h2) <= noise) t.h1 = t.h2 = 0.0;
    return 0;
  }
  if (t.det > 1e-11 * t.trace * t.wtt) return 2;
  // The range of a rank-1 Ŵ is its longer column.
  const double first = t.a * t.a + t.c * t.c, second = t.b * t.b + t.d * t.d;
  const double r1 = first >= second ? t.a : t.b, r2 = first >= second ? t.c : t.d;
  const double scale = 1.0 / std::sqrt(std::max(first, second));
  const double along = (r1 * t.h1 + r2 * t.h2) * scale, across = (r1 * t.h2 - r2 * t.h1) * scale;
  if (std::abs(across) > noise && t.det > 0.0) return 2;  // nearly flat, but ĥ really points out: every digit counts
  t.det = 0.0;
  if (std::abs(across) <= noise) {
    t.h1 = along * r1 * scale;
    t.h2 = along * r2 * scale;
  }
  return 1;
}

/// Root of ψ in (0, ∞) by Newton's method kept inside a bracket. (n1, n2) = adj(Ŵ) ĥ. Begins at `e`; a step from where |ψ| is
/// at most `close` is the last one. Returns e, or −1 without a root.
inline double findSlipCompliance(const Tangential& t, double mu, double n1, double n2, int& steps, double e = 0.0,
                                 double close = 0.0) {
  double lo = 0.0, hi = std::numeric_limits<double>::infinity();
  for (steps = 0; steps < 100; ++steps) {
    const double N1 = n1 + e * t.h1, N2 = n2 + e * t.h2;
    const double D = t.det + e * (t.trace + e);
    const double square = N1 * N1 + N2 * N2;
    const double inverse = 1.0 / std::sqrt(square);
    const double lift = t.normal * D + t.k1 * N1 + t.k2 * N2;  // D·λn
    const double psi = mu * lift * inverse - 1.0;
    const double slope =
        mu * inverse *
        (t.normal * (t.trace + 2.0 * e) + t.k1 * t.h1 + t.k2 * t.h2 - lift * (N1 * t.h1 + N2 * t.h2) / square);
    (psi < 0.0 ? lo : hi) = e;
    double next = e - psi / slope;
    if (std::abs(psi) <= 4.0 * std::numeric_limits<double>::epsilon()) return e;
    if (!(next > lo && next < hi)) {  // outside the bracket, or not a number
      if (hi < std::numeric_limits<double>::infinity())
        next = 0.5 * (lo + hi);
      else
        next = 2.0 * e + std::sqrt(t.h1 * t.h1 + t.h2 * t.h2) / (mu * t.normal);
    }
    if (std::abs(next - e) <= 2.0 * std::numeric_limits<double>::epsilon() * next || std::abs(psi) <= close)
      return next;
    e = next;
    if (!std::isfinite(e)) return -1.0;
  }
  return e;
}

/// Slip of a contact of rank two that does not stick, from the compliance `e` of an earlier slip or 0, which is written anew. False
/// if none was found.
inline bool solveSlip(const Tangential& t, double mu, double close, double& e, double impulse[3]) {
  const double n1 = t.d * t.h1 - t.b * t.h2, n2 = t.a * t.h2 - t.c * t.h1;
  int steps;
  e = findSlipCompliance(t, mu, n1, n2, steps, e, close);
  const double D = t.det + e * (t.trace + e), t1 = -(n1 + e * t.h1) / D, t2 = -(n2 + e * t.h2) / D;
  const double normal = t.normal - t.k1 * t1 - t.k2 * t2;
  const bool found = e > 0.0 && D > 0.0 && normal > 0.0;
  if (!found) return e = 0.0, false;
  const double stretch = mu * normal / std::sqrt(t1 * t1 + t2 * t2);
  impulse[0] = normal, impulse[1] = stretch * t1, impulse[2] = stretch * t2;
  return true;
}

}  // namespace single_contact

/// Open, stick or slip: the mode whose impulse obeys the law, and that impulse. Open wins wherever it is an answer.
inline ContactAnswer solveSingleContact(const ContactBlock& block) {
  using namespace single_contact;
  ContactAnswer answer;
  if (block.b[0] >= 0.0) return answer;
  if (!(block.W[0][0] > 0.0)) {
    answer.solved = false;
    return answer;
  }
  const double mu = block.mu;
  Tangential t = eliminateNormal(block);
  answer.painleve = mu * std::sqrt(t.k1 * t.k1 + t.k2 * t.k2) >= 1.0;
  answer.impulse[0] = t.normal;
  answer.mode = ContactMode::kSlip;
  if (mu <= 0.0) return answer;

  constexpr double kLargest = 1e100;  // a guess beyond which squares overflow
  const int rank = truncateRank(block, t);
  const double h = std::sqrt(t.h1 * t.h1 + t.h2 * t.h2);
  if (h == 0.0) {
    answer.mode = ContactMode::kStick;
    return answer;
  }
  double n1 = t.d * t.h1 - t.b * t.h2, n2 = t.a * t.h2 - t.c * t.h1;  // adj(Ŵ) ĥ
  double D = t.det, e = 0.0;
  const double radius = mu * (t.normal * D + t.k1 * n1 + t.k2 * n2);  // D μ λn at e = 0
  if (rank == 0 || (rank == 1 && std::abs(n1) + std::abs(n2) <= 1e-9 * t.trace * h)) {
    // ĥ is an eigenvector of Ŵ: N and D lose the common factor e, and ψ is exactly linear.
    e = std::max(0.0, (h / mu - (t.k1 * t.h1 + t.k2 * t.h2)) / t.normal - t.trace);
    n1 = t.h1, n2 = t.h2, D = t.trace + e;
  } else if (rank < 2 || radius < 0.0 || n1 * n1 + n2 * n2 > radius * radius) {
    // were Ŵ its stretch of ĥ in all directions, this would be the root
    const double stretch = (t.h1 * (t.a * t.h1 + t.b * t.h2) + t.h2 * (t.c * t.h1 + t.d * t.h2)) / (h * h);
    const double guess = (h / mu - (t.k1 * t.h1 + t.k2 * t.h2)) / t.normal - stretch;
    e = findSlipCompliance(t, mu, n1, n2, answer.steps, rank == 2 && guess > 0.0 && guess < kLargest ? guess : 0.0);
    n1 += e * t.h1, n2 += e * t.h2, D += e * (t.trace + e);
  }
  if (!(e >= 0.0 && D > 0.0)) {
    answer.solved = false;
    return answer;
  }
  const double t1 = -n1 / D, t2 = -n2 / D, normal = t.normal - t.k1 * t1 - t.k2 * t2;
  // λn carries the normal equation; in slip the length of λt follows it to the last bit.
  const double stretch = e > 0.0 ? mu * normal / std::sqrt(t1 * t1 + t2 * t2) : 1.0;
  answer.mode = e > 0.0 ? ContactMode::kSlip : ContactMode::kStick;
  answer.impulse[0] = normal;
  answer.impulse[1] = stretch * t1;
  answer.impulse[2] = stretch * t2;
  return answer;
}

}  // namespace rigor
