#include "geometry/rim_side.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kFirstStep = 1e-3, kLongestStep = 0.1;  // [rad] on the way downhill
constexpr int kHalvings = 50;

Vec across(const Vec& axis, const Vec& v) { return v - dot(axis, v) * axis; }

/// dφ/dθ, up to the radius, at the angle θ from a direction; φ the gap of that point of the rim.
struct Slope {
  const Element &rim, &side;
  Vec first, second;

  Vec radial(double angle) const {
    const auto [sine, cosine] = sincos(angle);
    return cosine * first + sine * second;
  }
  double operator()(double angle) const {
    const Vec out = radial(angle);
    return dot(lookBeside(side, rim.p + rim.radius * out).normal, cross(rim.axis, out));
  }
};

/// Downhill from a direction until the slope changes its sign, then between the two.
Vec goDownhill(const Element& rim, const Element& side, const Vec& start) {
  const Slope slope{rim, side, start, cross(rim.axis, start)};
  const double begin = slope(0.0), direction = begin > 0.0 ? -1.0 : 1.0;
  double before = 0.0, after = 0.0;
  for (double step = kFirstStep; begin != 0.0 && direction * slope(after) < 0.0 && std::fabs(after) < 7.0;
       step = std::min(1.5 * step, kLongestStep))
    before = after, after += direction * step;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (before + after);
    (direction * slope(middle) < 0.0 ? before : after) = middle;
  }
  return slope.radial(after);
}

/// The line of a round side that looks at a disc, across the axis of the rim and from its centre: p + t d.
void lineAcross(const Element& rim, const Element& side, Vec& p, Vec& d) {
  Vec along = side.axis;
  if (side.kind == ElementKind::kConeSide) {
    const Vec out = across(side.axis, -rim.axis);
    const double length = norm(out);
    along = (length > 0.0 ? side.slope / length : 0.0) * out - side.axis;
  }
  p = across(rim.axis, side.p - rim.p), d = across(rim.axis, along);
}

/// Of the two points where a circle goes through the plane of another, the one that is nearer to that circle, if it is nearer than the
/// best so far.
void offerPiercing(const Element& circle, const Element& other, double& least, Vec& best) {
  const Vec down = across(circle.axis, other.axis);  // across the line of both planes
  const double length = norm(down), height = dot(other.axis, other.p - circle.p);
  const double share = height / (length * circle.radius);
  if (!(std::fabs(share) < 1.0)) return;
  const Vec first = (1.0 / length) * down, second = cross(circle.axis, first);
  for (const double sign : {-1.0, 1.0}) {
    const Vec point = circle.p + circle.radius * (share * first + sign * std::sqrt(1.0 - share * share) * second);
    const double miss = std::fabs(norm(point - other.p) - other.radius);
    if (miss < least) least = miss, best = point;
  }
}

}  // namespace

bool faceRims(const Element& a, const Element& b, const Vec& normal, Facing& facing) {
  double least = std::numeric_limits<double>::infinity();
  Vec near;
  offerPiercing(a, b, least, near);
  offerPiercing(b, a, least, near);
  return std::isfinite(least) && faceElements(a, b, normal, facing, &near);
}

BesideSide lookBeside(const Element& side, const Vec& point) {
  const Vec from = point - side.p, out = across(side.axis, from);
  const double distance = norm(out);
  const Vec radial = distance > 0.0 ? (1.0 / distance) * out : Vec{0.0, 0.0, 1.0};
  if (side.kind == ElementKind::kLine) return {radial, distance - side.radius};
  const double cosine = 1.0 / std::sqrt(1.0 + side.slope * side.slope);  // of half its angle
  return {cosine * (radial + side.slope * side.axis), cosine * (distance + side.slope * dot(side.axis, from))};
}

RimSpots findRimSpots(const Element& rim, const Element& side) {
  constexpr double kSame = 1e-6;  // [rad] spots that are one
  Vec p, d;
  lineAcross(rim, side, p, d);
  const double dd = dot(d, d), length = norm(d);
  RimSpots spots;
  if (!(length > 0.0)) return spots;
  const Vec nearest = p - (dot(p, d) / dd) * d;
  const double square = rim.radius * rim.radius - dot(nearest, nearest);
  const Vec outermost = norm(nearest) > 0.0 ? nearest : cross(rim.axis, d);
  const double reach = square > 0.0 ? std::sqrt(square) : 0.0;
  for (const double sign : {-1.0, 1.0}) {
    const Vec start = (square > 0.0 ? nearest : outermost) + (sign * reach / length) * d;
    const Vec found = goDownhill(rim, side, (1.0 / norm(start)) * start);
    if (spots.count == 0 || norm(found - spots.radial[0]) > kSame) spots.radial[spots.count++] = found;
    if (square <= 0.0) break;
  }
  return spots;
}

bool faceSpot(const Element& rim, const Element& side, const Vec& radial, bool rim_first, const Vec& normal,
              Facing& facing) {
  constexpr double kFarthest = 0.7;  // cosine
  const Vec point = rim.p + rim.radius * radial;
  const BesideSide beside = lookBeside(side, point);
  const Vec on_side = point - beside.gap * beside.normal;
  if (rim_first)
    facing = {-beside.normal, beside.gap, point, on_side};
  else
    facing = {beside.normal, beside.gap, on_side, point};
  if (dot(facing.normal, normal) < kFarthest * dot(normal, normal)) return false;
  return side.kind != ElementKind::kConeSide || dot(side.axis, on_side - side.p) < 0.0;
}

int rimPointAlong(const PlacedSolid& round, int disc, const Vec& radial) {
  const Vec local = transposeTimes(round.X_WS.R, radial);
  const double turns = arctan2(local.y, local.x) / (2.0 * std::numbers::pi);
  return rimPoint(disc, static_cast<int>(std::lround(turns * kAzimuths)));
}

}  // namespace rigor
