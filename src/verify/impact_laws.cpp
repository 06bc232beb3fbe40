// Impacts: sub-steps of no length and without a kick.
//
// By Newton's law an impact is one sub-step. Where a contact that strikes bounces by Poisson's or Stronge's law, all bodies that pushes tie to
// it have two: a compression in which nothing bounces, and a decompression. With λ, un⁻ and un of the compression, and Λ, un⁺ of the
// decompression,
//   Poisson  0 ≤ Λ − e λ ⟂ un⁺ ≥ 0        Stronge  Λ (un + un⁺) = −e² λ (un⁻ + un)        Newton beside them  0 ≤ Λ ⟂ un⁺ + e un⁻ ≥ 0
// No phase may leave more energy than there was before the impact. Sequential: contacts without an impulse wait, but not beyond the
// last impact in a row.
#include <numeric>

#include "verify/limits.h"
#include "verify/nodes.h"
#include "verify/substep.h"

namespace rigor::verify {
namespace {

constexpr Real kWork = 1e-8L;          // of the speeds: to how much Stronge's work is met
constexpr Real kImpactEnergy = 1e-9L;  // of the kinetic energies
constexpr Real kFaster = 1e-9L;        // of its threshold: how much faster a contact may approach after all impacts

}  // namespace

void SubstepJudge::forgetImpacts() {
  pending_.assign(world_.trees, 0), approaches_.assign(world_.trees, 0);
  compressed_.clear(), lost_.clear();
}

SubstepJudge::Phase SubstepJudge::phaseOf(const Push& push) const {
  for (const auto& [j, value] : push.J[0])
    if (!world_.prescribed[world_.tree[j]]) return phase_[world_.tree[j]];
  return Phase::kWhole;
}

/// Which trees are in which phase. Trees that pushes tie are in the same.
void SubstepJudge::beginImpact() {
  const SubstepData& d = *data_;
  if (pending_.empty()) forgetImpacts();
  phase_.assign(world_.trees, Phase::kWhole);
  given_ = false;
  for (int tree = 0; tree < world_.trees; ++tree) {
    if (!d.takes[tree]) continue;
    findings_.require(d.impact || !pending_[tree], "a compression without its decompression");
    findings_.require(d.impact || !approaches_[tree],
                      "something still approaches after the last of sequential impacts");
    if (d.impact && pending_[tree]) phase_[tree] = Phase::kSecond;
    pending_[tree] = approaches_[tree] = 0;
  }
  if (!d.impact) return;
  std::vector<int> group(world_.trees);
  std::iota(group.begin(), group.end(), 0);
  const auto first = [&](int tree) {
    while (group[tree] != tree) tree = group[tree];
    return tree;
  };
  const auto firstOf = [&](const Push& push) {
    for (const auto& [j, value] : push.J[0])
      if (!world_.prescribed[world_.tree[j]]) return first(world_.tree[j]);
    return -1;
  };
  for (const Push& push : pushes_)
    for (const auto& [j, value] : push.J[0]) {
      if (world_.prescribed[world_.tree[j]]) continue;
      const int a = firstOf(push), b = first(world_.tree[j]);
      group[std::max(a, b)] = std::min(a, b);
    }
  std::vector<char> phased(world_.trees, 0);
  for (const Push& push : pushes_) {
    if (push.kind != Push::kContact || firstOf(push) < 0) continue;
    const Surface& surface = push.pair.surface;
    const bool waits = world_.sequential && push.impulse[0] == 0;
    if (!waits && surface.bounce != Bounce::kNewton && surface.restitution > 0 && surface.compliance == 0 &&
        -dot(push.J[0], d.v) > surface.threshold)
      phased[firstOf(push)] = 1;
  }
  for (int tree = 0; tree < world_.trees; ++tree)
    if (d.takes[tree] && phased[first(tree)] && phase_[tree] == Phase::kWhole) phase_[tree] = Phase::kFirst;
}

/// What the restitution of a contact asks for in an impact.
void SubstepJudge::tellBounce(const Push& push, Told& told) {
  const SubstepData& d = *data_;
  const Surface& surface = push.pair.surface;
  const Phase phase = phaseOf(push);
  if (!d.impact || surface.restitution == 0 || surface.compliance > 0 || phase == Phase::kFirst) return;
  Compressed before{told.approach, 0, 0};
  if (phase == Phase::kSecond) {
    const auto known = compressed_.find(r_.contact_id[push.entry]);
    if (known == compressed_.end()) return;
    before = known->second;
  }
  if (!(-before.approach > surface.threshold)) return;
  bounces_ = true;
  if (phase == Phase::kWhole || surface.bounce == Bounce::kNewton)
    told.shifted += d.theta * surface.restitution * before.approach;
  else if (surface.bounce == Bounce::kPoisson)
    told.returned = surface.restitution * before.impulse;
  else if (before.impulse > 0)
    told.asked = -surface.restitution * surface.restitution * before.impulse * (before.approach + before.rate);
  told.rate = before.rate;
}

/// What is wrong with 0 ≤ Λ − f ⟂ un⁺ ≥ 0, as a velocity. f is not recorded for Stronge's law; of what the guard shortened it is a part.
Real SubstepJudge::missedPressing(const Push& push, const Told& told, const Scale& scale, bool guarded) const {
  if (told.asked >= 0) return std::min<Real>(told.shifted, 0);
  const Real share = guarded ? data_->theta : 1, excess = scale.weight * (push.impulse[0] - share * told.returned);
  return guarded ? std::min({excess, told.shifted, Real(0)}) : std::min(excess, told.shifted);
}

/// The work of the normal impulse, as the velocity that is missed; where the guard shortened it, no more than that.
void SubstepJudge::judgeStronge(const Push& push, const Told& told, const Scale& scale, bool guarded) {
  if (scale.weight * told.asked <= kWork * scale.size * scale.size) return;  // pressed by rounding alone
  const Real impulse = push.impulse[0], twice = told.rate + told.u[0];
  const Real miss = impulse > 0 ? twice - told.asked / impulse : told.asked > 0 ? -scale.size : 0;
  const Real limit = 4 * (scale.limit + told.floor) + kWork * (std::fabs(twice) + scale.size);
  findings_.check((guarded ? std::max<Real>(miss, 0) : std::fabs(miss)) / scale.size, limit / scale.size,
                  &VerifyWorst::complementarity, [&] { return nameOf(push) + ": not the work of Stronge's law"; });
}

void SubstepJudge::endImpact() {
  const SubstepData& d = *data_;
  if (!d.impact) return;
  judgeEnergyOfImpact();
  for (const Push& push : pushes_) {
    if (push.kind != Push::kContact) continue;
    const RowId id = r_.contact_id[push.entry];
    if (phaseOf(push) == Phase::kSecond) compressed_.erase(id);
    if (phaseOf(push) == Phase::kFirst)
      compressed_[id] = {dot(push.J[0], d.v), dot(push.J[0], d.v_end), push.impulse[0]};
    const bool strikes = -dot(push.J[0], d.v_end) > (1 + kFaster) * push.pair.surface.threshold;
    if (!world_.sequential || push.pair.surface.compliance > 0 || !strikes) continue;
    for (const auto& [j, value] : push.J[0]) approaches_[world_.tree[j]] = 1;
  }
  for (int tree = 0; tree < world_.trees; ++tree) pending_[tree] = pending_[tree] || phase_[tree] == Phase::kFirst;
}

/// Kinetic energy of all that take part. Belts and bodies that move as they are told may give some.
void SubstepJudge::judgeEnergyOfImpact() {
  const SubstepData& d = *data_;
  const bool told = std::any_of(world_.prescribed.begin(), world_.prescribed.end(), [](char is) { return is; });
  if (told || world_.materials.haveBelts()) return;
  const Real before = computeSums(world_, d.q, d.v).kinetic, after = computeSums(world_, d.q, d.v_end).kinetic;
  const int key = static_cast<int>(std::find(d.takes.begin(), d.takes.end(), 1) - d.takes.begin());
  const bool second = std::count(phase_.begin(), phase_.end(), Phase::kSecond) > 0;
  const auto lost = lost_.find(key);
  const Real allowed = second && lost != lost_.end() ? lost->second : 0;
  findings_.check((after - before - allowed) / (before + after + allowed + r_.dt * r_.dt),
                  world_.wider() * kImpactEnergy, nullptr, [] { return std::string("an impact gives energy"); });
  lost_[key] = std::max<Real>(before - after, 0);
}

}  // namespace rigor::verify
