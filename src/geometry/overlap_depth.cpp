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
constexpr double kTie = 1e-15;  ///< of the scale: a face or a pair of edges this little worse is the better answer
constexpr double kNearSummit = 1e-3;    ///< of the scale: a face this near to a round surface leads to its summit
constexpr double kSameSummit = 0.9998;  ///< cosine: faces around a summit of a round surface that was climbed
constexpr double kHidden = 1e-10;       ///< of the scale: no more than this may such a face hide
constexpr int kMostSummits = 8, kMostStarts = 40;
constexpr double kBeside = 0.99;  ///< cosine between starts
constexpr double kFlat = 1e-14;   ///< of the scale: a point this far below a face lies in it, and the face is made anew

struct Face {
  int corner[3];  ///< counter-clockwise seen from outside
  Vec normal;
  double offset;
  bool settled;  ///< it was refined already
};

/// Triangles over support points of A − B; grows by one point at a time.
struct ExpandingPolytope {
  std::array<DifferencePoint, kMostPoints> points;
  std::array<Face, kMostFaces> faces;
  int point_count = 0, face_count = 0;
  double scale = 0.0;

  const Vec& at(int i) const { return points[i].w; }
  int add(const DifferencePoint& point) { return points[point_count] = point, point_count++; }

  /// False if the corners do not span a triangle.
  bool addFace(int i, int j, int k) {
    const Vec u = at(j) - at(i), v = at(k) - at(i), normal = cross(u, v);
    const double area2 = dot(normal, normal);
    if (face_count == kMostFaces || !(area2 > 1e-30 * dot(u, u) * dot(v, v))) return false;
    const Vec n = (1.0 / std::sqrt(area2)) * normal;
    faces[face_count++] = {{i, j, k}, n, (dot(n, at(i)) + dot(n, at(j)) + dot(n, at(k))) / 3.0, false};
    return true;
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

/// The base upside, the deepest point below it. False if they do not span a solid.
bool makeTetrahedron(ExpandingPolytope& polytope, const DifferenceShape& difference, const Vec& up) {
  const Vec normal = cross(polytope.at(1) - polytope.at(0), polytope.at(2) - polytope.at(0));
  if (dot(normal, up) < 0.0) std::swap(polytope.points[1], polytope.points[2]);
  const double area = norm(normal);
  polytope.add(difference.support(dot(normal, up) < 0.0 ? (1.0 / area) * normal : (-1.0 / area) * normal));
  const double height = std::fabs(dot(normal, polytope.at(3) - polytope.at(0))) / area;
  if (!(area > 0.0) || !(height > 1e-13 * difference.scale)) return false;
  return polytope.addFace(0, 1, 2) && polytope.addFace(0, 2, 3) && polytope.addFace(0, 3, 1) &&
         polytope.addFace(1, 3, 2);
}

/// From the longest way across to the farthest point beside it to the farthest point off their plane: the base is made of
/// what such a search finds last. For few corners, flat shapes and needles.
bool beginAnyhow(ExpandingPolytope& polytope, const DifferenceShape& difference, const Vec& up) {
  polytope.point_count = polytope.face_count = 0;
  const DifferencePoint top = difference.support(up), bottom = difference.support(-up);
  Vec along = bottom.w - top.w;
  if (!(norm(along) > 0.0)) return false;
  along *= 1.0 / norm(along);
  const Vec across = anyAcross(along), third = cross(along, across);
  const DifferencePoint sides[2] = {farther(difference, across, top.w), farther(difference, third, top.w)};
  const auto reach = [&](const DifferencePoint& p) { return norm(cross(along, p.w - top.w)); };
  const DifferencePoint& side = reach(sides[0]) >= reach(sides[1]) ? sides[0] : sides[1];
  Vec normal = cross(along, side.w - top.w);
  if (!(norm(normal) > 0.0)) return false;
  normal *= 1.0 / norm(normal);
  for (const DifferencePoint& point : {top, bottom, side}) polytope.add(point);
  const DifferencePoint last = farther(difference, normal, top.w);
  return makeTetrahedron(polytope, difference, dot(normal, last.w - top.w) > 0.0 ? -normal : normal);
}

/// On the foot where it is a triangle, else on three support points around the direction.
bool begin(ExpandingPolytope& polytope, const DifferenceShape& difference, const Vec& up, const Simplex& foot) {
  const Vec x = anyAcross(up), y = cross(up, x);
  polytope.point_count = polytope.face_count = 0;
  for (int i = 0; i < 3 && foot.count == 3; ++i) polytope.add(foot.point[i]);
  if (foot.count == 3 && makeTetrahedron(polytope, difference, up)) return true;
  polytope.point_count = polytope.face_count = 0;
  for (const Vec& sideways : {x, -0.5 * x + 0.8660254037844386 * y, -0.5 * x - 0.8660254037844386 * y})
    polytope.add(difference.support(0.7071067811865476 * (up + sideways)));
  return makeTetrahedron(polytope, difference, up) || beginAnyhow(polytope, difference, up);
}

/// The outline of faces that are taken away: their edges but those that two of them share.
struct Outline {
  struct Edge {
    int from, to;
  };
  Edge edges[kMostFaces];
  int count = 0;

  /// False if there are too many.
  bool add(int from, int to) {
    for (int i = 0; i < count; ++i)
      if (edges[i].from == to && edges[i].to == from) return edges[i] = edges[--count], true;
    if (count == kMostFaces) return false;
    return edges[count++] = {from, to}, true;
  }
};

/// Replaces the faces that the new point sees, or lies in, by the cone from their outline to it.
bool expandTo(ExpandingPolytope& polytope, int point) {
  Outline outline;
  int kept = 0;
  for (int f = 0; f < polytope.face_count; ++f) {
    const Face& face = polytope.faces[f];
    if (dot(face.normal, polytope.at(point)) - face.offset <= -kFlat * polytope.scale) {
      if (kept != f) polytope.faces[kept] = face;
      ++kept;
      continue;
    }
    const auto [i, j, k] = face.corner;
    if (!outline.add(i, j) || !outline.add(j, k) || !outline.add(k, i)) return false;
  }
  polytope.face_count = kept;
  for (int i = 0; i < outline.count; ++i)
    if (!polytope.addFace(outline.edges[i].from, outline.edges[i].to, point)) return false;
  return outline.count >= 3;
}

Simplex footOf(const ExpandingPolytope& polytope, const Face& face) {
  Simplex simplex;
  for (int i = 0; i < 3; ++i) simplex.point[i] = polytope.points[face.corner[i]];
  simplex.count = 3;
  reduceToNearest(simplex);
  return simplex;
}

bool hasRoundSurface(const ConvexShape& shape) {
  return shape.kind == ShapeKind::kCylinder || shape.kind == ShapeKind::kCone || shape.kind == ShapeKind::kEllipsoid;
}

struct Expansion {
  const DifferenceShape& difference;
  ExpandingPolytope& polytope;
  Depth& result;
  bool round = hasRoundSurface(difference.a) || hasRoundSurface(difference.b);
  Vec summit[kMostSummits] = {};
  int summit_count = 0;
  bool refined = true;  ///< the best so far is exact

  /// The face nearest to the origin that may still hide a better direction; −1: there is none.
  int openFace() const {
    int best = -1;
    double least = -result.axis.separation - kConverged * difference.scale;
    for (int f = 0; f < polytope.face_count; ++f) {
      const Face& face = polytope.faces[f];
      if (face.settled || face.offset >= least) continue;
      if (-face.offset - result.axis.separation <= kHidden * difference.scale && isAtSummit(face.normal)) continue;
      best = f, least = face.offset;
    }
    return best;
  }
  bool isAtSummit(const Vec& n) const {
    for (int i = 0; i < summit_count; ++i)
      if (dot(summit[i], n) > kSameSummit) return true;
    return false;
  }
  /// A climb is worth its time once for each summit.
  bool mayClimb(const Vec& n) const { return round && summit_count + 2 <= kMostSummits && !isAtSummit(n); }
  void take(const Axis& axis, const Simplex& simplex, bool is_refined = true) {
    if (axis.separation > result.axis.separation) result.axis = axis, result.simplex = simplex, refined = is_refined;
  }
  /// From a face that is nearly on the surface to the best direction around it.
  void settle(Face& face, const Axis& found) {
    const Simplex simplex = footOf(polytope, face);
    Axis exact = axisOfSimplex(difference, simplex);
    if (exact.separation < found.separation - kTie * difference.scale) exact = refineAxis(difference, simplex, found);
    take(exact, simplex);
    for (int again = 0; round && again < 3; ++again) {  // other edges may be near where it led
      Simplex corner;
      corner.point[0] = difference.support(exact.normal);
      corner.count = 1;
      const Axis better = refineAxis(difference, corner, exact);
      if (better.separation - exact.separation <= kConverged * difference.scale) break;
      take(exact = better, corner);
    }
    if (!round || summit_count + 2 > kMostSummits) return;
    summit[summit_count++] = exact.normal;
    summit[summit_count++] = face.normal;
  }
  /// An ellipsoid that is nearly a ball has summits near its axes that faces hardly tell from their neighbours.
  void tryAxesOf(const ConvexShape& shape) {
    if (shape.kind != ShapeKind::kEllipsoid) return;
    const Mat3<double>& R = shape.X_WS.R;
    for (const Vec& n : {R.x, -R.x, R.y, -R.y, R.z, -R.z}) {
      Simplex corner;
      corner.point[0] = difference.support(n);
      corner.count = 1;
      take(refineAxis(difference, corner, {n, -dot(n, corner.point[0].w)}), corner);
    }
  }
  /// A whole ring of directions is nearly as good, as around the axis of a cone: climbs from all around it.
  void tryManySummits() {
    tryAxesOf(difference.a), tryAxesOf(difference.b);
    std::array<Vec, kMostStarts> tried;
    for (int count = 0; count < kMostStarts; ++count) {
      int best = -1;
      for (int f = 0; f < polytope.face_count; ++f) {
        const Face& face = polytope.faces[f];
        if (-face.offset <= result.axis.separation || (best >= 0 && face.offset >= polytope.faces[best].offset))
          continue;
        const auto isBeside = [&](const Vec& n) { return dot(n, face.normal) > kBeside; };
        if (std::none_of(tried.begin(), tried.begin() + count, isBeside)) best = f;
      }
      if (best < 0) return;
      const Vec n = tried[count] = polytope.faces[best].normal;
      settle(polytope.faces[best], {n, -dot(n, difference.support(n).w)});
    }
  }
};

}  // namespace

Depth expand(const DifferenceShape& difference, const Axis& known, const Simplex& foot) {
  thread_local ExpandingPolytope polytope;  // filled anew; only its memory is kept
  polytope.scale = difference.scale;
  Depth result;
  result.axis = known;
  if (!begin(polytope, difference, known.normal, foot)) return result;
  Expansion expansion{difference, polytope, result};
  for (;;) {
    const int open = expansion.openFace();
    if (open < 0) {
      result.certain = true;
      break;
    }
    Face& face = polytope.faces[open];
    const DifferencePoint next = difference.support(face.normal);
    const Axis found{face.normal, -dot(face.normal, next.w)};
    const double beyond = -found.separation - face.offset;
    const bool on_surface = beyond <= kConverged * difference.scale;
    if (on_surface || (expansion.mayClimb(face.normal) && beyond <= kNearSummit * difference.scale))
      expansion.settle(face, found);
    if (on_surface) {
      face.settled = true;
      continue;
    }
    if (found.separation > result.axis.separation) expansion.take(found, footOf(polytope, face), false);
    if (polytope.point_count == kMostPoints || !expandTo(polytope, polytope.add(next))) break;
  }
  if (!expansion.refined) result.axis = refineAxis(difference, result.simplex, result.axis);
  if (!result.certain && expansion.round) expansion.tryManySummits();
  return result;
}

}  // namespace rigor
