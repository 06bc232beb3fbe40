#include "stepping/spring_stretch.h"

#include "dynamics/jacobian.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

/// Equal and opposite forces along the line between the points: they have no moment together.
SpringStretch stretchOfLine(const SpringPart& part, const LoopEnd& end_1, const LoopEnd& end_2) {
  const Vec line = (end_2.origin - end_1.origin) + (end_2.X_OF.p - end_1.X_OF.p);
  const double length = norm(line);
  SpringStretch out;
  out.has_line = length > kNoLine;
  out.spring.value = length - part.rest;
  if (!out.has_line) return out;
  const Vec direction = (1.0 / length) * line;
  out.spring.F[0] = forceAt(end_2.X_OF.p, direction, {});
  out.spring.F[1] = forceAt(end_1.X_OF.p, -direction, {});
  out.damper = out.spring;
  return out;
}

/// The spring turns by the rotation vector, the damper resists the angular velocity.
SpringStretch stretchOfTurn(const SpringPart& part, const LoopEnd& end_1, const LoopEnd& end_2) {
  const Vec axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  LoopOpening turn;
  openTurn(end_1, end_2, turn);
  SpringStretch out;
  out.spring = {turn.g[part.entry], {turn.F[0][part.entry], turn.F[1][part.entry]}};
  out.damper.F[0] = {{}, axes[part.entry]};
  out.damper.F[1] = {{}, -axes[part.entry]};
  return out;
}

SpringStretch stretchOfAngle(const SpringPart& part, const LoopEnd& end_1, const LoopEnd& end_2,
                             const Kinematics<double>& kin) {
  SpringStretch out;
  out.spring = angleOf(part.turned, part.link_1, part.link_2, kin);
  double& angle = out.spring.value;
  if (part.pitch == 0.0) {
    angle -= part.rest;
    angle -= turnsTo(angle);
  } else {
    const double advance = distanceAlong(directionOf(part.link_1, part.direction, kin), end_1, end_2).value;
    angle += turnsTo(advance / part.pitch - angle) - part.rest;
  }
  out.damper = out.spring;
  return out;
}

}  // namespace

SpringStretch computeStretch(const SpringPart& part, const Topology& topology, const Kinematics<double>& kin) {
  const LoopEnd end_1 = findEnd(part.link_1, part.X_1, topology, kin);
  const LoopEnd end_2 = findEnd(part.link_2, part.X_2, topology, kin);
  switch (part.along) {
    case SpringAlong::kDistance:
      return stretchOfLine(part, end_1, end_2);
    case SpringAlong::kTurn:
      return stretchOfTurn(part, end_1, end_2);
    case SpringAlong::kAngle:
      return stretchOfAngle(part, end_1, end_2, kin);
    case SpringAlong::kDirection:
      break;
  }
  SpringStretch out;
  out.spring = distanceAlong(directionOf(part.link_1, part.direction, kin), end_1, end_2);
  out.spring.value -= part.rest;
  out.damper = out.spring;
  return out;
}

double springEnergy(const SpringPart& part, const Topology& topology, const Kinematics<double>& kin) {
  const double x = computeStretch(part, topology, kin).spring.value;
  return 0.5 * part.stiffness * x * x;
}

}  // namespace rigor
