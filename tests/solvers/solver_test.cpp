// What every solver of the list promises, whatever it does inside.
#include "rigor/solver.h"
#include "solver_choice.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "reference/allocation_counter.h"
#include "reference/problem_families.h"
#include "reference/slow_judge.h"
#include "rigor/error.h"
#include "rigor/io.h"

namespace rigor {
namespace {

ContactSolution coldStart(const ContactProblem& problem) {
  ContactSolution solution;
  solution.impulse.assign(problem.rows(), 0.0);
  return solution;
}

ContactProblem sample(const char* name, int index) {
  for (const reference::Family& family : reference::problemFamilies())
    if (family.name == name) return reference::makeSample(family, index);
  ADD_FAILURE() << "no family " << name;
  return {};
}

bool sameBits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST(SolverList, MakesEverySolverItNames) {
  for (const SolverInfo& info : listSolvers()) {
    const auto solver = makeSolver(info.name);
    EXPECT_EQ(solver->name(), info.name);
    std::string laws;
    for (const Law law : {Law::kCoulomb, Law::kDissipation, Law::kPyramid, Law::kAssociated})
      if (solver->solves(law)) laws += (laws.empty() ? "" : ", ") + std::string(lawName(law));
    EXPECT_EQ(info.laws, laws) << info.name;
    for (const std::string_view cell : {info.blocks, info.description, info.cost, info.fails})
      EXPECT_FALSE(cell.empty()) << info.name;
  }
}

TEST(SolverList, NamesWhoSolvesALawThatASolverDoesNot) {
  try {
    checkSolves("pgs", Law::kDissipation);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.problem().find("\"pgs\" does not solve law \"dissipation\""), std::string::npos) << error.what();
    EXPECT_NE(error.remedy().find("bisection, bisection_hybrid"), std::string::npos) << error.what();
  }
}

TEST(SolverList, NamesTheKnownSolversWhenAskedForAnother) {
  try {
    makeSolver("magic");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.remedy().find("newton, interior_point, lemke, auto"), std::string::npos) << error.what();
  }
}

// luck_of_rounding: with μ 866, 1e-16 m/s in ut are 9e-14 in û, and the first answer that a sum in doubles finds within the limit
// is not. at_the_limit: a sliding stack, accepted at 0.999 of the limit by the rounding of a sum.
TEST(Solver, ClaimsNothingByLuckOfRounding) {
  for (const char* name : {"luck_of_rounding", "at_the_limit"}) {
    const ContactProblem problem =
        loadProblem(std::string(RIGOR_SOURCE_DIR) + "/tests/solvers/problems/" + name + ".json");
    int solved = 0;
    for (const SolverInfo& info : listSolvers()) {
      const auto solver = makeSolver(info.name);
      if (!solver->solves(problem.law)) continue;
      ContactSolution solution;
      solver->solve(problem, {}, solution);
      if (solution.status != SolveStatus::kSolved) continue;
      ++solved;
      std::vector<double> velocity(problem.b);
      for (int i = 0; i < problem.rows(); ++i) {
        long double sum = problem.b[i];
        for (int j = 0; j < problem.rows(); ++j) sum += static_cast<long double>(problem.W(i, j)) * solution.impulse[j];
        velocity[i] = static_cast<double>(sum);
      }
      EXPECT_TRUE(reference::judgeSlowly(problem, solution.impulse, velocity, 1e-10).accepted) << info.name << name;
    }
    EXPECT_GE(solved, 1) << name;
  }
}

TEST(Solver, NeverClaimsWhatTheSlowJudgeDenies) {
  for (const SolverInfo& info : solversOf(Law::kCoulomb)) {
    const auto solver = makeSolver(info.name);
    for (const reference::Family& family : reference::problemFamilies()) {
      for (int i = 0; i < 5; ++i) {
        const ContactProblem problem = reference::makeSample(family, i);
        ContactSolution solution = coldStart(problem);
        solver->solve(problem, {}, solution);
        // The two judges add up in different order; a part in 1e5 of the limit is far more than that moves.
        const double limit = 1e-10 * (1.0 + 1e-5);
        const auto verdict = reference::judgeSlowly(problem, solution.impulse, solution.velocity, limit);
        if (solution.status == SolveStatus::kSolved) {
          EXPECT_TRUE(verdict.accepted) << info.name << " " << family.name << " " << i;
        }
        EXPECT_EQ(accepts(judge(problem, solution), 1e-10), solution.status == SolveStatus::kSolved);
        EXPECT_EQ(judge(problem, solution).law, solution.residuals.law);
      }
    }
  }
}

// Nonsense in the options is no crash and no success: the best iterate comes back with its residual.
TEST(Solver, LeavesAnHonestStatusForOptionsThatMakeNoSense) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const ContactProblem problem = sample("falling_box", 1);
  for (const SolverInfo& info : solversOf(Law::kCoulomb))
    for (const SolverOptions& options :
         {SolverOptions{.tolerance = nan}, SolverOptions{.tolerance = -1.0}, SolverOptions{.tolerance = 0.0},
          SolverOptions{.aim = nan, .max_iterations = 5}, SolverOptions{.max_iterations = 1},
          SolverOptions{.max_iterations = -7}}) {
      ContactSolution solution = coldStart(problem);
      makeSolver(info.name)->solve(problem, options, solution);
      ASSERT_TRUE(solution.residuals.finite) << info.name;
      const bool fits = solution.residuals.law <= options.tolerance;  // false for NaN
      EXPECT_EQ(solution.status == SolveStatus::kSolved, fits) << info.name << " " << options.tolerance;
      EXPECT_NE(solution.status, SolveStatus::kBadInput) << info.name;
    }
}

TEST(Solver, GivesTheSameBitsHoweverItWasUsedBefore) {
  for (const SolverInfo& info : solversOf(Law::kCoulomb)) {
    const auto used = makeSolver(info.name);
    for (const reference::Family& family : reference::problemFamilies()) {
      const ContactProblem problem = reference::makeSample(family, 2);
      ContactSolution first = coldStart(problem), second = coldStart(problem);
      used->solve(problem, {}, first);
      makeSolver(info.name)->solve(problem, {}, second);
      EXPECT_TRUE(sameBits(first.impulse, second.impulse)) << info.name << " " << family.name;
      EXPECT_TRUE(sameBits(first.velocity, second.velocity)) << info.name << " " << family.name;
      EXPECT_EQ(first.modes, second.modes);
      EXPECT_EQ(first.iterations, second.iterations);
      EXPECT_STREQ(first.stage, second.stage);
    }
  }
}

TEST(Solver, AllocatesNothingOnceItHasSeenTheSize) {
  for (const SolverInfo& info : solversOf(Law::kCoulomb)) {
    const auto solver = makeSolver(info.name);
    for (const char* name :
         {"standing_robot", "lying_robot", "robot_limits_motors", "sliding_stack", "jointed_bodies"}) {
      const ContactProblem problem = sample(name, 0);
      ContactSolution solution = coldStart(problem);
      solver->solve(problem, {}, solution);
      solution.impulse.assign(problem.rows(), 0.0);
      solution.modes_known = false;
      AllocationScope scope;
      solver->solve(problem, {}, solution);
      EXPECT_EQ(scope.count(), 0) << info.name << " " << name;
      solver->solve(problem, {}, solution);
      EXPECT_EQ(scope.count(), 0) << info.name << " " << name << ", warm";
    }
  }
}

TEST(Solver, RefusesProblemsThatAreNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const SolverInfo& info : solversOf(Law::kCoulomb)) {
    const auto solver = makeSolver(info.name);
    const ContactProblem good = sample("standing_robot", 0);
    std::vector<ContactProblem> bad(14, good);
    bad[0].W = std::vector<double>(good.W.entries().begin(), good.W.entries().end() - 1);
    bad[1].blocks.pop_back();
    bad[2].blocks[1].row = 1;
    bad[3].W(0, 5) = nan;
    bad[4].b[0] = std::numeric_limits<double>::infinity();
    bad[5].bias[3] = nan;
    bad[6].blocks[2].mu = -1.0;
    bad[7].compliance[1] = -1.0;
    bad[8].row_error.assign(good.b.size(), nan);
    bad[9].row_error.assign(2, 0.0);
    bad[10].velocity_scale = nan;
    bad[11].velocity_scale = -1.0;
    bad[12].bias[1] = nan;  // a row whose bias the law does not read
    bad[13].W(good.rows() - 1, good.rows() - 1) = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < bad.size(); ++i) {
      ContactSolution solution = coldStart(good);
      solver->solve(bad[i], {}, solution);
      EXPECT_EQ(solution.status, SolveStatus::kBadInput) << info.name << " " << i;
      EXPECT_FALSE(accepts(solution.residuals, 1e300)) << info.name << " " << i;
    }
  }
}

TEST(Solver, StartsColdFromAnImpulseThatIsNoNumber) {
  const ContactProblem problem = sample("standing_robot", 0);
  for (const SolverInfo& info : solversOf(Law::kCoulomb)) {
    const auto solver = makeSolver(info.name);
    ContactSolution cold = coldStart(problem), broken = coldStart(problem), empty;
    broken.impulse[2] = std::numeric_limits<double>::quiet_NaN();
    solver->solve(problem, {}, cold);
    solver->solve(problem, {}, broken);
    solver->solve(problem, {}, empty);
    EXPECT_EQ(cold.status, SolveStatus::kSolved);
    EXPECT_TRUE(sameBits(cold.impulse, broken.impulse)) << info.name;
    EXPECT_TRUE(sameBits(cold.impulse, empty.impulse)) << info.name;
  }
}

TEST(Solver, SolvesTheEmptyProblem) {
  for (const SolverInfo& info : solversOf(Law::kCoulomb)) {
    ContactSolution solution;
    makeSolver(info.name)->solve(ContactProblem{}, {}, solution);
    EXPECT_EQ(solution.status, SolveStatus::kSolved) << info.name;
  }
}

TEST(Solver, ReportsModesThatTheAnswerShows) {
  const auto solver = makeSolver("auto");
  for (const reference::Family& family : reference::problemFamilies()) {
    for (int i = 0; i < 10; ++i) {
      const ContactProblem problem = reference::makeSample(family, i);
      ContactSolution solution = coldStart(problem);
      solver->solve(problem, {}, solution);
      if (solution.status != SolveStatus::kSolved) continue;
      ASSERT_EQ(solution.modes.size(), problem.blocks.size());
      for (std::size_t k = 0; k < problem.blocks.size(); ++k) {
        const Block& block = problem.blocks[k];
        if (block.kind != BlockKind::kContact) continue;
        const double* u = solution.velocity.data() + block.row;
        const double* impulse = solution.impulse.data() + block.row;
        const double size = std::abs(u[0]) + std::hypot(u[1], u[2]) + problem.velocity_scale;
        double scale = 0.0;
        for (double b : problem.b) scale = std::max(scale, std::abs(b));
        double magnitude = 0.0;  // of the sums that u is: masses 1e8 apart leave 1e-16 of it
        for (int j = 0; j < problem.rows(); ++j)
          for (int r = 0; r < 3; ++r) magnitude += std::abs(problem.W(block.row + r, j) * solution.impulse[j]);
        const double rounding = 1e-8 * (scale + size) + 1e-15 * magnitude;
        if (solution.modes[k] == ContactMode::kStick) {
          EXPECT_LE(std::hypot(u[1], u[2]), rounding) << family.name << " " << i;
        }
        if (solution.modes[k] != ContactMode::kOpen) {
          EXPECT_LE(std::abs(u[0] + problem.bias[block.row]), rounding) << family.name << " " << i;
        } else {
          const double w = problem.W(block.row, block.row);
          EXPECT_LE(w * impulse[0], rounding) << family.name << " " << i;
        }
      }
    }
  }
}

// The same motion, a thousandth stronger: exactly 1.001 λ would answer it.
void strengthen(ContactProblem& problem) {
  for (double& b : problem.b) b *= 1.001;
  for (double& bias : problem.bias) bias *= 1.001;
  for (Block& block : problem.blocks) block.lo *= 1.001, block.hi *= 1.001;
}

// In a run nearly every step keeps its sets; then one factorisation must do.
TEST(AutoSolver, NeedsOneFactorisationWhileTheSetsStay) {
  const auto solver = makeSolver("auto");
  for (const char* name : {"standing_robot", "moving_robot", "resting_box_8", "sliding_box_8", "lying_robot", "grip",
                           "robot_limits_motors", "predicted_rows"}) {
    int kept = 0, solved = 0, steps = 0;
    for (int i = 0; i < 40; ++i) {
      ContactProblem problem = sample(name, i);
      ContactSolution solution = coldStart(problem);
      solver->solve(problem, {}, solution);
      for (int step = 0; step < 20; ++step, ++steps) {
        strengthen(problem);
        solver->solve(problem, {}, solution);
        solved += solution.status == SolveStatus::kSolved;
        kept += std::strcmp(solution.stage, "sets") == 0;
      }
    }
    EXPECT_EQ(solved, steps) << name;
    // Redundant contacts may sit on the edge between two modes and change them now and then.
    EXPECT_GE(kept, 0.95 * steps) << name;
  }
}

TEST(AutoSolver, SurvivesWrongSets) {
  const auto solver = makeSolver("auto");
  for (const reference::Family& family : reference::problemFamilies()) {
    for (int i = 0; i < 6; ++i) {
      const ContactProblem problem = reference::makeSample(family, i);
      ContactSolution cold = coldStart(problem);
      solver->solve(problem, {}, cold);
      if (cold.status != SolveStatus::kSolved) continue;  // the exam counts these
      for (ContactMode mode : {ContactMode::kOpen, ContactMode::kStick, ContactMode::kSlip}) {
        ContactSolution solution = coldStart(problem);
        solution.modes.assign(problem.blocks.size(), mode);
        solution.modes_known = true;
        solver->solve(problem, {}, solution);
        EXPECT_EQ(solution.status, SolveStatus::kSolved) << family.name << " " << i << " " << static_cast<int>(mode);
      }
    }
  }
}

TEST(AutoSolver, KeepsFrictionlessLimitsOfSeveralRowsInOneBlock) {
  // Three limits in one block: the first is pressed, the second free, the third pressed.
  ContactProblem problem;
  Block limits;
  limits.kind = BlockKind::kAtLeast;
  limits.size = 3;
  problem.blocks = {limits};
  problem.W = {2, 1, 0, 1, 2, 0, 0, 0, 1};
  problem.b = {-1, 1, -3};
  problem.bias = problem.compliance = {0, 0, 0};
  ContactSolution solution = coldStart(problem);
  const auto solver = makeSolver("auto");
  for (int repeat = 0; repeat < 2; ++repeat) {
    solver->solve(problem, {}, solution);
    ASSERT_EQ(solution.status, SolveStatus::kSolved);
    EXPECT_NEAR(solution.impulse[0], 0.5, 1e-12);
    EXPECT_NEAR(solution.impulse[1], 0.0, 1e-12);
    EXPECT_NEAR(solution.impulse[2], 3.0, 1e-12);
  }
}

TEST(AutoSolver, HoldsAnUnboundedMotorAtItsTarget) {
  ContactProblem problem;
  Block motor;
  motor.kind = BlockKind::kBox;
  motor.size = 1;
  motor.lo = -INFINITY;
  motor.hi = INFINITY;
  problem.blocks = {motor};
  problem.W = {2};
  problem.b = {1};
  problem.bias = {-4};  // u* = 4
  problem.compliance = {1};
  ContactSolution solution = coldStart(problem);
  makeSolver("auto")->solve(problem, {}, solution);
  ASSERT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_NEAR(solution.impulse[0], 1.0, 1e-14);  // (2 + 1) λ = 4 − 1
}

}  // namespace
}  // namespace rigor
