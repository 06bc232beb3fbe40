#include "reference/slow_distance.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "geometry/polytope.h"

namespace rigor::reference {
namespace {

using Real = long double;
using Vec = Vec3<Real>;
using Matrix = Mat3<Real>;

Real length(const Vec& a) { return std::sqrt(dot(a, a)); }
Vec unit(const Vec& a) { return (Real(1) / length(a)) * a; }
Vec lift(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
Vec lift(const Eigen::Vector3d& a) { return {a.x(), a.y(), a.z()}; }

/// A shape at its pose relative to the position of the first.
struct Solid {
  const Shape& shape;
  Matrix R;
  Vec p;
  std::vector<Vec> vertices;  ///< of a polytope, placed

  Solid(const Shape& of, const Pose& pose, const Eigen::Vector3d& origin) : shape(of) {
    // the double matrix that the code under test turns with
    const Eigen::Matrix3d M = pose.rotation.toRotationMatrix();
    R = {lift(M.col(0).eval()), lift(M.col(1).eval()), lift(M.col(2).eval())};
    p = lift((pose.position - origin).eval());
    if (shape.polytope)
      for (const Vec3<double>& v : shape.polytope->vertices) vertices.push_back(p + R * lift(v));
  }

  /// No point of it is farther from p.
  Real radius() const {
    Real farthest = 0;
    for (const Vec& v : vertices) farthest = std::max(farthest, length(v - p));
    if (!vertices.empty()) return farthest;
    const Real sum = Real(shape.size[0]) + Real(shape.size[1]);  // radius and half length
    return shape.kind == ShapeKind::kSphere      ? Real(shape.size[0])
           : shape.kind == ShapeKind::kEllipsoid ? Real(shape.size.maxCoeff())
                                                 : sum;
  }

  Vec support(const Vec& d) const {
    if (!vertices.empty())
      return *std::max_element(vertices.begin(), vertices.end(),
                               [&](const Vec& a, const Vec& b) { return dot(a, d) < dot(b, d); });
    const Vec l = transposeTimes(R, d);
    const Real r = shape.size[0], h = shape.size[1], across = std::sqrt(l.x * l.x + l.y * l.y);
    const Real z = l.z >= 0 ? h : -h, rim = across > 0 ? r / across : 0;
    Vec local{};
    if (shape.kind == ShapeKind::kSphere) local = (r / length(l)) * l;
    if (shape.kind == ShapeKind::kCapsule) local = (r / length(l)) * l + Vec{0, 0, z};
    if (shape.kind == ShapeKind::kCylinder) local = {rim * l.x, rim * l.y, z};
    if (shape.kind == ShapeKind::kCone)
      local = 2 * h * l.z >= r * across ? Vec{0, 0, h} : Vec{rim * l.x, rim * l.y, -h};
    if (shape.kind == ShapeKind::kEllipsoid) {
      const Vec s{shape.size[0] * l.x, shape.size[1] * l.y, shape.size[2] * l.z};
      const Real n = length(s);
      local = {shape.size[0] * s.x / n, shape.size[1] * s.y / n, shape.size[2] * s.z / n};
    }
    return p + R * local;
  }
};

/// S(x) = −h(x) over A − B; for a unit vector the separation along it.
Real separation(const Solid& a, const Solid& b, const Vec& n) { return dot(n, b.support(-n) - a.support(n)); }

struct Segment {
  Vec from, to;
};

Real pointToSegment(const Vec& p, const Segment& s) {
  const Vec way = s.to - s.from;
  const Real t = std::clamp(dot(p - s.from, way) / dot(way, way), Real(0), Real(1));
  return length(p - s.from - t * way);
}

Real segmentToSegment(const Segment& a, const Segment& b) {
  Real best = std::min(
      {pointToSegment(a.from, b), pointToSegment(a.to, b), pointToSegment(b.from, a), pointToSegment(b.to, a)});
  const Vec u = a.to - a.from, v = b.to - b.from, n = cross(u, v), between = b.from - a.from;
  const Real n2 = dot(n, n);
  if (n2 > Real(1e-30) * dot(u, u) * dot(v, v)) {
    const Real s = dot(cross(between, v), n) / n2, t = dot(cross(between, u), n) / n2;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) best = std::min(best, std::fabs(dot(between, n)) / std::sqrt(n2));
  }
  return best;
}

Vec faceNormal(const Solid& solid, int face) {
  const auto corners = solid.shape.polytope->cornersOf(face);
  Vec normal{};
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    normal += cross(solid.vertices[corners[i]] - solid.vertices[corners[0]],
                    solid.vertices[corners[i + 1]] - solid.vertices[corners[0]]);
  return unit(normal);
}

Segment edgeOf(const Solid& solid, const Polytope::Edge& edge) {
  return {solid.vertices[edge.vertex[0]], solid.vertices[edge.vertex[1]]};
}

/// Distance of the points of `points` above the faces of `solid`, where their foot is inside the face.
Real pointsToFaces(const Solid& solid, const Solid& points) {
  Real best = INFINITY;
  for (int f = 0; f < static_cast<int>(solid.shape.polytope->faces.size()); ++f) {
    const Vec n = faceNormal(solid, f);
    const auto corners = solid.shape.polytope->cornersOf(f);
    for (const Vec& p : points.vertices) {
      bool inside = true;
      for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec &from = solid.vertices[corners[i]], &to = solid.vertices[corners[(i + 1) % corners.size()]];
        inside = inside && dot(cross(n, to - from), p - from) >= 0;
      }
      if (inside) best = std::min(best, std::fabs(dot(n, p - solid.vertices[corners[0]])));
    }
  }
  return best;
}

Real polytopeDistance(const Solid& a, const Solid& b) {
  Real overlap = -INFINITY;
  for (int f = 0; f < static_cast<int>(a.shape.polytope->faces.size()); ++f)
    overlap = std::max(overlap, separation(a, b, faceNormal(a, f)));
  for (int f = 0; f < static_cast<int>(b.shape.polytope->faces.size()); ++f)
    overlap = std::max(overlap, separation(a, b, -faceNormal(b, f)));
  Real nearest = std::min(pointsToFaces(a, b), pointsToFaces(b, a));
  for (const Polytope::Edge& edge_a : a.shape.polytope->edges)
    for (const Polytope::Edge& edge_b : b.shape.polytope->edges) {
      const Segment s = edgeOf(a, edge_a), t = edgeOf(b, edge_b);
      nearest = std::min(nearest, segmentToSegment(s, t));
      const Vec n = cross(s.to - s.from, t.to - t.from);
      if (!(length(n) > Real(1e-12) * length(s.to - s.from) * length(t.to - t.from))) continue;
      overlap = std::max({overlap, separation(a, b, unit(n)), separation(a, b, -unit(n))});
    }
  return overlap > 0 ? nearest : overlap;
}

/// Largest value of f over [low, high] if it rises, then falls.
template <class F>
Real goldenMaximum(F f, Real low, Real high, int steps) {
  const Real ratio = (std::sqrt(Real(5)) - 1) / 2;
  Real x = high - ratio * (high - low), y = low + ratio * (high - low), f_x = f(x), f_y = f(y);
  for (int step = 0; step < steps; ++step)
    if (f_x >= f_y)
      high = y, y = x, f_y = f_x, x = high - ratio * (high - low), f_x = f(x);
    else
      low = x, x = y, f_x = f_y, y = low + ratio * (high - low), f_y = f(y);
  return std::max(f_x, f_y);
}

/// Squares of directions around the best so far, each a sixth of the one before: a ridge across a square can mislead the
/// outer of the two searches, but not far. Gives up where the summit is clearly below `known`.
Real refine(const Solid& a, const Solid& b, const Vec& start, Real known) {
  Vec best = start;
  Real highest = separation(a, b, start);
  for (const auto& [turn, steps] : {std::pair{Real(0.15), 24}, {Real(0.025), 24}, {Real(0.004), 44}}) {
    const Vec n = best, axis = std::fabs(n.x) < Real(0.6) ? Vec{1, 0, 0} : Vec{0, 1, 0};
    const Vec s = unit(cross(n, axis)), t = cross(n, s);
    const auto at = [&](Real u, Real v) {
      const Vec direction = unit(n + u * s + v * t);
      const Real value = separation(a, b, direction);
      if (value > highest) highest = value, best = direction;
      return value;
    };
    goldenMaximum([&](Real u) { return goldenMaximum([&](Real v) { return at(u, v); }, -turn, turn, steps); }, -turn,
                  turn, steps);
    if (highest < known - Real(1e-3) * std::fabs(known)) break;
  }
  return highest;
}

constexpr int kDirections = 6000;

/// Directions spread evenly, along a spiral.
const std::vector<Vec>& spiral() {
  static const std::vector<Vec> all = [] {
    std::vector<Vec> directions;
    for (int i = 0; i < kDirections; ++i) {
      const Real z = 1 - (2 * i + Real(1)) / kDirections,
                 angle = i * std::numbers::pi_v<Real> * (3 - std::sqrt(Real(5)));
      directions.push_back({std::sqrt(1 - z * z) * std::cos(angle), std::sqrt(1 - z * z) * std::sin(angle), z});
    }
    return directions;
  }();
  return all;
}

struct Start {
  Vec n;
  Real separation;

  bool operator<(const Start& other) const { return separation < other.separation; }
};

/// A heap, the highest first.
std::vector<Start> listStarts(const Solid& a, const Solid& b, const Vec& also) {
  std::vector<Start> starts;
  starts.reserve(kDirections + 13);
  const auto add = [&](const Vec& n) { starts.push_back({n, separation(a, b, n)}); };
  for (const Vec& n : spiral()) add(n);
  for (const Solid* solid : {&a, &b})
    for (const Vec& axis : {solid->R.x, solid->R.y, solid->R.z}) add(axis), add(-axis);
  add(unit(also));
  std::make_heap(starts.begin(), starts.end());
  return starts;
}

Real densestDistance(const Solid& a, const Solid& b, const Vec& also) {
  // No direction is farther than kCover from one of the spiral, and |S(n) − S(m)| ≤ reach·|n − m|: a start that is lower than the
  // best by more than that has no higher summit near it. Where shapes are apart there is one summit only, because S is concave in
  // x and S(x)/|x| ≥ c > 0 holds on a convex cone.
  constexpr Real kCover = Real(0.06);  // 4π/6000 sr each, 0.026 rad as discs; twice that and more
  const Real reach = length(b.p - a.p) + a.radius() + b.radius();
  std::vector<Start> starts = listStarts(a, b, also);
  Real best = starts.front().separation;
  std::vector<Vec> summits;  // local ones: starts that are not beside a higher one
  for (; !starts.empty() && summits.size() < 6; starts.pop_back()) {
    std::pop_heap(starts.begin(), starts.end());
    const Start& start = starts.back();
    if (!summits.empty() && (best > 0 || start.separation < best - kCover * reach)) break;
    if (std::any_of(summits.begin(), summits.end(), [&](const Vec& n) { return dot(n, start.n) > Real(0.98); }))
      continue;
    summits.push_back(start.n);
    best = std::max(best, refine(a, b, start.n, best));
  }
  return best;
}

}  // namespace

double slowDistance(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB, const Eigen::Vector3d& also) {
  const Solid solid_a(a, X_WA, X_WA.position), solid_b(b, X_WB, X_WA.position);
  const bool polytopes = a.polytope && b.polytope;
  return static_cast<double>(polytopes ? polytopeDistance(solid_a, solid_b)
                                       : densestDistance(solid_a, solid_b, lift(also)));
}

}  // namespace rigor::reference
