// [[loop]]: what is tied together besides the joints.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/scene/assemble.h"

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

LoopKind readLoopKind(TableReader& reader) {
  const std::string kind = reader.requiredText("kind");
  for (const LoopKind known : {LoopKind::kConnect, LoopKind::kHinge, LoopKind::kWeld, LoopKind::kJoint})
    if (kind == loopKindName(known)) return known;
  reader.fail("kind", fmt::format("kind \"{}\" is unknown", kind), "Known: connect, hinge, weld, joint.");
}

}  // namespace

void addLoops(std::vector<TableReader> tables, SceneDraft& draft) {
  for (TableReader& reader : tables) {
    LoopSpec loop;
    loop.name = reader.text("name", "");
    if (!loop.name.empty()) reader.rename(fmt::format("loop \"{}\"", loop.name));
    loop.where = reader.place();
    for (const char* key : {"spring", "damper"})
      if (reader.mentions(key))
        reader.fail(key, "loops with a spring or a damper are not supported yet",
                    "Leave it out: the loop is then rigid. Joints can be damped in the model.");
    loop.kind = readLoopKind(reader);
    if (loop.kind == LoopKind::kJoint) {
      readCoupling(reader, loop);
    } else {
      loop.body_1 = readBody(reader, "body_1", draft);
      loop.body_2 = readBody(reader, "body_2", draft);
      loop.X_1F = readFrame(reader, "1");
      loop.X_2F = readFrame(reader, "2");
      if (loop.kind == LoopKind::kHinge) {
        if (!reader.has("axis"))
          reader.fail("axis", "a hinge needs an axis", "Write axis = [x, y, z], the same in both frames.");
        loop.axis = reader.vector("axis", loop.axis);
      }
    }
    reader.finish();
    draft.builder.addLoop(loop);
  }
}

}  // namespace rigor
