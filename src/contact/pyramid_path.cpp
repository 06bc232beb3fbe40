// The interior point's path through a friction pyramid, in LT's form: γ = λn, β_j ≥ 0 the part of friction along corner j,
// ψ the slip speed.
//
//   γ s = τ, s = un + ν + R γ     β_j η_j = τ, η_j = ψ + d_j·ut     κ ψ = τ, κ = μγ − Σ β_j     λt = Σ β_j d_j
//
// A Newton step eliminates β and ψ. With g_j = β_j/η_j, a = Σ g_j d_j, G = Σ g_j d_j d_jᵀ, σ = Σ g_j, m = κ + ψσ,
// r_j and r_ψ what is missing in the products:
//
//   dλt − (ψμ/m) a dγ + (G − ψ a aᵀ/m) dut = Σ d_j r_j/η_j − a (r_ψ + ψ Σ r_j/η_j)/m
//   dψ = (r_ψ + ψ Σ r_j/η_j − ψμ dγ − ψ a·dut)/m,   dβ_j = r_j/η_j − g_j (dψ + d_j·dut)
#include <algorithm>

#include "contact/pyramid_cone.h"

namespace rigor {
namespace {

// η_j at z = ψ and ut.
double slack(const FrictionPolygon& polygon, int j, double psi, const double* ut) {
  return psi + polygon.corner[j][0] * ut[0] + polygon.corner[j][1] * ut[1];
}

double sum(const double* sides, int count) {
  double total = 0.0;
  for (int j = 0; j < count; ++j) total += sides[j];
  return total;
}

// g, a, G, σ and m at the present point.
struct Sides {
  double a[2] = {0.0, 0.0}, G[2][2] = {{0.0, 0.0}, {0.0, 0.0}}, m, scale;

  Sides(const FrictionPolygon& polygon, double mu, const PathRows& at) {
    double sigma = 0.0;
    for (int j = 0; j < polygon.corners; ++j) {
      const double *d = polygon.corner[j], g = at.side[j] / slack(polygon, j, at.z[0], at.y + 1);
      sigma += g;
      for (int r = 0; r < 2; ++r) {
        a[r] += g * d[r];
        for (int c = 0; c < 2; ++c) G[r][c] += g * d[r] * d[c];
      }
    }
    m = mu * at.x[0] - sum(at.side, polygon.corners) + at.z[0] * sigma;
    scale = 1.0 / (1.0 + sigma);
  }
};

// What the products miss: r_j/η_j summed plainly and along the corners, r_ψ.
struct Missing {
  double total = 0.0, along[2] = {0.0, 0.0}, psi;

  Missing(const FrictionPolygon& polygon, double mu, double tau, const PathRows& at) {
    for (int j = 0; j < polygon.corners; ++j) {
      const double part = of(polygon, tau, at, j);
      total += part;
      for (int r = 0; r < 2; ++r) along[r] += part * polygon.corner[j][r];
    }
    const double kappa = mu * at.x[0] - sum(at.side, polygon.corners);
    const double predicted = mu * at.px[0] - sum(at.pside, polygon.corners);
    psi = tau - kappa * at.z[0] - predicted * at.pz[0];
  }
  static double of(const FrictionPolygon& polygon, double tau, const PathRows& at, int j) {
    const double eta = slack(polygon, j, at.z[0], at.y + 1), predicted = slack(polygon, j, at.pz[0], at.py + 1);
    return (tau - at.side[j] * eta - at.pside[j] * predicted) / eta;
  }
};

}  // namespace

int PyramidCone::startPath(double push, double speed, const PathRows& at) const {
  at.x[0] = push;
  at.y[0] = speed;
  if (!(mu > 0.0)) return 1;
  const int n = polygon->corners;
  std::fill_n(at.side, n, mu * push / (n + 1));  // all products are push · speed
  at.z[0] = (n + 1) * speed / mu;
  return n + 2;
}

void PyramidCone::computeGap(const double* velocity, const PathRows& at) const {
  at.gap[0] = (velocity[0] + bias) / at.root - at.y[0] + compliance / (at.root * at.root) * at.x[0];
  for (int r = 1; r < 3; ++r) at.gap[r] = mu > 0.0 ? velocity[r] / at.root - at.y[r] : 0.0;
}

void PyramidCone::addProducts(double length, const PathRows& at, double& total) const {
  const double gamma = at.x[0] + length * at.dx[0];
  total += gamma * (at.y[0] + length * at.dy[0]);
  if (!(mu > 0.0)) return;
  const double psi = at.z[0] + length * at.dz[0];
  const double ut[2] = {at.y[1] + length * at.dy[1], at.y[2] + length * at.dy[2]};
  double kappa = mu * gamma;
  for (int j = 0; j < polygon->corners; ++j) {
    const double beta = at.side[j] + length * at.dside[j];
    kappa -= beta;
    total += beta * slack(*polygon, j, psi, ut);
  }
  total += kappa * psi;
}

void PyramidCone::linearizePath(const PathRows& at) const {
  EquationRow* out = at.equations;
  for (int r = 0; r < 3; ++r) out[r] = EquationRow{};
  const double normal = 1.0 / (at.x[0] + at.y[0]);
  out[0].A[0] = normal * at.x[0];
  out[0].B[0] = normal * (at.y[0] + at.x[0] * (compliance / (at.root * at.root)));
  if (!(mu > 0.0)) {  // no friction: λt = 0
    out[1].B[1] = out[2].B[2] = 1.0;
    return;
  }
  const Sides sides(*polygon, mu, at);
  for (int r = 0; r < 2; ++r) {
    out[1 + r].B[0] = -sides.scale * at.z[0] * mu / sides.m * sides.a[r];
    out[1 + r].B[1 + r] = sides.scale;
    for (int c = 0; c < 2; ++c)
      out[1 + r].A[1 + c] = sides.scale * (sides.G[r][c] - at.z[0] / sides.m * sides.a[r] * sides.a[c]);
  }
}

void PyramidCone::formRight(double tau, const PathRows& at) const {
  const double gamma = at.x[0], s = at.y[0];
  at.right[0] = (tau - gamma * s - at.px[0] * at.py[0] - gamma * at.gap[0]) / (gamma + s);
  at.right[1] = at.right[2] = 0.0;
  if (!(mu > 0.0)) return;
  const Sides sides(*polygon, mu, at);
  const Missing missing(*polygon, mu, tau, at);
  const double share = (missing.psi + at.z[0] * missing.total) / sides.m;
  for (int r = 0; r < 2; ++r) {
    const double* A = at.equations[1 + r].A;
    at.right[1 + r] = sides.scale * (missing.along[r] - sides.a[r] * share) - A[1] * at.gap[1] - A[2] * at.gap[2];
  }
}

void PyramidCone::recoverPath(double tau, const PathRows& at) const {
  at.dy[0] += compliance / (at.root * at.root) * at.dx[0];
  if (!(mu > 0.0)) {
    at.dy[1] = at.dy[2] = 0.0;
    return;
  }
  const Sides sides(*polygon, mu, at);
  const Missing missing(*polygon, mu, tau, at);
  const double across = mu * at.dx[0] + sides.a[0] * at.dy[1] + sides.a[1] * at.dy[2];
  at.dz[0] = (missing.psi + at.z[0] * (missing.total - across)) / sides.m;
  for (int j = 0; j < polygon->corners; ++j) {
    const double g = at.side[j] / slack(*polygon, j, at.z[0], at.y + 1);
    at.dside[j] = Missing::of(*polygon, tau, at, j) - g * slack(*polygon, j, at.dz[0], at.dy + 1);
  }
}

double PyramidCone::longestStep(const PathRows& at) const {
  double step = std::min(stepOfLine(at.x[0], at.dx[0]), stepOfLine(at.y[0], at.dy[0]));
  if (!(mu > 0.0)) return step;
  double kappa = mu * at.x[0], change = mu * at.dx[0];
  for (int j = 0; j < polygon->corners; ++j) {
    kappa -= at.side[j], change -= at.dside[j];
    step = std::min({step, stepOfLine(at.side[j], at.dside[j]),
                     stepOfLine(slack(*polygon, j, at.z[0], at.y + 1), slack(*polygon, j, at.dz[0], at.dy + 1))});
  }
  return std::min({step, stepOfLine(kappa, change), stepOfLine(at.z[0], at.dz[0])});
}

}  // namespace rigor
