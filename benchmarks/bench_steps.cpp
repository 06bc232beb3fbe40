// Time of whole steps and of kernels on one core, best of several rounds, with the phases of a standing step.
// Run alone: a lock keeps two timings apart, but not a build beside it.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "kernel_bench.h"
#include "rigor/rigor.h"

namespace {

using Clock = std::chrono::steady_clock;

/// Microseconds per call, best of `rounds`.
double timeCall(const std::function<void()>& call, int calls, int rounds) {
  double best = 1e300;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    best = std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - begin).count() / calls);
  }
  return best;
}

void printPhases(const char* scene, double settle) {
  rigor::Simulator sim(rigor::loadScene(std::string(RIGOR_SCENES_DIR) + "/" + scene + ".toml"));
  sim.run(settle);
  rigor::PhaseTimes best;
  double least = 1e300;
  for (int round = 0; round < 20; ++round) {
    rigor::PhaseTimes sum;
    for (int i = 0; i < 1000; ++i) {
      const rigor::PhaseTimes& t = sim.step().nanoseconds;
      sum.kinematics += t.kinematics, sum.free_motion += t.free_motion, sum.collide += t.collide;
      sum.assemble += t.assemble, sum.solve += t.solve, sum.judge += t.judge, sum.integrate += t.integrate;
    }
    const double total =
        sum.kinematics + sum.free_motion + sum.collide + sum.assemble + sum.solve + sum.judge + sum.integrate;
    if (total < least) least = total, best = sum;
  }
  fmt::print(
      "{} phases [us]: kinematics {:.2f}, free motion {:.2f}, collide {:.2f}, assemble {:.2f}, solve {:.2f}, "
      "judge {:.2f}, integrate and report {:.2f}; sum {:.2f}\n",
      scene, best.kinematics * 1e-6, best.free_motion * 1e-6, best.collide * 1e-6, best.assemble * 1e-6,
      best.solve * 1e-6, best.judge * 1e-6, best.integrate * 1e-6, least * 1e-6);
}

}  // namespace

int main() {
  const int lock = open((std::filesystem::temp_directory_path() / "rigor-timing.lock").c_str(), O_CREAT | O_RDWR, 0666);
  if (lock < 0 || flock(lock, LOCK_EX) != 0)
    std::fprintf(stderr, "bench_steps: no timing lock, numbers may be noisy\n");
  fmt::print("{:<14} {:>10}\n", "name", "us/call");
  for (const auto& bench : rigor::makeKernelBenches(RIGOR_SCENES_DIR)) {
    const std::function<void()> call = bench.prepare();
    timeCall(call, 1000, 1);
    fmt::print("{:<14} {:>10.3f}\n", bench.name, timeCall(call, 2000, 25));
  }
  printPhases("anymal_stand", 3.0);
  printPhases("anymal_hang", 3.0);
  close(lock);
}
