#include "verify/touch.h"

#include <algorithm>

namespace rigor::verify {
namespace {

constexpr Real kMostTurn = 2.5L,
               kNearLine = 0.9L;  // [rad], cosine: balls that go farther are followed at their centres

struct Ends {
  Vec c1, c2;  // centres; c1 is a point of the plane
  Vec plane_normal;
};

Ends findEnds(const Pair& pair, const Motion& motion) {
  Ends ends;
  ends.c2 = pointOf(motion, pair.ball_2.body, pair.ball_2.centre);
  if (pair.kind == FeatureKind::kPlaneBall) {
    const Pose X = frameOf(motion, pair.body_1);
    ends.c1 = X.p + X.R * pair.plane_frame.p;
    ends.plane_normal = X.R * pair.plane_frame.R.z;
  } else {
    ends.c1 = pointOf(motion, pair.ball_1.body, pair.ball_1.centre);
  }
  return ends;
}

Real radii(const Pair& pair) { return pair.ball_1.radius + pair.ball_2.radius; }

/// Rotation vector of a body over the sub-step. A free one turns by exp(hω), perhaps more than once, which the two frames
/// do not tell.
Vec turnOf(const World& world, int body, const Move& move) {
  if (body == kWorldBody) return {};
  const std::vector<Joint>& joints = world.bodies[body].joints;
  if (joints.size() != 1 || !joints[0].free) return turnBetween(frameOf(move.from, body).R, frameOf(move.to, body).R);
  Vec turn;
  for (int k = joints[0].v + 3; k < joints[0].v + 6; ++k)
    turn = turn + (move.h * move.v[k]) * move.from.columns[k].axis;
  return turn;
}

/// Way of a point of a round side that lay `arm` from its centre; of a flat side the arm is zero.
Vec wayOf(const World& world, int body, const Vec& centre, const Vec& arm, const Move& move) {
  const Pose X = frameOf(move.from, body);
  const Vec moved = pointOf(move.to, body, transpose(X.R) * (centre - X.p)) - centre;
  return moved + cross(turnOf(world, body, move), arm);
}

/// The arc of two balls in the frame of their line of centres, n × Σ r ρ with exp(ρ) = Qᵀ exp(θ), Q the least rotation from that
/// line at the start to where it is at the end.
Vec arcOfBalls(const Touch& start, const Touch& end, const Vec& turn_1, const Vec& turn_2) {
  const Vec across = cross(start.normal, end.normal);
  const Real sine = norm(across), angle = std::atan2(sine, dot(start.normal, end.normal));
  const Quaternion back = turnBy((sine > 0 ? -angle / sine : Real(0)) * across);
  const Vec rho_1 = rotationVector(back * turnBy(turn_1)), rho_2 = rotationVector(back * turnBy(turn_2));
  return cross(start.normal, start.radius[0] * rho_1 + start.radius[1] * rho_2);
}

}  // namespace

Touch computeTouch(const Pair& pair, const Motion& motion) {
  if (!pair.ofBalls()) return computeFeatureTouch(pair, motion);
  const Ends ends = findEnds(pair, motion);
  Touch touch;
  touch.size = sumOfSizes(ends.c1) + sumOfSizes(ends.c2) + radii(pair);
  touch.centre[0] = ends.c1, touch.centre[1] = ends.c2;
  touch.radius[0] = pair.ball_1.radius, touch.radius[1] = pair.ball_2.radius;
  const Vec way = ends.c2 - ends.c1;
  if (pair.kind == FeatureKind::kPlaneBall) {
    touch.normal = ends.plane_normal;
    touch.gap = dot(touch.normal, way) - pair.ball_2.radius;
    touch.point = ends.c2 - pair.ball_2.radius * touch.normal;
    return touch;
  }
  const Real distance = norm(way);
  touch.normal = distance > 0 ? (1 / distance) * way : Vec{0, 0, 1};
  touch.gap = distance - radii(pair);
  touch.point = ends.c2 - (pair.ball_2.radius + touch.gap / 2) * touch.normal;
  touch.reach = std::clamp<Real>(distance, 1e-12L, 1);
  return touch;
}

Vec computeSlide(const World& world, const Pair& pair, const Touch& start, const Touch& end, const Move& move) {
  if (start.rolls) {
    const auto way = [&](int side, int body) {
      const Vec arm = Real(0.5) * (start.point - start.centre[side] + end.point - end.centre[side]);
      return wayOf(world, body, start.centre[side], arm, move);
    };
    const Vec slide = way(1, pair.body_2) - way(0, pair.body_1);
    return slide - dot(slide, start.normal) * start.normal;
  }
  const bool apart = end.gap > -(start.radius[0] + start.radius[1]) / 2;
  if (pair.kind == FeatureKind::kBallBall && apart && dot(start.normal, end.normal) > kNearLine) {
    const Vec turn_1 = turnOf(world, pair.body_1, move), turn_2 = turnOf(world, pair.body_2, move);
    if (std::max(norm(turn_1), norm(turn_2)) < kMostTurn) return arcOfBalls(start, end, turn_1, turn_2);
  }
  const Vec way_2 = wayOf(world, pair.body_2, start.centre[1], -start.radius[1] * start.normal, move);
  const Vec way_1 = wayOf(world, pair.body_1, start.centre[0], start.radius[0] * start.normal, move);
  const Vec slide = way_2 - way_1;
  return slide - dot(slide, start.normal) * start.normal;
}

Vec computeTurn(const World& world, const Pair& pair, const Move& move) {
  return turnOf(world, pair.body_2, move) - turnOf(world, pair.body_1, move);
}

Pair carried(const Pair& pair, const Touch& start, const Motion& from, const Motion& to) {
  Pair moved = pair;
  const auto follow = [&](int body) {
    const Pose X = frameOf(from, body);
    return pointOf(to, body, transpose(X.R) * (start.point - X.p));
  };
  moved.near_point = Real(0.5) * (follow(pair.body_1) + follow(pair.body_2));
  moved.near_normal = start.normal;
  moved.near_is_recorded = false;
  return moved;
}

Real outsideOf(const Pair& pair, const Touch& touch, const Motion& motion) {
  const PlacedSolid a = placeSolid(*pair.solid_1, frameOf(motion, pair.body_1));
  const PlacedSolid b = placeSolid(*pair.solid_2, frameOf(motion, pair.body_2));
  const Vec half = (touch.gap / 2) * touch.normal;
  return std::max(outsideOf(a, touch.point - half), outsideOf(b, touch.point + half));
}

Real depthOfPassing(const Pair& pair, const Motion& from, const Motion& to) {
  if (pair.kind != FeatureKind::kBallBall) return 0;
  const Ends a = findEnds(pair, from), b = findEnds(pair, to);
  const Vec first = a.c2 - a.c1, last = b.c2 - b.c1, way = last - first;
  const Real length = dot(way, way);
  if (length == 0) return 0;
  const Real share = std::clamp<Real>(-dot(first, way) / length, 0, 1);
  const Real nearest = norm(first + share * way), ends = std::min(norm(first), norm(last));
  const Real depth = std::min(ends, radii(pair)) - nearest;  // beyond what an end has, or beyond touching
  // rolling around each other cuts a chord of a few thousandths; a quarter of the radii means through
  const bool through = depth > radii(pair) / 4 || (dot(first, last) <= 0 && depth > 1e-9L);
  return through ? depth : 0;
}

Vec tangentAxis(const Vec& normal) { return std::fabs(normal.x) < 0.7L ? Vec{1, 0, 0} : Vec{0, 1, 0}; }

void makeTangents(const Vec& normal, const Vec& axis, Vec& t1, Vec& t2) {
  t2 = cross(normal, axis);
  t2 = (1 / norm(t2)) * t2;
  t1 = cross(t2, normal);
}

}  // namespace rigor::verify
