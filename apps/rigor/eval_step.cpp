// rigor eval --step-derivatives: one step of a scene, and what its end is by where and how it began.
#include <fmt/format.h>

#include "commands.h"
#include "eval.h"
#include "json.h"
#include "output.h"
#include "rigor/io.h"
#include "rigor/simulator.h"
#include "rigor/step_derivatives.h"
#include "warnings.h"

namespace rigor::app {
namespace {

/// Puts the simulator where the step shall begin.
void begin(const EvalArguments& arguments, Simulator& sim) {
  if (arguments.state.empty()) return;
  const StateFile states = loadStates(arguments.state, sim.scene().model);
  if (states.states.size() != 1)
    throw Error(Place{arguments.state, 0, ""},
                "--step-derivatives takes one state, and this is a list of another number",
                "Call rigor once for each state.");
  const auto& [q, v, tau] = states.states[0];
  sim.setState(q, v);
  if (tau.size() > 0) sim.input().tau = tau;
}

std::string describe(StepDerivatives& derivatives) {
  const StepJacobians& J = derivatives.jacobians();
  std::string names;
  for (const StepParameter& parameter : derivatives.parameters()) names += (names.empty() ? "" : " ") + parameter.name;
  std::vector<std::vector<std::string>> rows{{"by", "largest of q'", "largest of v'"}};
  const auto add = [&](const std::string& name, const Eigen::MatrixXd& q, const Eigen::MatrixXd& v) {
    if (q.cols() == 0) return;
    rows.push_back(
        {name, fmt::format("{:.6g}", q.cwiseAbs().maxCoeff()), fmt::format("{:.6g}", v.cwiseAbs().maxCoeff())});
  };
  add("q", J.dq_dq, J.dv_dq);
  add("v", J.dq_dv, J.dv_dv);
  add("tau", J.dq_dtau, J.dv_dtau);
  add("ctrl", J.dq_dctrl, J.dv_dctrl);
  add(names, J.dq_dparameters, J.dv_dparameters);
  return formatTable(rows) + fmt::format("\n{} sub-step{}; {}\n--json writes all numbers.\n", derivatives.substeps(),
                                         derivatives.substeps() == 1 ? "" : "s", derivatives.describeMargin());
}

}  // namespace

int evaluateStep(const EvalArguments& arguments) {
  const Scene scene = loadScene(arguments.model, arguments.load);
  std::vector<StepParameter> parameters;
  for (const std::string& name : arguments.parameters) parameters.push_back(findStepParameter(scene.model, name));
  Simulator sim(scene);
  tellWarnings(sim.warnings());
  begin(arguments, sim);
  StepDerivatives derivatives(sim, parameters);
  const StepReport& report = derivatives.step(sim);
  if (arguments.json) writeResult(stepDerivativesJson(derivatives, report));
  if (!derivatives.known()) {
    tell(report.accepted() ? "the step has no derivatives: it used " + derivatives.reason() : report.explain());
    return kFailed;
  }
  if (!arguments.json) writeResult(describe(derivatives));
  return kDone;
}

}  // namespace rigor::app
