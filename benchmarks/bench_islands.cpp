// What large islands cost, phase by phase: heaps of balls in the open, in a box, in a funnel.
//   bench_islands SCENE SIZE STEPS [FIRST]     SCENE: open, box, funnel; numbers are of the steps from FIRST on
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "ball_scenes.h"
#include "rigor/simulator.h"

namespace {

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

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print("usage: bench_islands open|box|funnel SIZE STEPS [FIRST]\n");
    return 2;
  }
  const std::string name = argv[1];
  const int size = std::stoi(argv[2]), steps = std::stoi(argv[3]), first = argc > 4 ? std::stoi(argv[4]) : 0;
  const rigor::Scene scene = name == "open"  ? rigor::makeOpenHeap(size)
                             : name == "box" ? rigor::makeBoxHeap(size)
                                             : rigor::makeFunnel(size);
  rigor::Simulator simulator(scene);
  simulator.wanted() = {.contacts = true, .energy = true, .timing = true};
  Spread whole, collide, assemble, solve, judge;
  std::map<std::string, int> stages;
  int refused = 0, substeps = 0, contacts = 0;
  double penetration = 0.0, kinetic = 0.0;
  for (int i = 0; i < steps; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const rigor::StepReport& report = simulator.step();
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    penetration = std::max(penetration, report.penetration);
    kinetic = report.kinetic;
    if (!report.accepted()) {
      ++refused;
      fmt::print("  step {}: {}\n", i, report.explain());
      break;
    }
    if (i < first) continue;
    ++stages[report.stage];
    substeps += report.substeps;
    contacts = std::max(contacts, static_cast<int>(report.contacts.size()));
    whole.values.push_back(ms);
    const rigor::PhaseTimes& time = report.nanoseconds;
    collide.values.push_back(1e-6 * time.collide);
    assemble.values.push_back(1e-6 * time.assemble);
    solve.values.push_back(1e-6 * time.solve);
    judge.values.push_back(1e-6 * time.judge);
  }
  fmt::print("{} {}: {} steps, {} refused, {} sub-steps, at most {} contacts, {:.1e} m deep, {:.2e} J left\n", name,
             size, whole.values.size(), refused, substeps, contacts, penetration, kinetic);
  whole.print("step");
  collide.print("collide");
  assemble.print("assemble");
  solve.print("solve");
  judge.print("judge");
  for (const auto& [stage, count] : stages) fmt::print("  {:16} {}\n", stage, count);
}
