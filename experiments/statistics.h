// Numbers about many numbers. NaN of none.
#pragma once

#include <vector>

namespace rigor::experiments {

double meanOf(const std::vector<double>& values);
/// The value that `part` (0 … 1) of them do not exceed: 0.5 the median, 1 the largest.
double quantileOf(std::vector<double> values, double part);
/// In per cent.
double shareBelow(const std::vector<double>& values, double limit);
/// Shares in per cent of how many values fall between edges[i] and edges[i + 1]; below the first and above the last edge
/// they count to the first and the last. 0 of none.
std::vector<double> sharesBetween(const std::vector<double>& values, const std::vector<double>& edges);
/// The power p of the law y ∝ xᵖ that fits best, over the upper part of the sizes: those from a fifth of the largest on.
double growthOf(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace rigor::experiments
