// What is in a model or scene, and what runs and experiments did.
#include "json.h"

#include <cmath>

#include "json_text.h"
#include "rigor/integrator.h"

namespace rigor::app {
namespace {

Json jointJson(const Model& model, const ModelJoint& place) {
  const JointSpec& joint = place.spec;
  Json json{{"name", joint.name},       {"type", jointTypeName(joint.type)}, {"body", model.body(place.body).name},
            {"q_index", place.q_index}, {"v_index", place.v_index},          {"range", nullptr},
            {"mimic", nullptr}};
  if (joint.range) json["range"] = {joint.range->lower, joint.range->upper};
  if (joint.mimic)
    json["mimic"] = {
        {"joint", joint.mimic->joint}, {"multiplier", joint.mimic->multiplier}, {"offset", joint.mimic->offset}};
  return json;
}

/// Stops, dry friction and motor only where there are any.
Json loopJson(const LoopSpec& loop) {
  Json json{{"name", loop.name}, {"kind", loopName(loop)}};
  if (loop.range) json["range"] = {loop.range->lower, loop.range->upper};
  if (loop.dry_friction > 0.0) json["dry_friction"] = loop.dry_friction;
  if (const LoopMotor& motor = loop.motor; motor.acts())
    json["motor"] = {{"kp", motor.kp},
                     {"kd", motor.kd},
                     {"target", motor.target},
                     {"torque", motor.torque},
                     {"effort", std::isfinite(motor.effort) ? Json(motor.effort) : Json(nullptr)}};
  return json;
}

Json evaluationJson(const Model& model, const Evaluation& at) {
  Json json = Json::object(), bodies = Json::array();
  if (at.M.size() > 0 || model.nv() == 0) {
    json["M"] = Json::array();
    for (int i = 0; i < at.M.rows(); ++i) json["M"].push_back(listOf(Eigen::VectorXd(at.M.row(i))));
  }
  for (int body = 0; body < model.bodyCount(); ++body) {
    const Eigen::Isometry3d& X = at.bodies[static_cast<std::size_t>(body)];
    const Eigen::Quaterniond r = Eigen::Quaterniond(X.linear()).normalized();
    bodies.push_back({{"name", model.body(body).name},
                      {"position", listOf(Eigen::Vector3d(X.translation()))},
                      {"quaternion", {r.w(), r.x(), r.y(), r.z()}}});
  }
  json["Mv"] = listOf(at.Mv);
  json["bias"] = listOf(at.bias);
  json["gravity"] = listOf(at.gravity);
  json["spring"] = listOf(at.spring);
  json["damper"] = listOf(at.damper);
  json["passive"] = listOf(Eigen::VectorXd(at.spring + at.damper));
  json["actuator"] = listOf(Eigen::VectorXd(Eigen::VectorXd::Zero(model.nv())));
  json["acceleration"] = listOf(at.acceleration);
  json["com"] = listOf(at.com);
  json["momentum"] = {{"linear", listOf(at.momentum)}, {"angular", listOf(at.angular_momentum)}};
  json["energy"] = {{"kinetic", at.kinetic}, {"gravity", at.gravity_energy}, {"spring", at.spring_energy}};
  json["bodies"] = std::move(bodies);
  return json;
}

Json phaseJson(const RunSummary& summary) {
  return {{"total", summary.microsecondsPerStep()},
          {"kinematics", summary.microsecondsPerStep(&PhaseTimes::kinematics)},
          {"free_motion", summary.microsecondsPerStep(&PhaseTimes::free_motion)},
          {"collide", summary.microsecondsPerStep(&PhaseTimes::collide)},
          {"assemble", summary.microsecondsPerStep(&PhaseTimes::assemble)},
          {"solve", summary.microsecondsPerStep(&PhaseTimes::solve)},
          {"judge", summary.microsecondsPerStep(&PhaseTimes::judge)},
          {"integrate", summary.microsecondsPerStep(&PhaseTimes::integrate)}};
}

const char* nameOf(StepStatus status) {
  switch (status) {
    case StepStatus::kAccepted:
      return "accepted";
    case StepStatus::kNotSolved:
      return "not_solved";
    case StepStatus::kNotConverged:
      return "not_converged";
    case StepStatus::kGivesEnergy:
      return "gives_energy";
    case StepStatus::kLoopSwings:
      return "loop_swings";
    case StepStatus::kTooManyEvents:
      return "too_many_events";
    case StepStatus::kInterrupted:
      return "interrupted";
    case StepStatus::kNotFinite:
      return "not_finite";
    case StepStatus::kTooFast:
      return "too_fast";
    case StepStatus::kNotIntegrated:
      return "not_integrated";
  }
  return "";
}

Json failureJson(const std::optional<RunSummary::Failure>& failure, const FailureFiles& saved) {
  if (!failure) return nullptr;
  Json json{{"step", failure->step},   {"status", nameOf(failure->status)},
            {"stage", failure->stage}, {"residual", failure->residual},
            {"certificate", nullptr},  {"fastest", nullptr},
            {"problem", nullptr},      {"snapshot", nullptr}};
  if (!failure->fastest.empty()) json["fastest"] = failure->fastest;
  if (!failure->certificate.empty()) json["certificate"] = failure->certificate;
  if (!saved.problem.empty()) json["problem"] = saved.problem;
  if (!saved.snapshot.empty()) json["snapshot"] = saved.snapshot;
  return json;
}

Json figuresJson(const experiments::Outcome& outcome) {
  Json figures = Json::array();
  for (const experiments::Figure& figure : outcome.figures)
    figures.push_back({{"what", figure.what},
                       {"paper", figure.paper},
                       {"rigor", figure.ours},
                       {"ratio", figure.paper != 0.0 ? Json(figure.ours / figure.paper) : nullptr}});
  return figures;
}

Json runObject(const Scene& scene, const RunSummary& summary, const FailureFiles& failed) {
  Json stages = Json::object();
  for (const RunSummary::Stage& stage : summary.stages) stages[stage.name] = stage.steps;
  return {{"scene", scene.file},
          {"status", runStatusName(summary.status)},
          {"ignored", {{"pairs", summary.ignored_pairs}, {"shapes", summary.ignored_shapes}}},
          {"stepper", scene.stepper},
          {"start", scene.start},
          {"solver", scene.solver},
          {"law", scene.law},
          {"directions", scene.directions},
          {"impact_stops", scene.impact_stops},
          {"impacts", scene.impacts},
          {"tolerance", scene.accuracy},
          {"step_accuracy", stepAccuracyOf(scene)},
          {"integrator", integratorOf(scene)},
          {"dt", scene.dt},
          {"steps", summary.steps},
          {"sim_time", summary.simTime()},
          {"wall_time", summary.wall_time},
          {"substeps", summary.substeps},
          {"smooth_steps", summary.smooth_steps},
          {"us_per_step", phaseJson(summary)},
          {"iterations", {{"mean", summary.meanIterations()}, {"max", summary.iterations_max}}},
          {"passes", {{"mean", summary.meanPasses()}, {"max", summary.passes_max}}},
          {"residual", {{"law", summary.law}, {"equation", summary.equation}, {"step", summary.step}}},
          {"law_gap", {{"max", summary.law_gap_max}, {"mean", summary.meanLawGap()}}},
          {"floor_max", summary.floor_max},
          {"accepted_by_floor", summary.accepted_by_floor},
          {"position_rounding_max", summary.position_rounding_max},
          {"penetration_max", summary.penetration_max},
          {"true_penetration_max", summary.true_penetration_max ? Json(*summary.true_penetration_max) : nullptr},
          {"loop_gap_max", summary.loop_gap_max},
          {"creep_max", summary.sticking.creep().speed},
          {"restitution_guard",
           {{"impacts", summary.impacts},
            {"theta_min", summary.theta_min},
            {"unmet", summary.unmet_bounces},
            {"cut", summary.impacts_cut}}},
          {"energy_gain_max", summary.energy_gain_max},
          {"failed_steps", summary.failed_steps},
          {"first_failure", failureJson(summary.first_failure, failed)},
          {"contacts_max", summary.contacts_max},
          {"solver_stages", stages},
          {"linear_algebra", algebraName(summary.algebra)},
          {"events",
           {{"impacts", summary.impacts},
            {"stick", summary.events.sticks},
            {"slip", summary.events.slips},
            {"separations", summary.events.separations},
            {"settled", summary.settled},
            {"fallbacks", summary.fallbacks}}},
          {"step_error", summary.step_error},
          {"energy", {{"start", summary.energy_start}, {"end", summary.energy_end}}},
          {"last_node_missed", summary.last_node_missed.empty() ? Json(nullptr) : Json(summary.last_node_missed)}};
}

}  // namespace

const char* statusName(SolveStatus status) {
  switch (status) {
    case SolveStatus::kSolved:
      return "solved";
    case SolveStatus::kInaccurate:
      return "inaccurate";
    case SolveStatus::kNoSolution:
      return "no_solution";
    case SolveStatus::kUnsolved:
      return "unsolved";
    case SolveStatus::kBadInput:
      return "bad_input";
  }
  return "";
}

std::string infoJson(const std::string& file, const std::string& format, const Model& model,
                     const std::vector<Warning>& warnings) {
  Json bodies = Json::array(), joints = Json::array();
  for (int body = 0; body < model.bodyCount(); ++body) {
    const BodySpec& spec = model.body(body);
    bodies.push_back({{"name", spec.name},
                      {"parent", spec.parent == kWorld ? "world" : model.body(spec.parent).name},
                      {"mass", spec.mass.mass}});
  }
  for (const ModelJoint& joint : model.joints()) joints.push_back(jointJson(model, joint));
  Json constraints = Json::array();
  for (const LoopSpec& loop : model.loops()) constraints.push_back(loopJson(loop));
  const Eigen::Vector3d gravity = model.gravity();
  Json json = {{"file", file},
               {"format", format},
               {"name", model.name()},
               {"nq", model.nq()},
               {"nv", model.nv()},
               {"mass", model.mass()},
               {"gravity", {gravity.x(), gravity.y(), gravity.z()}},
               {"bodies", bodies},
               {"joints", joints},
               {"actuators", Json::array()},
               {"constraints", constraints},
               {"shapes", model.shapes().size()},
               {"keyframes", Json::array()},
               {"q0", listOf(model.q0())},
               {"warnings", listOf(warnings)}};
  for (const SpringSpec& spring : model.springs())
    json["springs"].push_back({{"name", spring.name}, {"stiffness", spring.stiffness}, {"length", spring.length}});
  return print(json);
}

std::string stepDerivativesJson(StepDerivatives& derivatives, const StepReport& report) {
  Json json = {{"status", nameOf(report.status)}, {"known", derivatives.known()}, {"substeps", derivatives.substeps()}};
  Json names = Json::array();
  for (const StepParameter& parameter : derivatives.parameters()) names.push_back(parameter.name);
  json["parameters"] = std::move(names);
  if (!derivatives.known()) {
    json["reason"] = derivatives.reason();
    return print(json);
  }
  const double margin = derivatives.margin().velocity;
  json["margin"] = {{"velocity", std::isfinite(margin) ? Json(margin) : Json(nullptr)},
                    {"of", derivatives.describeMargin()}};
  const StepJacobians& J = derivatives.jacobians();
  const std::pair<const char*, const Eigen::MatrixXd*> all[] = {{"dq_dq", &J.dq_dq},
                                                                {"dq_dv", &J.dq_dv},
                                                                {"dq_dtau", &J.dq_dtau},
                                                                {"dq_dctrl", &J.dq_dctrl},
                                                                {"dq_dparameters", &J.dq_dparameters},
                                                                {"dv_dq", &J.dv_dq},
                                                                {"dv_dv", &J.dv_dv},
                                                                {"dv_dtau", &J.dv_dtau},
                                                                {"dv_dctrl", &J.dv_dctrl},
                                                                {"dv_dparameters", &J.dv_dparameters}};
  for (const auto& [name, matrix] : all) {
    Json rows = Json::array();
    for (Eigen::Index i = 0; i < matrix->rows(); ++i) rows.push_back(listOf(Eigen::VectorXd(matrix->row(i))));
    json[name] = std::move(rows);
  }
  return print(json);
}

std::string evalJson(const Model& model, const std::vector<Evaluation>& results, bool is_list) {
  Json states = Json::array();
  for (const Evaluation& result : results) states.push_back(evaluationJson(model, result));
  return print(is_list ? Json{{"states", states}} : states[0]);
}

std::string runJson(const Scene& scene, const RunSummary& summary, const std::vector<Warning>& warnings,
                    const FailureFiles& failed) {
  Json json = runObject(scene, summary, failed);
  json["warnings"] = listOf(warnings);
  return print(json);
}

std::string compareJson(const std::vector<ComparedRun>& runs, const std::vector<StepperGap>& gaps) {
  Json rows = Json::array(), differences = Json::array();
  for (const ComparedRun& run : runs) {
    rows.push_back(runObject(run.scene, run.summary, {}));
    differences.push_back({{"stepper", run.scene.stepper},
                           {"solver", run.scene.solver},
                           {"law", run.scene.law},
                           {"q_max", run.apart_max},
                           {"q_end", run.apart_end},
                           {"parted_at", run.parted ? Json(*run.parted) : nullptr}});
  }
  Json convergence = Json::array();
  for (const StepperGap& gap : gaps)
    convergence.push_back({{"dt", gap.dt},
                           {"q_max", gap.apart ? Json(*gap.apart) : nullptr},
                           {"order", gap.order ? Json(*gap.order) : nullptr}});
  return print({{"rows", rows}, {"differences", differences}, {"convergence", convergence}});
}

std::string reproduceJson(const std::string& folder, const std::vector<DoneExperiment>& done) {
  Json list = Json::array();
  for (const DoneExperiment& one : done) {
    const experiments::Experiment* experiment = one.experiment;
    const experiments::Outcome& outcome = one.outcome;
    Json findings = Json::array(), rows = Json::array();
    for (const experiments::Finding& finding : outcome.findings)
      findings.push_back({{"paper", finding.paper},
                          {"ours", finding.ours},
                          {"holds", finding.holds ? Json(*finding.holds) : nullptr}});
    for (const auto& row : outcome.table.rows) {
      Json object = Json::object();
      for (std::size_t k = 0; k < row.size(); ++k)
        std::visit([&](const auto& cell) { object[outcome.table.columns[k]] = cell; }, row[k]);
      rows.push_back(object);
    }
    list.push_back({{"name", experiment->name},
                    {"paper", experiment->paper},
                    {"title", experiment->title},
                    {"setting", outcome.setting},
                    {"table", rows},
                    {"findings", findings},
                    {"files", outcome.files},
                    {"figures", figuresJson(outcome)},
                    {"verdict", experiments::verdictName(outcome.verdict())},
                    {"seconds", one.seconds}});
  }
  return print({{"out", folder}, {"experiments", list}});
}

std::string experimentListJson(const std::vector<experiments::Experiment>& experiments) {
  Json list = Json::array();
  for (const experiments::Experiment& experiment : experiments)
    list.push_back({{"name", experiment.name}, {"paper", experiment.paper}, {"title", experiment.title}});
  return print({{"experiments", list}});
}

}  // namespace rigor::app
