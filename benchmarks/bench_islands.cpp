// What large islands cost, phase by phase: heaps of balls and chains, buildings of loose solids.
//   bench_islands SCENE SIZE STEPS [FIRST [RATIO]]     numbers are of the steps from FIRST on
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "ball_scenes.h"
#include "rigor/error.h"
#include "rigor/simulator.h"
#include "solid_scenes.h"

namespace {

// [ms] of this thread, whoever else is busy on the machine.
double cpuTime() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

struct Spread {
  std::vector<double> values;  // [ms]
  void print(const char* name) {
    if (values.empty()) return;
    std::sort(values.begin(), values.end());
    double sum = 0.0;
    for (const double value : values) sum += value;
    fmt::print("  {:10} mean {:8.3f}  median {:8.3f}  p99 {:8.3f}  worst {:8.3f} ms\n", name, sum / values.size(),
               values[values.size() / 2], values[values.size() * 99 / 100], values.back());
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

void run(const std::string& name, int size, int steps, int first, double ratio) {
  Answers answers;
  rigor::Simulator simulator(makeScene(name, size, ratio),
                             {.solver = [&] { return std::make_unique<CountingSolver>(answers); }});
  simulator.wanted() = {.contacts = true, .energy = true, .timing = true};
  Spread whole, motion, collide, assemble, solve, judge;
  int refused = 0, substeps = 0, contacts = 0, passes = 0;
  double penetration = 0.0, kinetic = 0.0, moved = 0.0;
  const Eigen::VectorXd start = simulator.state().q;
  for (int i = 0; i < steps; ++i) {
    if (i == first) answers = {};
    const double begin = cpuTime();
    const rigor::StepReport& report = simulator.step();
    const double ms = cpuTime() - begin;
    penetration = std::max(penetration, report.penetration);
    kinetic = report.kinetic;
    if (!report.accepted()) {
      ++refused;
      fmt::print("  step {}: {}\n", i, report.explain());
      break;
    }
    if (i < first) continue;
    substeps += report.substeps;
    passes += report.passes;
    contacts = std::max(contacts, static_cast<int>(report.contacts.size()));
    whole.values.push_back(ms);
    const rigor::PhaseTimes& time = report.nanoseconds;
    motion.values.push_back(1e-6 * (time.kinematics + time.free_motion + time.integrate));
    collide.values.push_back(1e-6 * time.collide);
    assemble.values.push_back(1e-6 * time.assemble);
    solve.values.push_back(1e-6 * time.solve);
    judge.values.push_back(1e-6 * time.judge);
  }
  moved = (simulator.state().q - start).lpNorm<Eigen::Infinity>();
  fmt::print(
      "{} {} ({:g}): {} steps, {} refused, {} sub-steps, {} passes, at most {} contacts, {:.1e} m deep, {:.2e} J "
      "left, moved {:.1e}\n",
      name, size, ratio, whole.values.size(), refused, substeps, passes, contacts, penetration, kinetic, moved);
  whole.print("step");
  motion.print("motion");
  collide.print("collide");
  assemble.print("assemble");
  solve.print("solve");
  judge.print("judge");
  fmt::print("  {} small problems, {} unsolved;", answers.small, answers.unsolved);
  for (const auto& [stage, count] : answers.stages) fmt::print(" {} {}", stage, count);
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 4) {
    fmt::print("usage: bench_islands SCENE SIZE STEPS [FIRST [RATIO]]\n");
    return 2;
  }
  run(argv[1], std::stoi(argv[2]), std::stoi(argv[3]), argc > 4 ? std::stoi(argv[4]) : 0,
      argc > 5 ? std::stod(argv[5]) : 1.0);
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
