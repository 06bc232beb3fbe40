#include "contact/judge.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "contact/check_problem.h"
#include "contact/row_product.h"
#include "contact/visit_block.h"

namespace rigor {
namespace {

constexpr double kFloor = 8.0 * std::numeric_limits<double>::epsilon();
constexpr double kCeiling = 1e-6;       // of the scale: more than this no rounding excuses
constexpr double kZeroBlock = 1e-6;     // of the largest |b|: least scale of a block where there is no absolute one
constexpr double kLeastScale = 1e-150;  // its square is still a number

double square(double x) { return x * x; }

Residuals refused() {
  Residuals residuals;
  residuals.finite = false;
  residuals.law = residuals.plain_law = residuals.equation = std::numeric_limits<double>::infinity();
  return residuals;
}

// Size of the free velocities, or of the biases where those are all zero. Does not depend on λ.
double largestVelocity(const ContactProblem& problem) {
  double largest = 0.0;
  for (const double b : problem.b) largest = std::max(largest, std::abs(b));
  if (largest > 0.0) return largest;
  for (const double bias : problem.bias) largest = std::max(largest, std::abs(bias));
  return largest;
}

// What the rows of one block say, as squared norms: most blocks are clean, and then no root is needed.
struct BlockSums {
  double residual = 0.0;  // r_i²
  double free = 0.0;      // |b_i|²
  double response = 0.0;  // |(Wλ)_i|²
  double rounding = 0.0;  // |8·eps·Σ_j |W_ij||λ_j||²
  double capped = 0.0;    // the same with the known error of b: what the ceiling limits
  double floor = 0.0;     // the same with the known error of u too
  double known = 0.0;     // |known error of u|² alone
  double mismatch = 0.0;  // |u_i − (Wλ + b)_i|²
  double shift = 0.0;     // what û adds to u: looked at for being a number only, an open contact hides it
};

// Known errors of a row: of b (with the problem) and of u (read from positions); null where there is none.
struct KnownErrors {
  const double *of_b, *of_u;
};

// With kOwnVelocity the velocity is written (u = Wλ + b), else it is compared. Without kErrors there are none known, and
// capped and floor stay behind rounding.
template <bool kOwnVelocity, bool kErrors, class Velocity>
inline void addRow(double b, const RowProduct& product, const KnownErrors& errors, int row, Velocity& velocity,
                   BlockSums& sums) {
  const double right = product.value + b;
  const double rounding = kFloor * product.magnitude;
  sums.free += square(b);
  sums.response += square(product.value);
  sums.rounding += square(rounding);
  if constexpr (kErrors) {
    const double of_b = errors.of_b ? errors.of_b[row] : 0.0, of_u = errors.of_u ? errors.of_u[row] : 0.0;
    sums.capped += square(rounding + of_b);
    sums.floor += square(rounding + of_b + of_u);
    sums.known += square(of_u);
  }
  if constexpr (kOwnVelocity)
    velocity = right;
  else
    sums.mismatch += square(velocity - right);
}

template <class Unit, bool kOwnVelocity, bool kErrors, class Velocity>
inline BlockSums sumBlock(const ContactProblem& problem, const Block& block, double w, const double* impulse,
                          Velocity* velocity, const KnownErrors& errors) {
  const double* b = problem.b.data();
  BlockSums sums;
  forEachFirstRow<Unit>(block, [&](int first) {
    RowProduct products[Unit::kRows];
    multiplyRows<Unit::kRows>(problem.W, first, impulse, products);
    for (int r = 0, row = first; r < Unit::kRows; ++r, ++row)
      addRow<kOwnVelocity, kErrors>(b[row], products[r], errors, row, velocity[row], sums);
    sums.shift += Unit::numbersOf(problem, first);
    sums.residual += Unit(problem, block, first).residual(impulse + first, velocity + first, w);
  });
  return sums;
}

// A floor has a ceiling: impulses of 1e12 in a jam would excuse any error. Beyond it the product Wλ is not known well
// enough to judge by, however small the residual came out.
void limitFloor(double ceiling, BlockSums& sums) {
  if (sums.capped > ceiling) sums.floor = square(std::sqrt(ceiling) + std::sqrt(sums.known));
  if (sums.rounding > ceiling) sums.residual = std::max(sums.residual, sums.rounding);
}

// The part of a squared norm's root above the floor, in units of the block's scale; both squared too.
double excess(double squared, double floor_squared, double scale_squared) {
  return squared > floor_squared ? (std::sqrt(squared) - std::sqrt(floor_squared)) / std::sqrt(scale_squared) : 0.0;
}

template <bool kOwnVelocity, bool kErrors, class Velocity>
Residuals judgeBlocks(const ContactProblem& problem, const double* impulse, Velocity* velocity,
                      const KnownErrors& errors) {
  const bool absolute = problem.velocity_scale != 0.0;
  const double least_scale = square(std::max(kLeastScale, leastScale(problem)));
  const double least_ceiling = absolute ? least_scale : square(std::max(kLeastScale, largestVelocity(problem)));
  double substitute = 0.0, sum = problem.velocity_scale, natural_map = 0.0, law = -1.0, plain = 0.0;
  double worst_floor = 0.0, worst_scale = 1.0;
  Residuals out;
  int index = 0;
  for (const Block& block : problem.blocks) {
    double w = blockScale(problem, block);
    if (!(w > 0.0)) {
      if (substitute == 0.0) substitute = substituteScale(problem);
      w = substitute;
    }
    BlockSums sums = visitBlock(block, [&]<class Unit>(UnitType<Unit>) {
      return sumBlock<Unit, kOwnVelocity, kErrors>(problem, block, w, impulse, velocity, errors);
    });
    if constexpr (!kErrors) sums.capped = sums.floor = sums.rounding;
    const double own = std::max(sums.free, sums.response), scale = std::max(own, least_scale);
    sum += sums.residual + sums.free + sums.response + sums.floor + sums.mismatch + sums.shift;
    natural_map = std::max(natural_map, sums.residual);
    plain = std::max(plain, std::max(sums.residual, sums.mismatch) / scale);
    limitFloor(square(kCeiling) * std::max(own, least_ceiling), sums);
    const double block_law = excess(sums.residual, sums.floor, scale);
    if (block_law > law) {
      law = block_law;
      out.worst_block = index;
      worst_floor = sums.floor;
      worst_scale = scale;
    }
    if constexpr (!kOwnVelocity) out.equation = std::max(out.equation, excess(sums.mismatch, sums.floor, scale));
    ++index;
  }
  if (!std::isfinite(sum)) return refused();  // no max() on the way: NaN and infinity arrive here
  out.law = std::max(law, 0.0);
  out.plain_law = std::sqrt(plain);
  out.natural_map = std::sqrt(natural_map);
  out.floor = std::sqrt(worst_floor / worst_scale);
  return out;
}

template <bool kOwnVelocity, class Velocity>
Residuals judgeBlocks(const ContactProblem& problem, const double* impulse, Velocity* velocity,
                      const double* known_error) {
  const KnownErrors errors{problem.row_error.empty() ? nullptr : problem.row_error.data(), known_error};
  if (errors.of_b || errors.of_u) return judgeBlocks<kOwnVelocity, true>(problem, impulse, velocity, errors);
  return judgeBlocks<kOwnVelocity, false>(problem, impulse, velocity, errors);
}

// Numbers that are reported but not gated.
void addReported(const ContactProblem& problem, const ContactSolution& solution, Residuals& out) {
  constexpr double kNothing = -std::numeric_limits<double>::infinity();
  out.dissipation = kNothing;
  for (const Block& block : problem.blocks) {
    const double w = blockScale(problem, block);
    forEachUnit(problem, block, [&](const auto& unit, int row) {
      unit.report(&solution.impulse[row], &solution.velocity[row], w, out);
    });
  }
  if (out.dissipation == kNothing) out.dissipation = 0.0;  // no contact
}

}  // namespace

double substituteScale(const ContactProblem& problem) {
  double largest = 0.0;
  for (const Block& block : problem.blocks) largest = std::max(largest, blockScale(problem, block));
  return largest > 0.0 ? largest : 1.0;
}

double leastScale(const ContactProblem& problem) {
  return problem.velocity_scale != 0.0 ? problem.velocity_scale : kZeroBlock * largestVelocity(problem);
}

Residuals judgeLaw(const ContactProblem& problem, const double* impulse, const double* velocity,
                   const double* known_error, double tolerance) {
  assert(hasFittingSizes(problem) && "who is judged was checked: b, W and the blocks have the same rows");
  Residuals residuals = judgeBlocks<false>(problem, impulse, velocity, known_error);
  residuals.by_floor = needsFloor(residuals, tolerance);
  return residuals;
}

Residuals judgeImpulse(const ContactProblem& problem, const double* impulse, double* velocity) {
  assert(hasFittingSizes(problem) && "who is judged was checked: b, W and the blocks have the same rows");
  return judgeBlocks<true>(problem, impulse, velocity, nullptr);
}

Residuals judge(const ContactProblem& problem, const ContactSolution& solution, double tolerance) {
  const std::size_t m = problem.b.size();
  if (!hasSoundBlocks(problem) || !hasSoundNumbers(problem) || solution.impulse.size() != m ||
      solution.velocity.size() != m)
    return refused();
  Residuals residuals = judgeLaw(problem, solution.impulse.data(), solution.velocity.data(), nullptr, tolerance);
  if (residuals.finite) addReported(problem, solution, residuals);
  return residuals;
}

bool accepts(const Residuals& residuals, double tolerance) {
  return residuals.finite && residuals.law <= tolerance && residuals.equation <= tolerance;
}

bool needsFloor(const Residuals& residuals, double tolerance) {
  return accepts(residuals, tolerance) && residuals.plain_law > tolerance;
}

}  // namespace rigor
