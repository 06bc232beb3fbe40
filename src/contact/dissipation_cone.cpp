#include "contact/dissipation_cone.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/dissipation_contact.h"

namespace rigor {
namespace {

double square(double x) { return x * x; }

}  // namespace

double DissipationCone::slip(const double* u) const {
  // s² (1 − μ²|k|²) − 2 s μ k·ut − |ut|² = 0, the root at which 1 + μ k·d > 0
  const double along = mu * (k[0] * u[1] + k[1] * u[2]), speed = square(u[1]) + square(u[2]);
  const double rest = 1.0 - square(mu) * (square(k[0]) + square(k[1])), discriminant = square(along) + rest * speed;
  if (speed == 0.0) return 0.0;
  if (!(discriminant >= 0.0) || (along > 0.0 && !(rest > 0.0))) return std::numeric_limits<double>::infinity();
  const double root = std::sqrt(discriminant);
  return along > 0.0 ? (along + root) / rest : speed / (root - along);
}

double DissipationCone::residual(const double* impulse, const double* velocity, double w) const {
  const double s = slip(velocity), normal = normalShift(impulse[0], velocity[0]);
  double x[3], sum = 0.0;
  if (std::isinf(s)) {  // open or at rest: what is less far away
    double open = square(std::min(normal, 0.0)), rest = square(normal) + square(velocity[1]) + square(velocity[2]);
    for (int r = 0; r < 3; ++r) x[r] = w * impulse[r], open += square(x[r]);
    project(x);
    for (int r = 0; r < 3; ++r) rest += square(w * impulse[r] - x[r]);
    return std::min(open, rest);
  }
  const double shifted[3] = {normal + mu * s, velocity[1] + mu * s * k[0], velocity[2] + mu * s * k[1]};
  for (int r = 0; r < 3; ++r) x[r] = w * impulse[r] - shifted[r];
  project(x);
  for (int r = 0; r < 3; ++r) sum += square(w * impulse[r] - x[r]);
  return sum;
}

void DissipationCone::report(const double* impulse, const double* u, double w, Residuals& out) const {
  const double s = slip(u);
  double inside[3] = {impulse[0], impulse[1], impulse[2]};
  project(inside);
  out.primal = std::max(out.primal, std::hypot(impulse[0] - inside[0], impulse[1] - inside[1], impulse[2] - inside[2]));
  out.signorini = std::max(out.signorini, std::abs(std::min(impulse[0] * w, normalShift(impulse[0], u[0]))));
  out.dissipation = std::max(out.dissipation, impulse[1] * u[1] + impulse[2] * u[2]);
  if (std::isinf(s)) return;
  const double shifted[3] = {normalShift(impulse[0], u[0]) + mu * s, u[1] + mu * s * k[0], u[2] + mu * s * k[1]};
  double outside[3] = {-shifted[0], -shifted[1], -shifted[2]};
  project(outside);
  out.dual = std::max(out.dual, std::hypot(outside[0], outside[1], outside[2]));
  const double product = impulse[0] * shifted[0] + impulse[1] * shifted[1] + impulse[2] * shifted[2];
  out.complementarity = std::max(out.complementarity, std::abs(product));
}

ContactMode DissipationCone::classify(const double* impulse, const double* u, double w) const {
  const double pull = impulse[0] - normalShift(impulse[0], u[0]) / w;
  const double reach = std::hypot(impulse[1] - u[1] / w, impulse[2] - u[2] / w);
  return pull <= 0.0 ? ContactMode::kOpen : reach < mu * pull ? ContactMode::kStick : ContactMode::kSlip;
}

ContactMode DissipationCone::solveAlone(const double W[3][3], const double* free, const double*, double* next) const {
  ContactBlock local;
  local.mu = mu;
  for (int r = 0; r < 3; ++r) {
    local.b[r] = free[r];
    for (int c = 0; c < 3; ++c) local.W[r][c] = W[r][c];
  }
  local.b[0] += bias, local.W[0][0] += compliance;
  const ContactAnswer answer = solveDissipation(local);
  std::copy_n(answer.impulse, 3, next);
  return answer.mode;
}

void DissipationCone::linearizeNaturalMap(const double* x, const double* y, EquationRow* out) const {
  const double s =
      std::min(slip(y), 1e3 * std::hypot(y[1], y[2]));  // a velocity without s is no answer: any map will do
  const double lifted[2] = {y[1] + mu * s * k[0], y[2] + mu * s * k[1]}, size = std::hypot(lifted[0], lifted[1]);
  const double z[3] = {x[0] - (normalShift(x[0], y[0]) + mu * s), x[1] - lifted[0], x[2] - lifted[1]};
  double p[3], P[3][3];
  projectWithDerivative(mu, z, p, P);
  // ds = e·dut/(1 − μ e·k) with e = ũ/|ũ|;  dŷ = dy + μ ds (n + k)
  const double e[2] = {size > 0.0 ? lifted[0] / size : 0.0, size > 0.0 ? lifted[1] / size : 0.0};
  const double share = mu / std::max(1.0 - mu * (e[0] * k[0] + e[1] * k[1]), 1e-3);
  for (int r = 0; r < 3; ++r) {
    out[r].F = x[r] - p[r];
    for (int c = 0; c < 3; ++c) out[r].B[c] = (r == c ? 1.0 : 0.0) - P[r][c];
    out[r].B[0] += P[r][0] * compliance;
    const double lift = P[r][0] + P[r][1] * k[0] + P[r][2] * k[1];
    out[r].A[0] = P[r][0];
    for (int c = 0; c < 2; ++c) out[r].A[1 + c] = P[r][1 + c] + lift * share * e[c];
  }
}

}  // namespace rigor
