#include "geometry/round_pair.h"

#include <algorithm>
#include <cmath>

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kConcentric = 1e-15;  ///< of the size: no direction in the way between two points
constexpr double kCrossing = 1e-6;     ///< sine between segments whose normal is taken from their directions
constexpr double kParallel = 1e-3;     ///< sine between lines that may touch along a length
constexpr double kAcross = 1e-9;       ///< cosine: the normal of segments that cross is across both

double halfLength(const ConvexShape& shape) { return shape.kind == ShapeKind::kCapsule ? shape.size.y : 0.0; }

Vec anyAcross(const Vec& d) {
  const Vec axis = std::fabs(d.z) < 0.6 ? Vec{0.0, 0.0, 1.0} : Vec{1.0, 0.0, 0.0};
  const Vec across = axis - dot(axis, d) * d;
  return (1.0 / norm(across)) * across;
}

/// Across both segments; across the one that is no point; up.
Vec normalOfCrossing(const Vec& axis_a, double half_a, const Vec& axis_b, double half_b) {
  const Vec across = cross(axis_a, axis_b);
  const double sine = norm(across);
  if (half_a > 0.0 && half_b > 0.0 && sine > 1e-9) return (1.0 / sine) * across;
  if (half_a > 0.0) return anyAcross(axis_a);
  if (half_b > 0.0) return anyAcross(axis_b);
  return {0.0, 0.0, 1.0};
}

RIGOR_INLINE double clampTo(double value, double half) { return std::clamp(value, -half, half); }

/// Parameters of the nearest points of p_a + s u and p_b + t v, |s| ≤ half_a, |t| ≤ half_b; between = p_b − p_a and
/// across = u × v.
void nearestParameters(const Vec& between, const Vec& u, double half_a, const Vec& v, double half_b, const Vec& across,
                       double sine2, double& s, double& t) {
  const double cosine = dot(u, v), along_u = dot(between, u), along_v = dot(between, v);
  if (sine2 > 1e-24) {
    // 1 − cos² from the cross product: it keeps its digits for nearly parallel segments
    s = clampTo(dot(cross(between, v), across) / sine2, half_a);
  } else {
    // parallel: the middle of what lies side by side
    const double low = std::max(-half_a, along_u - half_b), high = std::min(half_a, along_u + half_b);
    s = clampTo(0.5 * (low + high), half_a);
  }
  t = clampTo(s * cosine - along_v, half_b);
  s = clampTo(t * cosine + along_u, half_a);
  t = clampTo(s * cosine - along_v, half_b);
}

/// Balls of the two radii around on_a, relative to the origin of the first, and on_a + core_distance · n.
RIGOR_INLINE Separation finishBalls(const ConvexShape& a, const ConvexShape& b, const Vec& on_a, const Vec& n,
                                    double core_distance) {
  const double distance = core_distance - a.size.x - b.size.x;
  const Vec point_1 = a.X_WS.p + (on_a + a.size.x * n);
  return {distance, n, point_1, point_1 + distance * n};
}

/// The nearest points of the cores are on_a and on_a + way.
RIGOR_INLINE Separation separateBalls(const ConvexShape& a, const ConvexShape& b, const Vec& on_a, const Vec& way) {
  const double half_a = halfLength(a), half_b = halfLength(b), distance = norm(way);
  if (distance > kConcentric * (a.size.x + b.size.x + half_a + half_b))
    return finishBalls(a, b, on_a, (1.0 / distance) * way, distance);
  return finishBalls(a, b, on_a, normalOfCrossing(a.X_WS.R.z, half_a, b.X_WS.R.z, half_b), 0.0);
}

Separation separateCapsules(const ConvexShape& a, const ConvexShape& b, const Vec& between) {
  const Vec &u = a.X_WS.R.z, &v = b.X_WS.R.z, across = cross(u, v);
  const double half_a = a.size.y, half_b = b.size.y, sine2 = dot(across, across);
  double s = 0.0, t = 0.0;
  nearestParameters(between, u, half_a, v, half_b, across, sine2, s, t);
  const Vec on_a = s * u, way = between + t * v - on_a;
  // inside both segments the cross product keeps its digits however short the way is
  if (std::fabs(s) < half_a && std::fabs(t) < half_b && sine2 > kCrossing * kCrossing) {
    const double height = dot(across, way), scale = (height >= 0.0 ? 1.0 : -1.0) / std::sqrt(sine2);
    return finishBalls(a, b, on_a, scale * across, scale * height);
  }
  return separateBalls(a, b, on_a, way);
}

}  // namespace

Separation separateRound(const ConvexShape& a, const ConvexShape& b) {
  const Vec between = b.X_WS.p - a.X_WS.p;
  const double half_a = halfLength(a), half_b = halfLength(b);
  if (half_a > 0.0 && half_b > 0.0) return separateCapsules(a, b, between);
  if (half_b > 0.0) return separateBalls(a, b, {}, between + clampTo(-dot(between, b.X_WS.R.z), half_b) * b.X_WS.R.z);
  if (!(half_a > 0.0)) return separateBalls(a, b, {}, between);
  const Vec on_a = clampTo(dot(between, a.X_WS.R.z), half_a) * a.X_WS.R.z;
  return separateBalls(a, b, on_a, between - on_a);
}

bool touchOnce(const ConvexShape& a, const ConvexShape& b, const Separation& separation) {
  const double half_a = halfLength(a), half_b = halfLength(b);
  if (!(half_a > 0.0 && half_b > 0.0)) return true;
  const Vec &u = a.X_WS.R.z, &v = b.X_WS.R.z, &n = separation.normal;
  const double u_n = dot(u, n), v_n = dot(v, n), area = dot(n, cross(u, v));
  if (area * area <= kParallel * kParallel * (1.0 - u_n * u_n) * (1.0 - v_n * v_n)) return false;
  if (std::fabs(u_n) < kAcross && std::fabs(v_n) < kAcross) return true;
  // where the lines cross, seen along n: p_a + s u over p_b + t v
  const Vec between = b.X_WS.p - a.X_WS.p;
  const double s = dot(n, cross(between, v)) / area, t = dot(n, cross(between, u)) / area;
  return std::fabs(s) > half_a || std::fabs(t) > half_b;
}

}  // namespace rigor
