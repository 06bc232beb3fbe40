#include "model/loop_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geometry/convert.h"
#include "model/check_body.h"
#include "model/merge_links.h"
#include "model/names.h"
#include "text/nearest.h"

namespace rigor {
namespace {

Place placeOf(const LoopSpec& loop) {
  Place where = loop.where;
  if (where.element.empty()) where.element = fmt::format("loop \"{}\"", loop.name);
  return where;
}

void checkEnd(const LoopSpec& loop, int body, const std::vector<BodySpec>& bodies) {
  if (body >= kWorld && body < static_cast<int>(bodies.size())) return;
  throw Error(placeOf(loop), fmt::format("body {} does not exist", body), "Add the body first; the world is kWorld.");
}

void checkFrames(LoopSpec& loop, std::vector<Warning>& warnings) {
  for (Pose* frame : {&loop.X_1F, &loop.X_2F}) {
    if (!frame->position.allFinite())
      throw Error(placeOf(loop), "a point is not finite", "Give three finite numbers in metres.");
    normalizeRotation(frame->rotation, placeOf(loop), "quaternion of a frame", warnings);
  }
  if (loop.kind != LoopKind::kHinge) return;
  const double length = loop.axis.norm();
  if (!std::isfinite(length) || length < 1e-12)
    throw Error(placeOf(loop),
                fmt::format("axis ({}, {}, {}) has no direction", loop.axis[0], loop.axis[1], loop.axis[2]),
                "Give a vector that is finite and not zero, e.g. (0, 0, 1).");
  loop.axis /= length;
}

void checkCoupledJoint(const LoopSpec& loop, const std::string& name, const std::vector<BodySpec>& bodies) {
  std::vector<std::string> names;
  const auto isCoupled = [&](const JointSpec& joint) {
    names.push_back(joint.name);
    if (name.empty() || joint.name != name) return false;
    if (velocityCount(joint.type) == 1) return true;
    throw Error(placeOf(loop), fmt::format("{} has not one freedom", describeJoint(joint)),
                "Only joints with one freedom can be coupled, hinges and slides.");
  };
  for (const BodySpec& body : bodies) {
    if (isCoupled(body.joint)) return;
    for (const JointSpec& joint : body.more_joints)
      if (isCoupled(joint)) return;
  }
  throw Error(placeOf(loop), fmt::format("there is no joint \"{}\"", name), suggestName(name, names));
}

/// Two points, or two frames.
LoopPart makePart(const LoopSpec& spec, int loop, const std::vector<BodyPlacement>& placements, LoopRows rows) {
  LoopPart part;
  part.rows = rows;
  part.loop = loop;
  const auto attach = [&](int body, const Pose& frame, int& link, Transform<double>& X) {
    X = toTransform(frame);
    if (body == kWorld) return;
    link = placements[body].link;
    X = placements[body].X_LB * X;
  };
  attach(spec.body_1, spec.X_1F, part.link_1, part.X_1);
  attach(spec.body_2, spec.X_2F, part.link_2, part.X_2);
  return part;
}

LoopPart makeCoupling(const LoopSpec& spec, int loop, const Model& model) {
  LoopPart part;
  part.rows = LoopRows::kCoupling;
  part.loop = loop;
  part.link_1 = model.findJoint(spec.joint_1), part.link_2 = model.findJoint(spec.joint_2);  // one joint per link
  const ModelJoint &joint_1 = model.joints()[part.link_1], &joint_2 = model.joints()[part.link_2];
  part.q_1 = joint_1.q_index, part.q_2 = joint_2.q_index;
  part.dof_1 = joint_1.v_index, part.dof_2 = joint_2.v_index;
  std::copy(spec.coefficients.begin(), spec.coefficients.end(), part.coefficients);
  return part;
}

}  // namespace

const char* loopKindName(LoopKind kind) {
  static constexpr const char* kNames[] = {"connect", "hinge", "weld", "joint"};
  return kNames[static_cast<int>(kind)];
}

void checkLoop(LoopSpec& loop, const std::vector<BodySpec>& bodies, std::vector<Warning>& warnings) {
  if (loop.kind != LoopKind::kJoint) {
    checkEnd(loop, loop.body_1, bodies);
    checkEnd(loop, loop.body_2, bodies);
    if (loop.body_1 == loop.body_2)
      throw Error(placeOf(loop),
                  loop.body_1 == kWorld ? "both ends are the world"
                                        : fmt::format("both ends are body \"{}\"", bodies[loop.body_1].name),
                  "A loop joins two bodies, or a body and the world.");
    checkFrames(loop, warnings);
    return;
  }
  checkCoupledJoint(loop, loop.joint_1, bodies);
  checkCoupledJoint(loop, loop.joint_2, bodies);
  if (loop.joint_1 == loop.joint_2)
    throw Error(placeOf(loop), fmt::format("joint \"{}\" is coupled to itself", loop.joint_1), "Name another joint.");
  for (const double c : loop.coefficients)
    if (!std::isfinite(c)) throw Error(placeOf(loop), "a coefficient is not finite", "Give finite numbers.");
}

void checkLoopLinks(const LoopSpec& loop, const std::vector<BodySpec>& bodies,
                    const std::vector<BodyPlacement>& placements) {
  if (loop.kind == LoopKind::kJoint) return;
  const auto answers = [&](int body) {  // to forces
    if (body == kWorld || placements[body].link == kWorld) return false;
    while (bodies[body].parent != kWorld) body = bodies[body].parent;
    return !bodies[body].kinematic;
  };
  const int link_1 = loop.body_1 == kWorld ? kWorld : placements[loop.body_1].link;
  const int link_2 = loop.body_2 == kWorld ? kWorld : placements[loop.body_2].link;
  if (link_1 == link_2)
    throw Error(placeOf(loop), "its two ends cannot move against each other",
                link_1 == kWorld ? "Both are fixed to the world; let one of them move or leave the loop out."
                                 : "Only fixed joints lie between them; leave the loop out.");
  if (!answers(loop.body_1) && !answers(loop.body_2))
    throw Error(placeOf(loop), "no force can move either of its ends: they are kinematic or fixed",
                "Tie something to them that answers to forces, or leave the loop out.");
}

std::vector<LoopPart> makeLoopParts(const Model& model) {
  std::vector<LoopPart> parts;
  const std::vector<LoopSpec>& loops = model.loops();
  for (int i = 0; i < static_cast<int>(loops.size()); ++i) {
    const LoopSpec& spec = loops[i];
    const std::size_t first = parts.size();
    if (spec.kind == LoopKind::kJoint) {
      parts.push_back(makeCoupling(spec, i, model));
    } else {
      parts.push_back(makePart(spec, i, model.placements(), LoopRows::kPoint));
      if (spec.kind == LoopKind::kWeld) parts.push_back(makePart(spec, i, model.placements(), LoopRows::kTurn));
      const Mat3<double> axes = linkAxes(kHinge, spec.axis);
      for (const Vec3<double>& across : {axes.x, axes.y}) {
        if (spec.kind != LoopKind::kHinge) break;
        LoopPart part = makePart(spec, i, model.placements(), LoopRows::kAxis);
        part.across = part.X_1.R * across;
        part.axis = part.X_2.R * axes.z;
        parts.push_back(part);
      }
    }
    for (std::size_t k = first; k < parts.size(); ++k) parts[k].number = static_cast<int>(k - first);
  }
  return parts;
}

}  // namespace rigor
