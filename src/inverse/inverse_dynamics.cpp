#include "rigor/inverse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "inverse/inverse_work.h"
#include "model/topology.h"
#include "rigor/algorithms.h"

namespace rigor {
namespace {

bool isKinematic(const Model& model, const ModelJoint& joint) { return model.body(joint.body).kinematic; }

void checkDesired(const Model& model, const DesiredStep& desired, const std::vector<char>& drivable) {
  if (desired.freedoms.empty())
    throw Error("inverse dynamics is asked for no motion: DesiredStep::freedoms is empty",
                "Name the freedoms that shall follow, e.g. InverseDynamics::actuated(model).");
  if (desired.velocity.size() != static_cast<Eigen::Index>(desired.freedoms.size()))
    throw Error(fmt::format("inverse dynamics is asked for {} velocities of {} freedoms", desired.velocity.size(),
                            desired.freedoms.size()),
                "Give one velocity per freedom.");
  for (std::size_t i = 0; i < desired.freedoms.size(); ++i) {
    const int dof = desired.freedoms[i];
    if (dof < 0 || dof >= model.nv() || !drivable[dof])
      throw Error(fmt::format("inverse dynamics cannot drive freedom {}", dof),
                  "Name freedoms of the model, from 0 to nv − 1, that are not of a kinematic body.");
    if (i > 0 && dof <= desired.freedoms[i - 1])
      throw Error(fmt::format("inverse dynamics is asked for freedom {} after {}", dof, desired.freedoms[i - 1]),
                  "Name each freedom once, in rising order.");
    if (!std::isfinite(desired.velocity[static_cast<int>(i)]))
      throw Error(fmt::format("inverse dynamics is asked for a velocity of {} of freedom {}",
                              desired.velocity[static_cast<int>(i)], dof),
                  "Velocities are finite.");
  }
}

void checkOptions(const Scene& scene, const InverseOptions& options) {
  const int nv = scene.model.nv();
  if (scene.stepper != "minimal")
    throw Error("inverse dynamics works with stepper minimal, the scene has \"" + scene.stepper + "\"",
                "Choose stepper = \"minimal\".");
  if (options.choice != ForceChoice::kAsFound && scene.law != "coulomb")
    throw Error("forces can be chosen by law coulomb alone, the scene has \"" + scene.law + "\"",
                "Choose law = \"coulomb\", or leave the forces as they are found.");
  for (const Eigen::VectorXd* numbers : {&options.limits, &options.weights}) {
    if (numbers->size() > 0 && numbers->size() != nv)
      throw Error(fmt::format("InverseOptions has {} limits or weights, the model needs {}", numbers->size(), nv),
                  "One per velocity, or none at all.");
    for (Eigen::Index i = 0; i < numbers->size(); ++i)
      if (!((*numbers)[i] > 0.0))
        throw Error(fmt::format("limit or weight {} of InverseOptions is {}", i, (*numbers)[i]),
                    "Give positive numbers; an infinite limit is none.");
  }
}

}  // namespace

const char* inverseStatusName(InverseStatus status) {
  static constexpr const char* kNames[] = {"solved", "limited", "infeasible", "unsolved"};
  return kNames[static_cast<int>(status)];
}

InverseDynamics::Work::Work(const Simulator& simulator, const InverseOptions& o)
    : fork(simulator), data(*fork.data_), options(o) {
  const Model& model = data.scene.model;
  checkOptions(data.scene, options);
  drivable.assign(model.nv(), 0);
  for (const ModelJoint& joint : model.joints())
    if (!isKinematic(model, joint)) std::fill_n(drivable.begin() + joint.v_index, velocityCount(joint.spec.type), 1);
  torques.resize(model.nv());
  data.stepper->observeSubsteps(
      [this](const StepContext&, const StepWork& work) { torques.see(work, data.report.substeps == 1); });
  data.report.wanted = {.contacts = true};
}

void InverseDynamics::Work::begin(const Simulator& at) {
  data.now = at.data_->now;
  data.user = at.data_->user;
  data.updateInput();
  if (result.tau.size() == data.scene.model.nv()) before = result.tau - given;
  given = Eigen::Map<const Eigen::VectorXd>(data.input.tau.data(), static_cast<Eigen::Index>(data.input.tau.size()));
  result.status = InverseStatus::kUnsolved;
  result.tau = given;
  result.certificate.clear();
  result.contacts.clear();
  result.corrections = 0;
  result.proof = result.overlap = result.missed = 0.0;
  result.rechosen = false;
}

bool InverseDynamics::Work::ask(const DesiredStep& desired, Servos servos) {
  // in soft steps the rows give by this share of what they would move alone
  constexpr double kSoft = 1e-6;
  StepInput& input = data.input;
  std::copy_n(given.data(), given.size(), input.tau.begin());
  input.servos.resize(desired.freedoms.size());
  for (std::size_t i = 0; i < desired.freedoms.size(); ++i) {
    const int dof = desired.freedoms[i];
    Servo& servo = input.servos[i] = {.dof = dof, .velocity = shifted[static_cast<int>(i)]};
    if (servos == Servos::kHard) servo.effort = limitOf(dof);
    if (servos == Servos::kSoft)
      servo.softness = kSoft * data.stepper->work().motion.mass.inverseD()[dof] / weightOf(dof);
  }
  data.stepper->step(input, data.now, data.scene.dt, data.next, data.report);
  input.servos.clear();
  if (!data.report.accepted()) return false;
  result.tau = given;
  for (const int dof : desired.freedoms) result.tau[dof] += torques.of(dof);
  return true;
}

bool InverseDynamics::Work::rechoose(const std::vector<int>& freedoms, ForceChoice choice) {
  if (data.report.substeps != 1) return false;  // forces of several sub-steps are not those of one torque
  const StepWork& work = data.stepper->work();
  shared.begin(data.scene.model.nv());
  forEachMode(work.set, work.islands,
              [&](const Constraint& c, ContactMode mode) { shared.addSolved(work.set, c, mode); });
  wanted = shared.impulseOf(work.set);
  for (const int dof : freedoms) wanted[dof] += work.motion.kick[dof] * torques.of(dof);
  shared.finish(freedoms, work.motion.kick, options.limits, wanted, choice, data.now.memory, work.set);
  constexpr double kGoodEnough = 1e-9;  // the replay tells what is missed for it
  const bool keeps = sharer.solve(shared.share()) || sharer.relativeResidual() <= kGoodEnough;
  result.tau = given;
  for (std::size_t k = 0; k < freedoms.size(); ++k)
    result.tau[freedoms[k]] += sharer.torques()[static_cast<int>(k)] / work.motion.kick[freedoms[k]];
  result.rechosen = keeps;
  return keeps;
}

bool InverseDynamics::Work::replay() {
  std::copy_n(result.tau.data(), result.tau.size(), data.input.tau.begin());
  data.stepper->step(data.input, data.now, data.scene.dt, data.next, data.report);
  return data.report.accepted();
}

double InverseDynamics::Work::measure(const DesiredStep& desired) {
  missed.resize(desired.velocity.size());
  if (data.report.substeps == 1) {
    reached = data.next.state.v;
  } else {
    reached.resize(data.scene.model.nv());
    difference(data.scene.model, data.now.state.q, data.next.state.q, reached);
    reached /= data.scene.dt;
  }
  double of_free = 0.0;
  result.missed = 0.0;
  for (Eigen::Index i = 0; i < missed.size(); ++i) {
    const int dof = desired.freedoms[i];
    missed[i] = desired.velocity[i] - reached[dof];
    result.missed = std::max(result.missed, std::fabs(missed[i]));
    const bool at_limit = std::fabs(result.tau[dof] - given[dof]) >= limitOf(dof) * (1.0 - 1e-12);
    if (!at_limit) of_free = std::max(of_free, std::fabs(missed[i]));
  }
  return of_free;
}

bool InverseDynamics::Work::find(const DesiredStep& desired) {
  if (options.choice == ForceChoice::kAsFound) return ask(desired, Servos::kHard);
  if (!ask(desired, Servos::kWithoutLimits)) return false;
  // forces that need less torque than the limits may exist, and then nothing is missed
  return rechoose(desired.freedoms, options.choice) || ask(desired, Servos::kHard);
}

// The replay takes its velocity terms at a mean velocity that it extrapolated, the step with servos at another one: the next has
// those of the replay.
void InverseDynamics::Work::follow(const DesiredStep& desired) {
  // A step takes its mean velocity anew where that misses more than this share of the speed, and keeps it where it does not: between the
  // two its end jumps, and no torque may lead to what lies in the gap.
  constexpr double kLeftOpen = 1e-7, kRounding = 1e-9;
  const double speed = std::max(data.now.state.v.cwiseAbs().maxCoeff(), data.next.state.v.cwiseAbs().maxCoeff());
  const double enough = std::max({options.tolerance, kRounding, kLeftOpen * speed});
  double left = measure(desired), least = std::numeric_limits<double>::infinity();
  bool whole = true;  // what servos reach in a step that is cut says nothing of one torque
  for (int k = 0; k < options.most_corrections; ++k) {
    whole = replay() && data.report.substeps == 1;
    left = whole ? measure(desired) : std::numeric_limits<double>::infinity();
    if (!whole) break;
    if (left < least) least = left, best = result.tau;
    if (left <= options.tolerance) break;
    ++result.corrections;
    if (k > 0)
      for (Eigen::Index i = 0; i < missed.size(); ++i) shifted[i] += missed[i];
    const FreeMotion& motion = data.stepper->work().motion;
    increment.assign(motion.predicted.begin(), motion.predicted.end());
    data.input.increment = increment.data();
    const bool found = find(desired);
    data.input.increment = nullptr;
    if (!found) break;
  }
  if (options.most_corrections > 0 && left > options.tolerance) {
    const bool near = whole && least <= enough;
    if (near) result.tau = best;
    left = shoot(desired, near ? options.tolerance : enough);
  }
  describe();
  if (left > enough) return;
  result.status = result.missed <= enough ? InverseStatus::kSolved : InverseStatus::kLimited;
}

void InverseDynamics::Work::yield(const DesiredStep& desired) {
  const Islands& islands = data.stepper->work().islands;
  for (int i = 0; i < islands.count; ++i)
    if (islands.list[i].solution.status == SolveStatus::kNoSolution)
      result.certificate = islands.list[i].solution.certificate;
  if (!result.certificate.empty()) result.status = InverseStatus::kInfeasible;
  shifted = desired.velocity;
  if (!ask(desired, Servos::kSoft)) return;
  // what squeezes harder and harder without moving anything is left out
  rechoose(desired.freedoms, ForceChoice::kLeastTorque);
  if (!replay()) return;
  measure(desired);
  describe();
}

void InverseDynamics::Work::describe() {
  result.velocity = data.next.state.v;
  result.q = data.next.state.q;
  result.substeps = data.report.substeps;
  result.contacts.clear();
  for (const Contact& contact : data.report.contacts)
    result.contacts.push_back({contact, coneMargin(data.scene.model, contact)});
}

InverseDynamics::InverseDynamics(const Simulator& simulator, const InverseOptions& options)
    : work_(std::make_unique<Work>(simulator, options)) {}
InverseDynamics::InverseDynamics(InverseDynamics&&) noexcept = default;
InverseDynamics::~InverseDynamics() = default;

const InverseResult& InverseDynamics::solve(const Simulator& at, const DesiredStep& desired) {
  Work& work = *work_;
  checkDesired(work.data.scene.model, desired, work.drivable);
  work.begin(at);
  work.shifted = desired.velocity;
  if (work.find(desired))
    work.follow(desired);
  else
    work.yield(desired);
  return work.result;
}

std::vector<int> InverseDynamics::actuated(const Model& model) {
  std::vector<int> freedoms;
  for (const ModelJoint& joint : model.joints())
    if (joint.spec.type != kFree && !isKinematic(model, joint))
      for (int k = 0; k < velocityCount(joint.spec.type); ++k) freedoms.push_back(joint.v_index + k);
  return freedoms;
}

}  // namespace rigor
