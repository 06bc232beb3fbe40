// What a pass adds that ends in overlap, or went through something.
#include "collision/solid_pair.h"
#include "geometry/time_of_impact.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kViolated = 1e-12;  // [m] overlap of a feature that has to take part
constexpr double kTurned = 0.5;      // cosine between a feature and its branch: both have turned since the start

/// Which of the violated features may join.
struct Admission {
  double least_start = -kEntered;  ///< [m] gap at the start
  double nearest = 0.0;            ///< [m] distance from those that take part
};

/// A rim is held in one way within a step; true if that leaves anything to look at: where it is held by points, the lowest.
bool keepToOneWay(const MovedPair& moved, const SolidSearch& search, SolidFeatures& features) {
  const RimAbove rim = rimOf(features);
  if (!isHeldOtherwise(search, moved.from.state, rim)) return true;
  if (rim.by == RimAbove::kPoint) return false;
  if (rim.rim_side == 1)
    features = {FeatureKind::kFaceVertex, {rim.face, lowestRimPoint(moved.a, rim.face, moved.b, rim.disc)}};
  else
    features = {FeatureKind::kVertexFace, {lowestRimPoint(moved.b, rim.face, moved.a, rim.disc), rim.face}};
  return true;
}

/// Adds features of a direction that the end violates. Returns whether there were any.
bool addViolated(const SolidStep& step, const MovedPair& moved, const Branch& branch, const Admission& admission,
                 SolidSearch& search) {
  const PairView& from = moved.from;
  const Vec normal = normalAt(branch, moved.a, moved.b);
  listFeatures(moved.a, moved.b, {normal, kTouch, turnBack(moved)}, search.lists, search.features);
  bool found = false;
  for (SolidFeatures& features : search.features) {
    if (!keepToOneWay(moved, search, features)) continue;
    const FeaturePair pair = makePair(from.pair, features);
    if (isTaken(search, from.state, pair.id) || areParallel(features, from.a, from.b)) continue;
    const GapAtPose<double> end = gapOfSolids(features, moved.a, moved.b);
    if (end.gap >= -kViolated || dot(end.normal, normal) < kTurned) continue;
    if (isHeldByItsEdge(search, from, features, end.point, moved.a, moved.b, kNextTo * sizeOf(step, from.pair)))
      continue;
    const GapAtPose<double> at = gapOfSolids(features, from.a, from.b);
    if (at.gap < admission.least_start || isCoincident(search, from.state, at.point, admission.nearest)) continue;
    take(step, from, pair, at, search);
    search.late.push_back(pair);
    found = true;
  }
  return found;
}

/// True if the features of a pair that take part keep it apart where they are.
bool holdAll(const MovedPair& moved, const SolidSearch& search) {
  for (int i = moved.from.state.last_taken; i >= 0; i = search.taken[i].before)
    if (gapOfSolids(featuresOf(search.taken[i].id, search.taken[i].normal), moved.a, moved.b).gap < -kApart)
      return false;
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
  const FeaturePair pair = makePair(moved.from.pair, features);
  if (isTaken(search, moved.from.state, pair.id) || areParallel(features, moved.from.a, moved.from.b)) return false;
  take(step, moved.from, pair, gapOfSolids(features, moved.from.a, moved.from.b), search);
  search.late.push_back(pair);
  return true;
}

bool addElements(const SolidStep& step, const MovedPair& moved, const SolidSeparation& end, SolidSearch& search) {
  if (end.element_1 < 0 || !haveNormal(end.element_1, moved.a, end.element_2, moved.b)) return false;
  const SolidFeatures features = touchingElements(end);
  const FeaturePair pair = makePair(moved.from.pair, features);
  if (isTaken(search, moved.from.state, pair.id)) return false;
  const GapAtPose<double> at = gapOfSolids(features, moved.from.a, moved.from.b);
  if (at.gap < -kEntered - moved.from.state.margin) return false;
  if (liesOnDisc(features, end.normal, moved.a, moved.b) || liesOnDisc(features, at.normal, moved.from.a, moved.from.b))
    return false;
  take(step, moved.from, pair, at, search);
  search.late.push_back(pair);
  return true;
}

/// Looks at a pair whose shapes, grown to faces and edges, are not proved apart.
void lookAtBranches(const SolidStep& step, const MovedPair& moved, SolidSearch& search) {
  PairState& state = moved.from.state;
  const ConvexShape a = moved.a.view(), b = moved.b.view();
  if (state.chosen) {
    if (separationAlong(normalAt(state.branch, moved.a, moved.b), a, b) >= -kApart) return;
  } else if (state.has_hint && separationAlong(state.hint, a, b) > 0.0 &&
             separationAlong(state.hint, moved.from.a.view(), moved.from.b.view()) > 0.0) {
    return;
  }
  const SolidSeparation end = separateSolids(moved.a, moved.b, moved.from.hint());
  const bool apart = end.distance >= -kApart;
  if (apart && (!isFast(step, moved) || separatedBefore(moved, branchOf(end)))) return;
  if (apart && !findTimeOfImpact(moved.from.a, moved.a, moved.from.b, moved.b).meets) return;
  const Branch entered = chooseEntered(moved, end, apart);
  bool found = false;
  const double near = kCoincident * sizeOf(step, moved.from.pair);
  // where one round element follows another, the second is a little too deep while it is not yet its turn
  const double least = moved.from.isCurved() ? -kEntered - state.margin : -kEntered;
  if (!apart) found = addViolated(step, moved, entered, {least, near}, search);
  // what is left when all of them hold comes from points that were taken for one and moved apart
  if (!apart && !found && holdAll(moved, search)) found = addViolated(step, moved, entered, {least, 0.0}, search);
  if (!apart && !found && state.last_taken < 0)
    found = addViolated(step, moved, branchOf(end), {.nearest = near}, search) ||
            addViolated(step, moved, branchOf(end), {-kEntered - state.margin, near}, search);
  if (!found && holdAll(moved, search)) found = addElements(step, moved, end, search);
  if (!found && (apart || state.last_taken < 0)) found = addExtreme(step, moved, entered, search);
  if (found && !state.chosen) state.branch = entered, state.chosen = true;
  search.unresolved = search.unresolved || (!found && end.distance < -kApart) || (apart && !found);
}

}  // namespace

void findViolatedSolids(const SolidStep& step, const std::vector<PlacedSolid>& end, SolidSearch& search) {
  search.contacts.clear();
  search.unresolved = false;
  for (const int index : step.candidates) {
    const PairView from = viewPair(step, index, search);
    const MovedPair moved{from, end[from.pair.shape[0]], end[from.pair.shape[1]]};
    if (!comeNear(step, moved)) continue;
    if (from.state.margin < 0.0) from.state.margin = marginOf(step, from.pair);
    listBalls(*from.a.solid, *from.b.solid, search.features);
    for (const SolidFeatures& features : search.features) {
      const FeaturePair pair = makePair(from.pair, features);
      if (gapOfSolids(features, moved.a, moved.b).gap < 0.0 && !isTaken(search, from.state, pair.id))
        take(step, from, pair, gapOfSolids(features, from.a, from.b), search);
    }
    if (from.pair.branches) lookAtBranches(step, moved, search);
  }
}

}  // namespace rigor
