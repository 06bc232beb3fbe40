// Two links in the lanes of one register, and one after the other: the same bits.
#include "dynamics/side_by_side.h"

#include <gtest/gtest.h>

#include <cstring>

#include "dynamics/samples.h"

namespace rigor {
namespace {

/// The same tree, visited link by link.
Topology visitSingly(Topology topology) {
  topology.visits.clear();
  for (int link = 0; link < topology.links; ++link) topology.visits.push_back({link, -1});
  return topology;
}

/// All that the kernels which work on two links at a time compute.
struct Results {
  Results(const Topology& topology, const Parameters<double>& parameters, const Sample& s)
      : inertias(topology.links), torque(topology.nv), kick(topology.nv), M(topology.packed_size) {
    kin.resize(topology);
    rnea.resize(topology);
    of_kick.resize(topology);
    std::vector<Force<double>> forces(topology.links);
    for (int link = 0; link < topology.links; ++link) forces[link] = {{0.3, 0.1 * link, 1.0}, {-0.5, 0.2, 0.7}};
    computeKinematics(topology, parameters, s.q.data(), kin);
    placeAndMoveOutward(topology, parameters, kin, s.v.data(), forces.data(), inertias, rnea);
    rneaOfKick(topology, kin, inertias, rnea.f, 0.5, s.vdot.data(), forces.data(), of_kick, kick.data());
    composite = inertias;
    crba(topology, kin, composite, M.data());
    rigor::rnea(topology, parameters, kin, inertias, s.v.data(), s.vdot.data(), forces.data(), rnea, torque.data());
  }

  Kinematics<double> kin;
  std::vector<Inertia<double>> inertias, composite;
  RneaScratch<double> rnea, of_kick;
  std::vector<double> torque, kick, M;
};

template <class X>
bool haveSameBits(const std::vector<X>& a, const std::vector<X>& b) {
  static_assert(sizeof(X) % sizeof(double) == 0);
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(X)) == 0;
}

TEST(SideBySide, GivesEveryLinkTheBitsThatItHasAlone) {
  forEachSample([](Sample& s) {
    const Results together(s.tree.topology, s.tree.parameters, s);
    const Results alone(visitSingly(s.tree.topology), s.tree.parameters, s);
    EXPECT_TRUE(haveSameBits(together.kin.X_OL, alone.kin.X_OL));
    EXPECT_TRUE(haveSameBits(together.kin.S, alone.kin.S));
    EXPECT_TRUE(haveSameBits(together.inertias, alone.inertias));
    EXPECT_TRUE(haveSameBits(together.composite, alone.composite));
    EXPECT_TRUE(haveSameBits(together.rnea.f, alone.rnea.f));
    EXPECT_TRUE(haveSameBits(together.torque, alone.torque));
    EXPECT_TRUE(haveSameBits(together.kick, alone.kick));
    EXPECT_TRUE(haveSameBits(together.M, alone.M));
  });
}

TEST(SideBySide, FindsInertiasInTheSameWalkAsForces) {
  forEachSample([](Sample& s) {
    const Topology& topology = s.tree.topology;
    const Results fused(topology, s.tree.parameters, s);
    EXPECT_TRUE(haveSameBits(fused.inertias, s.tree.inertias));
    EXPECT_TRUE(haveSameBits(fused.kin.S, s.tree.kinematics.S));
    RneaScratch<double> scratch;
    scratch.resize(topology);
    std::vector<Inertia<double>> inertias(topology.links);
    placeAndMoveOutward(topology, s.tree.parameters, s.tree.kinematics, s.v.data(), nullptr, inertias, scratch);
    RneaScratch<double> apart = scratch;
    rneaOutward(topology, s.tree.parameters, s.tree.kinematics, s.tree.inertias, s.v.data(), nullptr, nullptr, apart);
    EXPECT_TRUE(haveSameBits(scratch.V, apart.V));
    EXPECT_TRUE(haveSameBits(scratch.f, apart.f));
  });
}

}  // namespace
}  // namespace rigor
