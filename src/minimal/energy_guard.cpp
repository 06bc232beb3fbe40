#include "minimal/energy_guard.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace rigor {
namespace {

constexpr double kRounding = 1e-13;  // of the energies in an impact, below which a gain is none

/// Change of kinetic energy by the impulses λ of an island that begins with u = b: λ·b + ½ λ·Wλ, and the sum of its
/// terms' sizes.
struct EnergyChange {
  double value = 0.0, size = 0.0;
};

/// W x row by row.
class Responses {
 public:
  Responses(const DelassusMatrix& W, const double* x) : W_(W), x_(x) {
    if (!W.isFactored()) return;
    products_.resize(W.rows());
    W.multiply(x, products_.data());
  }
  /// start + (W x)_row.
  double addTo(double start, int row) const {
    if (W_.isFactored()) return start + products_[row];
    for (int j = 0; j < W_.rows(); ++j) start += W_.row(row)[j] * x_[j];
    return start;
  }

 private:
  const DelassusMatrix& W_;
  const double* x_;
  std::vector<double> products_;  // [m] of a factored matrix
};

EnergyChange energyChange(const ContactProblem& problem, const double* impulse) {
  const int m = problem.rows();
  const Responses responses(problem.W, impulse);
  EnergyChange change;
  for (int i = 0; i < m; ++i) {
    const double product = responses.addTo(0.0, i);
    change.value += impulse[i] * (problem.b[i] + 0.5 * product);
    change.size += std::fabs(impulse[i] * problem.b[i]) + 0.5 * std::fabs(impulse[i] * product);
  }
  return change;
}

}  // namespace

double guardEnergy(const ContactProblem& problem, const double* plastic, double* elastic, double lost) {
  const EnergyChange whole = energyChange(problem, elastic);
  if (whole.value - lost <= kRounding * (whole.size + lost)) return 1.0;
  const int m = problem.rows();
  const double first = std::min(energyChange(problem, plastic).value - lost, 0.0);
  double slope = 0.0, curvature = 0.0;  // change(θ) = first + slope·θ + ½ curvature·θ², above 0 at 1
  std::vector<double> difference(elastic, elastic + m);
  for (int i = 0; i < m; ++i) difference[i] -= plastic[i];
  const Responses to_plastic(problem.W, plastic), to_difference(problem.W, difference.data());
  for (int i = 0; i < m; ++i) {
    const double velocity = to_plastic.addTo(problem.b[i], i), bend = to_difference.addTo(0.0, i);
    slope += (elastic[i] - plastic[i]) * velocity;
    curvature += (elastic[i] - plastic[i]) * bend;
  }
  const double root = std::sqrt(std::max(0.0, slope * slope - 2.0 * curvature * first));
  const double theta = slope + root > 0.0 ? std::clamp(-2.0 * first / (slope + root), 0.0, 1.0) : 0.0;
  for (int i = 0; i < m; ++i) elastic[i] = plastic[i] + theta * (elastic[i] - plastic[i]);
  return theta;
}

}  // namespace rigor
