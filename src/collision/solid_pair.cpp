#include "collision/solid_pair.h"

#include <algorithm>
#include <cmath>

#include "collision/rim_search.h"
#include "math/rotation.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kParallel = 1e-7;        // sine: lines that have no common normal
constexpr double kSameWay = 1.0 - 1e-10;  // cosine: triangles that are tilted less push in one direction

/// Farthest that a solid may move in the step: half as fast again as now, and what 3 g adds.
double wayOf(const SolidStep& step, int shape) {
  const SolidPlace& place = step.table.solids[shape];
  if (place.link < 0) return 0.0;
  const Motion<double>& V = step.V[place.link];
  const PlacedSolid& solid = step.start[shape];
  const Vec velocity = V.linear + cross(V.angular, solid.X_WS.p - solid.origin);
  return 1.3 * step.h * (norm(velocity) + norm(V.angular) * place.bound) + 30.0 * step.h * step.h + 1e-6;
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

PairView viewPair(const SolidStep& step, int index, SolidSearch& search) {
  const SolidPair& pair = step.lists.solid_pairs[index];
  const PlacedSolid &a = step.start[pair.shape[0]], &b = step.start[pair.shape[1]];
  return {pair, a, b, search.pairs[index], a, b, search.pairs[index]};
}

bool isOfView(const PairView& view, const SolidFeatures& features) {
  SolidFeatures here = features;
  return !view.part || numberInTriangle(*view.part, here);
}

double marginOf(const SolidStep& step, const SolidPair& pair) {
  return wayOf(step, pair.shape[0]) + wayOf(step, pair.shape[1]);
}

double sizeOf(const SolidStep& step, const SolidPair& pair) {
  return std::min(step.table.solids[pair.shape[0]].bound, step.table.solids[pair.shape[1]].bound);
}

Transform<double> motionIn(const SolidStep& step, const PairView& view) {
  if (!view.isCurved()) return Facings{}.motion;  // nobody asks
  const Vec centre = view.shape_b.X_WS.p;
  const auto spin = [&](int side) { return view.pair.link[side] < 0 ? Vec{} : step.V[view.pair.link[side]].angular; };
  const auto velocity = [&](int side, const PlacedSolid& solid) {  // of its material at the centre of b
    const int link = view.pair.link[side];
    return link < 0 ? Vec{} : step.V[link].linear + cross(step.V[link].angular, centre - solid.origin);
  };
  const Mat3<double> turn = toMatrix(expQuat(step.h * (spin(1) - spin(0))));
  const Vec moved = centre + step.h * (velocity(1, view.shape_b) - velocity(0, view.shape_a));
  return {turn, moved - turn * centre};
}

Transform<double> motionBack(const MovedPair& moved) {
  if (!moved.from.isCurved()) return Facings{}.motion;
  const Transform<double>&a = moved.a.X_WS, &b = moved.b.X_WS, &a_from = moved.from.a.X_WS, &b_from = moved.from.b.X_WS;
  const Mat3<double> turn_a = a.R * transpose(a_from.R);
  const Transform<double> there{turn_a * b_from.R, a.p + turn_a * (b_from.p - a_from.p)};
  const Mat3<double> turn = there.R * transpose(b.R);
  return {turn, there.p - turn * b.p};
}

void findStart(const PairView& view) {
  PairState& state = view.state;
  if (state.start_known) return;
  const Separation found = separateSolids(view.a, view.b, view.hint());
  state.start = branchOf(found);
  state.distance = found.distance;
  state.start_known = state.has_hint = true;
  state.hint = found.normal;
}

FeaturePair makePair(const SolidPair& pair, const SolidFeatures& features) {
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

SolidFeatures featuresOf(const RowId& id, const Vec& normal) {
  return {kindOfId(id), {featureOfId(id, 0), featureOfId(id, 1)}, normal};
}

bool areParallel(const SolidFeatures& features, const PlacedSolid& a, const PlacedSolid& b) {
  const bool edges = features.kind == FeatureKind::kEdges || features.kind == FeatureKind::kEdgesBack;
  return edges && crossEdges(a, features.feature[0], b, features.feature[1]).sine < kParallel;
}

SolidFeatures touchingElements(const SolidSeparation& found) {
  return {FeatureKind::kWhole, {found.element_1, found.element_2}, found.normal};
}

bool liesOnDisc(const SolidFeatures& elements, const Vec& normal, const PlacedSolid& a, const PlacedSolid& b) {
  constexpr double kAcross = 2e-3;  // sine, as where a rim counts as tilted
  // Two rims that stand on each other, and a rim whose outermost point has come to the line where a round side touches its disc,
  // cross nowhere that kCrossing knows: where they touch their points are known to rounding over the sine
  constexpr double kAcrossOfTwo = 1e-5, kStanding = 0.9;
  if (a.solid->isWhole() || b.solid->isWhole()) return false;
  const auto isRim = [&](int side) { return whatOf(elements.feature[side]) == ElementOf::kRim; };
  const bool standing = isRim(0) && isRim(1) && std::fabs(dot(a.axis(), b.axis())) < kStanding;
  const bool has_round_side = isRoundSide(a, elements.feature[0]) || isRoundSide(b, elements.feature[1]);
  const double least = standing || has_round_side ? kAcrossOfTwo : kAcross;
  const auto lies = [&](int side, const PlacedSolid& solid) {
    return isRim(side) && norm(cross(solid.axis(), normal)) < least;
  };
  return lies(0, a) || lies(1, b);
}

void take(const SolidStep& step, const PairView& view, const FeaturePair& pair, const GapAtPose<double>& at,
          SolidSearch& search) {
  search.contacts.push_back({pair, gapRate(pair, at, step.V), at});
  const bool is_point = rimOf({pair.kind, {pair.feature[0], pair.feature[1]}}).by == RimAbove::kPoint;
  search.taken.push_back({pair.id, at.point, at.normal, at.gap, view.shared.last_taken, is_point});
  view.shared.last_taken = static_cast<int>(search.taken.size()) - 1;
}

bool isTaken(const SolidSearch& search, const PairState& state, const RowId& id) {
  for (int i = state.last_taken; i >= 0; i = search.taken[i].before)
    if (search.taken[i].id == id) return true;
  return false;
}

bool isCoincident(const SolidSearch& search, const PairView& view, const GapAtPose<double>& at, double near) {
  for (int i = view.shared.last_taken; i >= 0; i = search.taken[i].before) {
    const Vec way = search.taken[i].point - at.point;
    if (dot(way, way) < near * near && (!view.part || dot(search.taken[i].normal, at.normal) > kSameWay)) return true;
  }
  return false;
}

bool isHeldBefore(const SolidSearch& search, const PairView& view, const SolidFeatures& elements,
                  const GapAtPose<double>& at, double near) {
  if (elements.kind != FeatureKind::kWhole || view.a.solid->isWhole() || view.b.solid->isWhole()) return false;
  if (liesOnDisc(elements, at.normal, view.shape_a, view.shape_b)) return true;
  const auto isRim = [&](int side) { return whatOf(elements.feature[side]) == ElementOf::kRim; };
  const bool of_rim = (isRim(0) && isRim(1)) || rimOf(elements).by != RimAbove::kNone;
  return of_rim && isCoincident(search, view, at, near);
}

bool isHeldByItsEdge(const SolidSearch& search, const PairView& view, const SolidFeatures& vertex, const Vec& at,
                     const PlacedSolid& a, const PlacedSolid& b, double near) {
  const bool second = vertex.kind == FeatureKind::kEdgeVertex;  // the side that the vertex is on
  if (!second && vertex.kind != FeatureKind::kVertexEdge) return false;
  for (int i = view.shared.last_taken; i >= 0; i = search.taken[i].before) {
    const SolidFeatures other = featuresOf(search.taken[i].id, search.taken[i].normal);
    if (other.kind != FeatureKind::kEdges && other.kind != FeatureKind::kEdgesBack) continue;
    if (other.feature[second ? 0 : 1] != vertex.feature[second ? 0 : 1]) continue;
    const auto& ends = (second ? b : a).core().edges[other.feature[second]].vertex;
    if (std::find(std::begin(ends), std::end(ends), vertex.feature[second]) == std::end(ends)) continue;
    if (norm(gapOfSolids(other, a, b).point - at) < near) return true;
  }
  return false;
}

}  // namespace rigor
