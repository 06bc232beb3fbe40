// Rims: their lowest point above a face, and where they cross edges and each other.
#include <algorithm>
#include <cmath>

#include "geometry/rim_side.h"
#include "geometry/solid_elements.h"
#include "geometry/solid_gap.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kSteep = 0.9;  // cosine to the axis: an edge that stands on the disc crosses the rim in another sense
constexpr double kHardly = 1e-3;  // sine: rims and edges that touch more than they cross

/// Shares of the line p + t d, both across the axis and relative to the rim's centre, at which it is as far away as the rim.
bool crossLine(const Vec& p, const Vec& d, double radius, bool second, double& t) {
  const double dd = dot(d, d), pd = dot(p, d), root = pd * pd - dd * (dot(p, p) - radius * radius);
  if (!(root > kHardly * kHardly * dd * radius * radius)) return false;
  t = (-pd + (second ? std::sqrt(root) : -std::sqrt(root))) / dd;
  return true;
}

/// Above each other: where the rim crosses the line of an edge, seen along its axis, `t` from its start.
bool startOnEdge(const Element& rim, const Element& edge, bool second, double& t, Vec& near, Vec& normal) {
  const double up = dot(edge.axis, rim.axis);
  if (std::fabs(up) > kSteep) return false;
  const Vec from = edge.p - rim.p, p = from - dot(from, rim.axis) * rim.axis, d = edge.axis - up * rim.axis;
  if (!crossLine(p, d, rim.radius, second, t)) return false;
  near = edge.p + t * edge.axis;
  const Vec radial = p + t * d, tangent = cross(rim.axis, radial);
  normal = cross(edge.axis, tangent);
  normal = ((dot(normal, rim.axis) > 0.0 ? 1.0 : -1.0) / norm(normal)) * normal;
  return true;
}

/// Two circles whose planes are nearly parallel: those that they are in the plane of the first.
bool startOnRim(const Element& rim, const Element& other, bool second, Vec& near, Vec& normal) {
  if (std::fabs(dot(rim.axis, other.axis)) < kSteep) return false;
  const Vec from = other.p - rim.p, p = from - dot(from, rim.axis) * rim.axis;
  const double distance = norm(p),
               along = (distance * distance + rim.radius * rim.radius - other.radius * other.radius) /
                       (2.0 * std::max(distance, 1e-300));
  const double square = rim.radius * rim.radius - along * along;
  if (!(square > kHardly * kHardly * rim.radius * rim.radius) || !(distance > 0.0)) return false;
  const Vec direction = (1.0 / distance) * p, sideways = cross(rim.axis, direction);
  near = rim.p + along * direction + (second ? std::sqrt(square) : -std::sqrt(square)) * sideways;
  normal = rim.axis;
  return true;
}

/// The line of a cone's side that looks along n most, from the apex.
Element generatorAlong(const PlacedSolid& cone, const Vec& n) {
  Element side = elementOf(cone, numberOf(ElementOf::kConeSide, 0));
  const Vec out = n - dot(n, side.axis) * side.axis;
  const double length = norm(out);
  const Vec along = (length > 0.0 ? side.slope / length : 0.0) * out - side.axis;
  return {.kind = ElementKind::kLine, .p = side.p, .axis = (1.0 / norm(along)) * along};
}

/// True if the points of a rim to either side of this one are farther away from a round side.
bool isNearest(const Element& rim, const Element& side, const Vec& point) {
  constexpr double kBeside = 1e-3;  // [rad]
  const Vec radial = point - rim.p, across = cross(rim.axis, radial);
  const double gap = lookBeside(side, point).gap;
  const auto gapAt = [&](double angle) {
    return lookBeside(side, point + angle * across - 0.5 * angle * angle * radial).gap;
  };
  return gapAt(kBeside) >= gap && gapAt(-kBeside) >= gap;
}

bool isNextTo(const Element& rim, const Vec& near, const Vec& point) {
  constexpr double kNext = 0.95;  // cosine
  return dot(near - rim.p, point - rim.p) > kNext * norm(near - rim.p) * rim.radius;
}

/// True if a point is that of the other crossing of a rim with a side.
bool isOther(const Element& rim, const RimSpots& spots, bool second, const Vec& point) {
  constexpr double kSame = 1e-6;  // of the radius
  return spots.count == 2 && norm(point - rim.p - rim.radius * spots.radial[second ? 0 : 1]) < kSame * rim.radius;
}

}  // namespace

LowestOnRim findLowest(const PlacedSolid& faced, int face, const PlacedSolid& round, int disc) {
  const Disc& d = round.solid->discs[disc];
  const Vec n = transposeTimes(round.X_WS.R, faced.normal(face));
  const double tilt = std::sqrt(n.x * n.x + n.y * n.y);
  if (!(tilt > 0.0)) return {d.centre + Vec{d.radius, 0.0, 0.0}, 0.0, 0.0};
  const double bulge = d.radius * tilt * (1.0 - sincos(std::numbers::pi / kFixedRimPoints).cos);
  return {d.centre - (d.radius / tilt) * Vec{n.x, n.y, 0.0}, tilt, bulge};
}

int lowestRimPoint(const PlacedSolid& faced, int face, const PlacedSolid& round, int disc) {
  const Vec point = findLowest(faced, face, round, disc).point;
  const double turns = arctan2(point.y, point.x) / (2.0 * std::numbers::pi);
  return rimPoint(disc, kCoarseAzimuth * static_cast<int>(std::lround(turns * (kAzimuths / kCoarseAzimuth))));
}

double chordEndOnCone(const PlacedSolid& round, int disc, const PlacedSolid& cone, bool second) {
  const Element rim = rimElement(round, disc);
  Vec near, normal;
  double t;
  return startOnEdge(rim, generatorAlong(cone, -rim.axis), second, t, near, normal) ? t : 0.0;
}

bool faceCrossing(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b, Facing& facing) {
  const auto [i, j] = features.feature;
  const bool second = ((i | j) & kSecondCrossing) != 0, rim_a = (i & kRim) != 0, rim_b = (j & kRim) != 0;
  if (rim_a && rim_b) {
    const Element on_a = rimElement(a, i & 1), on_b = rimElement(b, j & 1);
    Vec near, normal;
    return startOnRim(on_a, on_b, second, near, normal) && faceElements(on_a, on_b, normal, facing, &near);
  }
  const PlacedSolid &round = rim_a ? a : b, &straight = rim_a ? b : a;
  const int edge = rim_a ? j : i;
  const Element rim = rimElement(round, (rim_a ? i : j) & 1);
  const bool cone = (edge & kSideOfCone) != 0 && straight.solid->kind == ShapeKind::kCone;
  const Element line = cone ? generatorAlong(straight, -rim.axis) : edgeElement(straight, edge);
  Vec near, normal;  // out of the disc
  double t;
  if (!startOnEdge(rim, line, second, t, near, normal)) return false;
  const Element side = cone ? elementOf(straight, numberOf(ElementOf::kConeSide, 0)) : line;
  const auto face = [&] {
    return rim_a ? faceElements(rim, side, normal, facing, &near) : faceElements(side, rim, -normal, facing, &near);
  };
  const bool found = face(), round_side = cone || line.radius > 0.0;
  if (!round_side) return found;
  // beside a strongly bent side, or next to the apex of a cone, the search for a normal may end at the other crossing or nowhere
  const Vec point = rim_a ? facing.point_a : facing.point_b;
  const bool nearest = found && isNearest(rim, side, point);
  if (nearest && isNextTo(rim, near, point)) return true;
  const RimSpots spots = findRimSpots(rim, side);
  if (nearest && !isOther(rim, spots, second, point)) return true;
  return spots.count > 0 &&
         faceSpot(rim, side, spots.radial[second ? spots.count - 1 : 0], rim_a, features.normal, facing);
}

}  // namespace rigor
