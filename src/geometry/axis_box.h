// Boxes with sides along the axes.
#pragma once

#include <algorithm>

#include "math/vec3.h"

namespace rigor {

struct AxisBox {
  Vec3<double> low, high;
};

inline bool overlap(const AxisBox& a, const AxisBox& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}

inline bool contains(const AxisBox& outer, const AxisBox& inner) {
  return outer.low.x <= inner.low.x && outer.low.y <= inner.low.y && outer.low.z <= inner.low.z &&
         inner.high.x <= outer.high.x && inner.high.y <= outer.high.y && inner.high.z <= outer.high.z;
}

/// The smallest box that holds both.
inline AxisBox unite(const AxisBox& a, const AxisBox& b) {
  return {{std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y), std::min(a.low.z, b.low.z)},
          {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y), std::max(a.high.z, b.high.z)}};
}

inline AxisBox grown(const AxisBox& box, double way) {
  return {box.low - Vec3<double>{way, way, way}, box.high + Vec3<double>{way, way, way}};
}

inline void grow(AxisBox& box, const Vec3<double>& point) { box = unite(box, {point, point}); }

/// Of two boxes; zero where they overlap.
inline double boxDistance(const AxisBox& a, const AxisBox& b) {
  const auto gap = [](double low_a, double high_a, double low_b, double high_b) {
    return std::max({low_a - high_b, low_b - high_a, 0.0});
  };
  return norm(Vec3<double>{gap(a.low.x, a.high.x, b.low.x, b.high.x), gap(a.low.y, a.high.y, b.low.y, b.high.y),
                           gap(a.low.z, a.high.z, b.low.z, b.high.z)});
}

/// Half of its surface [m²].
inline double areaOf(const AxisBox& box) {
  const Vec3<double> d = box.high - box.low;
  return d.x * d.y + d.y * d.z + d.z * d.x;
}

}  // namespace rigor
