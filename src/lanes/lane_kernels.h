// Lanes for one pack type. Included by the units of the instruction sets and by nothing else.
#pragma once

#include "dynamics/aba.h"
#include "dynamics/crba.h"
#include "dynamics/integrate.h"
#include "dynamics/rnea.h"
#include "lanes/lanes.h"
#include "math/pack.h"
#include "model/broadcast.h"

namespace rigor {

/// Up to four consecutive environments. Lanes without one repeat the last: their results are never stored.
struct LaneGroup {
  int first, count;
};

/// Row by row [environments × n] → number by number, four lanes each.
template <class Pack>
void gather(const double* rows, int n, LaneGroup group, Pack* out) {
  const double* row[kLanes];
  for (int lane = 0; lane < kLanes; ++lane)
    row[lane] = rows + static_cast<std::ptrdiff_t>(group.first + (lane < group.count ? lane : group.count - 1)) * n;
  for (int k = 0; k < n; ++k) out[k] = Pack(row[0][k], row[1][k], row[2][k], row[3][k]);
}

template <class Pack>
void scatter(const Pack* in, int n, LaneGroup group, double* rows) {
  for (int lane = 0; lane < group.count; ++lane) {
    double* row = rows + static_cast<std::ptrdiff_t>(group.first + lane) * n;
    for (int k = 0; k < n; ++k) row[k] = in[k].lane(lane);
  }
}

template <class Pack>
class LanesOf final : public Lanes {
 public:
  LanesOf(const Topology& topology, const Parameters<double>& parameters)
      : topology_(topology), parameters_(broadcast<Pack>(parameters)) {
    kin_.resize(topology);
    inertias_.resize(topology.links);
    aba_.resize(topology);
    rnea_.resize(topology);
    q_.resize(topology.nq);
    v_.resize(topology.nv);
    in_.resize(topology.nv);
    out_.resize(topology.nv);
    M_.resize(topology.packed_size);
  }

  void forwardDynamics(int environments, const double* q, const double* v, const double* tau,
                       double* acceleration) override {
    forEachGroup(environments, [&](LaneGroup group) {
      takePose(q, group);
      gather(v, topology_.nv, group, v_.data());
      gather(tau, topology_.nv, group, in_.data());
      aba(topology_, parameters_, kin_, inertias_, v_.data(), in_.data(), nullptr, aba_, out_.data());
      scatter(out_.data(), topology_.nv, group, acceleration);
    });
  }

  void inverseDynamics(int environments, const double* q, const double* v, const double* acceleration,
                       double* tau) override {
    forEachGroup(environments, [&](LaneGroup group) {
      takePose(q, group);
      gather(v, topology_.nv, group, v_.data());
      gather(acceleration, topology_.nv, group, in_.data());
      rnea(topology_, parameters_, kin_, inertias_, v_.data(), in_.data(), nullptr, rnea_, out_.data());
      for (int j = 0; j < topology_.nv; ++j) out_[j] += parameters_.armature[j] * in_[j];
      scatter(out_.data(), topology_.nv, group, tau);
    });
  }

  void massMatrix(int environments, const double* q, double* M) override {
    forEachGroup(environments, [&](LaneGroup group) {
      takePose(q, group);
      crba(topology_, kin_, inertias_, M_.data());
      for (int j = 0; j < topology_.nv; ++j)
        M_[topology_.row_start[j] + topology_.dof_depth[j]] += parameters_.armature[j];
      unpackMatrices(group, M);
    });
  }

  void integrate(int environments, const double* q, const double* v, double step, double* next) override {
    forEachGroup(environments, [&](LaneGroup group) {
      gather(q, topology_.nq, group, q_.data());
      gather(v, topology_.nv, group, v_.data());
      rigor::integrate(topology_, q_.data(), v_.data(), Pack(step), q_.data());
      scatter(q_.data(), topology_.nq, group, next);
    });
  }

 private:
  template <class Work>
  static void forEachGroup(int environments, const Work& work) {
    for (int first = 0; first < environments; first += kLanes)
      work(LaneGroup{first, environments - first < kLanes ? environments - first : kLanes});
  }

  void takePose(const double* q, LaneGroup group) {
    gather(q, topology_.nq, group, q_.data());
    computeKinematics(topology_, parameters_, q_.data(), kin_);
    computeInertias(topology_, parameters_, kin_, inertias_);
  }

  /// Packed rows → the dense, symmetric matrix of each environment.
  void unpackMatrices(LaneGroup group, double* matrices) const {
    const int n = topology_.nv;
    for (int lane = 0; lane < group.count; ++lane) {
      double* M = matrices + static_cast<std::ptrdiff_t>(group.first + lane) * n * n;
      for (int i = 0; i < n; ++i) {
        const int* chain = topology_.chain.data() + topology_.chain_start[topology_.dof_link[i]];
        const Pack* row = M_.data() + topology_.row_start[i];
        double *across = M + i * n, *down = M + i;
        for (int j = 0; j < i; ++j) across[j] = down[j * n] = 0.0;
        for (int k = 0; k <= topology_.dof_depth[i]; ++k) across[chain[k]] = down[chain[k] * n] = row[k].lane(lane);
      }
    }
  }

  const Topology& topology_;
  const Parameters<Pack> parameters_;
  Kinematics<Pack> kin_;
  std::vector<Inertia<Pack>> inertias_;
  AbaScratch<Pack> aba_;
  RneaScratch<Pack> rnea_;
  std::vector<Pack> q_, v_, in_, out_;
  std::vector<Pack> M_;  ///< packed by chains (topology.h)
};

template <class Pack>
Lanes* makeLanes(const Topology& topology, const Parameters<double>& parameters) {
  return new LanesOf<Pack>(topology, parameters);
}

}  // namespace rigor
