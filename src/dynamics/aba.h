// Forward dynamics by the articulated-body algorithm, O(n), in world axes about O.
//
// Velocity terms and gravity are taken out first: the forces f of inverse dynamics without acceleration (rnea.h) move
// the links as if every v stayed as it is, and the recursion only has to find the rest, M a = tau − c. So no articulated
// inertia is ever multiplied with a velocity term.
//
// A joint with several freedoms is eliminated one freedom at a time, as if massless links stood between them: same
// algebra, no 6 × 6 inverse. A free base is solved by blocks.
#pragma once

#include <type_traits>

#include "dynamics/free_root.h"
#include "dynamics/rnea.h"

namespace rigor {

/// Writes leaf and last_child of a scratch. [links]
template <class Scratch>
void findLeaves(const Topology& topology, Scratch& scratch) {
  if (scratch.leaf.size() != static_cast<std::size_t>(topology.links)) {
    scratch.leaf = std::vector<char>(topology.links);  // all inline: no function that other scalars share (lanes.h)
    scratch.last_child = std::vector<char>(topology.links);
  }
  for (char& leaf : scratch.leaf) leaf = 1;
  for (char& last : scratch.last_child) last = 0;
  for (int link = topology.links - 1; link >= 0; --link) {
    const int parent = topology.parent[link];
    if (parent < 0) continue;
    scratch.last_child[link] = scratch.leaf[parent];
    scratch.leaf[parent] = 0;
  }
}

template <class T>
struct AbaScratch {
  RneaScratch<T> bias;                   ///< of v alone; `f` collects what is to be overcome, leaves → root
  std::vector<ArticulatedInertia<T>> I;  ///< [links] of links with children: with all that hangs on them
  std::vector<Motion<T>> A;              ///< [links] acceleration beyond that of the bias
  std::vector<Force<T>> U;               ///< [nv] I S
  std::vector<T> inverse_d, u;           ///< [nv] 1/(Sᵀ I S), generalised force that is left
  std::vector<char> leaf, last_child;    ///< [links] no children; the first of its siblings to be met on the way back

  void resize(const Topology& topology) {
    bias.resize(topology);
    I.resize(topology.links);
    A.resize(topology.links);
    U.resize(topology.nv);
    inverse_d.resize(topology.nv);
    u.resize(topology.nv);
    findLeaves(topology, *this);
  }
};

/// The freedom j gives way: inertia and force of what lies beyond it, as the link before it feels them.
template <class T, class AnyInertia>
RIGOR_INLINE ArticulatedInertia<T> eliminate(const AnyInertia& I, const Motion<T>& S, const T& armature, const T& tau,
                                             int j, Force<T>& f, AbaScratch<T>& scratch) {
  const Force<T> U = I * S;
  const T inverse = 1.0 / (dot(S, U) + armature);
  const T u = tau - dot(S, f);
  scratch.U[j] = U;
  scratch.inverse_d[j] = inverse;
  scratch.u[j] = u;
  f += (u * inverse) * U;
  return withoutRankOne(I, U, inverse);
}

/// The first child to arrive brings the parent's own inertia along.
template <class T, class Scratch>
RIGOR_INLINE void addToParent(const std::vector<Inertia<T>>& inertias, int link, int parent, ArticulatedInertia<T>& I,
                              Scratch& scratch) {
  if (scratch.last_child[link]) {
    I += inertias[parent];
    scratch.I[parent] = I;
  } else {
    scratch.I[parent] += I;
  }
}

/// All freedoms of a link, last first; adds what is left to the parent.
template <class T, class AnyInertia>
RIGOR_INLINE void eliminateJoint(const Topology& topology, const Parameters<T>& parameters, const Kinematics<T>& kin,
                                 const std::vector<Inertia<T>>& inertias, int link, const AnyInertia& own, const T* tau,
                                 AbaScratch<T>& scratch) {
  const int first = topology.v_index[link], last = first + topology.dofs[link] - 1;
  Force<T> f = scratch.bias.f[link];
  ArticulatedInertia<T> I = eliminate(own, kin.S[last], parameters.armature[last], tau[last], last, f, scratch);
  for (int j = last - 1; j >= first; --j) I = eliminate(I, kin.S[j], parameters.armature[j], tau[j], j, f, scratch);

  const int parent = topology.parent[link];
  if (parent < 0) return;
  scratch.bias.f[parent] += f;
  addToParent(inertias, link, parent, I, scratch);
}

/// A free root: S q̈ is any motion, so its six equations are solved at once.
template <class T>
void solveFreeRoot(const Parameters<T>& parameters, const Motion<T>* S, int first, ArticulatedInertia<T> I, Force<T> f,
                   const T* tau, Motion<T>& A, T* acceleration) {
  I = withRootArmature(parameters, S, first, I);
  f = T(-1.0) * f;
  for (int k = 0; k < 3; ++k) {  // columns (e, 0), then (0, e)
    f.linear += tau[first + k] * S[k].linear;
    f.angular += tau[first + 3 + k] * S[3 + k].angular;
  }
  A = solve(I, f);
  for (int k = 0; k < 3; ++k) {
    acceleration[first + k] = dot(S[k].linear, A.linear);
    acceleration[first + 3 + k] = dot(S[3 + k].angular, A.angular);
  }
}

/// One link of the way from the leaves to the roots: its children come before it.
template <class T>
RIGOR_INLINE void abaInward(const Topology& topology, const Parameters<T>& parameters, const Kinematics<T>& kin,
                            const std::vector<Inertia<T>>& inertias, const T* tau, int link, AbaScratch<T>& scratch,
                            T* acceleration) {
  if (topology.parent[link] < 0 && topology.joint[link] == kFree) {
    const int first = topology.v_index[link];
    if (scratch.leaf[link]) scratch.I[link] = makeArticulated(inertias[link]);
    solveFreeRoot(parameters, kin.S.data() + first, first, scratch.I[link], scratch.bias.f[link], tau, scratch.A[link],
                  acceleration);
  } else if (scratch.leaf[link]) {
    eliminateJoint(topology, parameters, kin, inertias, link, inertias[link], tau, scratch);
  } else {
    eliminateJoint(topology, parameters, kin, inertias, link, scratch.I[link], tau, scratch);
  }
}

/// Roots → leaves: each freedom's acceleration from that of its parent.
template <class T>
void abaOutward(const Topology& topology, const Kinematics<T>& kin, AbaScratch<T>& scratch, T* acceleration) {
  const T zero(0.0);
  const Motion<T> still{{zero, zero, zero}, {zero, zero, zero}};
  for (int link = topology.given; link < topology.links; ++link) {
    const int parent = topology.parent[link];
    if (parent < 0 && topology.joint[link] == kFree) continue;  // solved on the way in
    const int first = topology.v_index[link];
    Motion<T> A = parent < 0 ? still : scratch.A[parent];
    for (int j = first; j < first + topology.dofs[link]; ++j) {
      acceleration[j] = scratch.inverse_d[j] * (scratch.u[j] - dot(A, scratch.U[j]));
      A += acceleration[j] * kin.S[j];
    }
    scratch.A[link] = A;
  }
}

/// acceleration = M⁻¹ (tau − c + Jᵀ f_external), M with armature.
template <class T>
void aba(const Topology& topology, const Parameters<T>& parameters, const Kinematics<T>& kin,
         const std::vector<Inertia<T>>& inertias, const T* v, const T* tau,
         const std::type_identity_t<Force<T>>* external, AbaScratch<T>& scratch, T* acceleration) {
  rneaOutward(topology, parameters, kin, inertias, v, nullptr, external, scratch.bias);
  for (int link = topology.links - 1; link >= topology.given; --link)
    abaInward(topology, parameters, kin, inertias, tau, link, scratch, acceleration);
  abaOutward(topology, kin, scratch, acceleration);
}

extern template void aba(const Topology&, const Parameters<double>&, const Kinematics<double>&,
                         const std::vector<Inertia<double>>&, const double*, const double*, const Force<double>*,
                         AbaScratch<double>&, double*);

}  // namespace rigor
