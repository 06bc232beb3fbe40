#include "verify/ties.h"

namespace rigor::verify {
namespace {

constexpr Real kRound = 6.283185307179586476925286766559L;

/// The multiple of a whole turn that is nearest.
Real wholeTurns(Real angle) { return kRound * std::round(angle / kRound); }

struct TwoFrames {
  Pose X_1, X_2;
};
TwoFrames framesOf(const Loop& loop, const Motion& motion) {
  return {frameOf(motion, loop.body_1) * loop.frame_1, frameOf(motion, loop.body_2) * loop.frame_2};
}

/// Angle of frame 2 against frame 1 about z of the axes, which both have.
Real angleAboutAxis(const Mat& R_1, const Mat& R_2) { return std::atan2(dot(R_1.y, R_2.x), dot(R_1.x, R_2.x)); }

Real angleOfScrew(Real angle, Real advance, Real pitch) {
  return pitch == 0 ? angle : angle + wholeTurns(advance / pitch - angle);
}

std::vector<LoopPart> partsOf(const Loop& loop) {
  const Mat& axes = loop.axes;
  std::vector<LoopPart> parts;
  const auto add = [&](LoopPart::Kind kind, int rows, const Vec& first = {}, const Vec& second = {}) {
    parts.push_back({0, 0, rows, kind, first, second});
  };
  if (loop.couples) {
    add(LoopPart::kCoupling, 1);
    return parts;
  }
  const bool screw = loop.turn == Turn::kHelix;
  const auto addWays = [&] {
    if (loop.translations == 0 && !screw) add(LoopPart::kPoint, 3);
    if (loop.translations == 1 || screw) add(LoopPart::kAlong, 1, axes.x), add(LoopPart::kAlong, 1, axes.y);
    if (loop.translations == 2) add(LoopPart::kAlong, 1, axes.z);
    if (screw) add(LoopPart::kScrew, 1, axes.z);
  };
  const bool point_first = loop.translations == 0 && !screw && loop.turn != Turn::kTwoAxes;
  if (point_first) addWays();
  if (loop.turn == Turn::kNone) add(LoopPart::kTurn, 3);
  if (loop.turn == Turn::kTwoAxes) add(LoopPart::kPerpendicular, 1, axes.z, axes.x);
  if (loop.turn == Turn::kAxis || screw)
    add(LoopPart::kPerpendicular, 1, axes.x, axes.z), add(LoopPart::kPerpendicular, 1, axes.y, axes.z);
  if (!point_first) addWays();
  return parts;
}

/// Equal and opposite on both bodies, at one point.
void pushBoth(const World& world, const Motion& motion, int body_1, int body_2, const Vec& point, const Vec& force,
              const Vec& torque, Reals& generalised) {
  addWrench(world, motion, body_2, point, force, torque, 1, generalised);
  addWrench(world, motion, body_1, point, force, torque, -1, generalised);
}

Opening openingOfCoupling(const Loop& loop, const Reals& q) {
  Opening out;
  Real value = 0, size = 0;
  for (int k = 4; k >= 0; --k) {
    value = value * q[loop.q_2] + loop.coefficients[k];
    size = size * std::fabs(q[loop.q_2]) + std::fabs(loop.coefficients[k]);
  }
  out.g[0] = q[loop.q_1] - value;
  out.size = std::fabs(q[loop.q_1]) + size;
  return out;
}

/// b + s/2 θ × b + c θ × (θ × b): the transposed inverse of the left Jacobian of θ for s = 1, of the right one for s = −1.
Vec inverseJacobian(const Vec& theta, Real s, const Vec& b) {
  const Real square = dot(theta, theta), angle = std::sqrt(square);
  const Real c =
      angle < 1e-3L ? 1 / Real(12) + square / 720 : 1 / square - (1 + std::cos(angle)) / (2 * angle * std::sin(angle));
  const Vec once = cross(theta, b);
  return b + (s / 2) * once + c * cross(theta, once);
}

Vec axisOf(const Mat& R, int entry) { return entry == 0 ? R.x : (entry == 1 ? R.y : R.z); }

}  // namespace

std::vector<LoopPart> listLoopParts(const World& world) {
  std::vector<LoopPart> parts;
  for (int i = 0; i < static_cast<int>(world.loops.size()); ++i) {
    int number = 0;
    for (LoopPart& part : partsOf(world.loops[i])) {
      part.loop = i, part.part = number++;
      parts.push_back(part);
    }
  }
  return parts;
}

Opening computeOpening(const World& world, const LoopPart& part, const Motion& motion, const Reals& q) {
  const Loop& loop = world.loops[part.loop];
  if (loop.couples) return openingOfCoupling(loop, q);
  const auto [X_1, X_2] = framesOf(loop, motion);
  const Vec way = X_2.p - X_1.p;
  Opening out;
  out.size = 2;  // entries of rotations
  if (part.kind == LoopPart::kPerpendicular) {
    out.g[0] = dot(X_2.R * part.second, X_1.R * part.first);
  } else if (part.kind == LoopPart::kTurn) {
    const Vec g = turnBetween(X_1.R, X_2.R);
    out.g[0] = g.x, out.g[1] = g.y, out.g[2] = g.z;
  } else {
    out.size = sumOfSizes(X_1.p) + sumOfSizes(X_2.p);
    const Real along = dot(X_1.R * part.first, way);
    if (part.kind == LoopPart::kPoint) out.g[0] = way.x, out.g[1] = way.y, out.g[2] = way.z;
    if (part.kind == LoopPart::kAlong) out.g[0] = along;
    if (part.kind == LoopPart::kScrew) {
      const Real angle = angleOfScrew(angleAboutAxis(X_1.R * loop.axes, X_2.R * loop.axes), along, loop.pitch);
      out.g[0] = along - loop.pitch * angle;
      out.size += std::fabs(loop.pitch) * (2 + std::fabs(angle));
    }
  }
  return out;
}

void addLoopImpulse(const World& world, const LoopPart& part, const Motion& motion, const Reals& q, const Real* impulse,
                    Reals& generalised) {
  const Loop& loop = world.loops[part.loop];
  if (loop.couples) {
    Real slope = 0;
    for (int k = 4; k > 0; --k) slope = slope * q[loop.q_2] + k * loop.coefficients[k];
    generalised[loop.v_1] += impulse[0];
    generalised[loop.v_2] -= slope * impulse[0];
    return;
  }
  const auto [X_1, X_2] = framesOf(loop, motion);
  const Vec vector{impulse[0], impulse[1], impulse[2]}, direction = X_1.R * part.first;
  if (part.kind == LoopPart::kPoint) {
    addWrench(world, motion, loop.body_2, X_2.p, vector, {}, 1, generalised);
    addWrench(world, motion, loop.body_1, X_1.p, vector, {}, -1, generalised);
    return;
  }
  Vec force{}, torque = vector;
  if (part.kind == LoopPart::kPerpendicular) torque = impulse[0] * cross(X_2.R * part.second, direction);
  if (part.kind == LoopPart::kAlong || part.kind == LoopPart::kScrew) {
    force = impulse[0] * direction;
    torque = part.kind == LoopPart::kScrew ? -loop.pitch * force : Vec{};
  }
  pushBoth(world, motion, loop.body_1, loop.body_2, X_2.p, force, torque, generalised);
}

std::vector<SpringPart> listSprings(const World& world) {
  std::vector<SpringPart> springs;
  for (const Loop& loop : world.loops) {
    if (loop.couples || !(loop.stiffness > 0 || loop.damping > 0)) continue;
    SpringPart spring;
    spring.name = loop.name;
    spring.body_1 = loop.body_1, spring.body_2 = loop.body_2;
    spring.frame_1 = {loop.frame_1.R * loop.axes, loop.frame_1.p};
    spring.frame_2 = {loop.frame_2.R * loop.axes, loop.frame_2.p};
    spring.stiffness = loop.stiffness, spring.damping = loop.damping, spring.pitch = loop.pitch;
    const auto add = [&](SpringPart::Kind kind, int entry, Real rest) {
      spring.kind = kind, spring.entry = entry, spring.rest = rest;
      springs.push_back(spring);
    };
    const int n = loop.translations;
    for (int k = 0; k < n; ++k) add(SpringPart::kDirection, n == 1 ? 2 : k, loop.spring_rest[k]);
    if (loop.turn == Turn::kAll) {
      const Real* r = &loop.spring_rest[n];
      spring.frame_1.R = spring.frame_1.R * rotationOf({r[0], r[1], r[2], r[3]});
      for (int k = 0; k < 3; ++k) add(SpringPart::kTurn, k, 0);
    } else if (loop.turn != Turn::kNone) {
      add(SpringPart::kAngle, 2, loop.spring_rest[n]);
      if (loop.turn == Turn::kTwoAxes) add(SpringPart::kSecondAngle, 0, loop.spring_rest[n + 1]);
    }
  }
  for (const PointSpring& between : world.springs) {
    SpringPart spring;
    spring.name = between.name;
    spring.body_1 = between.body_1, spring.body_2 = between.body_2;
    spring.frame_1.p = between.point_1, spring.frame_2.p = between.point_2;
    spring.stiffness = between.stiffness, spring.damping = between.damping, spring.rest = between.length;
    springs.push_back(spring);
  }
  return springs;
}

Stretch computeStretch(const SpringPart& spring, const Motion& motion) {
  const Pose X_1 = frameOf(motion, spring.body_1) * spring.frame_1,
             X_2 = frameOf(motion, spring.body_2) * spring.frame_2;
  const Vec way = X_2.p - X_1.p;
  Stretch out;
  out.size = sumOfSizes(X_1.p) + sumOfSizes(X_2.p) + std::fabs(spring.rest) + 4;
  switch (spring.kind) {
    case SpringPart::kDirection:
      out.x = dot(axisOf(X_1.R, spring.entry), way) - spring.rest;
      break;
    case SpringPart::kAngle:
    case SpringPart::kSecondAngle: {
      const Real angle = spring.kind == SpringPart::kAngle ? angleAboutAxis(X_1.R, X_2.R)
                                                           : std::atan2(dot(X_2.R.y, X_1.R.z), dot(X_2.R.z, X_1.R.z));
      out.x = angleOfScrew(angle, dot(X_1.R.z, way), spring.pitch) - spring.rest;
      if (spring.pitch == 0) out.x -= wholeTurns(out.x);
      out.size += std::fabs(out.x);
      break;
    }
    case SpringPart::kTurn: {
      const Vec theta = turnBetween(X_1.R, X_2.R);
      out.x = spring.entry == 0 ? theta.x : (spring.entry == 1 ? theta.y : theta.z);
      break;
    }
    case SpringPart::kDistance:
      out.x = norm(way) - spring.rest;
      out.has_line = norm(way) > 1e-12L;
      break;
  }
  return out;
}

void addSpringRow(const World& world, const SpringPart& spring, bool damps, const Motion& motion, Reals& generalised) {
  const Pose X_1 = frameOf(motion, spring.body_1) * spring.frame_1,
             X_2 = frameOf(motion, spring.body_2) * spring.frame_2;
  const Vec way = X_2.p - X_1.p;
  const auto push = [&](const Vec& force, const Vec& torque) {
    pushBoth(world, motion, spring.body_1, spring.body_2, X_2.p, force, torque, generalised);
  };
  if (spring.kind == SpringPart::kDirection) push(axisOf(X_1.R, spring.entry), {});
  if (spring.kind == SpringPart::kDistance && norm(way) > 0) push((1 / norm(way)) * way, {});
  // the axes of frames that are joined are those of the joint
  if (spring.kind == SpringPart::kAngle) push({}, X_1.R.z);
  if (spring.kind == SpringPart::kSecondAngle) push({}, X_2.R.x);
  if (spring.kind != SpringPart::kTurn) return;
  const Vec axis = axisOf({}, spring.entry), theta = turnBetween(X_1.R, X_2.R);
  addWrench(world, motion, spring.body_2, X_2.p, {}, damps ? axis : inverseJacobian(theta, 1, axis), 1, generalised);
  addWrench(world, motion, spring.body_1, X_2.p, {}, damps ? axis : inverseJacobian(theta, -1, axis), -1, generalised);
}

Real energyOfSprings(const std::vector<SpringPart>& springs, const Motion& motion) {
  Real sum = 0;
  for (const SpringPart& spring : springs) {
    const Real x = computeStretch(spring, motion).x;
    sum += spring.stiffness * x * x / 2;
  }
  return sum;
}

}  // namespace rigor::verify
