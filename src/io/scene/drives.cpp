// Controllers and wrenches: what pushes.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "io/file.h"
#include "io/scene/assemble.h"
#include "io/scene/torques.h"
#include "simulation/scene_defaults.h"
#include "text/nearest.h"

namespace rigor {
namespace {

/// All robots, or the one that is named; [[body]] with [[joint]] between them are one too, called "joints".
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

void addHold(TableReader& reader, const SceneDraft& draft, Scene& scene) {
  const std::vector<SceneRobot> robots = chooseRobots(reader, draft);
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
      if (hold.kp > 0.0 || hold.kd > 0.0) scene.holds.push_back(hold);
    }
  }
}

void addTorques(TableReader& reader, const SceneDraft& draft, Scene& scene) {
  const std::vector<SceneRobot> robots = chooseRobots(reader, draft);
  if (scene.torques || robots.size() != 1)
    reader.fail("kind", "only one controller of kind \"torques\" for one robot is supported yet",
                "Merge the tables into one.");
  if (reader.has("table") == reader.has("file"))
    reader.fail("table", "needs either table or file",
                "Write table = [[time, torque, …], …] or file = \"torques.csv\".");
  if (reader.has("file")) {
    scene.torques = readTorques(reader.requiredFile("file"), scene.model, robots[0].prefix);
    return;
  }
  const TomlValue& rows = *reader.find("table");
  std::vector<int> columns;  // v index of each joint with one freedom
  for (const ModelJoint& joint : scene.model.joints())
    if (robots[0].has(joint) && velocityCount(joint.spec.type) == 1) columns.push_back(joint.v_index);
  TorqueTable table;
  for (const TomlValue& row : rows.items) {
    const std::vector<double> numbers = reader.numbers(row, 1 + columns.size(), "a row (time, then one per joint)");
    table.time.push_back(numbers[0]);
    table.tau.push_back(Eigen::VectorXd::Zero(scene.model.nv()));
    for (std::size_t i = 0; i < columns.size(); ++i) table.tau.back()[columns[i]] = numbers[i + 1];
  }
  checkTorqueTimes(table, reader.place("table"));
  scene.torques = table;
}

}  // namespace

void addControllers(std::vector<TableReader> tables, const SceneDraft& draft, Scene& scene) {
  for (TableReader& reader : tables) {
    const std::string kind = reader.requiredText("kind");
    if (kind == "hold") {
      addHold(reader, draft, scene);
    } else if (kind == "torques") {
      addTorques(reader, draft, scene);
    } else if (kind == "targets" || kind == "gait" || kind == "random") {
      reader.fail("kind", fmt::format("controllers of kind \"{}\" are not supported yet", kind),
                  "Known so far: hold, torques.");
    } else {
      reader.fail("kind", fmt::format("unknown kind \"{}\"", kind), "Known so far: hold, torques.");
    }
    reader.finish();
  }
}

void addWrenches(std::vector<TableReader> tables, Scene& scene) {
  std::vector<std::string> names;
  for (int body = 0; body < scene.model.bodyCount(); ++body) names.push_back(scene.model.body(body).name);
  for (TableReader& reader : tables) {
    WrenchSpec wrench;
    const std::string name = reader.requiredText("body");
    wrench.body = scene.model.findBody(name);
    if (wrench.body < 0) {
      const std::string nearest = findNearest(name, names);
      reader.fail("body", fmt::format("there is no body \"{}\"", name),
                  nearest.empty() ? "See rigor info for the names." : fmt::format("Did you mean \"{}\"?", nearest));
    }
    wrench.force = reader.vector("force", wrench.force);
    wrench.torque = reader.vector("torque", wrench.torque);
    const std::string frame = reader.text("frame", "world");
    if (frame != "world" && frame != "body")
      reader.fail("frame", fmt::format("frame is \"{}\"", frame), "Write \"world\" or \"body\".");
    wrench.in_world = frame == "world";
    wrench.from = reader.notNegative("from", wrench.from);
    wrench.until = reader.number("until").value_or(wrench.until);
    if (!(wrench.until > wrench.from))
      reader.fail("until", fmt::format("until {} s is not after from {} s", wrench.until, wrench.from), "Swap them.");
    reader.finish();
    scene.wrenches.push_back(wrench);
  }
}

}  // namespace rigor
