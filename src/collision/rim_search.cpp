#include "collision/rim_search.h"

#include <algorithm>
#include <cmath>

#include "geometry/rim_side.h"
#include "geometry/side_points.h"

namespace rigor {
namespace {

bool isFixed(int rim_point) { return azimuthOfRimPoint(rim_point) % (kAzimuths / kFixedRimPoints) == 0; }

/// The vertex that is a point of a rim or an edge.
int pointOf(const SolidFeatures& features) {
  const bool second = features.kind == FeatureKind::kFaceVertex || features.kind == FeatureKind::kEdgeVertex;
  return features.feature[second];
}

/// Places on a rim are counted in parts of kAzimuths of a turn; above faces, where they need not be finer, in coarse ones.
int partOf(const RimAbove& rim) { return rim.where == RimAbove::kAbove ? kCoarseAzimuth : 1; }

/// Where a point is on its rim or edge.
int placeOf(const RimAbove& rim, int point) {
  return isEdgePoint(point) ? shareOfPoint(point) : azimuthOfRimPoint(point) / partOf(rim);
}
int placeOf(const SolidFeatures& features) { return placeOf(rimOf(features), pointOf(features)); }

SolidFeatures pointAt(const RimAbove& rim, int place) {
  const int point = rim.where == RimAbove::kEdge
                        ? edgePoint(rim.disc, std::clamp(place, 0, sharesOf(rim.disc)))
                        : rimPoint(rim.disc, partOf(rim) * (place & (kAzimuths / partOf(rim) - 1)));
  const bool above = rim.where == RimAbove::kAbove;
  if (rim.rim_side == 1) return {above ? FeatureKind::kFaceVertex : FeatureKind::kEdgeVertex, {rim.face, point}};
  return {above ? FeatureKind::kVertexFace : FeatureKind::kVertexEdge, {point, rim.face}};
}

/// The shorter way around, in parts of a turn; along an edge the only one.
int wayOn(const RimAbove& rim, int from, int to) {
  if (rim.where == RimAbove::kEdge) return to - from;
  const int turn = kAzimuths / partOf(rim), way = (to - from) & (turn - 1);
  return way < turn / 2 ? way : way - turn;
}

/// Of two elements of which one is a rim and the other an edge or the side of a cone (−1: neither).
RimAbove besideOf(bool rim_1, int disc_1, int straight_1, bool rim_2, int disc_2, int straight_2) {
  if (rim_1 == rim_2 || (rim_1 ? straight_2 : straight_1) < 0) return {};
  if (rim_1) return {RimAbove::kLowest, 0, disc_1, straight_2, RimAbove::kBeside};
  return {RimAbove::kLowest, 1, disc_2, straight_1, RimAbove::kBeside};
}

RimAbove besidePoint(int side, int point, int edge) {
  if (isRimPoint(point)) return {RimAbove::kPoint, side, discOfRimPoint(point), edge, RimAbove::kBeside};
  if (isEdgePoint(point)) return {RimAbove::kPoint, side, edgeOfPoint(point), edge, RimAbove::kEdge};
  return {};
}

int straightOf(int element) {
  const ElementOf what = whatOf(element);
  return what == ElementOf::kEdge || what == ElementOf::kConeSide ? indexOf(element) : -1;
}

/// The point of a rim beside a round side that is nearest to it, next to where its features touch.
SolidFeatures pointBeside(const RimAbove& rim, const SolidFeatures& features, const PlacedSolid& a,
                          const PlacedSolid& b) {
  const PlacedSolid &round = rim.rim_side == 0 ? a : b, &straight = rim.rim_side == 0 ? b : a;
  const bool cone = straight.solid->kind == ShapeKind::kCone;
  const Element circle = rimElement(round, rim.disc);
  const RimSpots spots =
      findRimSpots(circle, elementOf(straight, numberOf(cone ? ElementOf::kConeSide : ElementOf::kEdge, rim.face)));
  if (spots.count == 0) return features;
  const Vec3<double> touching = gapOfSolids(features, a, b).point - circle.p;
  const bool second = spots.count == 2 && dot(touching, spots.radial[1]) > dot(touching, spots.radial[0]);
  return pointAt(rim, placeOf(rim, rimPointAlong(round, rim.disc, spots.radial[second])));
}

/// A rim above a face: who lies on which.
struct RimPose {
  const PlacedSolid &faced, &round;
};
RimPose poseOf(const RimAbove& rim, const PlacedSolid& a, const PlacedSolid& b) {
  if (rim.rim_side == 1) return {a, b};
  return {b, a};
}

/// True if the fixed points of a rim are enough to hold it above a face.
bool liesFlat(const RimAbove& rim, const PairView& view) {
  const RimPose at = poseOf(rim, view.shape_a, view.shape_b);
  return findLowest(at.faced, rim.face, at.round, rim.disc).bulge <= kFlatBulge;
}

/// Where the points of a rim push, as ways from where it is lowest.
struct Pressure {
  bool any = false;
  int mean = 0, first = 0, last = 0;
};
Pressure findPressure(const SolidSearch& search, const PairState& state, const RimAbove& rim, int lowest) {
  constexpr double kFaint = 1e-6;  // of the strongest: what solvers leave at points that do not push
  const auto visit = [&](const auto& use) {
    for (int i = state.last_taken; i >= 0; i = search.taken[i].before) {
      const SolidSearch::Taken& taken = search.taken[i];
      if (!taken.is_point || !(taken.push > 0.0)) continue;
      const SolidFeatures features = featuresOf(taken.id, taken.normal);
      const RimAbove of = rimOf(features);
      if (of.isOfSame(rim) && of.rim_side == rim.rim_side) use(taken.push, wayOn(rim, lowest, placeOf(features)));
    }
  };
  Pressure found;
  double most = 0.0, sum = 0.0, moment = 0.0;
  visit([&](double push, int) { most = std::max(most, push); });
  visit([&](double push, int way) {
    if (push < kFaint * most) return;
    found.first = found.any ? std::min(found.first, way) : way;
    found.last = found.any ? std::max(found.last, way) : way;
    found.any = true;
    sum += push;
    moment += push * way;
  });
  if (found.any) found.mean = static_cast<int>(std::lround(moment / sum));
  return found;
}

/// Where this rim was left by the pass before, or a new place to note it.
RimTrack& trackOf(SolidSearch& search, PairState& state, const RimAbove& rim, bool& known) {
  for (int i = state.last_rim; i >= 0; i = search.rims[i].before) {
    RimTrack& track = search.rims[i];
    known = track.rim.isOfSame(rim);
    if (known) return track;
  }
  known = false;
  search.rims.push_back({rim, state.last_rim});
  state.last_rim = static_cast<int>(search.rims.size()) - 1;
  return search.rims.back();
}

/// Learns κ from two passes. Where the ends of the interval moved more than the pressure within it, they do not tell.
void learn(RimTrack& track, int lowest, int pressure) {
  const int moved = wayOn(track.rim, track.lowest, lowest), pushed = wayOn(track.rim, track.pressure, pressure);
  const double kappa = pushed != 0 ? -static_cast<double>(moved) / pushed : 0.0;
  if (kappa > 0.0) track.kappa = kappa;
}

/// The way to the root θ* from where the rim is lowest. Next to one end of a wide interval the new point goes as far beyond it as
/// that is away: the interval of the next pass is as narrow as the error of this one.
int wayToRoot(const Pressure& pressure, double kappa) {
  constexpr double kNextToEnd = 0.1;  // of the interval
  const double root = pressure.mean * kappa / (1.0 + kappa), width = pressure.last - pressure.first;
  const double end = root - pressure.first < pressure.last - root ? pressure.first : pressure.last;
  const bool beside = width > 0.0 && std::fabs(root - end) < kNextToEnd * width;
  return static_cast<int>(std::lround(beside ? 2.0 * root - end : root));
}

}  // namespace

RimAbove rimOf(const SolidFeatures& features) {
  const auto [i, j] = features.feature;
  switch (features.kind) {
    case FeatureKind::kFaceRim:
      return {RimAbove::kLowest, 1, j, i};
    case FeatureKind::kRimFace:
      return {RimAbove::kLowest, 0, i, j};
    case FeatureKind::kFaceVertex:
      return isRimPoint(j) ? RimAbove{RimAbove::kPoint, 1, discOfRimPoint(j), i} : RimAbove{};
    case FeatureKind::kVertexFace:
      return isRimPoint(i) ? RimAbove{RimAbove::kPoint, 0, discOfRimPoint(i), j} : RimAbove{};
    case FeatureKind::kEdgeVertex:
      return besidePoint(1, j, i);
    case FeatureKind::kVertexEdge:
      return besidePoint(0, i, j);
    case FeatureKind::kCrossing:
      return besideOf((i & kRim) != 0, i & 1, i & ~kSideOfCone, (j & kRim) != 0, j & 1, j & ~kSideOfCone);
    case FeatureKind::kEdges:
    case FeatureKind::kEdgesBack:
      return {RimAbove::kLowest, 0, i, j, RimAbove::kEdge};
    case FeatureKind::kWhole:
      if (areStraightSides(features)) return {RimAbove::kLowest, 0, straightOf(i), straightOf(j), RimAbove::kEdge};
      return besideOf(whatOf(i) == ElementOf::kRim, indexOf(i), straightOf(i), whatOf(j) == ElementOf::kRim, indexOf(j),
                      straightOf(j));
    default:
      return {};
  }
}

bool rollsOnRim(const SolidSearch& search, const PairState& state, const FeaturePair& pair,
                const Vec3<double>& normal) {
  constexpr double kSameSide = 0.9;  // cosine
  const SolidFeatures features{pair.kind, {pair.feature[0], pair.feature[1]}, {}};
  const RimAbove rim = rimOf(features);
  const bool of_edges = rim.where == RimAbove::kEdge && rim.by != RimAbove::kPoint;  // which may be those of boxes
  if (pair.kind != FeatureKind::kCrossing && (rim.by == RimAbove::kNone || of_edges)) return false;
  for (int i = state.last_taken; i >= 0; i = search.taken[i].before)
    if (search.taken[i].gap <= kTouching && dot(search.taken[i].normal, normal) > kSameSide) return true;
  return false;
}

bool runsOnRim(const SolidFeatures& features) {
  const RimAbove rim = rimOf(features);
  return rim.by == RimAbove::kPoint && (rim.where != RimAbove::kAbove || !isFixed(pointOf(features)));
}

bool isHeldOtherwise(const SolidSearch& search, const PairState& state, const RimAbove& rim) {
  if (rim.by == RimAbove::kNone) return false;
  for (int i = state.last_taken; i >= 0; i = search.taken[i].before) {
    const RimAbove other = rimOf(featuresOf(search.taken[i].id, search.taken[i].normal));
    if (other.by != RimAbove::kNone && other.by != rim.by && other.isOfSame(rim)) return true;
  }
  return false;
}

void addRememberedRims(std::span<const BlockMemory> last, const PairView& view, std::vector<SolidFeatures>& found) {
  for (const BlockMemory& block : last) {
    const SolidFeatures features = featuresOf(block.id, {});
    const RimAbove rim = rimOf(features);
    if (rim.by != RimAbove::kPoint || rim.where != RimAbove::kAbove || !(block.impulse[0] > 0.0) ||
        !isOfView(view, features))
      continue;
    if (liesFlat(rim, view)) continue;
    const auto knows = [&](const SolidFeatures& other) {
      const bool same = other.kind == features.kind && std::equal(other.feature, other.feature + 2, features.feature);
      const RimAbove of_other = rimOf(other);
      return same || (of_other.by == RimAbove::kLowest && of_other.isOfSame(rim));
    };
    if (std::none_of(found.begin(), found.end(), knows)) found.push_back(features);
  }
}

bool chooseOnRim(const MovedPair& moved, SolidFeatures& features, SolidSearch& search) {
  RimAbove rim = rimOf(features);
  if (rim.by == RimAbove::kNone) return true;
  const bool otherwise = isHeldOtherwise(search, moved.from.shared, rim);
  if (rim.by == RimAbove::kPoint && otherwise) return false;
  if (rim.by == RimAbove::kLowest ? !otherwise : !runsOnRim(features)) return true;

  if (rim.where == RimAbove::kAbove) {
    const RimPose end = poseOf(rim, moved.shape_a, moved.shape_b);
    features = pointAt(rim, placeOf(rim, lowestRimPoint(end.faced, rim.face, end.round, rim.disc)));
  } else if (rim.by == RimAbove::kLowest) {
    const PlacedSolid &a = moved.shape_a, &b = moved.shape_b;
    features = rim.where == RimAbove::kEdge ? pointOfSides(features, a, b) : pointBeside(rim, features, a, b);
    rim = rimOf(features);  // which of two sides has the point
    if (rim.by != RimAbove::kPoint) return true;
  }
  const int lowest = placeOf(features);
  const Pressure pressure = findPressure(search, moved.from.shared, rim, lowest);
  if (!pressure.any) return true;
  bool known;
  RimTrack& track = trackOf(search, moved.from.shared, rim, known);
  if (known) learn(track, lowest, lowest + pressure.mean);
  track.lowest = lowest;
  track.pressure = lowest + pressure.mean;
  const SolidFeatures root = pointAt(rim, lowest + wayToRoot(pressure, track.kappa));
  if (gapOfSolids(root, moved.shape_a, moved.shape_b).gap < -kViolated) features = root;
  return true;
}

}  // namespace rigor
