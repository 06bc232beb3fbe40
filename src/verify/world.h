// What was simulated, read from the header of a recording and from nothing else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rigor/row_id.h"
#include "verify/materials.h"
#include "verify/solid.h"

namespace rigor::verify {

inline constexpr int kWorldBody = -1;

enum class Turn { kNone, kAxis, kAll, kHelix, kTwoAxes };

struct Joint {
  std::string name;
  int translations = 0;  ///< 0, 1 (along z of its axes), 2 (x, y), 3
  Turn turn = Turn::kNone;
  bool free = false;  ///< its coordinates are a pose in the world
  Pose frame;         ///< in the parent
  Mat axes;           ///< in the joint frame: coordinates run along these
  int q = 0, v = 0;   ///< first coordinate, first freedom
  int nq = 0, nv = 0;
  bool limited = false;
  Real lower = 0, upper = 0;
  Real damping = 0, dry_friction = 0, armature = 0, stiffness = 0, pitch = 0;
  Reals spring_rest;  ///< [nq]
  // PD control
  int drive = -1;  ///< column of its target in Recording::ctrl; −1: not driven
  Real kp = 0, kd = 0, effort = std::numeric_limits<Real>::infinity();
};

struct Body {
  std::string name;
  int parent = kWorldBody;
  std::vector<Joint> joints;
  Pose frame;  ///< in the frame that the last joint moves
  Real mass = 0;
  Vec com;
  Mat inertia;             ///< about com
  std::vector<int> chain;  ///< freedoms that move it, from the root on
  int tree = -1;           ///< of bodies that freedoms of one root move; −1: nothing moves it
  bool kinematic = false;  ///< moves as it is told, and so does what is fixed to it
};

/// Where a shape touches: a ball, of radius zero at a corner.
struct Ball {
  int body = kWorldBody;
  Vec centre;  ///< in the body
  Real radius = 0;
};

/// Two shapes that may touch; a plane is the first.
struct ShapePair {
  int shape_1 = 0, shape_2 = 0;
  Surface surface;
};

/// As numbered in ids of contacts.
enum class FeatureKind : std::uint8_t {
  kPlaneBall,
  kBallBall,
  kFaceVertex,
  kVertexFace,
  kEdges,      ///< the normal is along edge 1 × edge 2
  kEdgesBack,  ///< and here against it
  kVertexEdge,
  kEdgeVertex,
  kBallSolid,  ///< a rounded corner and a whole shape
  kSolidBall,
  kFaceRim,  ///< a face and the lowest point of a rim
  kRimFace,
  kCrossing,  ///< of a rim and an edge, another rim or the side of a cone
  kWhole,     ///< an ellipsoid and anything, or two elements of which one is round
};

/// Numbers of kCrossing: kRim + disc, kSideOfCone, or an edge; kSecondCrossing is the other of the two of a rim.
inline constexpr int kRim = 1 << 30, kSecondCrossing = 1 << 29, kSideOfCone = 1 << 28;
/// Of kWhole: corner, edge, rim, side of a cone or ellipsoid, as 0 to 4 above these bits, and which one below.
inline constexpr int kElementBits = 27;

/// Two features that may touch; a plane is feature 1.
struct Pair {
  RowId id;
  FeatureKind kind = FeatureKind::kPlaneBall;
  int shape_1 = 0, shape_2 = 0;
  int body_1 = kWorldBody, body_2 = kWorldBody;
  Surface surface;
  // planes and balls
  Pose plane_frame;  ///< in its body; its z is the normal
  Ball ball_1, ball_2;
  // all others
  const Solid *solid_1 = nullptr, *solid_2 = nullptr;
  int feature_1 = 0, feature_2 = 0;  ///< corner, edge, face, rim or element, by the kind
  Vec near_point, near_normal;       ///< where round elements are to be looked for: they may meet more than once
  bool near_is_recorded = false;     ///< and not carried from there: it is the normal itself

  bool isRound() const { return !ofBalls() && (solid_1->isRound() || solid_2->isRound()); }
  bool ofBalls() const { return kind == FeatureKind::kPlaneBall || kind == FeatureKind::kBallBall; }
};

/// Drives the freedom of a loop with torque + kp (target − x) − kd ẋ, at most `effort`.
struct LoopMotor {
  bool acts = false;
  Real kp = 0, kd = 0, target = 0, torque = 0, effort = std::numeric_limits<Real>::infinity();
};

struct Loop {
  std::string name;
  bool couples = false;  ///< two joints; else it is a joint between two frames:
  int translations = 0;  ///< as of Joint
  Turn turn = Turn::kAll;
  int body_1 = kWorldBody, body_2 = kWorldBody;
  Pose frame_1, frame_2;
  Mat axes;  ///< two directions across the axis and the axis, in both frames
  Real pitch = 0, stiffness = 0, damping = 0;
  Reals spring_rest;  ///< [coordinates] of a loop with a spring or a damper
  // of loops with one freedom
  bool limited = false;
  Real lower = 0, upper = 0, dry_friction = 0;
  LoopMotor motor;
  int q_1 = 0, q_2 = 0, v_1 = 0, v_2 = 0;
  std::array<Real, 5> coefficients{};
};

/// A spring and a damper between two points.
struct PointSpring {
  std::string name;
  int body_1 = kWorldBody, body_2 = kWorldBody;
  Vec point_1, point_2;  ///< in the bodies
  Real stiffness = 0, damping = 0, length = 0;
};

/// A potential or constraint that a user wrote: all that a recording knows of its function is what it did.
struct OwnTerm {
  std::string name;
  bool holds = false;  ///< it is a constraint
  int body_1 = kWorldBody, body_2 = kWorldBody;
};

/// The way of a kinematic body: rows of times and poses, or one pose and velocities.
struct Way {
  int body = 0;
  Reals time;
  std::vector<Vec> positions;
  std::vector<Quaternion> turns;
  Vec velocity, angular_velocity;  ///< in the world, in the body
};

enum class FrictionLaw { kCoulomb, kDissipation, kPyramid };

struct World {
  int nq = 0, nv = 0, trees = 0;
  Vec gravity;
  std::vector<Body> bodies;
  std::vector<std::string> shapes;  ///< names
  std::vector<int> shape_body;
  std::vector<Solid> solids;  ///< [shapes]
  /// Who may touch whom: [shapes] of each the runs of larger numbers, ascending and apart.
  struct Run {
    int first = 0, last = 0;
  };
  std::vector<std::vector<Run>> partners;
  std::vector<int> shape_material;  ///< [shapes]
  Materials materials;
  std::vector<Loop> loops;
  std::vector<PointSpring> springs;
  std::vector<OwnTerm> own;
  std::vector<std::string> freedom;                               ///< [nv] names
  std::vector<int> tree;                                          ///< [nv] in the order of their first freedoms
  std::vector<int> coordinate_tree;                               ///< [nq]
  std::vector<std::vector<int>> tree_freedoms, tree_coordinates;  ///< [trees] ascending
  std::vector<int> place_in_tree;                                 ///< [nv] in tree_freedoms
  int drives = 0;                                                 ///< joints under PD control
  std::vector<char> prescribed;  ///< [trees] move as they are told: no force moves them
  std::vector<Way> ways;
  bool resets = false;       ///< a rule puts the scene back to its start
  bool leapfrog = true;      ///< also where nothing is near
  bool event = false;        ///< stepper: smooth between events (smooth_judge.h)
  bool fourth_order = true;  ///< stepper event: how pieces between events are integrated
  bool maximal = false;      ///< stepper: momentum of bodies between poses (discrete_momentum.h)
  bool carried = false;      ///< velocity terms at the carried velocity instead of the mean
  Real accuracy = 1e-10L;    ///< ε of the judge
  FrictionLaw law = FrictionLaw::kCoulomb;
  bool sequential = false;  ///< contacts strike one after the other
  int corners = 8;          ///< of the polygon of kPyramid

  bool isPrescribed(int body) const {
    return body != kWorldBody && bodies[body].tree >= 0 && prescribed[bodies[body].tree];
  }
  /// Of what the simulator promises at ε = 1e-10: how many times more it may miss with the ε of this recording.
  Real wider() const { return std::max<Real>(1, accuracy / 1e-10L); }
  std::optional<ShapePair> pairOf(int shape_a, int shape_b) const;  ///< if they may touch
  std::vector<Pair> ballPairsOf(const ShapePair& shapes) const;     ///< none unless all of it is balls and planes
  std::optional<Pair> findPair(const RowId& id) const;              ///< of balls and planes, or features of two solids
};

/// Shapes, and which of them may touch.
void readShapes(const Json& model, World& world);

/// Throws Error naming what is missing, out of range or changed since it was written (the hash of the model).
World readWorld(const std::string& header);

}  // namespace rigor::verify
