#include "io/scene/body_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "io/scene/assemble.h"
#include "model/joint_motion.h"
#include "text/nearest.h"

namespace rigor {
namespace {

/// Index of the [[body]] that a key names.
int readBodyIndex(TableReader& reader, const std::string& key, const std::vector<std::string>& bodies) {
  const std::string name = reader.requiredText(key);
  const auto found = std::find(bodies.begin(), bodies.end(), name);
  if (found == bodies.end()) {
    const std::string nearest = findNearest(name, bodies);
    reader.fail(key, fmt::format("there is no [[body]] \"{}\"", name),
                (nearest.empty() ? std::string() : fmt::format("Did you mean \"{}\"? ", nearest)) +
                    "A link of a robot is tied by [[loop]] kind = \"weld\" or \"hinge\".");
  }
  return static_cast<int>(found - bodies.begin());
}

JointType readJointType(TableReader& reader) {
  const std::string name = reader.requiredText("type");
  const auto type = findJointType(name);
  if (type && *type != kFree) return *type;
  std::vector<std::string> known = jointTypeNames();
  known.erase(std::find(known.begin(), known.end(), "free"));
  const std::string nearest = findNearest(name, known);
  reader.fail("type", fmt::format("type \"{}\" is unknown", name),
              (nearest.empty() ? "" : fmt::format("Did you mean \"{}\"? ", nearest)) +
                  fmt::format("Known: {}.", fmt::join(known, ", ")));
}

}  // namespace

std::vector<BodyTie> readTies(std::vector<TableReader>& joints, const std::vector<std::string>& bodies) {
  std::vector<BodyTie> ties(bodies.size());
  std::set<std::string> used;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    TableReader& reader = joints[i];
    const std::string name = reader.text("name", "");
    if (!name.empty()) reader.rename(fmt::format("joint \"{}\"", name));
    const int child = readBodyIndex(reader, "child", bodies);
    BodyTie& tie = ties[child];
    if (tie.joint >= 0)
      reader.fail("child",
                  fmt::format("\"{}\" hangs on \"{}\" by another joint already", bodies[child], tie.parent_name),
                  "A body has one parent. What closes a loop is a [[loop]].");
    tie.joint = static_cast<int>(i);
    tie.parent_name = reader.requiredText("parent");
    tie.parent = tie.parent_name == "world" ? -1 : readBodyIndex(reader, "parent", bodies);
    if (tie.parent == child)
      reader.fail("child", fmt::format("parent and child are both \"{}\"", bodies[child]), "Name two bodies.");
  }
  return ties;
}

std::vector<int> orderBodies(const std::vector<BodyTie>& ties, const std::vector<TableReader>& joints,
                             const std::vector<std::string>& bodies) {
  const int count = static_cast<int>(ties.size());
  std::vector<std::vector<int>> children(count);
  std::vector<int> waiting, order;
  for (int i = count - 1; i >= 0; --i)  // backwards: the last one in is the first one out
    (ties[i].parent >= 0 ? children[ties[i].parent] : waiting).push_back(i);
  std::vector<char> reached(count, 0);
  while (!waiting.empty()) {
    const int body = waiting.back();
    waiting.pop_back();
    order.push_back(body);
    reached[body] = 1;
    waiting.insert(waiting.end(), children[body].begin(), children[body].end());
  }
  for (int i = 0; i < count; ++i)
    if (!reached[i])
      throw Error(joints[ties[i].joint].place("child"),
                  fmt::format("\"{}\" hangs on itself by way of other joints", bodies[i]),
                  "Let one body of the circle hang on the world or be free, and close it by a [[loop]].");
  return order;
}

void placeJoint(TableReader& reader, const Pose& X_WP, const Pose& X_WC, BodySpec& child) {
  JointSpec& joint = child.joint;
  joint.type = readJointType(reader);
  joint.name = reader.text("name", child.name + "_joint");
  const Pose at_point{reader.vector("point", Eigen::Vector3d::Zero())};
  const Pose X_PW{-(X_WP.rotation.conjugate() * X_WP.position), X_WP.rotation.conjugate()};
  joint.X_PJ = X_PW * X_WC * at_point;
  child.X_JB.position = -at_point.position;
  const bool has_axis = hasAxis(joint.type);
  if (has_axis && !reader.has("axis"))
    reader.fail("axis", "has no axis", "Write axis = [x, y, z] in the frame of the child.");
  if (has_axis) joint.axis = reader.vector("axis", joint.axis);
  if (has_axis && !(joint.axis.norm() > 1e-9))
    reader.fail("axis", "the axis has length zero", "Write a direction, e.g. [0, 0, 1].");
  if (joint.type == kHelical) joint.pitch = reader.number("pitch").value_or(0.0);
  readJointNumbers(reader, joint);
}

}  // namespace rigor
