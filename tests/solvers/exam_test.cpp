// The solvers' exam: every family of problems, fixed seeds. exam.txt holds how many each solver solves; the numbers of
// `auto` may only grow. RIGOR_WRITE_EXAM=1 writes the table anew.
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

std::map<std::string, int> readRecord() {
  std::map<std::string, int> record;
  std::ifstream file(kTable);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    int samples, bisection, newton, interior_point, ladder;
    if (words >> name >> samples >> bisection >> newton >> interior_point >> ladder) record[name] = ladder;
  }
  return record;
}

void writeTable() {
  std::ofstream file(kTable);
  file << "# Problems solved to 1e-10 from a cold start. Written by test_solvers with RIGOR_WRITE_EXAM=1.\n";
  file << fmt::format("# {:<22} {:>8} {:>10} {:>8} {:>15} {:>6}\n", "family", "problems", "bisection", "newton",
                      "interior_point", "auto");
  for (const reference::Family& family : reference::problemFamilies()) {
    file << fmt::format("{:<24} {:>8}", family.name, family.samples);
    for (const auto& [name, width] : {std::pair{"bisection", 10}, {"newton", 8}, {"interior_point", 15}, {"auto", 6}})
      file << fmt::format(" {:>{}}", countSolved(*makeSolver(name), family), width);
    file << "\n";
  }
}

TEST(Exam, AutoSolvesEveryFamilyAtLeastAsOftenAsRecorded) {
  if (std::getenv("RIGOR_WRITE_EXAM") != nullptr) writeTable();
  const std::map<std::string, int> record = readRecord();
  const auto solver = makeSolver("auto");
  for (const reference::Family& family : reference::problemFamilies()) {
    ASSERT_TRUE(record.count(family.name)) << family.name << " is missing in tests/solvers/exam.txt";
    EXPECT_GE(countSolved(*solver, family), record.at(family.name)) << family.name;
  }
}

}  // namespace
}  // namespace rigor
