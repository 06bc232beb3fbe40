#include "solvers/iterate.h"

#include <algorithm>
#include <cmath>

#include "contact/judge.h"
#include "contact/row_product.h"
#include "contact/visit_block.h"

namespace rigor {

void Iterate::resize(int rows) {
  impulse.resize(rows);
  velocity.resize(rows);
  modes.resize(rows);
}

void computeVelocity(const ContactProblem& problem, Iterate& iterate) {
  const double *impulse = iterate.impulse.data(), *b = problem.b.data();
  if (problem.W.isFactored()) return problem.W.multiplyAdd(impulse, b, iterate.velocity.data());
  multiplyAdd(problem.W, impulse, b, iterate.velocity.data());
}

void judgeIterate(const ContactProblem& problem, Iterate& iterate) {
  iterate.residuals = judgeImpulse(problem, iterate.impulse.data(), iterate.velocity.data());
}

void classifyModes(const ContactProblem& problem, Iterate& iterate) {
  for (const Block& block : problem.blocks) {
    const double w = std::max(blockScale(problem, block), 1e-300);
    forEachUnitByLaw(problem, block, [&](const auto& unit, int row) {
      iterate.modes[row] = unit.classify(&iterate.impulse[row], &iterate.velocity[row], w);
    });
  }
}

void projectImpulse(const ContactProblem& problem, std::vector<double>& impulse) {
  forEachUnitByLaw(problem, [&](const auto& unit, int row) { unit.project(&impulse[row]); });
}

bool removePulls(const ContactProblem& problem, std::vector<double>& impulse) {
  bool any = false;
  forEachUnitByLaw(problem, [&](const auto& unit, int row) { any = unit.removePull(&impulse[row]) || any; });
  return any;
}

void importModes(const ContactProblem& problem, const ContactSolution& solution, Iterate& iterate) {
  std::size_t i = 0;
  for (const Block& block : problem.blocks) {
    const ContactMode mode = solution.modes[i++];
    forEachUnit(problem, block, [&](const auto& unit, int row) {
      iterate.modes[row] = unit.modeInBlock(mode, block.size, &iterate.impulse[row]);
    });
  }
}

void exportModes(const ContactProblem& problem, const Iterate& iterate, ContactSolution& solution) {
  std::size_t i = 0;
  for (const Block& block : problem.blocks) {
    ContactMode mode = ContactMode::kOpen;
    forEachUnit(problem, block, [&](const auto&, int row) { mode = std::max(mode, iterate.modes[row]); });
    solution.modes[i++] = mode;
  }
}

}  // namespace rigor
