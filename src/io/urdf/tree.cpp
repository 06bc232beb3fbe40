#include <fmt/format.h>

#include <unordered_map>

#include "io/urdf/robot.h"
#include "text/nearest.h"

namespace rigor {
namespace {

using Names = std::unordered_map<std::string, int>;

int findLink(const Names& links, const UrdfRobot& robot, const std::string& name, const char* role,
             const UrdfJoint& joint) {
  if (const auto found = links.find(name); found != links.end()) return found->second;
  std::vector<std::string> known;
  for (const UrdfLink& link : robot.links) known.push_back(link.name);
  const std::string nearest = findNearest(name, known);
  throw Error(joint.where, fmt::format("{} link \"{}\" does not exist", role, name),
              nearest.empty() ? "Add the link or correct the name." : fmt::format("Did you mean \"{}\"?", nearest));
}

// The one link without a joint above it.
int findRoot(const UrdfRobot& robot, const std::vector<int>& joint_above) {
  int root = -1;
  for (int link = 0; link < static_cast<int>(robot.links.size()); ++link) {
    if (joint_above[link] >= 0) continue;
    if (root >= 0)
      throw Error(
          robot.links[link].where,
          fmt::format("a second root: neither this link nor \"{}\" is the child of a joint", robot.links[root].name),
          "Connect one of them by a joint, for example type=\"fixed\", or split the file in two robots.");
    root = link;
  }
  if (root < 0)
    throw Error(robot.joints.front().where, "the joints form a cycle: every link is the child of a joint",
                "A URDF robot is a tree; leave out the joint that closes the loop.");
  return root;
}

}  // namespace

std::vector<UrdfVisit> orderLinks(const UrdfRobot& robot) {
  const int link_count = static_cast<int>(robot.links.size());
  Names links;
  for (int link = 0; link < link_count; ++link) links.emplace(robot.links[link].name, link);

  std::vector<int> joint_above(link_count, -1);
  std::vector<std::vector<UrdfVisit>> children(link_count);
  for (int index = 0; index < static_cast<int>(robot.joints.size()); ++index) {
    const UrdfJoint& joint = robot.joints[index];
    const int parent = findLink(links, robot, joint.parent, "parent", joint);
    const int child = findLink(links, robot, joint.child, "child", joint);
    if (joint_above[child] >= 0)
      throw Error(joint.where,
                  fmt::format("link \"{}\" is already the child of joint \"{}\"", joint.child,
                              robot.joints[joint_above[child]].spec.name),
                  "A URDF robot is a tree: each link hangs on one joint. Loops cannot be written in URDF.");
    joint_above[child] = index;
    children[parent].push_back({child, index, parent});
  }

  // An explicit stack: chains of a million links must not overflow the program's own.
  std::vector<UrdfVisit> order, stack{{findRoot(robot, joint_above), -1, -1}};
  while (!stack.empty()) {
    const UrdfVisit visit = stack.back();
    stack.pop_back();
    order.push_back(visit);
    stack.insert(stack.end(), children[visit.link].rbegin(), children[visit.link].rend());
  }
  if (static_cast<int>(order.size()) < link_count) {
    std::vector<bool> reached(link_count, false);
    for (const UrdfVisit& visit : order) reached[visit.link] = true;
    int lost = 0;
    while (reached[lost]) ++lost;
    throw Error(
        robot.joints[joint_above[lost]].where,
        fmt::format("link \"{}\" is part of a cycle of joints that does not reach the root", robot.links[lost].name),
        "Follow the parents from this link: one of the joints names the wrong parent.");
  }
  return order;
}

}  // namespace rigor
