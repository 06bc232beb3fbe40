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

}  // namespace rigor::experiments
