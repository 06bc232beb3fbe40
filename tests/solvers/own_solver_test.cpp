// A solver from outside gets what ours have, loops taken out and one judge, and is believed no more than they are.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "reference/problem_families.h"
#include "rigor/solver.h"
#include "solver_choice.h"

namespace rigor {
namespace {

/// Does what a test tells it to.
class Scripted final : public ContactSolver {
 public:
  using Script = std::function<void(const ContactProblem&, ContactSolution&)>;
  explicit Scripted(Script script) : script_(std::move(script)) {}
  std::string_view name() const override { return "scripted"; }
  void solve(const ContactProblem& problem, const SolverOptions&, ContactSolution& solution) override {
    script_(problem, solution);
    solution.status = SolveStatus::kSolved;
    solution.residuals = {};
  }

 private:
  Script script_;
};

std::unique_ptr<ContactSolver> guarded(Scripted::Script script) {
  return eliminateLoops(judgeAnswers(std::make_unique<Scripted>(std::move(script))));
}

ContactProblem sample(const char* name, int index) {
  for (const reference::Family& family : reference::problemFamilies())
    if (family.name == name) return reference::makeSample(family, index);
  ADD_FAILURE() << "no family " << name;
  return {};
}

ContactSolution coldStart(const ContactProblem& problem) {
  ContactSolution solution;
  solution.impulse.assign(problem.rows(), 0.0);
  return solution;
}

// standing_robot has contacts alone, jointed_bodies loops too.
const char* const kFamilies[] = {"standing_robot", "jointed_bodies"};

TEST(OwnSolver, IsNotBelievedWhenItClaimsAWrongAnswer) {
  const auto solver = guarded([](const ContactProblem& problem, ContactSolution& solution) {
    solution.impulse.assign(problem.rows(), 1.0);
    solution.velocity.assign(problem.rows(), 0.0);
  });
  for (const char* family : kFamilies) {
    const ContactProblem problem = sample(family, 0);
    ContactSolution solution = coldStart(problem);
    solver->solve(problem, {}, solution);
    EXPECT_EQ(solution.status, SolveStatus::kUnsolved) << family;
    EXPECT_FALSE(accepts(solution.residuals, 1e-6)) << family;
    EXPECT_FALSE(accepts(judge(problem, solution), 1e-6)) << family;
  }
}

TEST(OwnSolver, IsNotBelievedWhenItsAnswerIsNoNumber) {
  const auto solver = guarded([](const ContactProblem& problem, ContactSolution& solution) {
    solution.impulse.assign(problem.rows(), std::nan(""));
    solution.velocity.assign(problem.rows(), std::nan(""));
  });
  for (const char* family : kFamilies) {
    const ContactProblem problem = sample(family, 0);
    ContactSolution solution = coldStart(problem);
    solver->solve(problem, {}, solution);
    EXPECT_EQ(solution.status, SolveStatus::kUnsolved) << family;
    EXPECT_FALSE(solution.residuals.finite) << family;
  }
}

TEST(OwnSolver, MayLeaveArraysOfAnySize) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
    const auto solver = guarded([size](const ContactProblem&, ContactSolution& solution) {
      solution.impulse.assign(size, 1.0);
      solution.velocity.assign(size, 1.0);
      solution.modes.assign(size, ContactMode::kSlip);
      solution.certificate.assign(size, 1.0);
    });
    for (const char* family : kFamilies) {
      const ContactProblem problem = sample(family, 0);
      ContactSolution solution = coldStart(problem);
      solver->solve(problem, {}, solution);
      EXPECT_EQ(solution.status, SolveStatus::kUnsolved) << family;
      EXPECT_EQ(solution.impulse.size(), problem.b.size());
      EXPECT_EQ(solution.velocity.size(), problem.b.size());
      EXPECT_EQ(solution.modes.size(), problem.blocks.size());
      EXPECT_TRUE(solution.certificate.empty());
    }
  }
}

TEST(OwnSolver, MayThrowWhichIsAStatusWithItsWordsAndIsAskedAgain) {
  bool throws = true;
  const auto solver = guarded([&](const ContactProblem&, ContactSolution&) {
    if (throws) throw std::runtime_error("out of ideas");
  });
  for (const char* family : kFamilies) {
    const ContactProblem problem = sample(family, 0);
    ContactSolution solution = coldStart(problem);
    throws = true;
    solver->solve(problem, {}, solution);
    EXPECT_EQ(solution.status, SolveStatus::kUnsolved) << family;
    EXPECT_STREQ(solution.stage, "threw") << family;
    EXPECT_EQ(solution.complaint, "out of ideas") << family;
    throws = false;
    solver->solve(problem, {}, solution);
    EXPECT_TRUE(solution.residuals.finite);
    EXPECT_EQ(solution.complaint, "") << family;
    EXPECT_STREQ(solution.stage, "own") << family;
  }
}

// It may have been nearly there: what it left is judged as if it had said so itself.
TEST(OwnSolver, ThatThrowsLeavesItsBestIterateWithItsResidual) {
  const ContactProblem problem = sample("standing_robot", 0);
  ContactSolution right = coldStart(problem);
  makeSolver("auto")->solve(problem, {}, right);
  const auto leave = [&](double share) {
    const auto solver = guarded([&](const ContactProblem&, ContactSolution& solution) {
      for (std::size_t i = 0; i < right.impulse.size(); ++i) solution.impulse[i] = share * right.impulse[i];
      throw 42;
    });
    ContactSolution solution = coldStart(problem);
    solver->solve(problem, {}, solution);
    EXPECT_EQ(solution.complaint, "something that is no std::exception");
    EXPECT_NEAR(solution.impulse[0], share * right.impulse[0], 1e-12);
    return solution;
  };
  EXPECT_EQ(leave(1.0).status, SolveStatus::kSolved);
  const ContactSolution off = leave(0.9);
  EXPECT_EQ(off.status, SolveStatus::kUnsolved);
  EXPECT_GT(off.residuals.law, 1e-3);
  EXPECT_LT(off.residuals.law, 1.0);
}

TEST(OwnSolver, ThatThrowsAfterNonsenseLeavesNone) {
  const auto solver = guarded([](const ContactProblem& problem, ContactSolution& solution) {
    solution.impulse.assign(problem.rows() + 5, std::nan(""));
    if (problem.rows() % 2 == 0) solution.impulse.resize(problem.rows());
    throw std::runtime_error("");
  });
  for (const char* family : kFamilies) {
    const ContactProblem problem = sample(family, 0);
    ContactSolution solution = coldStart(problem);
    solver->solve(problem, {}, solution);
    EXPECT_EQ(solution.status, SolveStatus::kUnsolved) << family;
    EXPECT_EQ(solution.complaint, "an exception without words");
    EXPECT_EQ(solution.impulse.size(), problem.b.size());
    EXPECT_TRUE(solution.residuals.finite) << family;
  }
}

// A cap that is reached, a problem without rows.
TEST(EverySolver, LeavesItsBestIterateWithItsResidualWhenItsIterationsEnd) {
  for (const SolverInfo& info : listSolvers()) {
    const auto solver = makeSolver(info.name);
    ContactProblem problem = sample("standing_stack", 3);
    if (!solver->solves(problem.law)) problem.law = Law::kDissipation;
    ContactSolution capped = coldStart(problem);
    solver->solve(problem, {.max_iterations = 1}, capped);
    EXPECT_EQ(capped.impulse.size(), problem.b.size()) << info.name;
    EXPECT_TRUE(capped.residuals.finite) << info.name;
    const Residuals again = judge(problem, capped);
    EXPECT_EQ(capped.status == SolveStatus::kSolved, accepts(again, 1e-10)) << info.name;
    EXPECT_EQ(capped.residuals.law, again.law) << info.name;
  }
}

TEST(EverySolver, SolvesAProblemWithoutRows) {
  for (const SolverInfo& info : listSolvers()) {
    const auto solver = makeSolver(info.name);
    for (const Law law : {Law::kCoulomb, Law::kDissipation, Law::kPyramid}) {
      if (!solver->solves(law)) continue;
      ContactSolution solution;
      ContactProblem problem;
      problem.law = law;
      solver->solve(problem, {}, solution);
      EXPECT_EQ(solution.status, SolveStatus::kSolved) << info.name << " " << lawName(law);
      EXPECT_TRUE(solution.impulse.empty()) << info.name;
    }
  }
}

// One of ours behind the same door: it knows nothing of loops, and its answers are as good as before.
TEST(OwnSolver, SeesNoLoopsAndSolvesThemAllTheSame) {
  const auto ours = makeSolver("auto");
  int equal_rows = 0, asked = 0;
  const auto solver = guarded([&](const ContactProblem& problem, ContactSolution& solution) {
    ++asked;
    for (const Block& block : problem.blocks) equal_rows += block.kind == BlockKind::kEqual;
    ours->solve(problem, {}, solution);
  });
  for (int i = 0; i < 20; ++i) {
    const ContactProblem problem = sample("jointed_bodies", i);
    ContactSolution own = coldStart(problem), expected = coldStart(problem);
    solver->solve(problem, {}, own);
    makeSolver("auto")->solve(problem, {}, expected);
    EXPECT_EQ(own.status, SolveStatus::kSolved) << i;
    EXPECT_TRUE(accepts(judge(problem, own), 1e-10)) << i;
    EXPECT_EQ(own.impulse, expected.impulse) << i;
  }
  EXPECT_GE(asked, 20);
  EXPECT_EQ(equal_rows, 0);
}

TEST(EverySolver, AnswersNoProblemOfAnotherLaw) {
  int asked = 0;
  std::vector<std::unique_ptr<ContactSolver>> solvers;
  for (const SolverInfo& info : solversOf(Law::kCoulomb)) solvers.push_back(makeSolver(info.name));
  solvers.push_back(guarded([&](const ContactProblem&, ContactSolution&) { ++asked; }));
  for (const auto& solver : solvers)
    for (const char* family : kFamilies) {
      ContactProblem problem = sample(family, 0);
      problem.law = Law::kAssociated;
      ContactSolution solution = coldStart(problem);
      solver->solve(problem, {}, solution);
      EXPECT_EQ(solution.status, SolveStatus::kBadInput) << solver->name() << " " << family;
      EXPECT_STREQ(solution.stage, "unknown law");
    }
  EXPECT_EQ(asked, 0);
}

}  // namespace
}  // namespace rigor
