#include "minimal/smooth_step.h"

#include <algorithm>
#include <cmath>

#include "dynamics/jacobian.h"
#include "dynamics/passive.h"
#include "stepping/spring_stretch.h"

namespace rigor {

SmoothForces::SmoothForces(const StepTables& tables)
    : topology_(tables.model.topology()),
      parameters_(tables.model.parameters()),
      own_(tables.own),
      inertias_(topology_.links),
      external_(topology_.links),
      tau_(topology_.nv),
      spring_(topology_.nv),
      ties_(tables.springs),
      row_(topology_.nv) {
  const std::vector<double>& stiffness = parameters_.stiffness;
  sprung_ = std::any_of(stiffness.begin(), stiffness.end(), [](double k) { return k > 0.0; });
  kin_.resize(topology_);
  aba_.resize(topology_);
  own_forces_.resize(own_);
  own_forces_.forces.reserve(own_forces_.forces.capacity() + 2 * ties_.size());
}

void SmoothForces::use(const StepInput& input, bool clamped) {
  input_ = &input;
  clamped_ = clamped;
  saturated_ = false;
}

void SmoothForces::evaluate(const double* q, const double* v, double* acceleration) {
  computeKinematics(topology_, parameters_, q, kin_);
  computeInertias(topology_, parameters_, kin_, inertias_);
  evaluate(kin_, inertias_, q, v, acceleration);
}

void SmoothForces::evaluate(const Kinematics<double>& kin, const std::vector<Inertia<double>>& inertias,
                            const double* q, const double* v, double* acceleration) {
  const StepInput& input = *input_;
  if (sprung_) computeSprings(topology_, parameters_, q, spring_.data());
  for (int j = 0; j < topology_.nv; ++j) tau_[j] = input.tau[j] - parameters_.damping[j] * v[j] + spring_[j];
  for (const Drive& drive : input.drives) {
    const double held = drive.torque(q[drive.q_index], v[drive.dof]);
    saturated_ = saturated_ || std::fabs(held) > drive.effort;
    tau_[drive.dof] += clamped_ ? std::clamp(held, -drive.effort, drive.effort) : held;
  }
  own_forces_.compute(own_, topology_, nullptr, kin);
  addTies(kin, v);
  aba(topology_, parameters_, kin, inertias, v, tau_.data(), computeExternal(input, own_forces_, kin, external_), aba_,
      acceleration);
}

void SmoothForces::addTies(const Kinematics<double>& kin, const double* v) {
  for (const SpringPart& part : ties_) {
    const SpringStretch at = computeStretch(part, topology_, kin);
    if (!at.has_line) continue;
    const int links[2] = {part.link_2, part.link_1};
    double rate = 0.0;
    for (int end = 0; end < 2; ++end) {
      if (links[end] < 0) continue;
      jacobianRow(topology_, kin.S.data(), links[end], at.damper.F[end], row_.data());
      const int* dofs = topology_.chain.data() + topology_.chain_start[links[end]];
      for (int k = 0; k < topology_.chain_length[links[end]]; ++k) rate += row_[k] * v[dofs[k]];
    }
    for (int end = 0; end < 2; ++end) {
      if (links[end] < 0) continue;
      const Force<double> pull = -part.stiffness * at.spring.value * at.spring.F[end];
      own_forces_.forces.push_back({links[end], pull + -part.damping * rate * at.damper.F[end]});
    }
  }
}

SmoothStep::SmoothStep(const StepTables& tables, Integrator integrator)
    : nv_(tables.model.nv()), forces_(tables), integrator_(tables.topology, integrator), acceleration_(nv_) {}

void SmoothStep::findNodeVelocity(const StepContext& context, Eigen::VectorXd& node) {
  node = Eigen::Map<const Eigen::VectorXd>(context.v, nv_);
  const std::vector<Run>& runs = context.part.runs;
  if (std::all_of(runs.begin(), runs.end(), [](const Run& run) { return run.last_step == 0.0; })) return;
  forces_.use(context.input);
  // twice: the second time the velocity-dependent forces are those of the node, up to the order of the leapfrog
  for (int pass = 0; pass < 2; ++pass) {
    forces_.evaluate(context.q, node.data(), acceleration_.data());
    for (const Run& run : runs)
      for (int j = run.trees.first_dof; j < run.trees.end_dof; ++j)
        node[j] = context.v[j] + 0.5 * run.last_step * acceleration_[j];
  }
}

NodeStepResult SmoothStep::take(const StepContext& context, const double* node_velocity, double h, State& to) {
  forces_.use(context.input);
  const NodeStepResult result = integrator_.step(forces_, context.q, node_velocity, h, to.q.data(), to.v.data());
  // the torque at the end is the next step's, but a motor that saturates there did so on the way
  if (result.converged) forces_.evaluate(to.q.data(), to.v.data(), acceleration_.data());
  return result;
}

void rememberNode(const Memory& before, Memory& after) {
  after.last_step.assign(before.last_step.size(), 0.0);
  after.increments.assign(before.increments.size(), 0);
  for (int k = 0; k < 3; ++k) after.rates[k] = before.rates[k];
  after.blocks.clear();
  after.controller = before.controller;
  after.random = before.random;
}

}  // namespace rigor
