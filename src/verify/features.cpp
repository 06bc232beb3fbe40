// Gaps of features of two solids: corner and face, edge and edge, corner and rounded edge, rounded corner and whole shape.
#include <algorithm>

#include "verify/surface.h"
#include "verify/touch.h"

namespace rigor::verify {
namespace {

/// φ = n · (b − p) − r with the face's normal n and its first corner p.
Touch touchOfFace(const PlacedSolid& faced, int face, const PlacedSolid& other, int corner) {
  const Vec n = faced.faceNormal(face), b = other.corner(corner);
  const Real height = dot(n, b - faced.facePoint(face)), radius = other.cornerRadius(corner);
  return touchBetween(b - height * n, 0, b, radius, n, height - radius);
}

Vec nearestOnSegment(const Vec& start, const Vec& along, const Vec& point) {
  return start + std::clamp<Real>(dot(point - start, along) / dot(along, along), 0, 1) * along;
}

/// Rounded edges end: the distance of two segments, between their insides or from an end of one to the other.
Touch touchOfRoundedEdges(const PlacedSolid& first, int edge_1, const PlacedSolid& second, int edge_2) {
  const Vec a = first.edge(edge_1), b = second.edge(edge_2), across = cross(a, b);
  const Vec start_1 = first.edgeStart(edge_1), start_2 = second.edgeStart(edge_2), way = start_2 - start_1;
  const Real square = dot(across, across), radius_1 = first.solid->radius, radius_2 = second.solid->radius;
  if (square > 0) {
    const Real share_1 = dot(cross(way, b), across) / square, share_2 = dot(cross(way, a), across) / square;
    if (share_1 >= 0 && share_1 <= 1 && share_2 >= 0 && share_2 <= 1)
      return touchOfCentres(start_1 + share_1 * a, radius_1, start_2 + share_2 * b, radius_2);
  }
  Touch best = touchOfCentres(start_1, radius_1, nearestOnSegment(start_2, b, start_1), radius_2);
  const auto consider = [&](const Touch& touch) {
    if (touch.gap < best.gap) best = touch;
  };
  consider(touchOfCentres(start_1 + a, radius_1, nearestOnSegment(start_2, b, start_1 + a), radius_2));
  consider(touchOfCentres(nearestOnSegment(start_1, a, start_2), radius_1, start_2, radius_2));
  consider(touchOfCentres(nearestOnSegment(start_1, a, start_2 + b), radius_1, start_2 + b, radius_2));
  return best;
}

/// φ = ± (a × b)/|a × b| · (b₀ − a₀); the sides' points are where the lines are nearest.
Touch touchOfEdges(const PlacedSolid& first, int edge_1, const PlacedSolid& second, int edge_2, Real sign) {
  if (first.solid->radius > 0 || second.solid->radius > 0) return touchOfRoundedEdges(first, edge_1, second, edge_2);
  const Vec a = first.edge(edge_1), b = second.edge(edge_2), across = cross(a, b);
  const Vec way = second.edgeStart(edge_2) - first.edgeStart(edge_1);
  const Real length = norm(across);
  if (length == 0) {  // parallel: everywhere as near as at the start of edge 2
    const Vec side = way - (dot(way, a) / dot(a, a)) * a;
    return touchOfCentres(second.edgeStart(edge_2) - side, 0, second.edgeStart(edge_2), 0);
  }
  const Vec n = (sign / length) * across;
  const Real distance = dot(n, way);
  // where the edges are attacked and slide: on themselves, however far away their lines are nearest
  const Real square = length * length;
  const Vec point_1 = first.edgeStart(edge_1) + std::clamp<Real>(dot(cross(way, b), across) / square, 0, 1) * a;
  const Vec point_2 = second.edgeStart(edge_2) + std::clamp<Real>(dot(cross(way, a), across) / square, 0, 1) * b;
  Touch touch;
  touch.gap = distance, touch.normal = n;
  touch.point = touch.centre[0] = touch.centre[1] = Real(0.5) * (point_1 + point_2);
  touch.reach = std::min({norm(a), norm(b), Real(1)});
  touch.size = touch.shift = norm(a) * norm(b) / length;  // 1/sine: so much more does rounding turn and shift it
  return touch;
}

Touch touchOfBeside(const PlacedSolid& sharp, int corner, const PlacedSolid& round, int edge) {
  const Vec a = sharp.corner(corner);
  const Vec foot = nearestOnSegment(round.edgeStart(edge), round.edge(edge), a);
  return touchOfCentres(a, sharp.solid->radius, foot, round.solid->radius);
}

/// `face` is of a surface; other shapes are taken as a whole.
Touch touchOfBall(const PlacedSolid& ball, int corner, const PlacedSolid& whole, int face) {
  const Vec& centre = ball.corners[corner];
  if (whole.solid->kind == SolidKind::kSurface) {
    const OverTriangle below = findOverTriangle(whole, face, centre);
    if (!below.over) return touchOfCentres(centre, ball.solid->radius, below.point, 0);
    return touchBetween(centre, ball.solid->radius, below.point, 0, -whole.faceNormal(face),
                        below.height - ball.solid->radius);
  }
  const Nearest nearest = nearestOnCore(whole, centre);
  if (nearest.inside_face < 0) return touchOfCentres(centre, ball.solid->radius, nearest.point, whole.solid->radius);
  const Real depth = norm(nearest.point - centre) + ball.solid->radius + whole.solid->radius;
  return touchBetween(centre, ball.solid->radius, nearest.point, whole.solid->radius,
                      -whole.normals[nearest.inside_face], -depth);
}

/// True for contacts that flat code knows, although a shape is round: corners above faces, and balls.
bool isRound(const Pair& pair) {
  const bool face = pair.kind == FeatureKind::kFaceVertex || pair.kind == FeatureKind::kVertexFace;
  return pair.isRound() && !face;
}

Touch touchOfKind(const Pair& pair, const PlacedSolid& a, const PlacedSolid& b) {
  const int i = pair.feature_1, j = pair.feature_2;
  switch (pair.kind) {
    case FeatureKind::kFaceVertex:
      return touchOfFace(a, i, b, j);
    case FeatureKind::kVertexFace:
      return swapSides(touchOfFace(b, j, a, i));
    case FeatureKind::kEdges:
      return touchOfEdges(a, i, b, j, 1);
    case FeatureKind::kEdgesBack:
      return touchOfEdges(a, i, b, j, -1);
    case FeatureKind::kVertexEdge:
      return touchOfBeside(a, i, b, j);
    case FeatureKind::kEdgeVertex:
      return swapSides(touchOfBeside(b, j, a, i));
    case FeatureKind::kBallSolid:
      return touchOfBall(a, i, b, j);
    case FeatureKind::kSolidBall:
      return swapSides(touchOfBall(b, j, a, i));
    default:
      break;
  }
  return {};
}

}  // namespace

/// Both sides with their centres and radii on the line of the normal.
Touch touchBetween(const Vec& centre_1, Real radius_1, const Vec& centre_2, Real radius_2, const Vec& normal,
                   Real gap) {
  Touch touch;
  touch.gap = gap;
  touch.normal = normal;
  touch.point = centre_2 - (radius_2 + gap / 2) * normal;
  touch.centre[0] = centre_1, touch.centre[1] = centre_2;
  touch.radius[0] = radius_1, touch.radius[1] = radius_2;
  return touch;
}

/// Two round things: the gap is along the line of their centres.
Touch touchOfCentres(const Vec& centre_1, Real radius_1, const Vec& centre_2, Real radius_2) {
  const Vec way = centre_2 - centre_1;
  const Real distance = norm(way);
  const Vec normal = distance > 0 ? (1 / distance) * way : Vec{0, 0, 1};
  Touch touch = touchBetween(centre_1, radius_1, centre_2, radius_2, normal, distance - radius_1 - radius_2);
  touch.reach = std::clamp<Real>(distance, 1e-12L, 1);
  return touch;
}

Touch swapSides(Touch touch) {
  touch.normal = -touch.normal;
  std::swap(touch.centre[0], touch.centre[1]);
  std::swap(touch.radius[0], touch.radius[1]);
  return touch;
}

Touch computeFeatureTouch(const Pair& pair, const Motion& motion) {
  const PlacedSolid a = placeSolid(*pair.solid_1, frameOf(motion, pair.body_1));
  const PlacedSolid b = placeSolid(*pair.solid_2, frameOf(motion, pair.body_2));
  Touch touch = isRound(pair) ? touchOfRound(pair, a, b) : touchOfKind(pair, a, b);
  if (isRound(pair)) touch.rolls = true, touch.centre[0] = a.X.p, touch.centre[1] = b.X.p;
  const auto sizeOf = [](const PlacedSolid& one) {  // a half space has no end: its place is all that rounds
    return sumOfSizes(one.X.p) + (one.solid->kind == SolidKind::kHalfSpace ? 0 : one.solid->bound);
  };
  touch.size = std::max<Real>(touch.size, 1) * (sizeOf(a) + sizeOf(b));
  return touch;
}

}  // namespace rigor::verify
