#include "rigor/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "io/file.h"
#include "verify/discrete_momentum.h"
#include "verify/ledger_substep.h"
#include "verify/nodes.h"
#include "verify/read_substep.h"
#include "verify/recording_check.h"
#include "verify/smooth_way.h"

namespace rigor {
namespace verify {
namespace {

Real springEnergy(const World& world, const Reals& q) {
  const Reals way = stretch(world, q);
  const std::vector<SpringPart> ties = listSprings(world);
  Real sum = ties.empty() ? 0 : energyOfSprings(ties, computeMotion(world, q, {}));
  for (const Body& body : world.bodies)
    for (const Joint& joint : body.joints)
      for (int k = joint.v; k < joint.v + joint.nv && !world.prescribed[world.tree[k]]; ++k)
        sum += joint.stiffness * way[k] * way[k] / 2;
  return sum;
}

/// Enters the sub-steps of a recording in order.
class LedgerWalk {
 public:
  LedgerWalk(const World& world, const Recording& recording)
      : world_(world),
        r_(recording),
        book_(recording.steps()),
        momentum_(world, recording),
        substep_(world, recording, book_),
        way_(world, recording) {}

  void run() {
    Verdict verdict;  // what does not hold is the business of verifyRecording
    Findings findings(verdict);
    for (std::int64_t step = 0; step < r_.steps(); ++step) {
      std::vector<char> began(world_.trees, 0);
      for (std::int64_t s = r_.substep_start[step]; s < r_.substep_start[step + 1]; ++s) {
        SubstepData data = readSubstep(world_, r_, step, s, findings);
        for (int tree = 0; tree < world_.trees; ++tree)
          if (data.takes[tree] && !began[tree]) data.first[tree] = began[tree] = 1;
        if (r_.substep_smooth[s] && world_.event && enterWay(data)) continue;
        if (r_.substep_smooth[s])
          substep_.enterSmooth(data, kickToNode(s), endOfSmooth(s));
        else
          enter(data);
      }
      substep_.endStep(step, step + 1 < r_.steps() && r_.fresh[step + 1]);
    }
  }

  /// Stepper event: the powers of all forces, integrated along the way. False where a law cannot be followed.
  bool enterWay(SubstepData& data) {
    data.q_end = endOfSmooth(data.index);
    way_.begin(data);
    if (!(data.h > 0) || !way_.isKnown()) return false;
    constexpr int kPieces = 2;
    const Powers work = way_.go(kPieces).work;
    for (int account = 0; account < kAccounts; ++account)
      book_.add(static_cast<Account>(account), data.step, work[account]);
    return true;
  }

  void enter(SubstepData& data) {
    if (world_.maximal) {
      data.q_end = move(world_, data.q, data.v_end, data.h);
      data.start = computeMotion(world_, data.q, {});
      data.end = computeMotion(world_, data.q_end, {});
      momentum_.enter(data);
    }
    substep_.enter(data);
  }

  EnergyLedger close() const {
    EnergyLedger ledger;
    const std::int64_t steps = r_.steps() - (endIsKnown() ? 0 : 1);
    Real energy = 0;
    for (std::int64_t node = 0; node <= steps && r_.steps() > 0; ++node) {
      const Reals q = rowOf(r_.q, node, r_.nq);
      const Sums sums = computeSums(world_, q, rowOf(r_.v, node, r_.nv));
      if (node > 0) closeStep(node - 1, sums.kinetic + sums.potential - energy, ledger);
      energy = sums.kinetic + sums.potential;
      ledger.time.push_back(r_.time[node]);
      ledger.energy.push_back(static_cast<double>(energy));
      ledger.springs.push_back(static_cast<double>(springEnergy(world_, q)));
    }
    return ledger;
  }

 private:
  void closeStep(std::int64_t step, Real change, EnergyLedger& ledger) const {
    Accounts work;
    for (int account = 0; account < kAccounts; ++account) work[account] = static_cast<double>(book_.of(step, account));
    Real left = change - book_.sum(step);
    if (step + 1 < r_.steps() && r_.fresh[step + 1])
      work[static_cast<int>(Account::kSet)] = static_cast<double>(std::exchange(left, 0));
    ledger.work.push_back(work);
    ledger.remainder.push_back(static_cast<double>(left));
  }

  /// The velocity of the last node is known where a step leads to it; unless the scene then went back to its start.
  bool endIsKnown() const {
    if (r_.steps() == 0 || !r_.substep_smooth.back()) return r_.steps() == 0;
    return !world_.resets || rowOf(r_.q, r_.steps(), r_.nq) != rowOf(r_.q, 0, r_.nq);
  }
  /// Length of the half kick that leads from the velocity carried into a sub-step of another integrator to its node.
  Real kickToNode(std::int64_t s) const {
    const std::int64_t step =
        std::upper_bound(r_.substep_start.begin(), r_.substep_start.end(), s) - r_.substep_start.begin() - 1;
    const bool fresh = r_.fresh[step] && s == r_.substep_start[step];
    return s == 0 || fresh || r_.substep_smooth[s - 1] ? 0 : Real(r_.substep_h[s - 1]) / 2;
  }
  Reals endOfSmooth(std::int64_t s) const {
    if (s + 1 < static_cast<std::int64_t>(r_.substep_h.size())) return rowOf(r_.substep_q, s + 1, r_.nq);
    return rowOf(r_.q, r_.steps(), r_.nq);
  }

  const World& world_;
  const Recording& r_;
  LedgerBook book_;
  DiscreteMomentum momentum_;
  LedgerSubstep substep_;
  SmoothWay way_;
};

}  // namespace
}  // namespace verify

double EnergyLedger::total(Account account) const {
  long double sum = 0;
  for (const Accounts& step : work) sum += step[static_cast<int>(account)];
  return static_cast<double>(sum);
}

double EnergyLedger::totalRemainder() const {
  return static_cast<double>(std::accumulate(remainder.begin(), remainder.end(), 0.0L));
}

int EnergyLedger::worstStep() const {
  const auto smaller = [](double a, double b) { return std::fabs(a) < std::fabs(b); };
  const auto worst = std::max_element(remainder.begin(), remainder.end(), smaller);
  return worst == remainder.end() ? -1 : static_cast<int>(worst - remainder.begin());
}

EnergyLedger computeLedger(const Recording& recording) {
  const verify::World world = verify::readWorld(recording.header);
  verify::checkSizes(world, recording);
  verify::checkFinite(recording);
  if (recording.version == 1) {
    EnergyLedger none;
    none.missing = "version 1 of recordings has no sub-steps";
    return none;
  }
  if (!world.own.empty()) {
    EnergyLedger none;
    none.missing = "own potentials and constraints act, and no recording has their functions";
    return none;
  }
  verify::LedgerWalk walk(world, recording);
  walk.run();
  return walk.close();
}

void saveLedger(const std::string& file, const EnergyLedger& ledger) {
  std::string text = "time,energy,springs,change";
  for (const char* name : kAccountNames) text += fmt::format(",{}", name);
  text += ",remainder\n";
  for (int step = 0; step < ledger.steps(); ++step) {
    text += fmt::format("{},{},{},{}", ledger.time[step], ledger.energy[step], ledger.springs[step],
                        ledger.energy[step + 1] - ledger.energy[step]);
    for (const double work : ledger.work[step]) text += fmt::format(",{}", work);
    text += fmt::format(",{}\n", ledger.remainder[step]);
  }
  writeFile(file, text);
}

}  // namespace rigor
