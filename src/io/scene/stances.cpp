// The stance of robots whose q a scene does not give: that of `rigor run MODEL`.
#include <algorithm>

#include "io/scene/assemble.h"
#include "simulation/default_stance.h"
#include "simulation/scene_defaults.h"

namespace rigor {
namespace {

/// Loops say where joints are; what moves a robot out of itself would open them.
bool isLooped(const Model& model, const SceneRobot& robot) {
  const auto holds = [&](int body) { return body >= robot.first_body && body < robot.first_body + robot.body_count; };
  return std::any_of(model.loops().begin(), model.loops().end(), [&](const LoopSpec& loop) {
    return loop.kind != LoopKind::kJoint && (holds(loop.body_1) || holds(loop.body_2));
  });
}

/// Feet are looked for on a robot that stands upright at the origin, as a bare model does, however it is placed.
void standUpright(const Scene& scene, const RobotBodies& chosen, Eigen::VectorXd& q) {
  for (const ModelJoint& joint : scene.model.joints())
    if (joint.spec.type == kFree && chosen(joint.body))
      q.segment<7>(joint.q_index) << 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0;
}

void placeBack(const Scene& scene, const Eigen::VectorXd& placed, const RobotBodies& chosen, Eigen::VectorXd& q) {
  for (const ModelJoint& joint : scene.model.joints())
    if (joint.spec.type == kFree && chosen(joint.body)) q.segment<7>(joint.q_index) = placed.segment<7>(joint.q_index);
}

}  // namespace

void takeStances(SceneDraft& draft, Scene& scene) {
  std::vector<char> open(scene.model.bodyCount(), 0);
  bool any = false;
  for (const SceneRobot& robot : draft.robots) {
    if (robot.has_start || isLooped(scene.model, robot)) continue;
    std::fill_n(open.begin() + robot.first_body, robot.body_count, 1);
    any = true;
  }
  const RobotBodies chosen = [&open](int body) { return body >= 0 && open[body]; };
  const Eigen::VectorXd placed = scene.q;
  standUpright(scene, chosen, scene.q);
  putIntoRanges(scene.model, chosen, scene.q, scene.defaults);
  placeBack(scene, placed, chosen, scene.q);
  if (scene.q != placed) followCouplings(scene.model, draft.named_joints, scene.q, scene.v);
  std::vector<Warning> told = excludeLastingOverlaps(scene.model, scene.q, draft.builder);
  if (!told.empty()) scene.model = draft.builder.build();
  if (any) {
    const std::size_t before = told.size();
    clearOverlaps(scene.model, chosen, scene.q, draft.builder, told);
    if (told.size() > before) scene.model = draft.builder.build();
  }
  scene.warnings.insert(scene.warnings.end(), told.begin(), told.end());
}

}  // namespace rigor
