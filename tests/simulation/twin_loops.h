// A body tied to the world by a joint of a tree, and a free body tied by a loop of the same type, with the same stops, dry friction and
// motor.
#pragma once

#include "simulation/simple_scenes.h"

namespace rigor {

/// What acts on the freedom of both.
struct Acting {
  std::optional<Range> range = {};
  double dry_friction = 0.0;
  LoopMotor motor = {};
};

struct TwinLoops {
  JointType type = kHinge;
  Acting acting;
  bool balanced = false;  ///< its centre of mass is on the axis, which is one of its principal axes
  double start = 0.1, speed = 0.0;
  double dt = 1e-3;
  std::string stepper = "minimal";

  Eigen::Vector3d axis = Eigen::Vector3d::UnitY();  ///< of the frame
  Pose frame{Eigen::Vector3d(0.3, 0.1, -0.2),
             Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 2) / 3.0))};
  static constexpr double kPitch = 0.05, kMass = 2.0;

  BodySpec body() const {
    BodySpec body;
    body.name = "body";
    body.joint.name = "pin";
    const Eigen::Vector3d off = balanced ? Eigen::Vector3d::Zero() : Eigen::Vector3d(0.2, -0.05, 0.3);
    body.mass = {kMass, off, kMass * Eigen::Vector3d(0.04, 0.05, 0.06).asDiagonal().toDenseMatrix()};
    return body;
  }

  Scene finish(const ModelBuilder& builder) const {
    Scene scene;
    scene.model = builder.build();
    scene.q = scene.model.q0();
    scene.v = Eigen::VectorXd::Zero(scene.model.nv());
    scene.dt = dt;
    scene.stepper = stepper;
    return scene;
  }

  Scene tree() const {
    ModelBuilder builder;
    BodySpec one = body();
    one.joint.type = type, one.joint.axis = axis, one.joint.X_PJ = frame, one.joint.pitch = kPitch;
    one.joint.range = acting.range;
    one.joint.dry_friction = acting.dry_friction;
    builder.addBody(one);
    Scene scene = finish(builder);
    scene.q[0] = start, scene.v[0] = speed;
    const LoopMotor& motor = acting.motor;
    if (motor.kp > 0.0 || motor.kd > 0.0) scene.holds.push_back({0, motor.kp, motor.kd, motor.target, motor.effort});
    if (motor.torque != 0.0) scene.torques = {{0.0}, {Eigen::VectorXd::Constant(1, motor.torque)}};
    return scene;
  }

  Scene loop() const {
    ModelBuilder builder;
    BodySpec one = body();
    one.joint.type = kFree;
    builder.addBody(one);
    LoopSpec spec;
    spec.name = "pin";
    spec.kind = LoopKind::kOfType;
    spec.type = type, spec.axis = axis, spec.pitch = kPitch;
    spec.body_1 = kWorld, spec.body_2 = 0;
    spec.X_1F = frame;
    spec.range = acting.range, spec.dry_friction = acting.dry_friction, spec.motor = acting.motor;
    builder.addLoop(spec);
    Scene scene = finish(builder);
    const Pose at = Simulator(tree()).pose(0);
    const Eigen::Quaterniond& r = at.rotation;
    scene.q << at.position, r.w(), r.x(), r.y(), r.z();
    // the frames coincide but for the motion along and about the axis
    const Eigen::Vector3d along = frame.rotation * axis;
    const double turns = type == kSlide ? 0.0 : 1.0, advances = type == kSlide ? 1.0 : type == kHelical ? kPitch : 0.0;
    scene.v << speed * advances * along, speed * turns * axis;
    return scene;
  }

  /// The coordinate of the body, an angle within half a turn of `near`.
  double coordinateAt(const Pose& pose, double near = 0.0) const {
    if (type != kHinge) {
      const double way = axis.dot(frame.rotation.conjugate() * (pose.position - frame.position));
      return type == kSlide ? way : way / kPitch;
    }
    const Eigen::Quaterniond turn = frame.rotation.conjugate() * pose.rotation;
    const double angle = 2.0 * std::atan2(turn.vec().dot(axis), turn.w());
    return angle - 2.0 * kPi * std::round((angle - near) / (2.0 * kPi));
  }
};

}  // namespace rigor
