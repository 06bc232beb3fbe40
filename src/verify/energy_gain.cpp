#include "verify/energy_gain.h"

#include <fmt/format.h>

#include <numeric>

#include "verify/breathing.h"
#include "verify/half_turns.h"
#include "verify/limits.h"
#include "verify/nodes.h"

namespace rigor::verify {
namespace {

template <class Numbers>
bool allZero(const Numbers& values) {
  return std::all_of(values.begin(), values.end(), [](auto x) { return x == 0; });
}

}  // namespace

EnergyGain::EnergyGain(const World& world, const Recording& recording)
    : world_(world),
      r_(recording),
      driven_(isDriven()),
      before_(recording.time.size(), 0),
      after_(recording.time.size(), 0),
      between_(recording.time.size(), 0),
      missed_(recording.time.size(), 0),
      breathes_(!world.event),
      curved_(recording.time.size(), 0),
      last_end_(world.nv, 0),
      midway_(world.nv, 0) {}

bool EnergyGain::isDriven() const {
  const bool moved = std::any_of(world_.prescribed.begin(), world_.prescribed.end(), [](char told) { return told; });
  const bool driven =
      std::any_of(world_.loops.begin(), world_.loops.end(), [](const Loop& loop) { return loop.motor.acts; });
  return moved || driven || world_.materials.haveBelts() || world_.materials.haveSoft() || world_.drives > 0 ||
         !allZero(r_.tau) || !allZero(r_.input_tau) || !r_.wrench_body.empty();
}

void EnergyGain::addSmooth(const SubstepData& data, Real error, bool known) {
  missed_[data.step] += kFourthOrder * error;
  breathes_ = breathes_ || !known;
  add(data, 0);
}

void EnergyGain::add(const SubstepData& data, Real curved) {
  if (driven_) return;
  Reals before(world_.nv, 0), after(world_.nv, 0), before_within(world_.nv, 0), after_within(world_.nv, 0);
  const bool smooth = r_.substep_smooth[data.index];
  breathes_ = breathes_ || (!smooth && data.h > 0);
  for (int j = 0; j < world_.nv; ++j) {
    const int tree = world_.tree[j];
    if (!data.takes[tree]) continue;
    // other integrators go from node to node, and strikes have no time: neither breathes
    // momenta are not known of a smooth sub-step, also where a damaged recording has one of stepper maximal
    const auto kick = [&] {
      return world_.maximal ? data.momentum.v_end[j] - data.momentum.v_begin[j] : data.v_end[j] - data.v[j];
    };
    const Real increment = smooth ? data.v_mean[j] - data.v[j] : data.kick[j] > 0 ? kick() : 0;
    const Real share = smooth || !(data.kick[j] > 0) ? 0 : data.h / (2 * data.kick[j]);
    (data.first[tree] ? before : before_within)[j] = (1 - share) * increment;
    (data.first[tree] ? after : after_within)[j] = share * increment;
    last_end_[j] = data.v_end[j];
    midway_[j] = !smooth && data.h > 0;
  }
  const auto kinetic = [&](const Reals& v) { return allZero(v) ? 0 : computeSums(world_, data.q, v).kinetic; };
  before_[data.step] += kinetic(before), after_[data.step] += kinetic(after);
  between_[data.step] += kinetic(before_within) - kinetic(after_within);
  curved_[data.step] = std::max(curved_[data.step], curved);
}

/// A scene that resets itself may have gone back to its start.
bool EnergyGain::endsAtStart() const {
  return world_.resets && rowOf(r_.q, r_.steps(), r_.nq) == rowOf(r_.q, 0, r_.nq);
}

/// No sub-step begins at the last node: how far its velocity is from v′ tells.
Real EnergyGain::breathingAtEnd() const {
  const std::int64_t end = r_.steps();
  Reals part(world_.nv, 0);
  for (int j = 0; j < world_.nv; ++j)
    if (midway_[j]) part[j] = Real(r_.v[end * r_.nv + j]) - last_end_[j];
  return computeSums(world_, rowOf(r_.q, end, r_.nq), part).kinetic;
}

/// What rounding does: to energies, and to positions that a velocity near rest is read from.
Real EnergyGain::roundingOfEnergies() const {
  Real size = 0;
  for (std::size_t i = 0; i < r_.energy.size(); i += 2)
    size = std::max<Real>(size, std::fabs(r_.energy[i]) + std::fabs(r_.energy[i + 1]));
  Real mass = 0;
  for (const Body& body : world_.bodies) mass += body.mass;
  const Real slow = kPositionFloor * kEps / r_.dt;  // [m/s] for places of a metre
  return 1e-10L * size + mass * slow * slow;
}

/// All that the nodes ever had, above their lowest potential: a gain that may be as large is none that could be denied.
Real EnergyGain::allEnergy() const {
  if (r_.energy.empty()) return 0;
  Real lowest = r_.energy[1], highest = 0;
  for (std::size_t i = 1; i < r_.energy.size(); i += 2) lowest = std::min<Real>(lowest, r_.energy[i]);
  for (std::size_t i = 0; i < r_.energy.size(); i += 2)
    highest = std::max(highest, Real(r_.energy[i]) + r_.energy[i + 1] - lowest);
  return highest;
}

void EnergyGain::judge(Verdict& verdict, Findings& findings) const {
  if (!world_.own.empty()) {
    verdict.unchecked.push_back("energy gain: own terms act, and how fast they let the system swing is not known");
    return;
  }
  if (driven_) {
    verdict.unchecked.push_back(
        "energy gain: torques, controllers, wrenches, kinematic bodies or belts drive the system, or "
        "soft contacts store energy");
    return;
  }
  const std::int64_t end = static_cast<std::int64_t>(r_.time.size()) - 1;
  const Breathing breathing = breathes_ ? breathingOfIslands(world_, r_) : Breathing{};
  const Real rounding = roundingOfEnergies(), all = allEnergy() + 2 * rounding;
  const Real limit = kBreathing * breathing.energy + rounding;
  if (kBreathing * breathing.fastest > 1)  // all kinetic energy of an island might be new
    verdict.unchecked.push_back(
        fmt::format("energy gain up to {:.3g} J: something swings or turns too fast for the steps, (h ω)² = {:.2g}; "
                    "shorter ones judge more",
                    static_cast<double>(limit), static_cast<double>(breathing.fastest)));
  const HalfTurns half_turns = findHalfTurns(world_, r_);
  if (half_turns.first >= 0)
    verdict.unchecked.push_back(fmt::format(
        "energy gain up to {:.3g} J: the spring of loop \"{}\" passes half a turn, first in step {}, and its "
        "torque turns round there",
        static_cast<double>(std::accumulate(half_turns.energy.begin(), half_turns.energy.end(), limit)),
        half_turns.name, half_turns.first));
  Real lowest = 0, work = 0, least_work = 0, kept = 0, turned = 0, missed = 0, last = 0;
  for (std::int64_t node = 0; node <= end; ++node) {
    const Real energy = Real(r_.energy[2 * node]) + r_.energy[2 * node + 1];
    const bool fresh = node == 0 || (r_.version > 1 && (node < r_.steps() ? r_.fresh[node] : endsAtStart()));
    if (fresh) {
      lowest = energy, work = least_work = kept = turned = missed = 0;
    } else {
      const Real before = node == end && r_.version > 1 ? breathingAtEnd() : before_[node];
      work += energy - before - last - between_[node - 1];
      kept = std::max(kept, curved_[node - 1]);
      turned += half_turns.energy[node];
      missed += missed_[node - 1];
    }
    lowest = std::min(lowest, energy), least_work = std::min(least_work, work);
    verdict.worst.energy_gain = std::max(verdict.worst.energy_gain, static_cast<double>(energy - lowest));
    findings.atStep(node);
    if (const Real allowed = limit + kept + turned + missed; allowed > all)
      verdict.gain_too_coarse = true;
    else
      findings.check(std::min(energy - lowest, work - least_work), allowed, &VerifyWorst::energy_gain,
                     [] { return std::string("energy gain"); });
    last = energy - after_[node];
  }
}

}  // namespace rigor::verify
