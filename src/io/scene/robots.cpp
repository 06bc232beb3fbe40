// [[robot]]: URDF files placed in the scene.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "io/file.h"
#include "io/scene/assemble.h"
#include "io/urdf/urdf.h"
#include "rigor/redundant.h"
#include "text/nearest.h"

namespace rigor {
namespace {

/// material = "…" for all shapes, materials = {link or shape = "…", …} for some.
void nameMaterials(TableReader& reader, UrdfRobot& urdf) {
  std::vector<std::string> known;
  const bool for_all = reader.has("material");
  const std::string all = reader.text("material", "default");
  for (UrdfLink& link : urdf.links) {
    known.push_back(link.name);
    for (ShapeSpec& shape : link.shapes) {
      known.push_back(shape.name);
      if (for_all) shape.material = all;
    }
  }
  std::optional<TableReader> some = reader.table("materials");
  if (!some) return;
  for (const auto& [name, value] : some->entries()) {
    const std::string material = some->requiredText(name);
    if (std::find(known.begin(), known.end(), name) == known.end())
      some->fail(name, fmt::format("there is no link or collision shape \"{}\"", name), suggestName(name, known));
    for (UrdfLink& link : urdf.links)
      for (ShapeSpec& shape : link.shapes)
        if (link.name == name || shape.name == name) shape.material = material;
  }
}

std::vector<std::string> readFeet(TableReader& reader, const UrdfRobot& urdf) {
  if (!reader.has("feet")) return {};
  std::vector<std::string> known;
  for (const UrdfLink& link : urdf.links) known.push_back(link.name);
  std::vector<std::string> feet;
  for (const std::string& name : reader.texts("feet")) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      reader.fail("feet", fmt::format("there is no link \"{}\"", name), suggestName(name, known));
    if (std::find(feet.begin(), feet.end(), name) != feet.end())
      reader.fail("feet", fmt::format("link \"{}\" is named twice", name), "Name each foot once.");
    feet.push_back(name);
  }
  return feet;
}

BaseKind readBase(TableReader& reader, BaseKind otherwise) {
  const std::string base = reader.text("base", "");
  if (base.empty()) return otherwise;
  if (base == "free") return BaseKind::kFree;
  if (base == "fixed") return BaseKind::kFixed;
  reader.fail("base", fmt::format("base is \"{}\"", base), "Write \"free\" or \"fixed\".");
}

bool readRedundant(TableReader& reader) {
  const std::string coordinates = reader.text("coordinates", "minimal");
  if (coordinates != "minimal" && coordinates != "redundant")
    reader.fail("coordinates", fmt::format("coordinates \"{}\" are unknown", coordinates),
                "Write \"minimal\" (joints) or \"redundant\" (every link a free body, every joint a loop).");
  return coordinates == "redundant";
}

void addOneRobot(TableReader& reader, const LoadOptions& options, bool alone, SceneDraft& draft) {
  const std::string path = reader.requiredFile("model");
  if (reader.mentions("pose"))
    reader.fail("pose", "named poses are not supported yet", "Write the joint values: q = {joint = value, …}.");
  UrdfRobot urdf;
  try {
    urdf = loadUrdf(path, options);
  } catch (const Error& error) {
    if (error.where().line > 0) throw;
    throw Error(reader.place("model"), fmt::format("model \"{}\": {}", path, error.problem()), error.remedy());
  }
  nameMaterials(reader, urdf);
  LoadOptions chosen = options;
  chosen.base = readBase(reader, options.base);
  SceneRobot robot;
  robot.name = reader.text("name", urdf.name);
  robot.prefix = alone ? "" : robot.name + "/";
  const UrdfPlacement placement{reader.pose(), robot.prefix};
  if (!options.srdf.empty() && !alone)
    reader.fail("model", "--srdf is given and the scene has several robots",
                "Write srdf = \"file\" into the [[robot]] that it belongs to.");
  if (reader.has("srdf")) chosen.srdf = reader.requiredFile("srdf");
  robot.first_body = addRobot(urdf, chosen, placement, draft.builder);
  robot.body_count = static_cast<int>(urdf.links.size());
  robot.feet = readFeet(reader, urdf);
  draft.robots.push_back(robot);
}

}  // namespace

void addRobots(std::vector<TableReader>& tables, const LoadOptions& options, SceneDraft& draft) {
  std::set<std::string> names;
  for (TableReader& reader : tables) {
    const bool alone = tables.size() == 1;
    if (reader.has("dh"))
      draft.robots.push_back(addDhRobot(reader, alone, draft));
    else
      addOneRobot(reader, options, alone, draft);
    draft.robots.back().redundant = readRedundant(reader);
    claimName(draft.robots.back().name, reader, names);
  }
}

void makeRobotsRedundant(const std::vector<TableReader>& tables, const SceneDraft& draft, Scene& scene) {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const SceneRobot& robot = draft.robots[i];
    if (!robot.redundant) continue;
    std::vector<bool> bodies(scene.model.bodyCount(), false);
    std::fill_n(bodies.begin() + robot.first_body, robot.body_count, true);
    try {
      scene = makeRedundant(scene, bodies);
    } catch (const Error& error) {
      if (!error.where().file.empty()) throw;
      throw Error(tables[i].place("coordinates"), error.problem(), error.remedy());
    }
  }
}

}  // namespace rigor
