#include "experiments/axis.h"

#include <fmt/format.h>

#include <algorithm>

namespace rigor::experiments {
namespace {

constexpr double kDecades = 12;  // a logarithmic axis reaches this far below its largest value

/// 1, 2 or 5 times a power of ten, so that about `count` of them fill the range.
double niceStep(double range, int count) {
  const double raw = range / count, power = std::pow(10.0, std::floor(std::log10(raw)));
  for (double step : {1.0, 2.0, 5.0})
    if (raw <= step * power) return step * power;
  return 10.0 * power;
}

}  // namespace

void Extent::include(double value) {
  if (!std::isfinite(value) || (log && value <= 0.0)) return;
  low = std::min(low, log ? std::log10(value) : value);
  high = std::max(high, log ? std::log10(value) : value);
}

Axis makeAxis(Extent extent, double begin, double end) {
  auto& [log, low, high] = extent;
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

std::string tickLabel(const Axis& axis, double tick) {
  if (!axis.log) return fmt::format("{:g}", tick);
  return fmt::format("10<tspan dy=\"-6\" font-size=\"10\">{}</tspan>", std::lround(std::log10(tick)));
}

}  // namespace rigor::experiments
