#include "verify/distance.h"

#include <algorithm>

#include "verify/direction_search.h"
#include "verify/surface.h"

namespace rigor::verify {
namespace {

constexpr Real kInfinite = std::numeric_limits<Real>::infinity();

Vec nearestOnLine(const Vec& a, const Vec& b, const Vec& from) {
  const Vec along = b - a;
  const Real length = dot(along, along);
  return length > 0 ? a + std::clamp<Real>(dot(from - a, along) / length, 0, 1) * along : a;
}

Vec nearestOnPolygon(const PlacedSolid& solid, int face, const Vec& from) {
  const std::vector<int>& loop = solid.solid->faces[face];
  const Vec& n = solid.normals[face];
  const Vec foot = from - dot(n, from - solid.corners[loop[0]]) * n;
  Vec best = foot;
  Real least = kInfinite;
  bool inside = true;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec &a = solid.corners[loop[i]], &b = solid.corners[loop[(i + 1) % loop.size()]];
    if (dot(cross(b - a, foot - a), n) >= 0) continue;
    inside = false;
    const Vec point = nearestOnLine(a, b, from);
    if (norm(point - from) < least) least = norm(point - from), best = point;
  }
  return inside ? foot : best;
}

/// The nearest pair so far of points of two cores.
struct NearestPair {
  Real distance = kInfinite;
  Vec way;

  void offer(const Vec& a, const Vec& b) {
    const Real between = norm(b - a);
    if (between < distance) distance = between, way = b - a;
  }
};

/// Where neither line ends first: then the ends are looked at by whoever asks.
void offerCrossing(const Vec& a0, const Vec& a, const Vec& b0, const Vec& b, NearestPair& nearest) {
  const Vec across = cross(a, b), way = b0 - a0;
  const Real square = dot(across, across);
  if (square == 0) return;
  const Real s = dot(cross(way, b), across) / square, t = dot(cross(way, a), across) / square;
  if (s >= 0 && s <= 1 && t >= 0 && t <= 1) nearest.offer(a0 + s * a, b0 + t * b);
}

/// Distance of cores that do not overlap: corners against faces and edges of the other side, edges against edges.
NearestPair nearestOfCores(const PlacedSolid& a, const PlacedSolid& b) {
  NearestPair nearest;
  for (const Vec& corner : a.corners) nearest.offer(corner, nearestOnCore(b, corner).point);
  for (const Vec& corner : b.corners) nearest.offer(nearestOnCore(a, corner).point, corner);
  for (int i = 0; i < static_cast<int>(a.solid->edges.size()); ++i)
    for (int j = 0; j < static_cast<int>(b.solid->edges.size()); ++j)
      offerCrossing(a.edgeStart(i), a.edge(i), b.edgeStart(j), b.edge(j), nearest);
  return nearest;
}

/// Separation along n if it is more than `best`, else −∞. `least_b` is what some point of b has along n.
Real separationIfBetter(const PlacedSolid& a, const PlacedSolid& b, const Vec& n, Real least_b, Real best) {
  const Real radii = a.solid->radius + b.solid->radius;
  Real most_a = -kInfinite;
  for (const Vec& corner : a.corners) {
    most_a = std::max(most_a, dot(n, corner));
    if (least_b - most_a - radii <= best) return -kInfinite;
  }
  for (const Vec& corner : b.corners) {
    least_b = std::min(least_b, dot(n, corner));
    if (least_b - most_a - radii <= best) return -kInfinite;
  }
  return least_b - most_a - radii;
}

/// Whether a face of the difference of two polytopes may belong to a pair of edges: it does where the arcs cross that their
/// normals, those of b turned round, go on the sphere from one face beside the edge to the other.
bool mayMakeFace(const PlacedSolid& a, int edge_a, const PlacedSolid& b, int edge_b) {
  constexpr Real kClear = 1e-14L;
  if (a.solid->beside.empty() || b.solid->beside.empty()) return true;
  const Vec &p = a.normals[a.solid->beside[edge_a][0]], &q = a.normals[a.solid->beside[edge_a][1]];
  const Vec &r = b.normals[b.solid->beside[edge_b][0]], &s = b.normals[b.solid->beside[edge_b][1]];
  const Vec across_a = cross(p, q), across_b = cross(r, s);
  const Real side_r = -dot(across_a, r), side_s = -dot(across_a, s), side_p = dot(across_b, p),
             side_q = dot(across_b, q);
  return side_r * side_s <= kClear && side_p * side_q <= kClear && side_r * side_q >= -kClear;
}

/// Directions that the least overlap of two polyhedra can have: normals of faces and across pairs of edges.
Separation separateFlat(const PlacedSolid& a, const PlacedSolid& b, const Vec& hint) {
  Separation best{-kInfinite, {0, 0, 1}};
  const auto offer = [&](const Vec& n, const Vec& point_of_b) {
    const Real distance = separationIfBetter(a, b, n, dot(n, point_of_b), best.distance);
    if (distance > best.distance) best = {distance, n};
  };
  if (dot(hint, hint) > 0) offer(hint, b.corners[0]);
  for (const Vec& n : a.normals) offer(n, b.corners[0]);
  for (const Vec& n : b.normals) offer(-n, b.corners[0]);
  for (int i = 0; i < static_cast<int>(a.solid->edges.size()); ++i) {
    const Vec along_a = a.edge(i);
    for (int j = 0; j < static_cast<int>(b.solid->edges.size()); ++j) {
      if (!mayMakeFace(a, i, b, j)) continue;
      const Vec along_b = b.edge(j), across = cross(along_a, along_b);
      const Real length = norm(across);
      if (length <= 1e-12L * norm(along_a) * norm(along_b)) continue;  // parallel: the faces beside them tell as much
      const Vec n = (1 / length) * across;
      for (const Vec& way : {n, -n}) offer(way, b.edgeStart(j));
    }
  }
  return best;
}

/// The lowest corner of a surface over a half space; from the surface down to it.
Separation separateFromPlane(const PlacedSolid& surface, const PlacedSolid& plane) {
  Real least = kInfinite;
  for (int i = 0; i < static_cast<int>(surface.solid->corners.size()); ++i)
    least = std::min(least, dot(plane.X.R.z, surface.corner(i) - plane.X.p));
  return {least, -plane.X.R.z};
}

bool hasFaces(const PlacedSolid& solid) { return !solid.solid->faces.empty(); }

Separation separateCores(const PlacedSolid& a, const PlacedSolid& b, const Vec& hint) {
  const Real radii = a.solid->radius + b.solid->radius;
  const bool flat = hasFaces(a) || hasFaces(b);
  Separation best{-kInfinite, {0, 0, 1}};
  if (flat) best = separateFlat(a, b, hint);
  if (flat && best.distance <= -radii) return best;  // the cores themselves overlap
  const NearestPair nearest = nearestOfCores(a, b);
  const Separation round{nearest.distance - radii,
                         nearest.distance > 0 ? (1 / nearest.distance) * nearest.way : best.direction};
  return round.distance > best.distance ? round : best;
}

}  // namespace

Nearest nearestOnCore(const PlacedSolid& solid, const Vec& from) {
  Nearest nearest;
  Real least = kInfinite, highest = -kInfinite;
  const auto offer = [&](const Vec& point) {
    const Real distance = norm(point - from);
    if (distance < least) least = distance, nearest.point = point;
  };
  if (!hasFaces(solid)) {
    for (const Vec& corner : solid.corners) offer(corner);
    for (const auto& [i, j] : solid.solid->edges) offer(nearestOnLine(solid.corners[i], solid.corners[j], from));
    return nearest;
  }
  int highest_face = 0;
  for (int face = 0; face < static_cast<int>(solid.normals.size()); ++face) {
    const Vec& corner = solid.corners[solid.solid->faces[face][0]];
    const Real height = dot(solid.normals[face], from - corner);
    if (height > highest) highest = height, highest_face = face;
    if (height > 0) offer(nearestOnPolygon(solid, face, from));
  }
  if (highest <= 0) return {from - highest * solid.normals[highest_face], highest_face};
  return nearest;
}

Real separationAlong(const PlacedSolid& a, const PlacedSolid& b, const Vec& n) {
  return -reachOf(b, -n) - reachOf(a, n);
}

Separation findSeparation(const PlacedSolid& a, const PlacedSolid& b, const Vec& hint) {
  if (b.solid->kind == SolidKind::kSurface) {
    const Separation turned = a.solid->kind == SolidKind::kHalfSpace ? separateFromPlane(b, a) : separateSurface(b, a);
    return {turned.distance, -turned.direction};
  }
  if (a.solid->kind == SolidKind::kSurface) return separateSurface(a, b);
  for (const PlacedSolid* side : {&a, &b})
    if (side->solid->kind == SolidKind::kHalfSpace) {
      const Vec n = side == &a ? a.X.R.z : -b.X.R.z;
      return {separationAlong(a, b, n), n};
    }
  if (a.solid->kind == SolidKind::kGrown && b.solid->kind == SolidKind::kGrown) return separateCores(a, b, hint);
  return searchDirections(a, b, hint);
}

}  // namespace rigor::verify
