#include "solvers/iterate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/cones.h"
#include "contact/judge.h"
#include "contact/row_product.h"

namespace rigor {

void Iterate::resize(int rows) {
  impulse.resize(rows);
  velocity.resize(rows);
  modes.resize(rows);
}

void computeVelocity(const ContactProblem& problem, Iterate& iterate) {
  multiplyAdd(problem.W, iterate.impulse.data(), problem.b.data(), iterate.velocity.data());
}

void judgeIterate(const ContactProblem& problem, Iterate& iterate) {
  iterate.residuals = judgeImpulse(problem, iterate.impulse.data(), iterate.velocity.data());
}

void classifyModes(const ContactProblem& problem, Iterate& iterate) {
  for (const Block& block : problem.blocks) {
    const double* impulse = iterate.impulse.data() + block.row;
    const double* u = iterate.velocity.data() + block.row;
    ContactMode* mode = iterate.modes.data() + block.row;
    const double w = std::max(blockScale(problem, block), 1e-300);
    if (block.kind == BlockKind::kContact) {
      // The side of λ − û/w on which the law switches.
      const double pull = impulse[0] - (u[0] + problem.bias[block.row]) / w;
      const double reach = std::hypot(impulse[1] - u[1] / w, impulse[2] - u[2] / w);
      mode[0] = pull <= 0.0 ? ContactMode::kOpen : reach < block.mu * pull ? ContactMode::kStick : ContactMode::kSlip;
      continue;
    }
    for (int r = 0; r < block.size; ++r) {
      const int row = block.row + r;
      if (block.kind == BlockKind::kAtLeast) {
        mode[r] = impulse[r] - (u[r] + problem.bias[row]) / w > 0.0 ? ContactMode::kStick : ContactMode::kOpen;
      } else {
        const double target = impulse[r] - (u[r] + problem.bias[row] + problem.compliance[row] * impulse[r]) / w;
        mode[r] = target > block.lo && target < block.hi ? ContactMode::kStick : ContactMode::kSlip;
      }
    }
  }
}

void projectImpulse(const ContactProblem& problem, std::vector<double>& impulse) {
  for (const Block& block : problem.blocks) {
    double* x = impulse.data() + block.row;
    if (block.kind == BlockKind::kContact) projectOnFrictionCone(block.mu, x);
    for (int r = 0; r < block.size; ++r) {
      if (block.kind == BlockKind::kAtLeast) x[r] = projectOnHalfLine(x[r]);
      if (block.kind == BlockKind::kBox) x[r] = projectOnInterval(block.lo, block.hi, x[r]);
    }
  }
}

bool removePulls(const ContactProblem& problem, std::vector<double>& impulse) {
  bool any = false;
  for (const Block& block : problem.blocks) {
    double* x = impulse.data() + block.row;
    if (block.kind == BlockKind::kContact && x[0] < 0.0) {
      projectOnFrictionCone(block.mu, x);
      any = true;
    }
    if (block.kind == BlockKind::kContact) continue;
    const double lo = block.kind == BlockKind::kBox ? block.lo : 0.0;
    const double hi = block.kind == BlockKind::kBox ? block.hi : std::numeric_limits<double>::infinity();
    for (int r = 0; r < block.size; ++r) {
      const double inside = projectOnInterval(lo, hi, x[r]);
      any = any || inside != x[r];
      x[r] = inside;
    }
  }
  return any;
}

void importModes(const ContactProblem& problem, const ContactSolution& solution, Iterate& iterate) {
  std::size_t i = 0;
  for (const Block& block : problem.blocks) {
    const ContactMode mode = solution.modes[i++];
    for (int row = block.row; row < block.row + block.size; ++row) {
      iterate.modes[row] = mode;
      // One mode for several limits says only that one of them acts: the impulse says which.
      if (block.kind == BlockKind::kAtLeast && block.size > 1 && iterate.impulse[row] <= 0.0)
        iterate.modes[row] = ContactMode::kOpen;
    }
  }
}

void exportModes(const ContactProblem& problem, const Iterate& iterate, ContactSolution& solution) {
  std::size_t i = 0;
  for (const Block& block : problem.blocks) {
    ContactMode mode = iterate.modes[block.row];
    if (block.kind != BlockKind::kContact)
      for (int r = 1; r < block.size; ++r) mode = std::max(mode, iterate.modes[block.row + r]);
    solution.modes[i++] = mode;
  }
}

}  // namespace rigor
