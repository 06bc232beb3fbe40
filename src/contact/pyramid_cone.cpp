#include "contact/pyramid_cone.h"

#include <algorithm>
#include <cmath>

#include "contact/pyramid_contact.h"

namespace rigor {
namespace {

double square(double x) { return x * x; }

}  // namespace

double PyramidCone::residual(const double* impulse, const double* velocity, double w) const {
  double x[3] = {w * impulse[0] - shift(impulse[0], velocity), w * impulse[1] - velocity[1],
                 w * impulse[2] - velocity[2]};
  project(x);
  return square(w * impulse[0] - x[0]) + square(w * impulse[1] - x[1]) + square(w * impulse[2] - x[2]);
}

void PyramidCone::report(const double* impulse, const double* u, double w, Residuals& out) const {
  const double shifted[3] = {shift(impulse[0], u), u[1], u[2]};
  double inside[3] = {impulse[0], impulse[1], impulse[2]}, outside[3] = {-shifted[0], -shifted[1], -shifted[2]};
  project(inside);
  project(outside);  // distance to K* is the length of the projection of −û on K (Moreau)
  out.primal = std::max(out.primal, std::hypot(impulse[0] - inside[0], impulse[1] - inside[1], impulse[2] - inside[2]));
  out.dual = std::max(out.dual, std::hypot(outside[0], outside[1], outside[2]));
  const double product = impulse[0] * shifted[0] + impulse[1] * shifted[1] + impulse[2] * shifted[2];
  out.complementarity = std::max(out.complementarity, std::abs(product));
  out.signorini = std::max(out.signorini, std::abs(std::min(impulse[0] * w, normalShift(impulse[0], u[0]))));
  out.dissipation = std::max(out.dissipation, impulse[1] * u[1] + impulse[2] * u[2]);
}

ContactMode PyramidCone::classify(const double* impulse, const double* u, double w) const {
  if (impulse[0] - normalShift(impulse[0], u[0]) / w <= 0.0) return ContactMode::kOpen;
  double x[3] = {impulse[0] - shift(impulse[0], u) / w, impulse[1] - u[1] / w, impulse[2] - u[2] / w};
  int index;
  return projectOnPyramid(*polygon, mu, x, index) == PyramidFace::kInside ? ContactMode::kStick : ContactMode::kSlip;
}

ContactMode PyramidCone::solveAlone(const double W[3][3], const double* free, const double*, double* next) const {
  ContactBlock local;
  local.mu = mu;
  for (int r = 0; r < 3; ++r) {
    local.b[r] = free[r];
    for (int c = 0; c < 3; ++c) local.W[r][c] = W[r][c];
  }
  local.b[0] += bias, local.W[0][0] += compliance;
  const ContactAnswer answer = solvePyramid(local, *polygon);
  std::copy_n(answer.impulse, 3, next);
  return answer.mode;
}

void PyramidCone::linearizeNaturalMap(const double* x, const double* y, EquationRow* out) const {
  const double* d = polygon->corner[polygon->farthest(-y[1], -y[2])];
  double z[3] = {x[0] - shift(x[0], y), x[1] - y[1], x[2] - y[2]};
  int index;
  const PyramidFace face = projectOnPyramid(*polygon, mu, z, index);
  // The projection is linear on each face: P = I, I − a aᵀ, g gᵀ, 0 with the unit normal a of a side, an edge g.
  double P[3][3] = {};
  if (face == PyramidFace::kInside || face == PyramidFace::kSide) {
    const double *m = polygon->middle[index], length = std::hypot(1.0, mu * polygon->apothem);
    const double a[3] = {-mu * polygon->apothem / length, m[0] / length, m[1] / length};
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) P[r][c] = (r == c ? 1.0 : 0.0) - (face == PyramidFace::kSide ? a[r] * a[c] : 0.0);
  } else if (face == PyramidFace::kEdge) {
    const double *corner = polygon->corner[index], length = std::hypot(1.0, mu);
    const double g[3] = {1.0 / length, mu * corner[0] / length, mu * corner[1] / length};
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) P[r][c] = g[r] * g[c];
  }
  for (int r = 0; r < 3; ++r) {
    out[r].F = x[r] - z[r];
    for (int c = 0; c < 3; ++c) out[r].B[c] = (r == c ? 1.0 : 0.0) - P[r][c];
    out[r].B[0] += P[r][0] * compliance;
    out[r].A[0] = P[r][0];  // dŷ = (I − n μ dᵀ) dy
    for (int c = 0; c < 2; ++c) out[r].A[1 + c] = P[r][1 + c] - P[r][0] * mu * d[c];
  }
}

}  // namespace rigor
