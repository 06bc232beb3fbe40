#include "rigor/simulator.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>

#include "dynamics/poses.h"
#include "minimal/step_record.h"
#include "model/parameters.h"
#include "rigor/algorithms.h"
#include "simulation/checks.h"
#include "simulation/join_islands.h"
#include "simulation/simulator_data.h"
#include "simulation/step_input.h"
#include "stepping/close_loops.h"
#include "stepping/overlap.h"
#include "stepping/own_vibration.h"
#include "stepping/start_overlaps.h"

namespace rigor {
namespace {

/// The next multiple of dt after a multiple of it, so that no sum of roundings drifts away from the clock.
double timeAfter(double time, double dt) {
  const double count = std::round(time / dt);
  return std::fabs(time - count * dt) < 1e-6 * dt ? (count + 1.0) * dt : time + dt;
}

/// Memory may come from a file: nothing in it may lead outside an array.
void checkMemory(const Memory& memory, const Model& model) {
  const int nv = model.nv();
  const auto trees = static_cast<std::size_t>(model.topology().trees);
  bool sound = memory.increments.size() == trees && memory.last_step.size() == trees;
  for (const int known : memory.increments) sound = sound && known >= 0 && known <= 3;
  for (const double h : memory.last_step) sound = sound && h >= 0.0 && std::isfinite(h);
  for (const Eigen::VectorXd& rate : memory.rates) sound = sound && rate.size() == nv && rate.allFinite();
  sound = sound && (memory.momentum.size() == 0 || memory.momentum.size() == nv) && memory.momentum.allFinite();
  for (const BlockMemory& block : memory.blocks)
    sound = sound && block.rows >= 0 && block.rows <= kMostRows && (!isMotor(block) || motorDof(block) < nv);
  if (!sound)
    throw Error("the snapshot's memory does not fit the model", "Save the snapshot again from a run of this scene.");
}

}  // namespace

Simulator::Simulator(const Scene& scene, const SimulatorOptions& options) {
  scene.check();
  const double tolerance = options.tolerance.value_or(scene.accuracy);
  if (!(tolerance > 0.0) || !std::isfinite(tolerance) || options.max_halvings < 0)
    throw Error("the simulator's tolerance is not positive, or it shall halve steps a negative number of times",
                "The defaults are 1e-10 and 8.");
  data_ = std::make_unique<Data>(scene, options);
  Data& d = *data_;
  d.scene.accuracy = tolerance;
  Eigen::VectorXd q = scene.q;
  const std::unique_ptr<ContactSolver> solver = makeSolver("auto");
  const auto separate = [&] {
    const StepTables& tables = d.stepper->tables();
    for (const Warning& w : removeOverlap(scene.model, tables.collision, tables.loops, *solver, q))
      d.overlap.push_back(w);
  };
  Eigen::VectorXd v = scene.v;
  d.input = makeStepInput(scene);
  placeKinematic(d.input.motions, 0.0, q, v);
  const OwnTerms& own = d.stepper->tables().own;
  refuseNotFinite(scene.model, own, false, q);
  separate();
  for (const Warning& w : matchLoopVelocities(scene.model, d.stepper->tables().loops, q, v)) d.overlap.push_back(w);
  const bool in_flight = scene.start == "first_order";
  if (in_flight) {  // VG eq. 11, 17: z₁ = z₀ ⊕ h·ż₀
    q = integrate(scene.model, q, scene.dt * v);
    separate();
  }
  for (const Warning& w : warnOfIdleIntegrator(scene)) d.overlap.push_back(w);
  for (const Warning& w : warnOfHardSolids(d.stepper->tables().collision)) d.overlap.push_back(w);
  refuseNotFinite(scene.model, own, true, q);
  refuseWithoutSlope(scene.model, own, q);
  for (const Warning& w : warnOfVibrations(scene.model, own, q, scene.dt)) d.overlap.push_back(w);
  d.start = in_flight ? startInFlight(scene.model, q, v, scene.dt) : startOf(scene.model, q, v);
  d.now = d.next = d.start;
  d.targets = d.report.record.ctrl = targetsOf(d.input);
  d.user.tau = Eigen::VectorXd::Zero(scene.model.nv());
  d.report.velocity = v;
  d.report.tau = Eigen::VectorXd::Zero(scene.model.nv());
  d.report.contacts.reserve(64);
  for (StepReport* report : {&d.report, &d.node}) reserveRecord(scene.model.topology(), report->record);
}

Simulator::Simulator(const Simulator& other) : data_(std::make_unique<Data>(*other.data_)) {}
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator::~Simulator() = default;

const StepReport& Simulator::step() {
  Data& d = *data_;
  if (d.controller) d.controller(d.now.state, d.user);
  d.updateInput();
  d.report.index = d.steps;
  d.report.wanted = d.wanted;
  d.report.wanted.energy |= d.scene.reset.rest_energy > 0.0;  // the rule asks whether everything rests
  d.report.record.fresh = d.fresh;
  d.report.record.ctrl = d.user.ctrl.size() > 0 ? d.user.ctrl : d.targets;
  d.largest.clear();
  Stepper& stepper = d.event ? static_cast<Stepper&>(*d.event) : *d.stepper;
  stepper.step(d.input, d.now, d.scene.dt, d.next, d.report);
  d.has_problem = d.report.solves > 0;
  d.report.fastest.clear();
  if (d.report.status == StepStatus::kTooFast) d.report.fastest = d.describeFastest();
  if (!d.report.accepted()) return d.report;
  assert(d.next.state.q.size() == d.scene.model.nq() && d.next.state.v.size() == d.scene.model.nv() &&
         "an accepted step has written the whole state");
  d.next.state.time = timeAfter(d.now.state.time, d.scene.dt);
  std::swap(d.now, d.next);  // the one commit
  d.fresh = false;
  ++d.steps;
  if (d.report.wanted.energy) d.countEnergy();
  d.countRest();
  d.resetIfDue();
  return d.report;
}

const StepReport& Simulator::run(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0.0)
    throw Error("a run of " + std::to_string(seconds) + " s is no run", "Give a time that is finite and not negative.");
  const auto count = static_cast<std::int64_t>(std::llround(seconds / data_->scene.dt));
  for (std::int64_t i = 0; i < count; ++i)
    if (!step().accepted()) break;
  return data_->report;
}

const StepReport& Simulator::report() const { return data_->report; }
SolvedProblem Simulator::lastProblem() const {
  const Data& d = *data_;
  if (!d.has_problem) return {};
  return d.report.accepted() && d.report.wanted.problem ? d.largest.join() : joinIslands(d.stepper->work().islands);
}

const Scene& Simulator::scene() const { return data_->scene; }
const State& Simulator::state() const { return data_->now.state; }
bool Simulator::isFresh() const { return data_->fresh; }
Input& Simulator::input() { return data_->user; }
ReportParts& Simulator::wanted() { return data_->wanted; }

const StepReport& Simulator::node() {
  Data& d = *data_;
  d.updateInput();
  d.node.index = d.steps;
  d.has_problem = false;
  d.stepper->findNode(d.input, d.now, d.scene.dt, d.node);
  d.node.energy_gain = d.node.accepted() ? d.gainAt(d.node) : 0.0;
  return d.node;
}

Eigen::VectorXd Simulator::velocity() {
  const StepReport& report = node();
  if (report.accepted()) return report.velocity;
  return Eigen::VectorXd::Constant(data_->scene.model.nv(), std::numeric_limits<double>::quiet_NaN());
}

void Simulator::setState(const Eigen::VectorXd& q, const Eigen::VectorXd& node_velocity) {
  Data& d = *data_;
  Scene moved = d.scene;
  moved.q = q;
  moved.v = node_velocity;
  moved.releaseJoints();  // drives and controllers keep the start of the scene
  moved.check();
  const double time = d.now.state.time, since_reset = d.now.memory.controller[kSinceReset];
  placeKinematic(d.input.motions, time - motionsBegin(d.scene, d.now), moved.q, moved.v);
  refuseNotFinite(moved.model, d.stepper->tables().own, false, moved.q);
  if (const auto& loops = d.stepper->tables().loops; !loops.empty()) {
    const CollisionTable none;  // what overlaps is the caller's business, what is tied together is not
    removeOverlap(moved.model, none, loops, *makeSolver("auto"), moved.q);
    matchLoopVelocities(moved.model, loops, moved.q, moved.v);
  }
  refuseNotFinite(moved.model, d.stepper->tables().own, true, moved.q);
  refuseWithoutSlope(moved.model, d.stepper->tables().own, moved.q);
  refuseSwallowed(moved.model, d.stepper->tables().collision, moved.q);
  d.now = startOf(moved.model, moved.q, moved.v);
  // motions and controllers go on
  if (!d.input.motions.empty() || d.moving.any()) d.now.memory.controller[kSinceReset] = since_reset;
  d.energy_lowest.reset();
  d.fresh = true;
  d.now.state.time = time;
}

Pose Simulator::pose(int body) const {
  if (body < 0 || body >= data_->scene.model.bodyCount()) throw Error("there is no body with this index");
  return bodyPoses(data_->scene.model, data_->now.state.q)[body];
}

void Simulator::setController(std::function<void(const State&, Input&)> controller) {
  data_->controller = std::move(controller);
}

Snapshot Simulator::save() const { return data_->now; }

void Simulator::restore(const Snapshot& snapshot) {
  Data& d = *data_;
  if (snapshot.state.q.size() != d.scene.model.nq() || snapshot.state.v.size() != d.scene.model.nv())
    throw Error("the snapshot belongs to another model",
                "Restore it into a simulator of the scene that it was saved from.");
  checkState(d.scene.model, snapshot.state.q, snapshot.state.v);
  checkMemory(snapshot.memory, d.scene.model);
  d.now = snapshot;
  d.energy_lowest.reset();
  d.fresh = true;
  d.now.memory.controller.resize(kControllerSize, 0.0);
}

std::vector<Warning> Simulator::warnings() const {
  std::vector<Warning> all = data_->scene.warnings;
  const std::vector<Warning>& of_model = data_->scene.model.warnings();
  all.insert(all.end(), of_model.begin(), of_model.end());
  all.insert(all.end(), data_->overlap.begin(), data_->overlap.end());
  return all;
}

}  // namespace rigor
