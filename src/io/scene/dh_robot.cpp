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

std::vector<double> readNumbers(TableReader& reader, const std::string& key, std::size_t count) {
  const TomlValue* value = reader.find(key);
  return value == nullptr ? std::vector<double>{} : reader.numbers(*value, count, key);
}

JointSpec readJoint(TableReader& reader) {
  JointSpec joint;
  joint.type = readKind(reader);
  const std::vector<double> range = readNumbers(reader, "range", 2);
  if (!range.empty()) joint.range = Range{range[0], range[1]};
  joint.effort = reader.notNegative("effort", joint.effort);
  joint.damping = reader.notNegative("damping", 0.0);
  joint.dry_friction = reader.notNegative("dry_friction", 0.0);
  joint.armature = reader.notNegative("armature", 0.0);
  joint.rotor_inertia = reader.notNegative("rotor_inertia", 0.0);
  joint.gear = reader.number("gear").value_or(1.0);
  joint.stiffness = reader.notNegative("stiffness", 0.0);
  if (const auto rest = reader.number("spring_reference")) joint.spring_reference = Eigen::VectorXd::Constant(1, *rest);
  return joint;
}

/// Mass, centre and inertia about the centre, in the axes of the row's frame.
MassProperties readMass(TableReader& reader) {
  MassProperties mass;
  mass.mass = reader.notNegative("mass", 0.0);
  mass.com = reader.vector("com", Eigen::Vector3d::Zero());
  const std::vector<double> I = readNumbers(reader, "inertia", 6);
  if (!I.empty()) mass.inertia << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
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
  link.body.joint = readJoint(reader);
  link.body.joint.name = prefix + reader.text("joint", fmt::format("joint_{}", row + 1));
  link.body.mass = readMass(reader);
  if (reader.has("shape")) {
    const Shape shape = readShape(reader);
    link.body.shapes = {{link.body.name, shape, reader.pose(), material}};
  }
  reader.finish();
  return link;
}

}  // namespace

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
