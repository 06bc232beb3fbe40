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

// w of a block, also where nothing can move it.
double positiveScale(const ContactProblem& problem, const Block& block) {
  const double w = blockScale(problem, block);
  return w > 0.0 ? w : substituteScale(problem);
}

const double* errorsOfB(const ContactProblem& problem) {
  return problem.row_error.empty() ? nullptr : problem.row_error.data();
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

// Known errors of a row: of b (with the problem) and of u (read from positions). Which of them there are is a type, so
// that no row asks.
template <bool kOfB, bool kOfU>
struct KnownErrors {
  static constexpr bool kFromPositions = kOfU;
  const double *of_b, *of_u;

  void add(int row, double rounding, BlockSums& sums) const {
    if constexpr (kOfB) rounding += of_b[row], sums.capped += square(rounding);
    if constexpr (kOfU) sums.floor += square(rounding + of_u[row]), sums.known += square(of_u[row]);
  }
  // The sums that nothing was added to are those of the shorter list.
  void complete(BlockSums& sums) const {
    if constexpr (!kOfB) sums.capped = sums.rounding;
    if constexpr (!kOfU) sums.floor = sums.capped;
  }
};

// Wλ row by row as it is asked for, or all at once: what is cheaper depends on how W is stored.
struct DenseProducts {
  const DelassusMatrix& W;
  const double* impulse;

  template <int kRows>
  void read(int first, RowProduct out[kRows]) const {
    multiplyRows<kRows>(W, first, impulse, out);
  }
  template <int kRows>
  void read(int first, double out[kRows]) const {
    multiplyRows<kRows>(W, first, impulse, out);
  }
};
struct FactoredProducts {
  DelassusMatrix::Products products;

  template <int kRows>
  void read(int first, RowProduct out[kRows]) const {
    for (int r = 0; r < kRows; ++r) out[r] = {products.sum[first + r], products.magnitude[first + r]};
  }
  template <int kRows>
  void read(int first, double out[kRows]) const {
    for (int r = 0; r < kRows; ++r) out[r] = products.sum[first + r];
  }
};

// f(products) with those of the form that W has.
template <class F>
auto withProducts(const ContactProblem& problem, const double* impulse, bool with_magnitude, F&& f) {
  if (!problem.W.isFactored()) return f(DenseProducts{problem.W, impulse});
  return f(FactoredProducts{problem.W.multiplyInside(impulse, with_magnitude)});
}

// With kOwnVelocity the velocity is written (u = Wλ + b), else it is compared.
template <class Unit, bool kOwnVelocity, class Errors, class Velocity, class WTimesImpulse>
inline BlockSums sumBlock(const ContactProblem& problem, const Block& block, double w, const double* impulse,
                          Velocity* velocity, const Errors& errors, const WTimesImpulse& response) {
  const double* b = problem.b.data();
  BlockSums sums;
  Pair response_and_rounding{0.0, 0.0};
  forEachFirstRow<Unit>(block, [&](int first) {
    RowProduct products[Unit::kRows];
    response.template read<Unit::kRows>(first, products);
    for (int r = 0, row = first; r < Unit::kRows; ++r, ++row) {
      const Pair scaled = products[r] * Pair{1.0, kFloor};
      response_and_rounding += scaled * scaled;
      sums.free += square(b[row]);
      errors.add(row, scaled.lane(1), sums);
      const double right = products[r].lane(0) + b[row];
      if constexpr (kOwnVelocity)
        velocity[row] = right;
      else
        sums.mismatch += square(velocity[row] - right);
    }
    sums.shift += Unit::numbersOf(problem, first);
    sums.residual += Unit(problem, block, first).residual(impulse + first, velocity + first, w);
  });
  sums.response = response_and_rounding.lane(0);
  sums.rounding = response_and_rounding.lane(1);
  errors.complete(sums);
  return sums;
}

// The same sums as far as the plain law needs them, without magnitudes.
template <class Unit, class WTimesImpulse>
inline BlockSums sumPlainly(const ContactProblem& problem, const Block& block, double w, const double* impulse,
                            double* velocity, const WTimesImpulse& response) {
  const double* b = problem.b.data();
  BlockSums sums;
  forEachFirstRow<Unit>(block, [&](int first) {
    double products[Unit::kRows];
    response.template read<Unit::kRows>(first, products);
    for (int r = 0, row = first; r < Unit::kRows; ++r, ++row) {
      sums.free += square(b[row]);
      sums.response += square(products[r]);
      velocity[row] = products[r] + b[row];
    }
    sums.shift += Unit::numbersOf(problem, first);
    sums.residual += Unit(problem, block, first).residual(impulse + first, velocity + first, w);
  });
  return sums;
}

// The same for blocks that are rare, out of the way of the others.
template <class Unit, bool kOwnVelocity, class... Arguments>
[[gnu::noinline]] BlockSums sumLargeBlock(const Arguments&... arguments) {
  return sumBlock<Unit, kOwnVelocity>(arguments...);
}

template <class Unit, class... Arguments>
[[gnu::noinline]] BlockSums sumLargePlainly(const Arguments&... arguments) {
  return sumPlainly<Unit>(arguments...);
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

// What is left without the floor of impulses, squared; whatever is not above `known` need not be exact. A velocity that is read from
// positions is known to their rounding only, and need not be Wλ + b: gaps are curved.
template <bool kFromPositions>
double plainLaw(const BlockSums& sums, double scale, double known) {
  if constexpr (!kFromPositions) return std::max(sums.residual, sums.mismatch) / scale;
  return sums.residual <= known * scale ? 0.0 : square(excess(sums.residual, sums.known, scale));
}

// f with the unit type of a block. Which of the two forms it is asked in is decided once per judgement, so that Coulomb's
// law costs no question per block.
struct ByCoulomb {
  template <class F>
  static decltype(auto) visit(const ContactProblem&, const Block& block, F&& f) {
    return visitBlock(block, f);
  }
};
struct ByLaw {
  template <class F>
  static decltype(auto) visit(const ContactProblem& problem, const Block& block, F&& f) {
    return visitByLaw(problem.law, block, f);
  }
};
template <class F>
decltype(auto) withLaw(const ContactProblem& problem, F&& f) {
  return hasOtherCones(problem.law) ? f(ByLaw()) : f(ByCoulomb());
}

template <bool kOwnVelocity, class Rule, class Errors, class Velocity, class WTimesImpulse>
Residuals judgeBlocks(const ContactProblem& problem, const double* impulse, Velocity* velocity, const Errors& errors,
                      const WTimesImpulse& response) {
  const bool absolute = problem.velocity_scale != 0.0;
  const double least_scale = square(std::max(kLeastScale, leastScale(problem)));
  const double least_ceiling = absolute ? least_scale : square(std::max(kLeastScale, largestVelocity(problem)));
  double sum = problem.velocity_scale, natural_map = 0.0, law = -1.0, plain = 0.0;
  double beaten = -1.0;  // a little less than law²: what is no larger cannot be the worst, and needs no roots
  double worst_floor = 0.0, worst_scale = 1.0;
  Residuals out;
  int index = 0;
  for (const Block& block : problem.blocks) {
    const double w = positiveScale(problem, block);
    BlockSums sums = Rule::visit(problem, block, [&]<class Unit>(UnitType<Unit>) {
      if constexpr (Unit::kRows > 3)
        return sumLargeBlock<Unit, kOwnVelocity>(problem, block, w, impulse, velocity, errors, response);
      else
        return sumBlock<Unit, kOwnVelocity>(problem, block, w, impulse, velocity, errors, response);
    });
    const double own = std::max(sums.free, sums.response), scale = std::max(own, least_scale);
    sum += sums.residual + sums.free + sums.response + sums.floor + sums.mismatch + sums.shift;
    natural_map = std::max(natural_map, sums.residual);
    plain = std::max(plain, plainLaw<Errors::kFromPositions>(sums, scale, plain));
    limitFloor(square(kCeiling) * std::max(own, least_ceiling), sums);
    const double block_law = sums.residual <= beaten * scale ? 0.0 : excess(sums.residual, sums.floor, scale);
    if (block_law > law) {
      law = block_law;
      beaten = std::min((1.0 - 1e-12) * square(law), 1e300);
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

// Numbers that are reported but not gated.
void addReported(const ContactProblem& problem, const ContactSolution& solution, Residuals& out) {
  constexpr double kNothing = -std::numeric_limits<double>::infinity();
  out.dissipation = kNothing;
  for (const Block& block : problem.blocks) {
    const double w = blockScale(problem, block);
    visitByLaw(problem.law, block, [&]<class Unit>(UnitType<Unit>) {
      forEachFirstRow<Unit>(block, [&](int row) {
        Unit(problem, block, row).report(&solution.impulse[row], &solution.velocity[row], w, out);
      });
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
  const auto judged = [&](const auto& errors) {
    return withProducts(problem, impulse, true, [&](const auto& response) {
      return withLaw(problem, [&]<class Rule>(Rule) {
        return judgeBlocks<false, Rule>(problem, impulse, velocity, errors, response);
      });
    });
  };
  const double* of_b = errorsOfB(problem);
  Residuals residuals = of_b && known_error ? judged(KnownErrors<true, true>{of_b, known_error})
                        : of_b              ? judged(KnownErrors<true, false>{of_b, nullptr})
                        : known_error       ? judged(KnownErrors<false, true>{nullptr, known_error})
                                            : judged(KnownErrors<false, false>{});
  residuals.by_floor = needsFloor(residuals, tolerance);
  return residuals;
}

Residuals judgeImpulse(const ContactProblem& problem, const double* impulse, double* velocity) {
  assert(hasFittingSizes(problem) && "who is judged was checked: b, W and the blocks have the same rows");
  const auto judged = [&](const auto& errors) {
    return withProducts(problem, impulse, true, [&](const auto& response) {
      return withLaw(problem, [&]<class Rule>(Rule) {
        return judgeBlocks<true, Rule>(problem, impulse, velocity, errors, response);
      });
    });
  };
  const double* of_b = errorsOfB(problem);
  return of_b ? judged(KnownErrors<true, false>{of_b, nullptr}) : judged(KnownErrors<false, false>{});
}

bool confirm(const ContactProblem& problem, double tolerance, const double* impulse, double* velocity,
             Residuals& residuals) {
  constexpr double kStrong = 4.0;  // the floor is eight units in the last place of Σ|W||λ|; a sum loses one or two
  constexpr double kNear = 0.5;    // of the limit
  const bool near = residuals.law > kNear * tolerance;
  const bool strong =
      std::any_of(problem.blocks.begin(), problem.blocks.end(), [](const Block& block) { return block.mu > kStrong; });
  if (!(near || strong) || problem.W.isFactored()) return true;
  const int m = problem.rows();
  for (int i = 0; i < m; ++i) {
    long double sum = problem.b[i];
    for (int j = 0; j < m; ++j) sum += static_cast<long double>(problem.W(i, j)) * impulse[j];
    velocity[i] = static_cast<double>(sum);
  }
  residuals = judgeLaw(problem, impulse, velocity, nullptr, tolerance);
  return accepts(residuals, tolerance);
}

Residuals judgeAnswer(const ContactProblem& problem, double tolerance, const double* impulse, double* velocity) {
  Residuals residuals = judgeImpulse(problem, impulse, velocity);
  if (accepts(residuals, tolerance)) confirm(problem, tolerance, impulse, velocity, residuals);
  return residuals;
}

double judgePlainly(const ContactProblem& problem, const double* impulse, double* velocity) {
  assert(hasFittingSizes(problem) && "who is judged was checked: b, W and the blocks have the same rows");
  const double least_scale = square(std::max(kLeastScale, leastScale(problem)));
  double sum = problem.velocity_scale, plain = 0.0;
  withProducts(problem, impulse, false, [&](const auto& response) {
    withLaw(problem, [&]<class Rule>(Rule) {
      for (const Block& block : problem.blocks) {
        const double w = positiveScale(problem, block);
        const BlockSums sums = Rule::visit(problem, block, [&]<class Unit>(UnitType<Unit>) {
          if constexpr (Unit::kRows > 3)
            return sumLargePlainly<Unit>(problem, block, w, impulse, velocity, response);
          else
            return sumPlainly<Unit>(problem, block, w, impulse, velocity, response);
        });
        sum += sums.residual + sums.free + sums.response + sums.shift;
        plain = std::max(plain, sums.residual / std::max(std::max(sums.free, sums.response), least_scale));
      }
    });
  });
  return std::isfinite(sum) ? std::sqrt(plain) : std::numeric_limits<double>::infinity();
}

Residuals judge(const ContactProblem& problem, const ContactSolution& solution, double tolerance) {
  const std::size_t m = problem.b.size();
  if (!hasSoundBlocks(problem) || !hasSoundNumbers(problem) || solution.impulse.size() != m ||
      solution.velocity.size() != m)
    return refused();
  Residuals residuals = judgeLaw(problem, solution.impulse.data(), solution.velocity.data(), nullptr, tolerance);
  if (residuals.finite) addReported(problem, solution, residuals);
  residuals.law_gap = residuals.law;
  if (residuals.finite && problem.law != Law::kCoulomb) {
    ContactProblem by_coulomb = problem;
    by_coulomb.law = Law::kCoulomb;
    residuals.law_gap = judgeLaw(by_coulomb, solution.impulse.data(), solution.velocity.data()).law;
  }
  return residuals;
}

bool accepts(const Residuals& residuals, double tolerance) {
  return residuals.finite && residuals.law <= tolerance && residuals.equation <= tolerance;
}

bool needsFloor(const Residuals& residuals, double tolerance) {
  return accepts(residuals, tolerance) && residuals.plain_law > tolerance;
}

}  // namespace rigor
