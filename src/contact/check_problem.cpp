#include "contact/check_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "contact/visit_block.h"
#include "math/finite.h"

namespace rigor {
namespace {

std::string blockName(const ContactProblem& problem, std::size_t i) {
  const char* kind = visitBlock(problem.blocks[i], []<class Unit>(UnitType<Unit>) { return Unit::kName; });
  return fmt::format("block {} ({}, row {})", i, kind, problem.blocks[i].row);
}

Error defectOf(std::string element, std::string text, std::string remedy) {
  return Error(Place{{}, 0, std::move(element)}, std::move(text), std::move(remedy));
}

bool noneNegative(const std::vector<double>& values) {
  for (double value : values)
    if (!(value >= 0.0 && std::isfinite(value))) return false;
  return true;
}

bool hasFiniteMatrix(const DelassusMatrix& W) {
  if (!W.isFactored()) return allFinite(W.entries());
  const DelassusForest& forest = W.factors().forest;
  return allFinite(W.factors().A) && allFinite(W.factors().B) && allFinite(forest.shift) && allFinite(forest.own) &&
         allFinite(forest.force_columns) && allFinite(forest.motion_columns) && allFinite(forest.diagonal);
}

// As many rows as b, and a factored matrix has the blocks of its problem.
bool fitsBlocks(const ContactProblem& problem) {
  const std::size_t m = problem.b.size();
  if (!problem.W.isFactored()) return problem.W.entries().size() == m * m;
  const DelassusFactors& factors = problem.W.factors();
  if (static_cast<std::size_t>(problem.W.rows()) != m || factors.block_row.size() != problem.blocks.size() + 1)
    return false;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i)
    if (factors.block_row[i] != problem.blocks[i].row) return false;
  return true;
}

bool hasSoundParameters(const Block& block) {
  return visitBlock(block, [&]<class Unit>(UnitType<Unit>) { return Unit::isSound(block); });
}

// A law that ties several rows together has as many as its unit.
bool hasFittingRows(const Block& block) {
  return visitBlock(block, [&]<class Unit>(UnitType<Unit>) { return Unit::kRows == 1 || block.size == Unit::kRows; });
}

// Dissipation and pyramid are laws of contacts with two rows of friction.
bool hasPlainContacts(const ContactProblem& problem) {
  return std::all_of(problem.blocks.begin(), problem.blocks.end(), [&](const Block& block) {
    return visitBlock(
        block, [&]<class Unit>(UnitType<Unit>) { return !Unit::kHasFriction || Unit::kRows == FrictionCone::kRows; });
  });
}

bool hasSoundLaw(const ContactProblem& problem) {
  if (hasOtherCones(problem.law) && !hasPlainContacts(problem)) return false;
  if (problem.law == Law::kPyramid) return isSoundDirections(problem.directions);
  return problem.law != Law::kDissipation || !hasEqualRows(problem);
}

bool hasSoundScale(const ContactProblem& problem) {
  return std::isfinite(problem.velocity_scale) && problem.velocity_scale >= 0.0;
}

std::optional<Error> findSizeDefect(const ContactProblem& problem) {
  const std::size_t m = problem.b.size();
  const auto wrong = [](const char* name, std::size_t is, std::size_t should) {
    return defectOf(name, fmt::format("has {} entries where b asks for {}", is, should),
                    "W is [m × m] row-major; bias, compliance and row_error have m entries like b.");
  };
  if (problem.W.isFactored()) {
    if (!fitsBlocks(problem) || !problem.W.factors().isSound())
      return defectOf("W", "has factors that do not fit the blocks, or indices that lead nowhere",
                      "Each block needs its sides, each side freedoms of its node and a column of A and B for each.");
  } else if (problem.W.entries().size() != m * m) {
    return wrong("W", problem.W.entries().size(), m * m);
  }
  if (problem.bias.size() != m) return wrong("bias", problem.bias.size(), m);
  if (problem.compliance.size() != m) return wrong("compliance", problem.compliance.size(), m);
  if (!problem.row_error.empty() && problem.row_error.size() != m)
    return wrong("row_error", problem.row_error.size(), m);
  return std::nullopt;
}

std::optional<Error> findRowDefect(const ContactProblem& problem) {
  int next = 0;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& block = problem.blocks[i];
    if (block.size < 1 || block.row < 0 || block.size > problem.rows() - block.row)
      return defectOf(blockName(problem, i),
                      fmt::format("covers {} rows of a problem with {} rows", block.size, problem.rows()),
                      "A block needs at least one row, and all of them inside the problem.");
    if (block.row != next)
      return defectOf(blockName(problem, i), fmt::format("starts where row {} was due", next),
                      "Blocks stand in the order of their rows and cover each row exactly once.");
    if (!hasFittingRows(block))
      return defectOf(
          blockName(problem, i), fmt::format("has {} rows", block.size),
          "A contact has three: normal, tangent, tangent; with torsion a fourth, with rolling two more after "
          "that. Without friction use at_least with one row.");
    next += block.size;
  }
  if (next != problem.rows())
    return defectOf("blocks", fmt::format("cover {} of {} rows", next, problem.rows()),
                    "Every row of b belongs to exactly one block.");
  return std::nullopt;
}

std::optional<Error> findNumberDefect(const ContactProblem& problem) {
  const auto notFinite = [](const char* name) {
    return defectOf(name, "contains a value that is not finite", "Look for the step that made it: a blown-up state?");
  };
  if (!hasFiniteMatrix(problem.W)) return notFinite("W");
  if (!allFinite(problem.b)) return notFinite("b");
  if (!allFinite(problem.bias)) return notFinite("bias");
  if (!allFinite(problem.compliance)) return notFinite("compliance");
  if (!allFinite(problem.row_error)) return notFinite("row_error");
  if (!hasSoundScale(problem))
    return defectOf("velocity_scale", fmt::format("is {}", problem.velocity_scale),
                    "It is h · 1 m/s², positive and finite; without it the problem is judged by its own numbers.");
  if (hasOtherCones(problem.law) && !hasPlainContacts(problem))
    return defectOf("law", fmt::format("{} is one of contacts of three rows", lawName(problem.law)),
                    "Use coulomb, or take torsion and rolling out.");
  if (!hasSoundLaw(problem) && problem.law == Law::kDissipation)
    return defectOf("law", "dissipation is not defined where equal rows share a contact's impulse",
                    "Use coulomb or pyramid, or eliminate the equal rows first.");
  if (!hasSoundLaw(problem))
    return defectOf("directions", fmt::format("is {}", problem.directions),
                    fmt::format("The polygon of law pyramid has an even number of corners from {} to {}.",
                                kLeastDirections, kMostDirections));
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& block = problem.blocks[i];
    if (hasSoundParameters(block)) continue;
    if (visitBlock(block, []<class Unit>(UnitType<Unit>) { return Unit::kHasFriction; }))
      return defectOf(blockName(problem, i), fmt::format("friction coefficient {}", block.mu),
                      "Friction coefficients are finite and not negative.");
    return defectOf(blockName(problem, i), fmt::format("bounds [{}, {}] leave no impulse", block.lo, block.hi),
                    "The lower bound must not be above the upper one.");
  }
  for (int row = 0; row < problem.rows(); ++row)
    if (problem.compliance[row] < 0.0)
      return defectOf(fmt::format("compliance of row {}", row), fmt::format("is {}", problem.compliance[row]),
                      "A compliance is not negative: the row would push itself on.");
  for (std::size_t row = 0; row < problem.row_error.size(); ++row)
    if (problem.row_error[row] < 0.0)
      return defectOf(fmt::format("row_error of row {}", row), fmt::format("is {}", problem.row_error[row]),
                      "It is the largest error that b may have, so zero or positive.");
  return std::nullopt;
}

// Sizes whose squares are still numbers; beyond them the judge could not measure.
std::optional<Error> findRangeDefect(const ContactProblem& problem) {
  constexpr double kLargest = 1e100, kSmallest = 1e-100;
  const std::pair<const char*, const std::vector<double>*> arrays[] = {
      {"W", &problem.W.entries()}, {"W", &problem.W.factors().A}, {"W", &problem.W.factors().B},
      {"b", &problem.b},           {"bias", &problem.bias},       {"compliance", &problem.compliance}};
  for (const auto& [name, values] : arrays)
    for (const double value : *values)
      if (std::abs(value) > kLargest)
        return defectOf(name, fmt::format("holds {}, beyond {}", value, kLargest), "Use other units.");
  double fastest = 0.0;
  for (const double b : problem.b) fastest = std::max(fastest, std::abs(b));
  if (fastest > 0.0 && fastest < kSmallest && problem.velocity_scale == 0.0)
    return defectOf("b", fmt::format("holds no number above {}, the largest is {}", kSmallest, fastest),
                    "Use other units, or give a velocity_scale.");
  return std::nullopt;
}

// W = J̃ M⁻¹ Jᵀ is positive semidefinite but for how far the rows turn in a step. Where loops pass a singular pose their
// rows are not even that: the diagonal of equal rows may vanish or turn negative, so it is no measure for them.
std::optional<Error> findMatrixDefect(const ContactProblem& problem) {
  constexpr double kGross = 0.5, kRounding = 1e-6;
  const int m = problem.rows();
  const DelassusMatrix& W = problem.W;
  double largest = 0.0;
  for (int i = 0; i < m; ++i) largest = std::max(largest, std::abs(W(i, i)));
  std::vector<double> size(m, largest);
  for (const Block& block : problem.blocks) {
    if (visitBlock(block, []<class Unit>(UnitType<Unit>) { return Unit::kEquation; })) continue;
    for (int i = block.row; i < block.row + block.size; ++i) {
      size[i] = std::abs(W(i, i));
      if (W(i, i) < -kRounding * largest)
        return defectOf(fmt::format("W[{}][{}]", i, i), fmt::format("is {}, negative", W(i, i)),
                        "An impulse along a row cannot push that row back: check signs, W = J M⁻¹ Jᵀ.");
    }
  }
  if (W.isFactored()) return std::nullopt;  // rows of a step, which may turn
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < i; ++j)
      if (std::abs(W(i, j) - W(j, i)) > kGross * std::sqrt(size[i] * size[j]) + kRounding * largest)
        return defectOf(fmt::format("W[{}][{}]", i, j),
                        fmt::format("is {}, but W[{}][{}] is {}", W(i, j), j, i, W(j, i)),
                        "W = J M⁻¹ Jᵀ is symmetric: use (W + Wᵀ)/2 if the difference means nothing, or write "
                        "\"unsymmetric\": true if rows really turn that far within a step.");
  return std::nullopt;
}

}  // namespace

bool hasSoundBlocks(const ContactProblem& problem) {
  const std::size_t m = problem.b.size();
  if (!fitsBlocks(problem) || problem.bias.size() != m || problem.compliance.size() != m) return false;
  if ((!problem.row_error.empty() && problem.row_error.size() != m) || !hasSoundScale(problem)) return false;
  int next = 0;
  for (const Block& block : problem.blocks) {
    if (block.row != next || block.size < 1 || block.size > problem.rows() - next) return false;
    const bool sound = visitBlock(block, [&]<class Unit>(UnitType<Unit>) {
      return (Unit::kRows == 1 || block.size == Unit::kRows) && Unit::isSound(block);
    });
    if (!sound) return false;
    next += block.size;
  }
  return next == problem.rows() && hasSoundLaw(problem) && allFinite(problem.bias) &&
         noneNegative(problem.compliance) && noneNegative(problem.row_error);
}

bool hasSoundNumbers(const ContactProblem& problem) {
  return hasFiniteMatrix(problem.W) && allFinite(problem.b) && allFinite(problem.bias) &&
         noneNegative(problem.compliance) && noneNegative(problem.row_error) && hasSoundScale(problem);
}

std::optional<Error> findDefect(const ContactProblem& problem, bool symmetric) {
  if (auto defect = findSizeDefect(problem)) return defect;
  if (auto defect = findRowDefect(problem)) return defect;
  if (auto defect = findNumberDefect(problem)) return defect;
  if (auto defect = findRangeDefect(problem)) return defect;
  return symmetric ? findMatrixDefect(problem) : std::nullopt;
}

void checkProblem(const ContactProblem& problem) {
  if (const auto defect = findDefect(problem)) throw *defect;
}

}  // namespace rigor
