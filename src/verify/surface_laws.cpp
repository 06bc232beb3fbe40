// Friction of surfaces: static and kinetic, along and across a grain, of turning; belts; soft contacts.
//
// Friction f (forces along two tangents, then torques about the normal and about the tangents) with velocities w of the same rows
// stays in Σ (fk/ck)² ≤ fn² and dissipates as much as anything in there: with fk/ck and ck wk that is a ball around zero.
#include "verify/limits.h"
#include "verify/substep.h"

namespace rigor::verify {
namespace {

constexpr Real kUpright = 1e-6L;    // a grain that stands on the surface has no direction in it
constexpr Real kAxesRounding = 16;  // times eps of a vector: its components along the axes of a contact

Real sizeOf(const Real* values, int count) {
  Real sum = 0;
  for (int k = 0; k < count; ++k) sum += values[k] * values[k];
  return std::sqrt(sum);
}

Vec directionOf(const World& world, const Motion& motion, int shape, const Vec& direction) {
  return frameOf(motion, world.shape_body[shape]).R * (world.solids[shape].frame.R * direction);
}

Vec along(const Vec& normal, const Vec& v) { return v - dot(normal, v) * normal; }

/// Of the recorded force, or torque, that row k is a component of.
Real recordedSize(const Push& push, int k) {
  return k < 3 ? sizeOf(push.impulse, 3) : sizeOf(push.impulse + 3, push.rows - 3);
}

}  // namespace

/// The most dissipative force of a ball is its own projection after a step against the slip; by how much it is not.
Real SubstepJudge::Rubbing::miss() const {
  Real wanted[kMostPushed - 1], off[kMostPushed - 1];
  for (int k = 0; k < count; ++k) wanted[k] = force[k] - slip[k];
  const Real length = sizeOf(wanted, count), shrink = length > radius ? radius / length : 1;
  for (int k = 0; k < count; ++k) off[k] = force[k] - shrink * wanted[k];
  return sizeOf(off, count);
}
Real SubstepJudge::Rubbing::forceSize() const { return sizeOf(force, count); }
Real SubstepJudge::Rubbing::slipSize() const { return sizeOf(slip, count); }

void SubstepJudge::alignAxes(Push& push) const {
  const Surface& surface = push.pair.surface;
  if (surface.ratio == 1) return;
  const int shape = surface.grain_of == 0 ? push.pair.shape_1 : push.pair.shape_2;
  const Vec direction = (1 / norm(surface.grain)) * surface.grain;
  const Vec grain = along(push.axes[0], directionOf(world_, data_->start, shape, direction));
  if (!(norm(grain) > kUpright)) return;
  push.axes[1] = (1 / norm(grain)) * grain;
  push.axes[2] = cross(push.axes[0], push.axes[1]);
}

/// Coefficients of the rows, 1 where one friction holds for all of them.
void SubstepJudge::scaleRows(Push& push, Real friction) const {
  const Surface& surface = push.pair.surface;
  const int shape = surface.grain_of == 0 ? push.pair.shape_1 : push.pair.shape_2;
  const Vec grain = directionOf(world_, data_->start, shape, (1 / norm(surface.grain)) * surface.grain);
  const bool grained = surface.ratio != 1 && norm(along(push.axes[0], grain)) > kUpright;
  if (push.rows == 3 && !grained) return;
  push.scale[1] = friction;
  push.scale[2] = grained ? surface.ratio * friction : friction;
  push.scale[3] = surface.torsion;
  push.scale[4] = push.scale[5] = surface.rolling;
  push.scaled = true;
}

/// Static where the contact was slower than the threshold, else kinetic.
Real SubstepJudge::frictionBySpeed(const Push& push) const {
  const Surface& surface = push.pair.surface;
  if (surface.friction == surface.friction_static) return surface.friction;
  const Vec belt = beltOf(push);
  const Real a = dot(push.J[1], data_->v) + dot(push.axes[1], belt);
  const Real b = dot(push.J[2], data_->v) + dot(push.axes[2], belt);
  return std::sqrt(a * a + b * b) < kStaticSpeed ? surface.friction_static : surface.friction;
}

/// Near the threshold, whichever coefficient fits; and a contact that comes to rest in the step has the static one.
SubstepJudge::Rubbing SubstepJudge::rubbingOf(const Push& push, const Real* u, Real weight, Real normal) const {
  const auto with = [&](Real friction) {
    Push one = push;
    if (push.scaled) scaleRows(one, friction);
    Rubbing rubbing;
    rubbing.count = push.rows - 1;
    rubbing.radius = push.scaled ? normal : friction * normal;
    for (int k = 0; k < rubbing.count; ++k) {
      const Real c = one.scale[k + 1], impulse = push.impulse[k + 1];
      // without a coefficient none may act, up to what the axes of the world round of the others
      const bool none = c == 0 && std::fabs(impulse) <= kAxesRounding * kEps * recordedSize(push, k + 1);
      rubbing.force[k] = none ? 0 : weight * impulse / (c > 0 ? c : kEps);
      rubbing.slip[k] = c * u[k + 1];
    }
    return rubbing;
  };
  const Surface& surface = push.pair.surface;
  if (surface.friction == surface.friction_static) return with(surface.friction);
  const Vec belt = beltOf(push);
  const Real a = dot(push.J[1], data_->v) + dot(push.axes[1], belt);
  const Real b = dot(push.J[2], data_->v) + dot(push.axes[2], belt);
  const Real speed = std::sqrt(a * a + b * b);
  if (speed < 0.9L * kStaticSpeed) return with(surface.friction_static);
  const Rubbing kinetic = with(surface.friction);
  if (speed > 1.1L * kStaticSpeed && u[1] * u[1] + u[2] * u[2] > kStaticSpeed * kStaticSpeed) return kinetic;
  const Rubbing at_rest = with(surface.friction_static);
  return kinetic.miss() < at_rest.miss() ? kinetic : at_rest;
}

Vec beltBetween(const World& world, const Motion& motion, const Pair& pair, const Vec& normal) {
  const Vec first = directionOf(world, motion, pair.shape_1, pair.surface.velocity[0]);
  const Vec second = directionOf(world, motion, pair.shape_2, pair.surface.velocity[1]);
  return along(normal, second - first);
}

Vec SubstepJudge::beltOf(const Push& push) const { return beltBetween(world_, data_->start, push.pair, push.axes[0]); }

/// Mean of the bodies that forces move.
Real SubstepJudge::kickOf(const Push& push) const { return kickBetween(push.pair.body_1, push.pair.body_2); }

Real SubstepJudge::kickBetween(int body_1, int body_2) const {
  Real sum = 0;
  int count = 0;
  for (const int body : {body_1, body_2}) {
    if (body == kWorldBody || world_.bodies[body].chain.empty() || world_.isPrescribed(body)) continue;
    sum += data_->kick[world_.bodies[body].chain.back()];
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

/// C λn/κ: how deep a soft contact is by its force.
Real SubstepJudge::softDepth(const Push& push) const {
  const Real kick = kickOf(push);
  return kick > 0 ? push.pair.surface.compliance * push.impulse[0] / kick : 0;
}

Real SubstepJudge::softDepthOf(std::int64_t contact) const {
  if (!world_.materials.haveSoft()) return 0;
  const std::optional<Pair> pair = world_.findPair(r_.contact_id[contact]);
  if (!pair || !(pair->surface.compliance > 0)) return 0;
  Push push;
  push.pair = *pair;
  for (int k = 0; k < 3; ++k)
    push.impulse[0] += Real(r_.contact_impulse[3 * contact + k]) * Real(r_.contact_normal[3 * contact + k]);
  // how deep it may be, no sub-step of length 0 decides
  return data_->h > 0 ? softDepth(push) : std::max<Real>(-r_.contact_gap_end[contact], 0);
}

void SubstepJudge::findSoftDepths() {
  soft_depths_.clear();
  if (!world_.materials.haveSoft()) return;
  for (std::int64_t c = r_.contact_start[data_->index]; c < r_.contact_start[data_->index + 1]; ++c)
    if (const std::optional<Pair> pair = world_.findPair(r_.contact_id[c])) {
      Real& depth = soft_depths_[std::pair(pair->shape_1, pair->shape_2)];
      depth = std::max(depth, softDepthOf(c));
    }
}

Real SubstepJudge::allowedDepth(int shape_1, int shape_2) const {
  const auto found = soft_depths_.find(std::pair(shape_1, shape_2));
  return found == soft_depths_.end() ? 0 : found->second;
}

}  // namespace rigor::verify
