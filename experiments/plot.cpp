#include "experiments/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/axis.h"
#include "experiments/csv.h"
#include "experiments/svg.h"

namespace rigor::experiments {
namespace {

std::string drawAxes(const Plot& plot, const Axis& x, const Axis& y) {
  std::string svg = "<g stroke=\"#dddddd\" stroke-width=\"1\">\n";
  for (double tick : x.ticks) svg += fmt::format("<path d=\"M{0:.1f} {1}V{2}\"/>\n", x.pixel(tick), kTop, kBottom);
  for (double tick : y.ticks) svg += fmt::format("<path d=\"M{1} {0:.1f}H{2}\"/>\n", y.pixel(tick), kLeft, kRight);
  svg += "</g>\n<g fill=\"#333333\" font-size=\"13\">\n";
  for (double tick : x.ticks) svg += words(x.pixel(tick), kBottom + 20, "middle", "", tickLabel(x, tick));
  for (double tick : y.ticks) svg += words(kLeft - 9, y.pixel(tick) + 4.5, "end", "", tickLabel(y, tick));
  return svg + drawFrame(plot.title, plot.x_label, plot.y_label);
}

/// Of all points that fall on one pixel column only the lowest and the highest are drawn: the same picture, a small file.
std::string pathOf(const Series& series, const Axis& x, const Axis& y) {
  std::string path;
  bool pen_down = false;
  std::size_t i = 0;
  while (i < series.x.size()) {
    if (!x.shows(series.x[i]) || !y.shows(series.y[i])) {
      pen_down = false;
      ++i;
      continue;
    }
    const double column = std::floor(x.pixel(series.x[i]));
    std::size_t low = i, high = i;
    for (; i < series.x.size() && x.shows(series.x[i]) && y.shows(series.y[i]) &&
           std::floor(x.pixel(series.x[i])) == column;
         ++i) {
      if (series.y[i] < series.y[low]) low = i;
      if (series.y[i] > series.y[high]) high = i;
    }
    for (std::size_t k : {std::min(low, high), std::max(low, high)}) {
      path += fmt::format("{}{:.1f} {:.1f}", pen_down ? "L" : "M", x.pixel(series.x[k]), y.pixel(series.y[k]));
      pen_down = true;
      if (low == high) break;
    }
  }
  return path;
}

bool isDashed(int series) { return series % 2 == 1; }

std::string styleOf(int series) {
  return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" stroke-linejoin=\"round\"{}", colour(series),
                     isDashed(series) ? " stroke-dasharray=\"7 4\"" : "");
}

/// Few points are marked one by one: where there is none, nothing was measured.
std::string markersOf(const Series& series, int number, const Axis& x, const Axis& y) {
  constexpr std::size_t kFew = 24;
  if (series.x.size() > kFew) return "";
  std::string svg;
  for (std::size_t i = 0; i < series.x.size(); ++i)
    if (x.shows(series.x[i]) && y.shows(series.y[i]))
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x.pixel(series.x[i]),
                         y.pixel(series.y[i]), colour(number));
  return svg;
}

}  // namespace

std::string drawPlot(const Plot& plot) {
  Extent xs{plot.log_x}, ys{plot.log_y};
  for (const Series& series : plot.series) {
    for (double value : series.x) xs.include(value);
    for (double value : series.y) ys.include(value);
  }
  const Axis x = makeAxis(xs, kLeft, kRight), y = makeAxis(ys, kBottom, kTop);
  std::string svg = openPage();
  svg += drawAxes(plot, x, y);
  const int count = static_cast<int>(plot.series.size());
  for (bool dashed : {false, true})  // dashes on top: of two curves that coincide both are seen
    for (int i = 0; i < count; ++i)
      if (isDashed(i) == dashed)
        svg += fmt::format("<path d=\"{}\" {}/>\n{}", pathOf(plot.series[i], x, y), styleOf(i),
                           markersOf(plot.series[i], i, x, y));
  for (int i = 0; i < count; ++i) {  // the legend in the order of the cases, as tables have them
    const double line = kTop + 10 + kLegendLine * static_cast<double>(i);
    svg += fmt::format("<path d=\"M{} {:.1f}h28\" {}/>\n", kLegend, line, styleOf(i));
    svg += words(kLegend + 36, line + 4.5, "start", " font-size=\"13\" fill=\"#333333\"", escape(plot.series[i].name));
  }
  return svg + closePage();
}

void savePlot(const std::string& file, const Plot& plot) { saveText(file, drawPlot(plot)); }

}  // namespace rigor::experiments
