// Derivatives of inverse dynamics by q, v and a, in closed form, in world axes about O.
//
// Notation. S_j a column, l its link with parent P; V, A velocity and acceleration of a link (gravity as upward
// acceleration of the world), f = I A + V ×* I V − external the force that moves it, sums over a subtree written I_C,
// B_C, f_C with B of composite.h. Of the columns of a link the first ones are carried by the parent, the rest by the
// link. Let W and Z be the velocity and acceleration of l after its parent-carried freedoms only: W = V_P + Σ S v.
//
// Moving freedom j by δ carries along all that comes after it: the links of the subtree of l, the columns below l, and
// the link-carried columns of l itself. What comes after j moves with V_i − W against l, hence for links i below or at l
//
//     ∂V_i/∂q_j = S_j × (V_i − W)                    ∂A_i/∂q_j = S_j × (A_i − Z) + ψ_j × (V_i − W),   ψ_j = W × S_j
//     ∂V_i/∂v_j = S_j                                ∂A_i/∂v_j = Ṡ_j + S_j × (V_i − W)
//
// (Jacobi's identity turns the rates of the columns into the second line.) If everything were just carried along, f
// would change by S_j ×* f. The remainder is a velocity ψ_j and an acceleration that is the same for the whole subtree:
//
//     ∂f_C/∂q_j = S_j ×* f_C + I_C χ_j + B_C ψ_j,    χ_j = Z × S_j + W × ψ_j
//     ∂f_C/∂v_j = I_C (Ṡ_j + ψ_j) + B_C S_j
//
// and with τ_k = S_k·f_C, where S_j × S_k cancels the first term for every k that comes after j,
//
//     k after j    ∂τ_k/∂q_j = (I_C S_k)·χ_j + (B_Cᵀ S_k)·ψ_j     sums over the subtree of k
//     else         ∂τ_k/∂q_j = S_k·∂f_C/∂q_j                      sums over the subtree of j.
//
// A force that keeps its world axes while its body turns by x is not carried along; relative to one that is, f changes
// by E x = (x_ω × f_e, p × (x_ω × f_e) + x_ω × t_e): E_C S_j joins ∂f_C/∂q_j.
#pragma once

#include "algorithms/composite.h"
#include "dynamics/rnea.h"

namespace rigor {

/// E of a force f at p (about O) with a free torque t.
template <class T>
TurningForce<T> fixedAxesForce(const Vec3<T>& p, const Vec3<T>& f, const Vec3<T>& t) {
  const T along = dot(p, f);
  return {f,
          {{along - p.x * f.x, -p.x * f.y - t.z, -p.x * f.z + t.y},
           {-p.y * f.x + t.z, along - p.y * f.y, -p.y * f.z - t.x},
           {-p.z * f.x - t.y, -p.z * f.y + t.x, along - p.z * f.z}}};
}

template <class T>
struct RneaDerivativeScratch {
  std::vector<Motion<T>> psi, chi, rate;  ///< [nv] ψ, χ, Ṡ + ψ
  std::vector<Inertia<T>> composite;      ///< [links] I_C
  std::vector<TurningForce<T>> B, E;      ///< [links] B_C, E_C; E enters as that of each link

  void resize(const Topology& topology) {
    for (auto* columns : {&psi, &chi, &rate}) columns->resize(topology.nv);
    composite.resize(topology.links);
    B.resize(topology.links);
    E.resize(topology.links);
  }
};

/// ψ, χ and Ṡ + ψ of all columns from V and A of the links.
template <class T>
void computeColumnChanges(const Topology& topology, const Parameters<T>& parameters, const Kinematics<T>& kin,
                          const T* v, const T* a, const RneaScratch<T>& motion, RneaDerivativeScratch<T>& scratch) {
  const T zero(0.0);
  const Motion<T> at_rest{{zero, zero, zero}, {zero, zero, zero}};
  const Motion<T> lifted{-parameters.gravity, {zero, zero, zero}};
  for (int link = 0; link < topology.links; ++link) {
    const int parent = topology.parent[link];
    const int first = topology.v_index[link];
    const int split = first + topology.parent_columns[link];
    const int end = first + topology.dofs[link];
    const Motion<T>& V_P = parent < 0 ? at_rest : motion.V[parent];
    Motion<T> W = V_P, Z = parent < 0 ? lifted : motion.A[parent];
    for (int j = first; j < split; ++j) {
      W += v[j] * kin.S[j];
      Z += a[j] * kin.S[j] + v[j] * cross(V_P, kin.S[j]);
    }
    for (int j = first; j < end; ++j) {
      const Motion<T>& S = kin.S[j];
      const Motion<T> psi = cross(W, S);
      scratch.psi[j] = psi;
      scratch.chi[j] = cross(Z, S) + cross(W, psi);
      scratch.rate[j] = cross(j < split ? V_P : motion.V[link], S) + psi;
    }
  }
}

/// What one freedom brings to all pairs with its ancestors.
template <class T>
struct PairForces {
  Force<T> F;           ///< I_C S: row of M
  Vec3<T> G, H;         ///< turning part of B_Cᵀ S and E_Cᵀ S
  Force<T> by_q, by_v;  ///< ∂f_C/∂q, ∂f_C/∂v
};

/// Where the derivatives go: [nv × nv] by columns. Pairs on different branches, and the columns of a free base's
/// translation, are not written and must be zero before. `by_a` may be null.
template <class T>
struct RneaDerivatives {
  T *by_q, *by_v, *by_a;
};

/// Pairs of freedom i with the six of a free base: columns (e_k, 0) and (0, axis). Translating the base changes
/// nothing, ψ and χ of its turns are linear motions.
template <class T>
RIGOR_INLINE void pairWithBase(const Kinematics<T>& kin, const RneaDerivativeScratch<T>& scratch, int n, int base,
                               int i, const PairForces<T>& p, bool fixed_axes, const RneaDerivatives<T>& out) {
  const auto fill = [&](T* column, const Force<T>& f) {
    column[base] = f.linear.x, column[base + 1] = f.linear.y, column[base + 2] = f.linear.z;
    for (int k = 0; k < 3; ++k) column[base + 3 + k] = dot(kin.S[base + 3 + k].angular, f.angular);
  };
  fill(out.by_q + n * i, p.by_q);
  fill(out.by_v + n * i, p.by_v);
  if (out.by_a) {
    fill(out.by_a + n * i, p.F);
    for (int a = base; a < base + 6; ++a) out.by_a[i + n * a] = out.by_a[a + n * i];
  }
  for (int a = base + 3; a < base + 6; ++a) {
    T by_q = dot(scratch.chi[a].linear, p.F.linear);
    if (fixed_axes) by_q += dot(kin.S[a].angular, p.H);
    out.by_q[i + n * a] = by_q;
    out.by_v[i + n * a] = dot(scratch.rate[a], p.F) + dot(kin.S[a].angular, p.G);
  }
}

/// Pairs of freedom i with freedom a of an ancestor link.
template <class T>
RIGOR_INLINE void pairWithAncestor(const Kinematics<T>& kin, const RneaDerivativeScratch<T>& scratch, int n, int a,
                                   int i, const PairForces<T>& p, bool fixed_axes, const RneaDerivatives<T>& out) {
  T by_q = dot(scratch.chi[a], p.F) + dot(scratch.psi[a].angular, p.G);
  if (fixed_axes) by_q += dot(kin.S[a].angular, p.H);
  out.by_q[i + n * a] = by_q;
  out.by_v[i + n * a] = dot(scratch.rate[a], p.F) + dot(kin.S[a].angular, p.G);
  out.by_q[a + n * i] = dot(kin.S[a], p.by_q);
  out.by_v[a + n * i] = dot(kin.S[a], p.by_v);
  if (out.by_a) out.by_a[i + n * a] = out.by_a[a + n * i] = dot(kin.S[a], p.F);
}

/// Pairs within one link: a link-carried column comes after every freedom of its link, a parent-carried one after none.
/// Translating a free base changes nothing.
template <class T>
void pairWithinLink(const Kinematics<T>& kin, const RneaDerivativeScratch<T>& scratch, int n, int first, int split,
                    int end, bool is_free, const PairForces<T>* pairs, bool fixed_axes, const RneaDerivatives<T>& out) {
  const int changing = is_free ? first + 3 : first;
  for (int j = first; j < changing && out.by_a; ++j)
    for (int k = first; k < end; ++k) out.by_a[j + n * k] = out.by_a[k + n * j] = dot(kin.S[k], pairs[j - first].F);
  for (int j = changing; j < end; ++j)
    for (int k = first; k < end; ++k) {
      const PairForces<T>& p = pairs[k - first];
      T by_q = dot(kin.S[k], pairs[j - first].by_q);
      if (k >= split) {
        by_q = dot(scratch.chi[j], p.F) + dot(scratch.psi[j].angular, p.G);
        if (fixed_axes) by_q += dot(kin.S[j].angular, p.H);
      }
      out.by_q[k + n * j] = by_q;
      out.by_v[k + n * j] = dot(scratch.rate[j], p.F) + dot(kin.S[j].angular, p.G);
      if (out.by_a) out.by_a[k + n * j] = dot(kin.S[j], p.F);
    }
}

/// ∂τ/∂q, ∂τ/∂v and, if asked for, ∂τ/∂a = M without armature. `motion` is what rnea left behind for the same q, v, a and external
/// forces; `fixed_axes`: some of these keep their world axes, and scratch.E holds their E link by link.
template <class T>
void computeRneaDerivatives(const Topology& topology, const Parameters<T>& parameters, const Kinematics<T>& kin,
                            const std::vector<Inertia<T>>& inertias, const T* v, const T* a,
                            const RneaScratch<T>& motion, bool fixed_axes, RneaDerivativeScratch<T>& scratch,
                            const RneaDerivatives<T>& out) {
  computeColumnChanges(topology, parameters, kin, v, a, motion, scratch);
  for (int link = 0; link < topology.links; ++link) scratch.B[link] = coriolisForce(inertias[link], motion.V[link]);
  scratch.composite = inertias;
  const int n = topology.nv;

  for (int link = topology.links - 1; link >= 0; --link) {
    const int parent = topology.parent[link];
    const int first = topology.v_index[link];
    const int split = first + topology.parent_columns[link];
    const int end = first + topology.dofs[link];
    const int ancestors = topology.chain_length[link] - topology.dofs[link];
    const int* chain = topology.chain.data() + topology.chain_start[link];
    const bool on_free_base = topology.free_base[link] && ancestors >= 6;
    const Inertia<T>& I = scratch.composite[link];
    const TurningForce<T>&B = scratch.B[link], &E = scratch.E[link];
    const Force<T>& f = motion.total[link];

    PairForces<T> pairs[6];
    for (int i = first; i < end; ++i) {
      const Motion<T>& S = kin.S[i];
      PairForces<T>& p = pairs[i - first];
      p.F = I * S;
      p.G = transposeTimes(B, S);
      p.by_q = cross(S, f) + I * scratch.chi[i] + B * scratch.psi[i];
      p.by_v = I * scratch.rate[i] + B * S;
      if (fixed_axes) {
        p.H = transposeTimes(E, S);
        p.by_q += E * S;
      }
      if (on_free_base) pairWithBase(kin, scratch, n, chain[0], i, p, fixed_axes, out);
      for (int k = on_free_base ? 6 : 0; k < ancestors; ++k)
        pairWithAncestor(kin, scratch, n, chain[k], i, p, fixed_axes, out);
    }
    pairWithinLink(kin, scratch, n, first, split, end, topology.joint[link] == kFree, pairs, fixed_axes, out);

    if (parent < 0) continue;
    scratch.composite[parent] += I;
    scratch.B[parent] += B;
    if (fixed_axes) scratch.E[parent] += E;
  }
}

extern template void computeRneaDerivatives(const Topology&, const Parameters<double>&, const Kinematics<double>&,
                                            const std::vector<Inertia<double>>&, const double*, const double*,
                                            const RneaScratch<double>&, bool, RneaDerivativeScratch<double>&,
                                            const RneaDerivatives<double>&);

}  // namespace rigor
