#include "geometry/apart.h"

#include <limits>

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr int kMostSteps = 128;
constexpr double kConverged = 1e-15;  ///< of the scale, between the bounds from both sides
constexpr double kTogether = 1e-11;   ///< of the scale: a way shorter than this has too few digits for a direction

bool isKnown(const Simplex& simplex, const DifferencePoint& point) {
  for (int i = 0; i < simplex.count; ++i) {
    const Vec d = simplex.point[i].w - point.w;
    if (dot(d, d) == 0.0) return true;
  }
  return false;
}

}  // namespace

Approach approach(const DifferenceShape& difference, const Vec& start, const DifferencePoint& first) {
  Approach result;
  result.normal = start;
  result.separation = -dot(start, first.w);
  Simplex& simplex = result.simplex;
  simplex.point[0] = first;
  simplex.count = 1;
  double last = std::numeric_limits<double>::infinity();
  Vec v = first.w;
  for (int step = 0; step < kMostSteps; ++step) {
    const double distance = norm(v);
    if (!(distance > kTogether * difference.scale)) {
      // corners that nearly meet have no face or edge to tell the direction: the few digits of the way are all there is
      if (distance > kConverged * difference.scale) result.consider((-1.0 / distance) * v, difference);
      return result;
    }
    const Vec n = (-1.0 / distance) * v;
    const DifferencePoint next = difference.support(n);
    const double separation = -dot(n, next.w);
    if (separation > result.separation) result.separation = separation, result.normal = n;
    // distance and separation bound the answer from above and below
    if (distance - result.separation <= kConverged * difference.scale || distance >= last || isKnown(simplex, next))
      return result.apart = result.separation > 0.0, result;
    last = distance;
    simplex.point[simplex.count++] = next;
    SimplexPart part;
    if (!findNearestPart(simplex, part)) return result;
    v = part.pointOf(simplex);
    if (dot(v, v) >= distance * distance) {  // rounding: it gets no nearer
      --simplex.count;
      return result.apart = result.separation > 0.0, result;
    }
    keepPart(simplex, part);
  }
  return result.apart = result.separation > 0.0, result;
}

}  // namespace rigor
