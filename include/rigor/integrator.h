// Integrators for motion without constraints. A step in which something may touch, a joint is near its limit, rubs dry
// or saturates its motor, or a loop is closed, is always the contact step.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace rigor {

/// How a step without constraints is taken: q on its manifold, q ⊕ h·v. Order p: the error after a fixed time is ∝ hᵖ.
///
/// The leapfrogs carry the velocity in the middle of steps, all others at the nodes (State::v with
/// Memory::last_step = 0).
enum class Integrator : std::uint8_t {
  kLeapfrog,           ///< order 2; velocity-dependent terms at the mean velocity of the kick: energy without trend
  kLeapfrogCarried,    ///< order 1; these terms at the carried velocity, half a step late: energy drifts
  kExplicitEuler,      ///< order 1; energy grows
  kSemiImplicitEuler,  ///< order 1; v′ = v + h·a(q, v), q′ = q ⊕ h·v′
  kHeun,               ///< order 2; explicit trapezoid
  kRk4,                ///< order 4, on rotations too (Runge–Kutta–Munthe-Kaas)
  kImplicitEulerFixedPoint,  ///< order 1; energy falls; refuses steps in which the iteration does not contract
  kImplicitEulerNewton,      ///< order 1; the same map, solved by Newton's method
  kImplicitMidpoint,         ///< order 2; symmetric in time, solved to rounding
  kDormandPrince,            ///< order 5, on rotations too; its embedded method of order 4 tells its error
};

struct IntegratorInfo {
  Integrator integrator;
  std::string_view name;  ///< as in scene files and on the command line
  int order;
  std::string_view description;
};

const std::vector<IntegratorInfo>& listIntegrators();
Integrator findIntegrator(std::string_view name);  ///< throws Error naming the known ones

struct Scene;
/// The one that steps without contact are taken with: of stepper event rk4 where the scene leaves it at leapfrog.
std::string_view integratorOf(const Scene& scene);

/// True if a step tells how far it may be off.
constexpr bool hasErrorEstimate(Integrator integrator) { return integrator == Integrator::kDormandPrince; }

/// True for the two that carry the velocity in the middle of steps.
constexpr bool isLeapfrog(Integrator integrator) { return integrator <= Integrator::kLeapfrogCarried; }

}  // namespace rigor
