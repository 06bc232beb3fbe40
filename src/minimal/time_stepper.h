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
// leapfrog is closed by half a kick, the impact changes the node velocity (impact_step.cpp), and the rest of the step goes on from
// it. Both are steps of length 0; every step has a kick of half its own length and half the one before it.
#pragma once

#include <memory>
#include <optional>

#include "minimal/assemble.h"
#include "minimal/closing.h"
#include "minimal/smooth_step.h"
#include "minimal/step_judge.h"
#include "rigor/model.h"
#include "rigor/solver.h"
#include "stepping/phase_clock.h"
#include "stepping/stepper.h"

namespace rigor {

struct TimeStepperOptions {
  double tolerance = 1e-10;  ///< ε of the judge
  int max_halvings = 8;
  Integrator integrator = Integrator::kLeapfrog;  ///< of steps in which no constraint is near
};

/// True if a joint turns by more than the linearised rows of a step bear; links that are `exempt` may.
bool turnsTooFar(const Topology& topology, const std::vector<char>& exempt, const double* v, double h);

class TimeStepper final : public Stepper {
 public:
  TimeStepper(const Model& model, std::unique_ptr<ContactSolver> solver, const TimeStepperOptions& options);

  void step(const StepInput& input, const Snapshot& from, double h, Snapshot& to, StepReport& report) override;
  void findNode(const StepInput& input, const Snapshot& from, double h, StepReport& node) override;

  const StepTables& tables() const { return *tables_; }
  const Islands& islands() const { return islands_; }  ///< problems of the last solve, to be saved

 private:
  /// What one pass leaves for the next.
  struct PassState {
    bool afresh = true;  ///< the velocity at the end does not answer to the impulses
    bool solver_failed = false;
    double law = 0.0;  ///< residual of the last pass that was judged
  };

  /// What the judge said of the last attempt; joins the report when the attempt is accepted.
  struct Verdict {
    double law = 0.0, floor = 0.0, equation = 0.0, balance = 0.0;
    bool by_floor = false;
    bool smooth = false;  ///< taken by the chosen integrator
    double theta = 1.0;   ///< of an impact: share of the restitution that energy allowed
  };

  /// Snapshots of one level of halving.
  struct Level {
    Snapshot middle;          ///< between the two halves
    Snapshot landed, closed;  ///< before an impact: in the middle of the step that led to it, at its node
    Snapshot struck[2];       ///< after it, in turn
  };

  /// How far the way through an impact went.
  struct Impact {
    const Snapshot* reached;
    double time;  ///< [s] since the start
    bool struck;  ///< and through it
  };

  StepContext makeContext(const StepInput& input, const Snapshot& from) const;
  StepStatus advance(const StepInput& input, const Snapshot& from, double h, int halvings, Snapshot& to,
                     StepReport& report);
  StepStatus halve(const StepInput& input, const Snapshot& from, double h, int halvings, Snapshot& to,
                   StepReport& report);
  StepStatus attempt(const StepInput& input, const Snapshot& from, double h, bool softly, Snapshot& to,
                     StepReport& report);
  void accept(const StepInput& input, const Snapshot& from, double h, Snapshot& to, StepReport& report);
  void noteLostBounce(const double* v, StepReport& report) const;
  Impact goThroughImpact(const StepInput& input, const Snapshot& from, Level& level, Snapshot& struck,
                         StepReport& report);
  StepStatus land(const StepInput& input, const Snapshot& from, Snapshot& to, double& time, StepReport& report);
  StepStatus closeKick(const StepInput& input, const Snapshot& from, Snapshot& to, StepReport& report);
  StepStatus strike(const StepInput& input, const Snapshot& from, Snapshot& to, StepReport& report);
  void startNode(const StepContext& context, const Snapshot& from, Snapshot& to, PhaseClock& clock);
  StepStatus solveAtNode(const StepContext& context, Snapshot& to, StepReport& report, PhaseClock& clock);
  StepStatus judgeNode(const StepContext& context, const double* v_end);
  bool bounce(const StepContext& context, Snapshot& to, StepReport& report);
  void computeStartPose(const Eigen::VectorXd& q);
  void startMotion(const StepContext& context, const Snapshot& from, double h, PhaseClock& clock);
  std::optional<StepStatus> takeSmoothStep(const StepContext& context, double h, Snapshot& to, StepReport& report,
                                           PhaseClock& clock);
  StepStatus findImpulses(const StepContext& context, Snapshot& to, StepReport& report, PhaseClock& clock);
  void moveTo(const StepContext& context, Snapshot& to);
  void computeEndPose(const Eigen::VectorXd& q);
  bool correct(const StepContext& context, bool afresh, Snapshot& to, StepReport& report, PhaseClock& clock,
               PassState& state);
  bool solveAndApply(const StepContext& context, Snapshot& to, StepReport& report, PhaseClock& clock, PassState& state);
  Residuals judgeLawAtEnd();
  void assembleProblems(const StepContext& context, bool afresh, const double* v_end);
  bool solveProblems(StepReport& report);
  double missedMean(const StepContext& context, const double* v_end) const;
  bool renewVelocityTerms(const StepContext& context, const double* v_end);
  bool saturateMotors(const StepContext& context, const double* v_end);
  void fillReport(const StepContext& context, const double* v_end, StepReport& report);
  void fillSmoothNode(const StepContext& context, StepReport& report);
  void fillEnergy(StepReport& report);

  std::shared_ptr<const StepTables> tables_;
  const Topology& topology_;
  const Parameters<double>& parameters_;
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
  Verdict verdict_;
  Closing closing_;             ///< first impact of the last attempt
  double step_length_ = 0.0;    ///< [s] of the whole step
  double refused_law_ = 0.0;    ///< residual at which the last attempt gave up
  std::vector<double> change_;  ///< [nv]
  std::vector<Motion<double>> link_velocity_;
  std::vector<Level> levels_;
};

}  // namespace rigor
