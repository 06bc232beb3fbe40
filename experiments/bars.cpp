#include "experiments/bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/axis.h"
#include "experiments/csv.h"
#include "experiments/svg.h"

namespace rigor::experiments {
namespace {

constexpr double kGap = 0.2;            // of a category's width, between its bars and the next
constexpr std::size_t kMostLevel = 12;  // letters of level labels in all; longer ones are written aslant
constexpr double kDownPerLetter = 4.0;  // [pixels] that a slanted label reaches down with each

double valueOf(const BarSeries& series, std::size_t category) {
  return category < series.values.size() && std::isfinite(series.values[category]) ? series.values[category] : 0.0;
}

Axis makeHeights(const BarChart& chart) {
  Extent extent{chart.log_y};
  if (!chart.log_y) extent.include(0.0);
  for (std::size_t c = 0; c < chart.categories.size(); ++c) {
    double sum = 0.0;
    for (const BarSeries& series : chart.series) {
      sum += valueOf(series, c);
      extent.include(chart.stacked ? sum : valueOf(series, c));
    }
  }
  if (chart.log_y && extent.low <= extent.high) extent.low -= 0.5;  // the smallest bar is seen too
  return makeAxis(extent, kBottom, kTop);
}

std::string drawRect(double x, double width, double top, double bottom, int series) {
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", x, top,
                     width, std::max(0.0, bottom - top), colour(series));
}

std::string drawCategory(const BarChart& chart, const Axis& heights, std::size_t category, double begin, double width) {
  std::string svg;
  const double each =
      chart.stacked ? width : width / static_cast<double>(std::max<std::size_t>(1, chart.series.size()));
  double sum = 0.0;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const double value = valueOf(chart.series[s], category);
    if (!(value > 0.0)) continue;
    const double bottom = chart.stacked ? heights.pixel(sum) : kBottom;
    sum = chart.stacked ? sum + value : value;
    const double x = chart.stacked ? begin : begin + each * static_cast<double>(s);
    if (heights.shows(sum)) svg += drawRect(x, each, heights.pixel(sum), bottom, static_cast<int>(s));
  }
  return svg;
}

std::string drawHeights(const Axis& heights) {
  std::string svg = "<g stroke=\"#dddddd\" stroke-width=\"1\">\n";
  for (double tick : heights.ticks)
    svg += fmt::format("<path d=\"M{1} {0:.1f}H{2}\"/>\n", heights.pixel(tick), kLeft, kRight);
  svg += "</g>\n<g fill=\"#333333\" font-size=\"13\">\n";
  for (double tick : heights.ticks)
    svg += words(kLeft - 9, heights.pixel(tick) + 4.5, "end", "", tickLabel(heights, tick));
  return svg;
}

std::string drawName(const std::string& name, double x, bool aslant) {
  if (!aslant) return words(x, kBottom + 20, "middle", " font-size=\"12\"", escape(name));
  const std::string turn = fmt::format(" font-size=\"11\" transform=\"rotate(-35 {:.1f} {})\"", x, kBottom + 16);
  return words(x, kBottom + 16, "end", turn.c_str(), escape(name));
}

}  // namespace

std::string drawBars(const BarChart& chart) {
  const Axis heights = makeHeights(chart);
  std::size_t longest = 0;
  for (const std::string& name : chart.categories) longest = std::max(longest, name.size());
  const bool aslant = longest * chart.categories.size() > kMostLevel * 8;
  const double below = kBottom + 24 + kDownPerLetter * static_cast<double>(longest) - kPageHeight;
  std::string svg = openPage(aslant ? std::max(0.0, below) : 0.0) + drawHeights(heights);
  const double each = (kRight - kLeft) / static_cast<double>(std::max<std::size_t>(1, chart.categories.size()));
  std::string bars;
  for (std::size_t c = 0; c < chart.categories.size(); ++c) {
    const double begin = kLeft + each * static_cast<double>(c);
    bars += drawCategory(chart, heights, c, begin + 0.5 * kGap * each, (1.0 - kGap) * each);
    svg += drawName(chart.categories[c], begin + 0.5 * each, aslant);
  }
  svg += drawFrame(chart.title, aslant ? "" : chart.x_label, chart.y_label) + bars;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const double line = kTop + 10 + kLegendLine * static_cast<double>(s);
    svg += drawRect(kLegend, 28, line - 6, line + 6, static_cast<int>(s));
    svg += words(kLegend + 36, line + 4.5, "start", " font-size=\"13\" fill=\"#333333\"", escape(chart.series[s].name));
  }
  return svg + closePage();
}

void saveBars(const std::string& file, const BarChart& chart) { saveText(file, drawBars(chart)); }

}  // namespace rigor::experiments
