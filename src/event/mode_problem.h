// The complementarity problem of accelerations in the form that solvers and the judge know.
#pragma once

#include <vector>

#include "event/held_motion.h"
#include "minimal/step_work.h"

namespace rigor {

/// [m/s²] Accelerations below this are judged absolutely.
inline constexpr double kModeScale = 1.0;

/// Scratch of the problem. Slip along an edge of law pyramid has two rows; there it is a contact with three, whose friction is within
/// μ sin(π/n) across the edge, and whose third row nothing pushes.
struct ModeProblem {
  ContactProblem problem;
  ContactSolution solution;
  std::vector<int> row_of;  ///< [rows held] in the problem
  std::vector<Held> asked;  ///< what the problem was about, before modes were taken from it
  RowMatrix W;              ///< of what is held
  Eigen::VectorXd b, acceleration;
  Eigen::VectorXd found, velocity;  ///< [rows held] forces of the solver; rates that go with forces
};

/// Of what is held by `motion`, as it was evaluated or assembled last; the solution is sized and zero.
void writeModeProblem(const StepTask& task, const HeldMotion& motion, ModeProblem& out);

/// Numbers what is held and solves its problem at the node, beginning with the forces of the last piece.
StepStatus solveModes(const StepTask& task, const StepContext& context, ModeProblem& scratch, HeldMotion& motion);

}  // namespace rigor
