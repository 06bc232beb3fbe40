// The interior point's path through the two cones of a contact. Each equation is divided by a size of its own, γ + s and
// μγ + ψ, so that none is tiny.
#include <algorithm>

#include "contact/friction_cone.h"

namespace rigor {
namespace {

// Largest step in [0, 1] that keeps |v| < t.
double stepOfCone(double t, double v1, double v2, double dt, double dv1, double dv2) {
  // (t + α dt)² − |v + α dv|² = a α² + 2 b α + c
  const double a = dt * dt - dv1 * dv1 - dv2 * dv2, b = t * dt - v1 * dv1 - v2 * dv2;
  const double c = t * t - v1 * v1 - v2 * v2;
  double step = stepOfLine(t, dt);
  const double discriminant = b * b - a * c;
  if (discriminant >= 0.0) {
    const double q = -(b + std::copysign(std::sqrt(discriminant), b));
    for (double root : {a != 0.0 ? q / a : -1.0, q != 0.0 ? c / q : -1.0})
      if (root > 0.0) step = std::min(step, root);
  }
  return step;
}

}  // namespace

int FrictionCone::startPath(double push, double speed, const PathRows& at) const {
  at.x[0] = push;
  at.y[0] = speed;
  if (!(mu > 0.0)) return 1;
  at.z[0] = speed / mu;
  return 2;
}

int FrictionCone::startNear(const double* impulse, const double* velocity, double push, double speed,
                            const PathRows& at) const {
  constexpr double kWithin = 0.9;  // of the radius of the cone
  at.x[0] = std::max(at.root * impulse[0], push);
  at.y[0] = std::max((velocity[0] + bias) / at.root + compliance * at.x[0] / (at.root * at.root), speed);
  if (!(mu > 0.0)) return 1;
  const double length = at.root * std::hypot(impulse[1], impulse[2]), radius = kWithin * mu * at.x[0];
  const double shrink = at.root * (length > radius ? radius / length : 1.0);
  for (int r = 1; r < 3; ++r) {
    at.x[r] = shrink * impulse[r];
    at.y[r] = velocity[r] / at.root;
  }
  at.z[0] = std::hypot(at.y[1], at.y[2]) + speed;
  return 2;
}

void FrictionCone::computeGap(const double* velocity, const PathRows& at) const {
  at.gap[0] = (velocity[0] + bias) / at.root - at.y[0] + compliance * at.x[0] / (at.root * at.root);
  for (int r = 1; r < 3; ++r) at.gap[r] = mu > 0.0 ? velocity[r] / at.root - at.y[r] : 0.0;
}

void FrictionCone::addProducts(double length, const PathRows& at, double& sum) const {
  const auto x = [&](int r) { return at.x[r] + length * at.dx[r]; };
  const auto y = [&](int r) { return at.y[r] + length * at.dy[r]; };
  const double z = at.z[0] + length * at.dz[0];
  sum += x(0) * y(0) + mu * x(0) * z;
  if (!(mu > 0.0)) return;
  sum += x(1) * y(1);
  sum += x(2) * y(2);
}

void FrictionCone::linearizePath(const PathRows& at) const {
  EquationRow* out = at.equations;
  for (int r = 0; r < 3; ++r) out[r] = EquationRow{};
  const double gamma = at.x[0], s = at.y[0], psi = at.z[0], scale = 1.0 / (gamma + s);
  out[0].A[0] = scale * gamma;
  out[0].B[0] = scale * (s + gamma * (compliance / (at.root * at.root)));
  if (!(mu > 0.0)) {  // no friction: β = 0
    out[1].B[1] = out[2].B[2] = 1.0;
    return;
  }
  const double *beta = at.x + 1, *u = at.y + 1, tangential = 1.0 / (mu * gamma + psi);
  for (int i = 0; i < 2; ++i) {
    out[1 + i].B[0] = tangential * (mu * u[i] - beta[i] * psi / gamma);
    for (int j = 0; j < 2; ++j) {
      out[1 + i].A[1 + j] = tangential * ((i == j ? mu * gamma : 0.0) - beta[i] * beta[j] / (mu * gamma));
      out[1 + i].B[1 + j] = tangential * ((i == j ? psi : 0.0) - beta[i] * u[j] / (mu * gamma));
    }
  }
}

void FrictionCone::formRight(double tau, const PathRows& at) const {
  const double gamma = at.x[0];
  at.right[0] = (tau - gamma * at.y[0] - at.px[0] * at.py[0] - gamma * at.gap[0]) / (gamma + at.y[0]);
  at.right[1] = at.right[2] = 0.0;
  if (!(mu > 0.0)) return;
  const double psi = at.z[0], *beta = at.x + 1, *u = at.y + 1, *pbeta = at.px + 1, *pu = at.py + 1;
  const double first = tau - (mu * gamma * psi + beta[0] * u[0] + beta[1] * u[1]) -
                       (mu * at.px[0] * at.pz[0] + pbeta[0] * pu[0] + pbeta[1] * pu[1]);
  at.first_product[0] = first;
  for (int i = 0; i < 2; ++i) {
    const double rest = -(mu * gamma * u[i] + psi * beta[i]) - (mu * at.px[0] * pu[i] + at.pz[0] * pbeta[i]);
    const double* A = at.equations[1 + i].A;
    at.right[1 + i] =
        (rest - beta[i] * first / (mu * gamma)) / (mu * gamma + psi) - A[1] * at.gap[1] - A[2] * at.gap[2];
  }
}

void FrictionCone::recoverPath(double, const PathRows& at) const {
  at.dy[0] += compliance / (at.root * at.root) * at.dx[0];
  if (!(mu > 0.0)) {
    at.dy[1] = at.dy[2] = 0.0;
    return;
  }
  at.dz[0] = (at.first_product[0] - mu * at.z[0] * at.dx[0] - at.x[1] * at.dy[1] - at.x[2] * at.dy[2] -
              at.y[1] * at.dx[1] - at.y[2] * at.dx[2]) /
             (mu * at.x[0]);
}

double FrictionCone::longestStep(const PathRows& at) const {
  const double *x = at.x, *dx = at.dx, *y = at.y, *dy = at.dy;
  const double step = std::min(stepOfLine(x[0], dx[0]), stepOfLine(y[0], dy[0]));
  if (!(mu > 0.0)) return step;
  return std::min({step, stepOfCone(mu * x[0], x[1], x[2], mu * dx[0], dx[1], dx[2]),
                   stepOfCone(at.z[0], y[1], y[2], at.dz[0], dy[1], dy[2])});
}

}  // namespace rigor
