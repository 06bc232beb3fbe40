// VG figure 13: A1 learns to walk by drawing five numbers of its gait, from several seeds at once.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <thread>

#include "experiments/a1.h"
#include "experiments/counted_steps.h"
#include "experiments/csv.h"
#include "experiments/gait_learning.h"
#include "experiments/plot.h"
#include "experiments/statistics.h"
#include "experiments/vg.h"
#include "rigor/recording.h"
#include "rigor/run.h"

namespace rigor::experiments {
namespace {

constexpr int kSeeds = 10, kEpisodes = 100, kQuickEpisodes = 4, kThreads = 2;
constexpr double kSeconds = 10.0, kQuickSeconds = 1.0, kPaper = 12.0;  // [s], [s], [m]

/// All seeds, on kThreads threads; this one looks after the progress. Throws Stopped.
std::vector<Learned> learnAll(const Scene& robot, const LearningOptions& options, int seeds, CountedSteps& steps) {
  std::vector<Learned> learned(static_cast<std::size_t>(seeds));
  StopFlag stop = false;
  std::atomic<int> next = 0, working = kThreads;
  std::atomic<std::int64_t> done = 0;
  std::exception_ptr trouble[kThreads];
  const auto work = [&](int thread) {
    try {
      for (int i = next++; i < seeds && !isRaised(&stop); i = next++) {
        LearningOptions mine = options;
        mine.seed = static_cast<std::uint64_t>(i) + 1;
        learned[static_cast<std::size_t>(i)] = learnGait(robot, mine, stop, done);
      }
    } catch (...) {
      trouble[thread] = std::current_exception();
      stop = true;
    }
    --working;
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  try {
    for (std::int64_t told = 0; working > 0;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      const std::int64_t now = done;
      steps.tell(now - told);
      told = now;
    }
  } catch (...) {
    stop = true;  // the threads are joined on the way out
    throw;
  }
  for (const std::exception_ptr& one : trouble)
    if (one) std::rethrow_exception(one);
  return learned;
}

/// The first episode that walked so far, from 1; NaN if none did.
double episodeOf(const Learned& learned, double distance) {
  for (std::size_t i = 0; i < learned.farthest.size(); ++i)
    if (learned.farthest[i] > distance) return static_cast<double>(i + 1);
  return NAN;
}

/// The best gait as a page that plays it.
void saveBest(const std::string& file, const Scene& robot, const Gait& gait, double seconds, const Request& request) {
  const Scene scene = startOf(robot, gait);
  SimulatorOptions options;
  options.stop = request.stop;
  Simulator simulator(scene, options);
  const A1Targets targets(scene);
  simulator.setController([&](const State& state, Input& input) {
    const double time = state.time + scene.dt;
    targets.set(gait.anglesAt(time, false), gait.anglesAt(time, true), input.ctrl);
  });
  Recorder recorder(scene);
  run(simulator, std::lround(seconds / scene.dt), {}, {&recorder});
  savePage(file, scene, recorder.recording());
}

void saveCurves(const std::string& folder, const std::vector<Learned>& learned, int episodes, double seconds) {
  std::vector<double> episode;
  for (int i = 1; i <= episodes; ++i) episode.push_back(i);
  std::vector<Column> columns = {{"episode", episode}};
  Plot plot{"A1 learns to walk", "episode", fmt::format("farthest so far [m in {:g} s]", seconds), false, {}};
  for (const Learned& one : learned) {
    columns.push_back({fmt::format("seed_{}", one.seed), one.distance});
    plot.series.push_back({fmt::format("seed {}", one.seed), episode, one.farthest});
  }
  saveCsv(folder + "/vg-learning.csv", columns);
  savePlot(folder + "/vg-learning.svg", plot);
}

std::vector<Finding> compareWithPaper(const std::vector<Learned>& learned, bool quick) {
  std::vector<double> farthest;
  int refused = 0, fell = 0;
  for (const Learned& one : learned) {
    farthest.push_back(one.farthest.back());
    refused += one.refused;
    fell += one.fell;
  }
  const auto far = std::count_if(farthest.begin(), farthest.end(), [](double way) { return way > kPaper; });
  return {
      {"the robot learns to walk more than 12 m in 10 s within 100 episodes (one run)",
       fmt::format("{} of {} seeds; farthest {:.2f} m, median {:.2f} m, least {:.2f} m", far, learned.size(),
                   quantileOf(farthest, 1.0), quantileOf(farthest, 0.5), quantileOf(farthest, 0.0)),
       quick ? std::nullopt : std::optional(2 * far >= std::ssize(farthest))},
      {"every step of every gait is solved",
       fmt::format("{} episodes with a refused step, {} ended in a fall", refused, fell), shown(refused == 0, !quick)}};
}

Outcome runLearning(const Request& request, const Watch& watch) {
  CountedSteps steps(request, watch);
  const Scene robot = makeA1(request);
  LearningOptions options;
  options.episodes = request.quick ? kQuickEpisodes : kEpisodes;
  options.seconds = request.quick ? kQuickSeconds : kSeconds;
  const std::vector<Learned> learned = learnAll(robot, options, request.quick ? 1 : kSeeds, steps);

  Outcome outcome;
  outcome.setting = {
      fmt::format(
          "{} episodes of {:g} s at 1 ms for each seed; draws are normal, and taken back where they led nowhere.",
          options.episodes, options.seconds),
      "Feet are points, nothing else touches, mu 0.2, no joint limits, no limits of torque; drives act at the end of a "
      "step. An episode "
      "in which the trunk sinks below the ground counts for nothing.",
      "The paper shows one run of unknown seed."};
  outcome.table.columns = {"seed",    "farthest [m]", "episodes to 12 m", "falls",  "b",
                           "thigh a", "thigh d",      "calf a",           "calf d", "refused"};
  for (const Learned& one : learned) {
    outcome.table.rows.push_back(
        {fmt::format("{}", one.seed), one.farthest.back(), episodeOf(one, kPaper), static_cast<double>(one.fell)});
    for (double number : one.best.numbers) outcome.table.rows.back().emplace_back(number);
    outcome.table.rows.back().emplace_back(static_cast<double>(one.refused));
    if (one.refused == 0) continue;
    outcome.done = false;
    outcome.setting.push_back(fmt::format("REFUSED with seed {}: {}", one.seed, one.complaint));
  }
  outcome.findings = compareWithPaper(learned, request.quick);
  saveCurves(request.folder, learned, options.episodes, options.seconds);
  const Learned& best = *std::max_element(learned.begin(), learned.end(), [](const Learned& a, const Learned& b) {
    return a.farthest.back() < b.farthest.back();
  });
  saveBest(request.folder + "/vg-learning-best.html", robot, best.best, options.seconds, request);
  outcome.files = {"vg-learning.csv", "vg-learning.svg", "vg-learning-best.html"};
  return outcome;
}

}  // namespace

Experiment vgLearning() {
  return {.name = "vg-learning",
          .paper = "VG",
          .title = "A1 learns to walk, from ten seeds (figure 13)",
          .steps = static_cast<std::int64_t>(kSeeds) * kEpisodes * 10000,
          .run = runLearning,
          .quick_steps = kQuickEpisodes * 1000};
}

}  // namespace rigor::experiments
