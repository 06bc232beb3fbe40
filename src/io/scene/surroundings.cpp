// Ground, planes, materials, collision filter: what bodies meet.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "io/scene/assemble.h"

namespace rigor {
namespace {

/// {direction = [x, y, z], ratio = r}
void readAnisotropy(TableReader reader, Anisotropy& anisotropy) {
  if (!reader.has("ratio"))
    reader.fail("ratio", "the anisotropy has no ratio",
                "Write ratio = friction across the direction divided by friction along it, e.g. 0.3.");
  anisotropy.ratio = reader.positive("ratio", 1.0);
  anisotropy.direction = reader.vector("direction", anisotropy.direction);
  if (!(anisotropy.direction.cwiseAbs().maxCoeff() > 0.0))
    reader.fail("direction", "the direction has length zero", "Write a direction, e.g. [1, 0, 0].");
  reader.finish();
}

/// The keys that say how a surface behaves.
constexpr const char* kBehaviour[] = {"friction", "friction_static", "restitution",      "impact",    "torsion",
                                      "rolling",  "compliance",      "surface_velocity", "anisotropy"};

void readImpactLaw(TableReader& reader, MaterialPair& pair) {
  if (!reader.has("impact")) return;
  try {
    pair.impact = findImpactLaw(reader.text("impact", ""));
  } catch (const Error& error) {
    reader.fail("impact", error.problem(), error.remedy());
  }
}

void readBehaviour(TableReader& reader, MaterialPair& pair) {
  pair.friction = reader.notNegative("friction", pair.friction);
  if (reader.has("friction_static")) pair.friction_static = reader.notNegative("friction_static", 0.0);
  pair.restitution = reader.notNegative("restitution", pair.restitution);
  if (pair.restitution > 1.0)
    reader.fail("restitution", fmt::format("restitution is {}", pair.restitution),
                "Write a number from 0 to 1; above 1 a bounce would make energy.");
  readImpactLaw(reader, pair);
  if (pair.friction_static >= 0.0 && pair.friction_static < pair.friction)
    reader.fail("friction_static",
                fmt::format("friction_static {} is below friction {}", pair.friction_static, pair.friction),
                "Friction at rest is never the smaller one; swap the values.");
  pair.torsion = reader.notNegative("torsion", 0.0);
  pair.rolling = reader.notNegative("rolling", 0.0);
  pair.compliance = reader.notNegative("compliance", 0.0);
  if (pair.compliance > 0.0 && pair.restitution > 0.0)
    reader.fail("compliance", "a compliance and a restitution are both given",
                "Keep one of them: a soft contact is no impact, its own spring gives back what the step resolves.");
  pair.surface_velocity = reader.vector("surface_velocity", Eigen::Vector3d::Zero());
  if (auto anisotropy = reader.table("anisotropy")) readAnisotropy(std::move(*anisotropy), pair.anisotropy);
  const bool of_one = reader.has("surface_velocity") || reader.has("anisotropy");
  if (of_one && pair.material_1 == pair.material_2)
    reader.fail(reader.has("anisotropy") ? "anisotropy" : "surface_velocity",
                "belongs to one of two materials, and both are the same",
                fmt::format("Write it into a [[material]] with name = \"{}\".", pair.material_1));
}

// Turns z to `normal` by the shortest way. Quaterniond::FromTwoVectors is the same, but for a normal that points straight
// down it decomposes a matrix, and that takes 7 s to compile.
Eigen::Quaterniond tiltTo(const Eigen::Vector3d& normal) {
  const Eigen::Vector3d up = Eigen::Vector3d::UnitZ(), to = normal.normalized();
  const double cosine = to.dot(up);
  if (cosine < -1.0 + 1e-12) return Eigen::Quaterniond(0.0, 1.0, 0.0, 0.0);  // half a turn about x
  const double s = std::sqrt((1.0 + cosine) * 2.0);
  const Eigen::Vector3d axis = up.cross(to) * (1.0 / s);
  return Eigen::Quaterniond(s * 0.5, axis.x(), axis.y(), axis.z());
}

/// Of a plane: `point` (or `height` of level ground) and `normal`.
Pose readTilt(TableReader& reader) {
  Pose pose;
  pose.position = reader.vector("point", {0.0, 0.0, reader.number("height").value_or(0.0)});
  const Eigen::Vector3d normal = reader.vector("normal", Eigen::Vector3d::UnitZ());
  const double size = normal.cwiseAbs().maxCoeff();  // squares of large components would be infinite
  if (size < 1e-9) reader.fail("normal", "the normal has length zero", "Write a direction, e.g. [0, 0, 1].");
  pose.rotation = tiltTo((size > 1e100 ? Eigen::Vector3d(normal / size) : normal).normalized());
  return pose;
}

/// [["a", "b"], …] of names of bodies or shapes.
template <class Use>
void readNamePairs(TableReader& reader, const std::string& key, const Use& use) {
  const TomlValue* pairs = reader.find(key);
  if (!pairs) return;
  const std::string remedy = fmt::format("Write {} = [[\"a\", \"b\"], …].", key);
  if (pairs->kind != TomlValue::Kind::kArray) reader.fail(key, key + " is not an array", remedy);
  for (const TomlValue& pair : pairs->items) {
    const bool right = pair.kind == TomlValue::Kind::kArray && pair.items.size() == 2 && !pair.items[0].text.empty() &&
                       !pair.items[1].text.empty();
    const Place where{reader.file(), pair.line, reader.place().element};
    if (!right) throw Error(where, key + " does not hold pairs of names", remedy);
    use(pair.items[0].text, pair.items[1].text, where);
  }
}

}  // namespace

void addGround(TableReader reader, SceneDraft& draft) {
  if (reader.has("height") && (reader.has("normal") || reader.has("point")))
    reader.fail("height", "height and normal or point are both given",
                "Keep height for level ground, the others for a slope.");
  ShapeSpec ground{"ground", makePlane(), readTilt(reader), "ground"};
  readMasks(reader, ground);
  draft.builder.addWorldShape(ground);

  MaterialPair pair{"ground", ""};
  readBehaviour(reader, pair);
  reader.finish();
  pair.fallback = true;
  draft.builder.addMaterialPair(pair);
}

void addPlanes(std::vector<TableReader> tables, SceneDraft& draft) {
  std::set<std::string> used;
  for (TableReader& reader : tables) {
    ShapeSpec plane;
    plane.name = chooseName(reader.text("name", ""), "plane", used);
    claimName(plane.name, reader, used);
    reader.rename(fmt::format("plane \"{}\"", plane.name));
    plane.shape = makePlane();
    plane.X_BS = readTilt(reader);
    readMasks(reader, plane);
    MaterialPair pair{plane.name, ""};
    readBehaviour(reader, pair);
    const bool behaves =
        std::any_of(std::begin(kBehaviour), std::end(kBehaviour), [&](const char* key) { return reader.has(key); });
    if (behaves && reader.has("material"))
      reader.fail("material", "a material and its behaviour are both given",
                  "Keep one of them; [[material]] says how a material behaves.");
    plane.material = behaves ? plane.name : reader.text("material", "default");
    reader.finish();
    draft.builder.addWorldShape(plane);
    pair.fallback = true;
    if (behaves) draft.builder.addMaterialPair(pair);
  }
}

void addMaterials(std::vector<TableReader> tables, SceneDraft& draft) {
  for (TableReader& reader : tables) {
    MaterialPair pair;
    if (reader.has("pair") == reader.has("name"))
      reader.fail("name", "needs either pair or name",
                  "Write pair = [\"a\", \"b\"], or name = \"a\" for a against everything.");
    if (reader.has("pair")) {
      const std::vector<std::string> names = reader.texts("pair");
      if (names.size() != 2 || names[0].empty() || names[1].empty())
        reader.fail("pair", "pair does not hold two names", "Write pair = [\"a\", \"b\"].");
      pair.material_1 = names[0], pair.material_2 = names[1];
    } else {
      pair.material_1 = reader.requiredText("name");
    }
    readBehaviour(reader, pair);
    pair.threshold = reader.notNegative("threshold", pair.threshold);
    reader.finish();
    draft.builder.addMaterialPair(pair);
  }
}

void addCollision(TableReader reader, SceneDraft& draft) {
  const std::vector<std::string> only = reader.texts("only");
  if (reader.has("only")) draft.builder.collideOnly(only, reader.place("only"));
  ModelBuilder& builder = draft.builder;
  readNamePairs(reader, "exclude",
                [&](const auto& a, const auto& b, const Place& where) { builder.excludePair(a, b, where); });
  readNamePairs(reader, "pairs",
                [&](const auto& a, const auto& b, const Place& where) { builder.collidePair(a, b, where); });
  reader.finish();
}

ResetSpec readReset(TableReader reader) {
  ResetSpec reset;
  if (reader.has("every") == reader.has("at_rest"))
    reader.fail("every", "needs either every or at_rest",
                "Write every = seconds, or at_rest = {energy = 1e-6, for = 0.2}.");
  if (reader.has("every")) {
    reset.every = reader.positive("every", 0.0);
  } else {
    TableReader rest = *reader.table("at_rest");
    reset.rest_energy = rest.positive("energy", 0.0);
    reset.rest_for = rest.positive("for", reset.rest_for);
    rest.finish();
  }
  reader.finish();
  return reset;
}

}  // namespace rigor
