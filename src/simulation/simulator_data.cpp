#include "simulation/simulator_data.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "simulation/fastest_turn.h"
#include "simulation/step_input.h"

namespace rigor {

Snapshot startOf(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  Snapshot start;
  start.state.q = q;
  start.state.v = v;  // with last_step 0 the carried velocity is the node velocity
  start.memory = makeMemory(model.topology().trees, model.nv());
  start.memory.blocks.reserve(64);
  start.memory.controller.assign(kControllerSize, 0.0);
  return start;
}

Snapshot startInFlight(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v, double dt) {
  Snapshot start = startOf(model, q, v);
  start.state.time = start.memory.controller[kSinceReset] = dt;
  std::fill(start.memory.last_step.begin(), start.memory.last_step.end(), dt);
  return start;
}

/// Keeps the largest problem of a step. One that is taken anew counts its sub-steps anew.
void Simulator::Data::watch() {
  stepper->observeSubsteps([this](const StepContext& context, const StepWork& work) {
    if (also) also(context, work);
    if (!report.wanted.problem) return;
    if (report.substeps == 1) largest.clear();
    largest.see(work.islands);
  });
}

/// Other integrators leave no velocity of an attempt behind: theirs is the one at the start.
std::string Simulator::Data::describeFastest() const {
  const StepWork& work = stepper->work();
  const bool leapfrog = isLeapfrog(findIntegrator(scene.integrator));
  return describeFastestTurn(stepper->tables(), work.part, leapfrog ? work.attempted : now.state.v.data());
}

double motionsBegin(const Scene& scene, const Snapshot& now) {
  if (!(scene.reset.every > 0.0 || scene.reset.rest_energy > 0.0)) return 0.0;
  const double since = std::round(now.memory.controller[kSinceReset] / scene.dt);
  return now.state.time - since * scene.dt;
}

void Simulator::Data::updateInput() {
  input.motions_begin = motionsBegin(scene, now);
  if (moving.any()) {
    moving.update(now.state, input.motions_begin, targets);
    input.retargeted = true;
  }
  updateStepInput(scene, targets, user, now, input);
}

/// Puts the scene back to its start when its rule says so; time goes on.
void Simulator::Data::resetIfDue() {
  const ResetSpec& rule = scene.reset;
  const std::vector<double>& clock = now.memory.controller;
  assert(clock.size() == kControllerSize && "start, setState and restore make room for the clocks");
  const bool by_clock = rule.every > 0.0 && clock[kSinceReset] > rule.every - 0.5 * scene.dt;
  const bool by_rest = rule.rest_energy > 0.0 && clock[kAtRest] > rule.rest_for - 0.5 * scene.dt;
  if (!by_clock && !by_rest) return;
  const double time = now.state.time;
  now = start;  // same sizes: nothing is allocated; motions begin anew
  energy_lowest.reset();
  fresh = true;
  now.state.time = time;
}

void Simulator::Data::countRest() {
  std::vector<double>& clock = now.memory.controller;
  clock[kSinceReset] += scene.dt;
  clock[kAtRest] = report.kinetic < scene.reset.rest_energy ? clock[kAtRest] + scene.dt : 0.0;
}

/// A system that nothing drives can only lose energy: what it has above the lowest node comes from the steps.
void Simulator::Data::countEnergy() {
  if (isDriven()) energy_lowest.reset();
  report.energy_gain = gainAt(report);
  const double energy = report.kinetic + report.potential;
  if (!isDriven()) energy_lowest = std::min(energy_lowest.value_or(energy), energy);
}

bool Simulator::Data::isDriven() const {
  const auto acts = [](double x) { return x != 0.0; };
  // belts and what soft contacts stored give energy
  const std::vector<ContactMaterial>& surfaces = stepper->tables().collision.surfaces;
  const std::vector<LoopFreedom>& freedoms = stepper->tables().freedoms;
  const auto gives = [](const ContactMaterial& surface) { return surface.runs || surface.compliance > 0.0; };
  return std::any_of(surfaces.begin(), surfaces.end(), gives) ||
         std::any_of(input.tau.begin(), input.tau.end(), acts) || !input.drives.empty() || !input.wrenches.empty() ||
         !input.motions.empty() ||
         std::any_of(freedoms.begin(), freedoms.end(), [](const LoopFreedom& one) { return one.motor.acts(); });
}

/// Of a node above the lowest one before it [J].
double Simulator::Data::gainAt(const StepReport& at) const {
  if (isDriven() || !energy_lowest) return 0.0;
  const double gain = at.kinetic + at.potential - *energy_lowest;
  return gain < 0.0 ? 0.0 : gain;  // NaN stays visible
}

}  // namespace rigor
