// Time per environment of the batch kernels on one core, beside the double kernels on the same states.
// Run alone: a lock keeps two timings apart, but not a build beside it.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <vector>

#include "dynamics/aba.h"
#include "dynamics/crba.h"
#include "dynamics/integrate.h"
#include "dynamics/rnea.h"
#include "rigor/rigor.h"

namespace rigor {
namespace {

constexpr int kEnvironments = 256;  // their arrays stay in the second-level cache: the kernels are timed, not memory

/// States of all environments around the reference pose.
struct States {
  explicit States(const Model& model)
      : nq(model.nq()),
        nv(model.nv()),
        q(kEnvironments * nq),
        v(kEnvironments * nv),
        force(kEnvironments * nv),
        out(kEnvironments * std::max(nq, nv)),
        M(kEnvironments * nv * nv) {
    for (int e = 0; e < kEnvironments; ++e) {
      for (int j = 0; j < nv; ++j) v[e * nv + j] = 0.01 * ((e * 31 + j * 17) % 100 - 50);
      for (int j = 0; j < nv; ++j) force[e * nv + j] = 0.1 * ((e * 13 + j * 29) % 100 - 50);
      rigor::integrate(model.topology(), model.q0().data(), v.data() + e * nv, 1.0, q.data() + e * nq);
    }
  }
  int nq, nv;
  std::vector<double> q, v, force, out, M;
};

/// The double kernels, one environment after another.
class Single {
 public:
  explicit Single(const Model& model) : topology_(model.topology()), parameters_(model.parameters()) {
    kin_.resize(topology_);
    inertias_.resize(topology_.links);
    aba_.resize(topology_);
    rnea_.resize(topology_);
    packed_.resize(topology_.packed_size);
  }
  void forwardDynamics(States& s) {
    for (int e = 0; e < kEnvironments; ++e) {
      takePose(s, e);
      aba(topology_, parameters_, kin_, inertias_, &s.v[e * s.nv], &s.force[e * s.nv], nullptr, aba_, &s.out[e * s.nv]);
    }
  }
  void inverseDynamics(States& s) {
    for (int e = 0; e < kEnvironments; ++e) {
      takePose(s, e);
      rnea(topology_, parameters_, kin_, inertias_, &s.v[e * s.nv], &s.force[e * s.nv], nullptr, rnea_,
           &s.out[e * s.nv]);
    }
  }
  void massMatrix(States& s) {  // packed: writing it out densely is left to the batch
    for (int e = 0; e < kEnvironments; ++e) {
      takePose(s, e);
      crba(topology_, kin_, inertias_, packed_.data());
    }
  }
  void integrate(States& s) {
    for (int e = 0; e < kEnvironments; ++e)
      rigor::integrate(topology_, &s.q[e * s.nq], &s.v[e * s.nv], 1e-3, &s.out[e * s.nq]);
  }

 private:
  void takePose(const States& s, int e) {
    computeKinematics(topology_, parameters_, &s.q[e * s.nq], kin_);
    computeInertias(topology_, parameters_, kin_, inertias_);
  }
  const Topology& topology_;
  const Parameters<double>& parameters_;
  Kinematics<double> kin_;
  std::vector<Inertia<double>> inertias_;
  AbaScratch<double> aba_;
  RneaScratch<double> rnea_;
  std::vector<double> packed_;
};

Model makeChain(int joints) {
  ModelBuilder builder("chain");
  for (int i = 0; i < joints; ++i) {
    BodySpec body;
    body.name = fmt::format("link_{}", i);
    body.parent = i - 1;
    body.joint.name = fmt::format("joint_{}", i);
    body.joint.type = kHinge;
    body.joint.axis = i % 2 ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitX();
    body.joint.X_PJ.position = {0.0, 0.0, 0.1};
    body.mass = {1.0, {0.0, 0.0, 0.05}, Eigen::Vector3d(1e-3, 1e-3, 2e-4).asDiagonal()};
    builder.addBody(body);
  }
  return builder.build();
}

/// Microseconds per environment, best of many rounds.
double timeCall(const std::function<void()>& call) {
  using Clock = std::chrono::steady_clock;
  double best = 1e300;
  for (int round = 0; round < 200; ++round) {
    const auto begin = Clock::now();
    call();
    best = std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  return best / kEnvironments;
}

void compare(const char* kernel, const std::function<void()>& single, const std::function<void(Batch&)>& lanes,
             std::vector<Batch>& batches) {
  const double alone = timeCall(single);
  fmt::print("  {:<18} {:>8.3f}", kernel, alone);
  for (Batch& batch : batches) {
    const double time = timeCall([&] { lanes(batch); });
    fmt::print("   {:>8.3f} ({:.2f}x)", time, alone / time);
  }
  fmt::print("\n");
}

void compareAll(const char* name, const Model& model) {
  States s(model);
  Single single(model);
  std::vector<Batch> batches;
  batches.emplace_back(model, InstructionSet::kBaseline);
  if (bestInstructionSet() == InstructionSet::kAvx2) batches.emplace_back(model, InstructionSet::kAvx2);

  fmt::print("{}, {} degrees of freedom [us per environment]\n  {:<18} {:>8}", name, s.nv, "", "double");
  for (const Batch& batch : batches) fmt::print("   {:>16}", instructionSetName(batch.instructionSet()));
  fmt::print("\n");
  const auto out = [&](int n) { return std::span<double>(s.out).first(kEnvironments * n); };
  compare(
      "forward dynamics", [&] { single.forwardDynamics(s); },
      [&](Batch& b) { b.forwardDynamics(kEnvironments, s.q, s.v, s.force, out(s.nv)); }, batches);
  compare(
      "inverse dynamics", [&] { single.inverseDynamics(s); },
      [&](Batch& b) { b.inverseDynamics(kEnvironments, s.q, s.v, s.force, out(s.nv)); }, batches);
  compare(
      "mass matrix", [&] { single.massMatrix(s); }, [&](Batch& b) { b.massMatrix(kEnvironments, s.q, s.M); }, batches);
  compare(
      "integrate", [&] { single.integrate(s); },
      [&](Batch& b) { b.integrate(kEnvironments, s.q, s.v, 1e-3, out(s.nq)); }, batches);
}

}  // namespace
}  // namespace rigor

int main() {
  const int lock = open((std::filesystem::temp_directory_path() / "rigor-timing.lock").c_str(), O_CREAT | O_RDWR, 0666);
  if (lock < 0 || flock(lock, LOCK_EX) != 0)
    std::fprintf(stderr, "bench_lanes: no timing lock, numbers may be noisy\n");
  rigor::compareAll("ANYmal", rigor::loadScene(RIGOR_SCENES_DIR "/anymal_stand.toml").model);
  rigor::compareAll("chain", rigor::makeChain(64));
  close(lock);
}
