// The kernels that fill whole matrices, once, in any scalar: derivatives, inverses, Coriolis and Delassus matrices.
#pragma once

#include "algorithms/aba_derivatives.h"
#include "algorithms/centroidal.h"
#include "algorithms/coriolis.h"
#include "algorithms/delassus_chains.h"
#include "algorithms/delassus_recursion.h"
#include "algorithms/force_derivatives.h"
#include "algorithms/mass_inverse.h"
#include "algorithms/rnea_derivatives.h"
#include "dynamics/articulated.h"
#include "dynamics/integrate.h"
#include "dynamics/kernel_numbers.h"
#include "dynamics/mass_factors.h"
#include "dynamics/passive.h"
#include "reference/delassus_factors.h"

namespace rigor {

/// A model at a pose, in any scalar.
template <class T>
struct PosedTree {
  const Topology& topology;
  const Parameters<T>& parameters;
  Kinematics<T> kin;
  std::vector<Inertia<T>> inertias;
};

template <class T>
void runCentroidal(const PosedTree<T>& tree, const KernelInput<T>& in, KernelOutput<T>& out) {
  const int n = tree.topology.nv;
  CoriolisScratch<T> scratch;
  scratch.resize(tree.topology);
  std::vector<T> C(n * n), force(n);
  computeCoriolis(tree.topology, tree.kin, tree.inertias, in.v, scratch, C.data());
  out.add(C);
  const MassCentre<T> centre = computeMassCentre(tree.topology, tree.kin, tree.inertias);
  out.add(centre.mass), out.add(centre.position);
  std::vector<Inertia<T>> composite = tree.inertias;
  std::vector<Force<T>> columns(n);
  computeMomentumMap(tree.topology, tree.kin, composite, centre.position, columns.data());
  out.add(columns);
  computeSprings(tree.topology, tree.parameters, in.q, force.data());
  out.add(force), out.add(computeSpringPotential(tree.topology, tree.parameters, in.q, force.data()));
}

/// M⁻¹ by both ways, the answer to forces, and the Delassus matrix of a contact point on every link by all ways.
template <class T>
void runInverses(const PosedTree<T>& tree, const KernelInput<T>& in, std::vector<T>& L, std::vector<T>& inverse_D,
                 KernelOutput<T>& out) {
  const Topology& topology = tree.topology;
  const int n = topology.nv;
  std::vector<Inertia<T>> composite = tree.inertias;
  std::vector<T> inverse(n * n), by_response(n * n), u(n), a(n);
  crba(topology, tree.kin, composite, L.data());
  for (int i = 0; i < n; ++i) L[topology.row_start[i] + topology.dof_depth[i]] += tree.parameters.armature[i];
  factorLtl(topology, L.data(), inverse_D.data());
  invertMass(topology, L.data(), inverse_D.data(), inverse.data());
  out.add(inverse);

  ArticulatedFactors<T> factors;
  factors.resize(topology);
  factorArticulated(topology, tree.parameters.armature.data(), tree.kin.S.data(), tree.inertias, factors);
  std::vector<Motion<T>> A(topology.links);
  invertMassByResponse(topology, tree.kin, factors, A.data(), u.data(), by_response.data());
  out.add(by_response);
  std::vector<Force<T>> forces = in.forces;
  respond(topology, tree.kin, factors, forces.data(), u.data(), A.data(), a.data());
  out.add(a), out.add(A);

  ContactSides<T> sides;
  sides.clear(topology.links);
  for (int link = 0; link < topology.links; ++link)
    sides.add(link, link, tree.kin.X_OL[link].p, tree.kin.X_OL[link].R, T(1.0));
  std::vector<T> W(9 * topology.links * topology.links);
  DelassusFactorsScratch<T> by_factors;
  computeDelassusFromFactors(topology, tree.kin, L.data(), inverse_D.data(), sides, by_factors, W.data());
  out.add(W);
  DelassusRecursionScratch<T> by_recursion;
  by_recursion.resize(topology);
  computeDelassusByRecursion(topology, tree.kin, factors, sides, by_recursion, W.data());
  out.add(W);
  AbaScratch<T> chains;
  chains.resize(topology);
  DelassusChainsScratch<T> by_chains;
  by_chains.root.resize(topology.trees);
  factorChains(topology, tree.parameters, tree.kin, tree.inertias, chains, by_chains.root.data());
  computeDelassusByChains(topology, tree.kin.S.data(), chains.U.data(), chains.inverse_d.data(), sides, by_chains,
                          W.data());
  out.add(W);
}

/// Factors, solves and the diagonal of the inverse, both ways.
template <class T>
void runMassFactors(const PosedTree<T>& tree, const KernelInput<T>& in, KernelOutput<T>& out) {
  const Topology& topology = tree.topology;
  const int n = topology.nv;
  std::vector<int> freedoms;
  for (int j = 0; j < n; ++j) freedoms.push_back(j);
  for (const MassMethod method : {MassMethod::kPacked, MassMethod::kArticulated}) {
    MassFactors<T> mass;
    mass.resize(topology, method);
    mass.setMass(topology, tree.kin, tree.inertias, tree.parameters.armature.data());
    mass.factor(topology, std::vector<T>(n, T(0.1)).data());
    out.add(mass.inverseD());
    std::vector<T> x(in.a, in.a + n), column(n), weight(in.v, in.v + n);
    mass.solveLTranspose(topology, x.data());
    out.add(x);
    mass.solveU(topology, x.data());
    out.add(x);
    out.add(mass.weighInverse(topology, freedoms, weight, column.data()));
    for (int link = 0; link < topology.links; ++link) {
      std::vector<T> rows(2 * topology.chain_length[link], T(1.0));
      mass.solveChainLTranspose(topology, link, 2, rows.data());
      out.add(rows);
    }
  }
}

template <class T>
void runDerivatives(const PosedTree<T>& tree, const KernelInput<T>& in, const std::vector<T>& L,
                    const std::vector<T>& inverse_D, KernelOutput<T>& out) {
  const Topology& topology = tree.topology;
  const int n = topology.nv;
  RneaScratch<T> motion;
  motion.resize(topology);
  RneaDerivativeScratch<T> scratch;
  scratch.resize(topology);
  std::vector<T> tau(n), by_q(n * n), by_v(n * n), by_a(n * n), a_q(n * n), a_v(n * n), force_q(n * n);
  rnea<T>(topology, tree.parameters, tree.kin, tree.inertias, in.v, in.a, nullptr, motion, tau.data());
  computeRneaDerivatives(topology, tree.parameters, tree.kin, tree.inertias, in.v, in.a, motion, false, scratch,
                         RneaDerivatives<T>{by_q.data(), by_v.data(), by_a.data()});
  out.add(by_q), out.add(by_v), out.add(by_a);
  rnea<T>(topology, tree.parameters, tree.kin, tree.inertias, in.v, nullptr, nullptr, motion, tau.data());
  std::vector<Motion<T>> gained(topology.links);
  addAcceleration(topology, tree.kin, tree.inertias, in.a, gained, motion);
  out.add(motion.A), out.add(motion.f), out.add(motion.total);
  ColumnGroups groups;
  groups.resize(topology);
  std::vector<T> columns(2 * ColumnGroup::kMost * n);
  solvePairs(topology, L.data(), inverse_D.data(), groups, by_q.data(), by_v.data(), columns.data(), a_q.data(),
             a_v.data());
  out.add(a_q), out.add(a_v);
  for (int link = 0; link < topology.links; ++link)
    addForceDerivative(topology, tree.kin.S.data(), link, tree.kin.X_OL[link].p, in.forces[link].linear,
                       in.forces[link].angular, force_q.data());
  out.add(force_q);
}

/// Strides of a step, their momenta, and the factors of the matrix of its two poses.
template <class T>
void runStrides(const PosedTree<T>& tree, const KernelInput<T>& in, KernelOutput<T>& out) {
  const Topology& topology = tree.topology;
  const int n = topology.nv;
  const T h(0.05);
  std::vector<Stride<T>> strides(topology.links);
  placeCentres(topology, tree.parameters, tree.kin, strides);
  computeStrides(topology, tree.parameters, tree.kin, in.v, h, strides);
  std::vector<T> q_end(topology.nq);
  integrate<T>(topology, in.q, in.v, h, q_end.data());
  Kinematics<T> end;
  end.resize(topology);
  computeKinematics(topology, tree.parameters, q_end.data(), end);
  TwoPoseMass<T> mass;
  mass.resize(topology);
  mass.S = tree.kin.S;
  pullBackColumns<T>(topology, end.S.data(), in.v, h, mass.S_end.data());
  for (int link = 0; link < topology.links; ++link) {
    const LinkInertia<T>& own = tree.parameters.inertia[link];
    out.add(strides[link].shift), out.add(strideMomentum(own.mass, strides[link], h));
    mass.bodies[link] = bodyInertia(own.mass, strides[link].centre, end.X_OL[link] * own.com, turningOf(strides[link]));
  }
  mass.factor(topology, std::vector<T>(n, T(0.1)).data());
  out.add(mass.inverse_d);
  std::vector<T> x(in.a, in.a + n);
  mass.solveLTranspose(topology, x.data());
  out.add(x);
  mass.solveU(topology, x.data());
  out.add(x);
}

template <class T>
void runEveryMatrix(const PosedTree<T>& tree, const KernelInput<T>& in, KernelOutput<T>& out) {
  std::vector<T> L(tree.topology.packed_size), inverse_D(tree.topology.nv);
  runCentroidal(tree, in, out);
  runInverses(tree, in, L, inverse_D, out);
  runMassFactors(tree, in, out);
  runStrides(tree, in, out);
  runDerivatives(tree, in, L, inverse_D, out);
}

}  // namespace rigor
