#include "event/mode_problem.h"

#include <algorithm>
#include <cmath>

namespace rigor {
namespace {

int rowsOf(const Held& held) { return held.how == Hold::kEdge ? 3 : held.rows; }

Block blockOf(const Held& held, int row) {
  Block block{.row = row, .size = rowsOf(held), .id = held.id};
  if (held.isLoop()) {
    block.kind = BlockKind::kEqual;
  } else if (held.rubs()) {
    block.kind = BlockKind::kBox, block.lo = -held.bound, block.hi = held.bound;
  } else if (held.how == Hold::kStick) {
    block.kind = BlockKind::kContact, block.mu = held.mu;
  } else if (held.how == Hold::kEdge) {
    block.kind = BlockKind::kContact, block.mu = held.mu * held.polygon->half_side;
  } else {
    block.kind = BlockKind::kAtLeast;
  }
  return block;
}

/// The forces of the last piece, where it knew them.
void recall(const Memory& memory, const std::vector<Held>& held, ModeProblem& scratch) {
  for (const Held& one : held) {
    const BlockMemory* block = findBlock(memory, one.id);
    if (!block) continue;
    for (int r = 0; r < std::min(one.rows, block->rows); ++r)
      scratch.solution.impulse[scratch.row_of[one.first + r]] = block->impulse[r];
  }
}

/// Forces in directions that nothing can move in, as across a planar chain, may be anything: none.
void dropIdle(const std::vector<Held>& held, const ModeProblem& scratch, ContactSolution& solution) {
  constexpr double kIdle = 1e-12;  // of the most movable row
  double largest = 0.0;
  for (Eigen::Index r = 0; r < scratch.W.rows(); ++r) largest = std::max(largest, std::fabs(scratch.W(r, r)));
  for (const Held& one : held)
    for (int r = one.first + 1; one.how == Hold::kStick && r < one.first + one.rows; ++r)
      if (std::fabs(scratch.W(r, r)) <= kIdle * largest) solution.impulse[scratch.row_of[r]] = 0.0;
}

}  // namespace

void writeModeProblem(const StepTask& task, const HeldMotion& motion, ModeProblem& out) {
  motion.writeMatrix(out.W);
  if (motion.rows() > 0) out.b = motion.problemVelocity();
  ContactProblem& problem = out.problem;
  problem.law = task.options.law, problem.directions = task.options.directions;
  problem.velocity_scale = kModeScale;
  problem.blocks.clear(), out.row_of.clear();
  int rows = 0;
  for (const Held& one : motion.held) {
    problem.blocks.push_back(blockOf(one, rows));
    for (int r = 0; r < one.rows; ++r) out.row_of.push_back(rows + r);
    rows += rowsOf(one);
  }
  problem.W.setZero(rows);
  problem.b.assign(rows, 0.0), problem.bias.assign(rows, 0.0), problem.compliance.assign(rows, 0.0);
  for (int r = 0; r < motion.rows(); ++r) {
    problem.b[out.row_of[r]] = out.b[r];
    for (int s = 0; s < motion.rows(); ++s) problem.W.row(out.row_of[r])[out.row_of[s]] = out.W(r, s);
  }
  for (const Held& one : motion.held) {  // as movable as across the edge, so that it is as regular
    if (one.how != Hold::kEdge) continue;
    const int across = one.first + 1, idle = out.row_of[across] + 1;
    problem.W.row(idle)[idle] = out.W(across, across);
  }
  out.solution.impulse.assign(rows, 0.0), out.solution.velocity.assign(rows, 0.0);
}

StepStatus solveModes(const StepTask& task, const StepContext& context, ModeProblem& scratch, HeldMotion& motion) {
  motion.numberRows();
  motion.assemble(context.q, context.v);
  writeModeProblem(task, motion, scratch);
  if (!scratch.W.allFinite() || !scratch.b.allFinite()) return StepStatus::kNotFinite;
  ContactSolution& solution = scratch.solution;
  solution.modes.assign(scratch.problem.blocks.size(), ContactMode::kOpen);
  solution.modes_known = false;
  recall(context.memory, motion.held, scratch);
  const double tolerance = task.options.tolerance;
  task.crew.first().solve(scratch.problem, {.tolerance = tolerance, .aim = 0.1 * tolerance, .stop = task.options.stop},
                          solution);
  dropIdle(motion.held, scratch, solution);
  ++task.report.solves;
  task.report.iterations += solution.iterations;
  if (solution.stage[0]) task.report.stage = solution.stage;
  return accepts(solution.residuals, tolerance) ? StepStatus::kAccepted : StepStatus::kNotSolved;
}

}  // namespace rigor
