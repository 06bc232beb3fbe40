// The search at the start of a step.
#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/rim_search.h"
#include "geometry/side_points.h"
#include "geometry/surface_normals.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kAligned = 0.99;   // cosine between a feature and its branch at the start
constexpr double kOtherWay = 1e-4;  // 1 − cosine: directions that are not the same

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

/// The branch of the last step, if it still touches.
bool recallBranch(const SolidStep& step, const PairView& view) {
  double best = -kEntered;
  bool found = false;
  for (const BlockMemory& block : remembered(step, view.pair)) {
    if (kindOfId(block.id) == FeatureKind::kWhole) findStart(view);
    const SolidFeatures features = featuresOf(block.id, view.state.start.normal);
    const bool ball = features.kind == FeatureKind::kBallSolid || features.kind == FeatureKind::kSolidBall;
    if (ball || areParallel(features, view.shape_a, view.shape_b)) continue;
    SolidFeatures here = features;
    if (view.part &&
        (!numberInTriangle(*view.part, here) || !mayPush(*view.part, features, view.shape_a, view.shape_b)))
      continue;
    const Vec normal = gapOfSolids(features, view.shape_a, view.shape_b).normal;
    const double distance = separationAlong(normal, view.a.view(), view.b.view());
    if (distance < best || distance > kTouch) continue;
    best = distance;
    view.state.branch = branchOf(here, normal);
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

/// Of a triangle and a solid that is over its plane. Nobody has to choose then: whatever else may separate them, the face does.
enum class Over { kAway, kTouching, kUnclear };
Over chooseFace(const PairView& view) {
  view.state.branch = faceOfTriangle(view);
  const double height = separationAlong(normalAt(view.state.branch, view.a, view.b), view.a.view(), view.b.view());
  if (height >= -kEntered) return height > kTouch ? Over::kAway : Over::kTouching;
  const Vec back = -normalAt(view.state.branch, view.a, view.b);
  return separationAlong(back, view.a.view(), view.b.view()) >= 0.0 ? Over::kAway : Over::kUnclear;
}

/// Chooses the branch of a pair that touches at the start. False if it does not, or if several could be it.
bool chooseBranch(const SolidStep& step, const PairView& view) {
  PairState& state = view.state;
  if (view.part && !view.a.solid->isPlane())
    if (const Over over = chooseFace(view); over != Over::kUnclear) return over == Over::kTouching;
  if (state.has_hint && separationAlong(state.hint, view.a.view(), view.b.view()) > kTouch) return false;
  if (recallBranch(step, view)) return true;
  findStart(view);
  if (state.distance > kTouch || isAmbiguous(view, state.start.normal)) return false;
  if (view.part && !hasNormal(*view.part, view.part->side == 0 ? view.a : view.b, state.start.normal)) return false;
  state.branch = state.start;
  return true;
}

/// Those of the last step again; in an impact, where there is no end that could be violated, those that touch now.
template <class Wanted>
void takeElements(const SolidStep& step, const PairView& view, const Wanted& wanted, SolidSearch& search) {
  const auto consider = [&](SolidFeatures features) {
    if (!view.part && areStraightSides(features) && runsAlong(features, view.a, view.b, motionIn(step, view)))
      features = pointOfSides(features, view.a, view.b);
    const FeaturePair pair = makePair(view.pair, features);
    if (view.part &&
        (isTaken(search, view.shared, pair.id) || !mayPush(*view.part, features, view.shape_a, view.shape_b)))
      return;
    if (!faceEachOther(features, view.shape_a, view.shape_b)) return;
    const GapAtPose<double> at = gapOfSolids(features, view.shape_a, view.shape_b);
    if (at.gap < -kEntered || isHeldBefore(search, view, features, at, kCoincident * sizeOf(step, view.pair))) return;
    if (distanceOutside(features, view.shape_a, view.shape_b) > kCoincident * sizeOf(step, view.pair)) return;
    if (wanted(at.gap, gapRate(pair, at, step.V))) take(step, view, pair, at, search);
  };
  for (const BlockMemory& block : remembered(step, view.pair))
    if (kindOfId(block.id) == FeatureKind::kWhole && isOfView(view, featuresOf(block.id, {}))) {
      findStart(view);
      consider(featuresOf(block.id, view.state.start.normal));
    }
  if (step.h > 0.0 || view.shared.last_taken >= 0) return;
  const SolidSeparation now = separateSolids(view.a, view.b, &view.state.start.normal);
  if (now.element_1 < 0 || !haveNormal(now.element_1, view.a, now.element_2, view.b)) return;
  SolidFeatures features = touchingElements(now);
  if (!view.part || numberInSurface(*view.part, features)) consider(features);
}

/// Takes the features of the chosen branch that `wanted` says; those of the last step first, so that they stay.
template <class Wanted>
void takeBranch(const SolidStep& step, const PairView& view, const Wanted& wanted, SolidSearch& search) {
  view.state.chosen = true;
  const Vec normal = normalAt(view.state.branch, view.a, view.b);
  listFeatures(view.a, view.b, {normal, view.shared.margin, motionIn(step, view)}, search.lists, search.features);
  if (view.part) keepPushing(*view.part, view.shape_a, view.shape_b, search.features);
  const std::span<const BlockMemory> last = remembered(step, view.pair);
  addRememberedRims(last, view, search.features);
  const double near = kCoincident * sizeOf(step, view.pair);
  const double deepest = -kEntered + std::min(0.0, view.state.start_known ? view.state.distance : 0.0);
  for (const bool first : {true, false})
    for (const SolidFeatures& features : search.features) {
      const FeaturePair pair = makePair(view.pair, features);
      const bool known = std::any_of(last.begin(), last.end(), [&](const auto& block) { return block.id == pair.id; });
      if (known != first || (view.part && isTaken(search, view.shared, pair.id))) continue;
      const GapAtPose<double> at = gapOfSolids(features, view.shape_a, view.shape_b);
      if (at.gap < deepest || dot(at.normal, normal) < kAligned) continue;
      if (isHeldByItsEdge(search, view, features, at.point, view.shape_a, view.shape_b,
                          kNextTo * sizeOf(step, view.pair)))
        continue;
      if (wanted(at.gap, gapRate(pair, at, step.V)) && !isCoincident(search, view, at, near))
        take(step, view, pair, at, search);
    }
  if (view.isCurved()) takeElements(step, view, wanted, search);
}

/// Whether a ball or an ellipsoid that is behind the face of a triangle, wherever that ends, is in the triangle itself.
bool isIn(const PairView& view, const SolidFeatures& features) {
  if (features.kind == FeatureKind::kWhole) return separateSolids(view.a, view.b).distance < 0.0;
  const SurfacePart& part = *view.part;
  const PlacedSolid &surface = part.side == 0 ? view.shape_a : view.shape_b,
                    &other = part.side == 0 ? view.shape_b : view.shape_a;
  const Vec centre = surface.toLocal(other.vertex(features.feature[1 - part.side]));
  return norm(centre - nearestOnTriangle(*part.surface, part.face(), centre).point) < part.other->radius;
}

/// Takes rounded vertices, whose gaps are true distances: nothing has to be chosen.
template <class Wanted>
void takeBalls(const SolidStep& step, const PairView& view, const Wanted& wanted, SolidSearch& search) {
  if (view.part)
    listBallsOver(*view.part, view.shape_a, view.shape_b, search.features);
  else
    listBalls(*view.a.solid, *view.b.solid, search.features);
  const double near = kCoincident * sizeOf(step, view.pair);
  for (const SolidFeatures& features : search.features) {
    const FeaturePair pair = makePair(view.pair, features);
    const GapAtPose<double> at = gapOfSolids(features, view.shape_a, view.shape_b);
    if (!wanted(at.gap, gapRate(pair, at, step.V))) continue;
    const bool pushes = !view.part || ((at.gap >= -kEntered || isIn(view, features)) &&
                                       mayPush(*view.part, features, view.shape_a, view.shape_b) &&
                                       !isCoincident(search, view, at, near));
    if (pushes) take(step, view, pair, at, search);
  }
}

/// True if the balls around both, or the ball and the plane, stay apart in this step.
bool isFar(const SolidStep& step, const PairView& view) {
  const Vec way = view.b.X_WS.p - view.a.X_WS.p;
  const double reach = step.table.solids[view.pair.shape[1]].bound + view.shared.margin;
  if (view.a.solid->isPlane()) return dot(view.a.normal(0), way) > reach;
  const double both = step.table.solids[view.pair.shape[0]].bound + reach;
  return dot(way, way) > both * both;
}

/// The same for the triangles of a surface that are near, one after the other.
template <class Visit>
void visitTriangles(const PairView& view, SolidSearch& search, const Visit& visit) {
  const int side = view.pair.surface;
  const PlacedSolid &surface = side == 0 ? view.a : view.b, &other = side == 0 ? view.b : view.a;
  findNearTriangles({surface, other, view.shared.margin}, search.near);
  view.shared.first_triangle = static_cast<int>(search.triangles.size());
  view.shared.triangle_count = static_cast<int>(search.near.size());
  for (const int triangle : search.near) search.triangles.push_back({triangle, {}});
  for (int i = 0; i < view.shared.triangle_count; ++i) {
    SolidSearch::Triangle& near = search.triangles[view.shared.first_triangle + i];
    search.thin.fill(*surface.solid->surface, near.number);
    const SurfacePart part{side, surface.solid->surface.get(), &search.thin, other.solid};
    const PlacedSolid piece = search.thin.placed(surface);
    visit(PairView{view.pair, side == 0 ? piece : view.a, side == 0 ? view.b : piece, near.state, view.a, view.b,
                   view.shared, &part});
  }
}

/// `ball_wanted` and `wanted` say by gap and rate which balls and which features of a touching branch take part. Those that
/// earlier attempts found out about may lie up to `outside` beyond the borders of their faces and edges.
template <class BallWanted, class Wanted>
void searchPairs(const SolidStep& step, const BallWanted& ball_wanted, const Wanted& wanted, double outside,
                 SolidSearch& search) {
  search.contacts.clear();
  search.taken.clear();
  search.rims.clear();
  search.triangles.clear();
  const auto look = [&](const PairView& view) {
    takeBalls(step, view, ball_wanted, search);
    if (view.pair.branches && chooseBranch(step, view)) takeBranch(step, view, wanted, search);
  };
  for (const int index : step.candidates) {
    const PairView view = viewPair(step, index, search);
    PairState& state = view.state;
    state.chosen = state.start_known = false;
    state.last_taken = state.last_rim = -1;
    state.margin = marginOf(step, view.pair);
    state.triangle_count = 0;
    if (isFar(step, view)) continue;
    if (view.pair.surface >= 0)
      visitTriangles(view, search, look);
    else
      look(view);
  }
  for (const FeaturePair& pair : search.late) {
    const int index = step.lists.findSolidPair(pair.shape[0], pair.shape[1]);
    if (!std::binary_search(step.candidates.begin(), step.candidates.end(), index)) continue;
    const PairView view = viewPair(step, index, search);
    const SolidFeatures features{pair.kind, {pair.feature[0], pair.feature[1]}, pair.normal};
    if (isTaken(search, view.state, pair.id) || areParallel(features, view.a, view.b)) continue;
    const bool alone = view.state.last_taken < 0 && std::isinf(outside);
    if (!alone && !faceEachOther(features, view.a, view.b)) continue;
    const GapAtPose<double> at = gapOfSolids(features, view.a, view.b);
    if (at.gap < -kEntered || !ball_wanted(at.gap, gapRate(pair, at, step.V))) continue;
    if (isHeldOtherwise(search, view.state, rimOf(features)) ||
        isHeldBefore(search, view, features, at, kCoincident * sizeOf(step, view.pair)))
      continue;
    // what touches beyond its borders is no impact of this node, which would not find it
    const double beyond = at.gap <= kTouching ? std::min(outside, kCoincident) : outside;
    if (distanceOutside(features, view.a, view.b) <= beyond * sizeOf(step, view.pair))
      take(step, view, pair, at, search);
  }
}

}  // namespace

void followList(std::span<const int> before, SolidSearch& search) {
  std::swap(search.pairs, search.moved_pairs);
  search.pairs.clear();
  for (const int index : before) search.pairs.push_back(index < 0 ? PairState{} : search.moved_pairs[index]);
}

void findSolidContacts(const SolidStep& step, SolidSearch& found) {
  const auto soon = [&](double gap, double rate) { return mayClose(gap, rate, step.h); };
  const auto touching = [&](double gap, double rate) { return gap <= kTouch || gap + step.h * rate <= 0.0; };
  searchPairs(step, soon, touching, std::numeric_limits<double>::infinity(), found);
}

void findTouchingSolids(const SolidStep& step, double least, SolidSearch& found) {
  const auto touching = [&](double gap, double rate) { return gap + least * std::min(rate, 0.0) < kTouching; };
  searchPairs(step, touching, touching, kCoincident, found);
}

}  // namespace rigor
