#include "model/loop_freedoms.h"

#include <fmt/format.h>

#include <cmath>

#include "model/check_body.h"

namespace rigor {
namespace {

bool hasAny(const LoopSpec& loop) { return loop.range || loop.dry_friction != 0.0 || loop.motor.acts(); }

/// Nothing but the angle within half a turn is known of it.
bool tellsNoTurns(const LoopSpec& loop) {
  const JointType type = jointTypeOf(loop);
  return type == kHinge || (type == kHelical && loop.pitch == 0.0);
}

void checkStops(const LoopSpec& loop, const Place& where) {
  if (!loop.range) return;
  const auto [lower, upper] = *loop.range;
  if (!(lower <= upper))
    throw Error(where, fmt::format("lower limit {} is above upper limit {}", lower, upper),
                "The loop could never move. Swap the values, or leave the range out for a loop without stops.");
  if (tellsNoTurns(loop) && !(upper - lower <= 2.0 * M_PI - kLeastRest))
    throw Error(
        where,
        fmt::format("its range {} … {} rad is {:.4g} rad wide, and a hinge loop tells no turns", lower, upper,
                    upper - lower),
        fmt::format("Make it narrower than {:.4g} rad, leave it out, or make it a [[joint]], which counts turns.",
                    2.0 * M_PI - kLeastRest));
}

void checkMotor(const LoopMotor& motor, const Place& where) {
  checkNotNegative(motor.kp, where, "kp", "N m/rad or N/m");
  checkNotNegative(motor.kd, where, "kd", "N m s/rad or N s/m");
  checkNotNegative(motor.effort, where, "effort", "N m or N", true);
  if (!std::isfinite(motor.target) || !std::isfinite(motor.torque))
    throw Error(where, fmt::format("target is {} and torque {}", motor.target, motor.torque), "Give finite numbers.");
  if (std::fabs(motor.torque) > motor.effort)
    throw Error(where, fmt::format("torque {} is more than the effort {} of its motor", motor.torque, motor.effort),
                "Give less torque, or a stronger motor (effort).");
}

}  // namespace

double middleOf(const LoopSpec& loop) {
  if (!tellsNoTurns(loop)) return 0.0;
  return loop.range ? 0.5 * (loop.range->lower + loop.range->upper) : loop.motor.target;
}

void checkLoopFreedom(const LoopSpec& loop, const Place& where) {
  checkStops(loop, where);
  checkNotNegative(loop.dry_friction, where, "dry friction", "N m or N");
  checkMotor(loop.motor, where);
  const bool coupling = loop.kind == LoopKind::kJoint;
  if (!hasAny(loop) || (!coupling && velocityCount(jointTypeOf(loop)) == 1)) return;
  const std::string what =
      coupling ? "ties joints" : fmt::format("leaves {} freedoms", velocityCount(jointTypeOf(loop)));
  throw Error(where, fmt::format("kind \"{}\" {}: range, dry friction and a motor need one", loopName(loop), what),
              coupling ? "Put them on one of the joints that it ties."
                       : "Take a hinge, a slide or a helical, or put a light body between two of them.");
}

std::vector<LoopFreedom> makeLoopFreedoms(const Model& model) {
  std::vector<LoopFreedom> freedoms;
  for (int i = 0; i < static_cast<int>(model.loops().size()); ++i) {
    const LoopSpec& loop = model.loops()[i];
    if (!hasAny(loop)) continue;
    LoopFreedom& freedom = freedoms.emplace_back();
    freedom.loop = i;
    freedom.middle = middleOf(loop);
    freedom.along = coordinateOf(loop, i, model.placements(), freedom.middle);
    freedom.limited = loop.range.has_value();
    if (loop.range) freedom.lower = loop.range->lower, freedom.upper = loop.range->upper;
    freedom.dry_friction = loop.dry_friction;
    freedom.motor = loop.motor;
  }
  return freedoms;
}

}  // namespace rigor
