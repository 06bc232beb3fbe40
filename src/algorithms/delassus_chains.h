// Delassus matrix W = J M⁻¹ Jᵀ by forces that travel to the root of their tree: fastest for shallow trees.
//
// A force F on a link meets the freedoms of its chain one by one, leaf first. Each takes u = S·F and passes on
// F − U u/d (articulated.h); what reaches a free root is solved there by the factors of its inertia (free_root.h). The u
// are the half solution L⁻ᵀ Jᵀ of the mass matrix M = Lᵀ D L, without M, so
//
//     W_ij = Σ u_ki u_kj / d_k   over the freedoms k that both chains have in common, a prefix of both.
//
// The three forces of an end travel side by side, with an empty fourth: whole registers on every machine. If one tree
// carries all contacts and its root is free, as in a legged robot, the root's part of W is a dense product.
#pragma once

#include <array>

#include "algorithms/contact_rows.h"
#include "algorithms/force_columns.h"
#include "dynamics/articulated.h"
#include "dynamics/free_root.h"

namespace rigor {

/// Two ends, or one with itself, that have freedoms in common.
struct Meeting {
  int first, second;  ///< ends; the contact of the first is not before that of the second
  int common;         ///< freedoms, from the root on
};

template <class T>
struct DelassusChainsScratch {
  std::vector<RootFactors<T>> root;      ///< [trees] of those with a free root
  std::vector<Four<T>> half, response;   ///< u and u/d, [chain length] per end
  std::vector<Four<T>> root_half;        ///< [contacts × 6] u of the freedoms of a root that carries all,
  std::vector<Four<T>> root_response;    ///< [contacts × 6] and u/d of them, both ends of a contact together
  std::vector<int> offset;               ///< [ends]
  std::vector<Meeting> meetings;         ///< of ends that meet below such a root, or at all
  std::vector<std::array<int, 2>> ends;  ///< contact and link of each, in the last call
  int contacts = 0;
  bool one_root = false;  ///< one tree carries all ends and its root is free

  /// Contacts often stay on their links from call to call: who meets whom is only searched when that changes.
  void prepare(const Topology& topology, const ContactSides<T>& sides);

 private:
  void rebuild(const Topology& topology);
};

template <class T>
void DelassusChainsScratch<T>::prepare(const Topology& topology, const ContactSides<T>& sides) {
  bool same = contacts == sides.contacts && ends.size() == sides.list.size();
  for (std::size_t s = 0; s < ends.size() && same; ++s)
    same = ends[s][0] == sides.list[s].contact && ends[s][1] == sides.list[s].link;
  if (same) return;
  contacts = sides.contacts;
  ends.clear();
  for (const ContactSide<T>& side : sides.list) ends.push_back({side.contact, side.link});
  rebuild(topology);
}

template <class T>
void DelassusChainsScratch<T>::rebuild(const Topology& topology) {
  one_root = !ends.empty();
  for (const auto& [contact, link] : ends)
    one_root = one_root && topology.free_base[link] && topology.tree[link] == topology.tree[ends[0][1]];
  for (auto* root_part : {&root_half, &root_response}) root_part->assign(one_root ? 6 * contacts : 0, Four<T>(T(0.0)));

  int size = 0;
  offset.clear();
  meetings.clear();
  for (int s = 0; s < static_cast<int>(ends.size()); ++s) {
    offset.push_back(size);
    size += topology.chain_length[ends[s][1]];
    for (int t = 0; t <= s; ++t) {
      const int common = topology.commonPrefix(ends[s][1], ends[t][1]);
      if (common > (one_root ? 6 : 0)) meetings.push_back({s, t, common});
    }
  }
  half.resize(size);
  response.resize(size);
}

/// One freedom takes its part of the forces and passes the rest on.
template <class T>
RIGOR_INLINE void takeFreedom(const Motion<T>& S, const Force<T>& U, const T& inverse, ForceColumns<T>& F,
                              Four<T>& half, Four<T>& response) {
  half = dot(S, F);
  response = Four<T>(inverse) * half;
  F.subtract(U, response);
}

/// The free root takes all that is left.
template <class T>
RIGOR_INLINE void takeRoot(const RootFactors<T>& root, ForceColumns<T>& F, Four<T>* half, Four<T>* response) {
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) {
#pragma GCC unroll 6
    for (int m = 0; m < k; ++m) F.component[k] -= Four<T>(root.L[k][m]) * F.component[m];
    half[k] = F.component[k];
    response[k] = Four<T>(root.inverse_D[k]) * F.component[k];
  }
}

/// Passes forces along the chain of a link. Returns true if a free root is left to take the rest.
template <class T>
RIGOR_INLINE bool travelToRoot(const Topology& topology, const Motion<T>* S, const Force<T>* U, const T* inverse_d,
                               int link, ForceColumns<T>& F, Four<T>* half, Four<T>* response) {
  const int* chain = topology.chain.data() + topology.chain_start[link];
  const int stop = topology.free_base[link] ? 6 : 0;
  for (int k = topology.chain_length[link] - 1; k >= stop; --k)
    takeFreedom(S[chain[k]], U[chain[k]], inverse_d[chain[k]], F, half[k], response[k]);
  return stop == 6;
}

/// Both halves of W from a root that carries all contacts: what they all have in common.
template <class T>
void fillFromRoot(const DelassusChainsScratch<T>& scratch, T* W) {
  const int n = 3 * scratch.contacts;
  for (int column = 0; column < n; ++column) {
    const int contact = column / 3, r = column % 3;
    const Four<T>* half = scratch.root_half.data() + 6 * contact;
    const Four<T> a(half[0].lane(r)), b(half[1].lane(r)), c(half[2].lane(r)), d(half[3].lane(r)), e(half[4].lane(r)),
        f(half[5].lane(r));
    const Four<T>* x = scratch.root_response.data() + 6 * contact;
    T *below = W + static_cast<std::ptrdiff_t>(n) * column + 3 * contact,
      *end = W + static_cast<std::ptrdiff_t>(n) * (column + 1);
    T* beside = W + column + static_cast<std::ptrdiff_t>(n) * 3 * contact;
    for (; below < end; below += 3, beside += 3 * n, x += 6) {
      Four<T> sum = a * x[0];
      sum += b * x[1], sum += c * x[2], sum += d * x[3], sum += e * x[4], sum += f * x[5];
      sum.storeThree(below);
      beside[0] = sum.lane(0), beside[n] = sum.lane(1), beside[2 * n] = sum.lane(2);
    }
  }
}

/// Adds the block of two ends that meet, freedoms `from` … common, and its mirror image.
template <class T>
void addMeeting(const DelassusChainsScratch<T>& scratch, const Meeting& meeting, int from, T* W) {
  const Four<T>* a = scratch.half.data() + scratch.offset[meeting.first];
  const Four<T>* b = scratch.response.data() + scratch.offset[meeting.second];
  Four<T> x(T(0.0)), y(T(0.0)), z(T(0.0));  // columns of the block
  for (int k = from; k < meeting.common; ++k) {
    x += Four<T>(b[k].lane(0)) * a[k];
    y += Four<T>(b[k].lane(1)) * a[k];
    z += Four<T>(b[k].lane(2)) * a[k];
  }
  const std::ptrdiff_t n = 3 * scratch.contacts;
  const int i = scratch.ends[meeting.first][0], j = scratch.ends[meeting.second][0];
  T *block = W + 3 * i + n * 3 * j, *mirror = W + 3 * j + n * 3 * i;
  const auto add = [&](int r, int c, const T& value)
                       __attribute__((always_inline)) { mirror[c + n * r] = block[r + n * c] += value; };
  if (i != j) {
    for (int r = 0; r < 3; ++r) add(r, 0, x.lane(r)), add(r, 1, y.lane(r)), add(r, 2, z.lane(r));
    return;
  }
  // both ends of one contact meet twice, an end itself only once
  const T times = meeting.first == meeting.second ? T(1.0) : T(2.0);
  const T half = meeting.first == meeting.second ? T(0.5) : T(1.0);
  add(0, 0, times * x.lane(0)), add(1, 1, times * y.lane(1)), add(2, 2, times * z.lane(2));
  add(1, 0, half * (x.lane(1) + y.lane(0)));
  add(2, 0, half * (x.lane(2) + z.lane(0)));
  add(2, 1, half * (y.lane(2) + z.lane(1)));
}

/// Factors of all freedoms but those of free roots, as factorChains left them; W is [3·contacts]² by columns.
template <class T>
void computeDelassusByChains(const Topology& topology, const Motion<T>* S, const Force<T>* U, const T* inverse_d,
                             const ContactSides<T>& sides, DelassusChainsScratch<T>& scratch, T* W) {
  scratch.prepare(topology, sides);
  int last = -1;
  for (std::size_t s = 0; s < sides.list.size(); ++s) {
    const ContactSide<T>& side = sides.list[s];
    Four<T>*half = scratch.half.data() + scratch.offset[s], *response = scratch.response.data() + scratch.offset[s];
    ForceColumns<T> F;
    F.clear();
    for (int r = 0; r < 3; ++r) F.set(r, side.F[r]);
    const bool free_root = travelToRoot(topology, S, U, inverse_d, side.link, F, half, response);
    if (!free_root) continue;
    const RootFactors<T>& root = scratch.root[topology.tree[side.link]];
    if (!scratch.one_root) {
      takeRoot(root, F, half, response);
      continue;
    }
    Four<T>*root_half = scratch.root_half.data() + 6 * side.contact,
    *root_response = scratch.root_response.data() + 6 * side.contact;
    if (side.contact != last) {
      takeRoot(root, F, root_half, root_response);
    } else {  // the second end
      takeRoot(root, F, half, response);
      for (int k = 0; k < 6; ++k) root_half[k] += half[k], root_response[k] += response[k];
    }
    last = side.contact;
  }

  const std::ptrdiff_t n = 3 * scratch.contacts;
  if (scratch.one_root)
    fillFromRoot(scratch, W);
  else
    std::fill_n(W, n * n, T(0.0));
  for (const Meeting& meeting : scratch.meetings) addMeeting(scratch, meeting, scratch.one_root ? 6 : 0, W);
}

extern template void computeDelassusByChains(const Topology&, const Motion<double>*, const Force<double>*,
                                             const double*, const ContactSides<double>&, DelassusChainsScratch<double>&,
                                             double*);

}  // namespace rigor
