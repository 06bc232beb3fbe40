// The search at the start of a step.
#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/solid_pair.h"

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

/// True if the fixed points of a rim are enough to hold it above a face.
bool liesFlat(const RimAbove& rim, const PairView& view) {
  const PlacedSolid &faced = rim.rim_side == 1 ? view.a : view.b, &round = rim.rim_side == 1 ? view.b : view.a;
  return findLowest(faced, rim.face, round, rim.disc).bulge <= kFlatBulge;
}

/// Points of tilted rims that pushed in the last step, beside those that are always looked at; not where the lowest is.
void addRememberedRims(std::span<const BlockMemory> last, const PairView& view, std::vector<SolidFeatures>& found) {
  for (const BlockMemory& block : last) {
    const SolidFeatures features = featuresOf(block.id, {});
    const RimAbove rim = rimOf(features);
    if (rim.by != RimAbove::kPoint || !(block.impulse[0] > 0.0) || liesFlat(rim, view)) continue;
    const auto knows = [&](const SolidFeatures& other) {
      const bool same = other.kind == features.kind && std::equal(other.feature, other.feature + 2, features.feature);
      const RimAbove of_other = rimOf(other);
      return same || (of_other.by == RimAbove::kLowest && of_other.isOfSame(rim));
    };
    if (std::none_of(found.begin(), found.end(), knows)) found.push_back(features);
  }
}

/// Those of the last step again; in an impact, where there is no end that could be violated, those that touch now.
template <class Wanted>
void takeElements(const SolidStep& step, const PairView& view, const Wanted& wanted, SolidSearch& search) {
  const auto consider = [&](const SolidFeatures& features) {
    const FeaturePair pair = makePair(view.pair, features);
    const GapAtPose<double> at = gapOfSolids(features, view.a, view.b);
    if (at.gap < -kEntered || liesOnDisc(features, at.normal, view.a, view.b)) return;
    if (distanceOutside(features, view.a, view.b) > kCoincident * sizeOf(step, view.pair)) return;
    if (wanted(at.gap, gapRate(pair, at, step.V))) take(step, view, pair, at, search);
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
  listFeatures(view.a, view.b, {normal, view.state.margin, turnIn(step, view)}, search.lists, search.features);
  const std::span<const BlockMemory> last = remembered(step, view.pair);
  addRememberedRims(last, view, search.features);
  const double near = kCoincident * sizeOf(step, view.pair);
  const double deepest = -kEntered + std::min(0.0, view.state.start_known ? view.state.distance : 0.0);
  for (const bool first : {true, false})
    for (const SolidFeatures& features : search.features) {
      const FeaturePair pair = makePair(view.pair, features);
      const bool known = std::any_of(last.begin(), last.end(), [&](const auto& block) { return block.id == pair.id; });
      if (known != first) continue;
      const GapAtPose<double> at = gapOfSolids(features, view.a, view.b);
      if (at.gap < deepest || dot(at.normal, normal) < kAligned) continue;
      if (isHeldByItsEdge(search, view, features, at.point, view.a, view.b, kNextTo * sizeOf(step, view.pair)))
        continue;
      if (wanted(at.gap, gapRate(pair, at, step.V)) && !isCoincident(search, view.state, at.point, near))
        take(step, view, pair, at, search);
    }
  if (view.isCurved()) takeElements(step, view, wanted, search);
}

/// Takes rounded vertices, whose gaps are true distances: nothing has to be chosen.
template <class Wanted>
void takeBalls(const SolidStep& step, const PairView& view, const Wanted& wanted, SolidSearch& search) {
  listBalls(*view.a.solid, *view.b.solid, search.features);
  for (const SolidFeatures& features : search.features) {
    const FeaturePair pair = makePair(view.pair, features);
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
    state.margin = marginOf(step, view.pair);
    if (isFar(step, view)) continue;
    takeBalls(step, view, ball_wanted, search);
    if (view.pair.branches && chooseBranch(step, view)) takeBranch(step, view, wanted, search);
  }
  for (const FeaturePair& pair : search.late) {
    const int index =
        step.lists.findSolidPair({.shape = {pair.shape[0], pair.shape[1]}, .piece = {pair.piece[0], pair.piece[1]}});
    if (!std::binary_search(step.candidates.begin(), step.candidates.end(), index)) continue;
    const PairView view = viewPair(step, index, search);
    const SolidFeatures features{pair.kind, {pair.feature[0], pair.feature[1]}, pair.normal};
    if (isTaken(search, view.state, pair.id) || areParallel(features, view.a, view.b)) continue;
    const GapAtPose<double> at = gapOfSolids(features, view.a, view.b);
    if (at.gap < -kEntered || !ball_wanted(at.gap, gapRate(pair, at, step.V))) continue;
    const RimAbove rim = rimOf(features);
    if (rim.by == RimAbove::kPoint && at.gap > kTouch && !rim.fixed) continue;  // the next attempt may find others
    if (isHeldOtherwise(search, view.state, rim)) continue;
    if (distanceOutside(features, view.a, view.b) <= outside * sizeOf(step, view.pair))
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
