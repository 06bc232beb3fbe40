// A pendulum of one freedom: its true motion, and the steps of VG's equations as printed and with a start and damper of second order. The
// equations of a few lines that figures are compared with.
//
// On a hinge all of VG's eq. 29a, 29b is one equation. With the turn Δ of a step, Δ₀ that of the step before:
//
//   I (sin Δ₁ − sin Δ₀)/h = −κ (w sin θ₁ + d ω),   θ₂ = θ₁ + Δ₁
//
// As printed: θ₁ = θ₀ + h ω₀ with the given velocity, then κ = h, ω = Δ₁/h. Of second order: I ω₀ in place of I sin(Δ₀)/h and κ = h/2
// in the first step (the discrete Legendre transform), then κ = h; ω = (Δ₀ + Δ₁)/2h.
#pragma once

#include <vector>

namespace rigor::experiments {

struct Pendulum {
  double inertia;  ///< I [kg m²] about the hinge
  double weight;   ///< w [N m] when it is level
  double damper;   ///< d [N m s]
};

/// Angles at multiples of the step, and velocities: true ones, or mean ones of the step that led there (the first is as given).
struct PendulumMotion {
  std::vector<double> angle, rate;  ///< [rad], [rad/s]
};

enum class StartOrder { kFirst, kSecond };
enum class DamperOrder { kFirst, kSecond };

/// By RK4 in steps of a thousandth of dt.
PendulumMotion solvePendulum(const Pendulum& pendulum, double angle, double rate, double dt, int steps);

PendulumMotion stepPendulum(const Pendulum& pendulum, double angle, double rate, double dt, int steps, StartOrder start,
                            DamperOrder damper);

/// The largest |found − exact|; infinite if one is shorter.
double largestError(const std::vector<double>& found, const std::vector<double>& exact);

}  // namespace rigor::experiments
