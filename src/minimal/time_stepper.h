// Time stepping in minimal coordinates with the law at position level.
//
//   free motion → [ predict pose → collide → assemble → solve ] until accepted → judge → commit
//
// Leapfrog: q at nodes, v in the middle of steps. Rows act at q, constraints hold at q′ (SHAKE); W̃ = J̃ M̂⁻¹ Jᵀ is the
// exact Newton matrix, so one solve is enough in nearly every step. A step whose passes do not converge, or in which a
// joint turns too far, is refused and tried again as two steps of half the length. A step in which no constraint is near
// may be taken by another integrator instead (smooth_step.h).
//
// Impacts: a step in which something closes faster than its threshold ends where it touches (closing.h). There the
// leapfrog is closed by half a kick, the impact changes the node velocity (impact.cpp), and the rest of the step goes on from
// it. Both are steps of length 0; every step has a kick of half its own length and half the one before it.
#pragma once

#include <memory>

#include "minimal/step_work.h"
#include "stepping/stepper.h"

namespace rigor {

class TimeStepper final : public Stepper {
 public:
  /// A solver for every thread that islands are solved on.
  TimeStepper(const Model& model, Solvers solvers, const TimeStepperOptions& options);
  TimeStepper(const Model& model, std::unique_ptr<ContactSolver> solver, const TimeStepperOptions& options);
  /// A fork: shares the tables, works on its own.
  TimeStepper(const TimeStepper& other, Solvers solvers);

  void step(const StepInput& input, const Snapshot& from, double h, Snapshot& to, StepReport& report) override;
  void findNode(const StepInput& input, const Snapshot& from, double h, StepReport& node) override;

  /// Called once for every sub-step that is accepted, zero-length ones included, before the next one overwrites the work.
  /// A step that is refused in the end, or taken anew because two of its parts met, has told of sub-steps that do not count:
  /// StepReport::substeps says how many of the last ones do.
  void observeSubsteps(SubstepObserver observer) { observer_ = std::move(observer); }

  const StepTables& tables() const { return *tables_; }
  const TimeStepperOptions& options() const { return options_; }
  const StepWork& work() const { return work_; }  ///< of the last attempt: rows, factors, sets, problems
  /// A step of length h to be taken by somebody else, in the memory of this stepper.
  StepTask makeTask(const StepInput& input, double h, StepReport& report);

 private:
  std::shared_ptr<const StepTables> tables_;
  TimeStepperOptions options_;
  SolverCrew crew_;
  StepWork work_;
  SubstepObserver observer_;
};

}  // namespace rigor
