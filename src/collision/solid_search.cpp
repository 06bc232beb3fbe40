#include "collision/solid_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/solid_elements.h"
#include "geometry/time_of_impact.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kTouch = 1e-8;       // [m] a branch that is nearer touches
constexpr double kEntered = 1e-9;     // [m] overlap along a branch that still separates
constexpr double kApart = 3e-12;      // [m] overlap that a pass may leave
constexpr double kViolated = 1e-12;   // [m] overlap of a feature that has to take part
constexpr double kAligned = 0.99;     // cosine between a feature and its branch at the start
constexpr double kTurned = 0.5;       // and at the end, where both have turned
constexpr double kOtherWay = 1e-4;    // 1 − cosine: directions that are not the same
constexpr double kCoincident = 2e-5;  // of the size: points this near are one
constexpr double kFast = 0.2;         // of the thinner solid: who moves less cannot pass through
constexpr double kParallel = 1e-7;    // sine: lines that have no common normal

/// One pair of solids while it is looked at.
struct PairView {
  const SolidPair& pair;
  const PlacedSolid &a, &b;  ///< at the start
  PairState& state;
};

PairView viewPair(const SolidStep& step, int index, SolidSearch& search) {
  const SolidPair& pair = step.table.solid_pairs[index];
  return {pair, step.start[pair.shape[0]], step.start[pair.shape[1]], search.pairs[index]};
}

double sizeOf(const SolidStep& step, const SolidPair& pair) {
  return std::min(step.table.solids[pair.shape[0]].bound, step.table.solids[pair.shape[1]].bound);
}

/// Farthest that a solid may move in the step: half as fast again as now, and what 3 g adds.
double wayOf(const SolidStep& step, int shape) {
  const SolidPlace& place = step.table.solids[shape];
  if (place.link < 0) return 0.0;
  const Motion<double>& V = step.V[place.link];
  const PlacedSolid& solid = step.start[shape];
  const Vec velocity = V.linear + cross(V.angular, solid.X_WS.p - solid.origin);
  return 1.3 * step.h * (norm(velocity) + norm(V.angular) * place.bound) + 30.0 * step.h * step.h + 1e-6;
}

FeaturePair makePair(const SolidStep& step, const SolidPair& pair, const SolidFeatures& features) {
  FeaturePair made;
  made.kind = features.kind;
  made.id = makeFeaturePairId(pair.shape[0], pair.shape[1], features.kind, features.feature[0], features.feature[1]);
  for (int side = 0; side < 2; ++side) {
    made.shape[side] = pair.shape[side], made.link[side] = pair.link[side];
    made.feature[side] = features.feature[side];
  }
  made.material = pair.material;
  made.normal = features.normal;
  return made;
}

bool areParallel(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b) {
  const bool edges = features.kind == FeatureKind::kEdges || features.kind == FeatureKind::kEdgesBack;
  return edges && crossEdges(a, features.feature[0], b, features.feature[1]).sine < kParallel;
}

SolidFeatures featuresOf(const RowId& id, const Vec& normal) {
  return {kindOfId(id), {featureOfId(id, 0), featureOfId(id, 1)}, normal};
}

bool isCurved(const PairView& view) { return view.a.solid->isCurved() || view.b.solid->isCurved(); }

SolidFeatures edgesOf(const Branch& branch, const PlacedSolid& a, const PlacedSolid& b) {
  const Vec product = cross(a.edge(branch.feature[0]), b.edge(branch.feature[1]));
  return {dot(product, branch.normal) >= 0.0 ? FeatureKind::kEdges : FeatureKind::kEdgesBack,
          {branch.feature[0], branch.feature[1]}};
}

/// A point of a rim: there are as many as anybody asks for.
bool isOnRim(const SolidFeatures& features) {
  return (features.kind == FeatureKind::kFaceVertex && isRimPoint(features.feature[1])) ||
         (features.kind == FeatureKind::kVertexFace && isRimPoint(features.feature[0]));
}

bool isTaken(const SolidSearch& search, const PairState& state, const RowId& id) {
  for (int i = state.last_taken; i >= 0; i = search.taken[i].before)
    if (search.taken[i].id == id) return true;
  return false;
}

/// A point where another feature of the pair takes part already: two would share one force.
bool isCoincident(const SolidSearch& search, const PairState& state, const Vec& point, double near) {
  for (int i = state.last_taken; i >= 0; i = search.taken[i].before) {
    const Vec way = search.taken[i].point - point;
    if (dot(way, way) < near * near) return true;
  }
  return false;
}

void take(const SolidStep& step, const PairView& view, const FeaturePair& pair, const GapAtPose<double>& at,
          SolidSearch& search) {
  search.contacts.push_back({pair, gapRate(pair, at, step.V), at});
  search.taken.push_back({pair.id, at.point, at.normal, view.state.last_taken});
  view.state.last_taken = static_cast<int>(search.taken.size()) - 1;
}

/// Blocks of the memory that belong to a pair of shapes.
std::span<const BlockMemory> remembered(const SolidStep& step, const SolidPair& pair) {
  const auto earlier = [](const BlockMemory& block, const RowId& id) { return block.id < id; };
  const auto& blocks = step.memory.blocks;
  const auto first = std::lower_bound(blocks.begin(), blocks.end(), firstIdOf(pair.shape[0], pair.shape[1]), earlier);
  return {first, std::lower_bound(first, blocks.end(), endOfIds(pair.shape[0], pair.shape[1]), earlier)};
}

Branch branchOf(const SolidFeatures& features, const Vec& normal) {
  Branch branch{.normal = normal};
  std::copy_n(features.feature, 2, branch.feature);
  if (features.kind == FeatureKind::kFaceVertex || features.kind == FeatureKind::kFaceRim)
    branch.kind = AxisKind::kFace1;
  if (features.kind == FeatureKind::kVertexFace || features.kind == FeatureKind::kRimFace)
    branch.kind = AxisKind::kFace2;
  if (features.kind == FeatureKind::kEdges || features.kind == FeatureKind::kEdgesBack) branch.kind = AxisKind::kEdges;
  return branch;
}

void findStart(const PairView& view) {
  PairState& state = view.state;
  if (state.start_known) return;
  const Separation found = separateSolids(view.a, view.b, state.has_hint ? &state.hint : nullptr);
  state.start = branchOf(found);
  state.distance = found.distance;
  state.start_known = state.has_hint = true;
  state.hint = found.normal;
}

/// The branch of the last step, if it still touches.
bool recallBranch(const SolidStep& step, const PairView& view) {
  double best = -kEntered;
  bool found = false;
  for (const BlockMemory& block : remembered(step, view.pair)) {
    if (kindOfId(block.id) == FeatureKind::kWhole) findStart(view);
    const SolidFeatures features = featuresOf(block.id, view.state.start.normal);
    const bool ball = features.kind == FeatureKind::kBallSolid || features.kind == FeatureKind::kSolidBall;
    if (ball || areParallel(features, view.a, view.b)) continue;
    const Vec normal = gapOfSolids(features, view.a, view.b).normal;
    const double distance = separationAlong(normal, view.a.view(), view.b.view());
    if (distance < best || distance > kTouch) continue;
    best = distance;
    view.state.branch = branchOf(features, normal);
    found = true;
  }
  return found;
}

/// True if a face of either side separates as well as the chosen branch, but in another direction: nobody can tell yet.
bool isAmbiguous(const PairView& view, const Vec& chosen) {
  if (view.a.solid->isPlane()) return false;
  const auto other = [&](const PlacedSolid& solid, double sign) {
    for (int f = 0; f < solid.solid->faceCount(); ++f) {
      const Vec n = sign * solid.normal(f);
      if (1.0 - dot(n, chosen) > kOtherWay && separationAlong(n, view.a.view(), view.b.view()) >= -kEntered)
        return true;
    }
    return false;
  };
  return other(view.a, 1.0) || other(view.b, -1.0);
}

/// Chooses the branch of a pair that touches at the start. False if it does not, or if several could be it.
bool chooseBranch(const SolidStep& step, const PairView& view) {
  PairState& state = view.state;
  if (state.has_hint && separationAlong(state.hint, view.a.view(), view.b.view()) > kTouch) return false;
  if (recallBranch(step, view)) return true;
  findStart(view);
  if (state.distance > kTouch || isAmbiguous(view, state.start.normal)) return false;
  state.branch = state.start;
  return true;
}

/// How far b turns against a in the step [rad], as it begins.
Vec turnIn(const SolidStep& step, const SolidPair& pair) {
  const auto spin = [&](int side) { return pair.link[side] < 0 ? Vec{} : step.V[pair.link[side]].angular; };
  return step.h * (spin(1) - spin(0));
}

/// Points of rims that pushed in the last step, beside those that are always looked at.
void addRememberedRims(std::span<const BlockMemory> last, std::vector<SolidFeatures>& found) {
  for (const BlockMemory& block : last) {
    const SolidFeatures features = featuresOf(block.id, {});
    if (!isOnRim(features) || !(block.impulse[0] > 0.0)) continue;
    const auto same = [&](const SolidFeatures& other) {
      return other.kind == features.kind && std::equal(other.feature, other.feature + 2, features.feature);
    };
    if (std::none_of(found.begin(), found.end(), same)) found.push_back(features);
  }
}

/// The elements that touch where nothing is flat: a rim or a round side, and a vertex, an edge or another of them.
SolidFeatures touchingElements(const SolidSeparation& found) {
  return {FeatureKind::kWhole, {found.element_1, found.element_2}, found.normal};
}

/// Those of the last step again; in an impact, where there is no end that could be violated, those that touch now.
template <class Wanted>
void takeElements(const SolidStep& step, const PairView& view, const Wanted& wanted, SolidSearch& search) {
  const auto consider = [&](const SolidFeatures& features) {
    const FeaturePair pair = makePair(step, view.pair, features);
    const GapAtPose<double> at = gapOfSolids(features, view.a, view.b);
    if (at.gap >= -kEntered && wanted(at.gap, gapRate(pair, at, step.V))) take(step, view, pair, at, search);
  };
  for (const BlockMemory& block : remembered(step, view.pair))
    if (kindOfId(block.id) == FeatureKind::kWhole) {
      findStart(view);
      consider(featuresOf(block.id, view.state.start.normal));
    }
  if (step.h > 0.0 || view.state.last_taken >= 0) return;
  const SolidSeparation now = separateSolids(view.a, view.b, &view.state.start.normal);
  if (now.element_1 >= 0 && haveNormal(now.element_1, view.a, now.element_2, view.b)) consider(touchingElements(now));
}

/// Takes the features of the chosen branch that `wanted` says; those of the last step first, so that they stay.
template <class Wanted>
void takeBranch(const SolidStep& step, const PairView& view, const Wanted& wanted, SolidSearch& search) {
  view.state.chosen = true;
  const Vec normal = normalAt(view.state.branch, view.a, view.b);
  listFeatures(view.a, view.b, {normal, view.state.margin, turnIn(step, view.pair)}, search.lists, search.features);
  const std::span<const BlockMemory> last = remembered(step, view.pair);
  addRememberedRims(last, search.features);
  const double near = kCoincident * sizeOf(step, view.pair);
  const double deepest = -kEntered + std::min(0.0, view.state.start_known ? view.state.distance : 0.0);
  for (const bool first : {true, false})
    for (const SolidFeatures& features : search.features) {
      const FeaturePair pair = makePair(step, view.pair, features);
      const bool known = std::any_of(last.begin(), last.end(), [&](const auto& block) { return block.id == pair.id; });
      if (known != first) continue;
      const GapAtPose<double> at = gapOfSolids(features, view.a, view.b);
      if (at.gap < deepest || dot(at.normal, normal) < kAligned) continue;
      if (wanted(at.gap, gapRate(pair, at, step.V)) && !isCoincident(search, view.state, at.point, near))
        take(step, view, pair, at, search);
    }
  if (isCurved(view)) takeElements(step, view, wanted, search);
}

/// Takes rounded vertices, whose gaps are true distances: nothing has to be chosen.
template <class Wanted>
void takeBalls(const SolidStep& step, const PairView& view, const Wanted& wanted, SolidSearch& search) {
  listBalls(*view.a.solid, *view.b.solid, search.features);
  for (const SolidFeatures& features : search.features) {
    const FeaturePair pair = makePair(step, view.pair, features);
    const GapAtPose<double> at = gapOfSolids(features, view.a, view.b);
    if (wanted(at.gap, gapRate(pair, at, step.V))) take(step, view, pair, at, search);
  }
}

/// True if the balls around both, or the ball and the plane, stay apart in this step.
bool isFar(const SolidStep& step, const PairView& view) {
  const Vec way = view.b.X_WS.p - view.a.X_WS.p;
  const double reach = step.table.solids[view.pair.shape[1]].bound + view.state.margin;
  if (view.a.solid->isPlane()) return dot(view.a.normal(0), way) > reach;
  const double both = step.table.solids[view.pair.shape[0]].bound + reach;
  return dot(way, way) > both * both;
}

/// `ball_wanted` and `wanted` say by gap and rate which balls and which features of a touching branch take part. Those that
/// earlier attempts found out about may lie up to `outside` beyond the borders of their faces and edges.
template <class BallWanted, class Wanted>
void searchPairs(const SolidStep& step, const BallWanted& ball_wanted, const Wanted& wanted, double outside,
                 SolidSearch& search) {
  search.contacts.clear();
  search.taken.clear();
  for (const int index : step.candidates) {
    const PairView view = viewPair(step, index, search);
    PairState& state = view.state;
    state.chosen = state.start_known = false;
    state.last_taken = -1;
    state.margin = wayOf(step, view.pair.shape[0]) + wayOf(step, view.pair.shape[1]);
    if (isFar(step, view)) continue;
    takeBalls(step, view, ball_wanted, search);
    if (view.pair.branches && chooseBranch(step, view)) takeBranch(step, view, wanted, search);
  }
  for (const FeaturePair& pair : search.late) {
    const int index = step.table.findSolidPair(pair.shape[0], pair.shape[1]);
    if (!std::binary_search(step.candidates.begin(), step.candidates.end(), index)) continue;
    const PairView view = viewPair(step, index, search);
    const SolidFeatures features{pair.kind, {pair.feature[0], pair.feature[1]}, pair.normal};
    if (isTaken(search, view.state, pair.id) || areParallel(features, view.a, view.b)) continue;
    const GapAtPose<double> at = gapOfSolids(features, view.a, view.b);
    if (at.gap < -kEntered || !ball_wanted(at.gap, gapRate(pair, at, step.V))) continue;
    if (isOnRim(features) && at.gap > kTouch) continue;  // the next attempt may find others
    if (distanceOutside(features, view.a, view.b) <= outside * sizeOf(step, view.pair))
      take(step, view, pair, at, search);
  }
}

/// A pair with both of its poses.
struct Moved {
  PairView from;
  const PlacedSolid &a, &b;  ///< at the end
  int index;
};

/// False if the balls around both stay apart all the way.
bool comeNear(const SolidStep& step, const Moved& moved) {
  const SolidPair& pair = moved.from.pair;
  const double reach = step.table.solids[pair.shape[0]].bound + step.table.solids[pair.shape[1]].bound;
  if (moved.a.solid->isPlane())
    return dot(moved.a.normal(0), moved.b.X_WS.p - moved.a.X_WS.p) <= step.table.solids[pair.shape[1]].bound;
  const Vec first = moved.from.b.X_WS.p - moved.from.a.X_WS.p, last = moved.b.X_WS.p - moved.a.X_WS.p;
  const Vec line = last - first;
  const double length = dot(line, line);
  const double share = length > 0.0 ? std::clamp(-dot(first, line) / length, 0.0, 1.0) : 0.0;
  const Vec nearest = first + share * line;
  return dot(nearest, nearest) <= reach * reach;
}

/// True if one of them may have gone through the other: it moved a good part of the thinner one.
bool isFast(const SolidStep& step, const Moved& moved) {
  const SolidPair& pair = moved.from.pair;
  if (moved.a.solid->isPlane()) return false;
  const Vec way = (moved.b.X_WS.p - moved.from.b.X_WS.p) - (moved.a.X_WS.p - moved.from.a.X_WS.p);
  const double thin = std::min(step.table.solids[pair.shape[0]].thickness, step.table.solids[pair.shape[1]].thickness);
  return norm(way) > kFast * thin;
}

/// When a direction stopped to separate, as a share of the way; −1 if it did not even at the start.
struct Entry {
  Branch branch;
  double share = -1.0, distance = 0.0;  ///< at the end
};

Entry enter(const Moved& moved, const Branch& branch) {
  const double before =
      separationAlong(normalAt(branch, moved.from.a, moved.from.b), moved.from.a.view(), moved.from.b.view());
  const double after = separationAlong(normalAt(branch, moved.a, moved.b), moved.a.view(), moved.b.view());
  if (before < -kEntered) return {branch, -1.0, after};
  return {branch, before > 0.0 && before > after ? before / (before - after) : 0.0, after};
}

/// The direction that separated the two until they met: the last to stop.
Branch chooseEntered(const Moved& moved, const Separation& end, bool went_through) {
  if (!went_through && end.distance > -kEntered) return branchOf(end);  // a seam, flush to rounding
  if (moved.a.solid->isPlane()) return branchOf(end);
  findStart(moved.from);
  Entry best = enter(moved, moved.from.state.start);
  const auto consider = [&](const Branch& branch) {
    const Entry entry = enter(moved, branch);
    const bool later = entry.share > best.share + 1e-12;
    if (later || (entry.share >= best.share - 1e-12 && entry.distance > best.distance)) best = entry;
  };
  if (!went_through) consider(branchOf(end));
  const TimeOfImpact impact = findTimeOfImpact(moved.from.a, moved.a, moved.from.b, moved.b);
  if (impact.meets && impact.share > 0.0) consider(branchOf(impact.separation));
  return best.branch;
}

/// Which of the violated features may join.
struct Admission {
  double least_start = -kEntered;  ///< [m] gap at the start
  double nearest = 0.0;            ///< [m] distance from those that take part
};

/// Adds features of a direction that the end violates. Returns whether there were any.
bool addViolated(const SolidStep& step, const Moved& moved, const Branch& branch, const Admission& admission,
                 SolidSearch& search) {
  const PairView& from = moved.from;
  const Vec normal = normalAt(branch, moved.a, moved.b);
  listFeatures(moved.a, moved.b, {normal, kTouch, -turnIn(step, from.pair)}, search.lists, search.features);
  bool found = false;
  for (const SolidFeatures& features : search.features) {
    const FeaturePair pair = makePair(step, from.pair, features);
    if (isTaken(search, from.state, pair.id) || areParallel(features, from.a, from.b)) continue;
    const GapAtPose<double> end = gapOfSolids(features, moved.a, moved.b);
    if (end.gap >= -kViolated || dot(end.normal, normal) < kTurned) continue;
    const GapAtPose<double> at = gapOfSolids(features, from.a, from.b);
    if (at.gap < admission.least_start || isCoincident(search, from.state, at.point, admission.nearest)) continue;
    take(step, from, pair, at, search);
    search.late.push_back(pair);
    found = true;
  }
  return found;
}

/// True if the features of a pair that take part keep it apart where they are.
bool holdAll(const Moved& moved, const SolidSearch& search) {
  for (int i = moved.from.state.last_taken; i >= 0; i = search.taken[i].before)
    if (gapOfSolids(featuresOf(search.taken[i].id, search.taken[i].normal), moved.a, moved.b).gap < -kApart)
      return false;
  return true;
}

/// The vertex that went farthest across a direction, against the face that it crossed, wherever that ends. With no face
/// there is nothing to hold on to.
bool addExtreme(const SolidStep& step, const Moved& moved, const Branch& branch, SolidSearch& search) {
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
  const FeaturePair pair = makePair(step, moved.from.pair, features);
  if (isTaken(search, moved.from.state, pair.id) || areParallel(features, moved.from.a, moved.from.b)) return false;
  take(step, moved.from, pair, gapOfSolids(features, moved.from.a, moved.from.b), search);
  search.late.push_back(pair);
  return true;
}

bool addElements(const SolidStep& step, const Moved& moved, const SolidSeparation& end, SolidSearch& search) {
  if (end.element_1 < 0 || !haveNormal(end.element_1, moved.a, end.element_2, moved.b)) return false;
  const SolidFeatures features = touchingElements(end);
  const FeaturePair pair = makePair(step, moved.from.pair, features);
  if (isTaken(search, moved.from.state, pair.id)) return false;
  const GapAtPose<double> at = gapOfSolids(features, moved.from.a, moved.from.b);
  if (at.gap < -kEntered - moved.from.state.margin) return false;
  take(step, moved.from, pair, at, search);
  search.late.push_back(pair);
  return true;
}

/// Looks at a pair whose shapes, grown to faces and edges, are not proved apart.
void lookAtBranches(const SolidStep& step, const Moved& moved, SolidSearch& search) {
  PairState& state = moved.from.state;
  const ConvexShape a = moved.a.view(), b = moved.b.view();
  if (state.chosen) {
    if (separationAlong(normalAt(state.branch, moved.a, moved.b), a, b) >= -kApart) return;
  } else if (state.has_hint && separationAlong(state.hint, a, b) > 0.0 &&
             separationAlong(state.hint, moved.from.a.view(), moved.from.b.view()) > 0.0) {
    return;
  }
  const SolidSeparation end = separateSolids(moved.a, moved.b, state.has_hint ? &state.hint : nullptr);
  const bool apart = end.distance >= -kApart;
  if (apart && (!isFast(step, moved) || enter(moved, branchOf(end)).share >= 0.0)) return;
  if (apart && !findTimeOfImpact(moved.from.a, moved.a, moved.from.b, moved.b).meets) return;
  const Branch entered = chooseEntered(moved, end, apart);
  bool found = false;
  const double near = kCoincident * sizeOf(step, moved.from.pair);
  // where one round element follows another, the second is a little too deep while it is not yet its turn
  const double least = isCurved(moved.from) ? -kEntered - state.margin : -kEntered;
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

Branch branchOf(const Separation& separation) {
  return {separation.axis, {separation.feature_1, separation.feature_2}, separation.normal};
}

Vec normalAt(const Branch& branch, const PlacedSolid& a, const PlacedSolid& b) {
  switch (branch.kind) {
    case AxisKind::kFace1:
      return a.normal(branch.feature[0]);
    case AxisKind::kFace2:
      return -b.normal(branch.feature[1]);
    case AxisKind::kEdges: {
      const Vec product = cross(a.edge(branch.feature[0]), b.edge(branch.feature[1]));
      const double length = norm(product);
      if (!(length > 0.0)) return branch.normal;
      return (dot(product, branch.normal) >= 0.0 ? 1.0 / length : -1.0 / length) * product;
    }
    case AxisKind::kDirection:
      break;
  }
  return branch.normal;
}

void SolidSearch::prepare(const CollisionTable& table) { pairs.assign(table.solid_pairs.size(), {}); }

void findSolidContacts(const SolidStep& step, SolidSearch& found) {
  const auto soon = [&](double gap, double rate) { return mayClose(gap, rate, step.h); };
  const auto touching = [&](double gap, double rate) { return gap <= kTouch || gap + step.h * rate <= 0.0; };
  searchPairs(step, soon, touching, std::numeric_limits<double>::infinity(), found);
}

void findTouchingSolids(const SolidStep& step, double least, SolidSearch& found) {
  const auto touching = [&](double gap, double rate) { return gap + least * std::min(rate, 0.0) < kTouching; };
  searchPairs(step, touching, touching, kCoincident, found);
}

void findViolatedSolids(const SolidStep& step, const std::vector<PlacedSolid>& end, SolidSearch& search) {
  search.contacts.clear();
  search.unresolved = false;
  for (const int index : step.candidates) {
    const PairView from = viewPair(step, index, search);
    const Moved moved{from, end[from.pair.shape[0]], end[from.pair.shape[1]], index};
    if (!comeNear(step, moved)) continue;
    listBalls(*from.a.solid, *from.b.solid, search.features);
    for (const SolidFeatures& features : search.features) {
      const FeaturePair pair = makePair(step, from.pair, features);
      if (gapOfSolids(features, moved.a, moved.b).gap < 0.0 && !isTaken(search, from.state, pair.id))
        take(step, from, pair, gapOfSolids(features, from.a, from.b), search);
    }
    if (from.pair.branches) lookAtBranches(step, moved, search);
  }
}

}  // namespace rigor
