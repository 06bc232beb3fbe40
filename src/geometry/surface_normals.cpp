#include "geometry/surface_normals.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kAcross = 1e-6;  // cosine: so little may rise beside a normal
constexpr double kBeside = 1e-9;  // of the size of a triangle: so near it, a point is above it
constexpr double kTie = 1e-12;    // cosine: edges that rise alike

Vec unit(const Vec& a) { return (1.0 / norm(a)) * a; }

/// From an edge into one of its triangles, across the edge.
Vec intoTriangle(const Surface& surface, int edge, int triangle) {
  int k = 0;
  while (surface.edgeOf(triangle, k) != edge) ++k;
  return cross(surface.normal(triangle), unit(surface.vertexOf(triangle, (k + 1) % 3) - surface.vertexOf(triangle, k)));
}

/// May an edge push at all?
bool isSharp(const Surface& surface, int edge) {
  const Bend bend = surface.bend[edge];
  return bend != Bend::kFlat && (bend != Bend::kConcave || surface.two_sided);
}

Vec nearestOnSegment(const Vec& a, const Vec& b, const Vec& from, double& share) {
  const Vec along = b - a;
  share = std::clamp(dot(from - a, along) / dot(along, along), 0.0, 1.0);
  return a + share * along;
}

/// Whether a face, seen from its front, ends at its side k: beyond it the surface falls away, or there is none.
bool endsAt(const Surface& surface, int face, int k) {
  const Bend bend = surface.bend[surface.core.corner_edge[3 * face + k]];
  return bend == Bend::kOpen || bend == Bend::kMany ||
         bend == (face < surface.triangles ? Bend::kConvex : Bend::kConcave);
}

double distanceOfSegments(const Vec& a, const Vec& to_a, const Vec& b, const Vec& to_b) {
  const Vec u = to_a - a, v = to_b - b, w = a - b;
  const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w), det = uu * vv - uv * uv;
  double s = det > 1e-14 * uu * vv ? std::clamp((uv * vw - vv * uw) / det, 0.0, 1.0) : 0.0;
  const double t = std::clamp((uv * s + vw) / vv, 0.0, 1.0);
  if (uu > 0.0) s = std::clamp((uv * t - uw) / uu, 0.0, 1.0);
  return norm((a + s * u) - (b + t * v));
}

/// The solid angle that a triangle fills seen from a point, positive from behind [sr] (van Oosterom and Strackee).
double solidAngle(const Surface& surface, int triangle, const Vec& from) {
  const Vec a = surface.vertexOf(triangle, 0) - from, b = surface.vertexOf(triangle, 1) - from,
            c = surface.vertexOf(triangle, 2) - from;
  const double la = norm(a), lb = norm(b), lc = norm(c);
  return 2.0 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

}  // namespace

bool edgeHasNormal(const Surface& surface, int edge, const Vec& n) {
  if (!isSharp(surface, edge)) return false;
  const Polytope::Edge& e = surface.core.edges[edge];
  if (std::fabs(dot(n, unit(surface.core.vertices[e.vertex[1]] - surface.core.vertices[e.vertex[0]]))) > kAcross)
    return false;
  for (int i = surface.edge_face_start[edge]; i < surface.edge_face_start[edge + 1]; ++i) {
    const int triangle = surface.edge_face[i];
    if (dot(n, intoTriangle(surface, edge, triangle)) > kAcross) return false;
    if (surface.bend[edge] == Bend::kOpen && !surface.two_sided && dot(n, surface.normal(triangle)) < -kAcross)
      return false;
  }
  return true;
}

bool vertexHasNormal(const Surface& surface, int vertex, const Vec& n) {
  const Polytope& core = surface.core;
  const auto rise = [&](int k) { return dot(n, unit(core.vertices[core.neighbour[k]] - core.vertices[vertex])); };
  const int first = core.neighbour_start[vertex], end = core.neighbour_start[vertex + 1];
  double most = -1.0;
  for (int k = first; k < end; ++k) most = std::max(most, rise(k));
  if (most > kAcross) return false;
  // the highest edge is one of the hull of them all: it tells a peak from a pit
  for (int k = first; k < end; ++k) {
    const int edge = core.neighbour_edge[k];
    if (rise(k) < most - kTie || !isSharp(surface, edge)) continue;
    const bool border = surface.bend[edge] == Bend::kOpen && !surface.two_sided;
    if (!border || dot(n, surface.normal(core.edges[edge].face[0])) >= -kAcross) return true;
  }
  return false;
}

bool triangleHasNormal(const Surface& surface, int triangle, const Vec& n) {
  int top = 0;
  for (int k = 1; k < 3; ++k)
    if (dot(n, surface.vertexOf(triangle, k) - surface.vertexOf(triangle, top)) > 0.0) top = k;
  const int after = (top + 1) % 3, before = (top + 2) % 3;
  const auto isLevel = [&](int k) {
    return dot(n, unit(surface.vertexOf(triangle, k) - surface.vertexOf(triangle, top))) > -kAcross;
  };
  const bool level_after = isLevel(after), level_before = isLevel(before);
  if (level_after && level_before) return surface.two_sided || dot(surface.normal(triangle), n) > 0.0;
  if (level_after || level_before)
    return edgeHasNormal(surface, surface.edgeOf(triangle, level_after ? top : before), n);
  return vertexHasNormal(surface, surface.corner(triangle, top), n);
}

TriangleSpot nearestOnTriangle(const Surface& surface, int triangle, const Vec& from) {
  const Vec& n = surface.normal(triangle);
  const double height = dot(n, from - surface.vertexOf(triangle, 0));
  const Vec foot = from - height * n;
  TriangleSpot face{foot, TriangleSpot::On::kFace, triangle, height}, best = face;
  double least = std::numeric_limits<double>::infinity(), size = 0.0;
  for (int k = 0; k < 3; ++k) {
    const Vec &a = surface.vertexOf(triangle, k), &b = surface.vertexOf(triangle, (k + 1) % 3);
    size = std::max(size, norm(b - a));
    if (dot(cross(b - a, foot - a), n) >= 0.0) continue;
    double share;
    const Vec point = nearestOnSegment(a, b, foot, share);
    const double distance = norm(point - foot);
    if (distance >= least) continue;
    least = distance;
    best.point = point;
    const bool inner = share > 0.0 && share < 1.0;
    best.on = inner ? TriangleSpot::On::kEdge : TriangleSpot::On::kVertex;
    best.number = inner ? surface.edgeOf(triangle, k) : surface.corner(triangle, share > 0.0 ? (k + 1) % 3 : k);
  }
  if (least > 0.0 && least < std::numeric_limits<double>::infinity() && least <= kBeside * size) {
    best.on = TriangleSpot::On::kFace, best.number = triangle;
    return best;
  }
  return best;
}

bool isOverFace(const Surface& surface, int face, const Vec& from) {
  const Polytope& core = surface.core;
  const Vec& n = core.faces[face].normal;
  for (int k = 0; k < 3; ++k) {
    const Vec& a = core.vertices[core.corner_vertex[3 * face + k]];
    const Vec& b = core.vertices[core.corner_vertex[3 * face + (k + 1) % 3]];
    if (endsAt(surface, face, k) && dot(cross(b - a, from - a), n) < 0.0) return false;
  }
  return true;
}

TriangleSpot nearestOnFace(const Surface& surface, int face, const Vec& from) {
  constexpr double kEndless = std::numeric_limits<double>::infinity();
  const Polytope& core = surface.core;
  const Vec& n = core.faces[face].normal;
  const auto corner = [&](int k) -> const Vec& { return core.vertices[core.corner_vertex[3 * face + k % 3]]; };
  const double height = dot(n, from - corner(0));
  const Vec foot = from - height * n;
  TriangleSpot best{foot, TriangleSpot::On::kFace, face, height};
  double least = kEndless;
  for (int k = 0; k < 3; ++k) {
    const Vec &a = corner(k), along = corner(k + 1) - a;
    if (!endsAt(surface, face, k) || dot(cross(along, foot - a), n) >= 0.0) continue;
    double share = dot(foot - a, along) / dot(along, along);
    if (endsAt(surface, face, (k + 2) % 3)) share = std::max(share, 0.0);
    if (endsAt(surface, face, (k + 1) % 3)) share = std::min(share, 1.0);
    const Vec point = a + share * along;
    const double distance = norm(point - foot);
    if (distance < least) least = distance, best.point = point, best.on = TriangleSpot::On::kEdge;
  }
  return best;
}

double distanceOnWay(const Surface& surface, int triangle, const Vec& from, const Vec& to) {
  const TriangleSpot first = nearestOnTriangle(surface, triangle, from),
                     last = nearestOnTriangle(surface, triangle, to);
  double least = std::min(norm(from - first.point), norm(to - last.point));
  if (first.height * last.height < 0.0) {
    const Vec crossing = from + first.height / (first.height - last.height) * (to - from);
    if (nearestOnTriangle(surface, triangle, crossing).on == TriangleSpot::On::kFace) return 0.0;
  }
  for (int k = 0; k < 3; ++k)
    least = std::min(
        least, distanceOfSegments(from, to, surface.vertexOf(triangle, k), surface.vertexOf(triangle, (k + 1) % 3)));
  return least;
}

bool spotHasNormal(const Surface& surface, const TriangleSpot& spot, const Vec& from) {
  if (spot.on == TriangleSpot::On::kFace) return spot.height >= 0.0 || surface.two_sided;
  const Vec way = from - spot.point;
  const double length = norm(way);
  if (!(length > 0.0)) return false;
  const Vec n = (1.0 / length) * way;
  return spot.on == TriangleSpot::On::kEdge ? edgeHasNormal(surface, spot.number, n)
                                            : vertexHasNormal(surface, spot.number, n);
}

bool isBehind(const Surface& surface, const Vec& point) {
  double angle = 0.0;
  if (!surface.open) {
    for (int t = 0; t < surface.triangles; ++t) angle += solidAngle(surface, t, point);
    return angle > 2.0 * std::numbers::pi;  // once around, 4π, and nothing outside
  }
  // a height field: under the triangle whose shadow the point is in
  for (int t = 0; t < surface.triangles; ++t) {
    bool within = true;
    for (int k = 0; k < 3 && within; ++k) {
      const Vec &a = surface.vertexOf(t, k), &b = surface.vertexOf(t, (k + 1) % 3);
      within = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) >= 0.0;
    }
    if (within && dot(surface.normal(t), point - surface.vertexOf(t, 0)) < 0.0) return true;
  }
  return false;
}

}  // namespace rigor
