// What the derivatives of a step cost beside the step itself, and beside central differences, on one core; best of many short rounds.
//
//   bench_derivatives
//
// Every round begins at the same snapshot and is under a millisecond, so that a neighbour on the machine spoils few of them.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>

#include "rigor/rigor.h"

namespace {

using Clock = std::chrono::steady_clock;

/// Microseconds of a call, best of the rounds.
double time(const std::function<void()>& prepare, const std::function<void()>& call) {
  constexpr int kRounds = 2000, calls = 20;
  double best = 1e300;
  for (int round = 0; round < kRounds; ++round) {
    prepare();
    const auto begin = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    best = std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - begin).count() / calls);
  }
  return best;
}

void compare(const std::string& name, rigor::Simulator& sim) {
  sim.wanted() = {};
  rigor::StepDerivatives derivatives(sim);
  rigor::StepTangent end = derivatives.zeroEnd(), start = derivatives.zeroStart();
  end.state.v.setOnes();
  const rigor::Snapshot at = sim.save();
  for (int i = 0; i < 100; ++i) derivatives.step(sim), derivatives.jacobians(), derivatives.pullBack(end, start);
  const auto prepare = [&] { sim.restore(at), sim.step(), sim.step(); };
  const double step = time(prepare, [&] { sim.step(); });
  const double linearised = time(prepare, [&] { derivatives.step(sim); });
  const double adjoint = time(prepare, [&] { derivatives.step(sim), derivatives.pullBack(end, start); });
  const double forward = time(prepare, [&] { derivatives.step(sim), derivatives.jacobians(); });
  const int columns = 3 * sim.scene().model.nv() + static_cast<int>(rigor::listDrives(sim.scene()).size());
  fmt::print("{:<16} {:>8.2f} {:>10.2f} {:>12.2f} ({:.2f}x) {:>12.2f} ({:.2f}x) {:>14.0f}\n", name, step,
             linearised - step, adjoint - step, (adjoint - step) / step, forward - step, (forward - step) / step,
             2.0 * columns * step);
}

rigor::Scene load(const std::string& name) {
  return rigor::loadScene(std::string(RIGOR_SCENES_DIR) + "/" + name + ".toml");
}

}  // namespace

int main() {
  fmt::print("{:<16} {:>8} {:>10} {:>20} {:>20} {:>14}   [us]\n", "", "step", "linearise", "and back", "and Jacobians",
             "differences");
  rigor::Scene flying = load("anymal_stand");
  flying.q[2] += 100.0;
  rigor::Simulator flight(flying), stand(load("anymal_stand")), bars(load("double_four_bar")),
      humanoid(load("humanoid_stand"));
  flight.run(0.5), stand.run(3.0), bars.run(0.1), humanoid.run(3.0);
  compare("anymal, flight", flight);
  compare("anymal, stand", stand);
  compare("double four-bar", bars);
  compare("humanoid, stand", humanoid);
}
