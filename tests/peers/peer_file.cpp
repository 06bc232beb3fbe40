#include "peers/peer_file.h"

#include "io/npz/npz.h"

namespace rigor {
namespace {

/// Arrays hold all cases one after another; this remembers how far each has been read.
class Cursor {
 public:
  explicit Cursor(const std::string& path) : reader_(path) {}

  bool has(const std::string& name) const { return reader_.has(name); }
  std::string text(const std::string& name) const { return reader_.readText(name); }

  Eigen::VectorXd numbers(const std::string& name, int count) { return take(numbers_, name, count).cast<double>(); }
  std::vector<int> integers(const std::string& name, int count) {
    const Eigen::VectorX<std::int32_t> found = take(integers_, name, count);
    return {found.begin(), found.end()};
  }
  int integer(const std::string& name) { return integers(name, 1)[0]; }
  std::size_t length(const std::string& name) { return reader_.read<std::int32_t>(name).values.size(); }

  /// Throws Error unless every number has been used: sizes in file and reader are the same.
  void finish() const {
    const auto check = [](const auto& columns) {
      for (const auto& [name, column] : columns)
        if (column.used != static_cast<int>(column.values.size()))
          throw Error("array \"" + name + "\" has numbers left over", "Write the reference files again.");
    };
    check(numbers_);
    check(integers_);
  }

 private:
  template <class T>
  struct Column {
    std::vector<T> values;
    int used = 0;
  };

  template <class T>
  Eigen::VectorX<T> take(std::map<std::string, Column<T>>& columns, const std::string& name, int count) {
    auto found = columns.find(name);
    if (found == columns.end()) found = columns.emplace(name, Column<T>{reader_.read<T>(name).values}).first;
    Column<T>& column = found->second;
    if (column.used + count > static_cast<int>(column.values.size()))
      throw Error("array \"" + name + "\" is too short", "Write the reference files again.");
    column.used += count;
    return Eigen::Map<const Eigen::VectorX<T>>(column.values.data() + column.used - count, count);
  }

  NpzReader reader_;
  std::map<std::string, Column<double>> numbers_;
  std::map<std::string, Column<std::int32_t>> integers_;
};

Pose readPose(Cursor& file, const std::string& name) {
  const Eigen::VectorXd n = file.numbers(name, 7);
  return {n.head<3>(), Eigen::Quaterniond(n[3], n[4], n[5], n[6])};
}

JointSpec readJoint(Cursor& file, int number) {
  JointSpec joint;
  joint.name = "joint_" + std::to_string(number);
  const std::vector<int> type = file.integers("joint_type", 2);
  joint.type = {static_cast<Translation>(type[0]), static_cast<Rotation>(type[1])};
  joint.axis = file.numbers("joint_axis", 3);
  joint.X_PJ = readPose(file, "joint_frame");
  const Eigen::VectorXd more = file.numbers("joint_numbers", 3);
  joint.armature = more[0];
  joint.pitch = more[1];
  joint.stiffness = more[2];
  if (joint.stiffness > 0.0) joint.spring_reference = file.numbers("spring_reference", positionCount(joint.type));
  return joint;
}

Model readModel(Cursor& file, int bodies) {
  ModelBuilder builder("random");
  builder.setGravity(file.numbers("gravity", 3));
  int joints = 0;
  for (int index = 0; index < bodies; ++index) {
    BodySpec body;
    body.name = "body_" + std::to_string(index);
    body.parent = file.integer("body_parent");
    const int count = file.integer("body_joints");
    body.joint = readJoint(file, joints++);
    for (int more = 1; more < count; ++more) body.more_joints.push_back(readJoint(file, joints++));
    body.X_JB = readPose(file, "body_frame");
    const Eigen::VectorXd m = file.numbers("body_mass", 10);  // mass, centre, xx, yy, zz, xy, xz, yz
    body.mass.mass = m[0];
    body.mass.com = m.segment<3>(1);
    body.mass.inertia << m[4], m[7], m[8], m[7], m[5], m[9], m[8], m[9], m[6];
    builder.addBody(body);
  }
  return builder.build();
}

Answers readAnswers(Cursor& file, const std::string& peer, int nv, int bodies) {
  const std::map<std::string, int> sizes = {{"M", nv * (nv + 1) / 2}, {"bias", nv},
                                            {"gravity", nv},          {"acceleration", nv},
                                            {"poses", 12 * bodies},   {"kinetic", 1},
                                            {"potential", 1},         {"com", 3},
                                            {"linear_momentum", 3},   {"angular_momentum", 3},
                                            {"jacobians", 12 * nv},   {"jacobian_rates", 12},
                                            {"rnea_dq", nv * nv},     {"rnea_dv", nv * nv},
                                            {"aba_dq", nv * nv},      {"aba_dv", nv * nv}};
  Answers answers;
  for (const auto& [name, size] : sizes)
    if (file.has(peer + "_" + name)) answers[name] = file.numbers(peer + "_" + name, size);
  return answers;
}

}  // namespace

PeerFile readPeerFile(const std::string& name) {
  Cursor file(std::string(RIGOR_SOURCE_DIR) + "/tests/peers/" + name + ".npz");
  PeerFile out;
  out.versions = file.text("versions");
  const bool with_models = file.has("joint_type");
  for (std::size_t number = 0; number < file.length("case_nv"); ++number) {
    PeerCase one;
    one.bodies = file.integer("case_bodies");
    one.nq = file.integer("case_nq");
    one.nv = file.integer("case_nv");
    if (with_models) one.model = readModel(file, one.bodies);
    one.q = file.numbers("q", one.nq);
    one.v = file.numbers("v", one.nv);
    one.tau = file.numbers("tau", one.nv);
    one.watched = file.integers("watched", 2);
    one.pinocchio = readAnswers(file, "pinocchio", one.nv, one.bodies);
    if (file.integer("case_mujoco")) one.mujoco = readAnswers(file, "mujoco", one.nv, one.bodies);
    out.cases.push_back(std::move(one));
  }
  file.finish();
  return out;
}

}  // namespace rigor
