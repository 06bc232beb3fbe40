#include <fmt/format.h>

#include "rigor/report.h"

namespace rigor {

const char* reasonOf(StepStatus status) {
  switch (status) {
    case StepStatus::kAccepted:
      return "accepted";
    case StepStatus::kNotSolved:
      return "the judge refused the contact solver's answer";
    case StepStatus::kNotConverged:
      return "the passes did not reach a consistent pose at the end of the step";
    case StepStatus::kGivesEnergy:
      return "contact would give energy: it runs over a surface or along an edge faster than the scheme can follow";
    case StepStatus::kLoopSwings:
      return "a loop is pulled so hard that what it holds swings faster than the shortest sub-steps can follow";
    case StepStatus::kTooManyEvents:
      return "events follow each other without end: the stepper minimal takes such motions, or another dt or accuracy";
    case StepStatus::kInterrupted:
      return "a stop was asked for";
    case StepStatus::kNotFinite:
      return "a state, force or target is not finite";
    case StepStatus::kTooFast:
      return "something turns farther in one step than the scheme can follow";
    case StepStatus::kNotIntegrated:
      return "the iteration of the implicit integrator did not converge";
  }
  return "";
}

const char* algebraName(LinearAlgebra algebra) {
  constexpr const char* kNames[] = {"tree", "dense", "body", "graph"};
  return kNames[static_cast<int>(algebra)];
}

std::string StepReport::explain() const {
  if (accepted())
    return fmt::format(
        "step {} (t = {:.6g} s) accepted: {} contacts, {} sub-steps, {} solves, {} iterations{}{}\n"
        "  law {:.2g}, equation {:.2g}, step {:.2g} (limit 1e-10 by default), floor {:.2g}, penetration {:.2g} m",
        index, time, contacts.size(), substeps, solves, iterations, *stage ? ", stage " : "", stage, law, equation,
        step, floor, penetration);
  return fmt::format(
      "step {} (t = {:.6g} s) not accepted: {}{}\n"
      "  {} passes, {} solves, {} iterations{}{}; residuals law {:.2g}, step {:.2g}. The state is the one before this "
      "step.{}{}{}{}",
      index, time, reasonOf(status), fastest.empty() ? "" : ": " + fastest, passes, solves, iterations,
      *stage ? ", stage " : "", stage, law, step, complaint.empty() ? "" : "\n  The solver threw: ", complaint,
      own_trouble.empty() ? "" : "\n  Own ", own_trouble);
}

}  // namespace rigor
