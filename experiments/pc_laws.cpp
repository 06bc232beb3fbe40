// PC figure 6: how far the impulses of the two friction laws are apart, over all contacts and over those that slip.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "experiments/bars.h"
#include "experiments/csv.h"
#include "experiments/pc.h"
#include "experiments/pc_scenes.h"
#include "experiments/statistics.h"

namespace rigor::experiments {
namespace {

constexpr std::int64_t kEvery = 10;      // steps between two problems that are solved by both laws
constexpr int kMostSweeps = 20000;       // PC section VI: PGS needed more than that at some impacts
constexpr double kPgsTolerance = 1e-20;  // PC section V-C: never reached, so it sweeps to rounding or to its limit
constexpr double kNoImpulse = 1e-9;      // [N s] below this a contact carries nothing
constexpr double kSmall = 0.01;          // the paper's "below 1 %"
constexpr double kPaperShare = 99.6;     // % of the samples that are
const std::vector<double> kEdges = {0.0, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 1e300};

/// |λ_dissipation − λ_coulomb| / |λ_coulomb| of every contact that carries something.
struct LawGap {
  std::vector<double> all, slips;
};

/// Solves every tenth problem of a run once more, by Coulomb's law.
class LawWatch final : public RunObserver {
 public:
  LawWatch(LawGap& gap, std::int64_t before, const Watch& watch, const StopFlag* stop)
      : gap_(gap), before_(before), watch_(watch), stop_(stop), pgs_(makeSolver("pgs")) {}

  ReportParts wants() const override { return {.problem = true}; }
  void see(const Simulator& simulator, const RunStep& step) override {
    heed(watch_, before_ + step.count);
    if (!step.report.accepted() || step.count % kEvery != 0) return;
    SolvedProblem solved = simulator.lastProblem();
    if (solved.problem.rows() == 0) return;
    solved.problem.law = Law::kCoulomb;
    ContactSolution answer;
    answer.impulse = solved.impulse;  // what redundant contacts leave open stays as it is
    pgs_->solve(solved.problem,
                {.tolerance = kPgsTolerance, .aim = kPgsTolerance, .max_iterations = kMostSweeps, .stop = stop_},
                answer);
    heed(watch_, before_ + step.count);
    compare(solved, answer);
  }

 private:
  void compare(const SolvedProblem& solved, const ContactSolution& answer) {
    for (std::size_t i = 0; i < solved.problem.blocks.size(); ++i) {
      const Block& block = solved.problem.blocks[i];
      if (!(block.mu > 0.0)) continue;  // limits and motors have no friction
      double apart = 0.0, size = 0.0;
      for (int row = block.row; row < block.row + block.size; ++row) {
        apart += std::pow(solved.impulse[row] - answer.impulse[row], 2);
        size += std::pow(answer.impulse[row], 2);
      }
      if (size < kNoImpulse * kNoImpulse) continue;
      gap_.all.push_back(std::sqrt(apart / size));
      if (answer.modes[i] == ContactMode::kSlip) gap_.slips.push_back(gap_.all.back());
    }
  }

  LawGap& gap_;
  const std::int64_t before_;
  const Watch& watch_;
  const StopFlag* stop_;
  std::unique_ptr<ContactSolver> pgs_;
};

std::vector<LawGap> measureAll(const Request& request, const Watch& watch) {
  std::vector<LawGap> gaps;
  for (const PcScene& scene : kPcScenes) {
    gaps.emplace_back();
    Simulator simulator(loadPcScene(request, scene, kOurBisection), pcOptions(request));
    LawWatch laws(gaps.back(), (std::ssize(gaps) - 1) * stepsOf(request), watch, request.stop);
    run(simulator, stepsOf(request), {.on_failure = OnFailure::kContinue}, {&laws});
    heed(watch, std::ssize(gaps) * stepsOf(request));
  }
  return gaps;
}

std::string saveHistogram(const std::string& folder, const std::vector<LawGap>& gaps, bool slips) {
  BarChart chart{slips ? "Difference of the two friction laws: slipping contacts alone"
                       : "Difference of the two friction laws: all contacts",
                 "relative difference of impulses, from",
                 "% of contacts",
                 false,
                 false,
                 {},
                 {}};
  for (std::size_t i = 0; i + 1 < kEdges.size(); ++i) chart.categories.push_back(fmt::format("{:g}", kEdges[i]));
  for (std::size_t s = 0; s < gaps.size(); ++s)
    chart.series.push_back({kPcScenes[s].name, sharesBetween(slips ? gaps[s].slips : gaps[s].all, kEdges)});
  const std::string file = slips ? "pc-figure-6-slips.svg" : "pc-figure-6.svg";
  saveBars(folder + "/" + file, chart);
  return file;
}

std::string saveShares(const std::string& folder, const std::vector<LawGap>& gaps) {
  std::vector<Column> columns = {{"from", {kEdges.begin(), kEdges.end() - 1}}};
  for (std::size_t s = 0; s < gaps.size(); ++s) {
    columns.push_back({fmt::format("{}_all_percent", kPcScenes[s].name), sharesBetween(gaps[s].all, kEdges)});
    columns.push_back({fmt::format("{}_slips_percent", kPcScenes[s].name), sharesBetween(gaps[s].slips, kEdges)});
  }
  saveCsv(folder + "/pc-figure-6.csv", columns);
  return "pc-figure-6.csv";
}

Outcome runLaws(const Request& request, const Watch& watch) {
  const std::vector<LawGap> gaps = measureAll(request, watch);
  Outcome outcome;
  outcome.setting = {
      fmt::format(
          "While bisection solves law dissipation at 1e-10, PGS solves every {}th step's problem by Coulomb's law "
          "at {:g}, {} sweeps at most.",
          kEvery, kPgsTolerance, kMostSweeps),
      "Sticking contacts have the same answer by both laws; the laws differ where contacts slip."};
  outcome.table.columns = {"scene", "contacts", "below 1 % [%]", "slips", "of these below 1 % [%]", "their median"};
  LawGap together;
  for (std::size_t s = 0; s < gaps.size(); ++s) {
    const auto& [all, slips] = gaps[s];
    outcome.table.rows.push_back({std::string(kPcScenes[s].name), static_cast<double>(all.size()),
                                  shareBelow(all, kSmall), static_cast<double>(slips.size()), shareBelow(slips, kSmall),
                                  quantileOf(slips, 0.5)});
    together.all.insert(together.all.end(), all.begin(), all.end());
    together.slips.insert(together.slips.end(), slips.begin(), slips.end());
  }
  const double share = shareBelow(together.all, kSmall), slipping = shareBelow(together.slips, kSmall);
  const bool touches = !together.all.empty(), slips = !together.slips.empty();
  if (touches) outcome.figures = {{"difference below 1 % [% of contacts]", kPaperShare, share}};
  outcome.findings = {
      {"more than 99.6 % of the time the two laws differ by less than 1 %",
       touches ? fmt::format("{:.2f} % of all contacts", share) : "nothing touched in so few steps",
       touches ? std::optional(share > kPaperShare) : std::nullopt},
      {"the two models are highly similar",
       slips ? fmt::format("of the contacts that slip, {:.1f} % differ by less than 1 %; their median is "
                           "{:.2g}",
                           slipping, quantileOf(together.slips, 0.5))
             : "no contact slipped in so few steps",
       slips ? std::optional(slipping > kPaperShare) : std::nullopt}};
  outcome.files = {saveShares(request.folder, gaps), saveHistogram(request.folder, gaps, false),
                   saveHistogram(request.folder, gaps, true)};
  return outcome;
}

}  // namespace

Experiment pcLaws() {
  return {"pc-laws",
          "PC",
          "how far the two friction laws are apart (figure 6)",
          kPcSteps * std::ssize(kPcScenes),
          runLaws,
          false,
          kPcSteps};
}

}  // namespace rigor::experiments
