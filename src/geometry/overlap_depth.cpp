#include "geometry/overlap_depth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr int kMostPoints = 200, kMostFaces = 2 * kMostPoints;
constexpr double kConverged = 1e-14;  ///< of the scale, between the bounds from both sides
constexpr double kFlat = 1e-14;  ///< of the scale: a point this far below a face lies in it, and the face is made anew

struct Face {
  int corner[3];  ///< counter-clockwise seen from outside
  Vec normal;
  double offset = 0.0;
};

/// Triangles over support points of A − B; grows by one point at a time.
struct ExpandingPolytope {
  const DifferenceShape& difference;
  std::array<DifferencePoint, kMostPoints> points;
  std::array<Face, kMostFaces> faces;
  int point_count = 0, face_count = 0;

  const Vec& at(int i) const { return points[i].w; }
  int add(const DifferencePoint& point) { return points[point_count] = point, point_count++; }

  /// False if the corners do not span a triangle.
  bool addFace(int i, int j, int k) {
    const Vec u = at(j) - at(i), v = at(k) - at(i), normal = cross(u, v);
    const double area = norm(normal);
    if (face_count == kMostFaces || !(area > 1e-15 * norm(u) * norm(v))) return false;
    const Vec n = (1.0 / area) * normal;
    faces[face_count++] = {{i, j, k}, n, (dot(n, at(i)) + dot(n, at(j)) + dot(n, at(k))) / 3.0};
    return true;
  }
  int nearestFace() const {
    int best = 0;
    for (int f = 1; f < face_count; ++f)
      if (faces[f].offset < faces[best].offset) best = f;
    return best;
  }
};

Vec anyAcross(const Vec& d) {
  const Vec axis = std::fabs(d.x) < 0.6 ? Vec{1.0, 0.0, 0.0} : Vec{0.0, 1.0, 0.0};
  const Vec across = cross(d, axis);
  return (1.0 / norm(across)) * across;
}

/// Of the support points along ±d, the one farther from the plane through p across d.
DifferencePoint farther(const DifferenceShape& difference, const Vec& d, const Vec& p) {
  const DifferencePoint up = difference.support(d), down = difference.support(-d);
  return std::fabs(dot(d, up.w - p)) >= std::fabs(dot(d, down.w - p)) ? up : down;
}

/// A tetrahedron of support points, as large as four of them easily give. False if A − B is flat.
bool makeTetrahedron(ExpandingPolytope& polytope, const Vec& start) {
  const DifferenceShape& difference = polytope.difference;
  polytope.add(difference.support(start));
  polytope.add(difference.support(-start));
  Vec along = polytope.at(1) - polytope.at(0);
  if (!(norm(along) > 0.0)) return false;
  along *= 1.0 / norm(along);
  const Vec across = anyAcross(along), third = cross(along, across);
  const DifferencePoint candidates[2] = {farther(difference, across, polytope.at(0)),
                                         farther(difference, third, polytope.at(0))};
  const auto reach = [&](const DifferencePoint& p) { return norm(cross(along, p.w - polytope.at(0))); };
  polytope.add(reach(candidates[0]) >= reach(candidates[1]) ? candidates[0] : candidates[1]);
  Vec normal = cross(along, polytope.at(2) - polytope.at(0));
  if (!(norm(normal) > 0.0)) return false;
  normal *= 1.0 / norm(normal);
  polytope.add(farther(difference, normal, polytope.at(0)));
  const double height = dot(normal, polytope.at(3) - polytope.at(0));
  if (!(std::fabs(height) > 1e-13 * difference.scale)) return false;
  if (height > 0.0) std::swap(polytope.points[1], polytope.points[2]);
  return polytope.addFace(0, 1, 2) && polytope.addFace(0, 2, 3) && polytope.addFace(0, 3, 1) &&
         polytope.addFace(1, 3, 2);
}

/// Replaces the faces that the new point sees, or lies in, by the cone from their outline to it.
bool expandTo(ExpandingPolytope& polytope, int point) {
  struct Edge {
    int from, to;
  };
  std::array<Edge, kMostFaces> outline;
  int outline_count = 0, kept = 0;
  for (int f = 0; f < polytope.face_count; ++f) {
    const Face& face = polytope.faces[f];
    if (dot(face.normal, polytope.at(point)) - face.offset <= -kFlat * polytope.difference.scale) {
      polytope.faces[kept++] = face;
      continue;
    }
    for (int i = 0; i < 3; ++i) {
      const Edge edge{face.corner[i], face.corner[(i + 1) % 3]};
      const auto end = outline.begin() + outline_count;
      const auto twin =
          std::find_if(outline.begin(), end, [&](const Edge& e) { return e.from == edge.to && e.to == edge.from; });
      if (twin != end)
        *twin = outline[--outline_count];
      else if (outline_count == kMostFaces)
        return false;
      else
        outline[outline_count++] = edge;
    }
  }
  polytope.face_count = kept;
  for (int i = 0; i < outline_count; ++i)
    if (!polytope.addFace(outline[i].from, outline[i].to, point)) return false;
  return outline_count >= 3;
}

Simplex footOf(const ExpandingPolytope& polytope, const Face& face) {
  Simplex simplex;
  for (int i = 0; i < 3; ++i) simplex.point[i] = polytope.points[face.corner[i]];
  simplex.count = 3;
  reduceToNearest(simplex);
  return simplex;
}

}  // namespace

Depth expand(const DifferenceShape& difference, const Vec& start) {
  ExpandingPolytope polytope{difference, {}, {}};
  Depth result;
  result.separation = -std::numeric_limits<double>::infinity();
  result.bound = std::numeric_limits<double>::infinity();
  const auto consider = [&](const Vec& n, const DifferencePoint& point) {
    const double separation = -dot(n, point.w);
    if (separation > result.separation) result.separation = separation, result.normal = n;
  };
  const bool solid = makeTetrahedron(polytope, start);
  consider(start, polytope.points[0]);
  if (!solid) return result.simplex.point[0] = polytope.points[0], result.simplex.count = 1, result;
  while (polytope.point_count < kMostPoints) {
    const Face nearest = polytope.faces[polytope.nearestFace()];
    const DifferencePoint next = difference.support(nearest.normal);
    consider(nearest.normal, next);
    result.bound = std::min(result.bound, -nearest.offset);
    result.simplex = footOf(polytope, nearest);
    result.face_normal = nearest.normal;
    const double beyond = dot(nearest.normal, next.w) - nearest.offset;
    if (beyond <= kConverged * difference.scale || result.bound - result.separation <= kConverged * difference.scale)
      break;
    if (!expandTo(polytope, polytope.add(next))) break;
  }
  return result;
}

}  // namespace rigor
