// From numbers to pixels along one axis of a picture, with round numbers to read it by.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace rigor::experiments {

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

/// Smallest and largest of the values that an axis can show: finite, and positive on a logarithmic one.
struct Extent {
  bool log = false;
  double low = std::numeric_limits<double>::infinity(), high = -low;  ///< values, or their powers of ten

  void include(double value);
};

Axis makeAxis(Extent extent, double begin, double end);
std::string tickLabel(const Axis& axis, double tick);  ///< XML

}  // namespace rigor::experiments
