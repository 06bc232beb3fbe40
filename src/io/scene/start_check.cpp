// What a user should hear first: robots that nothing can hold up, and parts that begin below the floor.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/poses.h"
#include "io/scene/assemble.h"
#include "io/urdf/urdf.h"
#include "stepping/freedom_coordinate.h"

namespace rigor {
namespace {

constexpr double kNoticed = 1e-6;  // [m] a pose given in decimal digits

/// How many collision shapes the bodies have that hang on a root, and how many were left out.
struct ShapeCounts {
  int shapes = 0, left_out = 0;
};

/// [bodies] of roots; those of others are counted with theirs.
std::vector<ShapeCounts> countShapes(const Model& model) {
  std::vector<ShapeCounts> counts(model.bodyCount());
  std::vector<int> root(model.bodyCount());
  for (int body = 0; body < model.bodyCount(); ++body) {
    const BodySpec& spec = model.body(body);
    root[body] = spec.parent == kWorld ? body : root[spec.parent];
    counts[root[body]].shapes += static_cast<int>(spec.shapes.size());
    counts[root[body]].left_out += static_cast<int>(spec.missing_shapes.size());
  }
  return counts;
}

/// A free tree without any collision shape falls through every floor.
void findShapeless(const Scene& scene, std::vector<Warning>& warnings) {
  const Model& model = scene.model;
  if (model.gravity().isZero()) return;
  const std::vector<ShapeCounts> counts = countShapes(model);
  for (int root = 0; root < model.bodyCount(); ++root) {
    const BodySpec& spec = model.body(root);
    if (spec.parent != kWorld || spec.joint.type != kFree) continue;
    const auto [shapes, left_out] = counts[root];
    if (shapes > 0) continue;
    const std::string why = left_out > 0 ? fmt::format("all {} of its collision shapes are left out", left_out)
                                         : std::string("it has no collision shapes");
    warnings.push_back({{scene.file, 0, fmt::format("robot with the root \"{}\"", spec.name)},
                        why + ": it falls through the floor, and a page shows nothing of it",
                        true,
                        WarningKind::kShapeless});
  }
}

/// How far the box around a left-out shape reaches below a plane [m].
double depthBelow(const ModelShape& plane, const Pose& X_WS, const Eigen::Vector3d& half_size) {
  const Eigen::Vector3d normal = plane.X_BS.rotation.normalized() * Eigen::Vector3d::UnitZ();
  const Eigen::Vector3d in_shape = X_WS.rotation.normalized().conjugate() * normal;
  return in_shape.cwiseAbs().dot(half_size) - normal.dot(X_WS.position - plane.X_BS.position);
}

/// Shapes that collide are moved out of the floor before the run; those that were left out stay in it.
void findSunken(const Scene& scene, std::vector<Warning>& warnings) {
  const Model& model = scene.model;
  const std::vector<Pose> poses = bodyPoses(model, scene.q);
  double deepest = kNoticed;
  const MissingShape* worst = nullptr;
  int body_of_worst = 0;
  for (const ModelShape& plane : model.shapes()) {
    if (plane.shape.kind != ShapeKind::kPlane || plane.body != kWorld) continue;
    for (int body = 0; body < model.bodyCount(); ++body)
      for (const MissingShape& shape : model.body(body).missing_shapes) {
        const double depth = depthBelow(plane, poses[body] * shape.X_BS, shape.half_size);
        if (!(depth > deepest)) continue;
        deepest = depth;
        worst = &shape;
        body_of_worst = body;
      }
  }
  if (worst)
    warnings.push_back({model.body(body_of_worst).where,
                        fmt::format("{} \"{}\", which does not collide, starts {:.3g} m below the floor", worst->kind,
                                    worst->name, deepest),
                        true});
}

void findOutOfRange(const Scene& scene, std::vector<Warning>& warnings) {
  for (const ModelJoint& joint : scene.model.joints()) {
    const std::optional<Range>& range = joint.spec.range;
    if (!range) continue;
    const double q = scene.q[joint.q_index];
    if (q < range->lower || q > range->upper)
      warnings.push_back({scene.model.body(joint.body).where,
                          fmt::format("joint \"{}\" starts at {}, outside its range {} … {}: it can move in, not "
                                      "farther out, and may hang there; give a start within it (q)",
                                      joint.spec.name, q, range->lower, range->upper),
                          true, WarningKind::kOutsideRange});
  }
  for (const OutsideFreedom& outside : findOutside(scene.model, scene.q))
    warnings.push_back(
        {scene.model.loops()[outside.freedom.loop].where,
         fmt::format("starts at {:.9g}, outside its range {} … {}: it can move in, not farther out, and may "
                     "hang there; start its bodies within it",
                     outside.x, outside.freedom.lower, outside.freedom.upper),
         true, WarningKind::kOutsideRange});
}

}  // namespace

void checkStart(const LoadOptions& options, Scene& scene) {
  scene.check();
  std::vector<Warning> warnings;
  const auto& shapes = scene.model.shapes();
  const bool has_floor = std::any_of(shapes.begin(), shapes.end(),
                                     [](const ModelShape& shape) { return shape.shape.kind == ShapeKind::kPlane; });
  if (has_floor) {
    findShapeless(scene, warnings);
    findSunken(scene, warnings);
  }
  findOutOfRange(scene, warnings);
  scene.warnings.insert(scene.warnings.begin(), warnings.begin(), warnings.end());
  if (!options.strict) return;
  std::vector<Warning> all = scene.warnings;
  all.insert(all.end(), scene.model.warnings().begin(), scene.model.warnings().end());
  refuseWarnings(all);
}

}  // namespace rigor
