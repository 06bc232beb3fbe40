#include "experiments/exoskeleton.h"

#include "experiments/maximal_models.h"

namespace rigor::experiments {
namespace {

constexpr double kShoulder = 0.2483, kUpperArm = 0.3087;   // [m] from the torso's middle, to the elbow
constexpr double kCuffSpring = 100.0, kCuffDamper = 10.0;  // the paper's; ours, for it prints none
constexpr double kP[] = {100.0, 50.0}, kD[] = {10.0, 5.0};

/// Roll, pitch, yaw as in URDF.
Pose poseOf(const Eigen::Vector3d& position, double roll, double pitch = 0.0, double yaw = 0.0) {
  return {position, Eigen::Quaterniond(Eigen::AngleAxisd(yaw, Eigen::Vector3d::UnitZ()) *
                                       Eigen::AngleAxisd(pitch, Eigen::Vector3d::UnitY()) *
                                       Eigen::AngleAxisd(roll, Eigen::Vector3d::UnitX()))};
}

BodySpec makePart(const std::string& name, int parent, JointType joint, const Pose& X_PJ, double mass,
                  const Eigen::Vector3d& com, const Eigen::Vector3d& moments,
                  const Eigen::Vector3d& products = {0, 0, 0}) {
  BodySpec part;
  part.name = name;
  part.parent = parent;
  part.joint.name = name;
  part.joint.type = joint;
  part.joint.X_PJ = X_PJ;
  const double xy = products[0], xz = products[1], yz = products[2];
  part.mass.mass = mass;
  part.mass.com = com;
  part.mass.inertia << moments[0], xy, xz, xy, moments[1], yz, xz, yz, moments[2];
  return part;
}

void addCuff(ModelBuilder& builder, const std::string& name, int machine, const Eigen::Vector3d& on_machine, int arm,
             const Eigen::Vector3d& on_arm, const Eigen::Vector3d& axis) {
  LoopSpec cuff;
  cuff.name = name;
  cuff.kind = LoopKind::kOfType;
  cuff.type = kPlanar;
  cuff.body_1 = machine;
  cuff.body_2 = arm;
  cuff.X_1F.position = on_machine;
  cuff.X_2F.position = on_arm;
  cuff.axis = axis;
  cuff.stiffness = kCuffSpring;
  cuff.damping = kCuffDamper;
  builder.addLoop(cuff);
}

void drive(Scene& scene, const std::string& joint, double kp, double kd) {
  scene.holds.push_back({.joint = scene.model.findJoint(joint), .kp = kp, .kd = kd});
}

}  // namespace

Scene makeExoskeleton(const Elbow& elbow, double scale, MachineHinges hinges) {
  const bool four = hinges == MachineHinges::kFour;
  const JointType further = four ? kHinge : kFixed;
  ModelBuilder builder("exoskeleton");
  const Eigen::Vector3d shoulder(kShoulder, 0.0, 0.0), none(0.0, 0.0, 0.0);
  const int upper = builder.addBody(makePart("upper_arm", kWorld, kBall, poseOf(shoulder, 0.5 * kPi, 0.0, 0.5 * kPi),
                                             2.25, {0.0, 0.0, 0.155}, {0.01875, 0.01875, 0.00375}));
  BodySpec forearm = makePart("forearm", upper, kHinge, poseOf({0.0, 0.0, kUpperArm}, 0.5 * kPi), 1.5,
                              {0.0, 0.125, 0.0}, {0.008515625, 0.00140625, 0.008515625});
  forearm.joint.stiffness = elbow.stiffness;
  forearm.joint.damping = elbow.damping;
  forearm.joint.spring_reference = Eigen::VectorXd::Constant(1, -0.25 * kPi);
  const int lower = builder.addBody(forearm);
  const int abduction = builder.addBody(
      makePart("sAA", kWorld, further, poseOf(shoulder, 0.5 * kPi, -0.5 * kPi, 0.5 * kPi), 6.712,
               {0.0, 0.1301, -0.1279}, {0.3787893, 0.192833, 0.1956839}, {-6.556e-4, -6.709e-4, 0.0540633}));
  const int flexion =
      builder.addBody(makePart("sFE", abduction, kHinge, poseOf(none, 0.5 * kPi), 3.487, {0.0001, 0.1051, -0.1201},
                               {0.1108677, 0.0689688, 0.0569634}, {-9.77e-5, 3.99e-5, 0.0384741}));
  const int rotation = builder.addBody(makePart("sIE", flexion, further, poseOf({0.0, kUpperArm, 0.0}, -0.5 * kPi),
                                                1.663, {-0.0006, 0.1079, -0.03}, {0.0266938, 0.007941, 0.0235228},
                                                {1.282e-4, -5.56e-5, 0.0038772}));
  const int elbow_unit =
      builder.addBody(makePart("eFE", rotation, kHinge, poseOf(none, 0.5 * kPi), 0.494, {0.0, 0.0557, -0.0803},
                               {0.0069974, 0.0035498, 0.0037622}, {-9e-7, -4e-7, 0.001812}));
  addCuff(builder, "upper_cuff", rotation, {0.0, 0.0, -0.1537}, upper, {0.0, 0.0, 0.155}, Eigen::Vector3d::UnitY());
  addCuff(builder, "lower_cuff", elbow_unit, {0.0, 0.125, 0.0}, lower, {0.0, 0.125, 0.0}, Eigen::Vector3d::UnitZ());

  Scene scene = makeMaximalScene("exoskeleton", builder.build(), 1e-3);
  const Eigen::Quaterniond start(Eigen::AngleAxisd(0.25 * kPi, Eigen::Vector3d::UnitX()) *
                                 Eigen::AngleAxisd(0.5 * kPi, Eigen::Vector3d::UnitZ()));
  if (four)
    scene.q << start.w(), start.vec(), -0.25 * kPi, 0.0, 0.25 * kPi, 0.0, -0.25 * kPi;
  else
    scene.q << start.w(), start.vec(), -0.25 * kPi, 0.25 * kPi, -0.25 * kPi;
  drive(scene, "sFE", scale * kP[0], scale * kD[0]);
  if (four)
    for (const char* joint : {"sAA", "sIE"}) drive(scene, joint, scale * kP[0], scale * kD[0]);
  drive(scene, "eFE", scale * kP[1], scale * kD[1]);
  return scene;
}

}  // namespace rigor::experiments
