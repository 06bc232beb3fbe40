// Gaps of features of round shapes: sides of cylinders, rims, crossings of rims, and elements that face each other.
#include <algorithm>

#include "verify/cone_beside.h"
#include "verify/distance.h"
#include "verify/facing.h"
#include "verify/limits.h"
#include "verify/rim_beside.h"
#include "verify/surface.h"
#include "verify/touch.h"

namespace rigor::verify {
namespace {

constexpr Real kConditioned = 1e-2L;  // [m] length that normals of elements are the direction of, at least

Touch touchOf(const Facing& facing) {
  Touch touch = touchBetween(facing.point_1, 0, facing.point_2, 0, facing.normal, facing.gap);
  touch.reach = kConditioned;
  return touch;
}

/// An axis that is tilted by eps turns the common normal of two lines by eps/sine. Over the distance that this bridges, from axis to
/// axis, it shifts the lines sideways, and 1/sine farther along them where they cross.
Real blurOf(Real distance, Real shift) {
  constexpr Real kMost = 1e-6L;  // [m] no floor may excuse more
  return std::min(kMost, kPositionFloor * kEps * distance * shift * shift);
}

Real shareOn(const Vec& point, const Vec& start, const Vec& along) {
  return dot(point - start, along) / dot(along, along);
}

/// The side of a cylinder, which goes on beyond its ends, and an edge, which does not, or another side.
Touch touchOfSides(const PlacedSolid& first, int edge_1, const PlacedSolid& second, int edge_2) {
  const Vec a = first.edge(edge_1), b = second.edge(edge_2), across = cross(a, b);
  const Vec start_1 = first.edgeStart(edge_1), start_2 = second.edgeStart(edge_2), way = start_2 - start_1;
  const Real square = dot(across, across);
  Real share_1 = square > 0 ? dot(cross(way, b), across) / square : 0;
  Real share_2 = square > 0 ? dot(cross(way, a), across) / square : shareOn(start_1, start_2, b);
  if (!second.solid->isCylinder()) {
    share_2 = std::clamp<Real>(share_2, 0, 1);
    share_1 = shareOn(start_2 + share_2 * b, start_1, a);
  } else if (!first.solid->isCylinder()) {
    share_1 = std::clamp<Real>(share_1, 0, 1);
    share_2 = shareOn(start_1 + share_1 * a, start_2, b);
  }
  Touch touch = touchOfCentres(start_1 + share_1 * a, first.edgeRadius(), start_2 + share_2 * b, second.edgeRadius());
  // attacked where both are, however far away their lines are nearest
  const Vec point_1 = start_1 + std::clamp<Real>(share_1, 0, 1) * a;
  const Vec point_2 = start_2 + std::clamp<Real>(share_2, 0, 1) * b;
  const Real shift = (first.edgeRadius() - second.edgeRadius()) / 2;
  touch.point = Real(0.5) * (point_1 + point_2) + shift * touch.normal;
  // 1/sine, as of sharp edges
  touch.size = touch.shift = norm(a) * norm(b) / std::max(norm(across), 1e-7L * norm(a) * norm(b));
  touch.blur = blurOf(first.edgeRadius() + second.edgeRadius() + std::fabs(touch.gap), touch.shift);
  return touch;
}

Touch besideOfRound(const PlacedSolid& sharp, int corner, const PlacedSolid& round, int edge) {
  if (round.solid->kind == SolidKind::kCone) {
    const Vec point = sharp.corner(corner);
    const Beside beside = lookBeside(coneSideOf(round), point);
    const Real radius = sharp.cornerRadius(corner);
    Touch touch =
        touchBetween(point, radius, point - beside.gap * beside.normal, 0, -beside.normal, beside.gap - radius);
    touch.reach = std::clamp<Real>(norm(cross(round.X.R.z, point - round.corners[0])), 1e-12L, 1);  // from the axis
    return touch;
  }
  const Vec point = sharp.corner(corner), start = round.edgeStart(edge), along = round.edge(edge);
  Real share = shareOn(point, start, along);
  if (!round.solid->isCylinder()) share = std::clamp<Real>(share, 0, 1);
  return touchOfCentres(point, sharp.cornerRadius(corner), start + share * along, round.edgeRadius());
}

/// φ = n·(c − p) − r |n across the axis|.
Touch touchOfRim(const PlacedSolid& faced, int face, const PlacedSolid& round, int disc) {
  const Vec n = faced.faceNormal(face), axis = round.X.R.z, across = n - dot(n, axis) * axis;
  const Vec lowest = round.facePoint(disc) - (round.solid->size.x / norm(across)) * across;
  const Real gap = dot(n, lowest - faced.facePoint(face));
  Touch touch = touchBetween(lowest - gap * n, 0, lowest, 0, n, gap);
  touch.size = 1 / norm(across);  // so much more does rounding turn the lowest point around
  return touch;
}

Element elementOfCrossing(const PlacedSolid& solid, int number) {
  if ((number & kRim) != 0) return circleOf(solid, number & 1, ElementKind::kCircle);
  return number == kSideOfCone ? coneSideOf(solid) : edgeOf(solid, number);
}

Element elementOfNumber(const PlacedSolid& solid, int number) {
  const int index = number & ((1 << kElementBits) - 1);
  switch (number >> kElementBits) {
    case 0:
      return {ElementKind::kPoint, solid.corner(index), {}, solid.solid->radius, 0, {}, {}};
    case 1:
      return edgeOf(solid, index);
    case 2:
      return circleOf(solid, index, ElementKind::kRim);
    default:
      return coneSideOf(solid);
  }
}

/// An ellipsoid above a face, or the face of another solid that lies across the direction of the least distance.
std::optional<Facing> faceOfFlat(const PlacedSolid& flat, const PlacedSolid& round, const Vec& outward) {
  for (int face = 0; face < flat.solid->faceCount(); ++face) {
    const Vec n = flat.faceNormal(face);
    if (norm(n - outward) > 1e-6L || round.solid->kind != SolidKind::kEllipsoid) continue;
    const Vec lowest = placeOnEllipsoid(round, -n);
    const Real gap = dot(n, lowest - flat.facePoint(face));
    return Facing{n, gap, lowest - gap * n, lowest};
  }
  return {};
}

/// Radius of a ball that fits into a solid wherever it is touched from outside.
Real ballWithin(const PlacedSolid& solid) {
  const Vec& s = solid.solid->size;
  if (solid.solid->kind == SolidKind::kEllipsoid) {
    const Real least = std::min({s.x, s.y, s.z});
    return least * least / std::max({s.x, s.y, s.z});
  }
  return solid.solid->kind == SolidKind::kGrown ? solid.solid->radius : 0;
}

/// Where the elements along a direction face each other, if nothing of the solids is nearer: the distance of two points is no
/// less than the true one, the separation along a direction no more. Of an overlap no other direction has less of it as long as it
/// is within a ball that fits into one of them there: the difference of both holds that ball too, and the origin is in it.
std::optional<Facing> faceProved(const PlacedSolid& a, const PlacedSolid& b, const Vec& direction, const Vec& near) {
  constexpr Real kSame = 1e-16L;
  if (!(dot(direction, direction) > 0)) return {};
  const std::optional<Element> first = elementAlong(a, direction), second = elementAlong(b, -direction);
  if (!first || !second) return {};
  const std::optional<Facing> facing = faceElements(*first, *second, direction, near);
  const Real deepest = std::max<Real>(kTouching, std::max(ballWithin(a), ballWithin(b)) / 2);
  if (!facing || facing->gap < -deepest || facing->gap - separationAlong(a, b, facing->normal) > kSame) return {};
  return facing;
}

Vec nearestOn(const PlacedSolid& solid, const Vec& from) {
  if (solid.solid->kind != SolidKind::kGrown) return nearestOnRound(solid, from);
  const Nearest core = nearestOnCore(solid, from);
  const Vec way = from - core.point;
  return core.inside_face < 0 && norm(way) > 0 ? core.point + (solid.solid->radius / norm(way)) * way : core.point;
}

/// The true distance, found by a search of all directions, then again by the elements that it finds. Elements that face
/// each other nowhere, because one of them ends, stand for it too.
Touch touchOfWholes(const Pair& pair, const PlacedSolid& a, const PlacedSolid& b) {
  if (const std::optional<Facing> proved = faceProved(a, b, pair.near_normal, pair.near_point)) return touchOf(*proved);
  const Separation rough = findSeparation(a, b, pair.near_normal);
  // where a contact runs far, next to an apex, the direction tells better than the recording where to look for it
  Vec near = pair.near_point;
  if (a.solid->kind == SolidKind::kEllipsoid) near = placeOnEllipsoid(a, rough.direction);
  if (b.solid->kind == SolidKind::kEllipsoid) near = placeOnEllipsoid(b, -rough.direction);
  std::optional<Facing> facing = faceProved(a, b, rough.direction, near);
  if (facing) return touchOf(*facing);
  const std::optional<Element> first = elementAlong(a, rough.direction), second = elementAlong(b, -rough.direction);
  if (first && second) facing = faceElements(*first, *second, rough.direction, pair.near_point);
  if (!facing && !first) facing = faceOfFlat(a, b, rough.direction);
  if (facing) return touchOf(*facing);
  if (!second) facing = faceOfFlat(b, a, -rough.direction);
  if (facing) return swapSides(touchOf(*facing));
  // the distance is right; of the places that are all as near, the one on both solids that the recording is nearest to
  const Vec half = (rough.distance / 2) * rough.direction;
  const Vec point = Real(0.5) * (nearestOn(a, pair.near_point) + nearestOn(b, pair.near_point));
  return touchBetween(point - half, 0, point + half, 0, rough.direction, rough.distance);
}

/// An ellipsoid over a face of a surface, or beside it.
Touch ellipsoidOver(const Pair& pair, const PlacedSolid& surface, int face, const PlacedSolid& ellipsoid) {
  const Vec n = surface.faceNormal(face), lowest = placeOnEllipsoid(ellipsoid, -n);
  const Solid thin = solidOfFace(*surface.solid, face);
  const bool over = findOverTriangle(surface, face, lowest).over;
  Pair turned = pair;  // from the surface to the ellipsoid
  if (pair.solid_2 == surface.solid) turned.near_normal = -pair.near_normal;
  if (!over) {
    const Touch beside = touchOfWholes(turned, placeAt(thin, surface.X), ellipsoid);
    if (dot(beside.normal, n) > -1e-6L) return beside;
  }
  const Real gap = dot(n, lowest - surface.facePoint(face));
  return touchOf(Facing{n, gap, lowest - gap * n, lowest});
}

/// A ball and a round shape.
Touch ballOfRound(const PlacedSolid& ball, int corner, const PlacedSolid& round) {
  const Vec centre = ball.corners[corner];
  const Vec nearest = nearestOnRound(round, centre), way = nearest - centre;
  const Real distance = norm(way), inside = outsideOf(round, centre) > 0 ? 1 : -1;
  const Vec n = (inside / distance) * way;
  Touch touch = touchBetween(centre, ball.solid->radius, nearest, 0, n, inside * distance - ball.solid->radius);
  touch.reach = std::clamp<Real>(distance, 1e-12L, 1);
  return touch;
}

bool isCircle(const Element& e) { return e.kind == ElementKind::kCircle || e.kind == ElementKind::kRim; }

/// Two elements next to where they were. The points of a rim or a line beside a round side are looked through one by one: where two of
/// them that touch become one, or next to an apex, directions that are across everything tell nothing.
std::optional<Facing> faceNear(const Pair& pair, const Element& first, const Element& second) {
  std::optional<Facing> beside;
  beside =
      isCircle(second) ? findRimBeside(first, second, pair.near_point) : findLineBeside(first, second, pair.near_point);
  if (beside) return beside;
  beside =
      isCircle(first) ? findRimBeside(second, first, pair.near_point) : findLineBeside(second, first, pair.near_point);
  if (beside) return Facing{-beside->normal, beside->gap, beside->point_2, beside->point_1};
  beside = faceElements(first, second, pair.near_normal, pair.near_point);
  if (beside || !(isCircle(first) && isCircle(second))) return beside;
  // rims go on crossing where the other one comes to lie on a disc; the outermost points that touched are none any more
  Element circle_1 = first, circle_2 = second;
  circle_1.kind = circle_2.kind = ElementKind::kCircle;
  return faceElements(circle_1, circle_2, pair.near_normal, pair.near_point);
}

/// The side of a cone beside another straight side: where lines that are nearly parallel touch runs along them.
std::optional<Touch> touchBesideCone(const Element& first, const Element& second) {
  const bool swap = first.kind != ElementKind::kConeSide;
  const std::optional<ConeBeside> found = swap ? findConeBeside(second, first) : findConeBeside(first, second);
  if (!found) return {};
  Touch touch = touchOf(found->facing);
  touch.shift = found->shift;
  touch.blur = blurOf(norm(second.p - first.p), touch.shift);
  return swap ? swapSides(touch) : touch;
}

/// Rims in planes that are nearly parallel cross twice. Which of the two it is tells the number of the feature, where steps are long: in the
/// plane of the first, to the right or to the left of the way from its centre to the other's.
Vec crossingOfRims(const Element& first, const Element& second, bool other) {
  const Vec between = second.p - first.p, across = between - dot(between, first.axis) * first.axis;
  const Real distance = norm(across);
  if (!(distance > 0)) {  // coaxial: one place is as good as another
    const Vec sideways = cross(first.axis, std::fabs(first.axis.x) < 0.6L ? Vec{1, 0, 0} : Vec{0, 1, 0});
    return first.p + (first.radius / norm(sideways)) * sideways;
  }
  const Real along =
      (distance * distance + first.radius * first.radius - second.radius * second.radius) / (2 * distance);
  const Real square = std::max<Real>(0, first.radius * first.radius - along * along);
  const Vec direction = (1 / distance) * across, sideways = cross(first.axis, direction);
  return first.p + along * direction + (other ? 1 : -1) * std::sqrt(square) * sideways;
}

/// Two rims that touch with parallel tangents have one normal only because there is a gap between them.
Real reachOfRims(const Element& first, const Element& second, const Facing& facing) {
  const Vec along_1 = (1 / first.radius) * cross(first.axis, facing.point_1 - first.p);
  const Vec along_2 = (1 / second.radius) * cross(second.axis, facing.point_2 - second.p);
  return std::clamp(std::max(std::fabs(facing.gap), kConditioned * norm(cross(along_1, along_2))), Real(1e-12L),
                    kConditioned);
}

/// Two elements, or what stands for them where they face each other nowhere: then the recording has the normal of the solids.
Touch touchOfElements(const Pair& pair, const Element& first, const Element& second, const PlacedSolid& a,
                      const PlacedSolid& b) {
  constexpr Real kSame = 1e-6L, kNear = 0.5L;  // of unit vectors: rounding next to an apex; a turn in a step
  std::optional<Touch> found = touchBesideCone(first, second);
  if (!found)
    if (const std::optional<Facing> facing = faceNear(pair, first, second)) {
      found = touchOf(*facing);
      if (isCircle(first) && isCircle(second)) found->reach = reachOfRims(first, second, *facing);
      for (const Element& e : {first, second})  // the outermost point of a disc that nearly lies across turns around it
        if (e.kind == ElementKind::kRim)
          found->shift = std::max(found->shift, 1 / std::max(norm(cross(e.axis, facing->normal)), Real(1e-9L)));
    }
  const auto missOf = [&](const Touch& touch) { return norm(touch.normal - pair.near_normal); };
  if (found && missOf(*found) <= (pair.near_is_recorded ? kSame : kNear)) return *found;
  const Touch whole = touchOfWholes(pair, a, b);
  return found && missOf(*found) <= missOf(whole) ? *found : whole;
}

}  // namespace

Touch touchOfRound(const Pair& pair, const PlacedSolid& a, const PlacedSolid& b) {
  const int i = pair.feature_1, j = pair.feature_2;
  switch (pair.kind) {
    case FeatureKind::kEdges:
    case FeatureKind::kEdgesBack:
      return touchOfSides(a, i, b, j);
    case FeatureKind::kVertexEdge:
      return besideOfRound(a, i, b, j);
    case FeatureKind::kEdgeVertex:
      return swapSides(besideOfRound(b, j, a, i));
    case FeatureKind::kBallSolid:
      return ballOfRound(a, i, b);
    case FeatureKind::kSolidBall:
      return swapSides(ballOfRound(b, j, a));
    case FeatureKind::kFaceRim:
      return touchOfRim(a, i, b, j);
    case FeatureKind::kRimFace:
      return swapSides(touchOfRim(b, j, a, i));
    case FeatureKind::kCrossing: {
      const Element first = elementOfCrossing(a, i), second = elementOfCrossing(b, j);
      Pair there = pair;
      if ((i & j & kRim) != 0 && !pair.near_is_recorded)
        there.near_point = crossingOfRims(first, second, ((i | j) & kSecondCrossing) != 0);
      return touchOfElements(there, first, second, a, b);
    }
    default:
      break;
  }
  if (a.solid->kind == SolidKind::kSurface && b.solid->kind == SolidKind::kEllipsoid)
    return ellipsoidOver(pair, a, i, b);
  if (b.solid->kind == SolidKind::kSurface && a.solid->kind == SolidKind::kEllipsoid)
    return swapSides(ellipsoidOver(pair, b, j, a));
  if (a.solid->kind == SolidKind::kEllipsoid || b.solid->kind == SolidKind::kEllipsoid)
    return touchOfWholes(pair, a, b);
  return touchOfElements(pair, elementOfNumber(a, i), elementOfNumber(b, j), a, b);
}

}  // namespace rigor::verify
