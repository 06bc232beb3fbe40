#include "contact/round_cone.h"

#include <algorithm>
#include <limits>

namespace rigor {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double square(double x) { return x * x; }

/// d of a frame: its first two entries are those of friction_cone.h.
template <int N>
void readDirection(const SlipFrame& frame, double* d) {
  d[0] = frame.d1, d[1] = frame.d2;
  for (int i = 2; i < N; ++i) d[i] = frame.more[i - 2];
}

// P_K and its derivative at z.
template <int N>
void projectWithDerivative(double mu, const double* z, double* p, double P[N + 1][N + 1]) {
  const double length = RoundCone<N>::lengthOfTangents(z);
  for (int r = 0; r <= N; ++r) std::fill_n(P[r], N + 1, 0.0);
  std::fill_n(p, N + 1, 0.0);
  if (mu == 0.0) {  // without friction the cone is a half line, and no tangential direction lies in it
    p[0] = std::max(z[0], 0.0);
    P[0][0] = z[0] > 0.0 ? 1.0 : 0.0;
    return;
  }
  if (z[0] >= 0.0 && length <= mu * z[0]) {
    for (int r = 0; r <= N; ++r) p[r] = z[r], P[r][r] = 1.0;
    return;
  }
  const double along = (z[0] + mu * length) / (1.0 + mu * mu);
  if (along <= 0.0) return;
  const double direct = 1.0 / (1.0 + mu * mu), turn = mu * along / length;
  p[0] = along;
  P[0][0] = direct;
  for (int i = 1; i <= N; ++i) {
    const double d = z[i] / length;
    p[i] = mu * along * d;
    P[0][i] = P[i][0] = direct * mu * d;
    for (int j = 1; j <= N; ++j) P[i][j] = (direct * mu * mu - turn) * d * (z[j] / length) + (i == j ? turn : 0.0);
  }
}

}  // namespace

template <int N>
void RoundCone<N>::project(double* x) const {
  const double length = lengthOfTangents(x);
  if (x[0] >= 0.0 && length <= mu * x[0]) return;
  // nearest point of the mantle, as of projectOnFrictionCone
  const bool flat = mu > 1.0;
  const double slope = flat ? 1.0 / mu : mu;
  const double along = (flat ? slope * x[0] + length : x[0] + slope * length) / (1.0 + slope * slope);
  if (along <= 0.0) return void(std::fill_n(x, kRows, 0.0));
  const double radius = flat ? along : slope * along;
  x[0] = flat ? slope * along : along;
  const double shrink = length > 0.0 ? radius / length : 0.0;
  for (int r = 1; r < kRows; ++r) x[r] *= shrink;
}

template <int N>
double RoundCone<N>::residual(const double* impulse, const double* velocity, double w) const {
  double x[kRows], sum = 0.0;
  x[0] = w * impulse[0] - shift(impulse, velocity, lengthOfTangents(velocity));
  for (int r = 1; r < kRows; ++r) x[r] = w * impulse[r] - velocity[r];
  project(x);
  for (int r = 0; r < kRows; ++r) sum += square(w * impulse[r] - x[r]);
  return sum;
}

template <int N>
void RoundCone<N>::report(const double* impulse, const double* u, double w, Residuals& out) const {
  double inside[kRows], outside[kRows], off = 0.0, dual = 0.0, product = 0.0, power = 0.0;
  const double shifted = shift(impulse, u, lengthOfTangents(u));
  for (int r = 0; r < kRows; ++r) inside[r] = impulse[r], outside[r] = r == 0 ? -shifted : -u[r];
  project(inside), project(outside);
  for (int r = 0; r < kRows; ++r) {
    off = std::hypot(off, impulse[r] - inside[r]);
    dual = std::hypot(dual, outside[r]);
    product += impulse[r] * (r == 0 ? shifted : u[r]);
    if (r > 0) power += impulse[r] * u[r];
  }
  out.primal = std::max(out.primal, off);
  out.dual = std::max(out.dual, dual);
  out.complementarity = std::max(out.complementarity, std::abs(product));
  const double gap = u[0] + bias + compliance * impulse[0];
  out.signorini = std::max(out.signorini, std::abs(std::min(impulse[0] * w, gap)));
  out.dissipation = std::max(out.dissipation, power);
}

template <int N>
ContactMode RoundCone<N>::classify(const double* impulse, const double* u, double w) const {
  const double pull = impulse[0] - (u[0] + bias + compliance * impulse[0]) / w;
  double reach[kRows] = {};
  for (int r = 1; r < kRows; ++r) reach[r] = impulse[r] - u[r] / w;
  if (pull <= 0.0) return ContactMode::kOpen;
  return lengthOfTangents(reach) < mu * pull ? ContactMode::kStick : ContactMode::kSlip;
}

template <int N>
void RoundCone<N>::conform(const double* velocity, double* impulse, ContactMode& mode) const {
  if (mode == ContactMode::kOpen) return void(std::fill_n(impulse, kRows, 0.0));
  if (mode != ContactMode::kSlip) return;
  if (!(impulse[0] > 0.0)) impulse[0] = 0.0;
  const double length = lengthOfTangents(impulse), slip = lengthOfTangents(velocity);
  for (int r = 1; r < kRows; ++r) {
    if (length > 0.0)
      impulse[r] *= mu * impulse[0] / length;
    else if (slip > 0.0)
      impulse[r] = -mu * impulse[0] * velocity[r] / slip;
  }
}

template <int N>
bool RoundCone<N>::correct(const double* impulse, const double* u, double slack, ContactMode& mode) const {
  if (mode == ContactMode::kOpen) return u[0] + bias < -slack;
  if (!(impulse[0] > 0.0)) {
    mode = ContactMode::kOpen;
    return false;
  }
  const double length = lengthOfTangents(impulse);
  double power = 0.0;
  for (int r = 1; r < kRows; ++r) power += impulse[r] * u[r];
  if (mode == ContactMode::kStick && length > mu * impulse[0])
    mode = ContactMode::kSlip;
  else if (mode == ContactMode::kSlip && mu > 0.0 && power > slack * length)
    mode = ContactMode::kStick;  // friction that helps the slip on
  return false;
}

template <int N>
UnitEdge RoundCone<N>::findEdge(ContactMode mode, const double* x, const double* d) const {
  UnitEdge nearest{kInfinity, ContactMode::kOpen};
  if (mode == ContactMode::kOpen) return nearest;
  if (d[0] < 0.0 && -x[0] / d[0] < kInfinity) nearest.length = -x[0] / d[0];
  if (mode != ContactMode::kStick) return nearest;
  // (μ(xn + t dn))² − |xt + t dt|² = a t² + 2 b t + c
  double a = mu * mu * d[0] * d[0], b = mu * mu * x[0] * d[0], c = mu * mu * x[0] * x[0];
  for (int r = 1; r < kRows; ++r) a -= d[r] * d[r], b -= x[r] * d[r], c -= x[r] * x[r];
  const double discriminant = b * b - a * c;
  if (!(discriminant >= 0.0)) return nearest;
  const double q = -(b + std::copysign(std::sqrt(discriminant), b));
  for (const double length : {a != 0.0 ? q / a : -1.0, q != 0.0 ? c / q : -1.0})
    if (length > 0.0 && length < nearest.length) nearest = {length, ContactMode::kSlip};
  return nearest;
}

template <int N>
bool RoundCone<N>::reduce(ContactMode mode, const double* impulse, const double* u, double trace, Piece& piece) const {
  piece.count = kRows;
  piece.compliance = compliance;
  if (mode == ContactMode::kSlip) {
    piece.slip = mu > 0.0 && aimSlip(impulse, piece.frame);
    piece.count = piece.slip ? N : 1;
    piece.frame.mu = mu;
    double power = 0.0, square_length = 0.0;
    for (int r = 1; r < kRows; ++r) power -= impulse[r] * u[r], square_length += square(impulse[r]);
    if (piece.slip) piece.frame.turn = std::clamp(power / square_length, 0.0, 1e12 * trace);
  }
  return mode != ContactMode::kOpen;
}

template <int N>
bool RoundCone<N>::aimSlip(const double* impulse, SlipFrame& frame) {
  const double length = lengthOfTangents(impulse);
  if (!(length > 0.0)) return false;
  frame.d1 = impulse[1] / length, frame.d2 = impulse[2] / length;
  for (int i = 2; i < N; ++i) frame.more[i - 2] = impulse[1 + i] / length;
  return true;
}

template <int N>
void RoundCone<N>::combineColumns(const SlipFrame& frame, const double* from, double* target) {
  double d[N], turned[N], along = 0.0;
  readDirection<N>(frame, d);
  for (int i = 0; i < N; ++i) along += d[i] * from[1 + i];
  Reflection<N>(d).apply(from + 1, turned);
  target[0] = from[0] + frame.mu * along;
  for (int i = 1; i < N; ++i) target[i] = turned[i];
}

template <int N>
void RoundCone<N>::combineRows(const SlipFrame& frame, const double* rows, int columns, double* combined) {
  double d[N];
  readDirection<N>(frame, d);
  const Reflection<N> across(d);
  for (int j = 0; j < columns; ++j) {
    double x[N], turned[N];
    for (int i = 0; i < N; ++i) x[i] = rows[static_cast<long>(1 + i) * columns + j];
    across.apply(x, turned);
    for (int i = 1; i < N; ++i) combined[static_cast<long>(i - 1) * columns + j] = turned[i];
  }
}

template <int N>
void RoundCone<N>::combineVelocity(const SlipFrame& frame, const double* u, double* right) {
  double d[N], turned[N];
  readDirection<N>(frame, d);
  Reflection<N>(d).apply(u + 1, turned);
  right[0] = -u[0];
  for (int i = 1; i < N; ++i) right[i] = -turned[i];
}

template <int N>
void RoundCone<N>::moveSlip(const SlipFrame& frame, const double* step, double* impulse) {
  double d[N], across[N] = {}, turned[N], length = 0.0;
  readDirection<N>(frame, d);
  for (int i = 1; i < N; ++i) across[i] = step[i];
  Reflection<N>(d).apply(across, turned);
  impulse[0] += step[0];
  const double radius = frame.mu * impulse[0];
  for (int i = 0; i < N; ++i) turned[i] += radius * d[i], length += square(turned[i]);
  length = std::sqrt(length);
  const double rescale = length > 0.0 && radius > 0.0 ? radius / length : 0.0;
  for (int i = 0; i < N; ++i) impulse[1 + i] = rescale * turned[i];
}

template <int N>
void RoundCone<N>::writeSlip(const SlipFrame& frame, double w, double compliance, EquationRow* out) {
  double d[N];
  readDirection<N>(frame, d);
  const Reflection<N> across(d);
  for (int r = 0; r < kRows; ++r) out[r] = EquationRow{};
  out[0].A[0] = 1.0;
  out[0].B[0] = compliance / w;
  for (int c = 0; c < N; ++c) {
    double unit[N] = {}, column[N];
    unit[c] = 1.0;
    across.apply(unit, column);
    for (int i = 1; i < N; ++i) out[i].A[1 + c] = column[i], out[i].B[1 + c] = frame.turn / w * column[i];
    out[N].B[1 + c] = d[c];
  }
  out[N].B[0] = -frame.mu;
}

template <int N>
void RoundCone<N>::alongSlip(const SlipFrame& frame, const double* step, double* along) {
  double d[N], turned[N];
  readDirection<N>(frame, d);
  Reflection<N>(d).apply(step + 1, turned);
  along[0] = step[0];
  for (int i = 1; i < N; ++i) along[i] = turned[i];
}

template <int N>
void RoundCone<N>::linearizeNaturalMap(const double* x, const double* y, EquationRow* out) const {
  const double slip = lengthOfTangents(y);
  double z[kRows], p[kRows], P[kRows][kRows];
  z[0] = x[0] - shift(x, y, slip);
  for (int r = 1; r < kRows; ++r) z[r] = x[r] - y[r];
  projectWithDerivative<N>(mu, z, p, P);
  for (int r = 0; r < kRows; ++r) {
    out[r].F = x[r] - p[r];
    for (int c = 0; c < kRows; ++c) {
      // dŷ = (I + n μ sᵀ) dy + R n dxn
      const double s = c > 0 && slip > 0.0 ? mu * y[c] / slip : 0.0;
      out[r].B[c] = (r == c ? 1.0 : 0.0) - P[r][c] * (c == 0 ? 1.0 - compliance : 1.0);
      out[r].A[c] = P[r][c] + P[r][0] * s;
    }
  }
}

template <int N>
void RoundCone<N>::linearizeAlartCurnier(const double* x, const double* y, EquationRow* out) const {
  for (int r = 0; r < kRows; ++r) out[r] = EquationRow{};
  const double shifted = y[0] + bias + compliance * x[0], zn = x[0] - shifted, radius = mu * zn;
  const auto hold = [&](int first) {  // λ = 0
    for (int r = first; r < kRows; ++r) out[r].F = x[r], out[r].B[r] = 1.0;
  };
  if (zn <= 0.0) return hold(0);
  out[0].F = shifted;
  out[0].A[0] = 1.0;
  out[0].B[0] = compliance;
  if (radius == 0.0) return hold(1);
  double z[kRows] = {};
  for (int r = 1; r < kRows; ++r) z[r] = x[r] - y[r];
  const double length = lengthOfTangents(z);
  if (length <= radius) {  // stick: ut = 0
    for (int r = 1; r < kRows; ++r) out[r].F = y[r], out[r].A[r] = 1.0;
    return;
  }
  // slip, as of friction_cone.cpp
  const double turn = radius / length;
  for (int i = 1; i < kRows; ++i) {
    const double s = z[i] / length;
    out[i].F = x[i] - radius * s;
    out[i].B[i] += 1.0;
    out[i].B[0] -= mu * s * (1.0 - compliance);
    out[i].A[0] += mu * s;
    for (int j = 1; j < kRows; ++j) {
      const double across = turn * ((i == j ? 1.0 : 0.0) - s * z[j] / length);
      out[i].B[j] -= across;
      out[i].A[j] += across;
    }
  }
}

// The path. Each equation is divided by a size of its own, γ + s and μγ + ψ.

template <int N>
int RoundCone<N>::startPath(double push, double speed, const PathRows& at) const {
  at.x[0] = push;
  at.y[0] = speed;
  if (!(mu > 0.0)) return 1;
  at.z[0] = speed / mu;
  return 2;
}

template <int N>
int RoundCone<N>::startNear(const double* impulse, const double* velocity, double push, double speed,
                            const PathRows& at) const {
  constexpr double kWithin = 0.9;  // of the radius of the cone
  at.x[0] = std::max(at.root * impulse[0], push);
  at.y[0] = std::max((velocity[0] + bias) / at.root + compliance * at.x[0] / (at.root * at.root), speed);
  if (!(mu > 0.0)) return 1;
  const double length = at.root * lengthOfTangents(impulse), radius = kWithin * mu * at.x[0];
  const double shrink = at.root * (length > radius ? radius / length : 1.0);
  for (int r = 1; r < kRows; ++r) {
    at.x[r] = shrink * impulse[r];
    at.y[r] = velocity[r] / at.root;
  }
  at.z[0] = lengthOfTangents(at.y) + speed;
  return 2;
}

template <int N>
void RoundCone<N>::computeGap(const double* velocity, const PathRows& at) const {
  at.gap[0] = (velocity[0] + bias) / at.root + compliance * at.x[0] / (at.root * at.root) - at.y[0];
  for (int r = 1; r < kRows; ++r) at.gap[r] = mu > 0.0 ? velocity[r] / at.root - at.y[r] : 0.0;
}

template <int N>
void RoundCone<N>::addProducts(double length, const PathRows& at, double& sum) const {
  const auto x = [&](int r) { return at.x[r] + length * at.dx[r]; };
  const auto y = [&](int r) { return at.y[r] + length * at.dy[r]; };
  sum += x(0) * y(0) + mu * x(0) * (at.z[0] + length * at.dz[0]);
  for (int r = 1; mu > 0.0 && r < kRows; ++r) sum += x(r) * y(r);
}

template <int N>
void RoundCone<N>::linearizePath(const PathRows& at) const {
  EquationRow* out = at.equations;
  for (int r = 0; r < kRows; ++r) out[r] = EquationRow{};
  const double gamma = at.x[0], s = at.y[0], psi = at.z[0], scale = 1.0 / (gamma + s);
  out[0].A[0] = scale * gamma;
  out[0].B[0] = scale * (s + gamma * compliance / (at.root * at.root));
  for (int r = 1; r < kRows; ++r) {
    if (!(mu > 0.0)) {  // no friction: β = 0
      out[r].B[r] = 1.0;
      continue;
    }
    const double tangential = 1.0 / (mu * gamma + psi), beta = at.x[r];
    out[r].B[0] = tangential * (mu * at.y[r] - beta * psi / gamma);
    for (int c = 1; c < kRows; ++c) {
      out[r].A[c] = tangential * ((r == c ? mu * gamma : 0.0) - beta * at.x[c] / (mu * gamma));
      out[r].B[c] = tangential * ((r == c ? psi : 0.0) - beta * at.y[c] / (mu * gamma));
    }
  }
}

template <int N>
void RoundCone<N>::formRight(double tau, const PathRows& at) const {
  const double gamma = at.x[0], psi = at.z[0];
  std::fill_n(at.right, kRows, 0.0);
  at.right[0] = (tau - gamma * at.y[0] - at.px[0] * at.py[0] - gamma * at.gap[0]) / (gamma + at.y[0]);
  if (!(mu > 0.0)) return;
  double first = tau - mu * gamma * psi - mu * at.px[0] * at.pz[0];
  for (int r = 1; r < kRows; ++r) first -= at.x[r] * at.y[r] + at.px[r] * at.py[r];
  at.first_product[0] = first;
  for (int r = 1; r < kRows; ++r) {
    const double rest = -(mu * gamma * at.y[r] + psi * at.x[r]) - (mu * at.px[0] * at.py[r] + at.pz[0] * at.px[r]);
    at.right[r] = (rest - at.x[r] * first / (mu * gamma)) / (mu * gamma + psi);
    for (int c = 1; c < kRows; ++c) at.right[r] -= at.equations[r].A[c] * at.gap[c];
  }
}

template <int N>
void RoundCone<N>::recoverPath(double, const PathRows& at) const {
  at.dy[0] += compliance / (at.root * at.root) * at.dx[0];
  if (!(mu > 0.0)) return void(std::fill_n(at.dy + 1, N, 0.0));
  double first = at.first_product[0] - mu * at.z[0] * at.dx[0];
  for (int r = 1; r < kRows; ++r) first -= at.x[r] * at.dy[r] + at.y[r] * at.dx[r];
  at.dz[0] = first / (mu * at.x[0]);
}

template <int N>
double RoundCone<N>::longestStep(const PathRows& at) const {
  const double step = std::min(stepOfLine(at.x[0], at.dx[0]), stepOfLine(at.y[0], at.dy[0]));
  if (!(mu > 0.0)) return step;
  // Largest step that keeps |v| < t.
  const auto stepOfCone = [](double t, const double* v, double dt, const double* dv) {
    double a = dt * dt, b = t * dt, c = t * t, longest = stepOfLine(t, dt);
    for (int i = 1; i <= N; ++i) a -= dv[i] * dv[i], b -= v[i] * dv[i], c -= v[i] * v[i];
    const double discriminant = b * b - a * c;
    if (!(discriminant >= 0.0)) return longest;
    const double q = -(b + std::copysign(std::sqrt(discriminant), b));
    for (const double root : {a != 0.0 ? q / a : -1.0, q != 0.0 ? c / q : -1.0})
      if (root > 0.0) longest = std::min(longest, root);
    return longest;
  };
  return std::min(
      {step, stepOfCone(mu * at.x[0], at.x, mu * at.dx[0], at.dx), stepOfCone(at.z[0], at.y, at.dz[0], at.dy)});
}

template struct RoundCone<3>;
template struct RoundCone<5>;

}  // namespace rigor
