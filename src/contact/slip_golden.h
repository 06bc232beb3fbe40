// The least energy on the slip curve by golden section (Preclik's, PC table I): values of E alone, between the two ends of
// what λ(v=0) sees. Near a minimum values tell points apart to the root of rounding only, 1e-8 of |λ|; where a finer
// interval is asked for, Newton's method on dE/dθ goes on from there. Kernel code as in single_contact.h.
#pragma once

#include "contact/slip_search.h"

namespace rigor {

namespace slip_search {

/// A point of the curve by its angle.
struct AnglePoint {
  double angle;
  SlipPoint at;
  double r;
};

inline AnglePoint pointAt(const SlipCurve& curve, double angle) {
  const auto direction = sincos(angle);
  const SlipPoint at = curve.at(direction.cos, direction.sin);
  return {angle, at, curve.radius(at)};
}

/// E up to a constant.
inline double energyAt(const SlipCurve& curve, const AnglePoint& p) {
  const single_contact::Tangential& t = curve.t;
  const double x1 = p.r * p.at.d1, x2 = p.r * p.at.d2;
  return x1 * (t.h1 + 0.5 * (t.a * x1 + t.b * x2)) + x2 * (t.h2 + 0.5 * (t.c * x1 + t.d * x2));
}

/// Newton's method on ρ ut·(d⊥ + μ k⊥), kept between two angles at which it has different signs or from an angle near the root.
inline AnglePoint polishAngle(const SlipCurve& curve, double angle) {
  AnglePoint p = pointAt(curve, angle);
  for (int i = 0; i < 4; ++i) {
    const double step = curve.newtonTurn(p.at);
    if (!(std::abs(step) < 0.1)) break;  // not near: the caller's angle is the better one
    p = pointAt(curve, p.angle + step);
    if (std::abs(step) < 1e-15) break;
  }
  return p;
}

}  // namespace slip_search

inline ContactAnswer solveByGoldenSection(const ContactBlock& block, double interval) {
  using namespace slip_search;
  constexpr double kGolden = 0.6180339887498948482, kResolved = 3e-8;  // of |λ|
  ContactAnswer answer;
  SlipStart start;
  if (beginDissipation(block, answer, start)) return answer;
  if (start.rank < 2 || answer.painleve) return solveDissipation(block);
  const SlipCurve& curve = start.curve;
  // d·x0 ≥ μ λn(x0): this far to both sides of x0
  const double length = std::sqrt(curve.x1 * curve.x1 + curve.x2 * curve.x2);
  const double middle = arctan2(curve.x2, curve.x1);
  const double half = arctan2(std::sqrt(std::max(0.0, length * length - curve.sight * curve.sight)), curve.sight);
  AnglePoint low = pointAt(curve, middle - half), high = pointAt(curve, middle + half);
  AnglePoint a = pointAt(curve, high.angle - kGolden * (high.angle - low.angle));
  AnglePoint b = pointAt(curve, low.angle + kGolden * (high.angle - low.angle));
  double at_a = energyAt(curve, a), at_b = energyAt(curve, b);
  const double enough = std::max(interval, kResolved * (a.r + b.r) / curve.mu);
  for (answer.steps = 0; answer.steps < 100 && !isWithin(curve, enough, low.at, high.at); ++answer.steps) {
    if (at_a < at_b) {
      high = b, b = a, at_b = at_a;
      a = pointAt(curve, high.angle - kGolden * (high.angle - low.angle));
      at_a = energyAt(curve, a);
    } else {
      low = a, a = b, at_a = at_b;
      b = pointAt(curve, low.angle + kGolden * (high.angle - low.angle));
      at_b = energyAt(curve, b);
    }
  }
  AnglePoint found = pointAt(curve, 0.5 * (low.angle + high.angle));
  if (interval < enough) found = polishAngle(curve, found.angle);
  impulseAt(curve, found.at, answer.impulse);
  return answer;
}

}  // namespace rigor
