// PC table I: what one slipping contact costs by each single-contact solve, on slips that the four scenes really meet.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/bars.h"
#include "experiments/contact_timing.h"
#include "experiments/csv.h"
#include "experiments/pc.h"
#include "experiments/pc_scenes.h"

namespace rigor::experiments {
namespace {

constexpr std::size_t kSamples = 100000;  // slips per scene, PC section V-B
constexpr int kRounds = 20;               // of which the best counts
constexpr double kInterval = 1e-6;        // [N s] where searches end, the same
constexpr std::int64_t kLonger = 3;       // scenes that hardly slip run this many times as long as the others

struct PaperTime {
  const char *solve, *printed;
  double microseconds;
};
constexpr PaperTime kTableI[] = {
    {"hybrid", "bisection", 0.58}, {"golden", "golden section", 1.2}, {"quartic", "analytical", 1.6}};

/// Takes every contact that slips in a step, with the velocity that it has without its own impulse.
class SlipSampler final : public RunObserver {
 public:
  SlipSampler(std::vector<ContactBlock>& slips, std::size_t most, std::int64_t before, const Watch& watch)
      : slips_(slips), most_(most), before_(before), watch_(watch) {}

  ReportParts wants() const override { return {.problem = true}; }
  void see(const Simulator& simulator, const RunStep& step) override {
    heed(watch_, before_ + step.count);
    if (!step.report.accepted() || full()) return;
    const SolvedProblem solved = simulator.lastProblem();
    if (solved.problem.rows() > 0) addSlips(solved.problem, solved.impulse, slips_);
  }
  bool full() const { return slips_.size() >= most_; }

 private:
  std::vector<ContactBlock>& slips_;
  const std::size_t most_;
  const std::int64_t before_;
  const Watch& watch_;
};

std::vector<ContactBlock> sampleSlips(const Request& request, const PcScene& scene, std::int64_t before,
                                      const Watch& watch) {
  std::vector<ContactBlock> slips;
  const std::int64_t steps = stepsOf(request);
  Simulator simulator(loadPcScene(request, scene, kOurBisection), pcOptions(request));
  SlipSampler sampler(slips, kSamples, before, watch);
  for (std::int64_t part = 0; part < kLonger && !sampler.full(); ++part) {
    run(simulator, steps, {.on_failure = OnFailure::kContinue}, {&sampler});
    heed(watch, before + steps);
  }
  return slips;
}

double timeOf(const std::vector<ContactTiming>& times, const std::string& name) {
  const auto found =
      std::find_if(times.begin(), times.end(), [&](const ContactTiming& one) { return one.name == name; });
  return found == times.end() ? NAN : 1e-3 * found->nanoseconds;
}

void compareWithPaper(const std::vector<ContactTiming>& all, Outcome& outcome) {
  double before = 0.0;
  for (const PaperTime& paper : kTableI) {
    const double ours = timeOf(all, paper.solve);
    outcome.figures.push_back({fmt::format("table I, {} [us]", paper.printed), paper.microseconds, ours});
    outcome.findings.push_back({fmt::format("{} takes {:g} us", paper.printed, paper.microseconds),
                                fmt::format("{:.3f} us", ours), ours <= paper.microseconds});
    if (before > 0.0)
      outcome.findings.push_back({fmt::format("{} is slower than the one before it", paper.printed),
                                  fmt::format("{:.3f} and {:.3f} us", ours, before), ours > before});
    before = ours;
  }
  const double hybrid = timeOf(all, "hybrid"), polar = timeOf(all, "polar"), naive = timeOf(all, "naive");
  outcome.findings.push_back({"the hybrid gradient is cheaper than the polar and the naive one",
                              fmt::format("{:.3f}, {:.3f} and {:.3f} us", hybrid, polar, naive),
                              hybrid <= polar && hybrid <= naive});
  const double secular = timeOf(all, "secular");
  outcome.findings.push_back({"(not in the paper) the secular equation solves Coulomb's law itself to rounding",
                              fmt::format("{:.3f} us, {:.1f} times as fast as bisection", secular, hybrid / secular),
                              secular <= hybrid});
}

Outcome runSingle(const Request& request, const Watch& watch) {
  Outcome outcome;
  outcome.table.columns = {"scene", "slips", "solve", "law", "us", "steps", "largest error"};
  std::vector<ContactBlock> all;
  std::int64_t before = 0;
  BarChart chart{"One slipping contact", "", "microseconds", false, true, {}, {}};
  const auto add = [&](const std::string& name, const std::vector<ContactBlock>& slips) {
    const std::vector<ContactTiming> times = timeContacts(slips, kInterval, kRounds, [&] { heed(watch, before); });
    chart.series.push_back({name, {}});
    chart.categories.clear();
    for (const ContactTiming& time : times) {
      outcome.table.rows.push_back({name, static_cast<double>(slips.size()), time.name, std::string(lawName(time.law)),
                                    1e-3 * time.nanoseconds, time.steps, time.error});
      chart.categories.push_back(time.name);
      chart.series.back().values.push_back(1e-3 * time.nanoseconds);
    }
    return times;
  };
  for (const PcScene& scene : kPcScenes) {
    const std::vector<ContactBlock> slips = sampleSlips(request, scene, before, watch);
    before += kLonger * stepsOf(request);
    all.insert(all.end(), slips.begin(), slips.end());
    if (!slips.empty()) add(scene.name, slips);
  }
  outcome.setting = {
      fmt::format(
          "{} slips, up to {} per scene, of runs with law dissipation; searches end at {:g} N s as in the paper.",
          all.size(), kSamples, kInterval),
      "Best of many rounds of less than half a millisecond each."};
  if (all.empty())
    outcome.findings = {{"table I: times of one slipping contact", "no contact slipped in so few steps", std::nullopt}};
  else
    compareWithPaper(add("all", all), outcome);
  saveTable(request.folder + "/pc-table-1.csv", outcome.table);
  saveBars(request.folder + "/pc-table-1.svg", chart);
  outcome.files = {"pc-table-1.csv", "pc-table-1.svg"};
  return outcome;
}

}  // namespace

Experiment pcSingle() {
  return {"pc-single",
          "PC",
          "one slipping contact by every single-contact solve (table I)",
          kLonger * kPcSteps * std::ssize(kPcScenes),
          runSingle,
          false,
          kPcSteps};
}

}  // namespace rigor::experiments
