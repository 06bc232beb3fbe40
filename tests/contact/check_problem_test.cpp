#include "contact/check_problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "reference/problem_families.h"

namespace rigor {
namespace {

ContactProblem soundProblem() {
  ContactProblem problem;
  Block contact, limit, motor;
  contact.mu = 0.5;
  limit.kind = BlockKind::kAtLeast;
  limit.row = 3;
  limit.size = 1;
  motor.kind = BlockKind::kBox;
  motor.row = 4;
  motor.size = 1;
  motor.lo = -1.0;
  motor.hi = INFINITY;
  problem.blocks = {contact, limit, motor};
  problem.W.setZero(5);
  for (int i = 0; i < 5; ++i) problem.W(i, i) = 1.0;
  problem.b.assign(5, -1.0);
  problem.bias.assign(5, 0.0);
  problem.compliance.assign(5, 0.0);
  return problem;
}

TEST(CheckProblem, FindsNothingWrongWithGeneratedProblems) {
  for (const reference::Family& family : reference::problemFamilies()) {
    const ContactProblem problem = reference::makeSample(family, 0);
    EXPECT_NO_THROW(checkProblem(problem)) << family.name;
    EXPECT_TRUE(hasSoundBlocks(problem)) << family.name;
    EXPECT_TRUE(hasSoundNumbers(problem)) << family.name;
  }
  EXPECT_NO_THROW(checkProblem(soundProblem()));
  EXPECT_NO_THROW(checkProblem(ContactProblem{}));
}

struct Damage {
  const char* words;  // that the message must contain
  bool blocks;        // found by hasSoundBlocks too
  std::function<void(ContactProblem&)> apply;
};

TEST(CheckProblem, NamesTheDefectAndARemedy) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Damage damages[] = {
      {"W: has 24 entries where b asks for 25", true, [](ContactProblem& p) { p.W = std::vector<double>(24, 0.0); }},
      {"bias: has 6", true, [](ContactProblem& p) { p.bias.push_back(0); }},
      {"compliance: has 0", true, [](ContactProblem& p) { p.compliance.clear(); }},
      {"block 1 (at_least, row 2): starts where row 3 was due", true, [](ContactProblem& p) { p.blocks[1].row = 2; }},
      {"block 2 (box, row 4): covers 2 rows", true, [](ContactProblem& p) { p.blocks[2].size = 2; }},
      {"covers 0 rows", true, [](ContactProblem& p) { p.blocks[1].size = 0; }},
      {"row -1", true, [](ContactProblem& p) { p.blocks[0].row = -1; }},
      {"covers 2147483647 rows", true, [](ContactProblem& p) { p.blocks[1].size = 2147483647; }},
      {"block 0 (contact, row 0): has 5 rows", true, [](ContactProblem& p) { p.blocks[0].size = 5; }},
      {"cover 4 of 5 rows", true, [](ContactProblem& p) { p.blocks.pop_back(); }},
      {"friction coefficient -0.5", true, [](ContactProblem& p) { p.blocks[0].mu = -0.5; }},
      {"friction coefficient nan", true, [nan](ContactProblem& p) { p.blocks[0].mu = nan; }},
      {"bounds [2, 1]", true, [](ContactProblem& p) { p.blocks[2].lo = 2, p.blocks[2].hi = 1; }},
      {"bounds [nan, inf]", true, [nan](ContactProblem& p) { p.blocks[2].lo = nan; }},
      {"bounds [inf, inf]", true, [](ContactProblem& p) { p.blocks[2].lo = INFINITY; }},
      {"W: contains a value that is not finite", false, [nan](ContactProblem& p) { p.W(1, 2) = nan; }},
      {"b: contains", false, [](ContactProblem& p) { p.b[0] = INFINITY; }},
      {"bias: contains", true, [nan](ContactProblem& p) { p.bias[4] = nan; }},
      {"compliance of row 4", true, [](ContactProblem& p) { p.compliance[4] = -1; }},
      {"compliance of row 0", true, [](ContactProblem& p) { p.compliance[0] = -1; }},
      {"compliance: contains", true, [nan](ContactProblem& p) { p.compliance[4] = nan; }},
      {"row_error: has 4", true, [](ContactProblem& p) { p.row_error.assign(4, 0); }},
      {"row_error: contains", true, [nan](ContactProblem& p) { p.row_error.assign(5, nan); }},
      {"row_error of row 0: is -1", true, [](ContactProblem& p) { p.row_error.assign(5, -1); }},
      {"W: holds 1e+101, beyond 1e+100", false, [](ContactProblem& p) { p.W(0, 1) = p.W(1, 0) = 1e101; }},
      {"b: holds no number above 1e-100", false, [](ContactProblem& p) { p.b.assign(5, 1e-200); }},
      {"W[3][3]: is -1, negative", false, [](ContactProblem& p) { p.W(3, 3) = -1; }},
      {"W[1][0]: is 0, but W[0][1] is 0.6", false, [](ContactProblem& p) { p.W(0, 1) = 0.6; }},
      {"W[4][3]: is -0.6, but W[3][4] is 0", false, [](ContactProblem& p) { p.W(4, 3) = -0.6; }},
      {"velocity_scale: is -1", true, [](ContactProblem& p) { p.velocity_scale = -1; }},
      {"velocity_scale: is nan", true, [nan](ContactProblem& p) { p.velocity_scale = nan; }},
      {"velocity_scale: is inf", true, [](ContactProblem& p) { p.velocity_scale = INFINITY; }},
  };
  for (const Damage& damage : damages) {
    ContactProblem problem = soundProblem();
    damage.apply(problem);
    const auto defect = findDefect(problem);
    ASSERT_TRUE(defect.has_value()) << damage.words;
    EXPECT_NE(std::string(defect->what()).find(damage.words), std::string::npos) << defect->what();
    EXPECT_FALSE(defect->remedy().empty()) << damage.words;
    EXPECT_EQ(hasSoundBlocks(problem), !damage.blocks) << damage.words;
    EXPECT_THROW(checkProblem(problem), Error);
  }
}

TEST(CheckProblem, TakesWhatRowsThatTurnInAStepDoToW) {
  ContactProblem problem = soundProblem();
  problem.W(0, 1) = 0.5, problem.W(1, 0) = 0.3;     // differ by less than half of √(W_00 W_11)
  problem.W(4, 4) = -1e-9, problem.W(0, 4) = 1e-9;  // a row that nothing moves, but for rounding
  EXPECT_FALSE(findDefect(problem).has_value());
  problem = soundProblem();
  problem.blocks[1].kind = BlockKind::kEqual;  // a loop at its singular pose
  problem.W(3, 3) = -0.2;
  EXPECT_FALSE(findDefect(problem).has_value());
  problem.W(0, 1) = 0.9;  // rows that turn far must say so
  EXPECT_TRUE(findDefect(problem).has_value());
  EXPECT_FALSE(findDefect(problem, false).has_value());
}

// What the judge must refuse without being asked for a reason.
TEST(CheckProblem, FindsNumbersThatAreNoneWithoutNamingThem) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (double bad : {nan, static_cast<double>(INFINITY)}) {
    std::vector<ContactProblem> problems(5, soundProblem());
    problems[0].W(1, 2) = problems[1].b[0] = problems[2].bias[4] = problems[3].compliance[0] = bad;
    problems[4].row_error.assign(5, bad);
    for (const ContactProblem& problem : problems) EXPECT_FALSE(hasSoundNumbers(problem));
  }
}

}  // namespace
}  // namespace rigor
