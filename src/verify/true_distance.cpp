#include "verify/true_distance.h"

#include <algorithm>

#include "verify/apart.h"
#include "verify/limits.h"
#include "verify/near_shapes.h"

namespace rigor::verify {
namespace {

constexpr Real kLookCloser = 1e-13L;  // [m] more overlap than this along a known direction: look for a better one
constexpr Real kFar = std::numeric_limits<Real>::infinity();
constexpr Real kFast = 0.2L;  // of the thinner shape: who moves less cannot have gone through

/// Rounding of doubles in the place of any point of the two.
Real floorOf(const PlacedSolid& a, const PlacedSolid& b) {
  const auto sizeOf = [](const PlacedSolid& one) {
    return one.solid->kind == SolidKind::kHalfSpace ? sumOfSizes(one.X.p) : sumOfSizes(one.X.p) + one.solid->bound;
  };
  return kPositionFloor * kEps * (sizeOf(a) + sizeOf(b));
}

/// Between the balls around both; infinitely negative for a half space.
Real distanceOfBalls(const PlacedSolid& a, const PlacedSolid& b) {
  return norm(b.X.p - a.X.p) - a.solid->bound - b.solid->bound;
}

bool isKnownShape(const PlacedSolid& one) { return one.solid->kind != SolidKind::kUnknown; }

/// A share of the way: straight, and turning at a constant rate.
PlacedSolid placeBetween(const PlacedSolid& from, const PlacedSolid& to, Real share) {
  const Mat turn = rotationOf(turnBy(share * turnBetween(from.X.R, to.X.R)));
  const Pose X{turn * from.X.R, from.X.p + share * (to.X.p - from.X.p)};
  PlacedSolid placed = from;
  for (std::size_t i = 0; i < placed.corners.size(); ++i) placed.corners[i] = X.p + X.R * from.solid->corners[i];
  for (std::size_t i = 0; i < placed.normals.size(); ++i) placed.normals[i] = X.R * from.solid->normals[i];
  placed.X = X;
  return placed;
}

/// By how much the middle of a way may be deeper than its ends although nothing was passed: a chord below its arc.
Real sagittaOf(const PlacedSolid& from, const PlacedSolid& to) {
  const Vec turn = turnBetween(from.X.R, to.X.R);
  return dot(turn, turn) * from.solid->bound / 4;
}

/// Form of findApart.
Separation findLeast(const PlacedSolid& a, const PlacedSolid& b, const Vec& hint, Real) {
  return findSeparation(a, b, hint);
}

}  // namespace

TrueDistance::TrueDistance(const World& world) : world_(world) {}

void TrueDistance::placeAll(const Motion& motion, std::vector<PlacedSolid>& solids) const {
  solids.resize(world_.solids.size());
  for (std::size_t i = 0; i < solids.size(); ++i)
    solids[i] = placeSolid(world_.solids[i], frameOf(motion, world_.shape_body[i]));
}

/// The distance at a pose: along a direction that proves enough, or else the true one.
Separation TrueDistance::separate(const ShapePair& pair, const std::vector<PlacedSolid>& solids,
                                  const DirectionHints& hints) {
  Known& known = knownOf(pair);
  const PlacedSolid &a = solids[pair.shape_1], &b = solids[pair.shape_2];
  Separation best{-std::numeric_limits<Real>::infinity(), {}};
  const auto offer = [&](const Vec& n) {
    const Real distance = separationAlong(a, b, n);
    if (distance > best.distance) best = {distance, n};
  };
  if (dot(known.direction, known.direction) > 0)
    for (const Vec& n : {known.direction, a.X.R * known.in_1, b.X.R * known.in_2}) offer(n);
  const auto shapes = std::pair(pair.shape_1, pair.shape_2);
  for (auto hint = std::lower_bound(hints.begin(), hints.end(), shapes,
                                    [](const DirectionHint& one, const std::pair<int, int>& wanted) {
                                      return std::pair(one.shape_1, one.shape_2) < wanted;
                                    });
       hint != hints.end() && std::pair(hint->shape_1, hint->shape_2) == shapes; ++hint)
    offer(hint->direction);
  for (const auto find : {&findApart, &findLeast}) {
    if (best.distance >= -kLookCloser) break;
    const Separation found = find(a, b, best.direction, 0);
    if (!(found.distance <= best.distance)) best = found;
  }
  known.direction = best.direction;
  known.in_1 = transpose(a.X.R) * best.direction, known.in_2 = transpose(b.X.R) * best.direction;
  return best;
}

void TrueDistance::begin(const Motion& motion) {
  placeAll(motion, to_);
  known_.clear();
  for (const ShapePair& pair : findNearShapes(world_, motion, motion)) {
    const PlacedSolid &a = to_[pair.shape_1], &b = to_[pair.shape_2];
    if (!isKnownShape(a) || !isKnownShape(b) || distanceOfBalls(a, b) > 0) continue;
    const bool deep = separate(pair, to_, {}).distance < -world_.wider() * kDeeper - floorOf(a, b);
    knownOf(pair).deep = deep;
  }
}

void TrueDistance::look(const Motion& from, const Motion& to, const std::vector<ShapePair>& near,
                        const DirectionHints& hints, const BodyFilter& wanted, const DistanceVisitor& visit) {
  placeAll(from, from_), placeAll(to, to_);
  near_ = near;
  for (const ShapePair& pair : near_)
    if (wanted(world_.shape_body[pair.shape_1], world_.shape_body[pair.shape_2]) && lookAt(pair, hints)) visit(found_);
}

void TrueDistance::lookBetween(const BodyFilter& wanted, const DistanceVisitor& visit) {
  for (const ShapePair& pair : near_)
    if (wanted(world_.shape_body[pair.shape_1], world_.shape_body[pair.shape_2]) && passes(pair)) visit(found_);
}

bool TrueDistance::lookAt(const ShapePair& pair, const DirectionHints& hints) {
  const PlacedSolid &a = to_[pair.shape_1], &b = to_[pair.shape_2];
  if (!isKnownShape(a) || !isKnownShape(b) || distanceOfBalls(a, b) > 0) return false;
  Known& known = knownOf(pair);
  const Real distance = separate(pair, to_, hints).distance;
  if (distance >= 0) return known.deep = false;
  found_ = {pair.shape_1, pair.shape_2, distance, world_.wider() * kDeeper + floorOf(a, b), false};
  if (known.deep) {
    const PlacedSolid &from_a = from_[pair.shape_1], &from_b = from_[pair.shape_2];
    const Real before = findSeparation(from_a, from_b, known.direction).distance;
    found_.limit += std::max<Real>(-before, 0);
    found_.deep = true;
    known.deep = -distance > world_.wider() * kDeeper + floorOf(a, b);
  }
  return true;
}

/// Goes along the way in strides that are as long as the two are apart, at least a tenth of the thinner one.
bool TrueDistance::passes(const ShapePair& pair) {
  const PlacedSolid &a = from_[pair.shape_1], &a_end = to_[pair.shape_1];
  const PlacedSolid &b = from_[pair.shape_2], &b_end = to_[pair.shape_2];
  if (!isKnownShape(a) || !isKnownShape(b) || a.solid->kind == SolidKind::kHalfSpace) return false;
  if (a.solid->isBall() && b.solid->isBall()) return false;  // depthOfPassing knows better
  const bool surface_a = a.solid->kind == SolidKind::kSurface, surface_b = b.solid->kind == SolidKind::kSurface;
  const Real thin = surface_a   ? b.solid->thickness
                    : surface_b ? a.solid->thickness
                                : std::min(a.solid->thickness, b.solid->thickness);
  const Real way = wayBetween(*a.solid, a.X, a_end.X) + wayBetween(*b.solid, b.X, b_end.X);
  if (way <= kFast * thin || distanceOfBalls(a, b) > way) return false;
  const Known& known = knownOf(pair);
  if (known.deep) return false;
  const Real allowed = std::max(thin / 4, sagittaOf(a, a_end) + sagittaOf(b, b_end));
  Real deepest = 0;
  for (Real share = 0; share < 1;) {
    const PlacedSolid here_a = placeBetween(a, a_end, share), here_b = placeBetween(b, b_end, share);
    Real distance = distanceOfBalls(here_a, here_b);
    if (dot(known.direction, known.direction) > 0)  // else they were far apart at every node so far
      for (const Vec& n : {known.direction, here_a.X.R * known.in_1, here_b.X.R * known.in_2})
        distance = std::max(distance, separationAlong(here_a, here_b, n));
    // how deep they are exactly matters beyond what is allowed
    for (const auto find : {&findApart, &findLeast})
      if (!(distance > -allowed / 2))
        distance = std::max(distance, find(here_a, here_b, known.direction, thin / 10).distance);
    deepest = std::min(deepest, distance);
    share += std::max(distance, thin / 10) / way;
  }
  found_ = {pair.shape_1, pair.shape_2, deepest, allowed, false};
  return -deepest > allowed;
}

Real TrueDistance::distanceAtStart(const ShapePair& pair, Real enough) {
  const PlacedSolid &a = from_[pair.shape_1], &b = from_[pair.shape_2];
  if (!isKnownShape(a) || !isKnownShape(b)) return enough;
  const Real balls = distanceOfBalls(a, b);
  if (balls > enough) return balls;
  const Separation apart = findApart(a, b, {}, std::nextafter(enough, kFar));
  return apart.distance > enough ? apart.distance : findSeparation(a, b, apart.direction).distance;
}

}  // namespace rigor::verify
