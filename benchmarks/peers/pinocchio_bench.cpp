// Times rigor and Pinocchio on the same models and states, in turns within one run, on one core; best of many rounds.
//
// Usage: pinocchio_bench SCENES_DIR [CASE …]      built and run by pinocchio_bench.sh
//
// Before anything is timed the answers of both are compared; a difference ends the program.
#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "peer_case.h"

namespace rigor::peers {
namespace {

using Clock = std::chrono::steady_clock;

/// Microseconds per call in one round over all states, repeated until it lasts.
double timeRound(const Algorithm& algorithm, int states, int repetitions) {
  const auto begin = Clock::now();
  for (int i = 0; i < repetitions; ++i)
    for (int state = 0; state < states; ++state) algorithm.run(state);
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count() / (repetitions * states);
}

struct Times {
  double ours = 1e300, theirs = 1e300;
};

/// Short rounds in turns: at least a few of each are not disturbed by whatever else the machine does.
Times timeBoth(const Algorithm& ours, const Algorithm* theirs, int states) {
  constexpr double kRound = 300.0;  // [µs]
  constexpr int kRounds = 300;
  const auto fitting = [&](const Algorithm& algorithm) {
    timeRound(algorithm, states, 2);
    return std::max(1, static_cast<int>(kRound / (timeRound(algorithm, states, 2) * states)));
  };
  const int our_repetitions = fitting(ours), their_repetitions = theirs ? fitting(*theirs) : 0;
  Times best;
  for (int round = 0; round < kRounds; ++round) {
    best.ours = std::min(best.ours, timeRound(ours, states, our_repetitions));
    if (theirs) best.theirs = std::min(best.theirs, timeRound(*theirs, states, their_repetitions));
  }
  return best;
}

/// Largest difference of the answers over all states, relative to the largest number in them.
double compareAnswers(const Algorithm& ours, const Algorithm& theirs, int states) {
  double difference = 0.0, size = 0.0;
  for (int state = 0; state < states; ++state) {
    ours.run(state);
    theirs.run(state);
    const std::vector<double> a = ours.answer(), b = theirs.answer();
    if (a.size() != b.size()) return 1e300;
    for (std::size_t i = 0; i < a.size(); ++i) {
      difference = std::max(difference, std::isfinite(a[i]) ? std::fabs(a[i] - b[i]) : 1e300);
      size = std::max(size, std::fabs(b[i]));
    }
  }
  return difference / size;
}

/// Their fastest variant of an algorithm: "aba" and "aba, body axes" count as one.
std::vector<const Algorithm*> variants(const Side& side, const std::string& name) {
  std::vector<const Algorithm*> found;
  for (const Algorithm& algorithm : side.algorithms)
    if (algorithm.name == name || algorithm.name == name + ", body axes") found.push_back(&algorithm);
  return found;
}

bool benchCase(const PeerCase& given) {
  constexpr std::size_t kMostBodies = 400;  // Pinocchio's Data grows with the cube of the freedoms
  const int states = static_cast<int>(given.states.size());
  const Side ours = makeRigorSide(given);
  const bool both = given.bodies.size() <= kMostBodies;
  const Side theirs = both ? makePinocchioSide(given) : Side{};
  for (const Algorithm& algorithm : ours.algorithms) {
    if (given.bodies.size() > 200 && algorithm.name != "aba" && algorithm.name != "rnea") continue;
    Times best;
    double difference = 0.0;
    const std::vector<const Algorithm*> rivals = variants(theirs, algorithm.name);
    if (rivals.empty()) best = timeBoth(algorithm, nullptr, states);
    for (const Algorithm* rival : rivals) {
      difference = std::max(difference, compareAnswers(algorithm, *rival, states));
      // M⁻¹ of a long chain loses digits with its condition, which grows with the fourth power of the length
      if (!(difference < (given.bodies.size() > 50 ? 1e-7 : 1e-8))) {
        std::fprintf(stderr, "%s, %s: answers differ by %.1e\n", given.name.c_str(), rival->name.c_str(), difference);
        return false;
      }
      const Times times = timeBoth(algorithm, rival, states);
      if (times.theirs < best.theirs) best = times;  // both from the same rounds: as many chances for each
    }
    std::printf("| %-13s | %-16s | %9.3f |", given.name.c_str(), algorithm.name.c_str(), best.ours);
    if (rivals.empty())
      std::printf("         – |     – |       – |\n");
    else
      std::printf(" %9.3f | %5.2f | %7.0e |\n", best.theirs, best.theirs / best.ours, difference);
    std::fflush(stdout);
  }
  std::printf("| %-13s | %-16s | %9.1f | %9.1f |       |         |\n", given.name.c_str(), "memory [KiB]",
              ours.data_bytes / 1024.0, theirs.data_bytes / 1024.0);
  return true;
}

}  // namespace
}  // namespace rigor::peers

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: pinocchio_bench SCENES_DIR [CASE …]\n"), 2;
  const int lock = open((std::filesystem::temp_directory_path() / "rigor-timing.lock").c_str(), O_CREAT | O_RDWR, 0666);
  if (lock < 0 || flock(lock, LOCK_EX) != 0) std::fprintf(stderr, "no timing lock, numbers may be noisy\n");
  std::printf("| model | algorithm | rigor [µs] | Pinocchio [µs] | ratio | difference |\n|---|---|---|---|---|---|\n");
  for (const rigor::peers::PeerCase& given : rigor::peers::makeCases(argv[1])) {
    bool wanted = argc == 2;
    for (int i = 2; i < argc; ++i) wanted = wanted || given.name == argv[i];
    if (wanted && !rigor::peers::benchCase(given)) return 1;
  }
}
