#include "minimal/energy_guard.h"

#include <algorithm>
#include <cmath>

namespace rigor {
namespace {

constexpr double kRounding = 1e-13;  // of the energies in an impact, below which a gain is none

/// Change of kinetic energy by the impulses λ of an island that begins with u = b: λ·b + ½ λ·Wλ, and the sum of its
/// terms' sizes.
struct EnergyChange {
  double value = 0.0, size = 0.0;
};

EnergyChange energyChange(const ContactProblem& problem, const double* impulse) {
  const int m = problem.rows();
  EnergyChange change;
  for (int i = 0; i < m; ++i) {
    double product = 0.0;
    for (int j = 0; j < m; ++j) product += problem.W(i, j) * impulse[j];
    change.value += impulse[i] * (problem.b[i] + 0.5 * product);
    change.size += std::fabs(impulse[i] * problem.b[i]) + 0.5 * std::fabs(impulse[i] * product);
  }
  return change;
}

}  // namespace

double guardEnergy(const ContactProblem& problem, const double* plastic, double* elastic) {
  const EnergyChange whole = energyChange(problem, elastic);
  if (whole.value <= kRounding * whole.size) return 1.0;
  const int m = problem.rows();
  const double first = std::min(energyChange(problem, plastic).value, 0.0);
  double slope = 0.0, curvature = 0.0;  // change(θ) = first + slope·θ + ½ curvature·θ², above 0 at 1
  for (int i = 0; i < m; ++i) {
    double velocity = problem.b[i], bend = 0.0;
    for (int j = 0; j < m; ++j) {
      const double W = problem.W(i, j);
      velocity += W * plastic[j];
      bend += W * (elastic[j] - plastic[j]);
    }
    slope += (elastic[i] - plastic[i]) * velocity;
    curvature += (elastic[i] - plastic[i]) * bend;
  }
  const double root = std::sqrt(std::max(0.0, slope * slope - 2.0 * curvature * first));
  const double theta = slope + root > 0.0 ? std::clamp(-2.0 * first / (slope + root), 0.0, 1.0) : 0.0;
  for (int i = 0; i < m; ++i) elastic[i] = plastic[i] + theta * (elastic[i] - plastic[i]);
  return theta;
}

}  // namespace rigor
