#include "contact/certificate.h"

#include <algorithm>
#include <cmath>

#include "contact/check_problem.h"
#include "contact/judge.h"
#include "contact/visit_block.h"

namespace rigor {
namespace {

constexpr double kRounding = 1e-12;
constexpr double kStronger = 1e3;

// Each row has the sign that its law asks for.
bool hasRightSigns(const ContactProblem& problem, const std::vector<double>& f) {
  bool right = true;
  for (const double value : f) right = right && std::isfinite(value);
  for (const Block& block : problem.blocks)
    forEachUnit(problem, block, [&](const auto& unit, int row) { right = right && unit.mayProve(&f[row]); });
  return right;
}

// (W f)_i and (Wᵀ f)_i, and the size that rounding is compared with.
struct Response {
  double moved = 0.0, felt = 0.0, size = 0.0;
};

Response respond(const ContactProblem& problem, const std::vector<double>& f, int i) {
  const DelassusMatrix& W = problem.W;
  Response response;
  for (int j = 0; j < W.rows(); ++j) {
    if (f[j] == 0.0) continue;
    response.moved += W(i, j) * f[j];
    response.felt += W(j, i) * f[j];
    const double together = std::sqrt(std::abs(W(i, i)) * std::abs(W(j, j)));
    response.size += std::max({together, std::abs(W(i, j)), std::abs(W(j, i))}) * std::abs(f[j]);
  }
  return response;
}

double blockSpeed(const ContactProblem& problem, const Block& block) {
  double speed = 0.0;
  for (int row = block.row; row < block.row + block.size; ++row) speed = std::hypot(speed, problem.b[row]);
  return std::max(speed, leastScale(problem));
}

}  // namespace

bool provesNoSolution(const ContactProblem& problem, const std::vector<double>& f) {
  if (f.size() != problem.b.size() || !hasSoundBlocks(problem) || !hasSoundNumbers(problem)) return false;
  if (!hasRightSigns(problem, f)) return false;
  double largest = 0.0;
  for (int row = 0; row < problem.rows(); ++row) largest = std::max(largest, problem.W(row, row));
  double approach = 0.0, uncertain = 0.0;
  for (const Block& block : problem.blocks) {
    const double speed = blockSpeed(problem, block);
    const bool biased = visitBlock(block, []<class Unit>(UnitType<Unit>) { return !Unit::kEquation; });
    for (int row = block.row; row < block.row + block.size; ++row) {
      const Response response = respond(problem, f, row);
      const double limit = kRounding * response.size;
      if (!(std::abs(response.moved) <= limit && std::abs(response.felt) <= limit)) return false;
      const double alone = speed / std::max(problem.W(row, row), 1e-14 * largest);
      if (response.felt != 0.0) uncertain += kStronger * alone * std::abs(response.felt);
      const double bias = biased ? problem.bias[row] : 0.0;
      approach += f[row] * (problem.b[row] + bias);
      uncertain += kRounding * std::abs(f[row]) * (std::abs(problem.b[row]) + std::abs(bias));
      if (!problem.row_error.empty()) uncertain += std::abs(f[row]) * problem.row_error[row];
    }
  }
  return approach < -uncertain;
}

}  // namespace rigor
