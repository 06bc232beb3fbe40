#include "stepping/surface_overlap.h"

#include <algorithm>
#include <utility>

#include "collision/surface_part.h"
#include "geometry/plane_distance.h"
#include "geometry/solid_elements.h"
#include "geometry/surface_distance.h"

namespace rigor {
namespace {

constexpr double kAgainstTheBack = 1e-9;  // [m] a solid that lies against the back of a triangle to rounding

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

bool isSwallowed(const SolidPair& pair, const PlacedSolid& a, const PlacedSolid& b) {
  if (pair.surface < 0) return false;
  const PlacedSolid &surface = pair.surface == 0 ? a : b, &other = pair.surface == 0 ? b : a;
  if (surface.solid->surface->two_sided || other.solid->isPlane()) return false;
  if (distanceOfTriangles(surface, other, 0.0) < 0.0) return false;
  std::vector<ManifoldPoint> points;
  return meetSurface(*surface.solid->surface, surface.X_WS, other.view(), 0.0, points).distance < -kAgainstTheBack;
}

double liftOntoField(const SolidPair& pair, const PlacedSolid& a, const PlacedSolid& b) {
  constexpr double kOn = 1e-9;  // [m] above the field
  constexpr int kMostSteps = 1000;
  if (!isSwallowed(pair, a, b)) return 0.0;
  const PlacedSolid &field = pair.surface == 0 ? a : b, &solid = pair.surface == 0 ? b : a;
  const Surface& surface = *field.solid->surface;
  if (!surface.isHeightField()) return 0.0;
  // down from where nothing reaches, each time by the distance that is left: it may go so far in any direction
  const Vec3<double>& up = field.X_WS.R.z;
  double lift = surface.nodes[0].box.high.z - dot(up, supportPoint(solid.view(), -up) - field.X_WS.p);
  std::vector<ManifoldPoint> points;
  for (int i = 0; i < kMostSteps; ++i) {
    PlacedSolid raised = solid;
    raised.X_WS.p += lift * up;
    points.clear();
    const double left = meetSurface(surface, field.X_WS, raised.view(), 0.0, points).distance;
    if (!(left > kOn)) break;
    lift -= left;
  }
  return lift;
}

}  // namespace rigor
