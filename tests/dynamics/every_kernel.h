// Every kernel once, in any scalar: numbers in, numbers out. Lanes must repeat the bits of double, dual numbers must
// give the slopes that differences of double show.
//
// No Eigen and no GoogleTest here: one of the units that include this is compiled for AVX2 (lanes.h says why).
#pragma once

#include <utility>
#include <vector>

#include "dynamics/aba.h"
#include "dynamics/crba.h"
#include "dynamics/energy.h"
#include "dynamics/every_matrix.h"
#include "dynamics/integrate.h"
#include "dynamics/jacobian.h"
#include "dynamics/rnea.h"

namespace rigor {

template <class T>
void runMathematics(const KernelInput<T>& in, KernelOutput<T>& out) {
  for (const Force<T>& f : in.forces) {
    const SinCos<T> sc = sincos(f.linear.x);
    out.add(sc.sin), out.add(sc.cos);
    out.add(arctanRatio(f.linear.y * f.linear.y)), out.add(arctanRatio(1.0 / (0.5 + f.linear.z * f.linear.z)));
    out.add(arctan2(f.linear.y, 0.5 + f.linear.z * f.linear.z));
    const T x = f.angular.x, y = f.angular.y, z = 0.5 + f.angular.z;
    out.add(x * x * x * absolute(x)), out.add(minimum(y, z) + maximum(y, z));  // kinks that differences do not see
    const ExpCoefficients<T> c = expCoefficients(dot(f.angular, f.angular));
    out.add(leftJacobian(f.angular, c)), out.add(leftJacobianInverseTransposeTimes(f.angular, c, f.linear));
    out.add(logQuat(expQuat(f.angular)));
    const Vec3<T> small = T(0.05) * f.angular;  // where series are taken
    out.add(leftJacobianInverseTransposeTimes(small, expCoefficients(dot(small, small)), f.linear));
    out.add(rotationBetween(toMatrix(expQuat(f.linear)), toMatrix(expQuat(small) * expQuat(f.linear))));
  }
}

template <class T>
void runInverseDynamics(const Topology& topology, const Parameters<T>& parameters, const KernelInput<T>& in,
                        const Kinematics<T>& kin, const std::vector<Inertia<T>>& inertias, KernelOutput<T>& out) {
  RneaScratch<T> scratch;
  scratch.resize(topology);
  std::vector<T> tau(topology.nv);
  rnea(topology, parameters, kin, inertias, in.v, in.a, in.forces.data(), scratch, tau.data());
  out.add(tau);
  rnea<T>(topology, parameters, kin, inertias, in.v, nullptr, nullptr, scratch, tau.data());
  out.add(tau), out.add(scratch.V), out.add(scratch.f);
  const std::vector<Force<T>> f = scratch.f;
  rneaOfKick(topology, kin, inertias, f, T(0.5), in.a, in.forces.data(), scratch, tau.data());
  out.add(tau);
}

template <class T>
void runMassMatrix(const Topology& topology, const Parameters<T>& parameters, const KernelInput<T>& in,
                   const Kinematics<T>& kin, const std::vector<Inertia<T>>& inertias, KernelOutput<T>& out) {
  std::vector<Inertia<T>> composite = inertias;
  std::vector<T> M(topology.packed_size), inverse_D(topology.nv), x(in.a, in.a + topology.nv);
  crba(topology, kin, composite, M.data());
  out.add(M), out.add(composite);
  for (int i = 0; i < topology.nv; ++i) M[topology.row_start[i] + topology.dof_depth[i]] += parameters.armature[i];
  factorLtl(topology, M.data(), inverse_D.data());
  out.add(M), out.add(inverse_D);
  solveMass(topology, M.data(), inverse_D.data(), x.data());
  out.add(x);
  for (int link = 0; link < topology.links; ++link) {
    std::vector<T> row(topology.chain_length[link]), rows(3 * topology.chain_length[link]);
    const Force<T> F[3] = {in.forces[0], in.forces[link],
                           forceAt(kin.X_OL[link].p, in.forces[link].linear, in.forces[0].angular)};
    jacobianRow(topology, kin.S.data(), link, F[2], row.data());
    jacobianRows<3>(topology, kin.S.data(), link, F, rows.data());
    out.add(row), out.add(rows);
    solveChainLTranspose<1>(topology, M.data(), link, row.data());
    solveChainLTranspose<3>(topology, M.data(), link, rows.data());
    out.add(row), out.add(rows);
  }
}

template <class T>
void runMotion(const Topology& topology, const Parameters<T>& parameters, const KernelInput<T>& in,
               const Kinematics<T>& kin, const std::vector<Inertia<T>>& inertias, KernelOutput<T>& out) {
  AbaScratch<T> scratch;
  scratch.resize(topology);
  std::vector<T> acceleration(topology.nv), next(topology.nq), way(topology.nv);
  aba(topology, parameters, kin, inertias, in.v, in.a, in.forces.data(), scratch, acceleration.data());
  out.add(acceleration);
  integrate(topology, in.q, in.v, in.step, next.data());
  out.add(next);
  difference(topology, in.q, next.data(), way.data());
  out.add(way);
  std::vector<Motion<T>> columns(topology.nv), V(topology.links);
  pullBackColumns(topology, kin.S.data(), in.v, in.step, columns.data());
  out.add(columns);
  const EnergyMomentum<T> energy = computeEnergy(topology, parameters, kin, inertias, in.v, V);
  out.add(energy.kinetic), out.add(energy.potential), out.add(energy.linear), out.add(energy.angular), out.add(V);
}

/// `numbers` has KernelInput::size entries.
template <class T>
std::vector<T> runEveryKernel(const Topology& topology, const Parameters<T>& parameters, const T* numbers) {
  const KernelInput<T> in(topology, numbers);
  KernelOutput<T> out;
  Kinematics<T> kin;
  kin.resize(topology);
  computeKinematics(topology, parameters, in.q, kin);
  std::vector<Inertia<T>> inertias(topology.links);
  computeInertias(topology, parameters, kin, inertias);
  out.add(kin.origin), out.add(kin.X_OL), out.add(kin.S), out.add(inertias);
  runMathematics(in, out);
  runInverseDynamics(topology, parameters, in, kin, inertias, out);
  runMassMatrix(topology, parameters, in, kin, inertias, out);
  runMotion(topology, parameters, in, kin, inertias, out);
  runEveryMatrix(PosedTree<T>{topology, parameters, kin, inertias}, in, out);
  return std::move(out.numbers);
}

/// Four inputs at a time: inputs [4 × KernelInput::size], outputs [4 × output_size]; false if there is another number of
/// results. Each instruction set has a unit of its own, for Pack4<2> and Pack4<4> (lanes.h says why).
template <class Pack>
bool runEveryKernelInLanes(const Topology& topology, const Parameters<double>& parameters, const double* inputs,
                           int output_size, double* outputs);

}  // namespace rigor
