#include "geometry/plane_distance.h"

#include <cmath>
#include <limits>
#include <span>

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr int kAzimuths = 8;  ///< points of a rim that are fixed to the shape

struct PlaneContact {
  const Transform<double>& X_WP;
  double margin;
  std::vector<ManifoldPoint>& out;
  Separation lowest = {std::numeric_limits<double>::infinity(), X_WP.R.z, {}, {}};

  /// Heights are taken relative to the plane's own origin, where they keep their digits.
  void add(const Vec& from_origin) {
    const Vec& n = X_WP.R.z;
    const double gap = dot(n, from_origin);
    const Vec point_2 = X_WP.p + from_origin, point_1 = X_WP.p + (from_origin - gap * n);
    if (gap <= margin) out.push_back({point_1, point_2, n, gap});
    if (gap < lowest.distance) lowest = {gap, n, point_1, point_2};
  }
};

/// The lowest point of a rim and the points of its azimuths that are not the same.
void addRim(PlaneContact& contact, const ConvexShape& shape, const Vec& at, double z) {
  const Vec down = transposeTimes(shape.X_WS.R, -contact.X_WP.R.z);
  const double r = shape.size.x, across = std::sqrt(down.x * down.x + down.y * down.y);
  const bool tilted = across > 1e-12;
  const Vec lowest = tilted ? Vec{r * down.x / across, r * down.y / across, z} : Vec{};
  if (tilted) contact.add(at + shape.X_WS.R * lowest);
  for (int k = 0; k < kAzimuths; ++k) {
    const SinCos<double> angle = sincos(2.0 * 3.14159265358979323846 / kAzimuths * k);
    const Vec point{r * angle.cos, r * angle.sin, z};
    if (!tilted || norm(point - lowest) > 1e-9 * r) contact.add(at + shape.X_WS.R * point);
  }
}

void addVertices(PlaneContact& contact, std::span<const Vec> vertices, const Mat3<double>& R, const Vec& at) {
  for (const Vec& vertex : vertices) contact.add(at + R * vertex);
}

}  // namespace

Separation meetPlane(const Transform<double>& X_WP, const ConvexShape& shape, double margin,
                     std::vector<ManifoldPoint>& out) {
  PlaneContact contact{X_WP, margin, out};
  const Vec at = shape.X_WS.p - X_WP.p, n = X_WP.R.z;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      contact.add(at - shape.size.x * n);
      break;
    case ShapeKind::kCapsule:
      for (const double z : {-shape.size.y, shape.size.y}) contact.add(at + z * shape.X_WS.R.z - shape.size.x * n);
      break;
    case ShapeKind::kCylinder:
      addRim(contact, shape, at, -shape.size.y);
      addRim(contact, shape, at, shape.size.y);
      break;
    case ShapeKind::kCone:
      addRim(contact, shape, at, -shape.size.y);
      contact.add(at + shape.size.y * shape.X_WS.R.z);
      break;
    case ShapeKind::kEllipsoid:
      contact.add(at + shape.X_WS.R * localCoreSupport(shape, transposeTimes(shape.X_WS.R, -n)).point);
      break;
    default:
      addVertices(contact, shape.polytope->vertices, shape.X_WS.R, at);
  }
  return contact.lowest;
}

Separation meetPlane(const Transform<double>& X_WP, const Surface& surface, const Transform<double>& X_WS,
                     double margin, std::vector<ManifoldPoint>& out) {
  PlaneContact contact{X_WP, margin, out};
  addVertices(contact, surface.core.vertices, X_WS.R, X_WS.p - X_WP.p);
  return contact.lowest;
}

}  // namespace rigor
