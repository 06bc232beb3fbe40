#include "reference/slow_contact.h"

#include <algorithm>
#include <cmath>

namespace rigor::reference {
namespace {

using Real = long double;
constexpr Real kTwoPi = 6.283185307179586476925286766559L;

struct Slip {
  bool pushes = false;  // the floor can push: λn > 0
  Real impulse[3] = {};
  Real cross = 0, along = 0;  // slip velocity across and along the assumed direction
};

void velocityOf(const SlowContact& c, const Real* impulse, Real* u) {
  for (int r = 0; r < 3; ++r) {
    u[r] = c.b[r];
    for (int k = 0; k < 3; ++k) u[r] += Real(c.W[r][k]) * impulse[k];
  }
}

// Suppose the contact slips along the angle: friction is opposite, un = 0 gives λn, and then ut is known.
Slip slipAlong(const SlowContact& c, Real angle) {
  Slip slip;
  const Real d[2] = {std::cos(angle), std::sin(angle)};
  const Real denominator = c.W[0][0] - c.mu * (c.W[0][1] * d[0] + c.W[0][2] * d[1]);
  const Real normal = -Real(c.b[0]) / denominator;
  slip.pushes = std::isfinite(normal) && normal > 0;
  slip.impulse[0] = normal;
  slip.impulse[1] = -c.mu * normal * d[0];
  slip.impulse[2] = -c.mu * normal * d[1];
  Real u[3];
  velocityOf(c, slip.impulse, u);
  slip.cross = d[0] * u[2] - d[1] * u[1];
  slip.along = d[0] * u[1] + d[1] * u[2];
  return slip;
}

}  // namespace

bool findStickImpulse(const SlowContact& c, long double x[3]) {
  Real A[3][4];
  for (int r = 0; r < 3; ++r) {
    for (int k = 0; k < 3; ++k) A[r][k] = c.W[r][k];
    A[r][3] = -Real(c.b[r]);
  }
  for (int k = 0; k < 3; ++k) {
    int pivot = k;
    for (int r = k; r < 3; ++r)
      if (std::abs(A[r][k]) > std::abs(A[pivot][k])) pivot = r;
    if (A[pivot][k] == 0) return false;
    std::swap_ranges(A[k], A[k] + 4, A[pivot]);
    for (int r = 0; r < 3; ++r) {
      if (r == k) continue;
      const Real f = A[r][k] / A[k][k];
      for (int j = 0; j < 4; ++j) A[r][j] -= f * A[k][j];
    }
  }
  for (int r = 0; r < 3; ++r) x[r] = A[r][3] / A[r][r];
  return true;
}

std::vector<SlowAnswer> findAllAnswers(const SlowContact& contact, int directions) {
  std::vector<SlowAnswer> answers;
  if (contact.b[0] >= 0) answers.push_back({{0, 0, 0}, 0});
  Real x[3];
  if (findStickImpulse(contact, x) && x[0] >= 0 && std::hypot(x[1], x[2]) <= contact.mu * x[0])
    answers.push_back({{x[0], x[1], x[2]}, 1});
  Slip last = slipAlong(contact, 0);
  for (int i = 1; i <= directions; ++i) {
    Real lo = kTwoPi * (i - 1) / directions, hi = kTwoPi * i / directions;
    Slip next = slipAlong(contact, hi);
    const bool crosses = (last.cross > 0) != (next.cross > 0);
    const Slip begin = last;
    last = next;
    if (!crosses || !begin.pushes || !next.pushes) continue;
    for (int halving = 0; halving < 80; ++halving) {
      const Real middle = (lo + hi) / 2;
      ((slipAlong(contact, middle).cross > 0) == (begin.cross > 0) ? lo : hi) = middle;
    }
    const Slip root = slipAlong(contact, (lo + hi) / 2);
    if (root.along >= 0) answers.push_back({{root.impulse[0], root.impulse[1], root.impulse[2]}, 2});
  }
  return answers;
}

long double lawDefect(const SlowContact& contact, const double impulse[3]) {
  const Real x[3] = {impulse[0], impulse[1], impulse[2]};
  Real u[3], w = 0;
  velocityOf(contact, x, u);
  for (int r = 0; r < 3; ++r) w += Real(contact.W[r][r]) / 3;
  const Real friction = std::hypot(x[1], x[2]), slip = std::hypot(u[1], u[2]);
  // 0 ≤ λn ⟂ un ≥ 0
  Real defect = std::abs(std::min(w * x[0], u[0]));
  // |λt| ≤ μ λn
  defect = std::max(defect, w * std::max<Real>(0, friction - contact.mu * x[0]));
  // λt |ut| = −μ λn ut, each side bounded by what the smaller of slip and friction allows
  const Real reach = contact.mu * x[0];
  if (slip > 0 && reach > 0)
    for (int r = 1; r < 3; ++r)
      defect = std::max(defect, std::abs(x[r] * slip + reach * u[r]) / std::max(reach, slip / w));
  return defect;
}

}  // namespace rigor::reference
