#include "contact/friction_cone.h"

#include <algorithm>
#include <limits>

namespace rigor {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void putOnMantle(double mu, const double* velocity, double* impulse) {
  if (!(impulse[0] > 0.0)) impulse[0] = 0.0;
  const double length = std::sqrt(impulse[1] * impulse[1] + impulse[2] * impulse[2]);
  if (length > 0.0) {
    impulse[1] *= mu * impulse[0] / length;
    impulse[2] *= mu * impulse[0] / length;
    return;
  }
  const double slip = std::sqrt(velocity[1] * velocity[1] + velocity[2] * velocity[2]);
  if (!(slip > 0.0)) return;
  impulse[1] = -mu * impulse[0] * velocity[1] / slip;
  impulse[2] = -mu * impulse[0] * velocity[2] / slip;
}

// Least t > 0 at which |λt| = μ λn on the line λ + t d, from inside the cone.
double lengthToMantle(double mu, const double* x, const double* d) {
  // (μ(xn + t dn))² − |xt + t dt|² = a t² + 2 b t + c
  const double a = mu * mu * d[0] * d[0] - d[1] * d[1] - d[2] * d[2];
  const double b = mu * mu * x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
  const double c = mu * mu * x[0] * x[0] - x[1] * x[1] - x[2] * x[2];
  const double discriminant = b * b - a * c;
  if (!(discriminant >= 0.0)) return kInfinity;
  const double q = -(b + std::copysign(std::sqrt(discriminant), b));
  double length = kInfinity;
  if (a != 0.0 && q / a > 0.0) length = q / a;
  if (q != 0.0 && c / q > 0.0) length = std::min(length, c / q);
  return length;
}

}  // namespace

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

void FrictionCone::report(const double* impulse, const double* u, double w, Residuals& out) const {
  const double shifted[3] = {shift(impulse, u, std::hypot(u[1], u[2])), u[1], u[2]};
  double inside[3] = {impulse[0], impulse[1], impulse[2]};
  project(inside);
  const double off = std::hypot(impulse[0] - inside[0], impulse[1] - inside[1], impulse[2] - inside[2]);
  out.primal = std::max(out.primal, off);
  // Distance to K* is the length of the projection of −û on K (Moreau).
  double outside[3] = {-shifted[0], -shifted[1], -shifted[2]};
  project(outside);
  out.dual = std::max(out.dual, std::hypot(outside[0], outside[1], outside[2]));
  const double product = impulse[0] * shifted[0] + impulse[1] * shifted[1] + impulse[2] * shifted[2];
  out.complementarity = std::max(out.complementarity, std::abs(product));
  const double gap = std::min(impulse[0] * w, u[0] + (bias + compliance * impulse[0]));
  out.signorini = std::max(out.signorini, std::abs(gap));
  out.dissipation = std::max(out.dissipation, impulse[1] * u[1] + impulse[2] * u[2]);
}

ContactMode FrictionCone::solveAlone(const double W[3][3], const double* free, const double*, double* next) const {
  ContactBlock local;
  local.mu = mu;
  for (int r = 0; r < 3; ++r) {
    local.b[r] = free[r];
    for (int c = 0; c < 3; ++c) local.W[r][c] = W[r][c];
  }
  local.b[0] += bias;
  local.W[0][0] += compliance;
  const ContactAnswer answer = solveSingleContact(local);
  for (int r = 0; r < 3; ++r) next[r] = answer.impulse[r];
  return answer.mode;
}

void FrictionCone::conform(const double* velocity, double* impulse, ContactMode& mode) const {
  if (mode == ContactMode::kOpen)
    impulse[0] = impulse[1] = impulse[2] = 0.0;
  else if (mode == ContactMode::kSlip)
    putOnMantle(mu, velocity, impulse);
}

bool FrictionCone::correct(const double* impulse, const double* u, double slack, ContactMode& mode) const {
  if (mode == ContactMode::kOpen) return u[0] + bias < -slack;
  if (!(impulse[0] > 0.0)) {
    mode = ContactMode::kOpen;
    return false;
  }
  const double length = std::sqrt(impulse[1] * impulse[1] + impulse[2] * impulse[2]);
  if (mode == ContactMode::kStick && length > mu * impulse[0])
    mode = ContactMode::kSlip;
  else if (mode == ContactMode::kSlip && mu > 0.0 && impulse[1] * u[1] + impulse[2] * u[2] > slack * length)
    mode = ContactMode::kStick;  // friction that helps the slip on
  return false;
}

UnitEdge FrictionCone::findEdge(ContactMode mode, const double* x, const double* d) const {
  UnitEdge nearest{kInfinity, ContactMode::kOpen};
  if (mode == ContactMode::kOpen) return nearest;
  if (d[0] < 0.0 && -x[0] / d[0] < kInfinity) nearest.length = -x[0] / d[0];
  const double mantle = mode == ContactMode::kStick ? lengthToMantle(mu, x, d) : kInfinity;
  return mantle < nearest.length ? UnitEdge{mantle, ContactMode::kSlip} : nearest;
}

void FrictionCone::reduceSlip(const double* impulse, const double* u, double trace, Piece& piece) const {
  const double length = std::sqrt(impulse[1] * impulse[1] + impulse[2] * impulse[2]);
  if (!(mu > 0.0 && length > 0.0)) {
    piece.count = 1;  // no friction to turn: the normal row alone
    return;
  }
  SlipFrame& frame = piece.frame;
  piece.slip = true;
  piece.count = 2;
  frame.mu = mu;
  frame.d1 = impulse[1] / length;
  frame.d2 = impulse[2] / length;
  frame.turn = std::clamp(-(frame.d1 * u[1] + frame.d2 * u[2]) / length, 0.0, 1e12 * trace);
}

void FrictionCone::writeSlip(const SlipFrame& frame, double w, double compliance, EquationRow* out) {
  for (int r = 0; r < 3; ++r) out[r] = EquationRow{};
  out[0].A[0] = 1.0;
  out[0].B[0] = compliance / w;
  out[1].A[1] = -frame.d2, out[1].A[2] = frame.d1;
  out[1].B[1] = -frame.turn / w * frame.d2, out[1].B[2] = frame.turn / w * frame.d1;
  out[2].B[0] = -frame.mu, out[2].B[1] = frame.d1, out[2].B[2] = frame.d2;
}

void FrictionCone::linearizeNaturalMap(const double* x, const double* y, EquationRow* out) const {
  const double slip = std::sqrt(y[1] * y[1] + y[2] * y[2]);
  const double z[3] = {x[0] - shift(x, y, slip), x[1] - y[1], x[2] - y[2]};
  double p[3], P[3][3];
  projectWithDerivative(mu, z, p, P);
  const double s[2] = {slip > 0.0 ? mu * y[1] / slip : 0.0, slip > 0.0 ? mu * y[2] / slip : 0.0};
  for (int r = 0; r < 3; ++r) {
    out[r].F = x[r] - p[r];
    for (int c = 0; c < 3; ++c) out[r].B[c] = (r == c ? 1.0 : 0.0) - P[r][c];
    out[r].B[0] += P[r][0] * compliance;
    // dŷ = (I + n μ sᵀ) dy + R n dxn
    out[r].A[0] = P[r][0];
    out[r].A[1] = P[r][1] + P[r][0] * s[0];
    out[r].A[2] = P[r][2] + P[r][0] * s[1];
  }
}

void FrictionCone::linearizeAlartCurnier(const double* x, const double* y, EquationRow* out) const {
  for (int r = 0; r < 3; ++r) out[r] = EquationRow{};
  const double shifted = y[0] + (bias + compliance * x[0]), zn = x[0] - shifted, zt[2] = {x[1] - y[1], x[2] - y[2]};
  if (zn <= 0.0) {  // open: λ = 0
    for (int r = 0; r < 3; ++r) out[r].F = x[r], out[r].B[r] = 1.0;
    return;
  }
  out[0].F = shifted;
  out[0].A[0] = 1.0;
  out[0].B[0] = compliance;
  const double length = std::sqrt(zt[0] * zt[0] + zt[1] * zt[1]), radius = mu * zn;
  if (radius == 0.0) {  // no friction: λt = 0
    for (int r = 1; r < 3; ++r) out[r].F = x[r], out[r].B[r] = 1.0;
    return;
  }
  if (length <= radius) {  // stick: ut = 0
    for (int r = 1; r < 3; ++r) out[r].F = y[r], out[r].A[r] = 1.0;
    return;
  }
  // slip: xt − μ zn s, s = zt/|zt|;  d = dxt − μ s dzn − (μ zn/|zt|)(I − s sᵀ) dzt,  dz = dx − dy
  const double s[2] = {zt[0] / length, zt[1] / length}, turn = radius / length;
  for (int i = 0; i < 2; ++i) {
    EquationRow& row = out[1 + i];
    row.F = x[1 + i] - radius * s[i];
    row.B[1 + i] += 1.0;
    row.B[0] -= mu * s[i] * (1.0 - compliance);
    row.A[0] += mu * s[i];
    for (int j = 0; j < 2; ++j) {
      const double across = turn * ((i == j ? 1.0 : 0.0) - s[i] * s[j]);
      row.B[1 + j] -= across;
      row.A[1 + j] += across;
    }
  }
}

}  // namespace rigor
