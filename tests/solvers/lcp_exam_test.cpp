// The exam of solveLcp on a few hundred problems of every family; benchmarks/lcp_exam takes as many as wanted.
#include <gtest/gtest.h>

#include "reference/lcp_exam.h"

namespace rigor {
namespace {

class LcpExam : public testing::TestWithParam<reference::LcpFamily> {};

TEST_P(LcpExam, IsPassedWithoutAnOpenProblemOrAFalseClaim) {
  constexpr int kProblems = 200;
  const reference::LcpMarks marks = reference::takeExam(GetParam(), 0, kProblems / GetParam().rarer);
  EXPECT_EQ(marks.open, 0);
  EXPECT_EQ(marks.wrong, 0);
  EXPECT_LE(marks.worst, 1e-9);  // what is not excused by rounding
  for (const std::string& note : marks.notes) ADD_FAILURE() << note;
}

std::vector<reference::LcpFamily> allFamilies() {
  std::vector<reference::LcpFamily> families = reference::frictionLcps();
  families.insert(families.end(), reference::algebraicLcps().begin(), reference::algebraicLcps().end());
  return families;
}

INSTANTIATE_TEST_SUITE_P(Of, LcpExam, testing::ValuesIn(allFamilies()),
                         [](const auto& family) { return family.param.name; });

}  // namespace
}  // namespace rigor
