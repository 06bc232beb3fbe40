// Curves as a picture: one SVG file, readable without any program of ours.
#pragma once

#include <string>
#include <vector>

namespace rigor::experiments {

struct Series {
  std::string name;
  std::vector<double> x, y;
};

struct Plot {
  std::string title, x_label, y_label;
  bool log_y = false;  ///< powers of ten; values at or below zero leave a gap
  std::vector<Series> series;
  bool log_x = false;  ///< as log_y
};

/// The picture as text. Values that are not finite leave a gap.
std::string drawPlot(const Plot& plot);
void savePlot(const std::string& file, const Plot& plot);  ///< throws Error if the file cannot be written

}  // namespace rigor::experiments
