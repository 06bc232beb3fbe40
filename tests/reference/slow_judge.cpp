#include "reference/slow_judge.h"

#include <algorithm>
#include <cmath>

#include "reference/slow_projection.h"

namespace rigor::reference {
namespace {

using Real = long double;
using Vector = std::vector<Real>;

Real norm(const Vector& v) {
  Real sum = 0;
  for (Real x : v) sum += x * x;
  return std::sqrt(sum);
}

Real traceOverRows(const ContactProblem& problem, const Block& block) {
  Real trace = 0;
  for (int r = block.row; r < block.row + block.size; ++r) trace += problem.W(r, r);
  return trace / block.size;
}

// The s of law dissipation by halving: |ut + μs k| − s falls from |ut| to below zero where μ|k| < 1.
Real slipOfDissipation(const Real k[2], Real mu, const Vector& u) {
  const auto excess = [&](Real s) { return std::hypot(u[1] + mu * s * k[0], u[2] + mu * s * k[1]) - s; };
  Real lo = 0, hi = std::hypot(u[1], u[2]);
  while (excess(hi) > 0) hi *= 2;
  for (int i = 0; i < 200; ++i) (excess((lo + hi) / 2) > 0 ? lo : hi) = (lo + hi) / 2;
  return hi;
}

void shiftByLaw(const ContactProblem& problem, const Block& block, Vector& u) {
  const Real mu = block.mu;
  switch (problem.law) {
    case Law::kAssociated:
      break;
    case Law::kCoulomb:
      u[0] += mu * norm(Vector(u.begin() + 1, u.end()));
      break;
    case Law::kPyramid: {
      Real most = 0;
      for (int j = 0; j < problem.directions; ++j) {
        const Real angle = 6.283185307179586476925286766559L * j / problem.directions;
        most = std::max(most, -(std::cos(angle) * u[1] + std::sin(angle) * u[2]));
      }
      u[0] += mu * most;
      break;
    }
    case Law::kDissipation: {
      const Real normal = problem.W(block.row, block.row);
      const Real k[2] = {problem.W(block.row, block.row + 1) / normal, problem.W(block.row, block.row + 2) / normal};
      const Real s = slipOfDissipation(k, mu, u);
      u[0] += mu * s;
      for (int r = 0; r < 2; ++r) u[1 + r] += mu * s * k[r];
    }
  }
}

// û of the block, by the table of the law.
Vector shiftedVelocity(const ContactProblem& problem, const Block& block, const std::vector<double>& impulse,
                       const std::vector<double>& velocity) {
  Vector u(velocity.begin() + block.row, velocity.begin() + block.row + block.size);
  switch (block.kind) {
    case BlockKind::kEqual:
      break;
    case BlockKind::kAtLeast:
    case BlockKind::kBox:
      for (int r = 0; r < block.size; ++r) {
        const int row = block.row + r;
        u[r] += Real(problem.bias[row]) + Real(problem.compliance[row]) * impulse[row];
      }
      break;
    case BlockKind::kContact:
      u[0] += Real(problem.bias[block.row]) + Real(problem.compliance[block.row]) * impulse[block.row];
      shiftByLaw(problem, block, u);
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
  Real largest = 0, fastest = 0;
  for (const Block& block : problem.blocks) largest = std::max(largest, traceOverRows(problem, block));
  for (double b : problem.b) fastest = std::max<Real>(fastest, std::abs(b));
  if (fastest == 0)
    for (double bias : problem.bias) fastest = std::max<Real>(fastest, std::abs(bias));
  const bool relative = problem.velocity_scale == 0;
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
        response[r] += Real(problem.W(row, j)) * impulse[j];
        magnitude[r] += std::abs(Real(problem.W(row, j)) * impulse[j]);
      }
      mismatch[r] = velocity[row] - (response[r] + b[r]);
    }
    const Vector inside = searchNearest(problem, block, target);
    Vector defect(block.size);
    for (int r = 0; r < block.size; ++r) defect[r] = impulse[block.row + r] - inside[r];
    const Real r = w * norm(defect), rounding = 8 * Real(0x1p-52) * norm(magnitude);
    Vector error = magnitude;
    for (int k = 0; k < block.size; ++k)
      error[k] =
          8 * Real(0x1p-52) * magnitude[k] + (problem.row_error.empty() ? 0 : Real(problem.row_error[block.row + k]));
    const Real own = std::max(norm(b), norm(response)), tiny = 1e-150L;
    const Real scale = std::max({own, relative ? 1e-6L * fastest : Real(problem.velocity_scale), tiny});
    const Real ceiling = 1e-6L * std::max({own, relative ? fastest : Real(problem.velocity_scale), tiny});
    const Real floor = std::min(norm(error), ceiling);
    const Real known = rounding > ceiling ? std::max(r, rounding) : r;  // not known better than its rounding
    verdict.law.push_back(static_cast<double>(std::max<Real>(0, known - floor) / scale));
    verdict.equation.push_back(static_cast<double>(std::max<Real>(0, norm(mismatch) - floor) / scale));
    if (known > tolerance * scale + floor || norm(mismatch) > tolerance * scale + floor) verdict.accepted = false;
  }
  return verdict;
}

}  // namespace rigor::reference
