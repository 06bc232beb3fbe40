#include "reference/slow_judge.h"

#include <algorithm>
#include <cmath>

namespace rigor::reference {
namespace {

using Real = long double;
using Vector = std::vector<Real>;

Real norm(const Vector& v) {
  Real sum = 0;
  for (Real x : v) sum += x * x;
  return std::sqrt(sum);
}

// Nearest point of the friction cone, by searching along its mantle: the nearest point of a circular cone lies in the
// half plane through the axis and x, so a ray (1, μ)/√(1 + μ²) of that half plane carries it.
Vector nearestInCone(Real mu, const Vector& x) {
  const Real length = std::hypot(x[1], x[2]);
  if (x[0] >= 0 && length <= mu * x[0]) return x;
  const Real ray[2] = {1 / std::sqrt(1 + mu * mu), mu / std::sqrt(1 + mu * mu)};
  const Real along = std::max<Real>(0, x[0] * ray[0] + length * ray[1]);
  if (length == 0) return {along * ray[0] * (x[0] > 0), 0, 0};
  return {along * ray[0], along * ray[1] * x[1] / length, along * ray[1] * x[2] / length};
}

Vector nearest(const Block& block, const Vector& x) {
  if (block.kind == BlockKind::kContact) return nearestInCone(block.mu, x);
  Vector out = x;
  for (Real& value : out) {
    if (block.kind == BlockKind::kAtLeast) value = std::max<Real>(0, value);
    if (block.kind == BlockKind::kBox) value = std::min<Real>(std::max<Real>(value, block.lo), block.hi);
  }
  return out;
}

Real traceOverRows(const ContactProblem& problem, const Block& block) {
  Real trace = 0;
  for (int r = block.row; r < block.row + block.size; ++r) trace += problem.W[r * problem.rows() + r];
  return trace / block.size;
}

// û of the block, by the table of the law.
Vector shiftedVelocity(const ContactProblem& problem, const Block& block, const std::vector<double>& impulse,
                       const std::vector<double>& velocity) {
  Vector u(velocity.begin() + block.row, velocity.begin() + block.row + block.size);
  switch (block.kind) {
    case BlockKind::kEqual:
      break;
    case BlockKind::kAtLeast:
      for (int r = 0; r < block.size; ++r) u[r] += problem.bias[block.row + r];
      break;
    case BlockKind::kBox:
      for (int r = 0; r < block.size; ++r) {
        const int row = block.row + r;
        u[r] += Real(problem.bias[row]) + Real(problem.compliance[row]) * impulse[row];
      }
      break;
    case BlockKind::kContact:
      u[0] += Real(problem.bias[block.row]) + Real(block.mu) * std::hypot(u[1], u[2]);
  }
  return u;
}

}  // namespace

SlowVerdict judgeSlowly(const ContactProblem& problem, const std::vector<double>& impulse,
                        const std::vector<double>& velocity, double tolerance) {
  SlowVerdict verdict;
  for (double x : impulse)
    if (!std::isfinite(x)) return verdict;
  for (double x : velocity)
    if (!std::isfinite(x)) return verdict;
  Real largest = 0;
  for (const Block& block : problem.blocks) largest = std::max(largest, traceOverRows(problem, block));
  verdict.accepted = true;
  const int m = problem.rows();
  for (const Block& block : problem.blocks) {
    Real w = traceOverRows(problem, block);
    if (!(w > 0)) w = largest > 0 ? largest : 1;
    const Vector shifted = shiftedVelocity(problem, block, impulse, velocity);
    Vector target(block.size), b(block.size), response(block.size), magnitude(block.size), mismatch(block.size);
    for (int r = 0; r < block.size; ++r) {
      const int row = block.row + r;
      target[r] = impulse[row] - shifted[r] / w;
      b[r] = problem.b[row];
      for (int j = 0; j < m; ++j) {
        response[r] += Real(problem.W[row * m + j]) * impulse[j];
        magnitude[r] += std::abs(Real(problem.W[row * m + j]) * impulse[j]);
      }
      mismatch[r] = velocity[row] - (response[r] + b[r]);
    }
    const Vector inside = nearest(block, target);
    Vector defect(block.size);
    for (int r = 0; r < block.size; ++r) defect[r] = impulse[block.row + r] - inside[r];
    const Real r = w * norm(defect), floor = 8 * Real(0x1p-52) * norm(magnitude);
    const Real scale = std::max({norm(b), norm(response), Real(problem.velocity_scale)});
    verdict.law.push_back(static_cast<double>(std::max<Real>(0, r - floor) / scale));
    verdict.equation.push_back(static_cast<double>(std::max<Real>(0, norm(mismatch) - floor) / scale));
    if (r > tolerance * scale + floor || norm(mismatch) > tolerance * scale + floor) verdict.accepted = false;
  }
  return verdict;
}

}  // namespace rigor::reference
