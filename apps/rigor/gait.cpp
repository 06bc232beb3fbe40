// rigor gait: a walking motion by foot placement.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "argument_check.h"
#include "commands.h"
#include "json.h"
#include "output.h"
#include "rigor/scene.h"
#include "rigor/walk.h"
#include "warnings.h"

namespace rigor::app {
namespace {

/// Those that were named, else those of the scene, else what the robot stands on.
std::vector<int> chooseFeet(const GaitArguments& arguments, const Scene& scene) {
  std::vector<int> feet;
  if (arguments.feet.empty()) {
    if (scene.feet.size() > 1)
      throw Error({arguments.robot, 0, "feet"}, "several robots have feet", "Name those of one robot: --feet A,B,…");
    return scene.feet.empty() ? findWalkingFeet(scene.model, scene.q) : scene.feet[0];
  }
  std::vector<std::string> known;
  for (int body = 0; body < scene.model.bodyCount(); ++body) known.push_back(scene.model.body(body).name);
  for (const std::string& name : arguments.feet) {
    const int body = scene.model.findBody(name);
    if (body < 0)
      throw Error({arguments.robot, 0, "--feet"}, fmt::format("there is no link \"{}\"", name),
                  suggestKnown(name, known));
    if (std::find(feet.begin(), feet.end(), body) != feet.end())
      throw Error({arguments.robot, 0, "--feet"}, fmt::format("link \"{}\" is named twice", name),
                  "Name each foot once.");
    feet.push_back(body);
  }
  return feet;
}

/// Height of the highest level plane of the world; 0 if there is none.
double findGround(const Model& model) {
  double ground = -INFINITY;
  for (const ModelShape& shape : model.shapes())
    if (shape.body == kWorld && shape.shape.kind == ShapeKind::kPlane &&
        (shape.X_BS.rotation * Eigen::Vector3d::UnitZ()).z() > 1.0 - 1e-12)
      ground = std::max(ground, shape.X_BS.position.z());
  return std::isfinite(ground) ? ground : 0.0;
}

void checkOut(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (!hasEnding(file, ".npz") && !hasEnding(file, ".html"))
      throw Error({file, 0, ""}, "the ending says which format to write, and this one is not known",
                  "Use .npz for the motion, .html for a page that plays it.");
    if (std::count(files.begin(), files.end(), file) > 1)
      throw Error({file, 0, ""}, "would be written twice", "Give every file its own name.");
    checkWritable(file);
  }
}

std::string describe(const Model& model, const WalkSpec& spec, const Walk& walk) {
  std::string feet;
  for (const int foot : spec.feet) feet += (feet.empty() ? "" : ", ") + printable(model.body(foot).name);
  std::vector<std::vector<std::string>> rows{
      {"feet", feet},
      {"speed", fmt::format("{:g} m/s", spec.speed)},
      {"period", fmt::format("{:g} s, a foot stands for {:.3g} of it", walk.period, walk.duty)},
      {"stride", fmt::format("{:.4g} m, feet lifted {:.3g} m", walk.stride, walk.step_height)},
      {"base", fmt::format("{:.4g} m above the ground", walk.height)},
      {"rows", fmt::format("{}, one every {:g} s", walk.motion.time.size(), spec.dt)},
      {"slip", fmt::format("{:.2g} m", walk.slip)},
      {"off the ground", fmt::format("{:.2g} m", walk.depth)}};
  if (walk.joint_speed > 0.0)
    rows.push_back(
        {"fastest joint", fmt::format("\"{}\" at {:.3g} of its speed", printable(walk.fastest), walk.joint_speed)});
  return formatTable(rows);
}

}  // namespace

int execute(const GaitArguments& arguments) {
  for (const auto& [option, value] :
       {std::pair("--step-height", arguments.step_height), std::pair("--period", arguments.period),
        std::pair("--duty", arguments.duty), std::pair("--dt", arguments.dt), std::pair("--time", arguments.time)})
    checkPositive(option, value);
  checkOut(arguments.out);
  Scene scene = loadScene(arguments.robot, arguments.load);
  tellWarnings(scene.warnings);
  WalkSpec spec;
  spec.feet = chooseFeet(arguments, scene);
  spec.speed = arguments.speed;
  spec.ground = findGround(scene.model);
  spec.step_height = arguments.step_height.value_or(spec.step_height);
  spec.period = arguments.period.value_or(spec.period);
  spec.duty = arguments.duty.value_or(spec.duty);
  spec.dt = arguments.dt.value_or(spec.dt);
  spec.time = arguments.time.value_or(spec.time);
  const Walk walk = planWalk(scene.model, scene.q, spec);
  if (walk.joint_speed > 1.0)
    tell(fmt::format("joint \"{}\" turns at {:.3g} times the speed that its file states", printable(walk.fastest),
                     walk.joint_speed));
  scene.dt = spec.dt;
  for (const std::string& file : arguments.out) {
    if (hasEnding(file, ".npz"))
      saveMotion(file, scene.model, walk.motion);
    else
      savePage(file, scene, walk.motion);
    tell(fmt::format("{} written: {}", hasEnding(file, ".npz") ? "Motion" : "Page", file));
  }
  writeResult(arguments.json ? gaitJson(scene.model, spec, walk) : describe(scene.model, spec, walk));
  return kDone;
}

}  // namespace rigor::app
