// Where robots and bodies start and how fast.
#include <fmt/format.h>

#include <set>

#include "io/scene/assemble.h"
#include "simulation/scene_defaults.h"
#include "stepping/prescribed_motion.h"
#include "text/nearest.h"

namespace rigor {
namespace {

// Linear velocity in world axes, angular velocity in the body's axes: the order of a free joint's v.
void readVelocity(TableReader& reader, int body, Scene& scene) {
  const Eigen::Vector3d linear = reader.vector("velocity", Eigen::Vector3d::Zero());
  const Eigen::Vector3d angular = reader.vector("angular_velocity", Eigen::Vector3d::Zero());
  if (!reader.has("velocity") && !reader.has("angular_velocity")) return;
  if (scene.model.body(body).joint.type != kFree)
    reader.fail(reader.has("velocity") ? "velocity" : "angular_velocity", "a fixed body has no velocity",
                "Leave the velocity out, or let the body be free.");
  scene.v.segment<6>(scene.model.vIndex(body)) << linear, angular;
}

const ModelJoint& findRobotJoint(const std::string& name, const SceneRobot& robot, const Model& model,
                                 const Place& where) {
  std::vector<std::string> names;
  for (const ModelJoint& joint : model.joints()) {
    if (!robot.has(joint)) continue;
    names.push_back(joint.spec.name.substr(robot.prefix.size()));
    if (names.back() == name) return joint;
  }
  for (int body = robot.first_body; body < robot.first_body + robot.body_count; ++body)
    if (model.body(body).joint.type == kFixed && model.body(body).joint.name == robot.prefix + name)
      throw Error(where, fmt::format("joint \"{}\" is fixed", name), "Leave it out.");
  const std::string nearest = findNearest(name, names);
  throw Error(where, fmt::format("there is no joint \"{}\"", name),
              nearest.empty() ? "See rigor info for the names." : fmt::format("Did you mean \"{}\"?", nearest));
}

// q = {joint = value, …} or v = {…}: one number, or an array for joints with several. Adds the joints that were named.
void readJointValues(TableReader& reader, bool is_velocity, const SceneRobot& robot, Scene& scene,
                     std::set<std::string>& named) {
  const std::optional<TableReader> table = reader.table(is_velocity ? "v" : "q");
  if (!table) return;
  for (const auto& [name, value] : table->entries()) {
    const Place where{reader.file(), value.line, fmt::format("robot \"{}\"", robot.name)};
    const ModelJoint& joint = findRobotJoint(name, robot, scene.model, where);
    named.insert(joint.spec.name);
    const JointType type = joint.spec.type;
    const int count = is_velocity ? velocityCount(type) : positionCount(type);
    const bool is_one_number = count == 1 && value.kind == TomlValue::Kind::kNumber;
    const std::vector<double> values =
        is_one_number ? std::vector<double>{value.number} : table->numbers(value, count, name);
    Eigen::VectorXd& target = is_velocity ? scene.v : scene.q;
    const int first = is_velocity ? joint.v_index : joint.q_index;
    target.segment(first, count) = Eigen::Map<const Eigen::VectorXd>(values.data(), count);
    if (!is_velocity && type.rotation == Rotation::kAll) {
      auto wxyz = target.segment<4>(first + count - 4);
      const Eigen::Quaterniond turn =
          unitQuaternion(wxyz.data(), where, fmt::format("the quaternion of joint \"{}\"", name));
      wxyz << turn.w(), turn.x(), turn.y(), turn.z();
    }
  }
}

/// q and v of a [[joint]]: one number, or as many as it has. Adds it to those that were named.
void readBodyJointStart(TableReader& reader, Scene& scene, std::set<std::string>& named) {
  const BodySpec& child = scene.model.body(scene.model.findBody(reader.requiredText("child")));
  for (const char* key : {"q", "v"}) {
    const TomlValue* value = reader.find(key);
    if (!value) continue;
    const int index = scene.model.findJoint(child.joint.name);
    if (index < 0) reader.fail(key, "a fixed joint has no coordinates", fmt::format("Leave {} out.", key));
    const ModelJoint& joint = scene.model.joints()[index];
    named.insert(joint.spec.name);
    const bool is_velocity = key[0] == 'v';
    const int count = is_velocity ? velocityCount(joint.spec.type) : positionCount(joint.spec.type);
    const std::vector<double> values = count == 1 && value->kind == TomlValue::Kind::kNumber
                                           ? std::vector<double>{value->number}
                                           : reader.numbers(*value, count, key);
    Eigen::VectorXd& target = is_velocity ? scene.v : scene.q;
    target.segment(is_velocity ? joint.v_index : joint.q_index, count) =
        Eigen::Map<const Eigen::VectorXd>(values.data(), count);
    if (is_velocity || joint.spec.type.rotation != Rotation::kAll) continue;
    auto wxyz = target.segment<4>(joint.q_index + count - 4);
    const Eigen::Quaterniond turn = unitQuaternion(wxyz.data(), reader.place(key), "the quaternion of its joint");
    wxyz << turn.w(), turn.x(), turn.y(), turn.z();
  }
}

}  // namespace

void readStarts(std::vector<TableReader>& robots, std::vector<TableReader>& bodies, std::vector<TableReader>& joints,
                SceneDraft& draft, Scene& scene) {
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  std::set<std::string>& named = draft.named_joints;
  for (std::size_t i = 0; i < robots.size(); ++i) {
    draft.robots[i].has_start = robots[i].has("q");
    readVelocity(robots[i], draft.robots[i].first_body, scene);
    readJointValues(robots[i], false, draft.robots[i], scene, named);
    readJointValues(robots[i], true, draft.robots[i], scene, named);
    robots[i].finish();
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!scene.model.body(draft.bodies[i]).kinematic) readVelocity(bodies[i], draft.bodies[i], scene);
    bodies[i].finish();
  }
  for (TableReader& reader : joints) {
    readBodyJointStart(reader, scene, named);
    reader.finish();
  }
  placeKinematic(listMotions(scene), 0.0, scene.q, scene.v);
  followCouplings(scene.model, named, scene.q, scene.v);
}

}  // namespace rigor
