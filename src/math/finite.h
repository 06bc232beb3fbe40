// Whether numbers are finite, many at a time.
#pragma once

#include <cstddef>
#include <vector>

#include "math/pair.h"

namespace rigor {

/// False if one of them is infinite or not a number.
inline bool allFinite(const double* x, std::size_t count) {
  Pair sum(0.0), other(0.0);  // of x − x: NaN for NaN and infinity; two, so that neither waits for the other
  std::size_t i = 0;
  for (; i + 3 < count; i += 4) {
    const Pair a = Pair::load(x + i), b = Pair::load(x + i + 2);
    sum += a - a;
    other += b - b;
  }
  double rest = 0.0;
  for (; i < count; ++i) rest += x[i] - x[i];
  sum += other;
  return sum.lane(0) + sum.lane(1) + rest == 0.0;
}

inline bool allFinite(const std::vector<double>& x) { return allFinite(x.data(), x.size()); }

}  // namespace rigor
