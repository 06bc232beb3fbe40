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
  const int each = std::max(1, problems / static_cast<int>(families.size()));
  fmt::print("{:<24} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>8} {:>10}\n", "family", "problems", "solved",
             "proved", "unknown", "open", "false", "residual", "pivots", "most", "µs");
  int missed = 0, total = 0;
  for (const LcpFamily& family : families) {
    const auto start = std::chrono::steady_clock::now();
    const LcpMarks marks = takeExam(family, seed, each);
    const std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - start;
    fmt::print("{:<24} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9.1e} {:>9} {:>8} {:>10.1f}\n", family.name, each,
               marks.solved, marks.proved, marks.unknown, marks.open, marks.wrong, marks.worst_residual,
               marks.medianPivots(), marks.mostPivots(), elapsed.count() / each);
    for (const std::string& note : marks.notes) fmt::print("  {}\n", note);
    std::fflush(stdout);
    missed += marks.open + marks.wrong, total += each;
  }
  fmt::print("{} problems, {} missed\n", total, missed);
  return missed > 0 ? 1 : 0;
}
