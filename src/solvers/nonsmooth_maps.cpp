#include "solvers/nonsmooth_maps.h"

#include <algorithm>
#include <cmath>

namespace rigor {
namespace {

void clear(BlockEquation& out) { out = BlockEquation{}; }

// P_K and its derivative at z, friction cone.
void projectWithDerivative(double mu, const double z[3], double p[3], double P[3][3]) {
  const double length = std::sqrt(z[1] * z[1] + z[2] * z[2]);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) P[r][c] = 0.0;
  if (mu == 0.0) {  // without friction the cone is a half line, and no tangential direction lies in it
    p[0] = std::max(z[0], 0.0), p[1] = p[2] = 0.0;
    P[0][0] = z[0] > 0.0 ? 1.0 : 0.0;
    return;
  }
  if (z[0] >= 0.0 && length <= mu * z[0]) {
    for (int r = 0; r < 3; ++r) p[r] = z[r], P[r][r] = 1.0;
    return;
  }
  const double along = (z[0] + mu * length) / (1.0 + mu * mu);
  if (along <= 0.0) {
    p[0] = p[1] = p[2] = 0.0;
    return;
  }
  const double d[2] = {z[1] / length, z[2] / length};
  p[0] = along;
  p[1] = mu * along * d[0];
  p[2] = mu * along * d[1];
  const double direct = 1.0 / (1.0 + mu * mu), turn = mu * along / length;
  P[0][0] = direct;
  for (int i = 0; i < 2; ++i) {
    P[0][1 + i] = P[1 + i][0] = direct * mu * d[i];
    for (int j = 0; j < 2; ++j)
      P[1 + i][1 + j] = direct * mu * mu * d[i] * d[j] + turn * ((i == j ? 1.0 : 0.0) - d[i] * d[j]);
  }
}

}  // namespace

void linearizeNaturalMap(double mu, double bias, const double x[3], const double y[3], BlockEquation& out) {
  const double slip = std::sqrt(y[1] * y[1] + y[2] * y[2]);
  const double z[3] = {x[0] - (y[0] + bias + mu * slip), x[1] - y[1], x[2] - y[2]};
  double p[3], P[3][3];
  projectWithDerivative(mu, z, p, P);
  const double s[2] = {slip > 0.0 ? mu * y[1] / slip : 0.0, slip > 0.0 ? mu * y[2] / slip : 0.0};
  for (int r = 0; r < 3; ++r) {
    out.F[r] = x[r] - p[r];
    for (int c = 0; c < 3; ++c) out.B[r][c] = (r == c ? 1.0 : 0.0) - P[r][c];
    // dŷ = (I + n μ sᵀ) dy
    out.A[r][0] = P[r][0];
    out.A[r][1] = P[r][1] + P[r][0] * s[0];
    out.A[r][2] = P[r][2] + P[r][0] * s[1];
  }
}

void linearizeAlartCurnier(double mu, double bias, const double x[3], const double y[3], BlockEquation& out) {
  clear(out);
  const double zn = x[0] - (y[0] + bias), zt[2] = {x[1] - y[1], x[2] - y[2]};
  if (zn <= 0.0) {  // open: λ = 0
    for (int r = 0; r < 3; ++r) out.F[r] = x[r], out.B[r][r] = 1.0;
    return;
  }
  out.F[0] = y[0] + bias;
  out.A[0][0] = 1.0;
  const double length = std::sqrt(zt[0] * zt[0] + zt[1] * zt[1]), radius = mu * zn;
  if (radius == 0.0) {  // no friction: λt = 0
    for (int r = 1; r < 3; ++r) out.F[r] = x[r], out.B[r][r] = 1.0;
    return;
  }
  if (length <= radius) {  // stick: ut = 0
    for (int r = 1; r < 3; ++r) out.F[r] = y[r], out.A[r][r] = 1.0;
    return;
  }
  // slip: xt − μ zn s, s = zt/|zt|;  d = dxt − μ s dzn − (μ zn/|zt|)(I − s sᵀ) dzt,  dz = dx − dy
  const double s[2] = {zt[0] / length, zt[1] / length}, turn = radius / length;
  for (int i = 0; i < 2; ++i) {
    out.F[1 + i] = x[1 + i] - radius * s[i];
    out.B[1 + i][1 + i] += 1.0;
    out.B[1 + i][0] -= mu * s[i];
    out.A[1 + i][0] += mu * s[i];
    for (int j = 0; j < 2; ++j) {
      const double across = turn * ((i == j ? 1.0 : 0.0) - s[i] * s[j]);
      out.B[1 + i][1 + j] -= across;
      out.A[1 + i][1 + j] += across;
    }
  }
}

void linearizeRow(BlockKind kind, double bias, double compliance, double lo, double hi, double x, double y,
                  BlockEquation& out) {
  double shifted = y, bound = 0.0;
  bool free;
  if (kind == BlockKind::kAtLeast) {
    shifted += bias;
    free = x - shifted > 0.0;
  } else {
    shifted += bias + compliance * x;
    const double z = x - shifted;
    free = z > lo && z < hi;
    bound = z <= lo ? lo : hi;
  }
  out.F[0] = free ? shifted : x - bound;
  out.A[0][0] = free ? 1.0 : 0.0;
  out.B[0][0] = free ? (kind == BlockKind::kBox ? compliance : 0.0) : 1.0;
}

}  // namespace rigor
