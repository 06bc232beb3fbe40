// Time stepping in minimal coordinates with the law at position level.
//
//   free motion → [ predict pose → collide → assemble → solve ] until accepted → judge → commit
//
// Leapfrog: q at nodes, v in the middle of steps. Rows act at q, constraints hold at q′ (SHAKE); W̃ = J̃ M̂⁻¹ Jᵀ is the
// exact Newton matrix, so one solve is enough in nearly every step. A step whose passes do not converge, or in which a
// joint turns too far, is refused and tried again as two steps of half the length. A step in which no constraint is near
// may be taken by another integrator instead (smooth_step.h).
#pragma once

#include <memory>
#include <optional>

#include "minimal/assemble.h"
#include "minimal/phase_clock.h"
#include "minimal/smooth_step.h"
#include "minimal/step_judge.h"
#include "minimal/stepper.h"
#include "rigor/model.h"
#include "rigor/solver.h"

namespace rigor {

struct TimeStepperOptions {
  double tolerance = 1e-10;  ///< ε of the judge
  int max_halvings = 8;
  Integrator integrator = Integrator::kLeapfrog;  ///< of steps in which no constraint is near
};

/// True if a joint turns by more than the linearised rows of a step bear.
bool turnsTooFar(const Topology& topology, const double* v, double h);

class TimeStepper final : public Stepper {
 public:
  TimeStepper(const Model& model, std::unique_ptr<ContactSolver> solver, const TimeStepperOptions& options);

  void step(const StepInput& input, const Snapshot& from, double h, Snapshot& to, StepReport& report) override;

  const ContactPairs& contacts() const { return contacts_; }
  const std::vector<LoopPart>& loops() const { return loops_; }
  const Islands& islands() const { return islands_; }  ///< problems of the last solve, to be saved

 private:
  /// What one pass leaves for the next.
  struct PassState {
    bool afresh = true;  ///< the velocity at the end does not answer to the impulses
    bool solver_failed = false;
    double law = 0.0;  ///< residual of the last pass that was judged
  };

  StepStatus advance(const StepInput& input, const Snapshot& from, double h, int halvings, Snapshot& to,
                     StepReport& report);
  StepStatus attempt(const StepInput& input, const Snapshot& from, double h, Snapshot& to, StepReport& report);
  void startMotion(const StepContext& context, const Snapshot& from, double h, PhaseClock& clock);
  std::optional<StepStatus> takeSmoothStep(const StepContext& context, double time, double h, Snapshot& to,
                                           StepReport& report, PhaseClock& clock);
  StepStatus findImpulses(const StepContext& context, Snapshot& to, StepReport& report, PhaseClock& clock);
  void moveTo(const StepContext& context, Snapshot& to);
  void computeEndPose(const Eigen::VectorXd& q);
  bool correct(const StepContext& context, bool afresh, Snapshot& to, StepReport& report, PhaseClock& clock,
               PassState& state);
  bool solveAndApply(const StepContext& context, Snapshot& to, StepReport& report, PhaseClock& clock, PassState& state);
  Residuals judgeLawAtEnd();
  void assembleProblems(const StepContext& context, bool afresh, const double* v_end);
  bool solveProblems(StepReport& report);
  bool renewVelocityTerms(const StepContext& context, const double* v_end);
  bool saturateMotors(const StepContext& context, const double* v_end);
  void fillReport(const StepContext& context, const double* v_end, StepReport& report);
  void fillSmoothReport(const StepContext& context, StepReport& report);
  void fillEnergy(StepReport& report);

  Model model_;
  const Topology& topology_;
  const Parameters<double>& parameters_;
  ContactPairs contacts_;
  std::vector<JointLimit> limits_;
  std::vector<LoopPart> loops_;
  std::unique_ptr<ContactSolver> solver_;
  TimeStepperOptions options_;

  // scratch
  SmoothStep smooth_;
  Eigen::VectorXd node_velocity_;
  StepPose start_, end_;
  Eigen::VectorXd start_q_, end_q_;  ///< poses that start_ and end_ belong to
  FreeMotion motion_;
  ConstraintSet set_;
  Islands islands_;
  MomentumScratch momentum_;
  double refused_law_ = 0.0;    ///< residual at which the last attempt gave up
  std::vector<double> change_;  ///< [nv]
  std::vector<Motion<double>> link_velocity_;
  std::vector<Snapshot> halves_;  ///< one per level of halving
};

}  // namespace rigor
