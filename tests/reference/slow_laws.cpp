#include "reference/slow_laws.h"

#include <algorithm>
#include <cmath>

namespace rigor::reference {
namespace {

using Real = long double;
constexpr Real kTwoPi = 6.283185307179586476925286766559L;

void velocityAt(const SlowContact& c, const Real* impulse, Real* u) {
  for (int r = 0; r < 3; ++r) {
    u[r] = c.b[r];
    for (int k = 0; k < 3; ++k) u[r] += Real(c.W[r][k]) * impulse[k];
  }
}

// The impulse on the mantle at an angle, with un = 0; false where the mantle does not meet that plane.
bool impulseAt(const SlowContact& c, Real angle, Real impulse[3]) {
  const Real d[2] = {std::cos(angle), std::sin(angle)};
  const Real normal = -Real(c.b[0]) / (c.W[0][0] + c.mu * (c.W[0][1] * d[0] + c.W[0][2] * d[1]));
  impulse[0] = normal;
  for (int r = 0; r < 2; ++r) impulse[1 + r] = c.mu * normal * d[r];
  return std::isfinite(normal) && normal > 0;
}

}  // namespace

Real energyOf(const SlowContact& c, const Real impulse[3]) {
  const Real x = impulse[1], y = impulse[2], n = -Real(c.b[0]) / c.W[0][0];
  Real sum = 0;
  const Real t[2] = {x, y};
  for (int r = 0; r < 2; ++r) {
    sum += t[r] * (Real(c.b[1 + r]) + Real(c.W[1 + r][0]) * n);
    for (int k = 0; k < 2; ++k)
      sum += t[r] * (Real(c.W[1 + r][1 + k]) - Real(c.W[1 + r][0]) * c.W[0][1 + k] / c.W[0][0]) * t[k] / 2;
  }
  return sum;
}

bool findLeastEnergy(const SlowContact& c, int directions, Real impulse[3]) {
  if (c.b[0] >= 0) return false;
  if (findStickImpulse(c, impulse) && impulse[0] >= 0 && std::hypot(impulse[1], impulse[2]) <= c.mu * impulse[0])
    return true;
  Real best = INFINITY, at = 0;
  for (int i = 0; i < directions; ++i) {
    const Real angle = kTwoPi * i / directions;
    Real x[3];
    if (!impulseAt(c, angle, x) || !(energyOf(c, x) < best)) continue;
    best = energyOf(c, x), at = angle;
  }
  if (!std::isfinite(best)) return false;
  Real lo = at - kTwoPi / directions, hi = at + kTwoPi / directions;
  const auto value = [&](Real angle) {
    Real x[3];
    return impulseAt(c, angle, x) ? energyOf(c, x) : Real(INFINITY);
  };
  for (int i = 0; i < 200; ++i) {
    const Real a = lo + 0.381966011250105L * (hi - lo), b = hi - 0.381966011250105L * (hi - lo);
    (value(a) < value(b) ? hi : lo) = value(a) < value(b) ? b : a;
  }
  return impulseAt(c, (lo + hi) / 2, impulse);
}

Real dissipationDefect(const SlowContact& c, const double impulse[3]) {
  const Real x[3] = {impulse[0], impulse[1], impulse[2]};
  Real u[3], w = 0;
  velocityAt(c, x, u);
  for (int r = 0; r < 3; ++r) w += Real(c.W[r][r]) / 3;
  const Real friction = std::hypot(x[1], x[2]), slip = std::hypot(u[1], u[2]), reach = c.mu * x[0];
  Real defect = std::abs(std::min(w * x[0], u[0]));
  defect = std::max(defect, w * std::max<Real>(0, friction - reach));
  if (!(slip > 0 && reach > 0)) return defect;
  // ut = −s (d + μ k) with s ≥ 0, or ut = 0; what is inside the mantle may not slip
  const Real inside = w * std::max<Real>(0, reach - friction);
  defect = std::max(defect, std::min(inside, slip));
  const Real g[2] = {x[1] / friction + c.mu * c.W[0][1] / c.W[0][0], x[2] / friction + c.mu * c.W[0][2] / c.W[0][0]};
  const Real size = std::hypot(g[0], g[1]);
  defect = std::max(defect, std::min(slip, std::abs(g[0] * u[2] - g[1] * u[1]) / size));
  return std::max(defect, std::min(slip, (g[0] * u[1] + g[1] * u[2]) / size));
}

Real pyramidDefect(const SlowContact& c, int corners, const double impulse[3]) {
  const Real x[3] = {impulse[0], impulse[1], impulse[2]};
  Real u[3], w = 0, defect = 0, most = -INFINITY;
  velocityAt(c, x, u);
  for (int r = 0; r < 3; ++r) w += Real(c.W[r][r]) / 3;
  defect = std::abs(std::min(w * x[0], u[0]));
  for (int j = 0; j < corners; ++j) {
    const Real side = kTwoPi * (j + 0.5L) / corners, corner = kTwoPi * j / corners;
    const Real out = std::cos(side) * x[1] + std::sin(side) * x[2] - c.mu * x[0] * std::cos(kTwoPi / 2 / corners);
    defect = std::max(defect, w * out);
    most = std::max(most, -(std::cos(corner) * u[1] + std::sin(corner) * u[2]));
  }
  // λt·ut is the least that the polygon allows: μ λn max_j(−d_j·ut) + λt·ut = 0, as a velocity
  const Real missing = c.mu * x[0] * most + x[1] * u[1] + x[2] * u[2];
  const Real reach = std::max<Real>(c.mu * x[0], most / w);
  return reach > 0 ? std::max(defect, std::abs(missing) / reach) : defect;
}

}  // namespace rigor::reference
