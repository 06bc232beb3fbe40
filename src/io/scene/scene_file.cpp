// loadScene: a scene file, table by table.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "io/file.h"
#include "io/scene/assemble.h"
#include "io/urdf/urdf.h"
#include "rigor/integrator.h"
#include "rigor/solver.h"
#include "simulation/stepper_misfit.h"

namespace rigor {
namespace {

// One of the known words; `planned` ones are told apart from typing mistakes.
std::string readWord(TableReader& reader, const std::string& key, const std::string& otherwise,
                     const std::vector<std::string>& known, const std::vector<std::string>& planned) {
  const std::string word = reader.text(key, otherwise);
  const auto isIn = [&](const std::vector<std::string>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (isIn(known)) return word;
  reader.fail(key, fmt::format("{} \"{}\" is {}", key, word, isIn(planned) ? "not supported yet" : "unknown"),
              isIn(planned) ? fmt::format("Known: {}.", fmt::join(known, ", ")) : suggestKnown(word, known));
}

constexpr int kMostStops = 1000;

void choose(const LoadOptions& options, Scene& scene) {
  scene.stepper = options.stepper.value_or(scene.stepper);
  scene.integrator = options.integrator.value_or(scene.integrator);
  scene.solver = options.solver.value_or(scene.solver);
  scene.law = options.law.value_or(scene.law);
}

void readSimulation(TableReader reader, const LoadOptions& options, SceneDraft& draft, Scene& scene) {
  scene.dt = reader.positive("dt", scene.dt);
  scene.time = reader.positive("time", scene.time);
  std::vector<std::string> solvers;
  for (const SolverInfo& info : listSolvers()) solvers.emplace_back(info.name);
  scene.stepper = readWord(reader, "stepper", scene.stepper, {"minimal", "maximal", "event"}, {});
  scene.start = readWord(reader, "start", scene.start, {"legendre", "first_order"}, {});
  scene.solver = readWord(reader, "solver", scene.solver, solvers, {"lemke"});
  std::vector<std::string> integrators;
  for (const IntegratorInfo& info : listIntegrators()) integrators.emplace_back(info.name);
  scene.integrator = readWord(reader, "integrator", scene.integrator, integrators, {});
  scene.law = readWord(reader, "law", scene.law, {"coulomb", "dissipation", "pyramid"}, {});
  const double directions = reader.positive("directions", scene.directions);
  if (directions != std::floor(directions) || directions > kMostDirections ||
      !isSoundDirections(static_cast<int>(directions)))
    reader.fail("directions", fmt::format("directions is {}", directions),
                fmt::format("The polygon of law pyramid has an even number of corners from {} to {}.", kLeastDirections,
                            kMostDirections));
  scene.directions = static_cast<int>(directions);
  scene.accuracy = reader.positive("accuracy", scene.accuracy);
  scene.step_accuracy = reader.notNegative("step_accuracy", scene.step_accuracy);
  scene.impacts = readWord(reader, "impacts", scene.impacts, {"simultaneous", "sequential"}, {});
  const double stops = reader.notNegative("impact_stops", scene.impact_stops);
  if (stops != std::floor(stops) || stops > kMostStops)
    reader.fail("impact_stops", fmt::format("impact_stops is {}", stops),
                fmt::format("Give a whole number from 0 to {}: impacts that a step stops for.", kMostStops));
  scene.impact_stops = static_cast<int>(stops);
  choose(options, scene);
  if (options.stepper && scene.stepper != "event") scene.step_accuracy = 0.0;  // that of the file's own stepper
  if (const std::optional<StepperMisfit> misfit = findMisfit(scene))
    reader.fail(misfit->key, misfit->problem, misfit->remedy);
  try {
    checkSolves(scene.solver, findLaw(scene.law));
  } catch (const Error& error) {
    reader.fail("solver", error.problem(), error.remedy());
  }
  if (reader.has("gravity")) draft.builder.setGravity(reader.vector("gravity", Eigen::Vector3d::Zero()));
  for (const char* key : {"start", "stepper", "integrator", "law", "solver"})
    if (reader.has(key)) draft.simulation_places[key] = reader.place(key);
  reader.finish();
}

/// A scene knows no lines; of what does not go together in [simulation] the file does.
void checkWithLines(const LoadOptions& options, const std::map<std::string, Place>& places, Scene& scene) {
  try {
    checkStart(options, scene);
  } catch (const Error& error) {
    const auto known = places.find(error.where().element);
    if (error.where().line > 0 || known == places.end()) throw;
    throw Error(known->second, fmt::format("{}: {}", known->first, error.problem()), error.remedy());
  }
}

Scene readScene(const std::string& file, const LoadOptions& options, bool limp) {
  const TomlValue tree = parseToml(readFile(file, kTextLimit), file);
  TableReader top(tree, file, "");
  Scene scene;
  scene.name = fileStem(file);
  scene.file = file;
  SceneDraft draft(scene.name);
  choose(options, scene);
  if (auto table = top.table("simulation")) readSimulation(*table, options, draft, scene);
  if (options.lenient) draft.builder.repairInertias();
  if (!options.self_collision) draft.builder.excludeSelfCollision();
  std::vector<TableReader> robots = top.tables("robot"), bodies = top.tables("body"), joints = top.tables("joint");
  addRobots(robots, options, draft);
  addBodies(bodies, joints, draft);
  addLoops(top.tables("loop"), draft);
  addMaterials(top.tables("material"), draft);
  if (auto table = top.table("ground")) addGround(*table, draft);
  addPlanes(top.tables("plane"), draft);
  if (auto table = top.table("collision")) addCollision(*table, draft);
  if (auto table = top.table("reset")) scene.reset = readReset(*table);
  std::vector<TableReader> controllers = top.tables("controller"), wrenches = top.tables("wrench");
  std::vector<TableReader> springs = top.tables("spring");
  top.finish();
  if (draft.robots.empty() && draft.bodies.empty())
    throw Error({file, 0, ""}, "there is neither a [[robot]] nor a [[body]]", "A scene needs something that moves.");

  scene.model = buildModel(draft, file);
  scene.motions = std::move(draft.motions);
  readStarts(robots, bodies, joints, draft, scene);
  takeStances(draft, scene);
  for (const SceneRobot& robot : draft.robots) {
    if (robot.feet.empty()) continue;
    scene.feet.emplace_back();
    for (const std::string& foot : robot.feet) scene.feet.back().push_back(scene.model.findBody(robot.prefix + foot));
  }
  addSprings(std::move(springs), draft, scene);
  addControllers(std::move(controllers), draft, scene);
  addWrenches(std::move(wrenches), scene);
  if (limp) scene.releaseJoints();
  makeRobotsRedundant(robots, draft, scene);
  checkWithLines(options, draft.simulation_places, scene);
  return scene;
}

/// The scene around a bare model file.
Scene loadModelScene(const std::string& file, const LoadOptions& options, const ModelSceneOptions& choice) {
  const UrdfRobot robot = loadUrdf(file, options);
  ModelBuilder builder(robot.name);
  addRobot(robot, options, {}, builder);
  Scene scene = makeModelScene(std::move(builder), choice);
  scene.name = fileStem(file);
  scene.file = file;
  choose(options, scene);
  checkStart(options, scene);
  return scene;
}

}  // namespace

Model buildModel(const SceneDraft& draft, const std::string& file) {
  try {
    return draft.builder.build();
  } catch (const Error& error) {
    if (!error.where().file.empty()) throw;
    throw Error({file, 0, error.where().element}, error.problem(), error.remedy());
  }
}

Scene loadScene(const std::string& file, const LoadOptions& options, bool limp) {
  checkPackagePath(options);
  if (!endsWith(file, ".toml")) return loadModelScene(file, options, {limp});
  return readScene(file, options, limp);
}

}  // namespace rigor
