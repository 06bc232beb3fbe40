// The least energy on the slip curve in closed form (PC table I, "analytical"). |N|² = μ² (λn0 D + k·N)² with the polynomials of
// dissipation_contact.h is a quartic of Lagrange's multiplier e; its one positive root at which the floor pushes is found
// by Ferrari's formula. Cancellation leaves an error of 1e-6 of |λ| at times; where a finer interval is asked for, Newton's
// method on dE/dθ goes on from there. Kernel code as in single_contact.h.
#pragma once

#include "contact/slip_golden.h"

namespace rigor {

namespace slip_search {

/// Halley's iteration from the exponent.
inline double cubeRoot(double x) {
  if (x == 0.0 || !std::isfinite(x)) return x;
  int exponent;
  const double fraction = std::frexp(std::abs(x), &exponent);
  const int third = exponent >= 0 ? exponent / 3 : (exponent - 2) / 3;
  const double y = std::ldexp(fraction, exponent - 3 * third);  // in [0.5, 4)
  double root = 0.6 + 0.4 * y - 0.04 * y * y;
  for (int i = 0; i < 4; ++i) {
    const double cube = root * root * root;
    root *= (cube + 2.0 * y) / (2.0 * cube + y);
  }
  return std::copysign(std::ldexp(root, third), x);
}

/// Largest real root of x³ + a x² + b x + c.
inline double largestCubicRoot(double a, double b, double c) {
  const double shift = a / 3.0, p = b - a * shift, q = c + shift * (2.0 * shift * shift - b);
  const double discriminant = 0.25 * q * q + p * p * p / 27.0;
  if (discriminant >= 0.0) {  // Cardano
    const double u = cubeRoot(-0.5 * q - std::copysign(std::sqrt(discriminant), q));
    return (u != 0.0 ? u - p / (3.0 * u) : 0.0) - shift;
  }
  const double size = std::sqrt(-p / 3.0);  // three real ones: Viète
  return 2.0 * size * sincos(arctan2(std::sqrt(-discriminant), -0.5 * q) / 3.0).cos - shift;
}

/// Real roots of x⁴ + a x³ + b x² + c x + d by Ferrari; returns how many.
inline int solveQuartic(double a, double b, double c, double d, double roots[4]) {
  const double shift = 0.25 * a, s2 = shift * shift;
  const double p = b - 6.0 * s2, q = c - 2.0 * b * shift + 8.0 * s2 * shift;
  const double r = d - c * shift + b * s2 - 3.0 * s2 * s2;
  const double z = std::max(0.0, largestCubicRoot(2.0 * p, p * p - 4.0 * r, -q * q)), root = std::sqrt(z);
  int count = 0;
  const auto addQuadratic = [&](double half, double rest) {  // y² + 2 half y + rest
    const double discriminant = half * half - rest;
    if (!(discriminant >= 0.0)) return;
    const double far = -half - std::copysign(std::sqrt(discriminant), half);
    roots[count++] = far - shift;
    roots[count++] = (far != 0.0 ? rest / far : 0.0) - shift;
  };
  const double split = root > 0.0 ? q / (2.0 * root) : std::sqrt(std::max(0.0, 0.25 * p * p - r));
  addQuadratic(0.5 * root, 0.5 * (p + z) - split);
  addQuadratic(-0.5 * root, 0.5 * (p + z) + split);
  return count;
}

}  // namespace slip_search

inline ContactAnswer solveByQuartic(const ContactBlock& block, double interval) {
  using namespace single_contact;
  using namespace slip_search;
  constexpr double kAccuracy = 1e-5;  // of |λ|: below this no trust is put in the formula
  ContactAnswer answer;
  SlipStart start;
  if (beginDissipation(block, answer, start)) return answer;
  if (start.rank < 2 || answer.painleve) return solveDissipation(block);
  const Tangential& t = start.curve.t;
  const SlipPolynomials p = slipPolynomials(t, block.mu);
  double lift[3], quartic[5] = {};
  for (int i = 0; i < 3; ++i) lift[i] = block.mu * (t.normal * p.d[i] + t.k1 * p.n1[i] + t.k2 * p.n2[i]);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) quartic[i + j] += p.n1[i] * p.n1[j] + p.n2[i] * p.n2[j] - lift[i] * lift[j];
  // in units of the geometric mean of its roots, which the trace of Ŵ is of the order of
  const double unit = std::sqrt(std::sqrt(std::abs(quartic[0] / quartic[4])));
  double roots[4], scale = quartic[4] * unit;
  double c[4];
  for (int i = 3; i >= 0; --i, scale *= unit) c[i] = quartic[i] / scale;
  const int count = solveQuartic(c[3], c[2], c[1], c[0], roots);
  // Checks: positive, the floor pushes, and the nearest to the mantle of those.
  double best = std::numeric_limits<double>::infinity();
  double x1 = 0.0, x2 = 0.0;
  for (int i = 0; i < count; ++i) {
    const double e = unit * roots[i], D = valueAt(p.d, e), L = valueAt(lift, e);
    const double N1 = valueAt(p.n1, e), N2 = valueAt(p.n2, e), N = std::sqrt(N1 * N1 + N2 * N2);
    if (!(e >= 0.0 && D > 0.0 && L > 0.0) || !(std::abs(L / N - 1.0) < best)) continue;
    best = std::abs(L / N - 1.0), x1 = -N1, x2 = -N2;
  }
  if (!(best < 0.1)) return solveDissipation(block);
  const double length = std::sqrt(x1 * x1 + x2 * x2);
  SlipPoint found = start.curve.at(x1 / length, x2 / length);
  if (interval < kAccuracy * start.curve.radius(found) / block.mu) found = polishAngle(start.curve, arctan2(x2, x1)).at;
  impulseAt(start.curve, found, answer.impulse);
  return answer;
}

}  // namespace rigor
