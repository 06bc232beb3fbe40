#include "model/spring_parts.h"

#include <fmt/format.h>

#include <cmath>

#include "geometry/convert.h"
#include "model/check_body.h"
#include "model/joint_motion.h"
#include "model/merge_links.h"

namespace rigor {
namespace {

void checkSpringNumber(double value, const Place& where, const char* what, const char* unit) {
  if (std::isfinite(value) && value >= 0.0) return;
  throw Error(where, fmt::format("{} is {} {}", what, value, unit), "Give a finite number, zero or more.");
}

Place placeOf(const SpringSpec& spring) {
  Place where = spring.where;
  if (where.element.empty()) where.element = fmt::format("spring \"{}\"", spring.name);
  return where;
}

/// The freedoms of one loop.
class LoopSprings {
 public:
  LoopSprings(const LoopSpec& spec, int loop, const std::vector<BodyPlacement>& placements)
      : spec_(spec),
        type_(jointTypeOf(spec)),
        axes_(linkAxes(type_, spec.axis)),
        rest_(spec.spring_reference.size() > 0 ? spec.spring_reference : neutralCoordinates(type_)),
        frames_(attachFrames(spec.body_1, spec.X_1F, spec.body_2, spec.X_2F, placements)),
        loop_(loop) {}

  void add(std::vector<SpringPart>& parts) {
    const Vec3<double> columns[3] = {axes_.x, axes_.y, axes_.z};
    const int count = translationCount(type_);
    for (int k = 0; k < count; ++k) {
      SpringPart part = make(SpringAlong::kDirection, rest_[k]);
      part.direction = frames_.X_1.R * (count == 1 ? columns[2] : columns[k]);
      parts.push_back(part);
    }
    if (type_.rotation == Rotation::kAll) return addTurn(parts);
    if (type_.rotation == Rotation::kNone) return;
    SpringPart about_axis = make(SpringAlong::kAngle, rest_[count]);
    about_axis.turned = turnAboutAxis(frames_, axes_);
    about_axis.direction = frames_.X_1.R * axes_.z;
    about_axis.pitch = type_ == kHelical ? spec_.pitch : 0.0;
    parts.push_back(about_axis);
    if (type_.rotation != Rotation::kTwoAxes) return;
    // the second axis is e1 of frame 2: the axis of frame 1 turns about it, seen from frame 2
    SpringPart about_second = make(SpringAlong::kAngle, rest_[count + 1]);
    about_second.turned = {frames_.X_1.R * axes_.z, frames_.X_2.R * axes_.z, frames_.X_2.R * axes_.y, true};
    parts.push_back(about_second);
  }

 private:
  SpringPart make(SpringAlong along, double rest) const {
    SpringPart part;
    part.along = along;
    part.loop = loop_;
    part.link_1 = frames_.link_1, part.link_2 = frames_.link_2;
    part.X_1 = frames_.X_1, part.X_2 = frames_.X_2;
    part.stiffness = spec_.stiffness, part.damping = spec_.damping, part.rest = rest;
    return part;
  }
  void addTurn(std::vector<SpringPart>& parts) const {
    const int first = translationCount(type_);
    const Quat<double> rest{rest_[first], rest_[first + 1], rest_[first + 2], rest_[first + 3]};
    for (int k = 0; k < 3; ++k) {
      SpringPart part = make(SpringAlong::kTurn, 0.0);
      part.X_1.R = part.X_1.R * axes_ * toMatrix(rest) * transpose(axes_);
      part.entry = k;
      parts.push_back(part);
    }
  }

  const LoopSpec& spec_;
  JointType type_;
  Mat3<double> axes_;
  Eigen::VectorXd rest_;
  AttachedFrames frames_;
  int loop_;
};

}  // namespace

void checkSpring(const SpringSpec& spring, const std::vector<BodySpec>& bodies) {
  const Place where = placeOf(spring);
  checkEnds(spring.body_1, spring.body_2, where, "spring", bodies);
  for (const Eigen::Vector3d& point : {spring.point_1, spring.point_2})
    if (!point.allFinite()) throw Error(where, "a point is not finite", "Give three finite numbers in metres.");
  checkSpringNumber(spring.stiffness, where, "stiffness", "N/m");
  checkSpringNumber(spring.damping, where, "damping", "N s/m");
  checkSpringNumber(spring.length, where, "length", "m");
}

void checkSpringLinks(const SpringSpec& spring, const std::vector<BodySpec>& bodies,
                      const std::vector<BodyPlacement>& placements) {
  checkEndLinks(spring.body_1, spring.body_2, placeOf(spring), "spring", bodies, placements);
}

void checkLoopSpring(LoopSpec& loop, const Place& where, std::vector<Warning>& warnings) {
  checkSpringNumber(loop.stiffness, where, "stiffness", "N m/rad or N/m");
  checkSpringNumber(loop.damping, where, "damping", "N m s or N s/m");
  const JointType type = jointTypeOf(loop);
  const bool coupling = loop.kind == LoopKind::kJoint;
  if (coupling || velocityCount(type) == 0) {
    if (loop.stiffness == 0.0 && loop.damping == 0.0 && loop.spring_reference.size() == 0) return;
    throw Error(where, fmt::format("kind \"{}\" leaves nothing free for a spring or a damper", loopName(loop)),
                coupling ? "Put them on one of the joints that it ties." : "Take another kind, or leave them out.");
  }
  Eigen::VectorXd& rest = loop.spring_reference;
  if (rest.size() == 0) return;
  if (rest.size() != positionCount(type))
    throw Error(where, fmt::format("spring_reference has {} numbers, not {}", rest.size(), positionCount(type)),
                fmt::format("Give one per coordinate of kind \"{}\".", loopName(loop)));
  if (!rest.allFinite()) throw Error(where, "spring_reference is not finite", "Give finite numbers.");
  if (type.rotation != Rotation::kAll) return;
  const int first = translationCount(type);
  Eigen::Quaterniond turn(rest[first], rest[first + 1], rest[first + 2], rest[first + 3]);
  normalizeRotation(turn, where, "quaternion of spring_reference", warnings);
  rest.segment<4>(first) << turn.w(), turn.x(), turn.y(), turn.z();
}

SpringPart coordinateOf(LoopSpec loop, int index, const std::vector<BodyPlacement>& placements, double rest) {
  loop.spring_reference = Eigen::VectorXd::Constant(1, rest);
  std::vector<SpringPart> parts;
  LoopSprings(loop, index, placements).add(parts);
  return parts.front();
}

std::vector<SpringPart> makeSpringParts(const Model& model) {
  std::vector<SpringPart> parts;
  for (int i = 0; i < static_cast<int>(model.loops().size()); ++i) {
    const LoopSpec& loop = model.loops()[i];
    if (loop.stiffness > 0.0 || loop.damping > 0.0) LoopSprings(loop, i, model.placements()).add(parts);
  }
  for (int i = 0; i < static_cast<int>(model.springs().size()); ++i) {
    const SpringSpec& spec = model.springs()[i];
    const AttachedFrames frames =
        attachFrames(spec.body_1, {spec.point_1}, spec.body_2, {spec.point_2}, model.placements());
    SpringPart part;
    part.spring = i;
    part.link_1 = frames.link_1, part.link_2 = frames.link_2;
    part.X_1 = frames.X_1, part.X_2 = frames.X_2;
    part.stiffness = spec.stiffness, part.damping = spec.damping, part.rest = spec.length;
    parts.push_back(part);
  }
  return parts;
}

}  // namespace rigor
