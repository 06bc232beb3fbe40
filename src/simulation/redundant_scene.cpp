// Redundant coordinates of a scene: where its free bodies start, and what drives their loops.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/poses.h"
#include "model/names.h"
#include "rigor/algorithms.h"
#include "rigor/redundant.h"
#include "simulation/redundant_joints.h"

namespace rigor {
namespace {

constexpr const char* kRemedy = "Use a \"hold\" (its targets stay), or keep the robot in minimal coordinates.";

[[noreturn]] void refuseController(const Scene& scene, int joint, const std::string& what) {
  throw Error(fmt::format("in redundant coordinates {} cannot drive {}: loops have no moving targets", what,
                          describeJoint(scene.model.joints()[joint].spec)),
              kRemedy);
}

void checkTargets(const Scene& scene, const RedundantJoints& chosen, const std::vector<int>& joints,
                  const std::string& what) {
  for (const int joint : joints)
    if (chosen.becomesLoop(joint)) refuseController(scene, joint, what);
}

void checkControllers(const Scene& scene, const RedundantJoints& chosen) {
  for (const TargetTable& table : scene.target_tables) checkTargets(scene, chosen, table.joints, "a table of targets");
  for (const RandomTargets& random : scene.random_targets) checkTargets(scene, chosen, random.joints, "random targets");
  for (const GaitSpec& gait : scene.gaits)
    for (const int foot : gait.feet)
      if (const int joint = scene.model.placements()[foot].link; chosen.becomesLoop(joint))  // one joint per link
        refuseController(scene, joint, "a gait");
  if (!scene.torques) return;
  for (int joint = 0; joint < static_cast<int>(scene.model.joints().size()); ++joint) {
    const ModelJoint& one = scene.model.joints()[joint];
    if (!chosen.becomesLoop(joint)) continue;
    for (const Eigen::VectorXd& tau : scene.torques->tau)
      if (!tau.segment(one.v_index, velocityCount(one.spec.type)).isZero(0.0))
        refuseController(scene, joint, "a table of torques");
  }
}

/// A hinge loop knows its angle within half a turn of what acts on it.
void checkTurns(const Scene& scene, const RedundantJoints& chosen, const std::vector<HoldSpec>& drives) {
  for (int index = 0; index < static_cast<int>(scene.model.joints().size()); ++index) {
    const ModelJoint& joint = scene.model.joints()[index];
    if (!chosen.becomesLoop(index) || joint.spec.type != kHinge) continue;
    const double q = scene.q[joint.q_index];
    const auto check = [&](double from, const char* what) {
      if (std::fabs(q - from) <= M_PI) return;
      throw Error(placeOf(scene.model.body(joint.body), joint.body),
                  fmt::format("in redundant coordinates {} cannot start at {:.6g} rad, more than half a turn from {} "
                              "at {:.6g} rad: a hinge loop tells no turns",
                              describeJoint(joint.spec), q, what, from),
                  "Start it whole turns nearer, or keep the robot in minimal coordinates.");
    };
    const Eigen::VectorXd& rest = joint.spec.spring_reference;
    if (joint.spec.stiffness != 0.0) check(rest.size() ? rest[0] : 0.0, "the rest of its spring");
    if (joint.spec.range) check(0.5 * (joint.spec.range->lower + joint.spec.range->upper), "the middle of its range");
    for (const HoldSpec& drive : drives)
      if (drive.joint == index && drive.kp > 0.0) check(drive.target, "the target of its drive");
  }
}

/// Coordinates and velocities of the new model; bodies that stay as they are keep theirs.
void translateStart(const Scene& scene, const RedundantJoints& chosen, Scene& redundant) {
  const Model &from = scene.model, &to = redundant.model;
  redundant.q = to.q0();
  redundant.v = Eigen::VectorXd::Zero(to.nv());
  const std::vector<Pose> poses = bodyPoses(from, scene.q);
  Data data(from);
  for (const ModelJoint& joint : to.joints()) {
    const int body = joint.body;
    if (!chosen.becomesFree(body)) continue;
    redundant.q.segment<7>(joint.q_index) = coordinatesOf(poses[body]);
    const Vector6d velocity = frameVelocity(from, data, scene.q, scene.v, body);
    redundant.v.segment<6>(joint.v_index) << velocity.head<3>(),
        poses[body].rotation.normalized().conjugate() * velocity.tail<3>();
  }
  for (int body = 0; body < from.bodyCount(); ++body) {
    if (chosen.becomesFree(body)) continue;
    int positions = positionCount(from.body(body).joint.type), velocities = velocityCount(from.body(body).joint.type);
    for (const JointSpec& more : from.body(body).more_joints)
      positions += positionCount(more.type), velocities += velocityCount(more.type);
    redundant.q.segment(to.qIndex(body), positions) = scene.q.segment(from.qIndex(body), positions);
    redundant.v.segment(to.vIndex(body), velocities) = scene.v.segment(from.vIndex(body), velocities);
  }
}

void translateTorques(const Scene& scene, const RedundantJoints& chosen, Scene& redundant) {
  if (!scene.torques) return;
  for (Eigen::VectorXd& tau : redundant.torques->tau) {
    Eigen::VectorXd moved = Eigen::VectorXd::Zero(redundant.model.nv());
    for (std::size_t i = 0; i < scene.model.joints().size(); ++i) {
      const ModelJoint &from = scene.model.joints()[i], &to = redundant.model.joints()[i];
      const int count = velocityCount(from.spec.type);
      if (!chosen.becomesLoop(static_cast<int>(i))) moved.segment(to.v_index, count) = tau.segment(from.v_index, count);
    }
    tau = moved;
  }
}

}  // namespace

Scene makeRedundant(const Scene& scene, const std::vector<bool>& bodies) {
  const RedundantJoints chosen(scene.model, bodies);
  const std::vector<HoldSpec> drives = listDrives(scene);
  checkControllers(scene, chosen);
  checkTurns(scene, chosen, drives);
  Scene redundant = scene;
  redundant.model = makeRedundant(scene.model, bodies, drives);
  translateStart(scene, chosen, redundant);
  // A joint that becomes a loop leaves a free joint in its place: indices of the others stay.
  std::erase_if(redundant.holds, [&](const HoldSpec& hold) { return chosen.becomesLoop(hold.joint); });
  translateTorques(scene, chosen, redundant);
  return redundant;
}

}  // namespace rigor
