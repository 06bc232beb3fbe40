// What a step of a pendulum of n equal rods leaves of VG's equations, body by body as the paper has them: in long double, by code of its own.
//
// Rods swing in the plane y, z. With centres c, turns Δ and impulses λ of the joints, in a step of h between two others (VG eq. 29a):
//
//   m (c₂ − 2 c₁ + c₀)/h − h m g = λ_i − λ_{i+1}                      from the tip upwards, these are the λ
//   J (sin Δ₁ − sin Δ₀)/h + a × (λ_i + λ_{i+1}) = ρ_i                  a from the upper joint to the centre; ρ [N m s] should be 0
//
// (sin Δ is what is left of the paper's quaternions in a plane: √(1 − h²ω²/4) ω h with ω = 2 sin(Δ/2)/h.)
#pragma once

#include <optional>
#include <vector>

#include "rigor/simulator.h"

namespace rigor::experiments {

/// Rods of 1 m that hang on each other by hinges along x, or by balls that turn about x alone.
class PendulumResidual {
 public:
  PendulumResidual(double mass, double inertia, double dt) : mass_(mass), inertia_(inertia), h_(dt) {}

  /// |ρ|₂ at the node where the step before ended and this one began; none as long as no two whole steps follow each other. To be
  /// called after every step: `simulator` is where it ended.
  std::optional<double> look(const Simulator& simulator);

 private:
  using Real = long double;
  struct Point {
    Real y = 0, z = 0;
  };
  /// A step: where its rods were at its start, and by how much each turned.
  struct Stride {
    std::vector<Real> angle, turn;
  };

  std::vector<Point> centreMoves(const Stride& stride) const;  ///< over h: mean velocities
  double residualAt(const Stride& before, const Stride& after) const;

  Real mass_, inertia_, h_;
  Stride last_;  ///< the step before, if it was taken whole; else empty
};

}  // namespace rigor::experiments
