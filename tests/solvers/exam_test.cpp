// The solvers' exam: every family of problems, fixed seeds, each law with the solvers that solve it. exam.txt holds how many
// each of them solves; the numbers may only grow. RIGOR_WRITE_EXAM=1 writes the table anew.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "contact/check_problem.h"
#include "reference/problem_families.h"
#include "rigor/solver.h"
#include "solver_choice.h"

namespace rigor {
namespace {

const std::string kTable = std::string(RIGOR_SOURCE_DIR) + "/tests/solvers/exam.txt";
constexpr Law kLaws[] = {Law::kCoulomb, Law::kDissipation, Law::kPyramid};

// Polar and naive gradients differ from the hybrid one in cost alone (SingleSolves tests); they take no exam.
std::vector<SolverInfo> candidatesOf(Law law) {
  std::vector<SolverInfo> candidates = solversOf(law);
  std::erase_if(candidates, [](const SolverInfo& info) {
    return info.name == "bisection_polar" || info.name == "bisection_naive";
  });
  return candidates;
}

// Projected Gauss–Seidel may go on for ever; the exam has an end.
int mostIterations(std::string_view solver) { return solver == "pgs" ? 3000 : 0; }

int countSolved(std::string_view name, const reference::Family& family, Law law) {
  const auto solver = makeSolver(name);
  int solved = 0;
  for (int i = 0; i < family.samples; ++i) {
    ContactProblem problem = reference::makeSample(family, i);
    problem.law = law;
    if (!hasSoundBlocks(problem)) continue;  // law dissipation and loops
    ContactSolution solution;
    solution.impulse.assign(problem.rows(), 0.0);
    solver->solve(problem, {.max_iterations = mostIterations(name)}, solution);
    solved += solution.status == SolveStatus::kSolved && accepts(judge(problem, solution), 1e-10);
  }
  return solved;
}

using Counts = std::map<std::string, int>;  // solver → problems solved

// The lines of one law: "law family problems count count …" in the order of candidatesOf.
std::map<std::string, Counts> readRecord(Law law) {
  std::map<std::string, Counts> record;
  std::ifstream file(kTable);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, family;
    int samples;
    if (!(words >> name >> family >> samples) || name != lawName(law)) continue;
    for (const SolverInfo& solver : candidatesOf(law)) words >> record[family][std::string(solver.name)];
  }
  return record;
}

void writeTable() {
  std::ofstream file(kTable);
  file << "# Problems solved to 1e-10 from a cold start; pgs within 3000 sweeps. Written by test_solvers with "
          "RIGOR_WRITE_EXAM=1.\n";
  for (const Law law : kLaws) {
    file << fmt::format("# {:<9} {:<20} {:>8}", "law", "family", "problems");
    for (const SolverInfo& solver : candidatesOf(law)) file << fmt::format(" {:>16}", solver.name);
    file << "\n";
    for (const reference::Family& family : reference::problemFamilies()) {
      file << fmt::format("{:<11} {:<20} {:>8}", lawName(law), family.name, family.samples);
      for (const SolverInfo& solver : candidatesOf(law))
        file << fmt::format(" {:>16}", countSolved(solver.name, family, law));
      file << std::endl;
    }
  }
}

class Exam : public testing::TestWithParam<Law> {};

TEST_P(Exam, EverySolverSolvesEveryFamilyAtLeastAsOftenAsRecorded) {
  if (std::getenv("RIGOR_WRITE_EXAM") != nullptr && GetParam() == Law::kCoulomb) writeTable();
  const auto record = readRecord(GetParam());
  ASSERT_FALSE(record.empty());
  for (const SolverInfo& info : candidatesOf(GetParam()))
    for (const reference::Family& family : reference::problemFamilies()) {
      ASSERT_TRUE(record.contains(family.name)) << "write the table anew: " << family.name;
      const int expected = record.at(family.name).at(std::string(info.name));
      EXPECT_GE(countSolved(info.name, family, GetParam()), expected) << info.name << " on " << family.name;
    }
}

INSTANTIATE_TEST_SUITE_P(OfEachLaw, Exam, testing::ValuesIn(kLaws),
                         [](const auto& law) { return std::string(lawName(law.param)); });

}  // namespace
}  // namespace rigor
