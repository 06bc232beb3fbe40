// rigor info: what is in a model file, as rigor understands it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
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

std::string numberText(double number) { return number == 0.0 ? "" : fmt::format("{:g}", number); }

// q of one joint as a polynomial in q of another: "follower = 0.5 - 2 leader + 0.1 leader^2".
std::string couplingText(const LoopSpec& loop) {
  std::string text;
  for (std::size_t power = 0; power < loop.coefficients.size(); ++power) {
    const double c = loop.coefficients[power];
    if (c == 0.0) continue;
    const std::string sign = text.empty() ? (c < 0.0 ? "-" : "") : (c < 0.0 ? " - " : " + ");
    const bool plain_one = power > 0 && std::fabs(c) == 1.0;
    text += sign + (plain_one ? "" : fmt::format("{:g}{}", std::fabs(c), power > 0 ? " " : ""));
    if (power > 0) text += loop.joint_2 + (power > 1 ? fmt::format("^{}", power) : "");
  }
  return loop.joint_1 + " = " + (text.empty() ? "0" : text);
}

std::string endsText(const Model& model, int body_1, int body_2) {
  const auto body = [&](int index) { return index == kWorld ? std::string("world") : model.body(index).name; };
  return body(body_1) + ", " + body(body_2);
}

std::string motorText(const LoopMotor& motor) {
  if (!motor.acts()) return "-";
  std::string text = motor.torque != 0.0 ? fmt::format("torque {:g}", motor.torque) : "";
  if (motor.kp > 0.0 || motor.kd > 0.0)
    text += fmt::format("{}kp {:g}, kd {:g} to {:g}", text.empty() ? "" : ", ", motor.kp, motor.kd, motor.target);
  return std::isfinite(motor.effort) ? text + fmt::format(", at most {:g}", motor.effort) : text;
}

// What holds besides the joints of the trees; "" if nothing does.
std::string describeLoops(const Model& model) {
  if (model.loops().empty()) return "";
  std::vector<std::vector<std::string>> rows{{"loop", "kind", "what it ties"}};
  const bool sprung = std::any_of(model.loops().begin(), model.loops().end(),
                                  [](const LoopSpec& loop) { return loop.stiffness > 0.0 || loop.damping > 0.0; });
  if (sprung) rows[0].insert(rows[0].end(), {"stiffness", "damping"});
  const bool acted = std::any_of(model.loops().begin(), model.loops().end(), [](const LoopSpec& loop) {
    return loop.range || loop.dry_friction > 0.0 || loop.motor.acts();
  });
  if (acted) rows[0].insert(rows[0].end(), {"range", "dry friction", "motor"});
  for (const LoopSpec& loop : model.loops()) {
    rows.push_back({loop.name, loopName(loop),
                    loop.kind == LoopKind::kJoint ? couplingText(loop) : endsText(model, loop.body_1, loop.body_2)});
    if (sprung) rows.back().insert(rows.back().end(), {numberText(loop.stiffness), numberText(loop.damping)});
    if (acted)
      rows.back().insert(rows.back().end(),
                         {loop.range ? fmt::format("{:g} … {:g}", loop.range->lower, loop.range->upper) : "-",
                          numberText(loop.dry_friction), motorText(loop.motor)});
  }
  return "\n" + formatTable(rows);
}

// Springs between points; "" if there are none.
std::string describeSprings(const Model& model) {
  if (model.springs().empty()) return "";
  std::vector<std::vector<std::string>> rows{
      {"spring", "what it pulls at", "stiffness [N/m]", "length [m]", "damping [N s/m]"}};
  for (const SpringSpec& spring : model.springs())
    rows.push_back({spring.name, endsText(model, spring.body_1, spring.body_2), numberText(spring.stiffness),
                    fmt::format("{:.6g}", spring.length), numberText(spring.damping)});
  return "\n" + formatTable(rows);
}

// Hulls and what they were made from; "" if there are none.
std::string describeHulls(const Model& model) {
  std::vector<std::vector<std::string>> rows{{"hull", "vertices", "faces", "of vertices", "triangles", "in"}};
  for (const ModelShape& shape : model.shapes()) {
    if (shape.shape.kind != ShapeKind::kHull) continue;
    const HullCounts counts = countHull(shape.shape);
    const Mesh& mesh = *shape.shape.mesh;
    rows.push_back({shape.name, std::to_string(counts.vertices), std::to_string(counts.faces),
                    std::to_string(mesh.vertices.size()), std::to_string(mesh.triangles.size()),
                    std::filesystem::path(mesh.source).filename().string()});
  }
  return rows.size() == 1 ? "" : "\n" + formatTable(rows);
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
                                 model.shapes().size(), formatTable(rows)) +
                     describeLoops(model) + describeSprings(model) + describeHulls(model);
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
