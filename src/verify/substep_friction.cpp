// Friction by law dissipation or pyramid, and which coefficient acts.
#include "verify/limits.h"
#include "verify/substep.h"

namespace rigor::verify {

/// The same by law dissipation or pyramid, whose contacts have two rows of friction.
void SubstepJudge::judgeOtherLaw(const Push& push, const Told& told, const Scale& scale, bool guarded) {
  const Real normal = scale.weight * push.impulse[0], limit = scale.limit + told.floor;
  const auto name = [&](const char* what) { return [&, what] { return nameOf(push) + ": " + what; }; };
  const Vec friction = scale.weight * (push.impulse[1] * push.axes[1] + push.impulse[2] * push.axes[2]);
  const Real mu = frictionFor(push, friction, told.slip, std::max<Real>(normal, 0));
  const Real radius = mu * std::max<Real>(normal, 0), rest = friction_.room(push.axes, friction, radius);
  findings_.check(-rest / scale.size, limit / scale.size, &VerifyWorst::cone, name("friction outside its cone"));
  if (guarded) return;
  const Opposed opposed = opposedSlip(push, told.slip, mu);
  findings_.check(friction_.miss(push.axes, friction, opposed.velocity, radius) / scale.size,
                  (limit + opposed.known_to) / scale.size, &VerifyWorst::slip,
                  name("friction does not oppose the slip"));
  const Real pressure = std::fabs(normal) + norm(friction);
  judgeMode(push, {limit, scale.size, norm(told.slip), rest, pressure, mu > 0, limit});
}

/// Near the threshold, whichever coefficient fits; and a contact that comes to rest in the step has the static one.
Real SubstepJudge::frictionFor(const Push& push, const Vec& friction, const Vec& slip, Real normal) const {
  const Surface& surface = push.pair.surface;
  if (surface.friction == surface.friction_static) return surface.friction;
  const Vec belt = beltOf(push);
  const Real a = dot(push.J[1], data_->v_mean) + dot(push.axes[1], belt);
  const Real b = dot(push.J[2], data_->v_mean) + dot(push.axes[2], belt);
  const Real speed = std::sqrt(a * a + b * b);
  if (speed < 0.9L * kStaticSpeed) return surface.friction_static;
  if (speed > 1.1L * kStaticSpeed && norm(slip) > kStaticSpeed) return surface.friction;
  const bool kinetic = friction_.miss(push.axes, friction, slip, surface.friction * normal) <
                       friction_.miss(push.axes, friction, slip, surface.friction_static * normal);
  return kinetic ? surface.friction : surface.friction_static;
}

/// What friction opposes. By law dissipation that is ũ = ut + μs k, s = |ũ|, k = Wnt/(Wnn + R) of the contact alone. The simulator has the
/// normal row of some pose near the end of the step there: of the end, or of where the velocity at its start would have led.
/// How far that may have turned is how well k is known.
SubstepJudge::Opposed SubstepJudge::opposedSlip(const Push& push, const Vec& slip, Real mu) {
  if (world_.law != FrictionLaw::kDissipation || push.impulse[0] == 0 || given_) return {slip, 0};
  // R of a soft contact, of whose energy the spring has its part
  const Real kick = kickOf(push), time = data_->h > 0 ? data_->h : kick;
  const Real softness = kick > 0 ? push.pair.surface.compliance / (kick * time) : 0;
  const auto tilt = [&](const Row& normal) {
    const Row moved = mass_->solve(normal);
    return (1 / (dot(push.J[0], moved) + softness)) *
           (dot(push.J[1], moved) * push.axes[1] + dot(push.J[2], moved) * push.axes[2]);
  };
  Vec k = tilt(push.J[0]);
  Real turned = 0;
  if (data_->h > 0) {
    if (!predicted_) predicted_ = computeMotion(world_, move(world_, data_->q, data_->v, data_->h), {});
    const Vec start = k, other = tilt(normalRowAt(push, *predicted_));
    k = tilt(normalRowAt(push, data_->end));
    Real fastest = 0;  // rows at the end are by the rotation vector of the step, which turns them by half of it more
    for (const auto& [j, value] : push.J[0])
      fastest = std::max({fastest, std::fabs(data_->v[j]), std::fabs(data_->v_end[j])});
    turned = 2 * std::max(norm(k - start), norm(other - start)) + data_->h * fastest * (1 + norm(k));
  }
  const Real steep = mu * norm(k);
  if (!(steep < 1)) return {slip, norm(slip) * (1 + steep)};  // Painlevé: s need not exist; only the cone is judged
  Real lo = 0, hi = norm(slip) / (1 - steep);
  for (int i = 0; i < 100; ++i) {
    const Real s = (lo + hi) / 2;
    (norm(slip + (mu * s) * k) > s ? lo : hi) = s;
  }
  known_tilt_ = std::max(known_tilt_, turned);
  return {slip + (mu * hi) * k, mu * hi * turned / (1 - steep)};
}

}  // namespace rigor::verify
