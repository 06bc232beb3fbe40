// The picture of a set of curves.
#include "experiments/plot.h"

#include <gtest/gtest.h>

#include <limits>

namespace rigor::experiments {
namespace {

std::size_t countOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// Attribute d of the first curve; the axes and the grid come before it.
std::string firstCurve(const std::string& svg) {
  const std::size_t style = svg.find("\" fill=\"none\" stroke=\"#0072b2\"");
  const std::size_t begin = svg.rfind("d=\"", style) + 3;
  return svg.substr(begin, style - begin);
}

TEST(Plot, DrawsALineFromCornerToCorner) {
  const std::string svg = drawPlot({"title", "x", "y", false, {{"line", {0.0, 1.0}, {0.0, 10.0}}}});
  EXPECT_EQ(firstCurve(svg), "M84.0 462.0L700.0 48.0");
  EXPECT_EQ(svg.substr(0, 4), "<svg");
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
  EXPECT_EQ(countOf(svg, ">line<"), 1u);
}

TEST(Plot, DrawsAPowerLawAsALineOnTwoLogarithmicAxes) {
  const std::string svg =
      drawPlot({"", "size", "time", true, {{"square", {1.0, 10.0, 100.0}, {1.0, 100.0, 1e4}}}, true});
  EXPECT_EQ(firstCurve(svg), "M84.0 462.0L392.0 255.0L700.0 48.0");
}

TEST(Plot, LeavesAGapForValuesThatCannotBeShown) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const std::string linear = drawPlot({"", "", "", false, {{"a", {0, 1, 2, 3, 4}, {1, 2, nan, 4, inf}}}});
  EXPECT_EQ(countOf(firstCurve(linear), "M"), 2u);
  const std::string log = drawPlot({"", "", "", true, {{"a", {0, 1, 2, 3, 4}, {0.0, 1.0, 10.0, -1.0, 100.0}}}});
  EXPECT_EQ(countOf(firstCurve(log), "M"), 2u);
  for (const std::string& svg : {linear, log}) {
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
  }
}

TEST(Plot, OfNothingIsAnEmptyFrame) {
  for (const Plot& plot :
       {Plot{}, Plot{"", "", "", true, {{"none", {}, {}}}}, Plot{"", "", "", false, {{"one", {1}, {2}}}}}) {
    const std::string svg = drawPlot(plot);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
  }
}

TEST(Plot, KeepsPeaksWhenManyPointsFallOnOnePixel) {
  Series series{"noise", {}, {}};
  for (int i = 0; i < 100000; ++i) {
    series.x.push_back(i);
    series.y.push_back(i == 54321 ? 7.0 : (i % 2 ? 1.0 : -1.0));
  }
  const std::string curve = firstCurve(drawPlot({"", "", "", false, {series}}));
  EXPECT_LE(countOf(curve, "L"), 1300u);              // two points for each of 616 columns
  EXPECT_NE(curve.find(" 89.4"), std::string::npos);  // the peak: 7 on an axis from −2 to 8
}

// A line through four points looks as if there were more.
TEST(Plot, MarksFewPointsOneByOneAndManyNot) {
  EXPECT_EQ(countOf(drawPlot({"", "", "", true, {{"a", {1, 2, 3, 4}, {1, 2, 0, 4}}}}), "<circle"), 3u);
  Series many{"many", {}, {}};
  for (int i = 0; i < 100; ++i) many.x.push_back(i), many.y.push_back(i);
  EXPECT_EQ(countOf(drawPlot({"", "", "", false, {many}}), "<circle"), 0u);
}

TEST(Plot, NamesItsCasesInTheirOrderWhereverTheyEnd) {
  const std::string svg = drawPlot({"", "", "", false, {{"low", {0, 1}, {0, 1}}, {"high", {0, 1}, {0, 9}}}});
  EXPECT_LT(svg.find(">low<"), svg.find(">high<"));
}

TEST(Plot, EscapesNames) {
  const std::string svg = drawPlot({"a < b", "", "", false, {{"x & y", {0, 1}, {0, 1}}}});
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  EXPECT_NE(svg.find("x &amp; y"), std::string::npos);
}

}  // namespace
}  // namespace rigor::experiments
