// Mass matrix by composite rigid bodies, chain-packed (topology.h), and its factorisation M = Lᵀ D L.
#pragma once

#include "dynamics/kinematics.h"

namespace rigor {

/// Rows of M of one link's freedoms from the inertia of its subtree, which it adds to that of its parent.
template <class T, class Place>
RIGOR_INLINE void fillRows(const Topology& topology, const Kinematics<T>& kin, Place at,
                           std::vector<Inertia<T>>& composite, T* M) {
  using Scalar = typename Place::Scalar;
  const Inertia<Scalar> I = at.load(composite.data());
  const Place chain = at.in(topology.chain_start);
  const auto column = [&](int k) __attribute__((always_inline)) {
    return Motion<Scalar>(chain.next(k).in(topology.chain).load(kin.S.data()));
  };
  const int length = topology.chain_length[at.first], dofs = topology.dofs[at.first];
  for (int depth = length - dofs; depth < length; ++depth) {
    const Force<Scalar> F = I * column(depth);  // momentum of the subtree per unit of v
    const Place row = chain.next(depth).in(topology.chain).in(topology.row_start);
    int k = 0;
    if (topology.free_base[at.first] && depth >= 6) {  // unit columns: F itself couples to the base
      row.store(M, F.linear.x), row.next(1).store(M, F.linear.y), row.next(2).store(M, F.linear.z);
#pragma GCC unroll 3
      for (int a = 3; a < 6; ++a) row.next(a).store(M, dot(column(a).angular, F.angular));
      k = 6;
    }
    for (; k <= depth; ++k) row.next(k).store(M, dot(column(k), F));
  }
  if (topology.parent[at.first] >= 0) at.in(topology.parent).addTo(composite.data(), I);
}

/// The same for a free root, whose columns are (e, 0) and (0, axis): M = [m 1, −h× R; …, Rᵀ I R].
template <class T>
void fillRootRows(const Topology& topology, const Kinematics<T>& kin, int link, const Inertia<T>& I, T* M) {
  T* row = M + topology.row_start[topology.v_index[link]];  // rows of a root follow each other
  const Motion<T>* axes = kin.S.data() + topology.v_index[link] + 3;
  const T zero(0.0);
  row[0] = row[2] = row[5] = I.mass;
  row[1] = row[3] = row[4] = zero;
  row += 6;
  for (int a = 0; a < 3; row += 4 + a, ++a) {
    const Vec3<T> push = cross(axes[a].angular, I.moment), turn = I.rotational * axes[a].angular;
    row[0] = push.x, row[1] = push.y, row[2] = push.z;
    for (int b = 0; b <= a; ++b) row[3 + b] = dot(axes[b].angular, turn);
  }
}

/// Packed M: row i holds M_i,j for the ancestors j of i from the root on, M_ii last. `composite` enters as the inertias
/// of the links and leaves as those of the subtrees. No armature.
template <class T>
void crba(const Trees& trees, const Kinematics<T>& kin, std::vector<Inertia<T>>& composite, T* M) {
  const Topology& topology = trees.topology;
  walkInward<T>(trees, [&](auto at) __attribute__((always_inline)) {
    if (topology.free_base[at.first] && topology.parent[at.first] < 0)
      at.forEach([&](int link) { fillRootRows(topology, kin, link, composite[link], M); });
    else
      fillRows(topology, kin, at, composite, M);
  });
}

/// target −= factor·row, two numbers at a time: rows are too short for loops that a compiler makes of them.
template <class T>
RIGOR_INLINE void subtractRow(const T& factor, const T* row, int count, T* target) {
  int b = 0;
  if constexpr (std::is_same_v<T, double>)
#pragma GCC unroll 3
    for (; b + 1 < count; b += 2) (Pair::load(target + b) - Pair(factor) * Pair::load(row + b)).store(target + b);
  for (; b < count; ++b) target[b] -= factor * row[b];
}

/// The part of one elimination that falls on a free base: six rows, lower triangle, straight line code.
template <class T>
RIGOR_INLINE void eliminateBase(T* row, const T& inverse, T* base) {
  T factor[6];
  for (int a = 0; a < 6; ++a) factor[a] = row[a] * inverse;
#pragma GCC unroll 6
  for (int a = 0; a < 6; ++a) subtractRow(factor[a], row, a + 1, base + a * (a + 1) / 2);  // rows follow each other
  for (int a = 0; a < 6; ++a) row[a] = factor[a];
}

/// The rows of a free base itself, which come last.
template <class T>
void factorBase(T* base, T* inverse_D) {
#pragma GCC unroll 6
  for (int k = 5; k >= 0; --k) {
    T* row = base + k * (k + 1) / 2;
    const T inverse = 1.0 / row[k];
    inverse_D[k] = inverse;
#pragma GCC unroll 6
    for (int a = k - 1; a >= 0; --a) {
      const T factor = row[a] * inverse;
#pragma GCC unroll 6
      for (int b = 0; b <= a; ++b) base[a * (a + 1) / 2 + b] -= factor * row[b];
      row[a] = factor;
    }
  }
}

/// Overwrites packed M by L (unit diagonal not stored) with D on the diagonal; `inverse_D` [nv] gets 1/D.
/// Featherstone's LTDL: leaves first, so no entry outside the chains fills in.
template <class T>
void factorLtl(const Trees& trees, T* M, T* inverse_D) {
  const Topology& topology = trees.topology;
  for (int k = trees.end_dof - 1; k >= trees.first_dof; --k) {
    T* row = M + topology.row_start[k];
    const int depth = topology.dof_depth[k];
    const int link = topology.dof_link[k];
    const int* chain = topology.chain.data() + topology.chain_start[link];
    if (topology.free_base[link] && depth < 6) {  // its last freedom: all six at once
      k -= 5;
      factorBase(M + topology.row_start[k], inverse_D + k);
      continue;
    }
    const T inverse = 1.0 / row[depth];
    inverse_D[k] = inverse;
    if (topology.free_base[link]) {
      for (int a = depth - 1; a >= 6; --a) {
        const T factor = row[a] * inverse;
        T* ancestor = M + topology.row_start[chain[a]];
        subtractRow(factor, row, 6, ancestor);
        subtractRow(factor, row + 6, a - 5, ancestor + 6);
        row[a] = factor;
      }
      eliminateBase(row, inverse, M + topology.row_start[chain[0]]);
      continue;
    }
    for (int a = depth - 1; a >= 0; --a) {
      const T factor = row[a] * inverse;
      subtractRow(factor, row, a + 1, M + topology.row_start[chain[a]]);
      row[a] = factor;
    }
  }
}

/// x ← L⁻ᵀ x over all degrees of freedom.
template <class T>
void solveLTranspose(const Trees& trees, const T* __restrict L, T* __restrict x) {
  const Topology& topology = trees.topology;
  for (int k = trees.end_dof - 1; k >= trees.first_dof; --k) {
    const T* row = L + topology.row_start[k];
    const int link = topology.dof_link[k], depth = topology.dof_depth[k];
    const int* chain = topology.chain.data() + topology.chain_start[link];
    const bool on_base = topology.free_base[link] && depth >= 6;  // whose freedoms follow each other
    const T value = x[k];
    for (int a = depth - 1; a >= (on_base ? 6 : 0); --a) x[chain[a]] -= row[a] * value;
    if (on_base) subtractRow(value, row, 6, x + chain[0]);
  }
}

/// x ← L⁻¹ x over all degrees of freedom.
template <class T>
void solveL(const Trees& trees, const T* __restrict L, T* __restrict x) {
  const Topology& topology = trees.topology;
  for (int k = trees.first_dof; k < trees.end_dof; ++k) {
    const T* row = L + topology.row_start[k];
    const int link = topology.dof_link[k], depth = topology.dof_depth[k];
    const int* chain = topology.chain.data() + topology.chain_start[link];
    const bool on_base = topology.free_base[link] && depth >= 6;
    T sum = x[k];
    for (int a = depth - 1; a >= (on_base ? 6 : 0); --a) sum -= row[a] * x[chain[a]];
    if (on_base) {
      const T* base = x + chain[0];
#pragma GCC unroll 6
      for (int a = 5; a >= 0; --a) sum -= row[a] * base[a];
    }
    x[k] = sum;
  }
}

/// X −= row·valueᵀ for the first `count` freedoms, each with kRows numbers that follow each other.
template <int kRows, class T>
RIGOR_INLINE void subtractOuter(const T* row, const T* value, int count, T* X) {
  int b = 0;
  if constexpr (kRows == 3 && std::is_same_v<T, double>) {  // two freedoms are three whole registers
    const Pair v01(value[0], value[1]), v20(value[2], value[0]), v12(value[1], value[2]);
#pragma GCC unroll 3
    for (; b + 1 < count; b += 2) {
      double* x = X + 3 * b;
      (Pair::load(x) - Pair(row[b]) * v01).store(x);
      (Pair::load(x + 2) - Pair::load(row + b) * v20).store(x + 2);
      (Pair::load(x + 4) - Pair(row[b + 1]) * v12).store(x + 4);
    }
  }
  for (; b < count; ++b)
#pragma GCC unroll 3
    for (int r = 0; r < kRows; ++r) X[b * kRows + r] -= row[b] * value[r];
}

/// X ← L⁻ᵀ X for kRows vectors that live on the chain of one link, freedom by freedom (jacobian.h). They stay there.
template <int kRows, class T>
void solveChainLTranspose(const Topology& topology, const T* __restrict L, int link, T* __restrict X) {
  const int* chain = topology.chain.data() + topology.chain_start[link];
  int a = topology.chain_length[link] - 1;
  for (; a >= 6; --a) {  // most chains have a base of six: straight line code for it
    const T* row = L + topology.row_start[chain[a]];
    const T* value = X + a * kRows;
    subtractOuter<kRows>(row, value, 6, X);
    subtractOuter<kRows>(row + 6, value, a - 6, X + 6 * kRows);
  }
  if (topology.free_base[link]) {
    const T* base = L + topology.row_start[chain[0]];  // whose rows follow each other
#pragma GCC unroll 5
    for (int k = 5; k > 0; --k) subtractOuter<kRows>(base + k * (k + 1) / 2, X + k * kRows, k, X);
    return;
  }
  for (; a > 0; --a) subtractOuter<kRows>(L + topology.row_start[chain[a]], X + a * kRows, a, X);
}

/// x ← M⁻¹ x from the factors.
template <class T>
void solveMass(const Topology& topology, const T* L, const T* inverse_D, T* x) {
  solveLTranspose(topology, L, x);
  for (int k = 0; k < topology.nv; ++k) x[k] *= inverse_D[k];
  solveL(topology, L, x);
}

extern template void crba(const Trees&, const Kinematics<double>&, std::vector<Inertia<double>>&, double*);
extern template void factorLtl(const Trees&, double*, double*);
extern template void solveLTranspose(const Trees&, const double*, double*);
extern template void solveL(const Trees&, const double*, double*);
extern template void solveChainLTranspose<1>(const Topology&, const double*, int, double*);
extern template void solveChainLTranspose<3>(const Topology&, const double*, int, double*);
extern template void solveMass(const Topology&, const double*, const double*, double*);

}  // namespace rigor
