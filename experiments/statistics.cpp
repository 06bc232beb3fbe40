#include "experiments/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace rigor::experiments {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double meanOf(const std::vector<double>& values) {
  return values.empty() ? kNone
                        : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double quantileOf(std::vector<double> values, double part) {
  if (values.empty()) return kNone;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

double shareBelow(const std::vector<double>& values, double limit) {
  if (values.empty()) return kNone;
  const auto below = std::count_if(values.begin(), values.end(), [&](double value) { return value < limit; });
  return 100.0 * static_cast<double>(below) / static_cast<double>(values.size());
}

std::vector<double> sharesBetween(const std::vector<double>& values, const std::vector<double>& edges) {
  std::vector<double> shares(edges.size() - 1, 0.0);
  for (double value : values) {
    const auto above = std::upper_bound(edges.begin(), edges.end(), value) - edges.begin();
    shares[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(above - 1, 0, std::ssize(shares) - 1))] += 1.0;
  }
  for (double& share : shares) share *= 100.0 / static_cast<double>(std::max<std::size_t>(1, values.size()));
  return shares;
}

double growthOf(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.empty()) return kNone;
  const double from = *std::max_element(x.begin(), x.end()) / 5.0;
  double count = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] < from || !(y[i] > 0.0)) continue;
    const double u = std::log(x[i]), w = std::log(y[i]);
    count += 1, sum_x += u, sum_y += w, sum_xx += u * u, sum_xy += u * w;
  }
  return count < 2 ? kNone : (count * sum_xy - sum_x * sum_y) / (count * sum_xx - sum_x * sum_x);
}

}  // namespace rigor::experiments
