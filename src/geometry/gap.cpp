#include "geometry/gap.h"

#include <algorithm>
#include <cmath>

namespace rigor {
namespace {

using Vec = Vec3<double>;

double reachOf(const FeaturePair& pair, const ShapeTable& table) {
  return table.balls[pair.feature[0]].radius + table.balls[pair.feature[1]].radius;
}

}  // namespace

double gapAlong(const FeaturePair& pair, const ShapeTable& table, const Vec& normal, const Vec& centre_1,
                const Vec& centre_2) {
  return dot(normal, centre_2 - centre_1) - table.balls[pair.feature[0]].radius - table.balls[pair.feature[1]].radius;
}

bool passThrough(const FeaturePair& pair, const ShapeTable& table, const FeatureWay& way) {
  if (pair.kind == FeatureKind::kPlaneBall) return false;
  constexpr double kCosineOfSliding = 0.88, kCosineOfPassing = 0.5;
  constexpr double kNear = 1e-4;  // of the radii: what landed softly slides as if it touched
  const Vec from = way.from_2 - way.from_1, to = way.to_2 - way.to_1;
  const double reach = reachOf(pair, table);
  const double both = dot(from, to);
  if (both >= reach * reach) return false;  // with ρ the least distance on the line: from·to = ρ² − |…||…|
  const Vec line = to - from;
  const double before = -dot(from, line), after = dot(to, line);  // ways to and from the nearest point, times |line|
  if (before <= 0.0) return false;
  const double share = after > 0.0 ? before / (before + after) : 1.0;  // |line|² = before + after
  if (norm(from + share * line) >= reach - kTouching) return false;
  const double start_distance = norm(from), cosines = start_distance * norm(to);
  if (both < kCosineOfPassing * cosines) return true;
  const bool apart = dot(to, to) >= reach * reach;
  const bool touched = start_distance <= reach + std::max(kTouching, kNear * reach);
  return apart && after > 0.0 && !(touched && both > kCosineOfSliding * cosines);
}

bool isViolated(const FeaturePair& pair, const ShapeTable& table, const FeatureWay& way) {
  if (pair.kind == FeatureKind::kPlaneBall) {
    const Plane& plane = table.planes[pair.feature[0]];
    return dot(plane.normal, way.to_2) - plane.offset - table.balls[pair.feature[1]].radius < 0.0;
  }
  const Vec to = way.to_2 - way.to_1;
  const double reach = reachOf(pair, table);
  return dot(to, to) < reach * reach || passThrough(pair, table, way);
}

Vec tangentAxis(const Vec& n) { return std::fabs(n.x) < 0.7 ? Vec{1.0, 0.0, 0.0} : Vec{0.0, 1.0, 0.0}; }

void makeTangents(const Vec& n, const Vec& axis, Vec& t1, Vec& t2) {
  t2 = cross(n, axis);
  t2 *= 1.0 / norm(t2);
  t1 = cross(t2, n);
}

void makeTangents(const Vec& n, Vec& t1, Vec& t2) { makeTangents(n, tangentAxis(n), t1, t2); }

}  // namespace rigor
