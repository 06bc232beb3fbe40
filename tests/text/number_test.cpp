#include "text/number.h"
#include "text/nearest.h"

#include <gtest/gtest.h>

#include <limits>

namespace rigor {
namespace {

TEST(ParseNumber, TakesWholeNumbersOnly) {
  EXPECT_EQ(parseNumber("1.5"), 1.5);
  EXPECT_EQ(parseNumber(" +2e-3\n"), 2e-3);
  EXPECT_EQ(parseNumber(".5"), 0.5);
  EXPECT_EQ(parseNumber("-7"), -7.0);
  for (const char* bad : {"", " ", "1.0abc", "1,5", "nan", "inf", "-inf", "0x10", "1 2", "+-1", "--1", "1e", "e5", "+"})
    EXPECT_FALSE(parseNumber(bad)) << bad;
}

TEST(ParseNumber, RefusesOverflowAndRoundsUnderflowToZero) {
  EXPECT_FALSE(parseNumber("1e999"));
  EXPECT_FALSE(parseNumber("-1e999"));
  EXPECT_EQ(parseNumber("1e-999"), 0.0);
  EXPECT_EQ(parseNumber("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_FALSE(parseNumber("1" + std::string(400, '0')));
  EXPECT_EQ(parseNumber("4.9406564584124654e-324"), std::numeric_limits<double>::denorm_min());
}

TEST(FindNearest, SuggestsSimilarWordsAndNothingElse) {
  const std::vector<std::string> known = {"friction", "restitution", "height"};
  EXPECT_EQ(findNearest("fricton", known), "friction");
  EXPECT_EQ(findNearest("restituion", known), "restitution");
  EXPECT_EQ(findNearest("qqq", known), "");
}

TEST(FindNearest, KnowsBeginningsAndLettersThatChangedPlaces) {
  EXPECT_EQ(findNearest("quaternion", {"material", "quaternion_wxyz", "position"}), "quaternion_wxyz");
  EXPECT_EQ(findNearest("pos", {"mass", "position", "positions_file"}), "position");
  EXPECT_EQ(findNearest("LF_HEF", {"LF_HAA", "LF_HFE", "LF_KFE"}), "LF_HFE");
  EXPECT_EQ(countEdits("abc", "acb"), 1u);
  EXPECT_EQ(countEdits("", "ab"), 2u);
}

}  // namespace
}  // namespace rigor
