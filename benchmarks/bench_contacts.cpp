// Times one slipping contact by every single-contact solve, on slips sampled from a run.
//
//   bench_contacts [SCENE] [SECONDS] [INTERVAL]         scenes/anymal_drop.toml, 2 s, searches end at 1e-6 N s as in PC
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "experiments/contact_timing.h"
#include "rigor/rigor.h"

namespace {

using namespace rigor;

std::vector<ContactBlock> sampleSlips(const std::string& file, double seconds) {
  Simulator simulator(loadScene(file));
  std::vector<ContactBlock> slips;
  for (double time = 0.0; time < seconds && simulator.step().accepted(); time = simulator.state().time) {
    const SolvedProblem last = simulator.lastProblem();
    if (last.problem.rows() > 0) addSlips(last.problem, last.impulse, slips);
  }
  return slips;
}

void printTimes(const std::vector<ContactBlock>& slips, double interval) {
  fmt::print("{} slips, searches end at {:g} N s\n{:<10} {:<12} {:>8} {:>8} {:>10}\n", slips.size(), interval, "solve",
             "law", "ns", "steps", "error");
  for (const experiments::ContactTiming& timing : experiments::timeContacts(slips, interval))
    fmt::print("{:<10} {:<12} {:>8.0f} {:>8.1f} {:>10.1e}\n", timing.name, lawName(timing.law), timing.nanoseconds,
               timing.steps, timing.error);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string scene = argc > 1 ? argv[1] : RIGOR_SCENES_DIR "/anymal_drop.toml";
  printTimes(sampleSlips(scene, argc > 2 ? std::atof(argv[2]) : 2.0), argc > 3 ? std::atof(argv[3]) : 1e-6);
  return 0;
}
