// Delassus matrix by recursion over articulated bodies (OS eq. 47 and 50, in the order of extended force propagators):
// needs no mass matrix and O(n + m·depth + m²) work, so it wins on long chains.
//
// Two forces meet in the lowest link l that carries both. Down to there the tree answers to a force on l with the
// acceleration Ω_l F; below, each force only passes on (articulated.h). So with F_i, F_j passed on as far as l
//
//     W_ij = F_iᵀ Ω_l F_j,    Ω ← (1 − S Uᵀ/d) Ω (1 − U Sᵀ/d) + S Sᵀ/d    over the freedoms from the root to l.
//
// Links are visited from the leaves on. Each holds a list of the forces that have arrived; two lists that meet give all
// their pairs. Where a list holds every force of its tree nothing is left to meet, and it is not passed on.
#pragma once

#include "algorithms/contact_rows.h"
#include "dynamics/articulated.h"
#include "dynamics/mobility.h"

namespace rigor {

template <class T>
struct DelassusRecursionScratch {
  std::vector<Mobility<T>> mobility;       ///< [links] Ω, of the links that carry a force
  std::vector<char> loaded;                ///< [links] the subtree carries a force
  std::vector<int> head, tail, count;      ///< [links] list of the forces that have arrived
  std::vector<int> next;                   ///< [ends]
  std::vector<int> in_tree;                ///< [trees] number of forces
  std::vector<ContactSide<T>> travelling;  ///< [ends] forces passed on so far

  void resize(const Topology& topology) {
    mobility.resize(topology.links);
    for (auto* list : {&head, &tail, &count}) list->resize(topology.links);
    loaded.resize(topology.links);
    in_tree.resize(topology.trees);
  }
};

/// How the link answers to the three forces of an end.
template <class T>
struct Answer {
  Motion<T> motion[3];
};

template <class T>
Answer<T> answerTo(const Mobility<T>& mobility, const ContactSide<T>& side) {
  return {{mobility * side.F[0], mobility * side.F[1], mobility * side.F[2]}};
}

/// The block of two ends that meet.
template <class T>
void meet(const ContactSide<T>& a, const ContactSide<T>& b, const Answer<T>& answer_to_b, bool same, int rows, T* W) {
  T X[3][3];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) X[r][c] = dot(answer_to_b.motion[c], a.F[r]);
  addPair(W, rows, a.contact, b.contact, X, same);
}

/// Appends the list that starts at `from` to the one of `link`, after all its forces met those that are there.
template <class T>
void arrive(int link, int from, int from_tail, int from_count, int rows, DelassusRecursionScratch<T>& scratch, T* W) {
  for (int b = scratch.head[link] < 0 ? -1 : from; b >= 0; b = scratch.next[b]) {
    const Answer<T> answer = answerTo(scratch.mobility[link], scratch.travelling[b]);
    for (int a = scratch.head[link]; a >= 0; a = scratch.next[a])
      meet(scratch.travelling[a], scratch.travelling[b], answer, false, rows, W);
  }
  if (scratch.head[link] < 0)
    scratch.head[link] = from;
  else
    scratch.next[scratch.tail[link]] = from;
  scratch.tail[link] = from_tail;
  scratch.count[link] += from_count;
}

/// W is [3·contacts]² by columns.
template <class T>
void computeDelassusByRecursion(const Topology& topology, const Kinematics<T>& kin,
                                const ArticulatedFactors<T>& factors, const ContactSides<T>& sides,
                                DelassusRecursionScratch<T>& scratch, T* W) {
  const int ends = static_cast<int>(sides.list.size()), rows = 3 * sides.contacts;
  std::fill_n(W, static_cast<std::ptrdiff_t>(rows) * rows, T(0.0));
  std::fill(scratch.head.begin(), scratch.head.end(), -1);
  std::fill(scratch.count.begin(), scratch.count.end(), 0);
  std::fill(scratch.loaded.begin(), scratch.loaded.end(), char(0));
  std::fill(scratch.in_tree.begin(), scratch.in_tree.end(), 0);
  scratch.next.assign(ends, -1);
  scratch.travelling = sides.list;
  for (const ContactSide<T>& side : sides.list) {
    ++scratch.in_tree[topology.tree[side.link]];
    for (int link = side.link; link >= 0 && !scratch.loaded[link]; link = topology.parent[link])
      scratch.loaded[link] = 1;
  }

  for (int link = 0; link < topology.links; ++link) {
    if (!scratch.loaded[link]) continue;
    const int first = topology.v_index[link];
    Mobility<T> mobility = topology.parent[link] < 0 ? Mobility<T>{} : scratch.mobility[topology.parent[link]];
    for (int j = first; j < first + topology.dofs[link]; ++j)
      passFreedom(mobility, kin.S[j], factors.U[j], factors.inverse_d[j]);
    scratch.mobility[link] = mobility;
  }

  for (int s = 0; s < ends; ++s) {
    const ContactSide<T>& side = scratch.travelling[s];
    meet(side, side, answerTo(scratch.mobility[side.link], side), true, rows, W);
    arrive(side.link, s, s, 1, rows, scratch, W);
  }
  for (int link = topology.links - 1; link >= 0; --link) {
    const int parent = topology.parent[link];
    if (parent < 0 || scratch.count[link] == 0) continue;
    if (scratch.count[link] == scratch.in_tree[topology.tree[link]]) continue;
    const int first = topology.v_index[link];
    for (int s = scratch.head[link]; s >= 0; s = scratch.next[s])
      for (Force<T>& F : scratch.travelling[s].F)
        for (int j = first + topology.dofs[link] - 1; j >= first; --j)
          F -= (factors.inverse_d[j] * dot(kin.S[j], F)) * factors.U[j];
    arrive(parent, scratch.head[link], scratch.tail[link], scratch.count[link], rows, scratch, W);
  }
}

extern template void computeDelassusByRecursion(const Topology&, const Kinematics<double>&,
                                                const ArticulatedFactors<double>&, const ContactSides<double>&,
                                                DelassusRecursionScratch<double>&, double*);

}  // namespace rigor
