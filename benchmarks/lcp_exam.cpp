// The exam of solveLcp: problems of every family from a seed, how many were solved or proved, and what each took.
//
//   lcp_exam [problems] [seed] [family]       100 000 problems unless told otherwise, split evenly over the families
//
// Exit code 1 if a solvable problem was not solved, an infeasible one not proved, or anything was claimed that its twin denies.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>

#include "reference/lcp_exam.h"

int main(int argc, char** argv) {
  using namespace rigor::reference;
  const int problems = argc > 1 ? std::atoi(argv[1]) : 100'000;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const std::string only = argc > 3 ? argv[3] : "";
  std::vector<LcpFamily> families = frictionLcps();
  families.insert(families.end(), algebraicLcps().begin(), algebraicLcps().end());
  if (!only.empty()) std::erase_if(families, [&](const LcpFamily& family) { return family.name != only; });
  if (families.empty() || problems < 1) {
    fmt::print(stderr, "lcp_exam [problems] [seed] [family]\n");
    return 2;
  }
  double shares = 0.0;
  for (const LcpFamily& family : families) shares += 1.0 / family.rarer;
  fmt::print("{:<24} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>8} {:>8} {:>10}\n", "family", "problems", "solved",
             "proved", "open", "false", "by_floor", "residual", "pivots", "most", "µs");
  int missed = 0, total = 0;
  for (const LcpFamily& family : families) {
    const int count = std::max(1, static_cast<int>(problems / shares / family.rarer));
    const auto start = std::chrono::steady_clock::now();
    const LcpMarks marks = takeExam(family, seed, count);
    const std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - start;
    fmt::print("{:<24} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9.1e} {:>8} {:>8} {:>10.1f}\n", family.name, count,
               marks.solved, marks.proved, marks.open, marks.wrong, marks.by_floor, marks.worst, marks.medianPivots(),
               marks.mostPivots(), elapsed.count() / count);
    for (const std::string& note : marks.notes) fmt::print("  {}\n", note);
    std::fflush(stdout);
    missed += marks.open + marks.wrong, total += count;
  }
  fmt::print("{} problems, {} missed\n", total, missed);
  return missed > 0 ? 1 : 0;
}
