#include "reference/random_tree.h"

#include <string>

namespace rigor {
namespace {

JointSpec randomJoint(JointType type, const std::string& name, Random& random) {
  JointSpec joint;
  joint.name = name;
  joint.type = type;
  joint.X_PJ = random.pose(0.5);
  // a third of the axes along ±x, ±y, ±z: the special cases of link frames
  joint.axis = random.vector(1.0);
  if (random.index(3) == 0) joint.axis = (random.index(2) ? 1.0 : -1.0) * Eigen::Vector3d::Unit(random.index(3));
  if (random.index(2) == 0) joint.armature = random.number(0.0, 0.5);
  if (random.index(4) == 0) joint.rotor_inertia = random.number(0.0, 1e-3), joint.gear = random.number(-10.0, 10.0);
  if (random.index(2) == 0) joint.damping = random.number(0.0, 2.0);
  joint.pitch = random.number(-0.2, 0.2);
  return joint;
}

/// A type that may stand between two others on one body: moves, but not freely.
JointType innerType(Random& random) {
  const std::vector<JointType>& types = allJointTypes();
  return types[1 + random.index(static_cast<int>(types.size()) - 2)];
}

/// One or two joints more. Hinges behind a hinge are regular by themselves; freedoms of other sets may repeat each other
/// (three translations twice), so each gets an inertia of its own.
void addMoreJoints(BodySpec& body, Random& random) {
  for (int more = 1 + random.index(2); more > 0; --more) {
    const JointType type = body.joint.type == kHinge ? kHinge : innerType(random);
    body.more_joints.push_back(randomJoint(type, body.joint.name + "_" + std::to_string(more), random));
  }
  if (body.joint.type == kHinge) return;
  body.joint.armature += 0.1;
  for (JointSpec& joint : body.more_joints) joint.armature += 0.1;
}

BodySpec randomBody(int parent, JointType type, int index, Random& random) {
  BodySpec body;
  body.name = "body_" + std::to_string(index);
  body.parent = parent;
  body.joint = randomJoint(type, "joint_" + std::to_string(index), random);
  body.mass = random.mass();
  if (random.index(3) == 0) body.X_JB = random.pose(0.2);
  if (type != kFixed && type != kFree && random.index(4) == 0) addMoreJoints(body, random);
  if (type == kFixed && random.index(3) == 0) body.mass = {};  // a mere frame
  return body;
}

/// A type for a body below `parent`; free joints only where nothing above moves.
JointType randomType(bool on_world, Random& random) {
  const std::vector<JointType>& types = allJointTypes();
  const int count = static_cast<int>(types.size());
  return types[random.index(on_world ? count : count - 1)];
}

}  // namespace

const std::vector<JointType>& allJointTypes() {
  static const std::vector<JointType> types = [] {
    std::vector<JointType> all;
    for (Translation t : {Translation::kNone, Translation::kAxis, Translation::kPlane, Translation::kAll})
      for (Rotation r : {Rotation::kNone, Rotation::kAxis, Rotation::kAll}) all.push_back({t, r});
    all.insert(all.end() - 1, {kHelical, kUniversal});
    return all;
  }();
  return types;
}

double Random::number(double low, double high) {
  return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1.0p-53);
}

int Random::index(int count) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(count)); }

Eigen::Vector3d Random::vector(double size) {
  const double x = number(-size, size), y = number(-size, size), z = number(-size, size);
  return {x, y, z};
}

Eigen::Quaterniond Random::rotation() {
  Eigen::Quaterniond q;
  do q.coeffs() << vector(1.0), number(-1.0, 1.0);
  while (q.squaredNorm() > 1.0 || q.squaredNorm() < 0.01);
  return q.normalized();
}

Pose Random::pose(double size) {
  const Eigen::Vector3d position = vector(size);
  return {position, rotation()};
}

MassProperties Random::mass() {
  MassProperties mass;
  mass.mass = number(0.1, 5.0);
  mass.com = vector(0.2);
  // second moments of a body with these principal radii
  const Eigen::Vector3d squares = Eigen::Vector3d(number(0.05, 0.3), number(0.05, 0.3), number(0.05, 0.3)).cwiseAbs2();
  const Eigen::Vector3d moments(squares[1] + squares[2], squares[0] + squares[2], squares[0] + squares[1]);
  const Eigen::Matrix3d R = rotation().toRotationMatrix();
  mass.inertia = mass.mass * R * moments.asDiagonal() * R.transpose();
  mass.inertia = (0.5 * (mass.inertia + mass.inertia.transpose())).eval();
  return mass;
}

Model makeRandomTree(std::uint64_t seed, int trees) {
  Random random(seed);
  ModelBuilder builder("random");
  builder.setGravity(random.vector(10.0));
  int index = 0;
  for (int tree = 0; tree < trees; ++tree) {
    int mount = kWorld;  // half of the trees stand on a body that is fixed to the world
    if (random.index(2) == 0) mount = builder.addBody(randomBody(kWorld, kFixed, index++, random));
    JointType type = randomType(true, random);
    if (type == kFixed) type = kHinge;
    std::vector<int> members{builder.addBody(randomBody(mount, type, index++, random))};
    for (int more = 1 + random.index(8); more > 0; --more) {
      const int parent = members[random.index(static_cast<int>(members.size()))];
      members.push_back(builder.addBody(randomBody(parent, randomType(false, random), index++, random)));
    }
  }
  return builder.build();
}

Model makeJointSample(JointType type, std::uint64_t seed) {
  Random random(seed);
  ModelBuilder builder("sample");
  builder.setGravity(random.vector(10.0));
  int parent = kWorld;
  if (type != kFree) parent = builder.addBody(randomBody(kWorld, kFree, 0, random));
  builder.addBody(randomBody(parent, type, 1, random));
  return builder.build();
}

Eigen::VectorXd randomPosition(const Model& model, Random& random) {
  Eigen::VectorXd q(model.nq());
  for (int i = 0; i < model.nq(); ++i) q[i] = random.number(-2.0, 2.0);
  for (const ModelJoint& joint : model.joints()) {
    if (joint.spec.type.rotation != Rotation::kAll) continue;
    const Eigen::Quaterniond r = random.rotation();
    q.segment<4>(joint.q_index + translationCount(joint.spec.type)) << r.w(), r.x(), r.y(), r.z();
  }
  return q;
}

Eigen::VectorXd randomVelocity(const Model& model, Random& random) {
  Eigen::VectorXd v(model.nv());
  for (int i = 0; i < model.nv(); ++i) v[i] = random.number(-2.0, 2.0);
  return v;
}

}  // namespace rigor
