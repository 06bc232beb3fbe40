// [[loop]]: what is tied together besides the joints. [[spring]]: springs and dampers between two points.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "dynamics/poses.h"
#include "io/scene/assemble.h"
#include "model/joint_motion.h"
#include "text/nearest.h"

namespace rigor {
namespace {

/// Index of the body that a key names; "world" must be written out, a forgotten key is no wish.
int readBody(TableReader& reader, const std::string& key, const SceneDraft& draft) {
  const std::string name = reader.requiredText(key);
  if (name == "world") return kWorld;
  const int body = draft.builder.findBody(name);
  if (body < kWorld)
    reader.fail(key, fmt::format("there is no body \"{}\"", name),
                "Name a link of a robot, a [[body]], or \"world\"; with several robots write robot/link.");
  return body;
}

Pose readFrame(TableReader& reader, const std::string& number) {
  Pose frame;
  frame.position = reader.vector("point_" + number, Eigen::Vector3d::Zero());
  const std::string key = "quaternion_" + number;
  if (const TomlValue* value = reader.find(key)) {
    frame.rotation = reader.quaternion(*value, key);
  }
  return frame;
}

void readCoupling(TableReader& reader, LoopSpec& loop) {
  loop.joint_1 = reader.requiredText("joint_1");
  loop.joint_2 = reader.requiredText("joint_2");
  if (const TomlValue* value = reader.find("polynomial")) {
    if (reader.has("multiplier") || reader.has("offset"))
      reader.fail("polynomial", "polynomial and multiplier or offset are both given", "Keep one of them.");
    const std::vector<double> c = reader.numbers(*value, 5, "polynomial");
    std::copy(c.begin(), c.end(), loop.coefficients.begin());
    return;
  }
  loop.coefficients[0] = reader.number("offset").value_or(0.0);
  loop.coefficients[1] = reader.number("multiplier").value_or(1.0);
}

/// "connect", "hinge", "weld", "joint", or a type of joints.
void readLoopKind(TableReader& reader, LoopSpec& loop) {
  const std::string kind = reader.requiredText("kind");
  std::vector<std::string> known{"connect", "hinge", "weld", "joint"};
  for (const LoopKind one : {LoopKind::kConnect, LoopKind::kHinge, LoopKind::kWeld, LoopKind::kJoint})
    if (loop.kind = one; kind == loopKindName(one)) return;
  loop.kind = LoopKind::kOfType;
  if (const auto type = findJointType(kind)) {
    loop.type = *type;
    if (*type == kFree)
      reader.fail("kind", "kind \"free\" closes nothing", "Leave the loop out, or write a [[spring]].");
    return;
  }
  for (const std::string& name : jointTypeNames())
    if (name != "hinge" && name != "free") known.push_back(name);
  const std::string nearest = findNearest(kind, known);
  reader.fail("kind", fmt::format("kind \"{}\" is unknown", kind),
              (nearest.empty() ? "" : fmt::format("Did you mean \"{}\"? ", nearest)) +
                  fmt::format("Known: {}.", fmt::join(known, ", ")));
}

/// A number that has two names, of which one may be given.
std::optional<double> readEither(TableReader& reader, const std::string& key, const std::string& other) {
  if (reader.has(key) && reader.has(other))
    reader.fail(other, fmt::format("{} and {} are both given", key, other), "Keep one of them: they mean the same.");
  const std::string& given = reader.has(other) ? other : key;
  const std::optional<double> value = reader.number(given);
  if (value && *value < 0.0)
    reader.fail(given, fmt::format("{} is {}", given, *value), "Give a number that is not negative.");
  return value;
}

void readAxis(TableReader& reader, LoopSpec& loop) {
  const JointType type = jointTypeOf(loop);
  if (hasAxis(type)) {
    if (!reader.has("axis"))
      reader.fail("axis", fmt::format("a {} needs an axis", loopName(loop)),
                  "Write axis = [x, y, z], the same in both frames.");
    loop.axis = reader.vector("axis", loop.axis);
  }
  if (type != kHelical) return;
  if (!reader.has("pitch"))
    reader.fail("pitch", "a helical needs a pitch", "Write pitch = …, metres along the axis per radian.");
  loop.pitch = *reader.number("pitch");
}

/// Springs and dampers on what the loop leaves free.
void readLoopSpring(TableReader& reader, LoopSpec& loop) {
  loop.stiffness = readEither(reader, "stiffness", "spring").value_or(0.0);
  loop.damping = readEither(reader, "damping", "damper").value_or(0.0);
  const JointType type = jointTypeOf(loop);
  if (velocityCount(type) == 0)
    for (const char* key : {"stiffness", "spring", "damping", "damper", "spring_reference"})
      if (reader.has(key))
        reader.fail(key, fmt::format("a {} leaves nothing free for a spring or a damper", loopName(loop)),
                    "Leave it out, or take another kind.");
  loop.spring_reference = readSpringReference(reader, type, loop.stiffness);
}

/// A motor's numbers without a motor are no wish.
void refuseLameMotor(TableReader& reader, const LoopMotor& motor) {
  if (reader.has("target") && motor.kp == 0.0)
    reader.fail("target", "target is given, but nothing drives there: kp is 0", "Write kp = …, or leave target out.");
  if (reader.has("effort") && !motor.acts())
    reader.fail("effort", "effort is the limit of a motor, and there is none: kp, kd and torque are 0",
                "Write kp, kd or torque; a constant torque is `torque`.");
}

/// Stops, dry friction and a motor on the freedom of a hinge, a slide or a helical.
void readLoopFreedom(TableReader& reader, LoopSpec& loop) {
  const int freedoms = velocityCount(jointTypeOf(loop));
  for (const char* key : {"range", "limits", "dry_friction", "friction", "kp", "kd", "target", "torque", "effort"})
    if (freedoms != 1 && reader.has(key))
      reader.fail(key, fmt::format("a {} leaves {} freedoms, and {} acts on one", loopName(loop), freedoms, key),
                  "Leave it out, or take a hinge, a slide or a helical.");
  if (reader.has("range") && reader.has("limits"))
    reader.fail("limits", "range and limits are both given", "Keep one of them: they mean the same.");
  const std::string range_key = reader.has("limits") ? "limits" : "range";
  if (const TomlValue* value = reader.find(range_key)) {
    const std::vector<double> range = reader.numbers(*value, 2, range_key);
    loop.range = Range{range[0], range[1]};
  }
  loop.dry_friction = readEither(reader, "dry_friction", "friction").value_or(0.0);
  LoopMotor& motor = loop.motor;
  motor.kp = reader.notNegative("kp", 0.0);
  motor.kd = reader.notNegative("kd", 0.0);
  motor.target = reader.number("target").value_or(0.0);
  motor.torque = reader.number("torque").value_or(0.0);
  motor.effort = reader.notNegative("effort", motor.effort);
  refuseLameMotor(reader, motor);
}

}  // namespace

void addLoops(std::vector<TableReader> tables, SceneDraft& draft) {
  for (TableReader& reader : tables) {
    LoopSpec loop;
    loop.name = reader.text("name", "");
    if (!loop.name.empty()) reader.rename(fmt::format("loop \"{}\"", loop.name));
    loop.where = reader.place();
    readLoopKind(reader, loop);
    if (loop.kind == LoopKind::kJoint) {
      readCoupling(reader, loop);
    } else {
      loop.body_1 = readBody(reader, "body_1", draft);
      loop.body_2 = readBody(reader, "body_2", draft);
      loop.X_1F = readFrame(reader, "1");
      loop.X_2F = readFrame(reader, "2");
      readAxis(reader, loop);
      readLoopSpring(reader, loop);
      readLoopFreedom(reader, loop);
    }
    reader.finish();
    draft.builder.addLoop(loop);
  }
}

void addSprings(std::vector<TableReader> tables, SceneDraft& draft, Scene& scene) {
  if (tables.empty()) return;
  const std::vector<Pose> poses = bodyPoses(scene.model, scene.q);
  const auto place = [&](int body, const Eigen::Vector3d& point) -> Eigen::Vector3d {
    return body == kWorld ? point : poses[body] * point;
  };
  for (TableReader& reader : tables) {
    SpringSpec spring;
    spring.name = reader.text("name", "");
    if (!spring.name.empty()) reader.rename(fmt::format("spring \"{}\"", spring.name));
    spring.where = reader.place();
    spring.body_1 = readBody(reader, "body_1", draft);
    spring.body_2 = readBody(reader, "body_2", draft);
    spring.point_1 = reader.vector("point_1", Eigen::Vector3d::Zero());
    spring.point_2 = reader.vector("point_2", Eigen::Vector3d::Zero());
    spring.stiffness = reader.notNegative("stiffness", 0.0);
    spring.damping = reader.notNegative("damping", 0.0);
    if (spring.stiffness == 0.0 && spring.damping == 0.0)
      reader.fail("stiffness", "neither stiffness nor damping is given", "Give one of them, or leave the spring out.");
    const double distance = (place(spring.body_2, spring.point_2) - place(spring.body_1, spring.point_1)).norm();
    spring.length = readEither(reader, "length", "reference").value_or(distance);
    reader.finish();
    draft.builder.addSpring(spring);
  }
  scene.model = buildModel(draft, scene.file);
}

}  // namespace rigor
