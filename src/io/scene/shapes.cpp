// Shapes of bodies: shape = {…}, or several of them as [[body.shape]].
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <utility>

#include "io/file.h"
#include "io/scene/assemble.h"

namespace rigor {
namespace {

Shape readSphere(TableReader& reader) {
  if (reader.find("sphere")->kind == TomlValue::Kind::kNumber) return makeSphere(reader.positive("sphere", 0.0));
  TableReader sphere = *reader.table("sphere");
  const Shape shape = makeSphere(sphere.positive("radius", 0.0));
  sphere.finish();
  return shape;
}

/// {radius = …, length = …}, made into a shape of a radius and half a length.
Shape readRound(TableReader& reader, const char* kind, const char* length, Shape (*make)(double, double)) {
  TableReader round = *reader.table(kind);
  const bool both = round.has("radius") && round.has(length);
  if (!both) round.finish();  // names a mistyped key
  const Shape shape = make(round.positive("radius", 0.0), 0.5 * round.positive(length, 0.0));
  round.finish();
  return shape;
}

Shape readCapsule(TableReader& reader) { return readRound(reader, "capsule", "length", makeCapsule); }
Shape readCylinder(TableReader& reader) { return readRound(reader, "cylinder", "length", makeCylinder); }
Shape readCone(TableReader& reader) { return readRound(reader, "cone", "height", makeCone); }

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

Shape readPlane(TableReader& reader) {
  reader.table("plane")->finish();
  return makePlane();
}

/// {mesh = "file", scale = s}: the hull of a file's vertices.
Shape readMesh(TableReader& reader) {
  const Eigen::Vector3d scale = readScale(reader);
  const std::string file = reader.requiredFile("mesh");
  try {
    return loadHull(file, scale);
  } catch (const Error& error) {
    if (error.where().line > 0) throw;
    throw Error(reader.place("mesh"), fmt::format("mesh \"{}\": {}", file, error.problem()), error.remedy());
  }
}

/// {hull = [[x, y, z], …]}: the hull of these points.
Shape readHull(TableReader& reader) {
  auto mesh = std::make_shared<Mesh>();
  const TomlValue& points = *reader.find("hull");
  for (const TomlValue& point : points.items) {
    const std::vector<double> xyz = reader.numbers(point, 3, "a point of the hull");
    mesh->vertices.emplace_back(xyz[0], xyz[1], xyz[2]);
  }
  try {
    return makeHull(std::move(mesh));
  } catch (const Error& error) {
    reader.fail("hull", "hull: " + error.problem(), error.remedy());
  }
}

struct ShapeKey {
  const char* key;
  Shape (*read)(TableReader&);
};
constexpr ShapeKey kShapeKeys[] = {{"sphere", readSphere},
                                   {"box", readBox},
                                   {"capsule", readCapsule},
                                   {"cylinder", readCylinder},
                                   {"cone", readCone},
                                   {"ellipsoid", readEllipsoid},
                                   {"mesh", readMesh},
                                   {"hull", readHull},
                                   {"plane", readPlane},
                                   {"triangles", readTriangles},
                                   {"heightfield", readHeightField}};

/// What other programs call them: no mistypings, so no nearest name would be right.
constexpr std::pair<const char*, const char*> kOtherWords[] = {
    {"ball", "sphere"},       {"cube", "box"},           {"cuboid", "box"},
    {"convex", "mesh"},       {"hfield", "heightfield"}, {"terrain", "heightfield"},
    {"trimesh", "triangles"}, {"halfspace", "plane"},    {"ground", "plane"}};

}  // namespace

Eigen::Vector3d readScale(TableReader& reader) {
  const TomlValue* value = reader.find("scale");
  if (!value || value->kind == TomlValue::Kind::kNumber)
    return Eigen::Vector3d::Constant(reader.positive("scale", 1.0));
  const Eigen::Vector3d scale = reader.vector("scale", Eigen::Vector3d::Ones());
  if (!(scale.minCoeff() > 0.0)) reader.fail("scale", "a scale is not positive", "Write positive numbers.");
  return scale;
}

Shape readShape(TableReader& reader) {
  const ShapeKey* chosen = nullptr;
  int count = 0;
  for (const ShapeKey& known : kShapeKeys)
    if (reader.has(known.key)) chosen = &known, ++count;
  if (count > 1)
    throw Error(reader.place(), "needs one shape, not several",
                "Write one [[body.shape]] for each, or shape = [{…}, {…}].");
  if (chosen) return chosen->read(reader);
  for (const auto& [other, ours] : kOtherWords)
    if (reader.has(other))
      reader.fail(other, fmt::format("unknown shape \"{}\"", other), fmt::format("Did you mean \"{}\"?", ours));
  reader.finish();  // names a mistyped key
  throw Error(reader.place(), "needs one shape",
              "Write for example shape = {sphere = 0.1} or shape = {box = [0.5, 0.5, 0.5]}.");
}

namespace {

SceneShape readSceneShape(TableReader& reader, const ShapeSpec& otherwise) {
  SceneShape shape;
  shape.spec = otherwise;
  shape.spec.X_BS = reader.pose();
  shape.spec.name = reader.text("name", otherwise.name);
  shape.spec.material = reader.text("material", otherwise.material);
  readMasks(reader, shape.spec);
  for (const char* key : {"mass", "density"})
    if (reader.has(key)) (key[0] == 'm' ? shape.mass : shape.density) = reader.positive(key, 0.0);
  if (shape.mass && shape.density) reader.fail("density", "mass and density are both given", "Keep one of them.");
  shape.where = reader.place();
  shape.spec.shape = readShape(reader);
  reader.finish();
  return shape;
}

std::uint32_t readBits(TableReader& reader, const char* key, std::uint32_t otherwise) {
  const double value = reader.number(key).value_or(otherwise);
  if (!(value >= 0.0 && value <= 4294967295.0) || value != std::floor(value))
    reader.fail(key, fmt::format("{} is {}, not 32 bits", key, value),
                "Write a whole number from 0 to 0xffffffff, e.g. 0b0101.");
  return static_cast<std::uint32_t>(value);
}

}  // namespace

void readMasks(TableReader& reader, ShapeSpec& shape) {
  shape.group = readBits(reader, "group", shape.group);
  shape.mask = readBits(reader, "mask", shape.mask);
}

std::vector<SceneShape> readShapes(TableReader& owner, const ShapeSpec& otherwise) {
  std::vector<SceneShape> shapes;
  const TomlValue* value = owner.find("shape");
  if (!value) return shapes;
  if (value->kind != TomlValue::Kind::kArray) {
    TableReader one = *owner.table("shape");
    one.rename(owner.place().element + " shape");
    return {readSceneShape(one, otherwise)};
  }
  for (TableReader& one : owner.tables("shape")) {
    ShapeSpec numbered = otherwise;
    numbered.name = fmt::format("{}/shape_{}", otherwise.name, shapes.size() + 1);
    one.rename(fmt::format("{} shape {}", owner.place().element, shapes.size() + 1));
    shapes.push_back(readSceneShape(one, numbered));
  }
  if (shapes.empty()) owner.fail("shape", "the list of shapes is empty", "Write one, or leave shape out.");
  return shapes;
}

}  // namespace rigor
