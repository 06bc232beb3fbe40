// Redundant coordinates of a model: joints become loops between free bodies.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/poses.h"
#include "model/names.h"
#include "rigor/redundant.h"
#include "simulation/redundant_joints.h"

namespace rigor {
namespace {

constexpr double kTurn = 2.0 * M_PI - 0.01;  // [rad] stops of a hinge loop are less than this apart
constexpr const char* kStayMinimal = "or keep the robot in minimal coordinates.";

[[noreturn]] void refuse(const Model& model, const ModelJoint& joint, const std::string& problem,
                         const std::string& remedy) {
  throw Error(placeOf(model.body(joint.body), joint.body),
              fmt::format("in redundant coordinates {} {}", describeJoint(joint.spec), problem),
              remedy + " " + kStayMinimal);
}

/// What joints can and loops cannot.
void checkJoint(const Model& model, const ModelJoint& joint) {
  const JointSpec& spec = joint.spec;
  const int freedoms = velocityCount(spec.type);
  if (!model.body(joint.body).more_joints.empty())
    refuse(model, joint, "is one of several joints of one body: what is between them has no mass to be a body",
           "Put a body with a mass between the joints,");
  if (spec.mimic)
    refuse(model, joint, fmt::format("cannot mimic \"{}\": loops follow no loops", spec.mimic->joint),
           "Take the mimic out,");
  if (spec.armature != 0.0 || (spec.rotor_inertia != 0.0 && spec.gear != 0.0))
    refuse(model, joint,
           "cannot have armature or rotor inertia: they belong to a joint's velocity, and a loop has none",
           "Set armature and rotor_inertia to 0,");
  if (freedoms > 1 && spec.dry_friction != 0.0)
    refuse(model, joint,
           fmt::format("cannot have dry friction: a loop has it on one freedom, this leaves {}", freedoms),
           "Set dry_friction to 0,");
  if (spec.range && spec.type == kHinge && !(spec.range->upper - spec.range->lower <= kTurn))
    refuse(model, joint,
           fmt::format("cannot have stops {:.4g} rad apart: a hinge loop tells no turns",
                       spec.range->upper - spec.range->lower),
           fmt::format("Make its range narrower than {:.4g} rad or leave it out,", kTurn));
}

/// Couplings name joints, which will not be there.
void checkCouplings(const Model& model, const RedundantJoints& chosen) {
  for (const LoopSpec& loop : model.loops()) {
    if (loop.kind != LoopKind::kJoint) continue;
    for (const std::string& name : {loop.joint_1, loop.joint_2}) {
      const int joint = model.findJoint(name);
      if (chosen.becomesLoop(joint))
        refuse(model, model.joints()[joint],
               fmt::format("cannot be coupled by \"{}\": loops follow no loops", loop.name), "Take the coupling out,");
    }
  }
}

/// Mass of everything that is rigidly one with the body that a joint moves [kg].
double massOfLink(const Model& model, int link) {
  double mass = 0.0;
  for (int body = 0; body < model.bodyCount(); ++body)
    if (model.placements()[body].link == link) mass += model.body(body).mass.mass;
  return mass;
}

LoopSpec makeLoop(const Model& model, int index, const std::vector<HoldSpec>& drives) {
  const ModelJoint& joint = model.joints()[index];
  const JointSpec& spec = joint.spec;
  const BodySpec& body = model.body(joint.body);
  LoopSpec loop;
  loop.name = spec.name.empty() ? fmt::format("{}_joint", body.name) : spec.name;
  loop.kind = LoopKind::kOfType;
  loop.type = spec.type;
  loop.body_1 = body.parent, loop.body_2 = joint.body;
  loop.X_1F = spec.X_PJ;
  const Eigen::Quaterniond back = body.X_JB.rotation.conjugate();
  loop.X_2F = {-(back * body.X_JB.position), back};
  loop.axis = spec.axis;
  loop.pitch = spec.pitch;
  loop.stiffness = spec.stiffness, loop.damping = spec.damping;
  loop.spring_reference = spec.spring_reference;
  loop.range = spec.range;
  loop.dry_friction = spec.dry_friction;
  for (const HoldSpec& drive : drives)
    if (drive.joint == index) loop.motor = {drive.kp, drive.kd, drive.target, 0.0, drive.effort};
  loop.where = placeOf(body, joint.body);
  return loop;
}

BodySpec makeFree(BodySpec body, int index) {
  body.parent = kWorld;
  body.joint = {};
  body.joint.name = body.name.empty() ? fmt::format("body_{}_free", index) : body.name + "_free";
  body.joint.type = kFree;
  body.X_JB = {};
  return body;
}

/// Everything but the bodies and their joints.
void copySurroundings(const Model& model, ModelBuilder& builder) {
  for (const LoopSpec& loop : model.loops()) {
    const int follower = loop.kind == LoopKind::kJoint ? model.findJoint(loop.joint_1) : -1;
    const bool mimics = follower >= 0 && loop.name == loop.joint_1 && model.joints()[follower].spec.mimic;
    if (!mimics) builder.addLoop(loop);  // the builder makes those of mimicking joints
  }
  for (const SpringSpec& spring : model.springs()) builder.addSpring(spring);
  for (const ModelShape& shape : model.shapes())
    if (shape.body == kWorld)
      builder.addWorldShape({shape.name, shape.shape, shape.X_BS, shape.material, shape.group, shape.mask});
  for (const MaterialPair& pair : model.materials()) builder.addMaterialPair(pair);
  builder.setGravity(model.gravity());
  builder.collideAs(model);
}

void addBodies(const Model& model, const RedundantJoints& chosen, ModelBuilder& builder) {
  const std::vector<Pose> poses = bodyPoses(model, model.q0());
  for (int body = 0; body < model.bodyCount(); ++body) {
    const BodySpec& spec = model.body(body);
    if (chosen.becomesFree(body)) {
      builder.addBody(makeFree(spec, body));
      builder.setReference(body, coordinatesOf(poses[body]));
      continue;
    }
    builder.addBody(spec);
    int count = positionCount(spec.joint.type);
    for (const JointSpec& joint : spec.more_joints) count += positionCount(joint.type);
    if (count > 0) builder.setReference(body, model.q0().segment(model.qIndex(body), count));
  }
}

bool isAmong(const Warning& one, const std::vector<Warning>& warnings) {
  return std::any_of(warnings.begin(), warnings.end(), [&](const Warning& other) {
    return other.message == one.message && other.where.line == one.where.line &&
           other.where.element == one.where.element;
  });
}

}  // namespace

RedundantJoints::RedundantJoints(const Model& model, const std::vector<bool>& bodies)
    : free_(model.bodyCount(), false), loop_(model.joints().size(), false) {
  if (!bodies.empty() && static_cast<int>(bodies.size()) != model.bodyCount())
    throw Error(fmt::format("redundant coordinates: {} bodies are told apart, the model has {}", bodies.size(),
                            model.bodyCount()),
                "Give one value per body, or none for all of them.");
  for (std::size_t i = 0; i < loop_.size(); ++i) {
    const ModelJoint& joint = model.joints()[i];
    if (joint.spec.type == kFree || (!bodies.empty() && !bodies[joint.body])) continue;
    loop_[i] = free_[joint.body] = true;
  }
}

Eigen::VectorXd coordinatesOf(const Pose& pose) {
  Eigen::VectorXd q(7);
  const Eigen::Quaterniond r = pose.rotation.normalized();
  q << pose.position, r.w(), r.x(), r.y(), r.z();
  return q;
}

Model makeRedundant(const Model& model, const std::vector<bool>& bodies, const std::vector<HoldSpec>& drives) {
  const RedundantJoints chosen(model, bodies);
  const std::vector<ModelJoint>& joints = model.joints();
  for (int joint = 0; joint < static_cast<int>(joints.size()); ++joint) {
    if (!chosen.becomesLoop(joint)) continue;
    checkJoint(model, joints[joint]);
    if (!(massOfLink(model, joint) > 0.0))  // one joint per link
      refuse(model, joints[joint], "moves a link without a mass, which cannot be a body of its own",
             "Give the link a mass,");
  }
  checkCouplings(model, chosen);

  ModelBuilder builder(model.name());
  addBodies(model, chosen, builder);
  copySurroundings(model, builder);
  for (int joint = 0; joint < static_cast<int>(joints.size()); ++joint)
    if (chosen.becomesLoop(joint)) builder.addLoop(makeLoop(model, joint, drives));
  const std::vector<Warning> found = builder.build().warnings();
  for (const Warning& warning : model.warnings())
    if (!isAmong(warning, found)) builder.addWarning(warning);
  return builder.build();
}

}  // namespace rigor
