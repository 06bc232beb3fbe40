// Inverse dynamics of a motion of all freedoms: velocities of contacts are known, so is the impulse that all forces must make, and
// what is left is to share it.
//
//   f = M (v′ − v) − κ (τ_given − c) = Σ Jᵀλ + κ τ,   λ_i in its cone where the contact rests, against its slip where it slips
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "inverse/inverse_work.h"
#include "minimal/attempt.h"
#include "minimal/passes.h"
#include "minimal/secant.h"
#include "minimal/split_step.h"

namespace rigor {
namespace {

void checkWhole(const Scene& scene, const Eigen::VectorXd& velocity, const std::vector<int>& driven) {
  const int nv = scene.model.nv();
  if (velocity.size() != nv)
    throw Error(fmt::format("a motion of all freedoms has {} velocities, the model has {}", velocity.size(), nv),
                "Give one per freedom, or name those that follow and call solve.");
  if (!velocity.allFinite()) throw Error("a velocity that is asked for is not finite", "Velocities are finite.");
  if (driven.empty())
    throw Error("nothing is driven: no torques can follow a motion", "Name the freedoms that torques act on.");
  for (std::size_t i = 0; i < driven.size(); ++i)
    if (driven[i] < 0 || driven[i] >= nv || (i > 0 && driven[i] <= driven[i - 1]))
      throw Error(fmt::format("driven freedom {} is none of {}, or named twice or out of order", driven[i], nv),
                  "Name each freedom once, in rising order.");
  const std::vector<double>& friction = scene.model.parameters().dry_friction;
  const bool rubs = std::any_of(friction.begin(), friction.end(), [](double f) { return f > 0.0; });
  if (rubs || !scene.model.springs().empty())
    throw Error("a motion of all freedoms is not solved for models with dry joint friction or springs between points",
                "Name the joints that follow and call solve, which knows both.");
}

const double* givenImpulse(const MotionOptions& how, const Constraint& c, double kick, double impulse[3]) {
  for (const MotionOptions::Given& given : how.given)
    if (given.id == c.id) {
      for (int r = 0; r < 3; ++r) impulse[r] = kick * given.force[r];
      return impulse;
    }
  return nullptr;
}

}  // namespace

void InverseDynamics::Work::pose(const Eigen::VectorXd& velocity, const MotionOptions& how) {
  const double h = data.scene.dt;
  std::copy_n(given.data(), given.size(), data.input.tau.begin());
  data.report.nanoseconds = {};
  PhaseClock clock(data.report);
  const StepTask task = data.stepper->makeTask(data.input, h, data.report);
  StepWork& work = task.work;
  beginStep(task);
  startMotion(task, data.now, h, clock);
  const StepContext context = task.from(data.now);
  FreeMotion& motion = work.motion;
  for (Eigen::Index j = 0; j < velocity.size(); ++j) motion.predicted[j] = velocity[j] - context.v[j];
  computeBias(work.part, context.parameters, work.start.pose.kin, context.input, context.v, motion);
  searchNear(context, work.start.pose, motion, work.set);
  addConstraints(context, work.start.pose, motion, work.set);
  data.next.state.v = velocity;
  data.next.state.q.resize(context.topology.nq);
  moveTo(task, context, data.next);
  const StepEnd end{work.end.pose, data.next.state.q.data(), data.next.state.v.data(), h};
  computeResponses(context.topology, motion, 0, work.set);
  appendViolated(context, work.start.pose, end, motion, work.set);
  computeSecants(context, work.start.pose, end, work.set);
  for (const int slot : work.set.active) {
    const Constraint& c = work.set.slots[slot];
    std::fill_n(work.set.impulse.begin() + c.first_row, c.rows, 0.0);
  }
  judgeMomentum(context, work.start.pose.kin, motion, work.set, velocity.data(), work.momentum);
  wanted.resize(velocity.size());
  for (Eigen::Index j = 0; j < velocity.size(); ++j) wanted[j] = work.momentum.balance[j] + work.momentum.sum[j];
  shared.begin(context.topology.nv);
  for (const int slot : work.set.active) {
    const Constraint& c = work.set.slots[slot];
    double impulse[3] = {};
    const double* known = givenImpulse(how, c, meanKick(context, motion, work.set, c), impulse);
    shared.addKnown(work.set, c, h, how, known);
  }
}

// The nearest step that there is: what is driven follows, and the rest does what it must.
void InverseDynamics::Work::comeNear(const Eigen::VectorXd& velocity, const std::vector<int>& driven) {
  DesiredStep desired{driven, Eigen::VectorXd(static_cast<Eigen::Index>(driven.size()))};
  for (std::size_t k = 0; k < driven.size(); ++k) desired.velocity[static_cast<int>(k)] = velocity[driven[k]];
  shifted = desired.velocity;
  const std::vector<double> proof = result.certificate;
  if (find(desired))
    follow(desired);
  else
    yield(desired);
  if (!proof.empty()) result.certificate = proof;
}

const InverseResult& InverseDynamics::solveMotion(const Simulator& at, const Eigen::VectorXd& velocity,
                                                  const std::vector<int>& driven, const MotionOptions& how) {
  Work& work = *work_;
  InverseResult& result = work.result;
  checkWhole(work.data.scene, velocity, driven);
  work.begin(at);
  work.pose(velocity, how);
  const StepWork& step = work.data.stepper->work();
  const ForceChoice choice =
      work.options.choice == ForceChoice::kAsFound ? ForceChoice::kLeastForce : work.options.choice;
  work.shared.finish(driven, step.motion.kick, work.options.limits, work.wanted, choice, work.data.now.memory,
                     step.set);
  // rows of what slips contradict each other by what the terms at the mean velocity are not known to
  constexpr double kGoodEnough = 1e-7;
  const bool found = work.sharer.solve(work.shared.share()) || work.sharer.relativeResidual() <= kGoodEnough;
  result.overlap = work.shared.deepest();
  for (std::size_t k = 0; k < driven.size(); ++k)
    result.tau[driven[k]] += work.sharer.torques()[static_cast<int>(k)] / step.motion.kick[driven[k]];
  if (!found) {
    const Eigen::VectorXd& direction = work.sharer.residual();
    result.proof = provesImpossible(work.shared.share(), direction);
    if (result.proof > 0.0) result.certificate.assign(direction.begin(), direction.end());
    work.comeNear(velocity, driven);
  } else if (work.replay()) {
    work.describe();
  }
  result.missed = (velocity - work.data.next.state.v).cwiseAbs().maxCoeff();
  result.rechosen = found;
  result.status = found                         ? InverseStatus::kSolved
                  : !result.certificate.empty() ? InverseStatus::kInfeasible
                                                : InverseStatus::kUnsolved;
  return result;
}

Eigen::MatrixXd InverseDynamics::nullSpace() const {
  const Work& work = *work_;
  const ForceShare& share = work.shared.share();
  const StepShare& shared = work.shared;
  const auto contacts = static_cast<Eigen::Index>(work.result.contacts.size());
  // forces of contacts against the freedoms that no torque holds
  std::vector<char> driven(share.J.cols(), 0);
  for (const int j : share.driven) driven[j] = 1;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(share.J.cols(), 3 * contacts);
  std::vector<char> pushes(contacts, 0);
  for (std::size_t s = 0; s < shared.rows().size(); ++s)
    for (Eigen::Index i = 0; i < contacts; ++i) {
      if (shared.rows()[s].id != work.result.contacts[i].contact.id || share.sets[s].size != 3) continue;
      pushes[i] = 1;
      for (int j = 0; j < share.J.cols(); ++j)
        for (int r = 0; r < 3 && !driven[j]; ++r) A(j, 3 * i + r) = share.J(share.sets[s].row + r, j);
    }
  Eigen::MatrixXd open = Eigen::MatrixXd::Zero(3 * contacts, 3 * contacts);
  for (Eigen::Index i = 0; i < contacts; ++i)
    if (!pushes[i]) open.diagonal().segment<3>(3 * i).setOnes();
  Eigen::MatrixXd all(A.rows() + open.rows(), A.cols());
  all << A, open;
  if (contacts == 0) return Eigen::MatrixXd(0, 0);
  Eigen::FullPivLU<Eigen::MatrixXd> lu(all);
  lu.setThreshold(1e-10);
  if (lu.dimensionOfKernel() == 0) return Eigen::MatrixXd(3 * contacts, 0);
  return lu.kernel();
}

}  // namespace rigor
