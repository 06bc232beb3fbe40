#include "rigor/verify.h"

#include <fmt/format.h>

#include <memory>

#include "verify/discrete_momentum.h"
#include "verify/energy_gain.h"
#include "verify/limits.h"
#include "verify/mean_velocity.h"
#include "verify/nodes.h"
#include "verify/prescribed.h"
#include "verify/read_substep.h"
#include "verify/recording_check.h"
#include "verify/smooth_judge.h"
#include "verify/substep.h"

namespace rigor {
namespace verify {
namespace {

bool sameBits(const std::vector<double>& a, std::int64_t row_a, const std::vector<double>& b, std::int64_t row_b,
              int width) {
  return std::equal(a.begin() + row_a * width, a.begin() + (row_a + 1) * width, b.begin() + row_b * width);
}

/// Goes through the sub-steps of a recording in order.
class Walk {
 public:
  Walk(const World& world, const Recording& recording, Verdict& verdict)
      : world_(world),
        r_(recording),
        verdict_(verdict),
        findings_(verdict),
        judge_(world, recording, findings_),
        smooth_judge_(world, recording, findings_),
        mean_(world, recording),
        momentum_(world, recording),
        gain_(world, recording),
        past_(world.trees) {}

  void run(const std::function<void(std::int64_t)>& judged) {
    for (std::int64_t step = 0; step < r_.steps(); ++step) {
      findings_.atStep(step);
      judgeStep(step);
      if (judged) judged(step + 1);
    }
    findings_.atStep(r_.steps());
    if (r_.steps() > 0) judgeEnd();
  }
  /// Version 1: positions of the nodes are all there is.
  void runNodes() {
    if (!r_.time.empty()) judge_.begin(rowOf(r_.q, 0, r_.nq));
    for (std::int64_t node = 0; node + 1 < static_cast<std::int64_t>(r_.time.size()); ++node) {
      findings_.atStep(node);
      judgeWay(rowOf(r_.q, node, r_.nq), rowOf(r_.q, node + 1, r_.nq));
    }
  }
  void judgeEnergyGain() { gain_.judge(verdict_, findings_); }
  Findings& findings() { return findings_; }

 private:
  /// What the last sub-step of a tree left.
  struct Past {
    std::int64_t substep = -1;           ///< −1: none yet
    std::shared_ptr<const Reals> q_end;  ///< [nq of all trees] where it led; none if that is not known
    Real winding = 0;  ///< [rad or m] the longest way of a freedom in it: what turns far rounds as much more
  };

  void judgeStep(std::int64_t step) {
    const std::int64_t first = r_.substep_start[step], end = r_.substep_start[step + 1];
    verdict_.restarts += r_.fresh[step];
    if (r_.fresh[step]) judge_.begin(rowOf(r_.q, step, r_.nq));
    findings_.require(step > 0 || r_.fresh[0], "the first step follows from nothing");
    Reals length(world_.trees, 0);
    std::vector<std::int64_t> count(world_.trees, 0);
    Real penetration = 0;
    for (std::int64_t s = first; s < end; ++s) {
      SubstepData data = readSubstep(world_, r_, step, s, findings_);
      judgePrescribed(world_, r_, data, elapsedBefore(data, length), findings_);
      for (int tree = 0; tree < world_.trees; ++tree) {
        if (!data.takes[tree] || world_.prescribed[tree]) continue;
        data.first[tree] = count[tree]++ == 0;
        length[tree] += data.h;
        judgeStart(data, tree);
      }
      judgeSubstep(data);
      ++verdict_.substeps;
      for (std::int64_t c = r_.contact_start[s]; c < r_.contact_start[s + 1]; ++c)
        penetration = std::max<Real>(penetration, -r_.contact_gap_end[c] - judge_.softDepthOf(c));
    }
    judgeNodeVelocity(world_, r_, step, findings_);
    for (int tree = 0; tree < world_.trees; ++tree)
      if (!world_.prescribed[tree]) judgeLength(length[tree], count[tree]);
    const Real exactly = world_.materials.haveSoft() ? kDeeper / 1000 : 0;  // a difference of two depths, in doubles
    findings_.same(r_.penetration[step], penetration, exactly, [] { return std::string("recorded penetration"); });
    bool apart = false;
    for (int tree = 0; tree < world_.trees; ++tree)
      apart = apart || (!world_.prescribed[tree] && count[tree] != end - first);
    if (apart) judgeApart(step);
  }

  /// How far a part of the world is into the step when a sub-step of it begins; what no force moves belongs to all parts.
  Real elapsedBefore(const SubstepData& data, Reals& length) const {
    for (int tree = 0; tree < world_.trees; ++tree)
      if (data.takes[tree] && !world_.prescribed[tree]) return length[tree];
    // Nothing else is in this part. There may be several such parts, each from the node on.
    bool anew = true;
    for (int j = 0; j < r_.nq; ++j)
      anew = anew && (!world_.prescribed[world_.coordinate_tree[j]] || data.q[j] == Real(r_.q[data.step * r_.nq + j]));
    Real elapsed = 0;
    for (int tree = 0; tree < world_.trees; ++tree) {
      if (!data.takes[tree]) continue;
      elapsed = anew ? 0 : length[tree];
      length[tree] = elapsed + data.h;
    }
    return elapsed;
  }

  void judgeLength(Real length, std::int64_t count) {
    const auto name = [] { return std::string("length of the sub-steps of a step"); };
    findings_.require(count > 0, "a tree takes no part in a step");
    // stepper event has sub-steps from time to time, and times are doubles; of hundreds each is rounded
    const Real added = world_.event ? r_.time[findings_.step()] + static_cast<Real>(count) * r_.dt / 8 : 0;
    const Real rounding = 8 * kEps * (r_.dt + added);
    findings_.check(length - r_.dt, rounding, nullptr, name);
    findings_.check(r_.dt - length, count > 1 ? kUnresolved * static_cast<Real>(count) * r_.dt : rounding, nullptr,
                    name);
  }

  /// Trees that step on their own do not meet: their gap at the node is wider than the ways that both go, and open at the
  /// end. Who shares one sub-step shares all of the step.
  void judgeApart(std::int64_t step) {
    const std::int64_t begin = r_.substep_start[step], end = r_.substep_start[step + 1];
    std::vector<std::int64_t> part(world_.trees, -1);  // by its first sub-step
    for (std::int64_t s = begin; s < end; ++s) {
      std::int64_t own = -1;
      for (int tree = 0; tree < world_.trees; ++tree) {
        if (kickOf(r_, s, tree) < 0 || world_.prescribed[tree]) continue;
        if (part[tree] < 0) part[tree] = s;
        if (own < 0) own = part[tree];
        findings_.require(part[tree] == own, "trees come together within a step");
      }
      if (own < 0) continue;  // kinematic bodies alone
      for (int tree = 0; tree < world_.trees; ++tree)
        findings_.require(part[tree] != own || kickOf(r_, s, tree) >= 0, "trees part within a step");
    }
    std::vector<SubstepData> way;
    for (std::int64_t s = begin; s < end; ++s) {
      SubstepData& data = way.emplace_back(readSubstep(world_, r_, step, s, findings_));
      data.q_end = move(world_, data.q, data.v_end, data.h);
      data.start = computeMotion(world_, data.q, {});
      data.end = computeMotion(world_, data.q_end, {});
    }
    SubstepData whole;
    whole.q = whole.q_end = rowOf(r_.q, step, r_.nq);
    for (int j = 0; j < world_.nq; ++j) {
      const Past& past = past_[world_.coordinate_tree[j]];
      if (past.q_end) whole.q_end[j] = (*past.q_end)[j];
    }
    whole.start = computeMotion(world_, whole.q, {});
    whole.end = computeMotion(world_, whole.q_end, {});
    judge_.judgeApart(whole, way, part);
  }

  /// A tree begins at the node of the step, or where its last sub-step ended; so does its kick.
  void judgeStart(const SubstepData& data, int tree) {
    const bool fresh = data.first[tree] && r_.fresh[data.step];
    const std::int64_t s = data.index, last = past_[tree].substep;
    for (const int j : world_.tree_coordinates[tree])
      if (data.first[tree])
        findings_.require(r_.q[data.step * r_.nq + j] == r_.substep_q[s * r_.nq + j],
                          "a step does not begin at its node");
    if (!fresh && last >= 0) {
      for (const int j : world_.tree_freedoms[tree])
        findings_.require(r_.substep_v[s * r_.nv + j] == r_.substep_v_end[last * r_.nv + j],
                          "the carried velocity changes by itself");
      judgeArrival(data.q, tree);
    }
    const Real kick = kickOf(r_, s, tree);
    if (fresh) mean_.begin(tree, kick > data.h / 2);  // in flight: it goes on from a snapshot
    if (fresh) past_[tree].substep = -1;
    findings_.require(kick >= data.h / 2, "a kick is shorter than half its step");
    if (r_.substep_smooth[s] || fresh || last < 0) return;
    const bool node = r_.substep_smooth[last] || r_.substep_h[last] == 0.0;
    const Real before = node ? Real(0) : Real(r_.substep_h[last]);
    findings_.same(kick, (before + data.h) / 2, 4 * kEps * r_.dt, [] { return std::string("length of a kick"); });
  }

  void judgeArrival(const Reals& q, int tree) {
    if (!past_[tree].q_end) return;
    const Reals& q_end = *past_[tree].q_end;
    for (const int j : world_.tree_coordinates[tree])
      findings_.same(q[j], q_end[j], kMoveFloor * kEps * std::max({std::fabs(q_end[j]), Real(1), past_[tree].winding}),
                     [&] { return fmt::format("q[{}] is not where the velocity leads", j); });
  }

  void judgeSubstep(SubstepData& data) {
    const std::int64_t s = data.index;
    if (r_.substep_smooth[s]) {
      if (world_.event) return judgeSmooth(data);
      ++smooth_;
      findings_.require(!world_.maximal, "stepper maximal takes a sub-step of another integrator");
      findings_.require(std::all_of(data.takes.begin(), data.takes.end(), [](char takes) { return takes; }),
                        "a sub-step of another integrator leaves trees out");
      for (Past& past : past_) past.substep = s, past.q_end.reset();
      gain_.add(data, 0);
      if (const Reals q_end = endOfSmooth(data); !q_end.empty()) judgeWay(data.q, q_end);
      return;
    }
    data.start = computeMotion(world_, data.q, {});
    if (!world_.maximal) mean_.judge(data, findings_);
    data.q_end = move(world_, data.q, data.v_end, data.h);
    data.end = computeMotion(world_, data.q_end, {});
    momentum_.enter(data);
    for (const Past& past : past_) data.last.push_back(past.substep);
    judge_.judge(data);
    gain_.add(data, judge_.curvedWork());
    const auto q_end = std::make_shared<const Reals>(data.q_end);
    for (int tree = 0; tree < world_.trees; ++tree)
      if (data.takes[tree]) past_[tree] = {s, q_end, 0};
    for (int j = 0; j < world_.nv; ++j)
      if (Past& past = past_[world_.tree[j]]; data.takes[world_.tree[j]])
        past.winding = std::max(past.winding, data.h * std::fabs(data.v_end[j]));
  }

  /// Where a smooth sub-step leads: the next one begins there, or the next node is there. Empty where the state was set instead.
  Reals endOfSmooth(const SubstepData& data) const {
    const std::int64_t step = data.step;
    if (data.index + 1 < r_.substep_start[step + 1]) return rowOf(r_.substep_q, data.index + 1, r_.nq);
    const bool restarts = step + 1 < r_.steps() ? r_.fresh[step + 1] != 0 : world_.resets;
    return restarts ? Reals{} : rowOf(r_.q, step + 1, r_.nq);
  }

  /// Of stepper event.
  void judgeSmooth(SubstepData& data) {
    findings_.require(std::all_of(data.takes.begin(), data.takes.end(), [](char takes) { return takes; }),
                      "a smooth sub-step leaves trees out");
    findings_.require(data.h > 0, "a smooth sub-step has no length");
    for (Past& past : past_) past.substep = data.index, past.q_end.reset();
    if (!(data.h > 0)) return;
    data.q_end = endOfSmooth(data);
    const bool known = smooth_judge_.begin(data);
    if (known) smooth_judge_.follow();
    gain_.addSmooth(data, known ? smooth_judge_.energyError() : 0, known);
    if (data.q_end.empty() && known) data.q_end = smooth_judge_.end().q;
    if (data.q_end.empty()) return;
    data.start = computeMotion(world_, data.q, {});
    data.end = computeMotion(world_, data.q_end, {});
    judge_.judgePlaces(data);
    if (known)
      smooth_judge_.judge(data, judge_);
    else
      ++unfollowed_;
  }

  /// Gaps, ranges and loops between two poses of which nothing else is known.
  void judgeWay(const Reals& q, const Reals& q_end) {
    SubstepData data;
    data.takes.assign(world_.trees, 1);
    data.q = q, data.q_end = q_end;
    data.start = computeMotion(world_, q, {});
    data.end = computeMotion(world_, q_end, {});
    judge_.judgeWay(data);
  }

  /// The end node; a scene that resets itself may have gone back to its start.
  void judgeEnd() {
    const std::int64_t n = r_.steps();
    if (world_.resets && sameBits(r_.q, n, r_.q, 0, r_.nq)) return;
    for (int tree = 0; tree < world_.trees; ++tree)
      if (!world_.prescribed[tree]) judgeArrival(rowOf(r_.q, n, r_.nq), tree);
    if (world_.event && r_.substep_smooth.back() && !world_.resets)
      findings_.require(sameBits(r_.v, n, r_.substep_v_end, r_.substep_start[n] - 1, r_.nv),
                        "the last node does not have the velocity that leads to it");
    if (world_.maximal) gain_.end(momentum_.velocityLeft(rowOf(r_.q, n, r_.nq), gain_.lastVelocity()));
    if (world_.resets && !world_.ways.empty())
      verdict_.unchecked.push_back("motions of kinematic bodies: the scene resets itself and begins them anew");
    if (world_.law == FrictionLaw::kDissipation)
      verdict_.unchecked.push_back(
          fmt::format("law dissipation beyond {:.1g} of the slip: it asks for the rows at the end of a step, which "
                      "recordings do not "
                      "hold",
                      static_cast<double>(judge_.knownTilt())));
    if (momentum_.unknown() > 0)
      verdict_.unchecked.push_back(fmt::format(
          "momentum balance and node velocity of the first sub-step of {} trees that go on from a snapshot in flight: "
          "recordings do not hold the momentum that they begin with",
          momentum_.unknown()));
    if (unfollowed_ > 0)
      verdict_.unchecked.push_back(
          fmt::format("{} smooth sub-steps in which friction of turning or along a grain, soft contacts, own terms, "
                      "motions by a table or "
                      "another law than coulomb or another integrator than rk4 act: only their places are judged",
                      unfollowed_));
    if (smooth_ > 0)
      verdict_.unchecked.push_back(
          fmt::format("{} sub-steps of another integrator than the leapfrog: only their nodes are judged", smooth_));
  }

  const World& world_;
  const Recording& r_;
  Verdict& verdict_;
  Findings findings_;
  SubstepJudge judge_;
  SmoothJudge smooth_judge_;
  MeanVelocity mean_;
  DiscreteMomentum momentum_;
  EnergyGain gain_;
  std::vector<Past> past_;  ///< [trees]
  std::int64_t smooth_ = 0, unfollowed_ = 0;
};

}  // namespace
}  // namespace verify

Verdict verifyRecording(const Recording& recording, const std::function<void(std::int64_t)>& judged) {
  const verify::World world = verify::readWorld(recording.header);
  verify::checkSizes(world, recording);
  verify::checkFinite(recording);
  Verdict verdict;
  verdict.steps = recording.steps();
  verify::Walk walk(world, recording, verdict);
  verify::judgeNodes(world, recording, walk.findings());
  if (recording.version == 1) {
    walk.runNodes();
    verdict.unchecked.push_back(
        "version 1 has no sub-steps: momentum, complementarity, friction against slip and the end node are not judged");
  } else if (verify::hasContactsOfOld(recording)) {
    walk.runNodes();
    verdict.unchecked.push_back(
        "before version 7 balls slid by another rule and points of rims had other numbers: sub-steps are not judged");
  } else {
    walk.run(judged);
  }
  walk.judgeEnergyGain();
  for (const verify::OwnTerm& term : world.own)
    verdict.unchecked.push_back(fmt::format(
        "own {} \"{}\": no recording has its function; {}", term.holds ? "constraint" : "potential", term.name,
        term.holds ? "its impulses are taken as they are recorded, its opening is not known"
                   : "its forces are taken as they are recorded, its energy is not known"));
  return verdict;
}

}  // namespace rigor
