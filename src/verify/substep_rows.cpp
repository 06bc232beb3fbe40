// The laws of single rows: joint limits, springs and dampers, motors, dry friction.
#include <fmt/format.h>

#include "verify/limits.h"
#include "verify/substep.h"

namespace rigor::verify {

void SubstepJudge::judgeLimit(const Push& push) {
  const SubstepData& d = *data_;
  const Joint& joint = jointOf(push.freedom);
  findings_.require(joint.limited, "a limit pushes a joint without a range");
  if (!joint.limited) return;
  const Real bound = push.upper ? joint.upper : joint.lower, sign = push.upper ? -1 : 1;
  const Real gap = sign * (d.q[joint.q] - bound), gap_end = sign * (d.q_end[joint.q] - bound);
  const Real u = d.h > 0 ? (gap_end - gap) / d.h : sign * d.v_end[push.freedom];
  const Real floor = d.h > 0
                         ? kPositionFloor * kEps * (std::fabs(bound) + std::fabs(d.q[joint.q]) + 1) / d.h
                         : kRateFloor * kEps * std::max(std::fabs(d.v[push.freedom]), std::fabs(d.v_end[push.freedom]));
  const Real fastest = std::max(std::fabs(d.v[push.freedom]), std::fabs(d.v_mean[push.freedom]));
  judgeStop(push, {gap, gap_end, u, fastest, floor});
}

/// An impulse only where a gap closes, and no pull: that the gap is kept is checked for every range.
void SubstepJudge::judgeStop(const Push& push, const Stop& stop) {
  const SubstepData& d = *data_;
  if (push.impulse[0] == 0) return;
  const auto& [gap, gap_end, u, fastest, floor] = stop;
  const Real shifted = d.h > 0 ? (gap >= 0 ? gap_end : gap_end - gap) / d.h : u;
  const Scale scale = scaleOf(push, &u);
  const Real normal = scale.weight * push.impulse[0];
  const bool open = d.h == 0 && gap > kTouching + kUnresolved * r_.dt * fastest;
  const bool guarded = d.impact && d.theta < 1;  // as for contacts
  const Real wrong = open ? normal : guarded ? std::min<Real>(shifted, 0) : std::min(normal, shifted);
  findings_.check(std::fabs(wrong) / scale.size, (scale.limit + floor) / scale.size, &VerifyWorst::complementarity,
                  [&] { return nameOf(push) + ": impulse without closing"; });
}

/// A spring has the impulse −k κ x of its stretch at the start; one that is too stiff for that the mean stretch of each half of the
/// kick; a damper that of its mean rate. What is missed counts as the velocity that it causes where the row answers: λ = −A − B u.
void SubstepJudge::judgeSpring(const Push& push) {
  const SubstepData& d = *data_;
  const SpringPart& spring = springs_[push.spring];
  const Real kick = kickBetween(spring.body_1, spring.body_2), h_last = 2 * kick - d.h;
  if (kick == 0) return findings_.require(push.impulse[0] == 0, "a spring or a damper pushes in an impact");
  const Real before = dot(push.J[0], d.v), after = dot(push.J[0], d.v_end);
  const Scale scale = scaleOf(push, &after);
  const Stretch stretch = computeStretch(spring, d.start);
  const auto miss = [&](Real A, Real B) {
    return scale.weight / (1 + scale.weight * B) * std::fabs(push.impulse[0] + A + B * after);
  };
  const Real k = spring.stiffness, half = kick * spring.damping / 2, end = k * d.h * d.h / 4;
  const Real soft = miss(k * kick * stretch.x, 0);
  const Real stiff = miss(k * (kick * stretch.x - h_last * h_last * before / 4), end);
  const Real wrong = push.damps ? miss(half * before, half) : std::min(soft, stiff);
  const Real answers = scale.weight / (1 + scale.weight * (push.damps ? half : stiff < soft ? end : 0));
  const Real floor = push.damps ? 0 : kPositionFloor * kEps * answers * k * kick * stretch.size;
  findings_.check(wrong / scale.size, (scale.limit + floor) / scale.size, &VerifyWorst::complementarity,
                  [&] { return nameOf(push) + ": not what its stretch and its speed ask for"; });
}

/// Springs and dampers act whenever there is a kick.
void SubstepJudge::judgeMissingSprings() {
  std::vector<char> acts(2 * springs_.size(), 0);
  for (const Push& push : pushes_)
    if (push.kind == Push::kSpring) acts[2 * push.spring + push.damps] = 1;
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    const SpringPart& spring = springs_[i];
    if (!isKicked(spring.body_1) && !isKicked(spring.body_2)) continue;
    if (!computeStretch(spring, data_->start).has_line) continue;
    const bool all = (spring.stiffness == 0 || acts[2 * i]) && (spring.damping == 0 || acts[2 * i + 1]);
    findings_.require(all, fmt::format("spring \"{}\" or its damper is missing", spring.name).c_str());
  }
}

void SubstepJudge::judgeMotor(const Push& push) {
  const Joint& joint = jointOf(push.freedom);
  const Real kick = data_->kick[push.freedom];
  if (kick == 0) return findings_.require(push.impulse[0] == 0, "a motor pushes in an impact");
  // inside the bounds the motor is PD: λ = κ (kp (q* − q − h v′) − kd v′)
  const Real stiffness = joint.kd + data_->h * joint.kp, bound = kick * joint.effort;
  const Real spring = joint.kp * (targetOf(joint) - data_->q[joint.q]);
  if (stiffness == 0) {  // a half kick without damping: no speed changes the torque
    const Real held = std::min(std::max(kick * spring, -bound), bound);
    return findings_.require(std::fabs(push.impulse[0] - held) <= kEps * 16 * std::fabs(held),
                             "a motor's half kick is not what its stretch asks for");
  }
  const Real u = data_->v_end[push.freedom];
  judgeBox(push, {-bound, bound, u, u - spring / stiffness + push.impulse[0] / (kick * stiffness)});
}

bool SubstepJudge::isKicked(int body) const {
  const int tree = treeOf(body);
  return tree >= 0 && !world_.prescribed[tree] && data_->takes[tree] && data_->kick[world_.tree_freedoms[tree][0]] > 0;
}

/// λ stays in its box, and is at the bound that opposes û wherever û is not zero.
void SubstepJudge::judgeBox(const Push& push, const Box& box) {
  const Scale scale = scaleOf(push, &box.u);
  const Real wanted = push.impulse[0] - box.shifted / scale.weight;
  const Real projected = std::clamp(wanted, box.lo, box.hi);
  findings_.check(scale.weight * std::fabs(push.impulse[0] - projected) / scale.size,
                  (scale.limit + box.floor) / scale.size, &VerifyWorst::complementarity,
                  [&] { return nameOf(push) + ": not what its speed asks for"; });
}

/// Dry friction acts whenever its joint has a kick: without a row it would be zero.
void SubstepJudge::judgeMissingFriction() {
  std::vector<char> acts(world_.nv, 0);
  for (const Push& push : pushes_)
    if (push.kind == Push::kDryFriction) acts[push.freedom] = 1;
  for (int k = 0; k < world_.nv; ++k) {
    if (jointOf(k).dry_friction == 0 || data_->kick[k] == 0) continue;
    if (!acts[k])
      findings_.check(std::fabs(data_->v_end[k]), 0, nullptr,
                      [&] { return fmt::format("dry friction of \"{}\" is missing", world_.freedom[k]); });
  }
}

}  // namespace rigor::verify
