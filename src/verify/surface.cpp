#include "verify/surface.h"

#include <algorithm>
#include <numbers>

namespace rigor::verify {
namespace {

constexpr Real kInfinite = std::numeric_limits<Real>::infinity();

struct Box {
  Vec low{kInfinite, kInfinite, kInfinite}, high{-kInfinite, -kInfinite, -kInfinite};

  void grow(const Vec& p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  bool holds(const Vec& p) const {
    return p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x && p.y <= high.y && p.z <= high.z;
  }
};

Real distanceOf(const Box& a, const Box& b) {
  const auto gap = [](Real low_a, Real high_a, Real low_b, Real high_b) {
    return std::max({low_a - high_b, low_b - high_a, Real(0)});
  };
  return norm({gap(a.low.x, a.high.x, b.low.x, b.high.x), gap(a.low.y, a.high.y, b.low.y, b.high.y),
               gap(a.low.z, a.high.z, b.low.z, b.high.z)});
}

/// Around a solid, in the frame of a surface.
Box boxAround(const PlacedSolid& solid, const Pose& X) {
  const auto reach = [&](const Vec& axis) { return reachOf(solid, axis) - dot(axis, X.p); };
  Box box;
  box.low = {-reach(-X.R.x), -reach(-X.R.y), -reach(-X.R.z)};
  box.high = {reach(X.R.x), reach(X.R.y), reach(X.R.z)};
  return box;
}

int triangleCount(const Solid& surface) {
  return static_cast<int>(surface.two_sided ? surface.faces.size() / 2 : surface.faces.size());
}

/// The solid angle of a triangle seen from a point [sr], positive from behind.
Real solidAngle(const Vec& a, const Vec& b, const Vec& c) {
  const Real la = norm(a), lb = norm(b), lc = norm(c);
  return 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

/// A point in the frame of the surface: inside, where it is closed; else under it along z, as under a height field.
bool isBehind(const Solid& surface, const Vec& point) {
  Real angle = 0;
  bool under = false;
  for (const std::vector<int>& face : surface.faces) {
    const Vec a = surface.corners[face[0]] - point, b = surface.corners[face[1]] - point,
              c = surface.corners[face[2]] - point;
    if (surface.closed) {
      angle += solidAngle(a, b, c);
      continue;
    }
    const auto left = [](const Vec& from, const Vec& to) { return from.x * to.y - from.y * to.x >= 0; };
    under = under || (left(a, b) && left(b, c) && left(c, a) && dot(cross(b - a, c - a), a) > 0);
  }
  return under || angle > 2 * std::numbers::pi_v<Real>;
}

}  // namespace

Separation separateSurface(const PlacedSolid& placed, const PlacedSolid& solid) {
  const Solid& surface = *placed.solid;
  const Box box = boxAround(solid, placed.X);
  Separation best{kInfinite, {0, 0, 1}};
  Real farther = kInfinite;
  Box around;
  for (int t = 0; t < triangleCount(surface); ++t) {
    Box of_triangle;
    for (const int corner : surface.faces[t]) of_triangle.grow(surface.corners[corner]);
    around.grow(of_triangle.low), around.grow(of_triangle.high);
    const Real distance = distanceOf(box, of_triangle);
    if (distance > 0) {
      farther = std::min(farther, distance);
      continue;
    }
    const Solid thin = solidOfFace(surface, t);
    const PlacedSolid piece = placeAt(thin, placed.X);
    const Separation found = findSeparation(piece, solid, {});
    if (found.distance < best.distance) best = found;
  }
  best.distance = std::min(best.distance, farther);
  if (best.distance < 0 || surface.two_sided) return best;
  const Vec centre = transpose(placed.X.R) * (solid.X.p - placed.X.p);
  around.low.z = surface.closed ? around.low.z : -kInfinite;
  if (around.holds(centre) && isBehind(surface, centre)) best.distance = -best.distance - solid.solid->thickness / 2;
  return best;
}

OverTriangle findOverTriangle(const PlacedSolid& placed, int face, const Vec& from) {
  const std::vector<int>& loop = placed.solid->faces[face];
  const std::array<bool, 3>& ends = placed.solid->ends[face];
  const Vec corners[3] = {placed.corner(loop[0]), placed.corner(loop[1]), placed.corner(loop[2])};
  const Vec n = placed.faceNormal(face);
  OverTriangle found;
  found.height = dot(n, from - corners[0]);
  const Vec foot = from - found.height * n;
  Real least = kInfinite;
  found.point = foot, found.over = true;
  for (int k = 0; k < 3; ++k) {
    const Vec &a = corners[k], along = corners[(k + 1) % 3] - a;
    if (!ends[k] || dot(cross(along, foot - a), n) >= 0) continue;
    Real share = dot(foot - a, along) / dot(along, along);
    if (ends[(k + 2) % 3]) share = std::max<Real>(share, 0);
    if (ends[(k + 1) % 3]) share = std::min<Real>(share, 1);
    const Vec point = a + share * along;
    if (norm(point - foot) < least) least = norm(point - foot), found.point = point, found.over = false;
  }
  return found;
}

Real distanceFromTriangles(const Solid& surface, const Vec& point) {
  Box here;
  here.grow(point);
  Real least = kInfinite;
  for (int t = 0; t < triangleCount(surface); ++t) {
    Box box;
    for (const int corner : surface.faces[t]) box.grow(surface.corners[corner]);
    if (distanceOf(box, here) >= least) continue;
    const Solid thin = solidOfFace(surface, t);
    least = std::min(least, norm(nearestOnCore(placeAt(thin, {}), point).point - point));
  }
  return least;
}

Solid solidOfFace(const Solid& surface, int face) {
  Solid thin;
  thin.kind = SolidKind::kGrown;
  for (const int corner : surface.faces[face]) {
    thin.corners.push_back(surface.corners[corner]);
    thin.bound = std::max(thin.bound, norm(thin.corners.back()));
  }
  thin.edges = {{0, 1}, {1, 2}, {2, 0}};
  thin.faces = {{0, 1, 2}, {0, 2, 1}};
  thin.normals = {surface.normals[face], -surface.normals[face]};
  return thin;
}

}  // namespace rigor::verify
