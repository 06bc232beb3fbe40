// The solvers' exam: every family of problems, fixed seeds. exam.txt holds how many each solver solves; the numbers
// may only grow. RIGOR_WRITE_EXAM=1 writes the table anew.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "reference/problem_families.h"
#include "rigor/solver.h"

namespace rigor {
namespace {

const std::string kTable = std::string(RIGOR_SOURCE_DIR) + "/tests/solvers/exam.txt";

int countSolved(ContactSolver& solver, const reference::Family& family) {
  int solved = 0;
  for (int i = 0; i < family.samples; ++i) {
    const ContactProblem problem = reference::makeSample(family, i);
    ContactSolution solution;
    solution.impulse.assign(problem.rows(), 0.0);
    solver.solve(problem, {}, solution);
    solved += solution.status == SolveStatus::kSolved && accepts(judge(problem, solution), 1e-10);
  }
  return solved;
}

using Counts = std::map<std::string, int>;  // solver → problems solved

std::map<std::string, Counts> readRecord() {
  std::map<std::string, Counts> record;
  std::ifstream file(kTable);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string family;
    int samples;
    if (!(words >> family >> samples)) continue;
    for (const SolverInfo& solver : listSolvers()) words >> record[family][std::string(solver.name)];
  }
  return record;
}

void writeTable() {
  std::ofstream file(kTable);
  file << "# Problems solved to 1e-10 from a cold start. Written by test_solvers with RIGOR_WRITE_EXAM=1.\n";
  file << fmt::format("# {:<22} {:>8}", "family", "problems");
  for (const SolverInfo& solver : listSolvers()) file << fmt::format(" {:>14}", solver.name);
  for (const reference::Family& family : reference::problemFamilies()) {
    file << fmt::format("\n{:<24} {:>8}", family.name, family.samples);
    for (const SolverInfo& solver : listSolvers())
      file << fmt::format(" {:>14}", countSolved(*makeSolver(solver.name), family));
  }
  file << "\n";
}

TEST(Exam, EverySolverSolvesEveryFamilyAtLeastAsOftenAsRecorded) {
  if (std::getenv("RIGOR_WRITE_EXAM") != nullptr) writeTable();
  std::map<std::string, Counts> record = readRecord();
  for (const SolverInfo& info : listSolvers()) {
    const std::string name(info.name);
    const auto solver = makeSolver(name);
    for (const reference::Family& family : reference::problemFamilies()) {
      ASSERT_TRUE(record.count(family.name)) << family.name << " is missing in tests/solvers/exam.txt";
      EXPECT_GE(countSolved(*solver, family), record[family.name][name]) << name << " on " << family.name;
    }
  }
}

}  // namespace
}  // namespace rigor
