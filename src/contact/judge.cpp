#include "contact/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/check_problem.h"
#include "contact/cones.h"
#include "contact/row_product.h"

namespace rigor {
namespace {

constexpr double kFloorFactor = 8.0 * std::numeric_limits<double>::epsilon();

double square(double x) { return x * x; }

Residuals refused() {
  Residuals residuals;
  residuals.finite = false;
  residuals.law = residuals.equation = std::numeric_limits<double>::infinity();
  return residuals;
}

// What the block's rows say, all squared norms but the residual.
struct BlockSums {
  double free = 0.0;       // |b_i|²
  double response = 0.0;   // |(Wλ)_i|²
  double magnitude = 0.0;  // |Σ_j |W_ij||λ_j||²
  double mismatch = 0.0;   // |u_i − (Wλ + b)_i|²
};

// λ − P_K(λ − û/w) of a contact, squared.
double contactDefect(const double* impulse, const double* velocity, double bias, double mu, double w) {
  const double inverse = 1.0 / w;
  const double slip = std::sqrt(square(velocity[1]) + square(velocity[2]));
  double x[3] = {impulse[0] - inverse * (velocity[0] + bias + mu * slip), impulse[1] - inverse * velocity[1],
                 impulse[2] - inverse * velocity[2]};
  projectOnFrictionCone(mu, x);
  return square(impulse[0] - x[0]) + square(impulse[1] - x[1]) + square(impulse[2] - x[2]);
}

// The same for the kinds whose rows do not see each other.
double rowDefect(const ContactProblem& problem, const Block& block, int row, double impulse, double velocity,
                 double w) {
  switch (block.kind) {
    case BlockKind::kEqual:
      return velocity / w;
    case BlockKind::kAtLeast:
      return impulse - projectOnHalfLine(impulse - (velocity + problem.bias[row]) / w);
    default: {
      const double shifted = velocity + problem.bias[row] + problem.compliance[row] * impulse;
      return impulse - projectOnInterval(block.lo, block.hi, impulse - shifted / w);
    }
  }
}

// With kOwnVelocity the velocity is written (u = Wλ + b), else it is compared.
template <bool kOwnVelocity, class Velocity>
void addRow(const ContactProblem& problem, int row, const RowProduct& product, Velocity* velocity, BlockSums& sums) {
  const double b = problem.b[row], right = product.value + b;
  sums.free += square(b);
  sums.response += square(product.value);
  sums.magnitude += square(product.magnitude);
  if constexpr (kOwnVelocity)
    velocity[row] = right;
  else
    sums.mismatch += square(velocity[row] - right);
}

template <bool kOwnVelocity, class Velocity>
Residuals judgeBlocks(const ContactProblem& problem, const double* impulse, Velocity* velocity) {
  const int m = problem.rows();
  const double* W = problem.W.data();
  const double least_scale = std::max(problem.velocity_scale, std::numeric_limits<double>::min());
  double substitute = 0.0;
  double trouble = 0.0;  // stays 0 while everything is finite: x − x is NaN for NaN and infinity
  Residuals worst;
  double worst_ratio = -1.0;
  int index = 0;
  for (const Block& block : problem.blocks) {
    double w = blockScale(problem, block);
    if (!(w > 0.0)) {
      if (substitute == 0.0) substitute = substituteScale(problem);
      w = substitute;
    }
    BlockSums sums;
    double defect = 0.0;
    if (block.kind == BlockKind::kContact) {
      RowProduct products[3];
      multiplyRows<3>(W + static_cast<std::size_t>(block.row) * m, m, impulse, products);
      for (int r = 0; r < 3; ++r) addRow<kOwnVelocity>(problem, block.row + r, products[r], velocity, sums);
      defect = contactDefect(impulse + block.row, velocity + block.row, problem.bias[block.row], block.mu, w);
    } else {
      for (int row = block.row; row < block.row + block.size; ++row) {
        RowProduct product;
        multiplyRows<1>(W + static_cast<std::size_t>(row) * m, m, impulse, &product);
        addRow<kOwnVelocity>(problem, row, product, velocity, sums);
        defect += square(rowDefect(problem, block, row, impulse[row], velocity[row], w));
      }
    }
    const double r = w * std::sqrt(defect), floor = kFloorFactor * std::sqrt(sums.magnitude);
    const double scale = std::max(std::sqrt(std::max(sums.free, sums.response)), least_scale);
    trouble += (r - r) + (sums.response - sums.response) + (sums.free - sums.free) + (sums.mismatch - sums.mismatch);
    const double inverse = 1.0 / scale;
    const double law = std::max(r - floor, 0.0) * inverse;
    if (law > worst_ratio) {
      worst_ratio = law;
      worst.worst_block = index;
      worst.floor = floor * inverse;
    }
    worst.natural_map = std::max(worst.natural_map, r);
    if constexpr (!kOwnVelocity)
      worst.equation = std::max(worst.equation, std::max(std::sqrt(sums.mismatch) - floor, 0.0) * inverse);
    ++index;
  }
  if (trouble != 0.0) return refused();
  worst.law = std::max(worst_ratio, 0.0);
  return worst;
}

// Numbers that are reported but not gated.
void addReported(const ContactProblem& problem, const ContactSolution& solution, Residuals& out) {
  out.dissipation = -std::numeric_limits<double>::infinity();
  for (const Block& block : problem.blocks) {
    const double* impulse = solution.impulse.data() + block.row;
    const double* u = solution.velocity.data() + block.row;
    if (block.kind == BlockKind::kContact) {
      const double slip = std::hypot(u[1], u[2]), bias = problem.bias[block.row];
      const double shifted[3] = {u[0] + bias + block.mu * slip, u[1], u[2]};
      double inside[3] = {impulse[0], impulse[1], impulse[2]};
      projectOnFrictionCone(block.mu, inside);
      out.primal =
          std::max(out.primal, std::hypot(impulse[0] - inside[0], impulse[1] - inside[1], impulse[2] - inside[2]));
      // Distance to K* is the length of the projection of −û on K (Moreau).
      double outside[3] = {-shifted[0], -shifted[1], -shifted[2]};
      projectOnFrictionCone(block.mu, outside);
      out.dual = std::max(out.dual, std::hypot(outside[0], outside[1], outside[2]));
      const double product = impulse[0] * shifted[0] + impulse[1] * shifted[1] + impulse[2] * shifted[2];
      out.complementarity = std::max(out.complementarity, std::abs(product));
      const double w = blockScale(problem, block);
      out.signorini = std::max(out.signorini, std::abs(std::min(impulse[0] * w, u[0] + bias)));
      out.dissipation = std::max(out.dissipation, impulse[1] * u[1] + impulse[2] * u[2]);
      continue;
    }
    for (int r = 0; r < block.size; ++r) {
      const int row = block.row + r;
      const double shifted = u[r] + problem.bias[row] + problem.compliance[row] * impulse[r];
      if (block.kind == BlockKind::kEqual) {
        out.dual = std::max(out.dual, std::abs(u[r]));
        out.complementarity = std::max(out.complementarity, std::abs(impulse[r] * u[r]));
      } else if (block.kind == BlockKind::kAtLeast) {
        out.primal = std::max(out.primal, -impulse[r]);
        out.dual = std::max(out.dual, -(u[r] + problem.bias[row]));
        out.complementarity = std::max(out.complementarity, std::abs(impulse[r] * (u[r] + problem.bias[row])));
        out.signorini = std::max(out.signorini,
                                 std::abs(std::min(impulse[r] * blockScale(problem, block), u[r] + problem.bias[row])));
      } else {
        out.primal = std::max({out.primal, block.lo - impulse[r], impulse[r] - block.hi});
        // û > 0 pulls to the lower bound, û < 0 to the upper one.
        const double bound = shifted > 0.0 ? block.lo : block.hi;
        if (std::isfinite(bound))
          out.complementarity = std::max(out.complementarity, std::abs((impulse[r] - bound) * shifted));
        else
          out.dual = std::max(out.dual, std::abs(shifted));
      }
    }
  }
  if (out.dissipation == -std::numeric_limits<double>::infinity()) out.dissipation = 0.0;
}

}  // namespace

double substituteScale(const ContactProblem& problem) {
  double largest = 0.0;
  for (const Block& block : problem.blocks) largest = std::max(largest, blockScale(problem, block));
  return largest > 0.0 ? largest : 1.0;
}

Residuals judgeLaw(const ContactProblem& problem, const double* impulse, const double* velocity) {
  return judgeBlocks<false>(problem, impulse, velocity);
}

Residuals judgeImpulse(const ContactProblem& problem, const double* impulse, double* velocity) {
  return judgeBlocks<true>(problem, impulse, velocity);
}

Residuals judge(const ContactProblem& problem, const ContactSolution& solution) {
  const std::size_t m = problem.b.size();
  if (!hasSoundBlocks(problem) || !hasSoundNumbers(problem) || solution.impulse.size() != m ||
      solution.velocity.size() != m)
    return refused();
  Residuals residuals = judgeLaw(problem, solution.impulse.data(), solution.velocity.data());
  if (residuals.finite) addReported(problem, solution, residuals);
  return residuals;
}

bool accepts(const Residuals& residuals, double tolerance) {
  return residuals.finite && residuals.law <= tolerance && residuals.equation <= tolerance;
}

}  // namespace rigor
