#include "event/friction_modes.h"

#include <algorithm>
#include <cmath>

#include "geometry/convert.h"
#include "geometry/gap.h"

namespace rigor {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

double cross(const Vector2d& a, const Vector2d& b) { return a[0] * b[1] - a[1] * b[0]; }

Vector2d cornerAt(const Held& held, int j) { return Vector2d(held.polygon->corner[j]); }
Vector2d middleAt(const Held& held, int j) { return Vector2d(held.polygon->middle[j]); }

/// Where friction points by law pyramid, along the tangents.
Vector2d pull(const Held& held) {
  return held.how == Hold::kEdge ? middleAt(held, held.corner) : cornerAt(held, held.corner);
}

/// By law coulomb. It goes on smoothly through a reversal, so that the time of one can be looked for: what moves against the direction of the
/// start of the piece slips backwards along it.
Vector3d slipDirection(const Held& held, const Vector3d& slip) {
  const Vector3d before = toEigen(held.direction);
  const double speed = slip.norm();
  if (!(speed > kRest)) return before;
  return (slip.dot(before) < 0.0 ? -1.0 : 1.0) / speed * slip;
}

}  // namespace

Tangents tangentsOf(const Held& held, const Vec3<double>& normal) {
  Vec3<double> t1, t2;
  makeTangents(normal, held.axis, t1, t2);
  Tangents tangents;
  tangents << t1.x, t1.y, t1.z, t2.x, t2.y, t2.z;
  return tangents;
}

Vector3d slidingFriction(const Held& held, const Tangents& tangents, const Vector3d& slip) {
  if (!held.polygon) return -held.mu * slipDirection(held, slip);
  const double reach = held.how == Hold::kEdge ? held.polygon->apothem : 1.0;
  return held.mu * reach * tangents.transpose() * pull(held);
}

Vector2d frictionAtStart(const Held& held, const double* force) {
  if (held.how == Hold::kStick) return {force[1], force[2]};
  Tangents tangents;
  tangents << toEigen(held.tangent_1).transpose(), toEigen(held.tangent_2).transpose();
  const Vector2d friction = force[0] * tangents * slidingFriction(held, tangents, Vector3d::Zero());
  return held.how == Hold::kEdge ? Vector2d(friction + force[1] * acrossEdge(held)) : friction;
}

Vector2d acrossEdge(const Held& held) {
  const Vector2d m = middleAt(held, held.corner);
  return {-m[1], m[0]};
}

double slipSpeed(const Held& held, const Tangents& tangents, const Vector3d& slip) {
  return held.polygon ? -pull(held).dot(tangents * slip) : slip.dot(toEigen(held.direction));
}

double sectorRoom(const Held& held, const Vector2d& slip, const Vector2d& slip_start) {
  const Vector2d right = middleAt(held, held.polygon->previous(held.corner)), left = middleAt(held, held.corner);
  const auto room = [](double now, double at_start) { return at_start <= kRest ? now + kRest : now; };
  return std::min(room(cross(right, -slip), cross(right, -slip_start)),
                  room(cross(-slip, left), cross(-slip_start, left)));
}

double frictionRoom(const Held& held, const double* force) {
  if (!held.isContact()) return held.bound - std::fabs(force[0]);
  const double radius = held.mu * force[0];
  if (held.how == Hold::kEdge) return radius * held.polygon->half_side - std::fabs(force[1]);
  if (!held.polygon) return radius - std::hypot(force[1], force[2]);
  const Vector2d friction(force[1], force[2]);
  return radius * held.polygon->apothem - middleAt(held, held.polygon->sideOf(friction[0], friction[1])).dot(friction);
}

void slipOnPolygon(const Vector2d& slip, Held& held) {
  const int side = held.polygon->sideOf(-slip[0], -slip[1]);
  const bool on_border = std::fabs(cross(middleAt(held, side), slip)) <= kRest;
  held.how = on_border ? Hold::kEdge : Hold::kSlip;
  held.rows = on_border ? 2 : 1;
  held.corner = on_border ? side : held.polygon->farthest(-slip[0], -slip[1]);
}

void beginSlip(const Vector2d& friction, const Vector2d& rate, double border, Held& held) {
  const double size = friction.norm(), speeds_up = rate.norm();
  held.begins = true;
  held.how = Hold::kSlip, held.rows = 1;
  const Vector2d d = size > 0.0        ? Vector2d(-friction / size)
                     : speeds_up > 0.0 ? Vector2d(rate / speeds_up)
                                       : Vector2d(1.0, 0.0);
  held.direction = d[0] * held.tangent_1 + d[1] * held.tangent_2;
  if (held.polygon) {
    held.corner = held.polygon->sideOf(friction[0], friction[1]);
    const double along = acrossEdge(held).dot(friction);
    if (size * held.polygon->half_side - std::fabs(along) > border)
      held.how = Hold::kEdge, held.rows = 2;
    else
      leaveEdge(along, held);
  }
  if (!(held.mu > 0.0)) held.polygon = nullptr, held.how = Hold::kSlip, held.rows = 1;
}

void leaveEdge(double along, Held& held) {
  held.how = Hold::kSlip, held.rows = 1;
  if (along > 0.0) held.corner = held.polygon->next(held.corner);
}

}  // namespace rigor
