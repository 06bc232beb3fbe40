// Boxes along the axes of the world.
#pragma once

#include <algorithm>

#include "math/vec3.h"

namespace rigor {

struct Box {
  Vec3<double> low, high;
};

inline bool overlap(const Box& a, const Box& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}

inline bool contains(const Box& outer, const Box& inner) {
  return outer.low.x <= inner.low.x && outer.low.y <= inner.low.y && outer.low.z <= inner.low.z &&
         inner.high.x <= outer.high.x && inner.high.y <= outer.high.y && inner.high.z <= outer.high.z;
}

/// The smallest box that holds both.
inline Box unite(const Box& a, const Box& b) {
  return {{std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y), std::min(a.low.z, b.low.z)},
          {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y), std::max(a.high.z, b.high.z)}};
}

inline Box grown(const Box& box, double way) {
  return {box.low - Vec3<double>{way, way, way}, box.high + Vec3<double>{way, way, way}};
}

/// Half of its surface [m²].
inline double areaOf(const Box& box) {
  const Vec3<double> d = box.high - box.low;
  return d.x * d.y + d.y * d.z + d.z * d.x;
}

}  // namespace rigor
