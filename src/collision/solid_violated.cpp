// What a pass adds that ends in overlap, or went through something.
#include <algorithm>

#include "collision/rim_search.h"
#include "geometry/side_points.h"
#include "geometry/surface_normals.h"
#include "geometry/time_of_impact.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kSameGap = 0.9;  // cosine: elements that do not face each other yet begin with the gap of their solids
constexpr double kTurned = 0.5;   // cosine between a feature and its branch: both have turned since the start

/// Which of the violated features may join.
struct Admission {
  double least_start = -kEntered;  ///< [m] gap at the start
  double nearest = 0.0;            ///< [m] distance from those that take part
};

bool takesPart(const PairView& view, const SolidSearch& search) {
  for (int i = view.shared.last_taken; i >= 0; i = search.taken[i].before)
    if (isOfView(view, featuresOf(search.taken[i].id, {}))) return true;
  return false;
}

/// Adds features of a direction that the end violates. Returns whether there were any.
bool addViolated(const SolidStep& step, const MovedPair& moved, const Branch& branch, const Admission& admission,
                 SolidSearch& search) {
  const PairView& from = moved.from;
  const Vec normal = normalAt(branch, moved.a, moved.b);
  listFeatures(moved.a, moved.b, {normal, kTouch, motionBack(moved)}, search.lists, search.features);
  if (from.part) keepPushing(*from.part, moved.shape_a, moved.shape_b, search.features);
  bool found = false;
  for (SolidFeatures& features : search.features) {
    if (!chooseOnRim(moved, features, search)) continue;
    const FeaturePair pair = makePair(from.pair, features);
    if (isTaken(search, from.shared, pair.id) || areParallel(features, from.shape_a, from.shape_b)) continue;
    const GapAtPose<double> end = gapOfSolids(features, moved.shape_a, moved.shape_b);
    if (end.gap >= -kViolated || dot(end.normal, normal) < kTurned) continue;
    if (isHeldByItsEdge(search, from, features, end.point, moved.shape_a, moved.shape_b,
                        kNextTo * sizeOf(step, from.pair)))
      continue;
    if (takesPart(from, search) && !faceEachOther(features, from.shape_a, from.shape_b)) continue;
    const GapAtPose<double> at = gapOfSolids(features, from.shape_a, from.shape_b);
    if (at.gap < admission.least_start || isCoincident(search, from, at, admission.nearest)) continue;
    take(step, from, pair, at, search);
    if (!runsOnRim(features)) search.late.push_back(pair);
    found = true;
  }
  return found;
}

/// True if the features of a pair that take part keep it apart where they are.
bool holdAll(const MovedPair& moved, const SolidSearch& search) {
  for (int i = moved.from.shared.last_taken; i >= 0; i = search.taken[i].before) {
    const SolidFeatures features = featuresOf(search.taken[i].id, search.taken[i].normal);
    if (isOfView(moved.from, features) && gapOfSolids(features, moved.shape_a, moved.shape_b).gap < -kApart)
      return false;
  }
  return true;
}

SolidFeatures edgesOf(const Branch& branch, const PlacedSolid& a, const PlacedSolid& b) {
  const Vec product = cross(a.edge(branch.feature[0]), b.edge(branch.feature[1]));
  return {dot(product, branch.normal) >= 0.0 ? FeatureKind::kEdges : FeatureKind::kEdgesBack,
          {branch.feature[0], branch.feature[1]}};
}

/// The vertex that went farthest across a direction, against the face that it crossed, wherever that ends. With no face
/// there is nothing to hold on to.
bool addExtreme(const SolidStep& step, const MovedPair& moved, const Branch& branch, SolidSearch& search) {
  const Vec normal = normalAt(branch, moved.a, moved.b);
  SolidFeatures features;
  if (branch.kind == AxisKind::kFace1)
    features = {FeatureKind::kFaceVertex, {branch.feature[0], coreSupport(moved.b.view(), -normal).vertex}};
  else if (branch.kind == AxisKind::kFace2)
    features = {FeatureKind::kVertexFace, {coreSupport(moved.a.view(), normal).vertex, branch.feature[1]}};
  else if (branch.kind == AxisKind::kEdges)
    features = edgesOf(branch, moved.a, moved.b);
  else
    return false;
  if (features.feature[0] < 0 || features.feature[1] < 0) return false;
  const PairView& from = moved.from;
  if (from.part && !numberInSurface(*from.part, features)) return false;
  const FeaturePair pair = makePair(from.pair, features);
  if (isTaken(search, from.shared, pair.id) || areParallel(features, from.shape_a, from.shape_b)) return false;
  take(step, from, pair, gapOfSolids(features, from.shape_a, from.shape_b), search);
  search.late.push_back(pair);
  return true;
}

bool addElements(const SolidStep& step, const MovedPair& moved, const SolidSeparation& end, SolidSearch& search) {
  if (end.element_1 < 0 || !haveNormal(end.element_1, moved.a, end.element_2, moved.b)) return false;
  SolidFeatures features = touchingElements(end);
  const PairView& from = moved.from;
  if (from.part &&
      !(numberInSurface(*from.part, features) && mayPush(*from.part, features, moved.shape_a, moved.shape_b)))
    return false;
  if (!from.part && areStraightSides(features) && runsAlong(features, moved.a, moved.b, motionBack(moved)))
    features = pointOfSides(features, moved.a, moved.b);
  if (!chooseOnRim(moved, features, search)) return false;
  const FeaturePair pair = makePair(from.pair, features);
  if (isTaken(search, from.shared, pair.id)) return false;
  const GapAtPose<double> at = gapOfSolids(features, from.shape_a, from.shape_b);
  if (at.gap < -kEntered - from.shared.margin) return false;
  if (features.kind != FeatureKind::kWhole) {
    take(step, from, pair, at, search);
    return true;
  }
  if (!faceEachOther(features, from.shape_a, from.shape_b) && dot(at.normal, end.normal) < kSameGap) return false;
  if (liesOnDisc(features, end.normal, moved.shape_a, moved.shape_b) ||
      isHeldBefore(search, from, features, at, kCoincident * sizeOf(step, from.pair)))
    return false;
  take(step, from, pair, at, search);
  search.late.push_back(pair);
  return true;
}

/// True if a solid stays over the plane of a triangle, or wholly behind it, where it pushes nothing.
bool staysOnItsSide(const MovedPair& moved) {
  const PairView& from = moved.from;
  const Branch face = faceOfTriangle(from);
  const Vec before = normalAt(face, from.a, from.b), after = normalAt(face, moved.a, moved.b);
  if (separationAlong(before, from.a.view(), from.b.view()) >= -kEntered)
    return separationAlong(after, moved.a.view(), moved.b.view()) >= -kApart;
  return separationAlong(-before, from.a.view(), from.b.view()) >= 0.0 &&
         separationAlong(-after, moved.a.view(), moved.b.view()) >= 0.0;
}

/// As chooseEntered; edges of a surface that have no such normal leave it to their triangle.
Branch chooseEnteredNormal(const MovedPair& moved, const Separation& end, bool went_through) {
  const Branch entered = chooseEntered(moved, end, went_through);
  const SurfacePart* part = moved.from.part;
  if (!part || moved.a.solid->isPlane()) return entered;
  const Vec normal = normalAt(entered, moved.a, moved.b);
  return hasNormal(*part, part->side == 0 ? moved.a : moved.b, normal) ? entered : faceOfTriangle(moved.from);
}

/// True if solids that are apart at the end met on the way. Those that are held in touch at the end, and met along about the normal
/// that they have there, did so at the end.
bool metOnTheWay(const MovedPair& moved, const Separation& end, bool alone, const SolidSearch& search) {
  const TimeOfImpact impact = findTimeOfImpact(moved.from.a, moved.a, moved.from.b, moved.b);
  if (!impact.meets || alone || moved.from.part || end.distance > kTouch) return impact.meets;
  return dot(impact.separation.normal, end.normal) < kSameGap || !holdAll(moved, search);
}

/// Looks at a pair whose shapes, grown to faces and edges, are not proved apart. The last resort holds on to a face wherever it
/// ends. Returns false if they overlap and nothing more can be done.
bool lookAtBranches(const SolidStep& step, const MovedPair& moved, bool last_resort, SolidSearch& search) {
  PairState& state = moved.from.state;
  const ConvexShape a = moved.a.view(), b = moved.b.view();
  if (moved.from.part && !moved.a.solid->isPlane() && staysOnItsSide(moved)) return true;
  if (state.chosen) {
    if (separationAlong(normalAt(state.branch, moved.a, moved.b), a, b) >= -kApart) return true;
  } else if (state.has_hint && separationAlong(state.hint, a, b) > 0.0 &&
             separationAlong(state.hint, moved.from.a.view(), moved.from.b.view()) > 0.0) {
    return true;
  }
  const SolidSeparation end = separateSolids(moved.a, moved.b, moved.from.hint());
  const bool apart = end.distance >= -kApart;
  if (apart && (!isFast(step, moved) || separatedBefore(moved, branchOf(end)))) return true;
  const bool alone = !takesPart(moved.from, search);
  if (apart && !metOnTheWay(moved, end, alone, search)) return true;
  const Branch entered = chooseEnteredNormal(moved, end, apart);
  bool found = false;
  const double near = kCoincident * sizeOf(step, moved.from.pair);
  // where one round element follows another, the second is a little too deep while it is not yet its turn
  const double least = moved.from.isCurved() ? -kEntered - moved.from.shared.margin : -kEntered;
  if (!apart) found = addViolated(step, moved, entered, {least, near}, search);
  // what is left when all of them hold comes from points that were taken for one and moved apart
  if (!apart && !found && holdAll(moved, search)) found = addViolated(step, moved, entered, {least, 0.0}, search);
  if (!apart && !found && alone)
    found = addViolated(step, moved, branchOf(end), {.nearest = near}, search) ||
            addViolated(step, moved, branchOf(end), {-kEntered - moved.from.shared.margin, near}, search);
  if (!found && holdAll(moved, search)) found = addElements(step, moved, end, search);
  if (!found && (apart || (last_resort && alone))) found = addExtreme(step, moved, entered, search);
  if (found && !state.chosen) state.branch = entered, state.chosen = true;
  return found;
}

/// A fast ball whose centre is past the middle of the other solid at the end, or that came through: the gap of the end is that of
/// another side. The face that it went in by holds it. Returns false if it met something that is no face: shorter steps end
/// while the nearest side is the one that it came to.
bool holdByEnteredFace(const SolidStep& step, const MovedPair& moved, const SolidFeatures& ball,
                       const TimeOfImpact& impact, SolidSearch& search) {
  constexpr double kAlong = 1.0 - 1e-9;  // cosine
  const PairView& from = moved.from;
  if (ball.kind == FeatureKind::kWhole) return false;
  const bool first = ball.kind == FeatureKind::kBallSolid;  // the ball is solid a
  const PlacedSolid& solid = first ? from.b : from.a;
  const Vec outwards = first ? -impact.separation.normal : impact.separation.normal;
  for (int face = 0; face < solid.solid->faceCount(); ++face) {
    if (dot(solid.normal(face), outwards) < kAlong) continue;
    const SolidFeatures features = first ? SolidFeatures{FeatureKind::kVertexFace, {ball.feature[0], face}}
                                         : SolidFeatures{FeatureKind::kFaceVertex, {face, ball.feature[1]}};
    const FeaturePair pair = makePair(from.pair, features);
    if (!isTaken(search, from.shared, pair.id)) take(step, from, pair, gapOfSolids(features, from.a, from.b), search);
    return true;
  }
  return false;
}

/// Rounded vertices, and ellipsoids, whose gaps are true distances.
void lookAtBalls(const SolidStep& step, const MovedPair& moved, SolidSearch& search) {
  const PairView& from = moved.from;
  listBalls(*from.a.solid, *from.b.solid, search.features);
  const bool fast = !from.pair.branches && isFast(step, moved);
  for (const SolidFeatures& features : search.features) {
    const FeaturePair pair = makePair(from.pair, features);
    const GapAtPose<double> end = gapOfSolids(features, moved.a, moved.b);
    if (end.gap < 0.0 ? isTaken(search, from.shared, pair.id) : !fast) continue;
    const GapAtPose<double> at = gapOfSolids(features, from.a, from.b);
    const bool turned = fast && dot(at.normal, end.normal) < kTurned;
    const TimeOfImpact impact = turned ? findTimeOfImpact(from.a, moved.a, from.b, moved.b) : TimeOfImpact{};
    if (turned && impact.meets && impact.share > 0.0 && holdByEnteredFace(step, moved, features, impact, search))
      continue;
    if (end.gap < 0.0)
      take(step, from, pair, at, search);
    else if (turned && impact.meets)
      search.unresolved = true;
  }
}

/// Where a ball, or the centre of an ellipsoid, is to a triangle: at the start and at the end.
struct BallOverTriangle {
  TriangleSpot from, to;
  Vec centre_from, centre_to;  ///< in the frame of the surface
};
BallOverTriangle placeBall(const MovedPair& moved, const SolidFeatures& features) {
  const SurfacePart& part = *moved.from.part;
  const auto centreOf = [&](const PlacedSolid& a, const PlacedSolid& b) {
    const PlacedSolid &surface = part.side == 0 ? a : b, &other = part.side == 0 ? b : a;
    const bool whole = features.kind == FeatureKind::kWhole;
    return surface.toLocal(whole ? other.X_WS.p : other.vertex(features.feature[1 - part.side]));
  };
  BallOverTriangle ball;
  ball.centre_from = centreOf(moved.from.shape_a, moved.from.shape_b);
  ball.centre_to = centreOf(moved.shape_a, moved.shape_b);
  ball.from = nearestOnTriangle(*part.surface, part.thin->triangle(), ball.centre_from);
  ball.to = nearestOnTriangle(*part.surface, part.thin->triangle(), ball.centre_to);
  return ball;
}

/// True if the centre went from the front of the triangle to its back, or near it on the way of a fast one.
bool wentThrough(const SolidStep& step, const MovedPair& moved, const BallOverTriangle& ball) {
  constexpr double kDeep = 0.75;  // of the radius: who rolls around something cuts a chord that is less deep
  const SurfacePart& part = *moved.from.part;
  const bool two_sided = part.surface->two_sided, front = ball.from.height >= 0.0;
  if (ball.to.on == TriangleSpot::On::kFace && (front || two_sided) && front != (ball.to.height >= 0.0)) return true;
  if (!(front || two_sided) || !isFast(step, moved)) return false;
  const double radius = 0.5 * step.table.solids[moved.from.pair.shape[1 - part.side]].thickness;
  return distanceOnWay(*part.surface, part.thin->triangle(), ball.centre_from, ball.centre_to) < kDeep * radius;
}

/// True if a ball or an ellipsoid that is in a triangle from the start is held there all the same: something pushes it along this
/// normal, or it comes no deeper.
bool isHeldInside(const MovedPair& moved, const SolidFeatures& ball, const GapAtPose<double>& at,
                  const SolidSearch& search) {
  constexpr double kSameWay = 1.0 - 1e-10;  // cosine: along it 1e-5 of a way across may be lost
  constexpr double kDeeper = 1e-11;         // [m] what the judge of gaps lets a step lose
  const PairView& from = moved.from;
  const int side = 1 - from.part->side;
  for (int i = from.shared.last_taken; i >= 0; i = search.taken[i].before) {
    const SolidFeatures other = featuresOf(search.taken[i].id, {});
    const bool same = other.kind == ball.kind && other.feature[side] == ball.feature[side];
    if (same && dot(search.taken[i].normal, at.normal) > kSameWay) return true;
  }
  return gapOfSolids(ball, moved.shape_a, moved.shape_b).gap >= at.gap - kDeeper;
}

/// The same for the face of a triangle that they were in front of. Where they end beside it, over an edge that has no such
/// normal, its neighbours push. Returns false if an overlap is left to them.
bool lookAtBallsOver(const SolidStep& step, const MovedPair& moved, SolidSearch& search) {
  const PairView& from = moved.from;
  const SurfacePart& part = *from.part;
  listBallsOver(part, from.shape_a, from.shape_b, search.features);
  bool resolved = true;
  for (const SolidFeatures& features : search.features) {
    const FeaturePair pair = makePair(from.pair, features);
    if (isTaken(search, from.shared, pair.id)) continue;
    const BallOverTriangle ball = placeBall(moved, features);
    const bool whole = features.kind == FeatureKind::kWhole;
    const double distance =
        whole ? separateSolids(moved.a, moved.b).distance : norm(ball.centre_to - ball.to.point) - part.other->radius;
    const bool through = wentThrough(step, moved, ball);
    if (distance >= 0.0 && !through) continue;
    const GapAtPose<double> at = gapOfSolids(features, from.shape_a, from.shape_b);
    if (at.gap < -kEntered) {  // it is behind, or in it from the start: then who pushes took part then
      resolved = resolved && (distance >= -kApart || isHeldInside(moved, features, at, search));
      continue;
    }
    const bool pushes = through || mayPush(part, features, moved.shape_a, moved.shape_b);
    if (pushes) take(step, from, pair, at, search);
    resolved = resolved && (pushes || distance >= -kApart);
  }
  return resolved;
}

/// The triangles of a surface that a solid passes, one after the other.
void lookAtTriangles(const SolidStep& step, const MovedPair& moved, SolidSearch& search) {
  const PairView& from = moved.from;
  const int side = from.pair.surface;
  const PlacedSolid &surface = side == 0 ? from.a : from.b, &other = side == 0 ? from.b : from.a;
  const PlacedSolid &surface_end = side == 0 ? moved.a : moved.b, &other_end = side == 0 ? moved.b : moved.a;
  const std::size_t before = search.contacts.size();
  const auto first = search.triangles.begin() + from.shared.first_triangle;
  const auto last = first + from.shared.triangle_count;
  const auto look = [&](int triangle, bool last_resort) {
    search.thin.fill(*surface.solid->surface, triangle);
    const SurfacePart part{side, surface.solid->surface.get(), &search.thin, other.solid};
    const PlacedSolid piece = search.thin.placed(surface), piece_end = search.thin.placed(surface_end);
    const auto known =
        std::lower_bound(first, last, triangle, [](const auto& one, int number) { return one.number < number; });
    PairState fresh;
    PairState& state = known != last && known->number == triangle ? known->state : fresh;
    const PairView view{
        from.pair, side == 0 ? piece : from.a, side == 0 ? from.b : piece, state, from.a, from.b, from.shared, &part};
    const MovedPair moved_piece{view, side == 0 ? piece_end : moved.a, side == 0 ? moved.b : piece_end, moved.a,
                                moved.b};
    const bool balls = last_resort || lookAtBallsOver(step, moved_piece, search);
    return (!from.pair.branches || lookAtBranches(step, moved_piece, last_resort, search)) && balls;
  };
  findPassedTriangles({surface, other, kTouch}, surface_end, other_end, search.near);
  search.stuck.clear();
  for (const int triangle : search.near)
    if (!look(triangle, false)) search.stuck.push_back(triangle);
  // what its neighbours hold from now on may keep it apart as well
  if (search.contacts.size() > before || search.stuck.empty()) return;
  bool resolved = from.pair.branches;
  for (const int triangle : search.stuck) resolved = from.pair.branches && look(triangle, true) && resolved;
  search.unresolved = search.unresolved || !resolved;
}

}  // namespace

void findViolatedSolids(const SolidStep& step, const std::vector<PlacedSolid>& end, SolidSearch& search) {
  search.contacts.clear();
  search.unresolved = false;
  for (const int index : step.candidates) {
    const PairView from = viewPair(step, index, search);
    const PlacedSolid &a = end[from.pair.shape[0]], &b = end[from.pair.shape[1]];
    const MovedPair moved{from, a, b, a, b};
    if (!comeNear(step, moved)) continue;
    if (from.state.margin < 0.0) from.state.margin = marginOf(step, from.pair);
    if (from.pair.surface >= 0) {
      lookAtTriangles(step, moved, search);
      continue;
    }
    lookAtBalls(step, moved, search);
    if (from.pair.branches && !lookAtBranches(step, moved, true, search)) search.unresolved = true;
  }
}

}  // namespace rigor
