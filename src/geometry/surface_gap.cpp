#include "geometry/surface_gap.h"

#include "geometry/solid_elements.h"
#include "geometry/surface_normals.h"
#include "geometry/thin_triangle.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kBackward = -1e-6;  // cosine between a normal and a face that it belongs to the back of

}  // namespace

Facing faceTriangle(const Vec& from, const PlacedSolid& placed, int face) {
  const Surface& surface = *placed.solid->surface;
  const TriangleSpot spot = nearestOnFace(surface, face, placed.toLocal(from));
  const Vec point = placed.X_WS * spot.point, inward = -placed.normal(face);
  if (spot.on == TriangleSpot::On::kFace) return {inward, spot.height, from, point};
  const Vec way = point - from;
  const double distance = norm(way);
  return {distance > 0.0 ? (1.0 / distance) * way : inward, distance, from, point};
}

Facing faceTriangle(const PlacedSolid& placed, int face, const PlacedSolid& solid) {
  const Surface& surface = *placed.solid->surface;
  const Vec outward = placed.normal(face), lowest = supportPoint(solid.view(), -outward);
  const double height = dot(outward, lowest - placed.facePoint(face));
  const Facing over{outward, height, lowest - height * outward, lowest};
  if (isOverFace(surface, face, placed.toLocal(lowest))) return over;
  const Separation found = separateSolids(pieceOf(placed, surface.triangleOfFace(face)), solid);
  if (dot(found.normal, outward) <= kBackward) return over;
  return {found.normal, found.distance, found.point_1, found.point_2};
}

int triangleOfEdge(const Surface& surface, int edge) { return surface.core.edges[edge].face[0]; }

int triangleOfVertex(const Surface& surface, int vertex) {
  return triangleOfEdge(surface, surface.core.neighbour_edge[surface.core.neighbour_start[vertex]]);
}

PlacedSolid pieceOf(const PlacedSolid& surface, int triangle) {
  thread_local ThinTriangle thin;
  thin.fill(*surface.solid->surface, triangle);
  return thin.placed(surface);
}

}  // namespace rigor
