#include "reference/slow_sides.h"

#include <algorithm>
#include <cmath>

namespace rigor::reference {
namespace {

using Vec = Vec3<double>;

/// A line of a side, from start to end.
struct Segment {
  Vec start, along;
};

Segment lineAt(const Element& e, double angle, double length) {
  if (e.kind == ElementKind::kLine) return {e.p - length * e.axis, (2.0 * length) * e.axis};
  const Vec any = std::fabs(e.axis.x) < 0.6 ? Vec{1.0, 0.0, 0.0} : Vec{0.0, 1.0, 0.0};
  const Vec across = cross(e.axis, any), first = (1.0 / norm(across)) * across, second = cross(e.axis, first);
  const Vec down = e.slope * (std::cos(angle) * first + std::sin(angle) * second) - e.axis;
  return {e.p, (length / norm(down)) * down};
}

/// The least distance of two segments, by what is nearest on one to the ends and lines of the other in turn.
SlowSides nearest(const Segment& a, const Segment& b) {
  const auto foot = [](const Segment& s, const Vec& p) {
    return std::clamp(dot(p - s.start, s.along) / dot(s.along, s.along), 0.0, 1.0);
  };
  const Vec product = cross(a.along, b.along), way = b.start - a.start;
  const double square = dot(product, product);
  SlowSides best{1e300, true};
  const auto offer = [&](double s, double t) {
    const double distance = norm(b.start + t * b.along - a.start - s * a.along);
    const auto isEnd = [](double share) { return share <= 0.0 || share >= 1.0; };
    if (distance < best.gap) best = {distance, isEnd(s) || isEnd(t)};
  };
  for (const double end : {0.0, 1.0}) {
    offer(end, foot(b, a.start + end * a.along));
    offer(foot(a, b.start + end * b.along), end);
  }
  if (square > 0.0) {
    const double s = dot(cross(way, b.along), product) / square, t = dot(cross(way, a.along), product) / square;
    if (s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0) offer(s, t);
  }
  return best;
}

constexpr double kGolden = 0.6180339887498949;

/// The least value of a function between two places, by golden section.
template <class Function>
double leastPlace(const Function& f, double low, double high) {
  double x = high - kGolden * (high - low), y = low + kGolden * (high - low), fx = f(x), fy = f(y);
  for (int i = 0; i < 60; ++i) {
    if (fx < fy)
      high = y, y = x, fy = fx, x = high - kGolden * (high - low), fx = f(x);
    else
      low = x, x = y, fx = fy, y = low + kGolden * (high - low), fy = f(y);
  }
  return 0.5 * (low + high);
}

}  // namespace

SlowSides slowSides(const Element& a, const Element& b, double length) {
  constexpr int kAngles = 48;
  const auto at = [&](double first, double second) {
    return nearest(lineAt(a, first, length), lineAt(b, second, length));
  };
  const double step = 2.0 * M_PI / kAngles;
  double best_a = 0.0, best_b = 0.0, least = 1e300;
  for (int i = 0; i < kAngles; ++i)
    for (int j = 0; j < kAngles; ++j)
      if (const double gap = at(i * step, j * step).gap; gap < least) least = gap, best_a = i * step, best_b = j * step;
  const auto bestOfB = [&](double first) {
    return leastPlace([&](double second) { return at(first, second).gap; }, best_b - 2.0 * step, best_b + 2.0 * step);
  };
  const double first =
      leastPlace([&](double angle) { return at(angle, bestOfB(angle)).gap; }, best_a - 2.0 * step, best_a + 2.0 * step);
  SlowSides found = at(first, bestOfB(first));
  found.gap -= a.radius + b.radius;
  return found;
}

}  // namespace rigor::reference
