#include "verify/facing.h"

#include <algorithm>

#include "verify/distance.h"
#include "verify/surface.h"

namespace rigor::verify {
namespace {

constexpr int kMost = 8;              // unknowns: two ways on each element, normal, gap
constexpr Real kDifference = 1e-9L;   // of a unit of any unknown, for the Jacobian
constexpr Real kSettled = 1e-17L;     // [m] that is left of the equations
constexpr Real kGoodEnough = 1e-15L;  // [m] where rounding ends it earlier

using Unknowns = std::array<Real, kMost>;

Vec unitOf(const Vec& v) { return (1 / norm(v)) * v; }
Vec acrossOf(const Vec& axis, const Vec& v) { return v - dot(axis, v) * axis; }
Vec anyAcross(const Vec& axis) {
  return unitOf(acrossOf(axis, std::fabs(axis.x) < 0.6L ? Vec{1, 0, 0} : Vec{0, 1, 0}));
}

int waysOf(const Element& e) {
  if (e.kind == ElementKind::kConeSide) return 2;
  return e.kind == ElementKind::kLine || e.kind == ElementKind::kCircle ? 1 : 0;
}

/// A point of an element and the directions in which it may move.
struct Place {
  Vec x, way[2];
};

Place placeOn(const Element& e, const Real* at, const Vec& outward) {
  switch (e.kind) {
    case ElementKind::kPoint:
      return {e.p + e.radius * outward, {}};
    case ElementKind::kLine:
      return {e.p + at[0] * e.axis + e.radius * outward, {e.axis}};
    case ElementKind::kRim:
      return {e.p + e.radius * unitOf(acrossOf(e.axis, outward)), {}};
    case ElementKind::kEllipsoid: {
      const Vec d = transpose(e.R) * outward;
      const Vec scaled{e.size.x * e.size.x * d.x, e.size.y * e.size.y * d.y, e.size.z * e.size.z * d.z};
      return {e.p + (1 / std::sqrt(dot(d, scaled))) * (e.R * scaled), {}};
    }
    case ElementKind::kCircle:
    case ElementKind::kConeSide:
      break;
  }
  const Vec side = anyAcross(e.axis), other = cross(e.axis, side);
  const Real angle = at[waysOf(e) - 1];
  const Vec radial = std::cos(angle) * side + std::sin(angle) * other, around = cross(e.axis, radial);
  if (e.kind == ElementKind::kCircle) return {e.p + e.radius * radial, {e.radius * around}};
  const Vec down = e.slope * radial - e.axis;
  return {e.p + at[0] * down, {down, (at[0] * e.slope) * around}};
}

void guess(const Element& e, const Vec& near, Real* at) {
  const Vec way = near - e.p, side = anyAcross(e.axis), other = cross(e.axis, side);
  if (e.kind == ElementKind::kLine) at[0] = dot(e.axis, way);
  if (e.kind == ElementKind::kConeSide) at[0] = -dot(e.axis, way);
  if (e.kind == ElementKind::kCircle || e.kind == ElementKind::kConeSide)
    at[waysOf(e) - 1] = std::atan2(dot(way, other), dot(way, side));
}

/// Unknowns: ways on both, normal, gap. The equations are as many.
struct System {
  const Element &first, &second;
  int ways_1, ways_2, count;

  System(const Element& a, const Element& b)
      : first(a), second(b), ways_1(waysOf(a)), ways_2(waysOf(b)), count(ways_1 + ways_2 + 4) {}

  Vec normalOf(const Unknowns& z) const {
    const int k = ways_1 + ways_2;
    return {z[k], z[k + 1], z[k + 2]};
  }
  Unknowns miss(const Unknowns& z) const {
    const Vec n = normalOf(z);
    const Place a = placeOn(first, z.data(), n), b = placeOn(second, z.data() + ways_1, -n);
    const Vec rest = b.x - a.x - z[count - 1] * n;
    Unknowns r{rest.x, rest.y, rest.z, dot(n, n) - 1};
    for (int i = 0; i < ways_1; ++i) r[4 + i] = dot(n, a.way[i]);
    for (int i = 0; i < ways_2; ++i) r[4 + ways_1 + i] = dot(n, b.way[i]);
    return r;
  }
};

/// The side of a cone has an inside as well, and goes on beyond the apex: neither counts.
bool isOutside(const Element& e, const Real* at, const Vec& outward) {
  if (e.kind != ElementKind::kConeSide) return true;
  return at[0] > 0 && dot(acrossOf(e.axis, placeOn(e, at, outward).x - e.p), outward) > 0;
}

/// Solves J s = r by elimination with pivots; false if J is singular.
bool solve(std::array<Unknowns, kMost>& J, Unknowns& r, int count) {
  for (int k = 0; k < count; ++k) {
    int pivot = k;
    for (int i = k + 1; i < count; ++i)
      if (std::fabs(J[i][k]) > std::fabs(J[pivot][k])) pivot = i;
    if (std::fabs(J[pivot][k]) < 1e-16L) return false;
    std::swap(J[k], J[pivot]), std::swap(r[k], r[pivot]);
    for (int i = 0; i < count; ++i) {
      if (i == k) continue;
      const Real factor = J[i][k] / J[k][k];
      for (int j = k; j < count; ++j) J[i][j] -= factor * J[k][j];
      r[i] -= factor * r[k];
    }
  }
  for (int k = 0; k < count; ++k) r[k] /= J[k][k];
  return true;
}

Real largest(const Unknowns& r, int count) {
  Real most = 0;
  for (int i = 0; i < count; ++i) {
    if (std::isnan(r[i])) return r[i];
    most = std::max(most, std::fabs(r[i]));
  }
  return most;
}

}  // namespace

std::optional<Facing> faceElements(const Element& first, const Element& second, const Vec& normal, const Vec& near) {
  const System system(first, second);
  Unknowns z{};
  guess(first, near, z.data()), guess(second, near, z.data() + system.ways_1);
  const int k = system.ways_1 + system.ways_2;
  z[k] = normal.x, z[k + 1] = normal.y, z[k + 2] = normal.z;
  // a corner above a rim determines the normal only together with a gap
  z[k + 3] = dot(normal, placeOn(second, z.data() + system.ways_1, -normal).x - placeOn(first, z.data(), normal).x);
  Real left = 1;
  for (int pass = 0; pass < 40 && left > kSettled; ++pass) {
    Unknowns r = system.miss(z);
    const Real now = largest(r, system.count);
    if (pass > 8 && now <= kGoodEnough && now >= left) break;
    left = now;
    std::array<Unknowns, kMost> J{};
    for (int j = 0; j < system.count; ++j) {
      Unknowns moved = z;
      moved[j] += kDifference;
      const Unknowns there = system.miss(moved);
      for (int i = 0; i < system.count; ++i) J[i][j] = (there[i] - r[i]) / kDifference;
    }
    if (!solve(J, r, system.count)) return {};
    const Real turn = norm({r[k], r[k + 1], r[k + 2]}), share = turn > 0.3L ? 0.3L / turn : 1;
    for (int i = 0; i < system.count; ++i) z[i] -= share * r[i];
  }
  const Vec n = system.normalOf(z);
  if (!(left <= kGoodEnough) || dot(n, normal) < 0.7L) return {};
  if (!isOutside(first, z.data(), n) || !isOutside(second, z.data() + system.ways_1, -n)) return {};
  const Place a = placeOn(first, z.data(), n), b = placeOn(second, z.data() + system.ways_1, -n);
  return Facing{n, z[system.count - 1], a.x, b.x};
}

Vec placeOnEllipsoid(const PlacedSolid& solid, const Vec& outward) {
  return placeOn({ElementKind::kEllipsoid, solid.X.p, {}, 0, 0, solid.solid->size, solid.X.R}, nullptr, outward).x;
}

Vec nearestOnRound(const PlacedSolid& solid, const Vec& from) {
  const Solid& s = *solid.solid;
  const Vec local = transpose(solid.X.R) * (from - solid.X.p);
  if (s.kind == SolidKind::kEllipsoid) {
    const Vec d =
        unitOf({local.x / (s.size.x * s.size.x), local.y / (s.size.y * s.size.y), local.z / (s.size.z * s.size.z)});
    const Element ball{ElementKind::kPoint, from, {}, 0, 0, {}, {}};
    const auto facing =
        faceElements({ElementKind::kEllipsoid, solid.X.p, {}, 0, 0, s.size, solid.X.R}, ball, solid.X.R * d, from);
    return facing ? facing->point_1 : solid.X.p;
  }
  // in the half plane of the point: the outline from the axis above to the axis below
  const Real across = std::sqrt(local.x * local.x + local.y * local.y);
  const Vec radial = across > 0 ? Vec{local.x / across, local.y / across, 0} : Vec{1, 0, 0};
  std::vector<Vec> outline{{0, 0, s.size.y}, {s.size.x, 0, -s.size.y}, {0, 0, -s.size.y}};
  if (s.isCylinder()) outline.insert(outline.begin() + 1, Vec{s.size.x, 0, s.size.y});
  const Vec flat{across, 0, local.z};
  Vec best = outline[0];
  for (std::size_t i = 0; i + 1 < outline.size(); ++i) {
    const Vec along = outline[i + 1] - outline[i];
    const Real share = std::clamp<Real>(dot(flat - outline[i], along) / dot(along, along), 0, 1);
    const Vec point = outline[i] + share * along;
    if (norm(point - flat) < norm(best - flat)) best = point;
  }
  return solid.X.p + solid.X.R * (best.x * radial + Vec{0, 0, best.z});
}

Element edgeOf(const PlacedSolid& solid, int edge) {
  const Vec along = solid.edge(edge);
  return {ElementKind::kLine, solid.edgeStart(edge), (1 / norm(along)) * along, solid.edgeRadius(), 0, {}, {}};
}

Element circleOf(const PlacedSolid& solid, int disc, ElementKind kind) {
  return {kind, solid.facePoint(disc), solid.faceNormal(disc), solid.solid->size.x, 0, {}, {}};
}

Element coneSideOf(const PlacedSolid& solid) {
  const Vec& s = solid.solid->size;
  return {ElementKind::kConeSide, solid.corners[0], solid.X.R.z, 0, s.x / (2 * s.y), {}, {}};
}

std::optional<Element> elementAlong(const PlacedSolid& solid, const Vec& outward) {
  constexpr Real kSame = 1e-7L;  // of the size, or of the sine
  const Solid& s = *solid.solid;
  const Real up = dot(outward, solid.X.R.z);
  const auto point = [&](int corner) {
    return Element{ElementKind::kPoint, solid.corners[corner], {}, s.radius, 0, {}, {}};
  };
  if (s.kind == SolidKind::kEllipsoid) return Element{ElementKind::kEllipsoid, solid.X.p, {}, 0, 0, s.size, solid.X.R};
  if (s.kind == SolidKind::kCylinder) {
    if (std::sqrt(std::max<Real>(0, 1 - up * up)) < kSame) return {};  // a disc
    return std::fabs(up) < kSame ? edgeOf(solid, 0) : circleOf(solid, up > 0 ? 1 : 0, ElementKind::kRim);
  }
  if (s.kind == SolidKind::kCone) {
    const Real sine = s.size.x / std::sqrt(s.size.x * s.size.x + 4 * s.size.y * s.size.y);
    if (up > sine + kSame) return point(0);
    if (up > sine - kSame) return coneSideOf(solid);
    if (up < 0 && 1 - up * up < kSame * kSame) return {};  // the disc
    return circleOf(solid, 0, ElementKind::kRim);
  }
  std::vector<int> top;
  Real most = -std::numeric_limits<Real>::infinity();
  for (const Vec& corner : solid.corners) most = std::max(most, dot(outward, corner));
  for (int i = 0; i < static_cast<int>(solid.corners.size()); ++i)
    if (dot(outward, solid.corners[i]) > most - kSame * s.bound) top.push_back(i);
  if (top.size() == 1) return point(top[0]);
  for (int e = 0; e < static_cast<int>(s.edges.size()) && top.size() == 2; ++e)
    if (std::minmax(s.edges[e][0], s.edges[e][1]) == std::minmax(top[0], top[1])) return edgeOf(solid, e);
  return {};
}

Real outsideOf(const PlacedSolid& solid, const Vec& point) {
  const Solid& s = *solid.solid;
  const Vec local = transpose(solid.X.R) * (point - solid.X.p);
  if (s.kind == SolidKind::kHalfSpace) return std::max<Real>(0, local.z);
  if (s.kind == SolidKind::kSurface) return distanceFromTriangles(s, local);
  if (s.kind == SolidKind::kGrown) {
    const Nearest nearest = nearestOnCore(solid, point);
    return nearest.inside_face >= 0 ? 0 : std::max<Real>(0, norm(nearest.point - point) - s.radius);
  }
  if (s.kind == SolidKind::kEllipsoid) {
    const Real share = norm({local.x / s.size.x, local.y / s.size.y, local.z / s.size.z});
    return share > 1 ? (1 - 1 / share) * norm(local) : 0;
  }
  const Real across = std::sqrt(local.x * local.x + local.y * local.y), up = (local.z + s.size.y) / (2 * s.size.y);
  const bool inside = std::fabs(local.z) <= s.size.y && across <= (s.isCylinder() ? s.size.x : s.size.x * (1 - up));
  return inside ? 0 : norm(nearestOnRound(solid, point) - point);
}

}  // namespace rigor::verify
