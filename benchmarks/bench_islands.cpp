// What large islands cost: heaps of balls and chains, buildings of loose solids.
//   bench_islands                                                the table: a few seconds for each scene
//   bench_islands SCENE SIZE STEPS [FIRST [RATIO [SECONDS]]]     numbers are of the steps from FIRST on; ends after SECONDS
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "ball_scenes.h"
#include "building_scenes.h"
#include "rigor/error.h"
#include "rigor/simulator.h"

namespace {

// [ms] of this thread, whoever else is busy on the machine.
double cpuTime() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

struct Spread {
  std::vector<double> values;  // [ms]

  void add(double value) { values.push_back(value); }
  double mean() const {
    double sum = 0.0;
    for (const double value : values) sum += value;
    return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
  }
  // Of the sorted values: 0.5 is the median, 1 the worst.
  double at(double share) {
    if (values.empty()) return 0.0;
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
  }
};

// What the solver was asked and what it answered, island by island.
struct Answers {
  std::map<std::string, int> stages;  // of problems with factors
  int small = 0, unsolved = 0;        // dense problems; without an answer, of both kinds
};

// `auto`, counted.
class CountingSolver final : public rigor::ContactSolver {
 public:
  explicit CountingSolver(Answers& answers) : answers_(answers), solver_(rigor::makeSolver("auto")) {}
  std::string_view name() const override { return "auto"; }
  int mostDenseRows() const override { return solver_->mostDenseRows(); }
  void solve(const rigor::ContactProblem& problem, const rigor::SolverOptions& options,
             rigor::ContactSolution& solution) override {
    solver_->solve(problem, options, solution);
    const bool solved = rigor::accepts(solution.residuals, options.tolerance);
    answers_.unsolved += !solved;
    if (problem.W.isFactored())
      ++answers_.stages[solved ? solution.stage : "unsolved"];
    else
      ++answers_.small;
  }

 private:
  Answers& answers_;
  std::unique_ptr<rigor::ContactSolver> solver_;
};

rigor::Scene makeScene(const std::string& name, int size, double ratio) {
  if (name == "open") return rigor::makeOpenHeap(size);
  if (name == "666") return rigor::makeSixCubed();
  if (name == "box") return rigor::makeBoxHeap(size);
  if (name == "funnel") return rigor::makeFunnel(size);
  if (name == "wall") return rigor::makeWall(size, size, ratio);
  if (name == "kapla") return rigor::makeKapla(size);
  if (name == "cards") return rigor::makeCardHouse(size);
  if (name == "arch") return rigor::makeArch(size);
  if (name == "column") return rigor::makeBoxColumn(size, ratio);
  if (name == "chains") return rigor::makeChainHeap(size);
  throw rigor::Error("no scene \"" + name + "\"",
                     "Known are open, 666, box, funnel, wall, kapla, cards, arch, column, chains.");
}

struct Task {
  std::string scene;
  int size, steps, first = 0;
  double ratio = 1.0, seconds = 1e9;
};

struct Outcome {
  Answers answers;
  Spread step, motion, collide, assemble, solve, judge;
  int bodies = 0, refused = 0, substeps = 0, passes = 0, contacts = 0;
  double penetration = 0.0, kinetic = 0.0, moved = 0.0;

  void add(const rigor::StepReport& report, double ms) {
    substeps += report.substeps;
    passes += report.passes;
    contacts = std::max(contacts, static_cast<int>(report.contacts.size()));
    const rigor::PhaseTimes& time = report.nanoseconds;
    step.add(ms);
    motion.add(1e-6 * (time.kinematics + time.free_motion + time.integrate));
    collide.add(1e-6 * time.collide);
    assemble.add(1e-6 * time.assemble);
    solve.add(1e-6 * time.solve);
    judge.add(1e-6 * time.judge);
  }
};

Outcome run(const Task& task) {
  Outcome outcome;
  const double start = cpuTime();
  rigor::Simulator simulator(makeScene(task.scene, task.size, task.ratio),
                             {.solver = [&] { return std::make_unique<CountingSolver>(outcome.answers); }});
  simulator.wanted() = {.contacts = true, .energy = true, .timing = true};
  const Eigen::VectorXd q = simulator.state().q;
  outcome.bodies = simulator.scene().model.bodyCount();
  for (int i = 0; i < task.steps && cpuTime() - start < 1e3 * task.seconds; ++i) {
    if (i == task.first) outcome.answers = {};
    const double begin = cpuTime();
    const rigor::StepReport& report = simulator.step();
    const double ms = cpuTime() - begin;
    outcome.penetration = std::max(outcome.penetration, report.penetration);
    outcome.kinetic = report.kinetic;
    if (!report.accepted()) {
      ++outcome.refused;
      fmt::print("  step {}: {}\n", i, report.explain());
      break;
    }
    if (i >= task.first) outcome.add(report, ms);
  }
  outcome.moved = (simulator.state().q - q).lpNorm<Eigen::Infinity>();
  return outcome;
}

void printStages(const Answers& answers) {
  fmt::print("{} unsolved; small {}", answers.unsolved, answers.small);
  for (const auto& [stage, count] : answers.stages) fmt::print(" {} {}", stage, count);
  fmt::print("\n");
}

void printDetails(const Task& task, Outcome outcome) {
  fmt::print(
      "{} {} ({:g}): {} steps, {} refused, {} sub-steps, {} passes, at most {} contacts, {:.1e} m deep, {:.2e} J left, "
      "moved {:.1e}\n",
      task.scene, task.size, task.ratio, outcome.step.values.size(), outcome.refused, outcome.substeps, outcome.passes,
      outcome.contacts, outcome.penetration, outcome.kinetic, outcome.moved);
  const auto line = [](const char* name, Spread& spread) {
    fmt::print("  {:10} mean {:8.3f}  median {:8.3f}  p99 {:8.3f}  worst {:8.3f} ms\n", name, spread.mean(),
               spread.at(0.5), spread.at(0.99), spread.at(1.0));
  };
  line("step", outcome.step);
  line("motion", outcome.motion);
  line("collide", outcome.collide);
  line("assemble", outcome.assemble);
  line("solve", outcome.solve);
  line("judge", outcome.judge);
  fmt::print("  ");
  printStages(outcome.answers);
}

void printTable() {
  const Task tasks[] = {{"666", 6, 10000, 0, 1.0, 20.0},
                        {"box", 4, 5000, 0, 1.0, 20.0},
                        {"box", 6, 2000, 0, 1.0, 20.0},
                        {"funnel", 1000, 200, 0, 1.0, 20.0},
                        {"wall", 10, 500, 20},
                        {"wall", 10, 500, 20, 1e3},
                        {"kapla", 102, 500, 20},
                        {"cards", 3, 500, 20},
                        {"arch", 25, 500, 20},
                        {"column", 10, 500, 20, 1e6},
                        {"chains", 12, 2000, 0, 1.0, 20.0}};
  fmt::print("{:18} {:>6} {:>8} {:>6} {:>8} {:>8} {:>8} {:>9}  stages\n", "scene", "bodies", "contacts", "steps",
             "mean", "median", "worst", "overlap");
  for (const Task& task : tasks) {
    Outcome outcome = run(task);
    fmt::print("{:18} {:6} {:8} {:6} {:8.3f} {:8.3f} {:8.3f} {:9.1e}  ",
               fmt::format("{} {} ({:g})", task.scene, task.size, task.ratio), outcome.bodies, outcome.contacts,
               outcome.step.values.size(), outcome.step.mean(), outcome.step.at(0.5), outcome.step.at(1.0),
               outcome.penetration);
    printStages(outcome.answers);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 1) {
    printTable();
    return 0;
  }
  if (argc < 4) {
    fmt::print("usage: bench_islands [SCENE SIZE STEPS [FIRST [RATIO [SECONDS]]]]\n");
    return 2;
  }
  const Task task{argv[1],
                  std::stoi(argv[2]),
                  std::stoi(argv[3]),
                  argc > 4 ? std::stoi(argv[4]) : 0,
                  argc > 5 ? std::stod(argv[5]) : 1.0,
                  argc > 6 ? std::stod(argv[6]) : 1e9};
  printDetails(task, run(task));
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
