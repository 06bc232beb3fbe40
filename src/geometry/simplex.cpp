#include "geometry/simplex.h"

#include <algorithm>
#include <cmath>

namespace rigor {
namespace {

using Vec = Vec3<double>;

using Part = SimplexPart;

Part nearestOfSegment(const Simplex& s, int i, int j) {
  const Vec &a = s.point[i].w, &b = s.point[j].w, way = b - a;
  const double length2 = dot(way, way);
  const double t = length2 > 0.0 ? std::clamp(-dot(a, way) / length2, 0.0, 1.0) : 0.0;
  if (t <= 0.0) return {{i}, 1, {1.0}, dot(a, a)};
  if (t >= 1.0) return {{j}, 1, {1.0}, dot(b, b)};
  const Vec p = a + t * way;
  return {{i, j}, 2, {1.0 - t, t}, dot(p, p)};
}

/// The foot of the origin on the plane if it is inside, else the nearest of the sides.
Part nearestOfTriangle(const Simplex& s, int i, int j, int k) {
  const Vec &a = s.point[i].w, &b = s.point[j].w, &c = s.point[k].w;
  const Vec normal = cross(b - a, c - a);
  const double area2 = dot(normal, normal);
  const double longest2 = std::max({dot(b - a, b - a), dot(c - a, c - a), dot(c - b, c - b)});
  if (area2 > 1e-28 * longest2 * longest2) {
    const double u = dot(normal, cross(b, c)), v = dot(normal, cross(c, a)), w = dot(normal, cross(a, b));
    if (u > 0.0 && v > 0.0 && w > 0.0) {
      const double sum = u + v + w, height = dot(normal, a);
      return {{i, j, k}, 3, {u / sum, v / sum, w / sum}, height * height / area2};
    }
  }
  Part best = nearestOfSegment(s, i, j);
  for (const Part& side : {nearestOfSegment(s, j, k), nearestOfSegment(s, k, i)})
    if (side.distance2 < best.distance2) best = side;
  return best;
}

Vec weighted(const Simplex& s, Vec DifferencePoint::* member) {
  Vec sum{};
  for (int i = 0; i < s.count; ++i) sum += s.weight[i] * s.point[i].*member;
  return sum;
}

}  // namespace

DifferenceShape::DifferenceShape(const ConvexShape& shape_a, const ConvexShape& shape_b)
    : a(shape_a), b(shape_b), scale(std::max(radiusAbout(shape_a), radiusAbout(shape_b))) {
  b.X_WS.p -= a.X_WS.p;
  a.X_WS.p = {};
}

Vec Simplex::nearest() const { return weighted(*this, &DifferencePoint::w); }
Vec Simplex::nearestOnA() const { return weighted(*this, &DifferencePoint::a); }
Vec Simplex::nearestOnB() const { return weighted(*this, &DifferencePoint::b); }

Vec SimplexPart::pointOf(const Simplex& simplex) const {
  Vec sum{};
  for (int i = 0; i < count; ++i) sum += weight[i] * simplex.point[corner[i]].w;
  return sum;
}

bool findNearestPart(const Simplex& s, SimplexPart& part) {
  if (s.count == 1) return part = {{0}, 1, {1.0}, dot(s.point[0].w, s.point[0].w)}, true;
  if (s.count == 2) return part = nearestOfSegment(s, 0, 1), true;
  if (s.count == 3) return part = nearestOfTriangle(s, 0, 1, 2), true;
  constexpr int kSides[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
  bool inside = true;
  for (const auto& [i, j, k, opposite] : kSides) {
    const Vec normal = cross(s.point[j].w - s.point[i].w, s.point[k].w - s.point[i].w);
    const double of_origin = -dot(normal, s.point[i].w), of_corner = dot(normal, s.point[opposite].w - s.point[i].w);
    // strictly on the same side as the fourth corner: this side does not hide the origin
    if (of_origin * of_corner > 0.0) continue;
    const Part side = nearestOfTriangle(s, i, j, k);
    if (inside || side.distance2 < part.distance2) part = side;
    inside = false;
  }
  return !inside;
}

void keepPart(Simplex& s, const SimplexPart& part) {
  bool in_order = true;  // then no corner is written over before it is moved
  for (int i = 0; i + 1 < part.count; ++i) in_order = in_order && part.corner[i] < part.corner[i + 1];
  if (in_order) {
    for (int i = 0; i < part.count; ++i)
      if (part.corner[i] != i) s.point[i] = s.point[part.corner[i]];
  } else {
    const DifferencePoint old[4] = {s.point[0], s.point[1], s.point[2], s.point[3]};
    for (int i = 0; i < part.count; ++i) s.point[i] = old[part.corner[i]];
  }
  for (int i = 0; i < part.count; ++i) s.weight[i] = part.weight[i];
  s.count = part.count;
}

bool reduceToNearest(Simplex& s) {
  SimplexPart part;
  if (!findNearestPart(s, part)) return true;
  return keepPart(s, part), false;
}

}  // namespace rigor
