// Ground, materials, collision filter: what bodies meet.
#include <fmt/format.h>

#include <cmath>

#include "io/scene/assemble.h"

namespace rigor {
namespace {

void readBehaviour(TableReader& reader, MaterialPair& pair) {
  pair.friction = reader.notNegative("friction", pair.friction);
  if (reader.has("friction_static")) pair.friction_static = reader.notNegative("friction_static", 0.0);
  pair.restitution = reader.notNegative("restitution", pair.restitution);
  if (pair.restitution > 1.0)
    reader.fail("restitution", fmt::format("restitution is {}", pair.restitution),
                "Write a number from 0 to 1; above 1 a bounce would make energy.");
  if (pair.friction_static >= 0.0 && pair.friction_static < pair.friction)
    reader.fail("friction_static",
                fmt::format("friction_static {} is below friction {}", pair.friction_static, pair.friction),
                "Friction at rest is never the smaller one; swap the values.");
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

}  // namespace

void addGround(TableReader reader, SceneDraft& draft) {
  ShapeSpec ground{"ground", makePlane(), {}, "ground"};
  if (reader.has("height") && (reader.has("normal") || reader.has("point")))
    reader.fail("height", "height and normal or point are both given",
                "Keep height for level ground, the others for a slope.");
  ground.X_BS.position = reader.vector("point", {0.0, 0.0, reader.number("height").value_or(0.0)});
  const Eigen::Vector3d normal = reader.vector("normal", Eigen::Vector3d::UnitZ());
  if (normal.norm() < 1e-9) reader.fail("normal", "the normal has length zero", "Write a direction, e.g. [0, 0, 1].");
  ground.X_BS.rotation = tiltTo(normal.normalized());
  draft.builder.addWorldShape(ground);

  MaterialPair pair{"ground", ""};
  readBehaviour(reader, pair);
  reader.finish();
  draft.builder.addMaterialPair(pair);  // after all [[material]]: those come first where both apply
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
  if (reader.has("only") && only.empty())
    reader.fail("only", "the list is empty", "Name shapes or bodies, or leave only out so that all collide.");
  if (!only.empty()) draft.builder.collideOnly(only);
  if (const TomlValue* pairs = reader.find("exclude")) {
    for (const TomlValue& pair : pairs->items) {
      const bool right = pair.kind == TomlValue::Kind::kArray && pair.items.size() == 2 &&
                         !pair.items[0].text.empty() && !pair.items[1].text.empty();
      if (!right)
        reader.fail("exclude", "exclude does not hold pairs of names", "Write exclude = [[\"a\", \"b\"], …].");
      draft.builder.excludePair(pair.items[0].text, pair.items[1].text);
    }
    if (pairs->kind != TomlValue::Kind::kArray)
      reader.fail("exclude", "exclude is not an array", "Write exclude = [[\"a\", \"b\"], …].");
  }
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
