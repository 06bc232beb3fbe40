// PC Algorithm 1: the least energy on the slip curve by stepping along the angle until dE/dθ changes its sign, then by
// halving. The three ways of PC to find that sign (naive eq. 9–12, polar, hybrid eq. 13–16) differ in cost only. Changed:
// the line-of-sight test has its sign right, both loops are bounded, and ranks below two and the Painlevé range go
// to the exact solve. Kernel code as in single_contact.h.
#pragma once

#include "contact/dissipation_contact.h"
#include "math/scalar.h"

namespace rigor {

enum class SlipGradient { kNaive, kPolar, kHybrid };

namespace slip_search {

constexpr double kFirstStep = 0.01, kRetreat = 0.5, kGrowth = 1.3;  // β1 [rad], β2, β3 of PC
constexpr int kMostSteps = 200, kMostHalvings = 60;

/// Cosine and sine of the steps β1 β3ⁱ as long as none was shortened, where nearly all searches end.
struct GrowingSteps {
  static constexpr int kCount = 16;
  SinCos<double> at[kCount];

  GrowingSteps() {
    double step = kFirstStep;
    for (SinCos<double>& one : at) one = sincos(step), step *= kGrowth;
  }
};
inline const GrowingSteps kGrowingSteps;

/// Turned by an angle whose cosine and sine are given; and halfway between two points less than half a turn apart. Turning
/// directions instead of adding angles saves a sine and a cosine in every step.
inline SlipPoint turned(const SlipCurve& curve, const SlipPoint& p, const SinCos<double>& by) {
  return curve.at(p.d1 * by.cos - p.d2 * by.sin, p.d1 * by.sin + p.d2 * by.cos);
}
inline SlipPoint halfway(const SlipCurve& curve, const SlipPoint& a, const SlipPoint& b) {
  const double d1 = a.d1 + b.d1, d2 = a.d2 + b.d2, scale = 1.0 / std::sqrt(d1 * d1 + d2 * d2);
  return curve.at(scale * d1, scale * d2);
}

/// u = W λ + b of a slipping contact with all three components of λ.
inline void velocityAt(const ContactBlock& block, const double impulse[3], double u[3]) {
  for (int i = 0; i < 3; ++i)
    u[i] = block.b[i] + block.W[i][0] * impulse[0] + block.W[i][1] * impulse[1] + block.W[i][2] * impulse[2];
}

/// Sign of dE/dθ, each in the paper's own way. λ = (λn, λx, λy) here, the paper's z first.
template <SlipGradient kind>
inline double slopeOf(const ContactBlock& block, const SlipCurve& curve, const SlipPoint& p) {
  // (M̄⁻¹ λT + c̄)·η̌ with η̌ = d⊥ + μ k⊥ (eq. 15–16): the normal component of both is zero, and ρ takes away the division
  if constexpr (kind == SlipGradient::kHybrid) return curve.gradient(p);
  const double mu = curve.mu, r = curve.radius(p), impulse[3] = {r / mu, r * p.d1, r * p.d2};
  double u[3];
  velocityAt(block, impulse, u);
  if constexpr (kind == SlipGradient::kPolar) {
    // λ = (r/μ, r cos θ, r sin θ), dE/dθ = u·dλ/dθ, r′ = −r μ k·d⊥ / ρ
    const double turn = curve.t.k2 * p.d1 - curve.t.k1 * p.d2, slope = -r * mu * turn / p.rho;
    return u[0] * slope / mu + u[1] * (slope * p.d1 - r * p.d2) + u[2] * (slope * p.d2 + r * p.d1);
  }
  // η = ∇h1 × ∇h2 / |∇h1 × ∇h2|, ∇h1 the normal row of W, ∇h2 = (−2μ² λn, 2λx, 2λy) (eq. 10)
  const double* g = block.W[0];
  const double f[3] = {-2.0 * mu * mu * impulse[0], 2.0 * impulse[1], 2.0 * impulse[2]};
  const double eta[3] = {g[1] * f[2] - g[2] * f[1], g[2] * f[0] - g[0] * f[2], g[0] * f[1] - g[1] * f[0]};
  const double length = std::sqrt(eta[0] * eta[0] + eta[1] * eta[1] + eta[2] * eta[2]);
  return (u[0] * eta[0] + u[1] * eta[1] + u[2] * eta[2]) / length;
}

/// |λ_a − λ_b| < interval, λ = μ λn0/ρ (1/μ, d), without a division.
inline bool isWithin(const SlipCurve& curve, double interval, const SlipPoint& a, const SlipPoint& b) {
  const double x = b.rho * a.d1 - a.rho * b.d1, y = b.rho * a.d2 - a.rho * b.d2, n = b.rho - a.rho;
  const double reach = curve.mu * curve.t.normal, limit = interval * a.rho * b.rho;
  return reach * reach * (x * x + y * y) + curve.t.normal * curve.t.normal * n * n < limit * limit;
}

/// Lines 2 to 23: an interval in which dE/dθ changes its sign. False if none was found.
template <SlipGradient kind>
inline bool encloseMinimum(const ContactBlock& block, const SlipCurve& curve, SlipPoint& before, SlipPoint& after,
                           double& slope, int& steps) {
  const double scale = 1.0 / std::sqrt(curve.x1 * curve.x1 + curve.x2 * curve.x2);
  before = curve.at(scale * curve.x1, scale * curve.x2);
  slope = slopeOf<kind>(block, curve, before);
  double step = slope > 0.0 ? -kFirstStep : kFirstStep;
  bool grows = true;
  for (steps = 0; steps < kMostSteps; ++steps) {
    if (grows && steps < GrowingSteps::kCount) {
      const SinCos<double>& by = kGrowingSteps.at[steps];
      after = turned(curve, before, {step < 0.0 ? -by.sin : by.sin, by.cos});
    } else {
      after = turned(curve, before, sincos(step));
    }
    if (!curve.sees(after)) {
      grows = false;
      step *= kRetreat;
      continue;
    }
    if (!(slopeOf<kind>(block, curve, after) * slope > 0.0)) return true;
    before = after;
    step *= kGrowth;
  }
  return false;
}

/// Lines 24 to 33.
template <SlipGradient kind>
inline void halve(const ContactBlock& block, const SlipCurve& curve, double interval, double slope, SlipPoint& before,
                  SlipPoint& after, int& steps) {
  for (int halving = 0; halving < kMostHalvings; ++halving, ++steps) {
    if (isWithin(curve, interval, before, after)) return;
    const SlipPoint middle = halfway(curve, before, after);
    const auto is = [&](const SlipPoint& end) { return middle.d1 == end.d1 && middle.d2 == end.d2; };
    if (is(before) || is(after)) return;
    (slopeOf<kind>(block, curve, middle) * slope > 0.0 ? before : after) = middle;
  }
}

}  // namespace slip_search

template <SlipGradient kind>
inline ContactAnswer solveBySearch(const ContactBlock& block, double interval) {
  using namespace slip_search;
  ContactAnswer answer;
  SlipStart start;
  if (beginDissipation(block, answer, start)) return answer;
  if (start.rank < 2 || answer.painleve) return solveDissipation(block);
  SlipPoint before, after;
  double slope;
  if (!encloseMinimum<kind>(block, start.curve, before, after, slope, answer.steps)) return solveDissipation(block);
  halve<kind>(block, start.curve, interval, slope, before, after, answer.steps);
  impulseAt(start.curve, halfway(start.curve, before, after), answer.impulse);
  return answer;
}

}  // namespace rigor
