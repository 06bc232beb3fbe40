// rigor info: what is in a model file, as rigor understands it.
#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "argument_check.h"
#include "commands.h"
#include "json.h"
#include "output.h"
#include "rigor/io.h"
#include "warnings.h"

namespace rigor::app {
namespace {

// Of a file that was loaded, so it is one of the three.
std::string formatOf(const std::string& file) {
  if (hasEnding(file, ".toml")) return "toml";
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);)
    if (line.find("<mujoco") != std::string::npos) return "mjcf";
  return "urdf";
}

std::string rangeText(const JointSpec& joint) {
  return joint.range ? fmt::format("{:.4g} … {:.4g}", joint.range->lower, joint.range->upper) : "";
}

std::string limitText(double limit) { return std::isfinite(limit) ? fmt::format("{:g}", limit) : ""; }

std::string describe(const std::string& file, const Model& model, const std::vector<Warning>& warnings) {
  std::vector<int> shapes(static_cast<std::size_t>(model.bodyCount()), 0);
  for (const ModelShape& shape : model.shapes())
    if (shape.body != kWorld) ++shapes[static_cast<std::size_t>(shape.body)];

  std::vector<std::vector<std::string>> rows{
      {"body", "parent", "mass [kg]", "shapes", "joint", "type", "q", "v", "range", "effort"}};
  for (int body = 0; body < model.bodyCount(); ++body) {
    const BodySpec& spec = model.body(body);
    const bool moves = spec.joint.type != kFixed;
    rows.push_back({spec.name, spec.parent == kWorld ? "world" : model.body(spec.parent).name,
                    fmt::format("{:.6g}", spec.mass.mass), std::to_string(shapes[static_cast<std::size_t>(body)]),
                    spec.joint.name, jointTypeName(spec.joint.type), moves ? std::to_string(model.qIndex(body)) : "",
                    moves ? std::to_string(model.vIndex(body)) : "", rangeText(spec.joint),
                    moves ? limitText(spec.joint.effort) : ""});
    for (const ModelJoint& joint : model.joints())
      if (joint.body == body && joint.v_index != model.vIndex(body))
        rows.push_back({"", "", "", "", joint.spec.name, jointTypeName(joint.spec.type), std::to_string(joint.q_index),
                        std::to_string(joint.v_index), rangeText(joint.spec), limitText(joint.spec.effort)});
  }
  std::string text = fmt::format("{}: {}, {} bodies, {:.6g} kg, nq {}, nv {}, {} shapes\n\n{}", printable(model.name()),
                                 formatOf(file), model.bodyCount(), model.mass(), model.nq(), model.nv(),
                                 model.shapes().size(), formatTable(rows));
  if (!warnings.empty()) text += "\nWarnings:\n";
  for (const std::string& line : groupWarnings(warnings)) text += "  " + line + "\n";
  return text;
}

}  // namespace

int execute(const InfoArguments& arguments) {
  Scene scene;
  if (hasEnding(arguments.model, ".toml"))
    scene = loadScene(arguments.model, arguments.load);
  else
    scene.model = loadModel(arguments.model, arguments.load);
  std::vector<Warning> warnings = scene.warnings;
  warnings.insert(warnings.end(), scene.model.warnings().begin(), scene.model.warnings().end());
  writeResult(arguments.json ? infoJson(arguments.model, formatOf(arguments.model), scene.model, warnings)
                             : describe(arguments.model, scene.model, warnings));
  return kDone;
}

}  // namespace rigor::app
