// What solvers, the second opinion, checks, distances and gaits answer.
#include "json.h"
#include "json_text.h"
#include "measures.h"

namespace rigor::app {
namespace {

/// null where there is none.
Json ledgerJson(const EnergyLedger& ledger) {
  if (ledger.steps() == 0) return nullptr;
  Json work = Json::object();
  for (int account = 0; account < kAccounts; ++account)
    work[kAccountNames[account]] = ledger.total(static_cast<Account>(account));
  const int worst = ledger.worstStep();
  return {{"steps", ledger.steps()},
          {"energy", {ledger.energy.front(), ledger.energy.back()}},
          {"springs", {ledger.springs.front(), ledger.springs.back()}},
          {"work", std::move(work)},
          {"remainder", ledger.totalRemainder()},
          {"worst_remainder", {{"step", worst}, {"value", ledger.remainder[worst]}}}};
}

const char* placeName(LcpPlace place) {
  return place == LcpPlace::kLower ? "lower" : (place == LcpPlace::kUpper ? "upper" : "inside");
}

}  // namespace

std::string solveJson(const std::string& solver, const std::string& law, const ContactSolution& solution,
                      double microseconds) {
  const Residuals& residuals = solution.residuals;
  Json json{{"status", statusName(solution.status)},
            {"law", law},
            {"solver", solver},
            {"stage", solution.stage},
            {"iterations", solution.iterations},
            {"time_us", microseconds},
            {"residuals",
             {{"law", residuals.law},
              {"plain_law", residuals.plain_law},
              {"equation", residuals.equation},
              {"natural_map", residuals.natural_map},
              {"primal", residuals.primal},
              {"dual", residuals.dual},
              {"complementarity", residuals.complementarity},
              {"signorini", residuals.signorini},
              {"dissipation", residuals.dissipation},
              {"floor", residuals.floor},
              {"by_floor", residuals.by_floor},
              {"law_gap", residuals.law_gap}}},
            {"law_gap", residuals.law_gap},
            {"impulses", solution.impulse}};
  if (solution.status == SolveStatus::kNoSolution) json["certificate"] = solution.certificate;
  if (solution.status == SolveStatus::kUnsolved) json["proof"] = false;
  return print(json);
}

const char* statusName(LcpStatus status) {
  constexpr SolveStatus kSame[] = {SolveStatus::kSolved, SolveStatus::kNoSolution, SolveStatus::kUnsolved,
                                   SolveStatus::kBadInput};
  return statusName(kSame[static_cast<int>(status)]);
}

std::string solveJson(const LcpSolution& solution, double microseconds) {
  const LcpResiduals& residuals = solution.residuals;
  Json json{{"status", statusName(solution.status)},
            {"solver", "lemke"},
            {"stage", solution.stage},
            {"iterations", solution.pivots},
            {"time_us", microseconds},
            {"residuals",
             {{"natural_map", residuals.residual},
              {"plain_natural_map", residuals.plain_residual},
              {"by_floor", residuals.by_floor},
              {"worst_row", residuals.worst_row}}},
            {"z", solution.z},
            {"w", solution.w}};
  if (!solution.certificate.empty()) json["certificate"] = solution.certificate;
  for (const LcpBranch& branch : solution.branches) {
    Json decided = Json::array();
    for (const auto& [row, place] : branch.decided) decided.push_back({row, placeName(place)});
    json["branches"].push_back({{"decided", std::move(decided)}, {"certificate", branch.v}});
  }
  if (solution.status == LcpStatus::kUnsolved) json["proof"] = false;
  return print(json);
}

std::string verifyJson(const Verdict& verdict, const EnergyLedger& ledger) {
  const BrokenStep& bad = verdict.first_bad;
  Json first = nullptr;
  if (!verdict.holds) first = Json{{"step", bad.step}, {"what", bad.what}, {"value", bad.value}, {"limit", bad.limit}};
  Json worst = Json::object(), measures = Json::object();
  for (const MeasureName& measure : kMeasures) {
    worst[measure.key] = verdict.worst.*measure.of;
    const double value = verdict.nearest.*measure.of, limit = verdict.limit.*measure.of;
    measures[measure.key] = nullptr;  // never looked at
    if (limit >= 0.0) measures[measure.key] = {{"value", value}, {"limit", limit}, {"holds", value <= limit}};
  }
  return print({{"status", verdict.holds ? "holds" : "broken"},
                {"steps", verdict.steps},
                {"substeps", verdict.substeps},
                {"restarts", verdict.restarts},
                {"first_bad", std::move(first)},
                {"worst", std::move(worst)},
                {"measures", std::move(measures)},
                {"ledger", ledgerJson(ledger)},
                {"unchecked", verdict.unchecked}});
}

std::string collideJson(const Collision& collision, const std::vector<std::string>& features) {
  Json points = Json::array();
  for (std::size_t i = 0; i < features.size(); ++i) {
    const TouchingPoint& point = collision.manifold[i];
    points.push_back({{"on_a", listOf(point.point_1)},
                      {"on_b", listOf(point.point_2)},
                      {"gap", point.gap},
                      {"normal", listOf(point.normal)},
                      {"feature", features[i]}});
  }
  return print({{"distance", collision.distance},
                {"normal", listOf(collision.normal)},
                {"on_a", listOf(collision.point_1)},
                {"on_b", listOf(collision.point_2)},
                {"points", std::move(points)}});
}

std::string inverseJson(const FollowSummary& summary, const RunSummary& run) {
  return print({{"steps", summary.steps},
                {"solved", summary.solved},
                {"limited", summary.limited},
                {"certified", summary.certified},
                {"failed_steps", summary.failed + run.failed_steps},
                {"tracking_max", summary.tracking_max},
                {"cone_margin_min", summary.cone_margin_min},
                {"slipping_steps", summary.slipping},
                {"torque_max", summary.torque_max},
                {"corrections", summary.corrections},
                {"wall_time", run.wall_time}});
}

std::string checkJson(const std::vector<Problem>& problems) {
  Json list = Json::array();
  for (const Problem& problem : problems)
    list.push_back({{"kind", problem.kind},
                    {"severity", problem.is_error ? "error" : "warning"},
                    {"element", problem.where.element},
                    {"file", problem.where.file},
                    {"line", problem.where.line},
                    {"message", problem.message},
                    {"remedy", problem.remedy}});
  return print({{"problems", std::move(list)}});
}

std::string solverListJson(const std::vector<SolverInfo>& solvers) {
  Json list = Json::array();
  for (const SolverInfo& solver : solvers)
    list.push_back({{"name", solver.name},
                    {"laws", solver.laws},
                    {"blocks", solver.blocks},
                    {"description", solver.description},
                    {"cost", solver.cost},
                    {"fails", solver.fails}});
  return print({{"solvers", list}});
}

std::string gaitJson(const Model& model, const WalkSpec& spec, const Walk& walk) {
  Json feet = Json::array();
  for (const int foot : spec.feet) feet.push_back(model.body(foot).name);
  return print({{"feet", std::move(feet)},
                {"speed", spec.speed},
                {"period", walk.period},
                {"duty", walk.duty},
                {"stride", walk.stride},
                {"step_height", walk.step_height},
                {"base_height", walk.height},
                {"ground", spec.ground},
                {"dt", spec.dt},
                {"rows", walk.motion.time.size()},
                {"slip_max", walk.slip},
                {"off_ground_max", walk.depth},
                {"joint_speed_max", walk.joint_speed},
                {"fastest_joint", walk.fastest}});
}

}  // namespace rigor::app
