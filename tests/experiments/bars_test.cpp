// Bars side by side and one above the other.
#include "experiments/bars.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rigor::experiments {
namespace {

/// Heights of all bars of one colour, in pixels; the legend's bar, 12 pixels high, is the last.
std::vector<double> heightsOf(const std::string& svg, const std::string& colour) {
  std::vector<double> heights;
  const std::string end = "\" fill=\"" + colour + "\"";
  for (std::size_t at = svg.find(end); at != std::string::npos; at = svg.find(end, at + 1)) {
    const std::size_t begin = svg.rfind("height=\"", at) + 8;
    heights.push_back(std::stod(svg.substr(begin, at - begin)));
  }
  heights.pop_back();
  return heights;
}

TEST(Bars, SideBySideAreAsHighAsTheirValues) {
  const std::string svg = drawBars({"", "", "", false, false, {"a", "b"}, {{"one", {1.0, 2.0}}, {"two", {0.0, 0.5}}}});
  const auto one = heightsOf(svg, "#0072b2"), two = heightsOf(svg, "#56b4e9");
  ASSERT_EQ(one.size(), 2u);
  ASSERT_EQ(two.size(), 1u);  // nothing is drawn of zero
  EXPECT_EQ(one[1], 414.0);   // the whole frame
  EXPECT_EQ(one[0], 207.0);
  EXPECT_EQ(two[0], 103.5);
}

TEST(Bars, StackedReachTheSumOfTheirParts) {
  const std::string svg = drawBars({"", "", "", true, false, {"a", "b"}, {{"one", {1.0, 2.0}}, {"two", {3.0, 0.5}}}});
  const auto one = heightsOf(svg, "#0072b2"), two = heightsOf(svg, "#56b4e9");
  ASSERT_EQ(one.size(), 2u);
  EXPECT_NEAR(one[0] + two[0], 414.0, 0.1);  // 4, the top of the axis; pixels are written to a tenth
  EXPECT_NEAR(one[1] / one[0], 2.0, 1e-3);
}

TEST(Bars, OfValuesThatCannotBeShownAreLeftOut) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (bool log : {false, true}) {
    const std::string svg = drawBars({"", "", "", false, log, {"a", "b", "c", "d"}, {{"one", {nan, inf, -1.0, 2.0}}}});
    EXPECT_EQ(heightsOf(svg, "#0072b2").size(), 1u);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
  }
  EXPECT_EQ(drawBars({}).substr(0, 4), "<svg");
}

}  // namespace
}  // namespace rigor::experiments
