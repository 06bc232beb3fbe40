// A robot written as a Denavit–Hartenberg table: [[robot]] dh = "standard", then one [[robot.link]] per row.
#include <fmt/format.h>

#include "io/scene/assemble.h"
#include "rigor/dh.h"

namespace rigor {
namespace {

JointType readKind(TableReader& reader) {
  const std::string kind = reader.text("kind", "hinge");
  if (kind == "hinge") return kHinge;
  if (kind == "slide") return kSlide;
  reader.fail("kind", fmt::format("kind is \"{}\"", kind), "Write \"hinge\" or \"slide\".");
}

JointSpec readDhJoint(TableReader& reader) {
  JointSpec joint;
  joint.type = readKind(reader);
  readJointNumbers(reader, joint);
  return joint;
}

/// Mass, centre and inertia about the centre, in the axes of the row's frame.
MassProperties readDhMass(TableReader& reader) {
  MassProperties mass;
  mass.mass = reader.notNegative("mass", 0.0);
  mass.com = reader.vector("com", Eigen::Vector3d::Zero());
  if (const TomlValue* value = reader.find("inertia")) {
    const std::vector<double> I = reader.numbers(*value, 6, "inertia");
    mass.inertia << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
  }
  return mass;
}

DhLink readLink(TableReader& reader, int row, const std::string& prefix, const std::string& material) {
  DhLink link;
  const std::string name = reader.text("name", fmt::format("link_{}", row + 1));
  reader.rename(fmt::format("link \"{}\"", name));
  link.a = reader.number("a").value_or(0.0);
  link.alpha = reader.number("alpha").value_or(0.0);
  link.d = reader.number("d").value_or(0.0);
  link.theta = reader.number("theta").value_or(0.0);
  link.body.name = prefix + name;
  link.body.where = reader.place();
  link.body.joint = readDhJoint(reader);
  link.body.joint.name = prefix + reader.text("joint", fmt::format("joint_{}", row + 1));
  link.body.mass = readDhMass(reader);
  const Pose X_BS = reader.pose();
  for (const SceneShape& shape : readShapes(reader, {link.body.name, {}, {}, material})) {
    if (shape.mass || shape.density)
      throw Error(shape.where, "the shape has a mass of its own", "Links of a DH table have mass, com and inertia.");
    link.body.shapes.push_back(shape.spec);
    link.body.shapes.back().X_BS = X_BS * shape.spec.X_BS;
  }
  reader.finish();
  return link;
}

}  // namespace

void readJointNumbers(TableReader& reader, JointSpec& joint) {
  if (const TomlValue* value = reader.find("range")) {
    const std::vector<double> range = reader.numbers(*value, 2, "range");
    joint.range = Range{range[0], range[1]};
  }
  joint.effort = reader.notNegative("effort", joint.effort);
  joint.damping = reader.notNegative("damping", 0.0);
  joint.dry_friction = reader.notNegative("dry_friction", 0.0);
  joint.armature = reader.notNegative("armature", 0.0);
  joint.rotor_inertia = reader.notNegative("rotor_inertia", 0.0);
  joint.gear = reader.number("gear").value_or(1.0);
  joint.stiffness = reader.notNegative("stiffness", 0.0);
  joint.spring_reference = readSpringReference(reader, joint.type, joint.stiffness);
}

Eigen::VectorXd readSpringReference(TableReader& reader, JointType type, double stiffness) {
  const TomlValue* value = reader.find("spring_reference");
  if (!value) return {};
  if (stiffness == 0.0)
    reader.fail("spring_reference", "spring_reference is given, but no spring pulls there: the stiffness is 0",
                "Write stiffness = …, or leave spring_reference out.");
  const int count = positionCount(type);
  const std::vector<double> given = value->kind == TomlValue::Kind::kNumber && count == 1
                                        ? std::vector<double>{value->number}
                                        : reader.numbers(*value, count, "spring_reference");
  Eigen::VectorXd rest = Eigen::Map<const Eigen::VectorXd>(given.data(), count);
  if (type.rotation != Rotation::kAll) return rest;
  const Eigen::Quaterniond turn =
      unitQuaternion(given.data() + count - 4, reader.place("spring_reference"), "the quaternion of spring_reference");
  rest.tail<4>() << turn.w(), turn.x(), turn.y(), turn.z();
  return rest;
}

SceneRobot addDhRobot(TableReader& reader, bool alone, SceneDraft& draft) {
  const std::string convention = reader.requiredText("dh");
  if (convention != "standard" && convention != "modified")
    reader.fail("dh", fmt::format("dh is \"{}\"", convention), "Write \"standard\" or \"modified\".");
  if (reader.has("base") && reader.text("base", "") != "fixed")
    reader.fail("base", "an arm from a DH table stands fixed", "Write base = \"fixed\", or leave it out.");
  SceneRobot robot;
  robot.name = reader.text("name", "arm");
  robot.prefix = alone ? "" : robot.name + "/";
  const std::string material = reader.text("material", "default");
  const Pose X_W0 = reader.pose();
  std::vector<DhLink> links;
  for (TableReader& row : reader.tables("link"))
    links.push_back(readLink(row, static_cast<int>(links.size()), robot.prefix, material));
  if (links.empty()) reader.fail("dh", "the table has no rows", "Write one [[robot.link]] per joint.");
  const DhConvention kind = convention == "standard" ? DhConvention::kStandard : DhConvention::kModified;
  robot.first_body = addDhLinks(draft.builder, kWorld, kind, links, X_W0);
  robot.body_count = static_cast<int>(links.size());
  return robot;
}

}  // namespace rigor
