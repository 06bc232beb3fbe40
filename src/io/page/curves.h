// The curves of the plots of a page: short enough to draw, with every spike of a long run in them.
#pragma once

#include <functional>
#include <vector>

namespace rigor {

/// Curve of `value(row)` for a plot. Few rows are kept as they are; many are cut into `buckets`, and each leaves its
/// smallest and its largest value, in the order in which they came, so that no spike is ever lost. NaN and infinity
/// count as largest. The times of the points are those of `makeCurveTimes`.
std::vector<double> makeCurve(int rows, int buckets, const std::function<double(int)>& value);
/// First and last row's time of each bucket.
std::vector<double> makeCurveTimes(const std::vector<double>& time, int buckets);

}  // namespace rigor
