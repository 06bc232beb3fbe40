#include "experiments/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/csv.h"

namespace rigor::experiments {
namespace {

// The page, in pixels; the legend stands to the right of the frame.
constexpr double kWidth = 960, kHeight = 520;
constexpr double kLeft = 84, kRight = 700, kTop = 48, kBottom = 462;
constexpr double kLegend = 724, kLegendLine = 22;

// Nine colours that people with any colour vision can tell apart; more curves begin again with the first.
constexpr const char* kColours[] = {"#0072b2", "#56b4e9", "#d55e00", "#e69f00", "#cc79a7",
                                    "#000000", "#009e73", "#7f3c8d", "#999933"};
constexpr int kColourCount = 9;

constexpr double kDecades = 12;  // a logarithmic axis reaches this far below its largest value

/// Maps values to pixels along one axis.
struct Axis {
  double low, high;   ///< values, or their powers of ten
  double begin, end;  ///< pixels
  bool log;
  std::vector<double> ticks;

  bool shows(double value) const { return std::isfinite(value) && (!log || std::log10(value) >= low); }
  double pixel(double value) const {
    const double x = log ? std::log10(value) : value;
    return begin + (end - begin) * (x - low) / (high - low);
  }
};

/// 1, 2 or 5 times a power of ten, so that about `count` of them fill the range.
double niceStep(double range, int count) {
  const double raw = range / count, power = std::pow(10.0, std::floor(std::log10(raw)));
  for (double step : {1.0, 2.0, 5.0})
    if (raw <= step * power) return step * power;
  return 10.0 * power;
}

Axis makeAxis(const std::vector<Series>& series, std::vector<double> Series::* values, bool log, double begin,
              double end) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Series& one : series)
    for (double value : one.*values) {
      if (!std::isfinite(value) || (log && value <= 0.0)) continue;
      low = std::min(low, log ? std::log10(value) : value);
      high = std::max(high, log ? std::log10(value) : value);
    }
  if (log) low = std::max(low, high - kDecades);
  if (!(low <= high)) low = 0.0, high = 1.0;  // nothing to show
  if (high - low < 1e-12 * std::max(std::fabs(low), std::fabs(high)) || high == low) low -= 0.5, high += 0.5;
  const double step = log ? std::max(1.0, std::ceil((high - low) / 10.0)) : niceStep(high - low, 7);
  Axis axis{std::floor(low / step) * step, std::ceil(high / step) * step, begin, end, log, {}};
  const int count = static_cast<int>(std::lround((axis.high - axis.low) / step));
  for (int i = 0; i <= count; ++i) {
    const double tick = (std::lround(axis.low / step) + i) * step;  // no rounding error beside zero
    axis.ticks.push_back(log ? std::pow(10.0, tick) : tick);
  }
  return axis;
}

std::string escape(const std::string& text) {
  std::string safe;
  for (char c : text) safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return safe;
}

std::string words(double x, double y, const char* anchor, const char* extra, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, extra, text);
}

std::string tickLabel(const Axis& axis, double tick) {
  if (!axis.log) return fmt::format("{:g}", tick);
  return fmt::format("10<tspan dy=\"-6\" font-size=\"10\">{}</tspan>", std::lround(std::log10(tick)));
}

std::string drawAxes(const Plot& plot, const Axis& x, const Axis& y) {
  std::string svg = "<g stroke=\"#dddddd\" stroke-width=\"1\">\n";
  for (double tick : x.ticks) svg += fmt::format("<path d=\"M{0:.1f} {1}V{2}\"/>\n", x.pixel(tick), kTop, kBottom);
  for (double tick : y.ticks) svg += fmt::format("<path d=\"M{1} {0:.1f}H{2}\"/>\n", y.pixel(tick), kLeft, kRight);
  svg += "</g>\n<g fill=\"#333333\" font-size=\"13\">\n";
  for (double tick : x.ticks) svg += words(x.pixel(tick), kBottom + 20, "middle", "", tickLabel(x, tick));
  for (double tick : y.ticks) svg += words(kLeft - 9, y.pixel(tick) + 4.5, "end", "", tickLabel(y, tick));
  svg += words(0.5 * (kLeft + kRight), kBottom + 44, "middle", "", escape(plot.x_label));
  const double middle = 0.5 * (kTop + kBottom);
  svg += words(24, middle, "middle", fmt::format(" transform=\"rotate(-90 24 {})\"", middle).c_str(),
               escape(plot.y_label));
  svg += words(kLeft, 28, "start", " font-size=\"16\" font-weight=\"bold\"", escape(plot.title));
  return svg + fmt::format("</g>\n<path d=\"M{} {}V{}H{}\" fill=\"none\" stroke=\"#333333\"/>\n", kLeft, kTop, kBottom,
                           kRight);
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
  return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" stroke-linejoin=\"round\"{}",
                     kColours[series % kColourCount], isDashed(series) ? " stroke-dasharray=\"7 4\"" : "");
}

/// The curves in the order in which they end, top first, so that eyes need not jump between legend and picture.
std::vector<int> legendOrder(const std::vector<Series>& series) {
  std::vector<int> order;
  for (std::size_t i = 0; i < series.size(); ++i) order.push_back(static_cast<int>(i));
  const auto last = [&](int i) {
    return !series[i].y.empty() && std::isfinite(series[i].y.back()) ? series[i].y.back() : 0.0;
  };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return last(a) > last(b); });
  return order;
}

}  // namespace

std::string drawPlot(const Plot& plot) {
  const Axis x = makeAxis(plot.series, &Series::x, false, kLeft, kRight);
  const Axis y = makeAxis(plot.series, &Series::y, plot.log_y, kBottom, kTop);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"Helvetica, Arial, sans-serif\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      kWidth, kHeight);
  svg += drawAxes(plot, x, y);
  const std::vector<int> order = legendOrder(plot.series);
  for (bool dashed : {false, true})  // dashes on top: of two curves that coincide both are seen
    for (int i : order)
      if (isDashed(i) == dashed) svg += fmt::format("<path d=\"{}\" {}/>\n", pathOf(plot.series[i], x, y), styleOf(i));
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double line = kTop + 10 + kLegendLine * static_cast<double>(k);
    svg += fmt::format("<path d=\"M{} {:.1f}h28\" {}/>\n", kLegend, line, styleOf(order[k]));
    svg += words(kLegend + 36, line + 4.5, "start", " font-size=\"13\" fill=\"#333333\"",
                 escape(plot.series[order[k]].name));
  }
  return svg + "</svg>\n";
}

void savePlot(const std::string& file, const Plot& plot) { saveText(file, drawPlot(plot)); }

}  // namespace rigor::experiments
