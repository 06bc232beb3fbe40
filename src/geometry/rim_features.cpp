#include "geometry/rim_features.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/rim_side.h"
#include "geometry/solid_elements.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kInside = 1e-5;  // of the size: a vertex this far outside a face still counts
constexpr double kSame = 1e-9;    // [m] crossings that are one

/// How much outside of a face still counts as inside.
double insideTolerance(const PlacedSolid& faced) {
  return kInside * (faced.solid->extent > 0.0 ? faced.solid->extent : radiusAbout(faced.view()));
}

/// True if a rim has one lowest point above a face that stays about where it is while the rim turns.
bool staysTilted(const PlacedSolid& faced, int face, const PlacedSolid& of, const Mat3<double>& turn) {
  constexpr double kFlat = 2e-3, kNear = 0.9;  // sine; cosine of 25°
  const Vec n = faced.normal(face), axis = of.axis(), turned = turn * axis;
  const Vec before = n - dot(n, axis) * axis, after = n - dot(n, turned) * turned;
  const double tilt = norm(before), tilt_after = norm(after);
  return tilt > kFlat && tilt_after > kFlat && dot(before, after) > kNear * tilt * tilt_after;
}

bool isCone(const PlacedSolid& solid) { return solid.solid->kind == ShapeKind::kCone; }

/// Where a rim crosses a sharp edge, another rim or a round side; both once more on the other side of the rim.
struct Crossings {
  const PlacedSolid &a, &b;
  const Vec& n;
  std::vector<SolidFeatures>& found;

  void consider(int i, int j) {
    const SolidFeatures features{FeatureKind::kCrossing, {i, j}};
    Facing facing;
    if (!faceCrossing(features, a, b, facing) || dot(facing.normal, n) < kFacing) return;
    if (distanceOutside(features, a, b) > kBeyondEnd) return;
    const SolidFeatures first{FeatureKind::kCrossing, {i & ~kSecondCrossing, j & ~kSecondCrossing}};
    Facing other;  // a rim that bends around a round side touches it once, from wherever that is looked for
    const bool second = first.feature[0] != i || first.feature[1] != j;
    if (second && faceCrossing(first, a, b, other) && norm(other.point_a - facing.point_a) < kSame) return;
    found.push_back(features);
  }
};

/// A rim of one solid and the round side of another, with where both are at the other end of the step.
struct RimAndSide {
  const PlacedSolid &round, &straight;
  int disc, rim_side;
  Element rim, side, rim_there, side_there;
};

/// How a rim is held beside a round side at a pose: by two crossings far from each other, by its outermost point while its disc is
/// tilted, or by nothing that a step could follow.
enum class Beside { kChord, kOutermost, kUnclear };
Beside lookAtRim(const Element& rim, const Element& side, const RimSpots& spots) {
  constexpr double kShort = 0.3;    // [rad] between the ends of a chord
  constexpr double kTilted = 0.02;  // sine
  if (spots.count == 2) return norm(spots.radial[1] - spots.radial[0]) > kShort ? Beside::kChord : Beside::kUnclear;
  if (spots.count == 0) return Beside::kOutermost;
  const Vec normal = lookBeside(side, rim.p + rim.radius * spots.radial[0]).normal;
  return norm(cross(normal, rim.axis)) > kTilted ? Beside::kOutermost : Beside::kUnclear;
}

/// The points of a rim that are nearest to a round side, if neither its crossings nor its outermost point can hold it all the way.
/// False if they can.
bool addPointsBeside(const RimAndSide& pair, const Vec& n, std::vector<SolidFeatures>& found) {
  const RimSpots here = findRimSpots(pair.rim, pair.side), there = findRimSpots(pair.rim_there, pair.side_there);
  const Beside now = lookAtRim(pair.rim, pair.side, here), then = lookAtRim(pair.rim_there, pair.side_there, there);
  if (now == then && now != Beside::kUnclear) return false;
  for (int i = 0; i < here.count; ++i) {
    const Vec normal = lookBeside(pair.side, pair.rim.p + pair.rim.radius * here.radial[i]).normal;
    if ((pair.rim_side == 1 ? 1.0 : -1.0) * dot(normal, n) < kFacing) continue;
    const int point = rimPointAlong(pair.round, pair.disc, here.radial[i]);
    const SolidFeatures features = pair.rim_side == 1 ? SolidFeatures{FeatureKind::kEdgeVertex, {0, point}}
                                                      : SolidFeatures{FeatureKind::kVertexEdge, {point, 0}};
    const PlacedSolid &a = pair.rim_side == 1 ? pair.straight : pair.round,
                      &b = pair.rim_side == 1 ? pair.round : pair.straight;
    if (distanceOutside(features, a, b) <= kBeyondEnd) found.push_back(features);
  }
  return true;
}

/// Where the end of a chord runs over the apex of a cone its gap ends. What holds a disc along the line of a cone's side that far out is
/// the apex, wherever the disc ends: its gap is that of a plane. False if it does not run there.
bool addApex(const RimAndSide& pair, const PlacedSolid& round_there, const PlacedSolid& cone_there, bool second,
             std::vector<SolidFeatures>& found) {
  constexpr double kRuns = 0.5;  // of the way from the apex
  const double here = chordEndOnCone(pair.round, pair.disc, pair.straight, second);
  const double there = chordEndOnCone(round_there, pair.disc, cone_there, second);
  if (!(std::max(here, there) > 0.0) || std::min(here, there) > kRuns * std::max(here, there)) return false;
  const SolidFeatures apex = pair.rim_side == 1 ? SolidFeatures{FeatureKind::kVertexFace, {0, pair.disc}}
                                                : SolidFeatures{FeatureKind::kFaceVertex, {pair.disc, 0}};
  const auto isApex = [&](const SolidFeatures& other) {
    return other.kind == apex.kind && std::equal(other.feature, other.feature + 2, apex.feature);
  };
  if (std::none_of(found.begin(), found.end(), isApex)) found.push_back(apex);
  return true;
}

}  // namespace

/// How far a point (in the frame of the shape) lies outside a face, seen along its normal; ≤ 0: inside.
double outsideFace(const Solid& solid, int index, const Vec& point) {
  if (const Disc* disc = solid.discOfFace(index)) {
    const Vec way = point - disc->centre, across = way - dot(disc->normal, way) * disc->normal;
    return norm(across) - disc->radius;
  }
  const Polytope& core = *solid.core;
  const Polytope::Face& face = core.faces[index];
  if (solid.isPlane()) return -std::numeric_limits<double>::infinity();
  double most = -core.radius;
  for (int i = 0; i < face.count; ++i) {
    const Vec& a = core.vertices[core.corner_vertex[face.first + i]];
    const Vec along = core.vertices[core.corner_vertex[face.first + (i + 1) % face.count]] - a;
    const Vec outward = cross(along, face.normal);
    most = std::max(most, dot(outward, point - a) / norm(outward));
  }
  return most;
}

void addInFace(const PlacedSolid& faced, int face, const PlacedSolid& of, int vertex, int faced_side,
               std::vector<SolidFeatures>& found) {
  const Vec point = faced.toLocal(of.vertex(vertex));
  if (outsideFace(*faced.solid, face, point) > insideTolerance(faced)) return;
  if (faced_side == 0)
    found.push_back({FeatureKind::kFaceVertex, {face, vertex}});
  else
    found.push_back({FeatureKind::kVertexFace, {vertex, face}});
}

void addRims(const PlacedSolid& faced, const PlacedSolid& of, int faced_side, const Mat3<double>& turn,
             const FeatureLists& lists, std::vector<SolidFeatures>& found) {
  for (const int face : lists.faces[faced_side])
    for (const int disc : lists.rims[1 - faced_side]) {
      const LowestOnRim lowest = findLowest(faced, face, of, disc);
      if (staysTilted(faced, face, of, turn)) {
        if (outsideFace(*faced.solid, face, faced.toLocal(of.X_WS * lowest.point)) > insideTolerance(faced)) continue;
        if (faced_side == 0)
          found.push_back({FeatureKind::kFaceRim, {face, disc}});
        else
          found.push_back({FeatureKind::kRimFace, {disc, face}});
        continue;
      }
      if (lowest.bulge > kFlatBulge)
        addInFace(faced, face, of, lowestRimPoint(faced, face, of, disc), faced_side, found);
      for (int k = 0; k < kFixedRimPoints; ++k)
        addInFace(faced, face, of, rimPoint(disc, k * (kAzimuths / kFixedRimPoints)), faced_side, found);
    }
}

void addRimCrossings(const PlacedSolid& a, const PlacedSolid& b, const Facings& facings, const FeatureLists& lists,
                     std::vector<SolidFeatures>& found) {
  Crossings crossings{a, b, facings.normal, found};
  PlacedSolid b_there = b;
  b_there.X_WS = facings.motion * b.X_WS;
  for (const int first : {0, kSecondCrossing})
    for (const int rim : lists.rims[0])
      for (const int other : lists.rims[1]) crossings.consider(kRim | first | rim, kRim | other);
  const auto besideStraight = [&](int rim_side) {
    const PlacedSolid &round = rim_side == 0 ? a : b, &straight = rim_side == 0 ? b : a;
    const PlacedSolid &round_there = rim_side == 0 ? a : b_there, &straight_there = rim_side == 0 ? b_there : a;
    const auto considerBoth = [&](int rim, int edge) {
      const int element = isCone(straight) ? numberOf(ElementOf::kConeSide, 0) : numberOf(ElementOf::kEdge, edge);
      const bool round_side = isRoundSide(straight, element);
      const RimAndSide pair{round,
                            straight,
                            rim,
                            rim_side,
                            rimElement(round, rim),
                            elementOf(straight, element),
                            rimElement(round_there, rim),
                            elementOf(straight_there, element)};
      if (round_side && addPointsBeside(pair, facings.normal, found)) return;
      for (const int first : {0, kSecondCrossing}) {
        if (isCone(straight) && addApex(pair, round_there, straight_there, first != 0, found)) continue;
        if (rim_side == 0)
          crossings.consider(kRim | first | rim, edge);
        else
          crossings.consider(edge, kRim | first | rim);
      }
    };
    for (const int rim : lists.rims[rim_side]) {
      for (const int edge : lists.edges[1 - rim_side]) considerBoth(rim, edge);
      if (isCone(straight)) considerBoth(rim, kSideOfCone);
    }
  };
  besideStraight(0);
  besideStraight(1);
}

}  // namespace rigor
