// A scene around a bare model, so that `rigor run robot.urdf` shows something sensible.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/poses.h"
#include "rigor/mesh.h"
#include "simulation/default_stance.h"
#include "simulation/lowest_point.h"
#include "simulation/scene_defaults.h"

namespace rigor {
namespace {

bool everyBody(int /*body*/) { return true; }

// Height of the lowest point of all bodies' shapes, with those that do not collide as far as the file tells; of the body frames
// where there are no shapes.
double findLowestPoint(const Model& model, const Eigen::VectorXd& q) {
  const std::vector<Pose> poses = bodyPoses(model, q);
  double lowest = std::numeric_limits<double>::infinity();
  for (const ModelShape& shape : model.shapes()) {
    if (shape.body == kWorld) continue;
    const Pose X_WS = poses[shape.body] * shape.X_BS;
    lowest = std::min(lowest, X_WS.position.z() - depthBelowCentre(shape.shape, X_WS.rotation));
  }
  for (int body = 0; body < model.bodyCount(); ++body)
    for (const MissingShape& shape : model.body(body).missing_shapes) {
      const Pose X_WS = poses[body] * shape.X_BS;
      lowest = std::min(lowest,
                        X_WS.position.z() - depthBelowCentre(Shape{ShapeKind::kBox, shape.half_size}, X_WS.rotation));
    }
  if (std::isinf(lowest))
    for (const Pose& pose : poses) lowest = std::min(lowest, pose.position.z());
  return lowest;
}

/// A start in which the robot does not overlap itself: pairs that always do are left out of contact, others come free by
/// moving joints.
void clearStart(ModelBuilder& builder, Scene& scene) {
  const Model bare = builder.build();
  scene.warnings = excludeLastingOverlaps(bare, scene.q, builder);
  clearOverlaps(scene.warnings.empty() ? bare : builder.build(), everyBody, scene.q, builder, scene.warnings);
}

// Bodies that hang on the world.
std::vector<int> findRoots(const Model& model) {
  std::vector<int> roots;
  for (int body = 0; body < model.bodyCount(); ++body)
    if (model.body(body).parent == kWorld) roots.push_back(body);
  return roots;
}

// Joints of one freedom are held where they start, within their efforts; followers are held by their leaders.
void holdJoints(Scene& scene) {
  const Eigen::VectorXd inertias = carriedInertias(scene.model, scene.q);
  const std::vector<ModelJoint>& joints = scene.model.joints();
  for (int joint = 0; joint < static_cast<int>(joints.size()); ++joint)
    if (velocityCount(joints[joint].spec.type) == 1 && !joints[joint].spec.mimic)
      scene.holds.push_back(makeDefaultHold(scene.model, joint, scene.q, inertias[joints[joint].v_index]));
  for (const HoldSpec& hold : scene.holds) {
    const ModelJoint& joint = joints[hold.joint];
    const Place& where = scene.model.body(joint.body).where;
    if (hold.effort == 0.0)
      scene.warnings.push_back({{where.file, where.line, fmt::format("joint \"{}\"", joint.spec.name)},
                                "states effort 0, so it cannot be held and hangs limp; write its real limit",
                                true,
                                WarningKind::kNoEffort});
  }
}

}  // namespace

Scene makeModelScene(ModelBuilder builder, const ModelSceneOptions& choice) {
  const Model bare = builder.build();
  if (bare.bodyCount() == 0) throw Error("a scene needs something that moves", "Add a body to the model.");
  Scene scene;
  scene.name = bare.name();
  scene.q = bare.q0();
  putIntoRanges(bare, everyBody, scene.q, scene.defaults);
  scene.v = Eigen::VectorXd::Zero(bare.nv());
  followCouplings(bare, {}, scene.q, scene.v);
  clearStart(builder, scene);
  const double lift = choice.clearance - findLowestPoint(bare, scene.q);
  const std::vector<int> roots = findRoots(bare);
  const bool free =
      std::all_of(roots.begin(), roots.end(), [&](int root) { return bare.body(root).joint.type == kFree; });
  if (free)
    for (const int root : roots) scene.q[bare.qIndex(root) + 2] += lift;
  const double floor = free ? 0.0 : -lift;
  builder.addWorldShape({"ground", makePlane(), {{0.0, 0.0, floor}, Eigen::Quaterniond::Identity()}, "ground"});
  builder.addMaterialPair({"ground", ""});
  scene.model = builder.build();
  if (!choice.limp) holdJoints(scene);
  scene.defaults.push_back(
      fmt::format("{} base, lowest point {:g} m above a floor at z = {:g} m, friction {:g}, no bounce",
                  free ? "free" : "fixed", choice.clearance, floor, MaterialPair{}.friction));
  return scene;
}

}  // namespace rigor
