#include <fmt/format.h>

#include <map>

#include "io/urdf/link.h"
#include "text/nearest.h"

namespace rigor {
namespace {

const std::map<std::string, JointType> kTypes = {{"fixed", kFixed},     {"revolute", kHinge}, {"continuous", kHinge},
                                                 {"prismatic", kSlide}, {"floating", kFree},  {"planar", kPlanar}};

JointType readType(const XmlElement& element, const std::string& type, UrdfReader& reader) {
  if (const auto known = kTypes.find(type); known != kTypes.end()) return known->second;
  std::vector<std::string> names;
  for (const auto& [name, ignored] : kTypes) names.push_back(name);
  const std::string nearest = findNearest(type, names);
  reader.fail(element, fmt::format("unknown joint type \"{}\"", type),
              (nearest.empty() ? "" : fmt::format("Did you mean \"{}\"? ", nearest)) +
                  "Known: fixed, revolute, continuous, prismatic, floating, planar.");
}

void readAxis(const XmlElement& element, UrdfReader& reader, JointSpec& joint) {
  joint.axis = Eigen::Vector3d::UnitX();  // URDF's default
  const XmlElement* axis = reader.onlyChild(element, "axis");
  if (!axis) return;
  reader.expectOnly(*axis, {"xyz"}, {});
  const Eigen::Vector3d direction = reader.vector(*axis, "xyz", Eigen::Vector3d::UnitX());
  const double length = direction.stableNorm();
  if (length < 1e-12) {
    if (joint.type == kFixed || joint.type == kFree) return;  // not used
    reader.fail(*axis, "the axis has length zero", "Write a direction, for example xyz=\"0 0 1\".");
  }
  joint.axis = direction / length;
}

void readLimit(const XmlElement& element, const std::string& type, UrdfReader& reader, JointSpec& joint) {
  const bool bounded = type == "revolute" || type == "prismatic";
  const XmlElement* limit = reader.onlyChild(element, "limit");
  if (!limit) {
    if (bounded)
      reader.warn(element, fmt::format("a {} joint without <limit> is taken to be without end stops. Add <limit lower= "
                                       "upper= effort= velocity=/>{}.",
                                       type, type == "revolute" ? " or write type=\"continuous\"" : ""));
    return;
  }
  reader.expectOnly(*limit, {"lower", "upper", "effort", "velocity"}, {});
  joint.effort = reader.notNegative(*limit, "effort", joint.effort);
  joint.speed = reader.notNegative(*limit, "velocity", joint.speed);
  const std::optional<double> lower = reader.number(*limit, "lower"), upper = reader.number(*limit, "upper");
  if (!bounded) return;
  if (!lower && !upper)
    reader.warn(*limit, "neither lower nor upper is given: URDF then means 0 and 0, the joint cannot move. Write both.",
                true, WarningKind::kImmovable);
  joint.range = Range{lower.value_or(0.0), upper.value_or(0.0)};
  const char* unit = type == "revolute" ? "rad" : "m";
  if (joint.range->lower > joint.range->upper)
    reader.fail(
        *limit,
        fmt::format("lower limit {} {} is above upper limit {} {}", joint.range->lower, unit, joint.range->upper, unit),
        fmt::format("The joint could never move. Swap the values{}.",
                    type == "revolute" ? ", or write type=\"continuous\" for a joint without limits" : ""));
}

void readDynamics(const XmlElement& element, UrdfReader& reader, JointSpec& joint) {
  const XmlElement* dynamics = reader.onlyChild(element, "dynamics");
  if (!dynamics) return;
  reader.expectOnly(*dynamics, {"damping", "friction"}, {});
  joint.damping = reader.notNegative(*dynamics, "damping", 0.0);
  joint.dry_friction = reader.notNegative(*dynamics, "friction", 0.0);
}

void readMimic(const XmlElement& element, UrdfReader& reader, JointSpec& joint) {
  const XmlElement* mimic = reader.onlyChild(element, "mimic");
  if (!mimic) return;
  reader.expectOnly(*mimic, {"joint", "multiplier", "offset"}, {});
  joint.mimic =
      JointSpec::Mimic{reader.requiredText(*mimic, "joint"), reader.number(*mimic, "multiplier").value_or(1.0),
                       reader.number(*mimic, "offset").value_or(0.0)};
}

std::string readEnd(const XmlElement& element, const char* role, UrdfReader& reader) {
  const XmlElement* end = reader.onlyChild(element, role);
  if (!end) reader.fail(element, fmt::format("no <{}>", role), fmt::format("Write <{} link=\"…\"/>.", role));
  reader.expectOnly(*end, {"link"}, {});
  return reader.requiredText(*end, "link");
}

}  // namespace

UrdfJoint readJoint(const XmlElement& element, UrdfReader& reader) {
  reader.setSubject("joint");
  UrdfJoint joint;
  joint.spec.name = reader.requiredText(element, "name");
  reader.setSubject(fmt::format("joint \"{}\"", joint.spec.name));
  joint.where = reader.place(element);
  const std::string type = reader.requiredText(element, "type");
  joint.spec.type = readType(element, type, reader);
  // dont_collapse: links behind fixed joints stay bodies whatever it says
  reader.expectOnly(element, {"name", "type", "dont_collapse"},
                    {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "calibration"});
  joint.parent = readEnd(element, "parent", reader);
  joint.child = readEnd(element, "child", reader);
  joint.spec.X_PJ = reader.origin(element);
  readAxis(element, reader, joint.spec);
  if (joint.spec.type == kFixed) return joint;
  readLimit(element, type, reader, joint.spec);
  readDynamics(element, reader, joint.spec);
  readMimic(element, reader, joint.spec);
  return joint;
}

}  // namespace rigor
