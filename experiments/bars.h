// Numbers of a few cases side by side, or shares of a whole one above the other: one SVG file.
#pragma once

#include <string>
#include <vector>

namespace rigor::experiments {

struct BarSeries {
  std::string name;
  std::vector<double> values;  ///< one for each category
};

struct BarChart {
  std::string title, x_label, y_label;
  bool stacked = false;  ///< one bar for each category, the series one above the other; else bars side by side
  bool log_y = false;    ///< not for stacked bars; values at or below zero have no bar
  std::vector<std::string> categories;
  std::vector<BarSeries> series;
};

/// The picture as text. Values that are not finite have no bar.
std::string drawBars(const BarChart& chart);
void saveBars(const std::string& file, const BarChart& chart);  ///< throws Error if the file cannot be written

/// Shares in per cent of how many values fall between edges[i] and edges[i + 1]; below the first and above the last edge
/// they count to the first and the last. None of no values.
std::vector<double> sharesBetween(const std::vector<double>& values, const std::vector<double>& edges);

}  // namespace rigor::experiments
