// The law of contacts: no pull, friction inside its cone and against the slip, an impulse only where a gap closes.
#include "verify/limits.h"
#include "verify/substep.h"

namespace rigor::verify {
namespace {

constexpr Real kName = 4;        // times the limit of the law: how far inside its cone a contact may be called slipping
constexpr Real kStrikes = 2;     // times its threshold: the simulator asks the velocity in the middle of the kick
constexpr Real kShort = 0.011L;  // of the step: shorter parts come from halving

/// What must not become negative, h (un + ν): the gap at the end, or where there was overlap already, what it grew by.
/// Overlap that rounding made comes back: always of solids, of balls only where that is less.
Real gapToKeep(const Pair& pair, Real gap, Real gap_end) {
  if (!pair.ofBalls()) return gap > -kTouching || pair.isRound() ? gap_end : gap_end - gap;
  if (gap >= 0) return gap_end;
  return gap >= -kTouching && std::fabs(gap_end) < std::fabs(gap_end - gap) ? gap_end : gap_end - gap;
}

}  // namespace

void SubstepJudge::judgeLaws() {
  curved_work_ = 0;
  bounces_ = false;
  predicted_.reset();
  beginImpact();
  for (Push& push : pushes_) {
    Row pushed = push.J[0];  // all rows of a push are on the same freedoms
    for (std::size_t i = 0; i < pushed.size(); ++i) {
      pushed[i].second = 0;
      for (int k = 0; k < push.rows; ++k) pushed[i].second += push.J[k][i].second * push.impulse[k];
    }
    push.response = mass_->solve(pushed);
  }
  for (const Push& push : pushes_) {
    switch (push.kind) {
      case Push::kContact:
        judgeContact(push);
        break;
      case Push::kLimit:
        judgeLimit(push);
        break;
      case Push::kMotor:
        judgeMotor(push);
        break;
      case Push::kDryFriction: {
        const Real bound = data_->kick[push.freedom] * jointOf(push.freedom).dry_friction,
                   u = data_->v_end[push.freedom];
        judgeBox(push, {-bound, bound, u, u});
        break;
      }
      case Push::kLoop:
      case Push::kOwn:
        break;  // bilateral: any impulse will do
      case Push::kSpring:
        judgeSpring(push);
        break;
      case Push::kLoopFreedom:
        judgeFreedom(push);
        break;
    }
  }
  endImpact();
  findings_.require(data_->theta == 1 || bounces_, "theta is less than 1 where nothing bounces");
  judgeMissingFriction();
  judgeMissingSprings();
  judgeMissingFreedoms();
}

/// s = max(|b|, |Wλ|, dt·1 m/s²) with b = u − Wλ; the floor is that of impulses which nearly cancel.
SubstepJudge::Scale SubstepJudge::scaleOf(const Push& push, const Real* u) const {
  Scale scale{0, r_.dt, 0};
  Real floor = 0;
  const std::vector<int> beside = pushesBeside(push);
  for (int k = 0; k < push.rows; ++k) {
    scale.weight += push.scale[k] * push.scale[k] * dot(push.J[k], mass_->solve(push.J[k])) / push.rows;
    Real answer = 0, size = 0;
    for (const int other : beside) {
      const Real part = push.scale[k] * dot(push.J[k], pushes_[other].response);
      answer += part, size += std::fabs(part);
    }
    scale.size = std::max({scale.size, std::fabs(answer), std::fabs(push.scale[k] * u[k] - answer)});
    floor = std::max(floor, size);
  }
  scale.limit =
      kLaw * world_.accuracy * scale.size + std::min(kImpulseFloor * kEps * floor, kFloorCeiling * scale.size);
  return scale;
}

/// To how much the rate of a contact at a node is known where velocities are doubles [m/s]: those of its two points, which may move
/// with one arm and cancel. What one freedom of a chain rounds, all others of it feel.
Real SubstepJudge::rateRounding(const Push& push) const {
  const SubstepData& d = *data_;
  Real size = 0;
  for (const Vec& axis : push.axes) {
    Real sum = 0;
    for (const int body : {push.pair.body_1, push.pair.body_2}) {
      if (body == kWorldBody) continue;
      const std::vector<int>& chain = world_.bodies[body].chain;
      Real entries = 0, fastest = 0;
      for (const int j : chain) {
        entries += std::fabs(dot(d.start.columns[j].speedOf(push.touch.point), axis));
        fastest = std::max({fastest, std::fabs(d.v[j]), std::fabs(d.v_end[j])});
      }
      sum += static_cast<Real>(chain.size()) * fastest * entries;
    }
    size = std::max(size, sum);
  }
  return kRateFloor * kEps * size;
}

/// Velocities of the rows of a contact as its law sees them, and what else it is told.
SubstepJudge::Told SubstepJudge::tellContact(const Push& push) {
  const SubstepData& d = *data_;
  const Surface& surface = push.pair.surface;
  const Real gap = push.touch.gap, gap_end = push.touch_end.gap;
  const Move move{d.start, d.end, d.v_end, d.h};
  Told told;
  if (d.h > 0) {
    told.slip = (1 / d.h) * computeSlide(world_, push.pair, push.touch, push.touch_end, move);
    const Vec turn = push.rows > 3 ? (1 / d.h) * computeTurn(world_, push.pair, move) : Vec{};
    for (int k = 3; k < push.rows; ++k) told.u[k] = dot(turnAxis(push, k), turn);
    told.u[0] = (gap_end - gap) / d.h;
    told.shifted = (surface.compliance > 0 ? gap_end + softDepth(push) : gapToKeep(push.pair, gap, gap_end)) / d.h;
    // the simulator's natural map has μ|ut| in its normal row, and both are read from positions
    const Real sizes = (1 + surface.friction) * (push.touch.size + push.touch_end.size);
    told.floor = kPositionFloor * kEps * (sizes + 2 * (surface.torsion + surface.rolling)) / d.h;
  } else {
    for (int k = 0; k < push.rows; ++k) told.u[k] = dot(push.J[k], d.v_end);
    told.slip = told.u[1] * push.axes[1] + told.u[2] * push.axes[2];
    told.approach = dot(push.J[0], d.v);
    told.shifted = told.u[0];
    tellBounce(push, told);
    told.floor = (1 + surface.friction) * rateRounding(push);
    if (surface.compliance > 0 && !d.impact) {  // the pose that half a kick would lead to
      told.shifted = told.u[0] + (gap + softDepth(push)) / kickOf(push);
      told.floor += kPositionFloor * kEps * push.touch.size / kickOf(push);
    }
  }
  told.u[1] = dot(push.axes[1], told.slip), told.u[2] = dot(push.axes[2], told.slip);
  curved_work_ += curvedWorkOf(push, told.u);
  const Vec belt = beltOf(push);
  told.slip = told.slip + belt;
  told.u[1] += dot(push.axes[1], belt), told.u[2] += dot(push.axes[2], belt);
  return told;
}

void SubstepJudge::judgeContact(const Push& push) {
  const SubstepData& d = *data_;
  const bool pushes = std::any_of(push.impulse, push.impulse + push.rows, [](Real impulse) { return impulse != 0; });
  if (!pushes && d.h > 0) return;  // that it does not sink is checked for every pair
  const Told told = tellContact(push);
  const Scale scale = scaleOf(push, told.u);
  const Real limit = scale.limit + told.floor;
  const auto name = [&](const char* what) { return [&, what] { return nameOf(push) + ": " + what; }; };

  if (push.impulse[0] > 0 && pushesNothing(push, norm(told.slip)))
    findings_.require(false, (nameOf(push) + ": pushes where the shapes are not").c_str());

  // no pull, and no impulse without closing. A contact that is about to hit still approaches in the half kick before.
  const Real normal = scale.weight * push.impulse[0];
  findings_.check(-normal / scale.size, limit / scale.size, &VerifyWorst::cone, name("pulls"));
  const bool soft = push.pair.surface.compliance > 0;
  const bool waits = d.h == 0 && (!d.impact || world_.sequential) && push.impulse[0] == 0;
  // where the energy guard took back a part of the bounce, impulses are a mean of two answers: no less than asked for; but
  // what strikes alone is pressed in both, and gets just that. Of several islands θ is the least
  const bool guarded = d.impact && d.theta < 1;
  Real wrong = guarded && pushes_.size() > 1 ? std::min<Real>(told.shifted, 0) : std::min(normal, told.shifted);
  if (told.returned > 0 || told.asked >= 0) wrong = missedPressing(push, told, scale, guarded);
  // what closes within a time that is not resolved, at the velocity before or at the mean one of the half kick, touches
  const Real speed = std::max(std::fabs(told.approach), std::fabs(dot(push.J[0], d.v_mean)));
  if (d.h == 0 && push.touch.gap > kTouching + kUnresolved * r_.dt * speed) wrong = normal;
  if (soft && d.impact) wrong = normal;  // springs give nothing in no time
  if (!waits)
    findings_.check(std::fabs(wrong) / scale.size, limit / scale.size, &VerifyWorst::complementarity,
                    name("impulse without closing, or closing without impulse"));

  if (told.asked >= 0) judgeStronge(push, told, scale, guarded);
  given_ = (told.returned > 0 || told.asked >= 0) && told.u[0] > limit;

  // what strikes waits for the impact: in the half kick before it would be stopped without its bounce
  if (d.h == 0 && !d.impact && !soft && push.impulse[0] > 0 && -told.approach > kStrikes * push.pair.surface.threshold)
    findings_.require(pushedBefore(push), "a half kick stops what is about to strike");

  if (world_.law != FrictionLaw::kCoulomb) return judgeOtherLaw(push, told, scale, guarded);
  const Rubbing rubbing = rubbingOf(push, told.u, scale.weight, std::max<Real>(normal, 0));
  const Real rest = rubbing.radius - rubbing.forceSize();
  // a normal impulse is known to the limit, and the radius of a steep cone to μ times that
  const Real radius_limit = limit * (normal > 0 ? std::max<Real>(1, rubbing.radius / normal) : 1);
  findings_.check(-rest / scale.size, radius_limit / scale.size, &VerifyWorst::cone, name("friction outside its cone"));
  if (guarded) return;
  findings_.check(rubbing.miss() / scale.size, radius_limit / scale.size, &VerifyWorst::slip,
                  name("friction does not oppose the slip"));
  const Real pressure = std::fabs(normal) + rubbing.forceSize();
  judgeMode(push,
            {limit, scale.size, rubbing.slipSize(), rest, pressure, rubbing.radius > 0 || normal <= 0, radius_limit});
}

/// αλ·(J v′ − u): what the half of an impulse after its node does, beyond what the law was told.
Real SubstepJudge::curvedWorkOf(const Push& push, const Real* u) const {
  Real kick = 0, work = 0;
  for (const auto& [j, value] : push.J[0]) kick = std::max(kick, data_->kick[j]);
  for (int k = 0; k < push.rows; ++k) work += push.impulse[k] * (dot(push.J[k], data_->v_end) - u[k]);
  return kick > 0 ? data_->h / (2 * kick) * work : 0;
}

/// True also where the sub-step before is not known. Of solids any two features count: what runs around a rim has another name in every
/// sub-step.
bool SubstepJudge::pushedBefore(const Push& push) const {
  for (const int body : {push.pair.body_1, push.pair.body_2}) {
    const int tree = treeOf(body);
    if (tree < 0 || world_.prescribed[tree]) continue;
    const std::int64_t last = data_->last[tree];
    if (last < 0) return true;
    const auto isSame = [&](const RowId& id) {
      const RowId& own = r_.contact_id[push.entry];
      return push.pair.ofBalls() ? id == own : id.high >> 8 == own.high >> 8;
    };
    for (std::int64_t c = r_.contact_start[last]; c < r_.contact_start[last + 1]; ++c)
      if (isSame(r_.contact_id[c]) && norm(vectorAt(r_.contact_impulse, c)) > 0) return true;
  }
  return false;
}

/// The name that the solver gave the contact. It knows the impulses of a jam no better than their floor; the law has been asked.
void SubstepJudge::judgeMode(const Push& push, const Measured& measured) {
  const std::uint8_t mode = r_.contact_mode[push.entry];
  const auto name = [&](const char* what) { return [&, what] { return nameOf(push) + ": " + what; }; };
  const Real limit = measured.limit / measured.size;
  if (mode == 0)
    findings_.check(measured.pressure / measured.size, limit, nullptr, name("pushes although its mode is open"));
  if (push.impulse[0] == 0 || !measured.rubs) return;
  if (mode == 1)
    findings_.check(measured.slip, measured.limit + kStill, nullptr, name("slips although its mode is stick"));
  if (mode == 2)
    findings_.check(measured.rest / measured.size, kName * measured.radius_limit / measured.size, nullptr,
                    name("inside its cone although its mode is slip"));
}

/// A push outside the shapes, at the start and at the end of a sub-step: farther than they slide, and a fiftieth of the
/// smaller one. Where a step was cut into very short parts, what is outside may lie as far away as a whole step reaches.
bool SubstepJudge::pushesNothing(const Push& push, Real slip) const {
  const SubstepData& d = *data_;
  if (push.pair.ofBalls() || !(d.h > kShort * r_.dt)) return false;
  const Real allowed = std::min(push.pair.solid_1->bound, push.pair.solid_2->bound) / 50 + 2 * d.h * slip + kTouching;
  return outsideOf(push.pair, push.touch, d.start) > allowed && outsideOf(push.pair, push.touch_end, d.end) > allowed;
}

}  // namespace rigor::verify
