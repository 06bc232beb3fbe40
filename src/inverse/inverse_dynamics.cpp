#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "inverse/servo_torques.h"
#include "model/topology.h"
#include "rigor/inverse.h"
#include "simulation/simulator_data.h"

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

/// (μ λn − |λt|)/(μ λn) of a contact; without friction the cone is its axis, and nothing is near its edge.
double marginOf(const Model& model, const Contact& contact) {
  const double normal = contact.impulse.dot(contact.normal);
  const double mu = model.material(contact.shape_1, contact.shape_2).friction;
  if (!(normal > 0.0)) return 0.0;
  if (!(mu > 0.0)) return 1.0;
  const double tangent = (contact.impulse - normal * contact.normal).norm();
  return std::max(0.0, 1.0 - tangent / (mu * normal));
}

}  // namespace

const char* inverseStatusName(InverseStatus status) {
  static constexpr const char* kNames[] = {"solved", "limited", "infeasible", "unsolved"};
  return kNames[static_cast<int>(status)];
}

struct InverseDynamics::Work {
  Work(const Simulator& simulator, const InverseOptions& o);

  double limitOf(int dof) const {
    return options.limits.size() > 0 ? options.limits[dof] : std::numeric_limits<double>::infinity();
  }
  void begin(const Simulator& at);
  bool ask(const DesiredStep& desired, double softness);
  bool replay();
  double measure(const DesiredStep& desired);
  void correct(const DesiredStep& desired);
  void describe();

  Simulator fork;
  Simulator::Data& data;
  InverseOptions options;
  std::vector<char> drivable;  // [nv]
  ServoTorques servos;
  Eigen::VectorXd shifted;        // [P] what the servos are asked for
  Eigen::VectorXd given, missed;  // [nv] torques of the input; [P] v*_P − v′_P
  InverseResult result;
};

InverseDynamics::Work::Work(const Simulator& simulator, const InverseOptions& o)
    : fork(simulator), data(*fork.data_), options(o) {
  const Model& model = data.scene.model;
  if (data.scene.stepper != "minimal")
    throw Error("inverse dynamics works with stepper minimal, the scene has \"" + data.scene.stepper + "\"",
                "Choose stepper = \"minimal\".");
  if (options.limits.size() > 0 && options.limits.size() != model.nv())
    throw Error(
        fmt::format("InverseOptions::limits has {} entries, the model needs {}", options.limits.size(), model.nv()),
        "One limit per velocity, infinite where there is none; or none at all.");
  drivable.assign(model.nv(), 0);
  for (const ModelJoint& joint : model.joints())
    if (!isKinematic(model, joint)) std::fill_n(drivable.begin() + joint.v_index, velocityCount(joint.spec.type), 1);
  servos.resize(model.nv());
  data.stepper->observeSubsteps(
      [this](const StepContext&, const StepWork& work) { servos.see(work, data.report.substeps == 1); });
  data.report.wanted = {.contacts = true};
}

/// The state, the memory and the forces of the simulator as it stands.
void InverseDynamics::Work::begin(const Simulator& at) {
  data.now = at.data_->now;
  data.user = at.data_->user;
  data.updateInput();
  given = Eigen::Map<const Eigen::VectorXd>(data.input.tau.data(), static_cast<Eigen::Index>(data.input.tau.size()));
  result.tau = given;
  result.certificate.clear();
  result.corrections = 0;
}

/// The step with servos; the torques that they stand for.
bool InverseDynamics::Work::ask(const DesiredStep& desired, double softness) {
  StepInput& input = data.input;
  std::copy_n(given.data(), given.size(), input.tau.begin());
  input.servos.resize(desired.freedoms.size());
  for (std::size_t i = 0; i < desired.freedoms.size(); ++i) {
    const int dof = desired.freedoms[i];
    input.servos[i] = {dof, shifted[static_cast<int>(i)], limitOf(dof), softness};
  }
  data.stepper->step(input, data.now, data.scene.dt, data.next, data.report);
  input.servos.clear();
  if (!data.report.accepted()) return false;
  result.tau = given;
  for (const int dof : desired.freedoms) result.tau[dof] += servos.of(dof);
  return true;
}

/// The ordinary step with the torques.
bool InverseDynamics::Work::replay() {
  std::copy_n(result.tau.data(), result.tau.size(), data.input.tau.begin());
  data.stepper->step(data.input, data.now, data.scene.dt, data.next, data.report);
  return data.report.accepted();
}

/// What the last step missed; freedoms at their limits are not missed, they are limited.
double InverseDynamics::Work::measure(const DesiredStep& desired) {
  missed.resize(desired.velocity.size());
  double of_free = 0.0;
  result.missed = 0.0;
  for (Eigen::Index i = 0; i < missed.size(); ++i) {
    const int dof = desired.freedoms[i];
    missed[i] = desired.velocity[i] - data.next.state.v[dof];
    result.missed = std::max(result.missed, std::fabs(missed[i]));
    const bool at_limit = std::fabs(result.tau[dof] - given[dof]) >= limitOf(dof) * (1.0 - 1e-12);
    if (!at_limit) of_free = std::max(of_free, std::fabs(missed[i]));
  }
  return of_free;
}

void InverseDynamics::Work::correct(const DesiredStep& desired) {
  shifted += missed;
  ++result.corrections;
  (void)desired;
}

void InverseDynamics::Work::describe() {
  result.velocity = data.next.state.v;
  result.q = data.next.state.q;
  result.contacts.clear();
  for (const Contact& contact : data.report.contacts)
    result.contacts.push_back({contact, marginOf(data.scene.model, contact)});
}

InverseDynamics::InverseDynamics(const Simulator& simulator, const InverseOptions& options)
    : work_(std::make_unique<Work>(simulator, options)) {}
InverseDynamics::InverseDynamics(InverseDynamics&&) noexcept = default;
InverseDynamics::~InverseDynamics() = default;

const InverseResult& InverseDynamics::solve(const Simulator& at, const DesiredStep& desired) {
  Work& work = *work_;
  InverseResult& result = work.result;
  checkDesired(work.data.scene.model, desired, work.drivable);
  work.begin(at);
  work.shifted = desired.velocity;
  result.status = InverseStatus::kUnsolved;
  if (!work.ask(desired, 0.0)) return result;
  double missed = work.measure(desired);
  for (int left = work.options.most_corrections; left > 0; --left) {
    if (!work.replay()) return result;
    missed = work.measure(desired);
    if (missed <= work.options.tolerance || left == 1) break;
    work.correct(desired);
    if (!work.ask(desired, 0.0)) return result;
  }
  work.describe();
  result.status = missed > 1e-9                             ? InverseStatus::kUnsolved
                  : result.missed <= work.options.tolerance ? InverseStatus::kSolved
                                                            : InverseStatus::kLimited;
  return result;
}

std::vector<int> InverseDynamics::actuated(const Model& model) {
  std::vector<int> freedoms;
  for (const ModelJoint& joint : model.joints())
    if (joint.spec.type != kFree && !isKinematic(model, joint))
      for (int k = 0; k < velocityCount(joint.spec.type); ++k) freedoms.push_back(joint.v_index + k);
  return freedoms;
}

}  // namespace rigor
