#include "model/loop_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geometry/convert.h"
#include "model/check_body.h"
#include "model/joint_motion.h"
#include "model/loop_freedoms.h"
#include "model/merge_links.h"
#include "model/names.h"
#include "model/spring_parts.h"
#include "text/nearest.h"

namespace rigor {
namespace {

Place placeOf(const LoopSpec& loop) {
  Place where = loop.where;
  if (where.element.empty()) where.element = fmt::format("loop \"{}\"", loop.name);
  return where;
}

void checkFrames(LoopSpec& loop, std::vector<Warning>& warnings) {
  for (Pose* frame : {&loop.X_1F, &loop.X_2F}) {
    if (!frame->position.allFinite())
      throw Error(placeOf(loop), "a point is not finite", "Give three finite numbers in metres.");
    normalizeRotation(frame->rotation, placeOf(loop), "quaternion of a frame", warnings);
  }
  if (!hasAxis(jointTypeOf(loop))) return;
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

/// The parts of a loop between frames.
class PartsOfFrames {
 public:
  PartsOfFrames(const LoopSpec& spec, int loop, const std::vector<BodyPlacement>& placements)
      : type_(jointTypeOf(spec)),
        pitch_(spec.pitch),
        axes_(linkAxes(type_, spec.axis)),
        frames_(attachFrames(spec.body_1, spec.X_1F, spec.body_2, spec.X_2F, placements)),
        loop_(loop) {}

  /// Turns come first where ways are left free: of redundant rows the elimination takes the first ones for granted, and a way along
  /// which a turn moves little would tell that turn badly.
  void add(std::vector<LoopPart>& parts) const {
    const bool fits_point = type_ == kBall || type_ == kHinge || type_ == kFixed;
    if (fits_point) addTranslation(parts);
    addRotation(parts);
    if (!fits_point) addTranslation(parts);
  }

 private:
  LoopPart make(LoopRows rows) const {
    LoopPart part;
    part.rows = rows;
    part.loop = loop_;
    part.link_1 = frames_.link_1, part.link_2 = frames_.link_2;
    part.X_1 = frames_.X_1, part.X_2 = frames_.X_2;
    return part;
  }
  LoopPart along(const Vec3<double>& direction, LoopRows rows = LoopRows::kAlong) const {
    LoopPart part = make(rows);
    part.across = part.X_1.R * direction;
    return part;
  }
  /// A direction of frame 1 and one of frame 2 stay perpendicular.
  LoopPart perpendicular(const Vec3<double>& first, const Vec3<double>& second) const {
    LoopPart part = make(LoopRows::kAxis);
    part.across = part.X_1.R * first;
    part.axis = part.X_2.R * second;
    return part;
  }
  void addTranslation(std::vector<LoopPart>& parts) const {
    const bool on_line = type_.translation == Translation::kAxis || type_.rotation == Rotation::kHelix;
    if (type_.translation == Translation::kPlane) parts.push_back(along(axes_.z));
    if (on_line) parts.push_back(along(axes_.x)), parts.push_back(along(axes_.y));
    if (type_.rotation == Rotation::kHelix) {
      LoopPart screw = along(axes_.z, LoopRows::kScrew);
      screw.turned = turnAboutAxis(frames_, axes_);
      screw.pitch = pitch_;
      parts.push_back(screw);
    }
    if (type_.translation == Translation::kNone && !on_line) parts.push_back(make(LoopRows::kPoint));
  }
  void addRotation(std::vector<LoopPart>& parts) const {
    if (type_.rotation == Rotation::kNone) parts.push_back(make(LoopRows::kTurn));
    if (type_.rotation == Rotation::kAxis || type_.rotation == Rotation::kHelix)
      for (const Vec3<double>& across : {axes_.x, axes_.y}) parts.push_back(perpendicular(across, axes_.z));
    if (type_.rotation == Rotation::kTwoAxes) parts.push_back(perpendicular(axes_.z, axes_.x));
  }

  JointType type_;
  double pitch_;
  Mat3<double> axes_;
  AttachedFrames frames_;
  int loop_;
};

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
  static constexpr const char* kNames[] = {"connect", "hinge", "weld", "joint", "of_type"};
  return kNames[static_cast<int>(kind)];
}

JointType jointTypeOf(const LoopSpec& loop) {
  static constexpr JointType kTypes[] = {kBall, kHinge, kFixed, kFree};
  return loop.kind == LoopKind::kOfType ? loop.type : kTypes[static_cast<int>(loop.kind)];
}

std::string loopName(const LoopSpec& loop) {
  return loop.kind == LoopKind::kOfType ? jointTypeName(loop.type) : loopKindName(loop.kind);
}

AttachedFrames attachFrames(int body_1, const Pose& X_1F, int body_2, const Pose& X_2F,
                            const std::vector<BodyPlacement>& placements) {
  AttachedFrames frames;
  const auto attach = [&](int body, const Pose& frame, int& link, Transform<double>& X) {
    X = toTransform(frame);
    if (body == kWorld) return;
    link = placements[body].link;
    X = placements[body].X_LB * X;
  };
  attach(body_1, X_1F, frames.link_1, frames.X_1);
  attach(body_2, X_2F, frames.link_2, frames.X_2);
  return frames;
}

TurnedPointer turnAboutAxis(const AttachedFrames& frames, const Mat3<double>& axes) {
  return {frames.X_2.R * axes.x, frames.X_1.R * axes.x, frames.X_1.R * axes.y};
}

void checkEnds(int body_1, int body_2, const Place& where, const std::string& what,
               const std::vector<BodySpec>& bodies) {
  for (const int body : {body_1, body_2})
    if (body < kWorld || body >= static_cast<int>(bodies.size()))
      throw Error(where, fmt::format("body {} does not exist", body), "Add the body first; the world is kWorld.");
  if (body_1 == body_2)
    throw Error(
        where,
        body_1 == kWorld ? "both ends are the world" : fmt::format("both ends are body \"{}\"", bodies[body_1].name),
        fmt::format("A {} joins two bodies, or a body and the world.", what));
}

void checkEndLinks(int body_1, int body_2, const Place& where, const std::string& what,
                   const std::vector<BodySpec>& bodies, const std::vector<BodyPlacement>& placements) {
  const auto answers = [&](int body) {  // to forces
    if (body == kWorld || placements[body].link == kWorld) return false;
    while (bodies[body].parent != kWorld) body = bodies[body].parent;
    return !bodies[body].kinematic;
  };
  const int link_1 = body_1 == kWorld ? kWorld : placements[body_1].link;
  const int link_2 = body_2 == kWorld ? kWorld : placements[body_2].link;
  if (link_1 == link_2)
    throw Error(where, "its two ends cannot move against each other",
                link_1 == kWorld
                    ? fmt::format("Both are fixed to the world; let one of them move or leave the {} out.", what)
                    : fmt::format("Only fixed joints lie between them; leave the {} out.", what));
  if (!answers(body_1) && !answers(body_2))
    throw Error(where, "no force can move either of its ends: they are kinematic or fixed",
                fmt::format("Tie something to them that answers to forces, or leave the {} out.", what));
}

void checkLoop(LoopSpec& loop, const std::vector<BodySpec>& bodies, std::vector<Warning>& warnings) {
  if (loop.kind != LoopKind::kJoint) {
    if (const std::string name = jointTypeName(jointTypeOf(loop)); name == "free" || name == "unknown")
      throw Error(placeOf(loop), fmt::format("type \"{}\" closes nothing", name),
                  "Take a type that holds something; what may only be pulled is a spring.");
    checkEnds(loop.body_1, loop.body_2, placeOf(loop), "loop", bodies);
    checkFrames(loop, warnings);
    if (!std::isfinite(loop.pitch))
      throw Error(placeOf(loop), fmt::format("pitch is {} m/rad", loop.pitch), "Give a finite number.");
    checkLoopSpring(loop, placeOf(loop), warnings);
    checkLoopFreedom(loop, placeOf(loop));
    return;
  }
  checkLoopSpring(loop, placeOf(loop), warnings);
  checkLoopFreedom(loop, placeOf(loop));
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
  checkEndLinks(loop.body_1, loop.body_2, placeOf(loop), "loop", bodies, placements);
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
      PartsOfFrames(spec, i, model.placements()).add(parts);
    }
    for (std::size_t k = first; k < parts.size(); ++k) parts[k].number = static_cast<int>(k - first);
  }
  return parts;
}

}  // namespace rigor
