#include "simulation/make_stepper.h"

#include <fmt/format.h>

#include <algorithm>

namespace rigor {
namespace {

/// The user's own solver, whose word is not taken, or the scene's.
std::unique_ptr<ContactSolver> chooseSolver(const Scene& scene, const SimulatorOptions& options) {
  if (!options.solver) return makeSolver(scene.solver);
  std::unique_ptr<ContactSolver> own = options.solver();
  if (!own)
    throw Error("the factory of the simulator's options made no solver",
                "Return a new ContactSolver, or leave SimulatorOptions::solver empty.");
  const Law law = findLaw(scene.law);
  if (!own->solves(law))
    throw Error(fmt::format("the simulator's own solver does not solve law \"{}\"", lawName(law)),
                "Override ContactSolver::solves if it does, or choose another law.");
  return eliminateLoops(judgeAnswers(std::move(own)));
}

}  // namespace

Solvers chooseSolvers(const Scene& scene, const SimulatorOptions& options) {
  if (options.threads < 1)
    throw Error(fmt::format("SimulatorOptions::threads is {}", options.threads), "Give one or more.");
  Solvers solvers;
  for (int i = 0; i < options.threads; ++i) solvers.push_back(chooseSolver(scene, options));
  return solvers;
}

std::unique_ptr<TimeStepper> makeStepper(const Scene& scene, const SimulatorOptions& options) {
  const TimeStepperOptions stepper{
      .tolerance = options.tolerance.value_or(scene.accuracy),
      .law = findLaw(scene.law),
      .directions = scene.directions,
      .max_halvings = options.max_halvings,
      .impact_stops = scene.impact_stops,
      .sequential_impacts = scene.impacts == "sequential",
      .bounces_always = scene.stepper == "event",
      .stop = options.stop,
      .integrator = findIntegrator(scene.integrator),
      .formulation = scene.stepper == "maximal" ? Formulation::kMaximal : Formulation::kMinimal,
      .own = makeOwnTerms(scene.model, scene.potentials, scene.constraints, scene.q)};
  return std::make_unique<TimeStepper>(scene.model, chooseSolvers(scene, options), stepper);
}

std::string_view integratorOf(const Scene& scene) {
  const bool left = scene.stepper == "event" && scene.integrator == "leapfrog";
  return left ? std::string_view("rk4") : std::string_view(scene.integrator);
}

std::unique_ptr<EventStepper> makeEventStepper(const Scene& scene, TimeStepper& ground) {
  if (scene.stepper != "event") return nullptr;
  refuseWithoutEvents(ground.tables());
  return std::make_unique<EventStepper>(
      ground, PieceOptions{.integrator = findIntegrator(integratorOf(scene)), .accuracy = stepAccuracyOf(scene)});
}

std::vector<Warning> warnOfIdleIntegrator(const Scene& scene) {
  const std::vector<double>& friction = scene.model.parameters().dry_friction;
  const bool rubs = std::any_of(friction.begin(), friction.end(), [](double f) { return f > 0.0; });
  const bool tied = !scene.model.loops().empty() || !scene.constraints.empty(), pulled = !scene.model.springs().empty();
  if (scene.stepper == "event" || isLeapfrog(findIntegrator(scene.integrator)) || !(tied || pulled || rubs)) return {};
  return {{{scene.file, 0, "integrator"},
           "\"" + scene.integrator + "\" will take no step: the model has " +
               (rubs   ? "dry friction"
                : tied ? "loops"
                       : "springs between points") +
               " at work in every step, solved together with the contacts"}};
}

}  // namespace rigor
