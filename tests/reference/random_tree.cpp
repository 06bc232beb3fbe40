#include "reference/random_tree.h"

#include <string>

namespace rigor {
namespace {

BodySpec randomBody(int parent, JointType type, int index, Random& random) {
  BodySpec body;
  body.name = "body_" + std::to_string(index);
  body.parent = parent;
  body.joint.name = "joint_" + std::to_string(index);
  body.joint.type = type;
  body.joint.X_PJ = random.pose(0.5);
  // a third of the axes along ±x, ±y, ±z: the special cases of link frames
  body.joint.axis = random.vector(1.0);
  if (random.index(3) == 0) body.joint.axis = (random.index(2) ? 1.0 : -1.0) * Eigen::Vector3d::Unit(random.index(3));
  if (random.index(2) == 0) body.joint.armature = random.number(0.0, 0.5);
  if (random.index(2) == 0) body.joint.damping = random.number(0.0, 2.0);
  body.mass = random.mass();
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
  for (int body = 0; body < model.bodyCount(); ++body) {
    const JointType type = model.body(body).joint.type;
    if (type.rotation != Rotation::kAll) continue;
    const Eigen::Quaterniond r = random.rotation();
    q.segment<4>(model.qIndex(body) + translationCount(type)) << r.w(), r.x(), r.y(), r.z();
  }
  return q;
}

Eigen::VectorXd randomVelocity(const Model& model, Random& random) {
  Eigen::VectorXd v(model.nv());
  for (int i = 0; i < model.nv(); ++i) v[i] = random.number(-2.0, 2.0);
  return v;
}

}  // namespace rigor
