// Steps that hit something are cut into sub-steps, and the torque that acts in all of them is no multiplier of any one. Then the torques
// are found by shooting: Newton's method on v_P(τ) = v*_P, v_P = (q′ − q)_P/h, with a Jacobian by differences of whole steps, improved by Broyden's updates.
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "inverse/inverse_work.h"

namespace rigor {
namespace {

constexpr double kNudge =
    1e-4;  // [rad/s or m/s] that a difference shall change alone: above what steps do not tell apart
constexpr int kJacobians = 3, kSteps = 12, kCuts = 7;

}  // namespace

double InverseDynamics::Work::fire(const DesiredStep& desired, const Eigen::VectorXd& torque) {
  result.tau = given;
  for (std::size_t i = 0; i < desired.freedoms.size(); ++i) {
    const int dof = desired.freedoms[i];
    result.tau[dof] += std::clamp(torque[static_cast<int>(i)], -limitOf(dof), limitOf(dof));
  }
  if (!replay()) return std::numeric_limits<double>::infinity();
  return measure(desired);
}

double InverseDynamics::Work::shoot(const DesiredStep& desired, double enough) {
  const auto n = static_cast<Eigen::Index>(desired.freedoms.size());
  Eigen::VectorXd torque(n), nudge(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const int dof = desired.freedoms[i];
    torque[i] = result.tau[dof] - given[dof];
    nudge[i] = kNudge / (data.scene.dt * data.stepper->work().motion.mass.inverseD()[dof]);
  }
  double left = fire(desired, torque);
  if (before.size() > 0) {  // servos are stiff against impacts, and their torque may be far off
    Eigen::VectorXd last(n);
    for (Eigen::Index i = 0; i < n; ++i) last[i] = before[desired.freedoms[i]];
    if (const double of_last = fire(desired, last); of_last < left)
      left = of_last, torque = last;
    else
      left = fire(desired, torque);
  }
  Eigen::MatrixXd J(n, n);
  for (int round = 0; round < kJacobians && left > enough && std::isfinite(left); ++round) {
    Eigen::VectorXd best = missed;
    for (Eigen::Index i = 0; i < n; ++i) {
      Eigen::VectorXd other = torque;
      other[i] += nudge[i];
      fire(desired, other);
      J.col(i) = (missed - best) / nudge[i];
      ++result.corrections;
    }
    for (int k = 0; k < kSteps && left > enough; ++k) {
      Eigen::VectorXd step = -J.colPivHouseholderQr().solve(best);
      double next = left;
      for (int cut = 0; cut < kCuts; ++cut, step *= 0.4) {
        next = fire(desired, torque + step);
        ++result.corrections;
        if (next < left) break;
      }
      if (!(next < left)) break;
      J += (missed - best - J * step) * step.transpose() / step.squaredNorm();
      torque += step;
      best = missed;
      left = next;
    }
  }
  return fire(desired, torque);
}

}  // namespace rigor
