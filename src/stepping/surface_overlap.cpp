#include "stepping/surface_overlap.h"

#include <algorithm>
#include <utility>

#include "collision/surface_part.h"
#include "geometry/plane_distance.h"
#include "geometry/solid_elements.h"
#include "geometry/surface_distance.h"

namespace rigor {
namespace {

/// Least distance of a solid from triangles that are nearer than the margin, else the margin.
double distanceOfTriangles(const PlacedSolid& surface, const PlacedSolid& other, double margin) {
  std::vector<int> near;
  findNearTriangles({surface, other, margin}, near);
  ThinTriangle thin;
  double least = margin;
  for (const int triangle : near) {
    thin.fill(*surface.solid->surface, triangle);
    least = std::min(least, separateSolids(thin.placed(surface), other).distance);
  }
  return least;
}

}  // namespace

Separation meetSurface(const SolidPair& pair, const PlacedSolid& a, const PlacedSolid& b, double margin,
                       std::vector<ManifoldPoint>& points) {
  points.clear();
  const PlacedSolid &surface = pair.surface == 0 ? a : b, &other = pair.surface == 0 ? b : a;
  const Surface& triangles = *surface.solid->surface;
  if (other.solid->isPlane()) return meetPlane(other.X_WS, triangles, surface.X_WS, margin, points);
  if (triangles.two_sided)
    if (const double distance = distanceOfTriangles(surface, other, std::max(margin, 0.0)); distance >= 0.0)
      return {distance, {0.0, 0.0, 1.0}, {}, {}};
  Separation apart = meetSurface(triangles, surface.X_WS, other.view(), margin, points);
  if (pair.surface == 0) return apart;
  const auto turn = [](auto& one) { one.normal = -one.normal, std::swap(one.point_1, one.point_2); };
  turn(apart);
  for (ManifoldPoint& point : points) turn(point);
  return apart;
}

}  // namespace rigor
