#include "geometry/surface_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/surface_normals.h"
#include "geometry/thin_triangle.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kHardlyIn = 1e-9;  ///< of the size: less overlap is none that a triangle must answer for
constexpr double kAcross = 1e-6;    ///< cosine: a side this nearly across the normal takes part with its whole length

/// Whether the surface, solid behind its triangles, has the normal n (in its frame) where the triangle reaches farthest along it.
bool hasNormal(const Surface& surface, int triangle, const Vec& n) {
  return dot(surface.normal(triangle), n) >= -kAcross && triangleHasNormal(surface, triangle, n);
}

struct Search {
  const Surface& surface;
  const Transform<double>& X_WS;
  const ConvexShape& shape;
  double margin;
  std::vector<ManifoldPoint>& out;
  ThinTriangle& thin;
  Separation best = {kInfinity, {0.0, 0.0, 1.0}, {}, {}};     ///< with a normal that the surface has
  Separation nearest = {kInfinity, {0.0, 0.0, 1.0}, {}, {}};  ///< with any
  int nearest_triangle = -1;
  std::vector<Vec>& exits;    ///< normals of the surface along which the shape leaves triangles that reach into it
  std::vector<int>& pending;  ///< triangles that reach into the shape, with a shortest way out that is no such normal

  double reach() const { return std::max(margin, std::min(best.distance, nearest.distance)); }
  ConvexShape triangle() const { return PlacedSolid{&thin.solid(), X_WS, {}}.view(); }

  void take(const Separation& separation) {
    if (separation.distance < best.distance) best = separation;
  }
};

/// Along the normal of the triangle: what of the shape lies over or under it.
Separation alongFace(const Search& search, int triangle) {
  const Vec n = search.X_WS.R * search.surface.normal(triangle);
  const Vec low = supportPoint(search.shape, -n);
  const Vec corner = search.X_WS * search.surface.vertexOf(triangle, 0);
  const double distance = dot(n, low - corner);
  return {distance, n, low - distance * n, low, AxisKind::kFace1, 0, -1};
}

bool isOver(const Search& search, int triangle, const Vec& point) {
  const Vec p = transposeTimes(search.X_WS.R, point - search.X_WS.p);
  const Vec& n = search.surface.normal(triangle);
  for (int k = 0; k < 3; ++k) {
    const Vec &from = search.surface.vertexOf(triangle, k), &to = search.surface.vertexOf(triangle, (k + 1) % 3);
    if (dot(cross(n, to - from), p - from) < 0.0) return false;
  }
  return true;
}

/// Out along the normal of the triangle, where a part of the shape lies over it; distance +∞ if none does.
Separation outAlongFace(Search& search, int triangle) {
  search.thin.fill(search.surface, triangle);
  Separation face = alongFace(search, triangle);
  const std::size_t first = search.out.size();
  addPatchPoints(search.triangle(), search.shape, face, search.margin, search.out);
  if (isOver(search, triangle, face.point_2)) {
    if (search.out.size() == first && face.distance <= search.margin)
      search.out.push_back({face.point_1, face.point_2, face.normal, face.distance});
    return face;
  }
  face.distance = kInfinity;
  for (std::size_t i = first; i < search.out.size(); ++i)
    if (const ManifoldPoint& p = search.out[i]; p.gap < face.distance)
      face = {p.gap, p.normal, p.point_1, p.point_2, AxisKind::kFace1, 0, -1};
  return face;
}

void addExit(Search& search, const Vec& n) {
  for (const Vec& known : search.exits)
    if (dot(known, n) > 1.0 - 1e-12) return;
  search.exits.push_back(n);
}

void tryTriangle(Search& search, int triangle) {
  search.thin.fill(search.surface, triangle);
  const ConvexShape thin = search.triangle();
  const Separation found = findSeparation(thin, search.shape);
  const double core = found.distance + coreRadius(search.shape);
  if (core < search.nearest.distance + coreRadius(search.shape))
    search.nearest = found, search.nearest_triangle = triangle;
  // the core of a sphere or capsule has no volume: where it crosses the triangle no direction is best
  const double size = radiusAbout(search.shape);
  const bool crossing = coreRadius(search.shape) > 0.0 && core <= kHardlyIn * size;
  if (!crossing && hasNormal(search.surface, triangle, transposeTimes(search.X_WS.R, found.normal))) {
    search.take(found);
    if (found.distance <= 0.0) addExit(search, found.normal);
    return addManifold(thin, search.shape, found, search.margin, search.out);
  }
  if (core <= kHardlyIn * size) search.pending.push_back(triangle);
}

/// Whether the shape leaves the triangle along a normal that other triangles gave, as the far half of a flat side is left
/// across the edge of the near one, with less way than along its own.
bool isLeftWithOthers(const Search& search, int triangle) {
  const double own = alongFace(search, triangle).distance;
  for (const Vec& n : search.exits) {
    if (!hasNormal(search.surface, triangle, transposeTimes(search.X_WS.R, n))) continue;
    double top = -kInfinity;
    for (int k = 0; k < 3; ++k) top = std::max(top, dot(n, search.X_WS.R * search.surface.vertexOf(triangle, k)));
    if (dot(n, supportPoint(search.shape, -n) - search.X_WS.p) - top > own) return true;
  }
  return false;
}

/// Triangles that reach into the shape and whose shortest way out is no normal of the surface: out along their own, but for
/// those that are left with others.
void takeFaces(Search& search) {
  const std::size_t first = search.out.size();
  for (const int triangle : search.pending)
    if (const Separation face = outAlongFace(search, triangle); face.distance <= 0.0) addExit(search, face.normal);
  search.out.resize(first);
  for (const int triangle : search.pending)
    if (!isLeftWithOthers(search, triangle)) search.take(outAlongFace(search, triangle));
}

/// Around the shape, in the frame of the surface.
AxisBox boxOf(const Search& search) {
  const auto reach = [&](const Vec& axis) {
    const Vec d = search.X_WS.R * axis;
    return dot(d, supportPoint(search.shape, d) - search.X_WS.p);
  };
  return {{-reach({-1, 0, 0}), -reach({0, -1, 0}), -reach({0, 0, -1})},
          {reach({1, 0, 0}), reach({0, 1, 0}), reach({0, 0, 1})}};
}

void visit(Search& search, const AxisBox& box, int number) {
  const Surface::Node& node = search.surface.nodes[number];
  if (boxDistance(node.box, box) > search.reach()) return;
  for (int i = node.first; i < node.first + node.count; ++i) tryTriangle(search, search.surface.order[i]);
  if (node.count > 0) return;
  const double first = boxDistance(search.surface.nodes[node.first].box, box);
  const double second = boxDistance(search.surface.nodes[node.first + 1].box, box);
  const int nearer = first <= second ? 0 : 1;
  visit(search, box, node.first + nearer);
  visit(search, box, node.first + 1 - nearer);
}

/// Whether any part of a shape that crosses no triangle lies under a height field: the ground goes down from it without end, and
/// ends at the border. What reaches below the lowest height is in the ground if it is in the column there.
bool reachesUnder(const Search& search) {
  const AxisBox field = search.surface.nodes[0].box, box = boxOf(search);
  if (box.low.z < field.low.z) {
    const double bottom = box.low.z - (field.low.z - box.low.z);
    const Vec half{0.5 * (field.high.x - field.low.x), 0.5 * (field.high.y - field.low.y),
                   0.5 * (field.low.z - bottom)};
    const Shape column = makeBox({half.x, half.y, half.z});
    Transform<double> X_WC = search.X_WS;
    X_WC.p = search.X_WS * Vec{field.low.x + half.x, field.low.y + half.y, bottom + half.z};
    if (findSeparation(viewOf(column, X_WC), search.shape).distance < 0.0) return true;
  }
  const auto isUnder = [&](const Vec& point) {
    return isBehind(search.surface, transposeTimes(search.X_WS.R, point - search.X_WS.p));
  };
  return isUnder(search.nearest.point_2) || isUnder(search.shape.X_WS.p);
}

/// Points that neighbours share are kept once.
void dropDoubles(std::vector<ManifoldPoint>& points, double size) {
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t k = points.size(); k-- > i + 1;)
      if (norm(points[i].point_2 - points[k].point_2) < 1e-9 * size &&
          dot(points[i].normal, points[k].normal) > 1.0 - 1e-9)
        points.erase(points.begin() + static_cast<std::ptrdiff_t>(k));
}

}  // namespace

Separation meetSurface(const Surface& surface, const Transform<double>& X_WS, const ConvexShape& shape, double margin,
                       std::vector<ManifoldPoint>& out) {
  thread_local ThinTriangle thin;  // only the memory of these is kept
  thread_local std::vector<Vec> exits;
  thread_local std::vector<int> pending;
  exits.clear(), pending.clear();
  Search search{.surface = surface,
                .X_WS = X_WS,
                .shape = shape,
                .margin = std::max(margin, 0.0),  // how deep a shape is does not depend on what the caller wants to see
                .out = out,
                .thin = thin,
                .exits = exits,
                .pending = pending};
  visit(search, boxOf(search), 0);
  takeFaces(search);
  std::erase_if(out, [&](const ManifoldPoint& point) { return point.gap > margin; });
  dropDoubles(out, radiusAbout(shape));
  const double touching = kHardlyIn * radiusAbout(shape);
  const Separation& nearest = search.nearest;
  if (search.best.distance <= (nearest.distance < -touching ? 0.0 : touching)) return search.best;
  // a triangle that is nearest with one of its edges does not tell the side: that with the normal there does, as near as it is
  const bool told = search.best.distance <= nearest.distance + 1e-12 * radiusAbout(shape);
  const bool beside = nearest.distance > touching && !told && surface.isHeightField() && !reachesUnder(search);
  if (beside) {  // beyond the border, where no normal of the ground leads to
    if (out.empty() && nearest.distance <= margin)
      out.push_back({nearest.point_1, nearest.point_2, nearest.normal, nearest.distance});
    return nearest;
  }
  const bool looks_back =
      !told && dot(transposeTimes(X_WS.R, nearest.normal), surface.normal(search.nearest_triangle)) < 0.0;
  if (nearest.distance > touching && !looks_back && search.best.distance < kInfinity) return search.best;
  // wholly behind the surface, or crossing it where no triangle has a say: out through the nearest triangle
  const Separation through = alongFace(search, search.nearest_triangle);
  out.clear();
  if (through.distance <= margin) out.push_back({through.point_1, through.point_2, through.normal, through.distance});
  return through;
}

}  // namespace rigor
