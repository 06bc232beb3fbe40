// What a simulator holds: the scene, the stepper, the state, and the counts that outlive a step.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "event/event_stepper.h"
#include "simulation/largest_problem.h"
#include "simulation/make_stepper.h"
#include "simulation/moving_targets.h"

namespace rigor {

// Memory::controller holds the clock of the reset rule.
enum ControllerMemory { kSinceReset, kAtRest, kControllerSize };

/// The start of a run; v are node velocities.
Snapshot startOf(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
/// The same at the end of a step of dt with the mean velocities v, which led to q.
Snapshot startInFlight(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v, double dt);

/// When motions, tables of targets and gaits began: at time 0, or with a rule of resets at the last of them, which is a multiple of dt ago.
double motionsBegin(const Scene& scene, const Snapshot& now);

struct Simulator::Data {
  Data(const Scene& s, const SimulatorOptions& o)
      : scene(s), options(o), stepper(makeStepper(s, o)), event(makeEventStepper(s, *stepper)), moving(s) {
    watch();
  }
  Data(const Data& o)
      : scene(o.scene),
        options(o.options),
        stepper(std::make_unique<TimeStepper>(*o.stepper, chooseSolvers(o.scene, o.options))),
        event(makeEventStepper(o.scene, *stepper)),
        moving(o.moving),
        input(o.input),
        targets(o.targets),
        user(o.user),
        wanted(o.wanted),
        controller(o.controller),
        start(o.start),
        now(o.now),
        next(o.next),
        report(o.report),
        node(o.node),
        steps(o.steps),
        energy_lowest(o.energy_lowest),
        fresh(o.fresh),
        overlap(o.overlap) {
    watch();
  }

  Scene scene;
  SimulatorOptions options;
  std::unique_ptr<TimeStepper> stepper;
  std::unique_ptr<EventStepper> event;  ///< of scenes that it is chosen for; works in the memory of the other
  MovingTargets moving;
  StepInput input;
  Eigen::VectorXd targets;  ///< of the scene's drives, now
  Input user;
  ReportParts wanted = kAllParts;
  std::function<void(const State&, Input&)> controller;
  Snapshot start;  ///< overlap removed
  Snapshot now, next;
  StepReport report, node;
  std::int64_t steps = 0;
  std::optional<double> energy_lowest;  ///< [J] of the nodes since the system was left to itself
  bool fresh = true;                    ///< the state was set since the last step
  bool has_problem = false;             ///< the stepper still holds what the last step solved
  LargestProblem largest;               ///< of the last step, if that was wanted
  std::vector<Warning> overlap;
  SubstepObserver
      also;  ///< hears of every sub-step that is accepted, as TimeStepper::observeSubsteps tells; may be empty

  void watch();
  std::string describeFastest() const;
  void updateInput();
  void resetIfDue();
  void countRest();
  void countEnergy();
  bool isDriven() const;
  double gainAt(const StepReport& at) const;
};

}  // namespace rigor
