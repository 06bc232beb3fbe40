// The model: what there is (bodies, joints, shapes) and what it weighs. Immutable once built.
//
// Bodies keep the order in which they were added, parents before children; the world is not a body and has the
// index kWorld. Bodies that cannot move against their parent are merged into links for the dynamics, which never
// shows outside: every body keeps its name, frame and shapes.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rigor/error.h"
#include "rigor/joint.h"
#include "rigor/loop.h"
#include "rigor/shape.h"

namespace rigor {

inline constexpr int kWorld = -1;

struct ShapeSpec {
  std::string name;
  Shape shape;
  Pose X_BS = {};  ///< frame of the shape in its body (or in the world)
  std::string material = "default";
  std::uint32_t group = 1;   ///< bits: what it is
  std::uint32_t mask = ~0u;  ///< bits: what it meets. Two shapes touch if each has a bit that the other's mask has
};

/// A collision shape that a file gives and that could not be read: it is left out and meets nothing.
struct MissingShape {
  std::string name;
  std::string kind;                                     ///< "mesh"
  Pose X_BS = {};                                       ///< its frame in its body
  Eigen::Vector3d half_size = Eigen::Vector3d::Zero();  ///< of a box around it; zero where the file does not say
};

/// What a body looks like; meets nothing. A body without any is drawn by its collision shapes.
struct VisualSpec {
  std::string name;
  Shape shape;
  Pose X_BS = {};                                         ///< frame of the shape in its body
  Eigen::Vector4d rgba = Eigen::Vector4d(.7, .7, .7, 1);  ///< red, green, blue, opacity, 0 … 1; negative: not given
};

struct BodySpec {
  std::string name;
  int parent = kWorld;
  JointSpec joint;
  std::vector<JointSpec>
      more_joints;  ///< after `joint`, in this order; X_PJ of each in the frame that the last one moves
  Pose X_JB;        ///< frame of the body in the frame that its last joint moves
  MassProperties mass;
  std::vector<ShapeSpec> shapes;
  Place where;  ///< for messages
  std::vector<MissingShape> missing_shapes;
  std::vector<VisualSpec> visuals;
  /// Moves as it is told (Scene::motions), whatever pushes it; its mass counts for nothing in a run. Its joint is free, it
  /// hangs on the world, and nothing hangs on it but bodies that are fixed to it.
  bool kinematic = false;
};

/// Friction that depends on the direction of slip: `friction` along a direction of the surface, `ratio` times that across it.
struct Anisotropy {
  Eigen::Vector3d direction =
      Eigen::Vector3d::UnitX();  ///< in the frame of the shape; what it has in the tangent plane
  double ratio = 1.0;            ///< 1: the same in all directions
  bool of_second = false;        ///< the shape is that of the second material
};

/// What a restitution e means where two surfaces strike each other (docs/step.md).
enum class ImpactLaw : std::uint8_t {
  kNewton,   ///< of velocities: they leave e times as fast as they approached
  kPoisson,  ///< of impulses: decompression gives e times the normal impulse of compression
  kStronge,  ///< of energies: decompression does e² times the normal work of compression
};
std::string_view impactLawName(ImpactLaw law);  ///< newton, poisson, stronge
/// The law of this name; throws Error with the nearest one.
ImpactLaw findImpactLaw(std::string_view name);

/// Contact behaviour of two materials, or of one against every other (Model::material).
/// Friction, torsion [m] and rolling [m] above 1e4 count as 1e4, and a notice says so: what that holds does not slip.
struct MaterialPair {
  std::string material_1, material_2;  ///< an empty second name means any
  double friction = 0.8;
  double friction_static = -1.0;  ///< below the slip threshold; negative: same as `friction`
  double restitution = 0.0;
  double threshold = 0.01;  ///< slower impacts do not bounce [m/s]
  bool fallback = false;    ///< of a surface against any: counts only where no material has an entry of its own
  /// Lengths [m]: the torque about the normal, and that about any tangent, is at most so much times the normal force, in one
  /// ellipsoid with the sliding friction (docs/scenes.md).
  double torsion = 0.0, rolling = 0.0;
  double compliance = 0.0;  ///< [m/N] depth per normal force; 0 is hard
  /// [m/s] of the surfaces of material_1 and of material_2, in the frames of their shapes: belts. What they have along the normal
  /// counts for nothing.
  Eigen::Vector3d surface_velocity = Eigen::Vector3d::Zero(), surface_velocity_2 = Eigen::Vector3d::Zero();
  Anisotropy anisotropy = {};
  ImpactLaw impact = ImpactLaw::kNewton;  ///< what restitution means
};

struct Topology;  // src/model/topology.h
template <class T>
struct Parameters;     // src/model/parameters.h
struct BodyPlacement;  // src/model/parameters.h
class CollisionRules;  // src/model/collision_rules.h

/// Shape as the collision sees it: attached to a body or to the world.
struct ModelShape {
  std::string name;
  int body = kWorld;
  Shape shape;
  Pose X_BS;
  std::string material;
  std::uint32_t group = 1, mask = ~0u;  ///< ShapeSpec
};

/// A joint that moves, and where it is found in q and v.
struct ModelJoint {
  JointSpec spec;
  int body = 0;  ///< the body that it moves, perhaps together with other joints
  int q_index = 0, v_index = 0;
};

class Model {
 public:
  int nq() const;  ///< coordinates
  int nv() const;  ///< velocities
  int bodyCount() const;
  double mass() const;  ///< of all bodies [kg]
  Eigen::Vector3d gravity() const;
  const std::string& name() const;

  const BodySpec& body(int body) const;  ///< as given to the builder
  int qIndex(int body) const;            ///< first coordinate of the body's first joint
  int vIndex(int body) const;
  const std::vector<ModelJoint>& joints() const;  ///< all that move, in the order of q and v
  int findBody(const std::string& name) const;    ///< kWorld − 1 = −2 if there is none
  int findJoint(const std::string& name) const;   ///< index into joints(); −1 if no moving joint has this name

  const std::vector<LoopSpec>& loops() const;      ///< as given to the builder, then one per mimicking joint
  const std::vector<SpringSpec>& springs() const;  ///< between points, as given to the builder

  const std::vector<ModelShape>& shapes() const;
  const std::vector<MaterialPair>& materials() const;
  /// Contact behaviour of two shapes, by the first of these that there is:
  ///   1. the entry of their two materials, in either order;
  ///   2. entries of a single material: of one of them, or of both combined. The weaker surface decides, since it is the one
  ///      that shears and that gives way: the smaller friction (with its anisotropy), static friction and restitution (with
  ///      its law of impact; of equal ones the later law), the larger threshold; the larger torsion and rolling; the sum of the compliances, as of springs in a row;
  ///   3. the fallback entry of one of them, e.g. of a ground plane; of both combined in the same way;
  ///   4. MaterialPair{}.
  /// A belt runs against everything: where a pair has no surface velocity, both materials have that of their own entries.
  /// What belongs to the first or the second material is that of shape_1 or shape_2.
  const MaterialPair& material(int shape_1, int shape_2) const;
  /// True if two shapes may touch: kinds that there is contact code for, and the rules of collisions (below, and
  /// excludePair, collidePair, collideOnly, excludeSelfCollision of the builder) allow it. The first that applies decides:
  /// shapes of one link, or two that no force can move, never; an excluded pair does not; an explicit pair does; else both
  /// must be among `collideOnly` or unmovable, have a bit of each other's mask, and be no neighbours of one joint.
  /// Takes a time that does not grow with the number of shapes or rules.
  bool mayCollide(int shape_1, int shape_2) const;
  /// True if collidePair of the builder names the two, or their bodies.
  bool isExplicitPair(int shape_1, int shape_2) const;
  /// All pairs of shapes that may, listed anew. A plane comes first, else the smaller index.
  std::vector<std::pair<int, int>> collisionPairs() const;
  /// The same pairs as a shape and the first and the last of those behind it that it may touch, listed without looking at every
  /// pair.
  std::vector<std::array<int, 3>> collisionRanges() const;
  /// Pairs that would belong to the above, had they contact code: they pass through each other.
  std::vector<std::pair<int, int>> missingPairs() const;
  /// Shapes that were left out (BodySpec::missing_shapes) although something could meet them.
  const std::vector<MissingShape>& missingShapes() const;
  const Eigen::VectorXd& q0() const;             ///< reference configuration
  const std::vector<Warning>& warnings() const;  ///< found while building

  const Topology& topology() const;
  const Parameters<double>& parameters() const;
  const std::vector<BodyPlacement>& placements() const;  ///< [bodies] link and frame of each body

 private:
  friend class ModelBuilder;
  struct Data;
  const Data& data() const;
  std::shared_ptr<const Data> data_;
};

/// Collects bodies and shapes, checks them, builds a Model.
class ModelBuilder {
 public:
  explicit ModelBuilder(std::string name = "model");
  ~ModelBuilder();
  ModelBuilder(ModelBuilder&&) noexcept;

  int findBody(const std::string& name) const;  ///< of the bodies added so far; kWorld − 1 = −2 if there is none
  int addBody(BodySpec body);                   ///< returns its index; throws Error on bad numbers
  void addLoop(LoopSpec loop);                  ///< between bodies or joints added before; throws Error on bad numbers
  void addSpring(SpringSpec spring);            ///< between points of bodies added before; throws Error on bad numbers
  void addWorldShape(ShapeSpec shape);          ///< e.g. a ground plane
  void addMaterialPair(MaterialPair pair);      ///< unnamed pairs behave like MaterialPair{}
  void setGravity(const Eigen::Vector3d& gravity);
  void setReference(int body, const Eigen::VectorXd& q);  ///< coordinates of the body's joints in q0
  /// Bodies or shapes that never collide; `where` is for messages.
  void excludePair(const std::string& a, const std::string& b, const Place& where = {});
  /// Bodies or shapes that collide whatever masks, collideOnly, joints between them and excludeSelfCollision say.
  void collidePair(const std::string& a, const std::string& b, const Place& where = {});
  /// Bodies or shapes that collide with what no force can move and with each other; all others do not. None: nothing collides
  /// but explicit pairs. May be called several times.
  void collideOnly(const std::vector<std::string>& names, const Place& where = {});
  /// Whatever else was said: shapes collide as they do in this model, which has the same shapes in the same order.
  void collideAs(const Model& model);
  void repairInertias();        ///< of bodies added after: negative principal moments become tiny ones, with a warning
  void excludeSelfCollision();  ///< bodies of one tree, such as the links of one robot, never collide
  void addWarning(Warning warning);
  /// Throws Error if the motion is not defined (e.g. a massless moving leaf); sloppy numbers become warnings.
  Model build() const;

 private:
  struct Data;
  static CollisionRules makeCollisionRules(const Data& data, const std::vector<BodyPlacement>& placements,
                                           const std::vector<ModelShape>& shapes);
  std::unique_ptr<Data> data_;
};

}  // namespace rigor
