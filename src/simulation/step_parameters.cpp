// Numbers of a scene that steps are differentiated by, by their names.
#include <algorithm>
#include <array>
#include <string_view>

#include "model/parameters.h"
#include "rigor/step_derivatives.h"

namespace rigor {
namespace {

using Kind = StepParameter::Kind;

struct ParameterName {
  std::string_view name;
  Kind kind;
  int axis = 0;
};
constexpr std::array<ParameterName, 12> kNames{{{"friction", Kind::kFriction},
                                                {"restitution", Kind::kRestitution},
                                                {"mass", Kind::kMass},
                                                {"centre.x", Kind::kCentre, 0},
                                                {"centre.y", Kind::kCentre, 1},
                                                {"centre.z", Kind::kCentre, 2},
                                                {"inertia.xx", Kind::kInertia, 0},
                                                {"inertia.yy", Kind::kInertia, 1},
                                                {"inertia.zz", Kind::kInertia, 2},
                                                {"inertia.xy", Kind::kInertia, 3},
                                                {"inertia.xz", Kind::kInertia, 4},
                                                {"inertia.yz", Kind::kInertia, 5}}};

[[noreturn]] void refuse(const std::string& name, const std::string& problem, const std::string& remedy) {
  throw Error(Place{"", 0, "parameter \"" + printable(name) + "\""}, problem, remedy);
}

int findBody(const Model& model, const std::string& name, const std::string& body, bool world_too) {
  if (body == "world" && world_too) return kWorld;
  const int found = model.findBody(body);
  if (found >= 0) return found;
  std::vector<std::string> known;
  for (int i = 0; i < model.bodyCount(); ++i) known.push_back(model.body(i).name);
  if (world_too) known.emplace_back("world");
  refuse(name, "there is no body \"" + printable(body) + "\"", suggestKnown(body, known));
}

}  // namespace

StepParameter findStepParameter(const Model& model, const std::string& name) {
  const std::size_t colon = name.find(':');
  const std::string key = name.substr(0, colon);
  const auto* known =
      std::find_if(kNames.begin(), kNames.end(), [&](const ParameterName& one) { return one.name == key; });
  if (known == kNames.end()) {
    std::vector<std::string> names;
    for (const ParameterName& one : kNames) names.emplace_back(one.name);
    refuse(name, "no step can be differentiated by this", suggestKnown(key, names));
  }
  StepParameter parameter;
  parameter.kind = known->kind;
  parameter.axis = known->axis;
  parameter.name = name;
  const bool of_surfaces = known->kind <= Kind::kRestitution;
  if (colon == std::string::npos) {
    if (!of_surfaces) refuse(name, "it is a number of a body, and none is named", "Write " + key + ":BODY.");
    return parameter;
  }
  const std::string bodies = name.substr(colon + 1);
  const std::size_t comma = of_surfaces ? bodies.find(',') : std::string::npos;
  parameter.body = findBody(model, name, bodies.substr(0, comma), of_surfaces);
  if (comma != std::string::npos) parameter.other_body = findBody(model, name, bodies.substr(comma + 1), true);
  if (!of_surfaces && model.placements()[parameter.body].link < 0)
    refuse(name, "the body is fixed to the world, so that its mass plays no part",
           "Name a body that a joint lets move.");
  return parameter;
}

}  // namespace rigor
