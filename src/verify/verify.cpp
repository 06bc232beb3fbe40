#include "rigor/verify.h"

#include <fmt/format.h>

#include "verify/limits.h"
#include "verify/nodes.h"
#include "verify/substep.h"

namespace rigor {
namespace verify {
namespace {

void checkSizes(const World& world, const Recording& r) {
  if (r.nq != world.nq || r.nv != world.nv)
    throw Error({"", 0, "header"},
                fmt::format("the recording has {} coordinates and {} velocities, its model {} and {}", r.nq, r.nv,
                            world.nq, world.nv),
                "The recording is damaged; record the run again.");
  if (r.version > 1 && (r.nu != world.drives || r.ctrl.size() != static_cast<std::size_t>(r.steps()) * world.drives))
    throw Error({"", 0, "ctrl"},
                fmt::format("{} targets in {} steps do not fit the {} drives of the header", r.ctrl.size(), r.steps(),
                            world.drives),
                "The recording is damaged; record the run again.");
  if (!(r.dt > 0.0) || !std::isfinite(r.dt))
    throw Error({"", 0, "header"}, fmt::format("the length of a step is {} s", r.dt), "Record the run again.");
}

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
        judge_(world, recording, verdict, findings_) {}

  void run() {
    for (std::int64_t step = 0; step < r_.steps(); ++step) {
      findings_.atStep(step);
      judgeStep(step);
    }
    findings_.atStep(r_.steps());
    if (r_.steps() > 0) judgeEnd();
  }
  /// Version 1: positions of the nodes are all there is.
  void runNodes() {
    for (std::int64_t node = 0; node + 1 < static_cast<std::int64_t>(r_.time.size()); ++node) {
      findings_.atStep(node);
      judgeWay(rowOf(r_.q, node, r_.nq), rowOf(r_.q, node + 1, r_.nq));
    }
  }
  Findings& findings() { return findings_; }

 private:
  void judgeStep(std::int64_t step) {
    const std::int64_t first = r_.substep_start[step], end = r_.substep_start[step + 1];
    verdict_.restarts += r_.fresh[step];
    findings_.require(step > 0 || r_.fresh[0], "the first step follows from nothing");
    findings_.require(sameBits(r_.q, step, r_.substep_q, first, r_.nq), "a step does not begin at its node");
    if (!r_.fresh[step] && step > 0) judgeFollowing(step, first);
    Real length = 0, penetration = 0;
    for (std::int64_t s = first; s < end; ++s) {
      if (s > first) judgeFollowing(step, s);
      judgeKick(step, s, s == first && r_.fresh[step]);
      judgeSubstep(step, s);
      length += r_.substep_h[s];
      ++verdict_.substeps;
      for (std::int64_t c = r_.contact_start[s]; c < r_.contact_start[s + 1]; ++c)
        penetration = std::max<Real>(penetration, -r_.contact_gap_end[c]);
    }
    judgeNodeVelocity(world_, r_, step, findings_);
    const auto lengths = [] { return std::string("length of the sub-steps of a step"); };
    findings_.check(length - r_.dt, 8 * kEps * r_.dt, nullptr, lengths);
    findings_.check(r_.dt - length,
                    (end - first > 1 ? kUnresolved * static_cast<Real>(end - first) * r_.dt : 8 * kEps * r_.dt),
                    nullptr, lengths);
    findings_.same(r_.penetration[step], penetration, 0, [] { return std::string("recorded penetration"); });
  }

  /// A sub-step begins where the one before it ended.
  void judgeFollowing(std::int64_t step, std::int64_t s) {
    findings_.require(sameBits(r_.substep_v, s, r_.substep_v_end, s - 1, r_.nv),
                      "the carried velocity changes by itself");
    if (!q_end_.empty()) judgeArrival(rowOf(r_.substep_q, s, r_.nq), step);
  }

  void judgeArrival(const Reals& q, std::int64_t) {
    for (int j = 0; j < r_.nq; ++j)
      findings_.same(q[j], q_end_[j], kMoveFloor * kEps * std::max<Real>(std::fabs(q_end_[j]), 1),
                     [&] { return fmt::format("q[{}] is not where the velocity leads", j); });
  }

  void judgeKick(std::int64_t, std::int64_t s, bool fresh) {
    const Real h = r_.substep_h[s], kick = r_.substep_kick[s], theta = r_.substep_theta[s];
    findings_.require(h >= 0 && kick >= h / 2 && theta >= 0 && theta <= 1, "h, kick or theta are out of range");
    if (r_.substep_smooth[s] || fresh || s == 0) return;
    const bool node = r_.substep_smooth[s - 1] || r_.substep_h[s - 1] == 0.0;
    const Real before = node ? Real(0) : Real(r_.substep_h[s - 1]);
    findings_.same(kick, (before + h) / 2, 4 * kEps * r_.dt, [] { return std::string("length of a kick"); });
  }

  void judgeSubstep(std::int64_t step, std::int64_t s) {
    SubstepData data;
    data.step = step, data.index = s;
    data.first = s == r_.substep_start[step];
    data.h = r_.substep_h[s], data.kick = r_.substep_kick[s], data.theta = r_.substep_theta[s];
    data.q = rowOf(r_.substep_q, s, r_.nq);
    data.v = rowOf(r_.substep_v, s, r_.nv);
    data.v_mean = rowOf(r_.substep_v_mean, s, r_.nv);
    data.v_end = rowOf(r_.substep_v_end, s, r_.nv);
    if (r_.substep_smooth[s]) {
      ++smooth_;
      q_end_.clear();
      const bool last = s + 1 == r_.substep_start[step + 1], restarts = step + 1 < r_.steps() && r_.fresh[step + 1];
      if (!last)
        judgeWay(data.q, rowOf(r_.substep_q, s + 1, r_.nq));
      else if (!restarts && !(step + 1 == r_.steps() && world_.resets))
        judgeWay(data.q, rowOf(r_.q, step + 1, r_.nq));
      return;
    }
    judgeMean(data);
    data.q_end = move(world_, data.q, data.v_end, data.h);
    data.start = computeMotion(world_, data.q, {});
    data.end = computeMotion(world_, data.q_end, {});
    judge_.judge(data);
    q_end_ = data.q_end;
  }

  /// Gaps, ranges and loops between two poses of which nothing else is known.
  void judgeWay(const Reals& q, const Reals& q_end) {
    SubstepData data;
    data.q = q, data.q_end = q_end;
    data.start = computeMotion(world_, q, {});
    data.end = computeMotion(world_, q_end, {});
    judge_.judgeWay(data);
  }

  /// Velocity-dependent terms belong to the mean of v and v′ up to what an extrapolation can miss.
  void judgeMean(const SubstepData& data) {
    Real increment = 0, missed = 0;
    for (int j = 0; j < r_.nv; ++j) {
      increment = std::max(increment, std::fabs(data.v_end[j] - data.v[j]));
      const Real mean = world_.carried ? data.v[j] : (data.v[j] + data.v_end[j]) / 2;
      missed = std::max(missed, std::fabs(data.v_mean[j] - mean));
    }
    increments_[data.index % 4] = increment;
    const Real largest = *std::max_element(increments_, increments_ + 4);
    Real size = r_.dt;
    for (int j = 0; j < r_.nv; ++j) size = std::max(size, std::fabs(data.v[j]));
    findings_.check(missed, kMeanVelocity * largest + kIteratedMean * size, nullptr,
                    [] { return std::string("velocity at which velocity-dependent forces were taken"); });
  }

  /// The end node; a scene that resets itself may have gone back to its start.
  void judgeEnd() {
    const std::int64_t n = r_.steps();
    if (world_.resets && sameBits(r_.q, n, r_.q, 0, r_.nq)) return;
    if (!q_end_.empty()) judgeArrival(rowOf(r_.q, n, r_.nq), n);
    if (smooth_ > 0)
      verdict_.unchecked.push_back(
          fmt::format("{} sub-steps of another integrator than the leapfrog: only their nodes are judged", smooth_));
  }

  const World& world_;
  const Recording& r_;
  Verdict& verdict_;
  Findings findings_;
  SubstepJudge judge_;
  Reals q_end_;  ///< where the last sub-step led; empty if that is not known
  Real increments_[4] = {};
  std::int64_t smooth_ = 0;
};

}  // namespace
}  // namespace verify

Verdict verifyRecording(const Recording& recording) {
  const verify::World world = verify::readWorld(recording.header, recording.version);
  verify::checkSizes(world, recording);
  Verdict verdict;
  verdict.steps = recording.steps();
  verify::Walk walk(world, recording, verdict);
  verify::judgeNodes(world, recording, verdict, walk.findings());
  if (recording.version == 1) {
    walk.runNodes();
    verdict.unchecked.push_back(
        "version 1 has no sub-steps: momentum, complementarity, friction against slip and the end node are not judged");
  } else {
    walk.run();
  }
  verify::judgeEnergyGain(world, recording, verdict, walk.findings());
  return verdict;
}

}  // namespace rigor
