#include "experiments/pendulum_equations.h"

#include <algorithm>
#include <cmath>

namespace rigor::experiments {
namespace {

/// Δ₁ of the step from `angle`, by Newton's method. `momentum` is I sin(Δ₀)/h or I ω₀; the damper sees old_share · `rate` and the rest
/// of Δ₁/h.
double findTurn(const Pendulum& p, double angle, double momentum, double rate, double old_share, double dt,
                double kick) {
  double turn = dt * rate;
  for (int i = 0; i < 50; ++i) {
    const double damped = p.damper * (old_share * rate + (1.0 - old_share) * turn / dt);
    const double left = p.inertia * std::sin(turn) / dt - momentum + kick * (p.weight * std::sin(angle) + damped);
    const double slope = p.inertia * std::cos(turn) / dt + kick * p.damper * (1.0 - old_share) / dt;
    turn -= left / slope;
    if (std::fabs(left / slope) < 1e-16) break;
  }
  return turn;
}

}  // namespace

PendulumMotion solvePendulum(const Pendulum& pendulum, double angle, double rate, double dt, int steps) {
  const auto accelerate = [&](double q, double v) {
    return -(pendulum.weight * std::sin(q) + pendulum.damper * v) / pendulum.inertia;
  };
  constexpr int kParts = 1000;
  const double h = dt / kParts;
  double q = angle, v = rate;
  PendulumMotion motion;
  for (int i = 0; i <= steps; ++i) {
    motion.angle.push_back(q);
    motion.rate.push_back(v);
    for (int part = 0; part < kParts; ++part) {
      const double v1 = v, a1 = accelerate(q, v1), v2 = v + 0.5 * h * a1, a2 = accelerate(q + 0.5 * h * v1, v2);
      const double v3 = v + 0.5 * h * a2, a3 = accelerate(q + 0.5 * h * v2, v3);
      const double v4 = v + h * a3, a4 = accelerate(q + h * v3, v4);
      q += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
      v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
  }
  return motion;
}

PendulumMotion stepPendulum(const Pendulum& pendulum, double angle, double rate, double dt, int steps, StartOrder start,
                            DamperOrder damper) {
  PendulumMotion motion{{angle}, {rate}};
  double momentum = pendulum.inertia * rate, kick = 0.5 * dt;
  if (start == StartOrder::kFirst && steps > 0) {
    motion.angle.push_back(angle + dt * rate);
    motion.rate.push_back(rate);
    momentum = pendulum.inertia * std::sin(dt * rate) / dt;
    kick = dt;
  }
  const double old_share = damper == DamperOrder::kSecond ? 0.5 : 0.0;
  while (std::ssize(motion.angle) <= steps) {
    const double turn = findTurn(pendulum, motion.angle.back(), momentum, motion.rate.back(), old_share, dt, kick);
    motion.angle.push_back(motion.angle.back() + turn);
    motion.rate.push_back(turn / dt);
    momentum = pendulum.inertia * std::sin(turn) / dt;
    kick = dt;
  }
  return motion;
}

double largestError(const std::vector<double>& found, const std::vector<double>& exact) {
  double worst = found.size() == exact.size() ? 0.0 : INFINITY;
  for (std::size_t i = 0; i < std::min(found.size(), exact.size()); ++i)
    worst = std::max(worst, std::fabs(found[i] - exact[i]));
  return worst;
}

}  // namespace rigor::experiments
