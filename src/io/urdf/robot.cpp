#include "io/urdf/robot.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "io/urdf/link.h"
#include "io/urdf/visual.h"

namespace rigor {
namespace {

void checkRoot(const XmlElement& root, const UrdfReader& reader) {
  if (root.name == "robot") return;
  if (root.name == "mujoco" || root.name == "mujocoinclude")
    reader.fail(root, "this is an MJCF file; only URDF is read so far", "Convert the model to URDF.");
  if (root.name == "sdf" || root.name == "world")
    reader.fail(root, "this is an SDF file; only URDF is read so far", "Convert the model to URDF.");
  reader.fail(root, fmt::format("the root element is <{}>, not <robot>", root.name), "Give a URDF file.");
}

// Simulator extensions may hold friction, stiffness or initial states; colours and sensors are harmless.
bool isOpticalOnly(const XmlElement& gazebo) {
  return std::all_of(gazebo.children.begin(), gazebo.children.end(), [](const XmlElement& child) {
    return child.name == "material" || child.name == "visual" || child.name == "sensor";
  });
}

template <class Item>
void checkUnique(const std::vector<Item>& items, const char* kind, const std::string& (*name)(const Item&)) {
  std::unordered_map<std::string, int> lines;
  for (const Item& item : items) {
    const auto [first, is_new] = lines.emplace(name(item), item.where.line);
    if (!is_new)
      throw Error(item.where, fmt::format("a second {} of this name; the first is in line {}", kind, first->second),
                  "Give every link and every joint a name of its own.");
  }
}

void checkMimics(const UrdfRobot& robot) {
  std::unordered_set<std::string> names;
  for (const UrdfJoint& joint : robot.joints) names.insert(joint.spec.name);
  for (const UrdfJoint& joint : robot.joints) {
    if (!joint.spec.mimic) continue;
    const std::string& target = joint.spec.mimic->joint;
    if (!names.count(target) || target == joint.spec.name)
      throw Error(
          joint.where,
          fmt::format("mimics joint \"{}\", which {}", target, names.count(target) ? "is itself" : "does not exist"),
          "Name another joint of this robot.");
  }
}

/// Values of a leader at which a follower is within its range: q = offset + multiplier · leader.
Range leaderRange(const JointSpec& follower) {
  const double m = follower.mimic->multiplier;
  const double a = (follower.range->lower - follower.mimic->offset) / m;
  const double b = (follower.range->upper - follower.mimic->offset) / m;
  return {std::min(a, b), std::max(a, b)};
}

/// Some files give a follower that runs backwards the range of its leader: the two could then be nowhere but at zero, and
/// would jam at the first touch.
void dropClashingRanges(UrdfRobot& robot) {
  for (UrdfJoint& joint : robot.joints) {
    JointSpec& follower = joint.spec;
    if (!follower.mimic || !follower.range || follower.mimic->multiplier == 0.0) continue;
    const auto leader = std::find_if(robot.joints.begin(), robot.joints.end(),
                                     [&](const UrdfJoint& other) { return other.spec.name == follower.mimic->joint; });
    const Range wanted = leaderRange(follower), own = leader->spec.range.value_or(wanted);
    const double room = std::min(wanted.upper, own.upper) - std::max(wanted.lower, own.lower);
    if (!(own.upper > own.lower) || room > 1e-6 * (own.upper - own.lower)) continue;
    robot.warnings.push_back(
        {joint.where,
         fmt::format("its range {:g} … {:g} leaves joint \"{}\", which it mimics, no room to move: the range is left "
                     "out. Check the signs of its axis, multiplier and limits.",
                     follower.range->lower, follower.range->upper, leader->spec.name),
         true});
    follower.range.reset();
  }
}

}  // namespace

UrdfRobot parseUrdf(const std::string& text, const std::string& file, const LoadOptions& options) {
  const XmlElement root = parseXml(text, file);
  UrdfReader reader(file, options.package_path);
  checkRoot(root, reader);
  std::optional<VisualReader> visuals;
  if (options.visuals) visuals.emplace(root, reader);
  UrdfRobot robot;
  robot.file = file;
  if (const std::string* name = root.attribute("name")) robot.name = *name;

  std::set<std::string> shape_names;
  std::vector<const XmlElement*> gazebo;
  for (const XmlElement& element : root.children) {
    reader.setSubject(fmt::format("<{}>", element.name));
    if (element.name == "link") {
      robot.links.push_back(readLink(element, reader, shape_names));
      if (visuals) robot.links.back().visuals = visuals->read(element);
    } else if (element.name == "joint") {
      robot.joints.push_back(readJoint(element, reader));
    } else if (element.name.rfind("xacro:", 0) == 0) {
      reader.fail(element, "this is a xacro template, not a URDF file",
                  "Expand it first: xacro file.xacro > file.urdf");
    } else if (element.name == "gazebo") {
      if (!isOpticalOnly(element)) gazebo.push_back(&element);
    } else if (element.name != "material" && element.name != "transmission" && element.name != "ros2_control" &&
               element.name != "sensor") {
      // transmissions describe the motor's side; rigor's torques act on the joints themselves
      reader.warn(element, "is not read");
    }
  }
  if (!gazebo.empty()) {
    reader.setSubject("<gazebo>");
    reader.warn(*gazebo.front(),
                gazebo.size() == 1
                    ? "settings for Gazebo are not read"
                    : fmt::format("settings for Gazebo are not read, here and in {} other elements", gazebo.size() - 1),
                true);
  }
  if (robot.links.empty())
    throw Error({file, root.line, "<robot>"}, "there is no link", "A robot needs at least one <link>.");
  checkUnique<UrdfLink>(robot.links, "link", [](const UrdfLink& link) -> const std::string& { return link.name; });
  checkUnique<UrdfJoint>(robot.joints, "joint", [](const UrdfJoint& j) -> const std::string& { return j.spec.name; });
  checkMimics(robot);
  robot.warnings = std::move(reader.warnings);
  dropClashingRanges(robot);
  return robot;
}

}  // namespace rigor
