// The gap of two features at any pose of their links: poses in, numbers out.
//
// Every shape touches with features: a ball (a corner is a ball of radius zero) or a plane of the world. A feature pair has
// a kind, and the switch is on the kind, never on a T: one source runs as double, in lanes and as dual numbers.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "math/vec3.h"
#include "rigor/row_id.h"

namespace rigor {

inline constexpr double kTouching = 1e-9;  ///< [m or rad] gaps below this are closed

/// A ball fixed to a link, or to the world.
struct Ball {
  Vec3<double> centre;  ///< in the link, or in the world
  double radius = 0.0;
};

/// A plane fixed to the world: the half space below it is solid.
struct Plane {
  Vec3<double> normal;  ///< outward
  double offset = 0.0;  ///< normal · (point of the plane)
};

/// The features of all shapes of a model.
struct ShapeTable {
  std::vector<Ball> balls;
  std::vector<Plane> planes;
};

enum class FeatureKind : std::uint8_t {
  kPlaneBall,
  kBallBall,
  // of solids, as the features of shape 1 and shape 2 (solid_gap.h)
  kFaceVertex,
  kVertexFace,
  kEdges,      ///< the normal is along edge 1 × edge 2
  kEdgesBack,  ///< the normal is against it
  kVertexEdge,
  kEdgeVertex,
  kBallSolid,  ///< a rounded vertex and a whole solid
  kSolidBall,
  kFaceRim,  ///< the lowest point of a tilted rim, whichever it is
  kRimFace,
  kCrossing,  ///< of a rim and an edge or another rim, one above the other
  kWhole,     ///< an ellipsoid and anything; elements of which one is round, whose true distance it is
};

constexpr bool isOfSolids(FeatureKind kind) { return kind >= FeatureKind::kFaceVertex; }

/// Two features that may touch; a plane is always the first.
struct FeaturePair {
  RowId id;  ///< from shapes and features: the same in every step and every run (makeFeaturePairId)
  FeatureKind kind = FeatureKind::kPlaneBall;
  int shape[2] = {0, 0};     ///< indices into Model::shapes
  int feature[2] = {0, 0};   ///< indices into the balls or planes of the table; of solids: numbers within the shape
  int link[2] = {-1, -1};    ///< −1: the world
  int material = 0;          ///< index into the surfaces of the model
  Vec3<double> normal = {};  ///< of kWhole, about
};

inline constexpr int kMostShapes = 1 << 26;  ///< that ids tell apart

/// The least id of two shapes; their contacts have those up to endOfIds (the layout is that of rigor/row_id.h).
constexpr RowId firstIdOf(int shape_1, int shape_2) {
  assert(shape_1 >= 0 && shape_2 >= 0 && shape_1 < kMostShapes && shape_2 < kMostShapes && "ids have room for these");
  return {static_cast<std::uint64_t>(shape_1) << 34 | static_cast<std::uint64_t>(shape_2) << 8, 0};
}
constexpr RowId endOfIds(int shape_1, int shape_2) { return {firstIdOf(shape_1, shape_2).high + 0x100, 0}; }

/// Of a contact. Numbers of features are not negative.
constexpr RowId makeFeaturePairId(int shape_1, int shape_2, FeatureKind kind, int feature_1, int feature_2) {
  return {firstIdOf(shape_1, shape_2).high | static_cast<std::uint64_t>(kind),
          static_cast<std::uint64_t>(feature_1) << 32 | static_cast<std::uint32_t>(feature_2)};
}
constexpr FeatureKind kindOfId(const RowId& id) { return static_cast<FeatureKind>(id.high & 0xff); }
constexpr int featureOfId(const RowId& id, int side) {
  return static_cast<int>((side == 0 ? id.low >> 32 : id.low) & 0xffffffff);
}

/// Pose of a link: relative to a point O, and O itself. Differences of positions near O keep their digits far from the
/// world's origin.
template <class T>
struct LinkPose {
  Transform<T> X_OL;
  Vec3<T> origin;  ///< O in the world
};

/// Where the centre of curvature of a feature is at a pose.
template <class T>
struct FeatureCentre {
  Vec3<T> relative, world;  ///< from O, and in the world
};

template <class T>
struct GapAtPose {
  T gap;                       ///< [m] negative: overlap
  Vec3<T> normal;              ///< from side 1 to side 2
  Vec3<T> point;               ///< between the surfaces, in the world
  FeatureCentre<T> centre[2];  ///< of curvature; of a plane: nothing
  double radius[2];            ///< of curvature there: from the centre to the surface along ∓normal
};

template <class T>
RIGOR_INLINE FeatureCentre<T> placeBall(const Ball& ball, const LinkPose<T>& pose) {
  const Vec3<T> relative = pose.X_OL * Vec3<T>{T(ball.centre.x), T(ball.centre.y), T(ball.centre.z)};
  return {relative, pose.origin + relative};
}

/// The gap of features whose centres are placed already.
template <class T>
RIGOR_INLINE GapAtPose<T> gapOfPlaced(const FeaturePair& pair, const ShapeTable& table,
                                      const FeatureCentre<T>& centre_1, const FeatureCentre<T>& centre_2) {
  const double radius_2 = table.balls[pair.feature[1]].radius;
  if (pair.kind == FeatureKind::kPlaneBall) {
    const Plane& plane = table.planes[pair.feature[0]];
    const Vec3<T> normal{T(plane.normal.x), T(plane.normal.y), T(plane.normal.z)};
    const T gap = dot(normal, centre_2.world) - plane.offset - radius_2;
    return {gap, normal, centre_2.world - T(radius_2) * normal, {{}, centre_2}, {0.0, radius_2}};
  }
  const double radius_1 = table.balls[pair.feature[0]].radius;
  const Vec3<T> d = centre_2.world - centre_1.world;
  const T distance = norm(d);
  const auto apart = distance > T(0.0);
  const T inverse = 1.0 / select(apart, distance, T(1.0));
  // concentric: any direction separates
  const Vec3<T> normal{select(apart, inverse * d.x, T(0.0)), select(apart, inverse * d.y, T(0.0)),
                       select(apart, inverse * d.z, T(1.0))};
  const T gap = distance - radius_1 - radius_2;
  return {gap, normal, centre_2.world - (radius_2 + 0.5 * gap) * normal, {centre_1, centre_2}, {radius_1, radius_2}};
}

/// The gap of a feature pair with its links at X_1 and X_2; the world's pose is identity at the origin.
template <class T>
GapAtPose<T> evaluateGap(const FeaturePair& pair, const ShapeTable& table, const LinkPose<T>& X_1,
                         const LinkPose<T>& X_2) {
  const FeatureCentre<T> centre_2 = placeBall(table.balls[pair.feature[1]], X_2);
  if (pair.kind == FeatureKind::kPlaneBall) return gapOfPlaced(pair, table, {}, centre_2);
  return gapOfPlaced(pair, table, placeBall(table.balls[pair.feature[0]], X_1), centre_2);
}

/// Gap to the plane between the features across `normal`: what they may not pass. Never more than their distance.
double gapAlong(const FeaturePair& pair, const ShapeTable& table, const Vec3<double>& normal,
                const Vec3<double>& centre_1, const Vec3<double>& centre_2);

/// Where two features were and where they are, in the world.
struct FeatureWay {
  const Vec3<double>&from_1, &from_2, &to_1, &to_2;
};

/// True if two balls that move straight from one pose to the other meet on the way and are apart again at the end, or have
/// turned around each other by more than 60°: gap and normal of the end know nothing of it. Balls that touch at the start
/// may slide around each other, up to half a radian. A plane is never passed unnoticed.
bool passThrough(const FeaturePair& pair, const ShapeTable& table, const FeatureWay& way);

/// True if the pair overlaps at the end, or its features pass through each other on the way.
bool isViolated(const FeaturePair& pair, const ShapeTable& table, const FeatureWay& way);

/// The axis of the world that the first tangent goes along, as far as it can: one that is not near the normal.
Vec3<double> tangentAxis(const Vec3<double>& normal);
/// Two unit tangents that make (normal, t1, t2) right-handed, t1 along the axis as far as it can.
void makeTangents(const Vec3<double>& normal, const Vec3<double>& axis, Vec3<double>& t1, Vec3<double>& t2);
/// The same, a fixed function of the normal.
void makeTangents(const Vec3<double>& normal, Vec3<double>& t1, Vec3<double>& t2);

}  // namespace rigor
