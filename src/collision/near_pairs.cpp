#include "collision/near_pairs.h"

#include <algorithm>
#include <cassert>

namespace rigor {
namespace {

using Vec = Vec3<double>;

/// No centre moves faster than this: |v|₁ + |ω|₁ |p|₁, v the velocity of its link at O.
double fastest(const FeaturePair& pair, int side, const Vec& relative, const std::vector<Motion<double>>& V) {
  const int link = pair.link[side];
  return link < 0 ? 0.0 : absoluteSum(V[link].linear) + absoluteSum(V[link].angular) * absoluteSum(relative);
}

/// False only if a gap that shrinks by at most `way` stays above `margin`: a cheap test that most pairs end with. `way` is
/// a bound of how far the centres move, never less than how the gap does.
bool mayComeNear(const CollisionTable& table, const FeaturePair& pair, const FeatureCentres& centres,
                 const std::vector<Motion<double>>& V, double way_per_speed, double margin) {
  constexpr double kRounding = 1e-12;  // of the sizes that are compared
  const FeatureCentre<double>& centre_2 = centres[pair.feature[1]];
  const double radius_2 = table.shapes.balls[pair.feature[1]].radius;
  double speed = fastest(pair, 1, centre_2.relative, V);
  if (pair.kind == FeatureKind::kPlaneBall) {
    const Plane& plane = table.shapes.planes[pair.feature[0]];
    const double height = dot(plane.normal, centre_2.world) - plane.offset;
    const double reach = radius_2 + margin + way_per_speed * speed;
    return height <= reach + kRounding * (absoluteSum(centre_2.world) + std::fabs(plane.offset) + reach);
  }
  const FeatureCentre<double>& centre_1 = centres[pair.feature[0]];
  speed += fastest(pair, 0, centre_1.relative, V);
  const Vec d = centre_2.world - centre_1.world;
  const double reach = table.shapes.balls[pair.feature[0]].radius + radius_2 + margin + way_per_speed * speed;
  return dot(d, d) <= reach * reach * (1.0 + kRounding);
}

FeatureCentre<double> placeBall(const CollisionTable& table, const LinkPoses& poses, int index) {
  const Ball& ball = table.shapes.balls[index];
  const int link = table.ball_link[index];
  if (link < 0) return {ball.centre, ball.centre};
  const Vec3<double> relative = poses.X_OL[link] * ball.centre;
  return {relative, poses.origin[poses.tree[link]] + relative};
}

template <class Wanted>
void findPairs(const CollisionTable& table, const std::vector<FeaturePair>& pairs, std::span<const int> candidates,
               const FeatureCentres& centres, const std::vector<Motion<double>>& V, double way_per_speed, double margin,
               const Wanted& wanted, std::vector<NearPair>& found) {
  assert(centres.size() == table.shapes.balls.size() && "placeFeatures placed the balls of this table");
  assert(way_per_speed >= 0.0 && "a step goes forward in time");
  found.clear();
  for (const int i : candidates) {
    const FeaturePair& pair = pairs[i];
    if (!mayComeNear(table, pair, centres, V, way_per_speed, margin)) continue;
    const GapAtPose<double> at = gapOf(table, pair, centres);
    const double rate = gapRate(pair, at, V);
    if (wanted(at.gap, rate)) found.push_back({i, rate, at});
  }
}

}  // namespace

void placeFeatures(const CollisionTable& table, const LinkPoses& poses, FeatureCentres& centres) {
  assert(table.ball_link.size() == table.shapes.balls.size() && "every ball hangs on a link or on the world");
  centres.resize(table.ball_link.size());
  for (std::size_t i = 0; i < table.ball_link.size(); ++i) centres[i] = placeBall(table, poses, static_cast<int>(i));
}

void placeFeatures(const CollisionTable& table, const LinkPoses& poses, std::span<const int> balls,
                   FeatureCentres& centres) {
  for (const int i : balls) centres[i] = placeBall(table, poses, i);
}

GapAtPose<double> gapOf(const CollisionTable& table, const FeaturePair& pair, const FeatureCentres& centres) {
  const FeatureCentre<double>& centre_2 = centres[pair.feature[1]];
  const bool plane = pair.kind == FeatureKind::kPlaneBall;
  return gapOfPlaced(pair, table.shapes, plane ? centre_2 : centres[pair.feature[0]], centre_2);
}

FeatureWay wayOf(const FeaturePair& pair, const FeatureCentres& from, const FeatureCentres& to) {
  const int second = pair.feature[1], first = pair.kind == FeatureKind::kPlaneBall ? second : pair.feature[0];
  return {from[first].world, from[second].world, to[first].world, to[second].world};
}

double gapRate(const FeaturePair& pair, const GapAtPose<double>& at, const std::vector<Motion<double>>& V) {
  const auto speed = [&](int side) {
    const int link = pair.link[side];
    return link < 0 ? 0.0 : dot(at.normal, V[link].linear + cross(V[link].angular, at.centre[side].relative));
  };
  return speed(1) - speed(0);
}

void findNear(const CollisionTable& table, const std::vector<FeaturePair>& pairs, std::span<const int> candidates,
              const FeatureCentres& centres, const std::vector<Motion<double>>& V, double h,
              std::vector<NearPair>& near) {
  findPairs(
      table, pairs, candidates, centres, V, 1.1 * h, sweptMargin(h, 0.0),
      [h](double gap, double rate) { return mayClose(gap, rate, h); }, near);
}

void findTouching(const CollisionTable& table, const std::vector<FeaturePair>& pairs, std::span<const int> candidates,
                  const FeatureCentres& centres, const std::vector<Motion<double>>& V, double least,
                  std::vector<NearPair>& touching) {
  const auto wanted = [least](double gap, double rate) { return gap + least * std::min(rate, 0.0) < kTouching; };
  findPairs(table, pairs, candidates, centres, V, least, kTouching, wanted, touching);
}

void findViolated(const CollisionTable& table, const std::vector<FeaturePair>& pairs, std::span<const int> candidates,
                  const FeatureCentres& from, const FeatureCentres& to, std::vector<int>& violated) {
  assert(from.size() == table.shapes.balls.size() && to.size() == from.size() && "one table was placed at both poses");
  violated.clear();
  for (const int i : candidates) {
    const FeaturePair& pair = pairs[i];
    if (pair.kind == FeatureKind::kPlaneBall) {  // most pairs end here: isViolated, in line
      const Plane& plane = table.shapes.planes[pair.feature[0]];
      const Ball& ball = table.shapes.balls[pair.feature[1]];
      if (!(dot(plane.normal, to[pair.feature[1]].world) - plane.offset - ball.radius < 0.0)) continue;
    } else if (!isViolated(pair, table.shapes, wayOf(pair, from, to))) {
      continue;
    }
    violated.push_back(i);
  }
}

}  // namespace rigor
