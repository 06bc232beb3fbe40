#include "io/scene/drives.h"

#include <fmt/format.h>

#include <algorithm>

#include "simulation/scene_defaults.h"
#include "text/nearest.h"

namespace rigor {
namespace {

// One number for all joints, or a table {joint = number, …}; joints not named get none.
std::optional<double> gainOf(const TableReader& reader, const TomlValue* gains, const std::string& joint) {
  if (!gains) return {};
  if (gains->kind == TomlValue::Kind::kNumber) return gains->number;
  for (const auto& [name, value] : gains->entries)
    if (name == joint)
      return reader.numbers({TomlValue::Kind::kArray, value.line, "", 0.0, false, {value}, {}}, 1, joint)[0];
  return 0.0;
}

const TomlValue* readGains(TableReader& reader, const std::string& key, const std::vector<std::string>& joints) {
  const TomlValue* gains = reader.find(key);
  if (!gains) return nullptr;
  if (gains->kind == TomlValue::Kind::kNumber) {
    reader.notNegative(key, 0.0);
    return gains;
  }
  TableReader table = *reader.table(key);
  for (const std::string& joint : joints) table.notNegative(joint, 0.0);
  table.finish();
  return gains;
}

}  // namespace

std::vector<SceneRobot> chooseRobots(TableReader& reader, const SceneDraft& draft) {
  std::vector<SceneRobot> robots = draft.robots;
  if (draft.loose) robots.push_back(*draft.loose);
  if (robots.empty())
    reader.fail("robot", "there is no robot to drive", "Add a [[robot]] or a [[joint]] to the scene.");
  if (!reader.has("robot")) return robots;
  const std::string name = reader.requiredText("robot");
  std::vector<std::string> names;
  for (const SceneRobot& robot : robots) {
    if (robot.name == name) return {robot};
    names.push_back(robot.name);
  }
  reader.fail("robot", fmt::format("there is no robot \"{}\"", name),
              fmt::format("Did you mean \"{}\"?", names.size() == 1 ? names[0] : findNearest(name, names)));
}

SceneRobot chooseRobot(TableReader& reader, const SceneDraft& draft) {
  const std::vector<SceneRobot> robots = chooseRobots(reader, draft);
  if (robots.size() != 1)
    reader.fail("robot", "does not say which robot is meant", fmt::format("Write robot = \"{}\".", robots[0].name));
  return robots[0];
}

std::vector<int> addDrives(TableReader& reader, const std::vector<SceneRobot>& robots, Scene& scene) {
  if (reader.has("kp") != reader.has("kd"))
    reader.fail(reader.has("kp") ? "kp" : "kd", "kp and kd are not both given",
                "Write both, or none for 5 Hz and critical damping.");
  std::vector<std::string> joints;
  for (const SceneRobot& robot : robots)
    for (const ModelJoint& joint : scene.model.joints())
      if (robot.has(joint) && velocityCount(joint.spec.type) == 1)
        joints.push_back(joint.spec.name.substr(robot.prefix.size()));
  const TomlValue *kp = readGains(reader, "kp", joints), *kd = readGains(reader, "kd", joints);
  const Eigen::VectorXd inertias =
      kp ? Eigen::VectorXd::Ones(scene.model.nv()) : carriedInertias(scene.model, scene.q);  // a large model takes long
  std::vector<int> driven;
  for (const SceneRobot& robot : robots) {
    for (int index = 0; index < static_cast<int>(scene.model.joints().size()); ++index) {
      const ModelJoint& joint = scene.model.joints()[index];
      if (!robot.has(joint) || velocityCount(joint.spec.type) != 1) continue;
      HoldSpec hold = makeDefaultHold(scene.model, index, scene.q, inertias[joint.v_index]);
      const std::string name = joint.spec.name.substr(robot.prefix.size());
      hold.kp = gainOf(reader, kp, name).value_or(hold.kp);
      hold.kd = gainOf(reader, kd, name).value_or(hold.kd);
      const bool twice = std::any_of(scene.holds.begin(), scene.holds.end(),
                                     [&](const HoldSpec& other) { return other.joint == index; });
      if (twice)
        reader.fail("robot", fmt::format("joint \"{}\" is held twice", joint.spec.name), "Keep one hold per robot.");
      if (hold.kp == 0.0 && hold.kd == 0.0) continue;
      scene.holds.push_back(hold);
      driven.push_back(index);
    }
  }
  return driven;
}

}  // namespace rigor
