#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "io/file.h"
#include "io/scene/assemble.h"
#include "io/urdf/urdf.h"

namespace rigor {
namespace {

Shape readSphere(TableReader& reader, const TomlValue& value) {
  if (value.kind == TomlValue::Kind::kNumber) return makeSphere(reader.positive("sphere", 0.0));
  TableReader sphere = *reader.table("sphere");
  const Shape shape = makeSphere(sphere.positive("radius", 0.0));
  sphere.finish();
  return shape;
}

/// {radius = …, length = …}, made into a shape of a radius and half a length.
Shape readRound(TableReader& reader, const char* kind, const char* length, Shape (*make)(double, double)) {
  std::optional<TableReader> round = reader.table(kind);
  if (!round)
    reader.fail(kind, fmt::format("{} is not a table", kind),
                fmt::format("Write {} = {{radius = …, {} = …}} in metres.", kind, length));
  const Shape shape = make(round->positive("radius", 0.0), 0.5 * round->positive(length, 0.0));
  round->finish();
  return shape;
}

Shape readBox(TableReader& reader) {
  const Eigen::Vector3d size = reader.vector("box", Eigen::Vector3d::Zero());
  if (!(size.minCoeff() > 0.0))
    reader.fail("box", "an edge of the box is not positive", "Write three positive lengths.");
  return makeBox(0.5 * size);
}

Shape readEllipsoid(TableReader& reader) {
  const Eigen::Vector3d size = reader.vector("ellipsoid", Eigen::Vector3d::Zero());
  if (!(size.minCoeff() > 0.0))
    reader.fail("ellipsoid", "a semi-axis of the ellipsoid is not positive", "Write three positive lengths.");
  return makeEllipsoid(size);
}

/// {mesh = "file", scale = s}: the hull of a file's vertices.
Shape readMesh(TableReader& reader) {
  const std::string file = (std::filesystem::path(fileFolder(reader.file())) / reader.requiredText("mesh")).string();
  const double scale = reader.positive("scale", 1.0);
  try {
    return loadHull(file, Eigen::Vector3d::Constant(scale));
  } catch (const Error& error) {
    if (error.where().line > 0) throw;
    throw Error(reader.place("mesh"), fmt::format("mesh \"{}\": {}", file, error.problem()), error.remedy());
  }
}

MassProperties readMass(TableReader& reader, const Shape& shape, bool fixed) {
  const bool has_mass = reader.has("mass"), has_density = reader.has("density");
  if (has_mass && has_density) reader.fail("density", "mass and density are both given", "Keep one of them.");
  if (has_mass) return computeMassProperties(shape, reader.positive("mass", 0.0) / computeVolume(shape));
  if (has_density) return computeMassProperties(shape, reader.positive("density", 0.0));
  if (!fixed) reader.fail("mass", "has neither mass nor density", "Write mass = … in kg or density = … in kg/m³.");
  return {};
}

std::string chooseName(const std::string& given, const std::string& kind, std::set<std::string>& used) {
  std::string name = given.empty() ? kind : given;
  for (int number = 2; given.empty() && used.count(name); ++number) name = fmt::format("{}_{}", kind, number);
  return name;
}

void claimName(const std::string& name, const TableReader& reader, std::set<std::string>& used) {
  if (!used.insert(name).second)
    reader.fail("name", fmt::format("the name \"{}\" is taken", name), "Give every robot and every body its own name.");
}

BaseKind readBase(TableReader& reader, BaseKind otherwise) {
  const std::string base = reader.text("base", "");
  if (base.empty()) return otherwise;
  if (base == "free") return BaseKind::kFree;
  if (base == "fixed") return BaseKind::kFixed;
  reader.fail("base", fmt::format("base is \"{}\"", base), "Write \"free\" or \"fixed\".");
}

void addOneRobot(TableReader& reader, const LoadOptions& options, bool alone, SceneDraft& draft) {
  const std::string path = (std::filesystem::path(fileFolder(reader.file())) / reader.requiredText("model")).string();
  if (reader.mentions("pose"))
    reader.fail("pose", "named poses are not supported yet", "Write the joint values: q = {joint = value, …}.");
  UrdfRobot urdf;
  try {
    urdf = loadUrdf(path, options);
  } catch (const Error& error) {
    if (error.where().line > 0) throw;
    std::error_code ignored;
    const bool missing = !std::filesystem::exists(std::filesystem::status(path, ignored));
    throw Error(reader.place("model"), fmt::format("model \"{}\": {}", path, error.problem()),
                missing ? "Paths are relative to the scene file." : error.remedy());
  }
  LoadOptions chosen = options;
  chosen.base = readBase(reader, options.base);
  SceneRobot robot;
  robot.name = reader.text("name", urdf.name);
  robot.prefix = alone ? "" : robot.name + "/";
  const UrdfPlacement placement{reader.pose(), robot.prefix, reader.text("material", "default")};
  robot.first_body = addRobot(urdf, chosen, placement, draft.builder);
  robot.body_count = static_cast<int>(urdf.links.size());
  draft.robots.push_back(robot);
}

}  // namespace

Shape readShape(TableReader& body) {
  std::optional<TableReader> reader = body.table("shape");
  const std::size_t keys = reader ? reader->entries().size() - reader->mentions("scale") : 0;
  if (keys != 1)
    body.fail("shape", "needs one shape",
              "Write for example shape = {sphere = 0.1} or shape = {box = [0.5, 0.5, 0.5]}.");
  for (const char* known :
       {"sphere", "capsule", "box", "cylinder", "cone", "ellipsoid", "mesh", "triangles", "heightfield"})
    reader->find(known);
  using Read = Shape (*)(TableReader&);
  for (const auto& [key, read] :
       {std::pair<const char*, Read>("mesh", readMesh), {"triangles", readTriangles}, {"heightfield", readHeightField}})
    if (reader->mentions(key)) {
      const Shape shape = read(*reader);
      reader->finish();
      return shape;
    }
  reader->finish();
  const auto& [kind, value] = reader->entries().front();
  if (kind == "sphere") return readSphere(*reader, value);
  if (kind == "capsule") return readRound(*reader, "capsule", "length", makeCapsule);
  if (kind == "cylinder") return readRound(*reader, "cylinder", "length", makeCylinder);
  if (kind == "cone") return readRound(*reader, "cone", "height", makeCone);
  return kind == "ellipsoid" ? readEllipsoid(*reader) : readBox(*reader);
}

void addRobots(std::vector<TableReader>& tables, const LoadOptions& options, SceneDraft& draft) {
  std::set<std::string> names;
  for (TableReader& reader : tables) {
    const bool alone = tables.size() == 1;
    if (reader.has("dh"))
      draft.robots.push_back(addDhRobot(reader, alone, draft));
    else
      addOneRobot(reader, options, alone, draft);
    claimName(draft.robots.back().name, reader, names);
  }
}

void addBodies(std::vector<TableReader>& tables, SceneDraft& draft) {
  std::set<std::string> names;
  for (TableReader& reader : tables) {
    BodySpec body;
    body.name = chooseName(reader.text("name", ""), "body", names);
    claimName(body.name, reader, names);
    reader.rename(fmt::format("body \"{}\"", body.name));
    body.where = reader.place();
    const bool fixed = reader.flag("fixed", false);
    const Shape shape = readShape(reader);
    body.mass = readMass(reader, shape, fixed);
    body.shapes = {{body.name, shape, {}, reader.text("material", "default")}};
    body.joint.name = body.name + "_joint";
    body.joint.type = fixed ? kFixed : kFree;
    const Pose X_WB = reader.pose();
    if (fixed) body.joint.X_PJ = X_WB;
    const int index = draft.builder.addBody(body);
    draft.bodies.push_back(index);
    if (!fixed) draft.builder.setReference(index, freeCoordinates(X_WB));
  }
}

}  // namespace rigor
