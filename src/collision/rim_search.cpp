#include "collision/rim_search.h"

#include <algorithm>
#include <cmath>

namespace rigor {
namespace {

bool isFixed(int rim_point) { return azimuthOfRimPoint(rim_point) % (kAzimuths / kFixedRimPoints) == 0; }

int rimPointOf(const SolidFeatures& features) {
  return features.feature[features.kind == FeatureKind::kFaceVertex ? 1 : 0];
}

SolidFeatures pointAbove(const RimAbove& rim, int azimuth) {
  const int point = rimPoint(rim.disc, azimuth);
  if (rim.rim_side == 1) return {FeatureKind::kFaceVertex, {rim.face, point}};
  return {FeatureKind::kVertexFace, {point, rim.face}};
}

/// The shorter way around, in parts of a turn.
int wayAround(int from, int to) {
  const int way = (to - from) & (kAzimuths - 1);
  return way < kAzimuths / 2 ? way : way - kAzimuths;
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
      if (!taken.on_rim || !(taken.push > 0.0)) continue;
      const SolidFeatures features = featuresOf(taken.id, taken.normal);
      if (rimOf(features).isOfSame(rim)) use(taken.push, wayAround(lowest, azimuthOfRimPoint(rimPointOf(features))));
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
    known = track.rim_side == rim.rim_side && track.disc == rim.disc && track.face == rim.face;
    if (known) return track;
  }
  known = false;
  search.rims.push_back({rim.rim_side, rim.disc, rim.face, state.last_rim});
  state.last_rim = static_cast<int>(search.rims.size()) - 1;
  return search.rims.back();
}

/// Learns κ from two passes. Where the ends of the interval moved more than the pressure within it, they do not tell.
void learn(RimTrack& track, int lowest, int pressure) {
  const int moved = wayAround(track.lowest, lowest), pushed = wayAround(track.pressure, pressure);
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
    default:
      return {};
  }
}

bool rollsOnRim(const SolidSearch& search, const PairState& state, const FeaturePair& pair,
                const Vec3<double>& normal) {
  constexpr double kSameSide = 0.9;  // cosine
  const SolidFeatures features{pair.kind, {pair.feature[0], pair.feature[1]}, {}};
  if (pair.kind != FeatureKind::kCrossing && rimOf(features).by == RimAbove::kNone) return false;
  for (int i = state.last_taken; i >= 0; i = search.taken[i].before)
    if (search.taken[i].gap <= kTouching && dot(search.taken[i].normal, normal) > kSameSide) return true;
  return false;
}

bool runsOnRim(const SolidFeatures& features) {
  return rimOf(features).by == RimAbove::kPoint && !isFixed(rimPointOf(features));
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
    if (rim.by != RimAbove::kPoint || !(block.impulse[0] > 0.0) || !isOfView(view, features)) continue;
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
  const RimAbove rim = rimOf(features);
  if (rim.by == RimAbove::kNone) return true;
  const bool otherwise = isHeldOtherwise(search, moved.from.shared, rim);
  if (rim.by == RimAbove::kPoint && otherwise) return false;
  if (rim.by == RimAbove::kLowest ? !otherwise : !runsOnRim(features)) return true;

  const RimPose end = poseOf(rim, moved.shape_a, moved.shape_b);
  const int lowest = azimuthOfRimPoint(lowestRimPoint(end.faced, rim.face, end.round, rim.disc));
  features = pointAbove(rim, lowest);
  const Pressure pressure = findPressure(search, moved.from.shared, rim, lowest);
  if (!pressure.any) return true;
  bool known;
  RimTrack& track = trackOf(search, moved.from.shared, rim, known);
  if (known) learn(track, lowest, lowest + pressure.mean);
  track.lowest = lowest;
  track.pressure = lowest + pressure.mean;
  const SolidFeatures root = pointAbove(rim, lowest + wayToRoot(pressure, track.kappa));
  if (gapOfSolids(root, moved.shape_a, moved.shape_b).gap < -kViolated) features = root;
  return true;
}

}  // namespace rigor
