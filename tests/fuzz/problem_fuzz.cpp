// Bytes that call themselves a contact problem or a complementarity problem, for libFuzzer (scripts/fuzz_problems.sh). A reader may refuse them with an
// Error; what it takes is written and read again, and solved where it is small. Nothing else may happen.
#include <unistd.h>
#include <zlib.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "rigor/error.h"
#include "rigor/io.h"
#include "rigor/lcp.h"
#include "rigor/solver.h"

namespace {

constexpr int kMostRows = 24;  // a solve takes milliseconds
constexpr int kMostLcpRows = 8;
constexpr int kMostIterations = 50;  // caps are reached: the best iterate has to do

void require(bool truth, const char* what) {
  if (truth) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

std::string placeFor(const char* name) { return "/dev/shm/rigor_fuzz_" + std::to_string(getpid()) + name; }

void solveAndJudge(const rigor::ContactProblem& problem, const char* name) {
  rigor::ContactSolution solution;
  solution.impulse.assign(problem.rows(), 0.0);
  rigor::makeSolver(name)->solve(problem, {.max_iterations = kMostIterations}, solution);
  require(solution.impulse.size() == problem.b.size(), "an answer has one impulse per row");
  const bool solved = solution.status == rigor::SolveStatus::kSolved;
  require(!solved || accepts(judge(problem, solution), 1e-10), "what is called solved is accepted");
  if (solution.status == rigor::SolveStatus::kBadInput) return;
  for (const double impulse : solution.impulse) require(std::isfinite(impulse), "the best iterate is finite");
}

void writeAndRead(const rigor::ContactProblem& problem, const std::string& file) {
  saveProblem(file, problem);
  const rigor::ContactProblem again = rigor::loadProblem(file);
  require(again.b == problem.b && again.bias == problem.bias && again.blocks.size() == problem.blocks.size(),
          "what was written is read again");
}

void solveAndJudge(const rigor::Lcp& lcp) {
  const rigor::LcpSolution solution =
      rigor::solveLcp(lcp, {.max_pivots = 50, .most_enumerated = 6, .most_branches = 20});
  require(solution.status != rigor::LcpStatus::kBadInput, "what is read is sound");
  for (const double z : solution.z) require(std::isfinite(z), "the best z is finite");
  if (solution.status == rigor::LcpStatus::kSolved)
    require(rigor::judgeLcp(lcp, solution.z).residual <= 1e-9, "what is called solved is accepted");
  if (solution.status == rigor::LcpStatus::kNoSolution)
    require(solution.certificate.empty() ? provesByCases(lcp, solution.branches)
                                         : provesNoSolution(lcp, solution.certificate),
            "what is called proved is");
}

void writeAndRead(const rigor::Lcp& lcp, const std::string& file) {
  saveLcp(file, lcp);
  const rigor::Lcp again = rigor::loadLcp(file);
  require(again.M == lcp.M && again.q == lcp.q && again.free == lcp.free && again.lo == lcp.lo && again.hi == lcp.hi,
          "what was written is read again");
}

/// Damage inside an archive would end at its checksums, and nothing behind them would ever be read: every entry that is
/// stored as it is gets the checksum of what is there now.
void repairChecksums(std::string& zip) {
  const auto number = [&](std::size_t at, int bytes) {
    std::size_t value = 0;
    for (int i = bytes - 1; i >= 0; --i) value = 256 * value + static_cast<unsigned char>(zip[at + i]);
    return value;
  };
  const std::string directory = "PK\x01\x02";
  for (std::size_t at = zip.find(directory); at != std::string::npos; at = zip.find(directory, at + 1)) {
    if (at + 46 > zip.size()) return;
    const std::size_t local = number(at + 42, 4), size = number(at + 20, 4);
    if (local > zip.size() || local + 30 > zip.size()) continue;
    const std::size_t begin = local + 30 + number(local + 26, 2) + number(local + 28, 2);
    if (begin > zip.size() || size > zip.size() - begin) continue;
    const auto crc = crc32(0, reinterpret_cast<const Bytef*>(zip.data() + begin), static_cast<uInt>(size));
    for (int i = 0; i < 4; ++i) zip[at + 16 + i] = static_cast<char>(crc >> (8 * i));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const bool zip = size > 1 && data[0] == 'P' && data[1] == 'K';
  const std::string file = placeFor(zip ? ".npz" : ".json");
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (zip) repairChecksums(bytes);
  std::ofstream(file, std::ios::binary) << bytes;
  rigor::ContactProblem problem;
  rigor::Lcp lcp;
  bool is_lcp = false;
  try {
    is_lcp = rigor::holdsLcp(file);
    if (is_lcp)
      lcp = rigor::loadLcp(file);
    else
      problem = rigor::loadProblem(file);
  } catch (const rigor::Error&) {
    return 0;  // with a reason
  }
  if (is_lcp) {
    if (lcp.rows() > kMostLcpRows) return 0;
    writeAndRead(lcp, placeFor("_again.json"));
    writeAndRead(lcp, placeFor("_again.npz"));
    solveAndJudge(lcp);
    return 0;
  }
  if (problem.rows() > kMostRows) return 0;
  writeAndRead(problem, placeFor("_again.json"));
  writeAndRead(problem, placeFor("_again.npz"));
  if (problem.W.isFactored()) problem.W = problem.W.toDense();
  for (const char* solver : {"bisection", "newton", "interior_point", "auto"}) solveAndJudge(problem, solver);
  return 0;
}
