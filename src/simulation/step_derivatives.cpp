#include "rigor/step_derivatives.h"

#include <fmt/format.h>

#include <utility>

#include "derivatives/linearise.h"
#include "derivatives/step_chain.h"
#include "simulation/simulator_data.h"

namespace rigor {
namespace {

StateTangent zeroState(int nv) { return {Eigen::VectorXd::Zero(nv), Eigen::VectorXd::Zero(nv)}; }

StepTangent zeroTangent(int nv) {
  StepTangent zero;
  zero.state = zeroState(nv);
  zero.memory.last_step.setZero(nv);
  for (Eigen::VectorXd& rate : zero.memory.rates) rate.setZero(nv);
  return zero;
}

/// Between a user's vectors and the first column of what chains work on.
void take(const StepTangent& from, StepTangents& to) {
  to.q = from.state.q, to.v = from.state.v, to.last_step = from.memory.last_step;
  for (int k = 0; k < 3; ++k) to.rates[k] = from.memory.rates[k];
  to.time.setZero(1);
}
void give(const StepTangents& from, StepTangent& to) {
  to.state.q = from.q, to.state.v = from.v, to.memory.last_step = from.last_step;
  for (int k = 0; k < 3; ++k) to.memory.rates[k] = from.rates[k];
}

std::string nameOf(const Model& model, const RowId& id) {
  const auto shape = [&](int shift) -> const std::string& {
    return model.shapes()[static_cast<std::size_t>(id.high >> shift & (kMostShapes - 1))].name;
  };
  const auto joint = [&](std::uint64_t dof) -> std::string {
    for (const ModelJoint& one : model.joints())
      if (static_cast<int>(dof) >= one.v_index && static_cast<int>(dof) < one.v_index + velocityCount(one.spec.type))
        return one.spec.name;
    return "";
  };
  switch (id.high >> 60) {  // kinds of rows are numbered in rigor/row_id.h
    case 0:
      return fmt::format("the contact of \"{}\" and \"{}\"", shape(34), shape(8));
    case 1:
      return fmt::format("the {} limit of joint \"{}\"", id.low % 2 == 1 ? "upper" : "lower", joint(id.low / 2));
    case 2:
      return fmt::format("the motor of joint \"{}\"", joint(id.low));
    case 3:
      return fmt::format("the dry friction of joint \"{}\"", joint(id.low));
    default:
      return "a row of a loop";
  }
}

}  // namespace

struct StepDerivatives::Data {
  Data(const Simulator::Data& simulator, std::vector<StepParameter> given)
      : model(simulator.scene.model),
        parameters(std::move(given)),
        drives(static_cast<int>(simulator.input.drives.size())),
        lineariser(simulator.stepper->tables(), parameters) {}

  void see(const StepContext& context, const StepWork& work, const StepReport& report) {
    if (report.substeps == 1) begin();
    if (why) return;
    why = lineariser.linearise(context, work, chain.add(), margin);
  }
  void begin() {
    chain.clear();
    margin = {};
    why = nullptr;
    dense = false;
  }
  void needKnown() const {
    if (status != StepStatus::kAccepted)
      throw Error(fmt::format("a step that was refused has no derivatives: {}", reasonOf(status)),
                  "Ask known() first; a shorter step, or sub-steps, may be accepted.");
    if (why) throw Error(fmt::format("this step has no derivatives yet: it used {}", why), "Ask known() first.");
    if (chain.count() == 0) throw Error("no step has been taken yet", "Call StepDerivatives::step before.");
  }

  void checkSizes(const StepTangent& of, bool start) const {
    const Eigen::Index n = model.nv();
    bool fits = of.state.q.size() == n && of.state.v.size() == n && of.memory.last_step.size() == n;
    for (const Eigen::VectorXd& rate : of.memory.rates) fits = fits && rate.size() == n;
    if (start)
      fits = fits && of.tau.size() == n && of.ctrl.size() == drives &&
             of.parameters.size() == static_cast<Eigen::Index>(parameters.size());
    if (!fits) throw Error("the sizes of a tangent are not those of the step", "Begin with zeroStart() and zeroEnd().");
  }

  Model model;
  std::vector<StepParameter> parameters;
  int drives;
  Lineariser lineariser;
  StepChain chain;
  SwitchMargin margin;
  StepStatus status = StepStatus::kAccepted;
  const char* why = nullptr;
  /// What goes through the chain: a single column, or those of the Jacobians. Each keeps its memory.
  struct Columns {
    StepTangents tangents;
    StepForcing forcing;
    StepScratch scratch;
  } one, all;
  bool dense = false;  ///< the Jacobians are those of the last step
  StepJacobians jacobians;
};

StepDerivatives::StepDerivatives(const Simulator& simulator, std::vector<StepParameter> parameters)
    : data_(std::make_unique<Data>(*simulator.data_, std::move(parameters))) {}
StepDerivatives::~StepDerivatives() = default;
StepDerivatives::StepDerivatives(StepDerivatives&&) noexcept = default;

const StepReport& StepDerivatives::step(Simulator& simulator) {
  Data& d = *data_;
  Simulator::Data& s = *simulator.data_;
  if (s.scene.model.nv() != d.model.nv() || s.scene.model.nq() != d.model.nq() ||
      static_cast<int>(s.input.drives.size()) != d.drives)
    throw Error("the simulator is of another scene than these derivatives",
                "Make StepDerivatives from a simulator of the same scene.");
  d.begin();
  if (s.event) d.why = "stepper event";
  struct Listening {
    explicit Listening(Simulator::Data& data) : data_(data) {}
    ~Listening() { data_.also = nullptr; }
    Simulator::Data& data_;
  } listening(s);
  if (!d.why) s.also = [&d, &s](const StepContext& context, const StepWork& work) { d.see(context, work, s.report); };
  const StepReport& report = simulator.step();
  d.status = report.status;
  if (report.theta < 1.0 && !d.why) d.why = "a bounce that was shortened to keep energy, or left out";
  if (d.chain.endsOnImpact() && !d.why) d.why = "an impact at the very end of a step";
  return report;
}

bool StepDerivatives::known() const {
  return data_->status == StepStatus::kAccepted && !data_->why && data_->chain.count() > 0;
}

std::string StepDerivatives::reason() const {
  if (known()) return "";
  if (data_->status != StepStatus::kAccepted) return reasonOf(data_->status);
  return data_->why ? data_->why : "no step has been taken yet";
}

int StepDerivatives::substeps() const { return data_->chain.count(); }
bool StepDerivatives::iteratesMean() const {
  bool any = false;
  for (int i = 0; i < data_->chain.count(); ++i) any = any || !data_->chain.at(i).extrapolates;
  return any;
}
SwitchMargin StepDerivatives::margin() const { return data_->margin; }

std::string StepDerivatives::describeMargin() const {
  const SwitchMargin& margin = data_->margin;
  if (!(margin.velocity < std::numeric_limits<double>::infinity())) return "nothing was there that could switch";
  return fmt::format("{} is {:.3g} m/s or rad/s from another mode", nameOf(data_->model, margin.id), margin.velocity);
}

StepTangent StepDerivatives::zeroStart() const {
  StepTangent zero = zeroEnd();
  zero.tau.setZero(data_->model.nv());
  zero.ctrl.setZero(data_->drives);
  zero.parameters.setZero(static_cast<Eigen::Index>(data_->parameters.size()));
  return zero;
}
StepTangent StepDerivatives::zeroEnd() const { return zeroTangent(data_->model.nv()); }

void StepDerivatives::pushForward(const StepTangent& start, StepTangent& end) {
  Data& d = *data_;
  d.needKnown();
  d.checkSizes(start, true);
  auto& [tangents, forcing, scratch] = d.one;
  take(start, tangents);
  forcing.tau = start.tau, forcing.ctrl = start.ctrl, forcing.parameter = start.parameters;
  d.chain.forward(forcing, tangents, scratch);
  give(tangents, end);
}

void StepDerivatives::pullBack(const StepTangent& end, StepTangent& start) {
  Data& d = *data_;
  d.needKnown();
  d.checkSizes(end, false);
  auto& [gradients, forcing, scratch] = d.one;
  take(end, gradients);
  forcing.setZero(d.model.nv(), d.drives, static_cast<int>(d.parameters.size()), 1);
  d.chain.adjoint(gradients, forcing, scratch);
  give(gradients, start);
  start.tau = forcing.tau, start.ctrl = forcing.ctrl, start.parameters = forcing.parameter;
}

const StepJacobians& StepDerivatives::jacobians() {
  Data& d = *data_;
  d.needKnown();
  if (d.dense) return d.jacobians;
  const int n = d.model.nv(), parameters = static_cast<int>(d.parameters.size());
  auto& [tangents, forcing, scratch] = d.all;
  tangents.setZero(n, 3 * n + d.drives + parameters);
  forcing.setZero(n, d.drives, parameters, 3 * n + d.drives + parameters);
  tangents.q.leftCols(n).setIdentity();
  tangents.v.middleCols(n, n).setIdentity();
  forcing.parameter.middleCols(2 * n, parameters).setIdentity();
  forcing.tau.middleCols(2 * n + parameters, n).setIdentity();
  forcing.ctrl.rightCols(d.drives).setIdentity();
  d.chain.forwardByAll(forcing, tangents, scratch);
  const auto split = [&](const Eigen::MatrixXd& all, Eigen::MatrixXd* const(&parts)[5]) {
    const int widths[5] = {n, n, parameters, n, d.drives};
    int first = 0;
    for (int k = 0; k < 5; first += widths[k++]) *parts[k] = all.middleCols(first, widths[k]);
  };
  StepJacobians& J = d.jacobians;
  split(tangents.q, {&J.dq_dq, &J.dq_dv, &J.dq_dparameters, &J.dq_dtau, &J.dq_dctrl});
  split(tangents.v, {&J.dv_dq, &J.dv_dv, &J.dv_dparameters, &J.dv_dtau, &J.dv_dctrl});
  d.dense = true;
  return J;
}

const std::vector<StepParameter>& StepDerivatives::parameters() const { return data_->parameters; }

}  // namespace rigor
