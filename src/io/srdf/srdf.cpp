#include "io/srdf/srdf.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "io/file.h"
#include "io/xml.h"
#include "text/nearest.h"

namespace rigor {
namespace {

/// Links of a robot by name, and the file that talks about them.
struct SrdfNames {
  std::string file;
  std::vector<std::string> links;

  SrdfNames(std::string path, const UrdfRobot& robot) : file(std::move(path)) {
    for (const UrdfLink& link : robot.links) links.push_back(link.name);
  }
  Place place(const XmlElement& element) const { return {file, element.line, fmt::format("<{}>", element.name)}; }
  const std::string& required(const XmlElement& element, const char* attribute) const {
    const std::string* name = element.attribute(attribute);
    if (!name || name->empty())
      throw Error(place(element), fmt::format("has no {}", attribute), "Write link1=\"…\" link2=\"…\".");
    return *name;
  }
  bool has(const std::string& link) const { return std::find(links.begin(), links.end(), link) != links.end(); }
};

void excludeLinks(const XmlElement& element, const SrdfNames& names, const std::string& prefix, ModelBuilder& builder) {
  const std::string &link_1 = names.required(element, "link1"), &link_2 = names.required(element, "link2");
  for (const std::string& link : {link_1, link_2})
    if (!names.has(link)) {
      builder.addWarning({names.place(element), fmt::format("the robot has no link \"{}\", the line is passed over. {}",
                                                            link, suggestName(link, names.links))});
      return;
    }
  builder.excludePair(prefix + link_1, prefix + link_2, names.place(element));
}

}  // namespace

void addSrdf(const std::string& file, const UrdfRobot& robot, const std::string& prefix, ModelBuilder& builder) {
  const XmlElement root = parseXml(readFile(file, kTextLimit), file);
  const SrdfNames names(file, robot);
  if (root.name != "robot")
    throw Error(names.place(root), "is not an SRDF: its root is not <robot>",
                "Give the .srdf file that belongs to the robot.");
  static const std::set<std::string> kOfNoConcern{"group",          "group_state",   "end_effector",
                                                  "virtual_joint",  "passive_joint", "link_sphere_approximation",
                                                  "joint_property", "chain"};
  for (const XmlElement& element : root.children) {
    if (element.name == "disable_collisions")
      excludeLinks(element, names, prefix, builder);
    else if (!kOfNoConcern.count(element.name))
      builder.addWarning({names.place(element), "is not read; only disable_collisions is", true});
  }
}

}  // namespace rigor
