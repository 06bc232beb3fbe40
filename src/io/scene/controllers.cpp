// [[controller]]: who moves the targets of drives, and torques over time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/scene/drives.h"
#include "io/scene/joint_table.h"
#include "io/scene/torques.h"
#include "text/nearest.h"

namespace rigor {
namespace {

void wantTableOrFile(TableReader& reader, const char* what) {
  if (reader.has("table") == reader.has("file"))
    reader.fail("table", "needs either table or file",
                fmt::format("Write table = [[time, {0}, …], …] or file = \"{0}s.csv\".", what));
}

/// table = [[time, number, …], …] with one number per joint.
JointTable readRows(TableReader& reader, std::vector<int> joints) {
  JointTable table;
  table.joints = std::move(joints);
  const TomlValue* rows = reader.find("table");
  if (rows->kind != TomlValue::Kind::kArray)
    reader.fail("table", "the table is not an array of rows",
                "Write table = [[time, number, …], …], or file = \"….csv\".");
  for (const TomlValue& row : rows->items) {
    const std::vector<double> numbers =
        reader.numbers(row, 1 + table.joints.size(), "a row (time, then one per joint)");
    table.time.push_back(numbers[0]);
    table.rows.emplace_back(numbers.begin() + 1, numbers.end());
  }
  checkTimes(table.time, reader.place("table"));
  return table;
}

void addTorques(TableReader& reader, const SceneDraft& draft, Scene& scene) {
  const std::vector<SceneRobot> robots = chooseRobots(reader, draft);
  if (scene.torques || robots.size() != 1)
    reader.fail("kind", "only one controller of kind \"torques\" for one robot is supported yet",
                "Merge the tables into one.");
  wantTableOrFile(reader, "torque");
  if (reader.has("file")) {
    scene.torques = readTorques(reader.requiredFile("file"), scene.model, robots[0].prefix);
    return;
  }
  std::vector<int> joints;
  for (int i = 0; i < static_cast<int>(scene.model.joints().size()); ++i)
    if (const ModelJoint& joint = scene.model.joints()[i]; robots[0].has(joint) && velocityCount(joint.spec.type) == 1)
      joints.push_back(i);
  const JointTable rows = readRows(reader, joints);
  scene.torques.emplace();
  scene.torques->time = rows.time;
  for (const std::vector<double>& row : rows.rows) {
    scene.torques->tau.push_back(Eigen::VectorXd::Zero(scene.model.nv()));
    for (std::size_t i = 0; i < row.size(); ++i)
      scene.torques->tau.back()[scene.model.joints()[joints[i]].v_index] = row[i];
  }
}

/// joints = ["name", …]; those that have a drive if the file names none.
std::vector<int> readJoints(TableReader& reader, const SceneRobot& robot, const Scene& scene,
                            const std::vector<int>& driven) {
  if (!reader.has("joints")) return driven;
  std::vector<int> joints;
  for (const std::string& name : reader.texts("joints")) {
    const int joint = findSingleJoint(scene.model, robot.prefix, name, reader.place("joints"));
    if (std::find(driven.begin(), driven.end(), joint) == driven.end())
      reader.fail("joints", fmt::format("joint \"{}\" has no drive", name), "Give it gains in kp and kd.");
    if (std::find(joints.begin(), joints.end(), joint) != joints.end())
      reader.fail("joints", fmt::format("joint \"{}\" is named twice", name), "Name each joint once.");
    joints.push_back(joint);
  }
  return joints;
}

void addTargets(TableReader& reader, const SceneDraft& draft, Scene& scene) {
  const SceneRobot robot = chooseRobot(reader, draft);
  const std::vector<int> driven = addDrives(reader, {robot}, scene);
  wantTableOrFile(reader, "target");
  if (reader.has("file") && reader.has("joints"))
    reader.fail("joints", "joints are named by the first line of the file", "Leave joints out.");
  const JointTable rows = reader.has("file") ? readJointTable(reader.requiredFile("file"), scene.model, robot.prefix)
                                             : readRows(reader, readJoints(reader, robot, scene, driven));
  TargetTable table;
  table.joints = rows.joints;
  table.time = rows.time;
  for (const std::vector<double>& row : rows.rows)
    table.rows.emplace_back(Eigen::Map<const Eigen::VectorXd>(row.data(), static_cast<Eigen::Index>(row.size())));
  if (reader.has("period")) {
    table.period = reader.positive("period", 1.0);
    if (const double span = table.time.back() - table.time.front(); table.period < span)
      reader.fail("period", fmt::format("period {} s is shorter than the {} s of the table", table.period, span),
                  "Give the time after which the first row comes again, or leave it out.");
  }
  scene.target_tables.push_back(std::move(table));
}

std::uint64_t readSeed(TableReader& reader, std::uint64_t otherwise) {
  const double seed = reader.notNegative("seed", static_cast<double>(otherwise));
  if (seed != std::floor(seed) || seed > 0x1p53)
    reader.fail("seed", fmt::format("seed {} is not a whole number up to 2^53", seed), "Write seed = 1.");
  return static_cast<std::uint64_t>(seed);
}

void addRandom(TableReader& reader, const SceneDraft& draft, Scene& scene) {
  const SceneRobot robot = chooseRobot(reader, draft);
  RandomTargets random;
  random.joints = readJoints(reader, robot, scene, addDrives(reader, {robot}, scene));
  random.seed = readSeed(reader, random.seed);
  random.every = reader.positive("every", random.every);
  random.sigma = reader.notNegative("sigma", random.sigma);
  scene.random_targets.push_back(std::move(random));
}

void addGait(TableReader& reader, const SceneDraft& draft, Scene& scene) {
  const SceneRobot robot = chooseRobot(reader, draft);
  addDrives(reader, {robot}, scene);
  if (robot.feet.size() < 2)
    reader.fail("kind", fmt::format("robot \"{}\" has {} feet to walk on", robot.name, robot.feet.size()),
                "Name them in the [[robot]], left and right, from the front to the back: feet = [\"LF\", \"RF\", …].");
  GaitSpec gait;
  for (const std::string& foot : robot.feet) gait.feet.push_back(scene.model.findBody(robot.prefix + foot));
  gait.speed = reader.number("speed").value_or(gait.speed);
  gait.ramp = reader.notNegative("ramp", gait.ramp);
  gait.duty = reader.positive("duty", gait.duty);
  if (gait.duty >= 1.0)
    reader.fail("duty", fmt::format("a foot is on the ground for {} of the time", gait.duty), "Write duty = 0.5.");
  gait.heading = reader.notNegative("heading", gait.heading);
  if (reader.has("frequency")) gait.frequency = reader.positive("frequency", 1.0);
  if (reader.has("step_height")) gait.step_height = reader.positive("step_height", 1.0);
  if (reader.has("placement")) gait.placement = reader.positive("placement", 1.0);
  scene.gaits.push_back(std::move(gait));
}

}  // namespace

void addControllers(std::vector<TableReader> tables, const SceneDraft& draft, Scene& scene) {
  const std::vector<std::string> kinds = {"hold", "targets", "random", "gait", "torques"};
  for (TableReader& reader : tables) {
    const std::string kind = reader.requiredText("kind");
    if (kind == "hold")
      addDrives(reader, chooseRobots(reader, draft), scene);
    else if (kind == "targets")
      addTargets(reader, draft, scene);
    else if (kind == "random")
      addRandom(reader, draft, scene);
    else if (kind == "gait")
      addGait(reader, draft, scene);
    else if (kind == "torques")
      addTorques(reader, draft, scene);
    else
      reader.fail("kind", fmt::format("unknown kind \"{}\"", kind), suggestName(kind, kinds));
    reader.finish();
  }
}

}  // namespace rigor
