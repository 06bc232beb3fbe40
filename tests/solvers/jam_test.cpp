// Problems without a solution are proved to have none; problems with one never are.
#include "solvers/jam.h"

#include <gtest/gtest.h>

#include <map>

#include "contact/certificate.h"
#include "contact/judge.h"
#include "reference/allocation_counter.h"
#include "reference/planted_jams.h"
#include "reference/problem_families.h"
#include "reference/slow_certificate.h"
#include "rigor/io.h"
#include "rigor/solver.h"
#include "solver_choice.h"

namespace rigor {
namespace {

constexpr int kSeeds = 40;

ContactSolution solveWith(std::string_view solver, const ContactProblem& problem) {
  ContactSolution solution;
  solution.impulse.assign(problem.rows(), 0.0);
  makeSolver(solver)->solve(problem, {}, solution);
  return solution;
}

// f ≥ 0 on normals, W f = 0 and f·(b + ν) < 0, written once more from the text of the proof in long doubles.
bool isProof(const ContactProblem& problem, const std::vector<double>& f) {
  const int m = problem.rows();
  if (static_cast<int>(f.size()) != m) return false;
  long double gain = 0, size = 0, largest = 0;
  for (const Block& block : problem.blocks)
    for (int r = 0; r < block.size; ++r) {
      const int row = block.row + r;
      const bool normal = block.kind == BlockKind::kAtLeast || (block.kind == BlockKind::kContact && r == 0);
      if (normal && !(f[row] >= 0.0)) return false;
      if (!normal && block.kind != BlockKind::kEqual && f[row] != 0.0) return false;
      gain += f[row] * (static_cast<long double>(problem.b[row]) + (normal ? problem.bias[row] : 0.0));
    }
  for (int i = 0; i < m; ++i) {
    long double moved = 0, felt = 0, row_size = 0;
    for (int j = 0; j < m; ++j) {
      moved += static_cast<long double>(problem.W(i, j)) * f[j];
      felt += static_cast<long double>(problem.W(j, i)) * f[j];
      row_size += std::abs(problem.W(i, j) * f[j]);
    }
    largest = std::max({largest, std::abs(moved), std::abs(felt)});
    size = std::max(size, row_size);
  }
  return gain < 0 && largest <= 1e-12L * size;
}

TEST(PlantedJam, IsProvedInEveryFamilyAndByEverySolver) {
  for (const reference::JamFamily& family : reference::jamFamilies())
    for (double closing : {1.0, 1e-3, 1e-6})
      for (int seed = 0; seed < kSeeds; ++seed) {
        const ContactProblem problem = family.make(seed, closing);
        for (const SolverInfo& info : solversOf(Law::kCoulomb)) {
          if (info.name != "auto" && seed >= 3) continue;
          const ContactSolution solution = solveWith(info.name, problem);
          EXPECT_EQ(solution.status, SolveStatus::kNoSolution)
              << info.name << " " << family.name << " " << seed << " closing " << closing << " residual "
              << solution.residuals.law << " stage " << solution.stage;
          EXPECT_TRUE(isProof(problem, solution.certificate)) << family.name << " " << seed;
        }
      }
}

TEST(PlantedJam, IsNeverProvedWhereTheWallsStandOrOpen) {
  for (const reference::JamFamily& family : reference::jamFamilies())
    for (double closing : {0.0, -1e-9, -1e-3, -1.0}) {
      int solved = 0;
      for (int seed = 0; seed < kSeeds; ++seed) {
        const ContactProblem problem = family.make(seed, closing);
        const ContactSolution solution = solveWith("auto", problem);
        EXPECT_NE(solution.status, SolveStatus::kNoSolution) << family.name << " " << seed << " closing " << closing;
        EXPECT_TRUE(solution.certificate.empty());
        std::vector<double> ray;
        EXPECT_FALSE(JamFinder().find(problem, 1e-10, ray) && provesNoSolution(problem, ray))
            << family.name << " " << seed;
        solved += solution.status == SolveStatus::kSolved;
      }
      EXPECT_GE(solved, kSeeds - 1) << family.name << " closing " << closing;  // the ladder may miss a hard one
    }
}

TEST(UnequalStack, IsNoJamUpToAMassRatioOfAHundredMillion) {
  for (double ratio : {1.0, 1e2, 1e4, 1e6, 1e8})
    for (int seed = 0; seed < 20; ++seed) {
      const ContactProblem problem = reference::unequalStack(seed, ratio);
      std::vector<double> ray;
      EXPECT_FALSE(JamFinder().find(problem, 1e-10, ray)) << ratio << " " << seed;
      if (ratio <= 1e4) {
        EXPECT_EQ(solveWith("auto", problem).status, SolveStatus::kSolved) << ratio << " " << seed;
      }
    }
}

TEST(Jam, IsFoundInNoFamilyThatHasSolutions) {
  JamFinder finder;
  std::vector<double> ray;
  for (const reference::Family& family : reference::problemFamilies())
    for (int i = 0; i < family.samples; ++i) {
      const ContactProblem problem = reference::makeSample(family, i);
      EXPECT_FALSE(finder.find(problem, 1e-10, ray) && provesNoSolution(problem, ray)) << family.name << " " << i;
    }
}

TEST(Jam, IsLookedForWithoutAllocatingOnceTheSizeIsKnown) {
  JamFinder finder;
  std::vector<double> ray;
  for (const reference::JamFamily& family : reference::jamFamilies()) {
    const ContactProblem problem = family.make(5, 1.0);
    ASSERT_TRUE(finder.find(problem, 1e-10, ray)) << family.name;
    AllocationScope scope;
    finder.find(problem, 1e-10, ray);
    EXPECT_EQ(scope.count(), 0) << family.name;
  }
}

TEST(Jam, OfEqualRowsThatContradictEachOtherHasItsProof) {
  ContactProblem problem;
  problem.blocks = {{BlockKind::kEqual, 0, 2, 0, 0, 0, 0}};
  problem.W = {1, 1, 1, 1};
  problem.b = {1, 2};
  problem.bias = problem.compliance = {0, 0};
  for (const SolverInfo& info : solversOf(Law::kCoulomb)) {
    const ContactSolution solution = solveWith(info.name, problem);
    EXPECT_EQ(solution.status, SolveStatus::kNoSolution) << info.name;
    EXPECT_EQ(solution.certificate, (std::vector<double>{1, -1}));
  }
}

// The normals of four and of three of the five contacts around a ball nearly lie in a plane.
TEST(Jam, BetweenContactsThatNearlyLieInAPlaneIsProved) {
  for (const char* name : {"flat_cage", "flat_cage_of_five"}) {
    const ContactProblem problem =
        loadProblem(std::string(RIGOR_SOURCE_DIR) + "/tests/solvers/problems/" + name + ".json");
    const ContactSolution solution = solveWith("auto", problem);
    ASSERT_EQ(solution.status, SolveStatus::kNoSolution) << name;
    EXPECT_TRUE(reference::provesSlowly(problem, solution.certificate)) << name;
  }
}

TEST(Jam, OfAContactThatNothingMovesIsProved) {
  ContactProblem problem;
  problem.blocks = {Block{}};
  problem.blocks[0].mu = 0.5;
  problem.W.setZero(3);
  problem.b = {-1, 0, 0};
  problem.bias = problem.compliance = {0, 0, 0};
  const ContactSolution solution = solveWith("auto", problem);
  EXPECT_EQ(solution.status, SolveStatus::kNoSolution);
  EXPECT_EQ(solution.certificate, (std::vector<double>{1, 0, 0}));
}

}  // namespace
}  // namespace rigor
