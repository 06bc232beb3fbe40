// Chains of hinges that hang and swing without contact: time of a step by their length, and of the two ways to factor
// their mass matrix. Run alone.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>

#include "chain_scene.h"
#include "dynamics/mass_factors.h"
#include "rigor/rigor.h"

namespace rigor {
namespace {

using Clock = std::chrono::steady_clock;

/// Microseconds per call, best of rounds of about half a millisecond: shorter than a slice of the scheduler.
double timeCall(const std::function<void()>& call) {
  const auto measure = [&](int calls) {
    const auto begin = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    return std::chrono::duration<double, std::micro>(Clock::now() - begin).count() / calls;
  };
  const int calls = std::max(1, static_cast<int>(500.0 / measure(3)));
  double best = 1e300;
  for (int round = 0; round < 200; ++round) best = std::min(best, measure(calls));
  return best;
}

double timeStep(int links) {
  Simulator simulator(makeChainScene(links));
  simulator.run(0.05);
  return timeCall([&] { simulator.step(); });
}

/// Mass, factors, and what a step without contact solves with them.
double timeFactors(int links, MassMethod method) {
  const Scene scene = makeChainScene(links);
  const Topology& topology = scene.model.topology();
  Kinematics<double> kin;
  kin.resize(topology);
  computeKinematics(topology, scene.model.parameters(), scene.q.data(), kin);
  std::vector<Inertia<double>> inertias(topology.links);
  computeInertias(topology, scene.model.parameters(), kin, inertias);
  const std::vector<double> nothing(topology.nv, 0.0);
  std::vector<double> x(topology.nv);
  MassFactors<double> mass;
  mass.resize(topology, method);
  return timeCall([&] {
    mass.setMass(topology, kin, inertias, nothing.data());
    mass.factor(topology, nothing.data());
    std::fill(x.begin(), x.end(), 1.0);
    mass.solveLTranspose(topology, x.data());
    mass.solveU(topology, x.data());
  });
}

}  // namespace
}  // namespace rigor

int main() {
  using rigor::MassMethod;
  fmt::print("{:>6} {:>12} {:>16} {:>18}\n", "links", "step [us]", "packed [us]", "articulated [us]");
  for (const int links : {6, 10, 14, 18, 22, 26, 30, 40, 60, 100, 250, 500, 1000}) {
    const double packed = links > 300 ? 0.0 : rigor::timeFactors(links, MassMethod::kPacked);
    fmt::print("{:>6} {:>12.2f} {:>16.2f} {:>18.2f}\n", links, rigor::timeStep(links), packed,
               rigor::timeFactors(links, MassMethod::kArticulated));
  }
}
