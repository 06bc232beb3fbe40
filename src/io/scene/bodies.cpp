// [[body]]: free, fixed, kinematic, or hung on another by a [[joint]].
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "io/scene/assemble.h"
#include "io/scene/body_tree.h"
#include "io/urdf/urdf.h"

namespace rigor {
namespace {

/// How a [[body]] is held.
enum class Hold { kFree, kFixed, kKinematic };

Hold readHold(TableReader& reader) {
  const bool fixed = reader.flag("fixed", false);
  const bool kinematic = reader.flag("kinematic", false) || reader.has("motion");
  if (fixed && kinematic)
    reader.fail(reader.has("motion") ? "motion" : "kinematic", "a fixed body does not move",
                "Leave fixed out: a kinematic body follows its motion whatever pushes it.");
  if (reader.has("kinematic") && !reader.flag("kinematic", false) && reader.has("motion"))
    reader.fail("kinematic", "a body with a motion is kinematic", "Leave kinematic out, or the motion.");
  return fixed ? Hold::kFixed : kinematic ? Hold::kKinematic : Hold::kFree;
}

MassProperties chooseMass(TableReader& reader, const std::vector<SceneShape>& shapes, Hold hold) {
  const std::optional<MassProperties> mass = readBodyMass(reader, shapes);
  if (mass) return *mass;
  if (hold == Hold::kFree)
    reader.fail("mass", "has neither mass nor density", "Write mass = … in kg or density = … in kg/m³.");
  MassProperties any;  // nothing pushes it; algorithms on the bare model still divide by it
  if (hold == Hold::kKinematic) any = {1.0, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()};
  return any;
}

BodySpec readBody(TableReader& reader, const std::string& name, Hold hold) {
  BodySpec body;
  body.name = name;
  body.where = reader.place();
  ShapeSpec otherwise{body.name, {}, {}, reader.text("material", "default")};
  readMasks(reader, otherwise);
  const std::vector<SceneShape> shapes = readShapes(reader, otherwise);
  if (shapes.empty() && !reader.has("inertia"))
    reader.fail("shape", "needs one shape at least, or mass and inertia",
                "Write for example shape = {sphere = 0.1} or shape = {box = [0.5, 0.5, 0.5]}.");
  for (const SceneShape& shape : shapes) body.shapes.push_back(shape.spec);
  body.mass = chooseMass(reader, shapes, hold);
  body.kinematic = hold == Hold::kKinematic;
  return body;
}

/// Bodies without a name of their own get one; messages use it.
void nameBodies(std::vector<TableReader>& tables, std::vector<std::string>& names) {
  std::set<std::string> used;
  for (TableReader& reader : tables) {
    names.push_back(chooseName(reader.text("name", ""), "body", used));
    claimName(names.back(), reader, used);
    reader.rename(fmt::format("body \"{}\"", names.back()));
  }
}

}  // namespace

std::string chooseName(const std::string& given, const std::string& kind, std::set<std::string>& used) {
  std::string name = given.empty() ? kind : given;
  for (int number = 2; given.empty() && used.count(name); ++number) name = fmt::format("{}_{}", kind, number);
  return name;
}

void claimName(const std::string& name, const TableReader& reader, std::set<std::string>& used) {
  if (!used.insert(name).second)
    reader.fail("name", fmt::format("the name \"{}\" is taken", name), "Give every robot and every body its own name.");
}

void addBodies(std::vector<TableReader>& tables, std::vector<TableReader>& joints, SceneDraft& draft) {
  std::vector<std::string> names;
  nameBodies(tables, names);
  std::vector<Pose> poses;
  for (TableReader& reader : tables) poses.push_back(reader.pose());
  const std::vector<BodyTie> ties = readTies(joints, names);
  draft.bodies.assign(tables.size(), kWorld);
  for (const int i : orderBodies(ties, joints, names)) {
    TableReader& reader = tables[i];
    const Hold hold = readHold(reader);
    BodySpec body = readBody(reader, names[i], hold);
    const BodyTie& tie = ties[i];
    if (tie.joint >= 0) {
      if (hold != Hold::kFree)
        reader.fail(reader.has("fixed")    ? "fixed"
                    : reader.has("motion") ? "motion"
                                           : "kinematic",
                    fmt::format("hangs on \"{}\" by a [[joint]] and is fixed or kinematic besides", tie.parent_name),
                    "Keep one of the two; loops are closed by [[loop]].");
      const Pose X_WP = tie.parent < 0 ? Pose{} : poses[tie.parent];
      placeJoint(joints[tie.joint], X_WP, poses[i], body);
      if (tie.parent >= 0) body.parent = draft.bodies[tie.parent];
    } else {
      body.joint.type = hold == Hold::kFixed ? kFixed : kFree;
      body.joint.name = body.name + "_joint";
      if (hold == Hold::kFixed) body.joint.X_PJ = poses[i];
    }
    const bool free = body.joint.type == kFree;
    draft.bodies[i] = draft.builder.addBody(std::move(body));
    if (free) draft.builder.setReference(draft.bodies[i], freeCoordinates(poses[i]));
    if (hold == Hold::kKinematic) draft.motions.push_back(readMotion(reader, draft.bodies[i], poses[i]));
  }
  if (joints.empty()) return;
  const int first = *std::min_element(draft.bodies.begin(), draft.bodies.end());
  draft.loose = SceneRobot{
      .name = "joints", .prefix = "", .first_body = first, .body_count = static_cast<int>(tables.size()), .feet = {}};
}

}  // namespace rigor
