#include "io/page/curves.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>

namespace rigor {

std::vector<double> makeCurve(int rows, int buckets, const std::function<double(int)>& value) {
  assert(buckets > 0 && "a curve has points");
  std::vector<double> curve;
  if (rows <= 2 * buckets) {
    for (int row = 0; row < rows; ++row) curve.push_back(value(row));
    return curve;
  }
  const auto height = [&](int row) { return std::isfinite(value(row)) ? value(row) : INFINITY; };
  for (std::int64_t bucket = 0; bucket < buckets; ++bucket) {
    const int first = static_cast<int>(bucket * rows / buckets), end = static_cast<int>((bucket + 1) * rows / buckets);
    int lowest = first, highest = first;
    for (int row = first; row < end; ++row) {
      if (height(row) < height(lowest)) lowest = row;
      if (height(row) > height(highest)) highest = row;
    }
    curve.push_back(value(std::min(lowest, highest)));
    curve.push_back(value(std::max(lowest, highest)));
  }
  return curve;
}

std::vector<double> makeCurveTimes(const std::vector<double>& time, int buckets) {
  const auto rows = static_cast<std::int64_t>(time.size());
  assert(buckets > 0 && "a curve has points");
  if (rows <= 2 * buckets) return time;
  std::vector<double> out;
  for (std::int64_t bucket = 0; bucket < buckets; ++bucket) {
    out.push_back(time[bucket * rows / buckets]);
    out.push_back(time[(bucket + 1) * rows / buckets - 1]);
  }
  return out;
}

}  // namespace rigor
