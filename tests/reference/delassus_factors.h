// Delassus matrix W = J M⁻¹ Jᵀ from the factors of the mass matrix: a twin of the recursions.
//
// M = Lᵀ D L, so W = Yᵀ D⁻¹ Y with Y = L⁻ᵀ Jᵀ. A column of Y lives on the chain of its link, and two chains meet in a
// prefix: every product is a sum over contiguous memory.
#pragma once

#include "algorithms/contact_rows.h"
#include "dynamics/crba.h"

namespace rigor {

template <class T>
struct DelassusFactorsScratch {
  std::vector<T> half, response;  ///< Y and D⁻¹ Y, [chain length × 3] per end
  std::vector<int> offset;        ///< [ends]
};

/// L and inverse_D as factorLtl left them; W is [3·contacts]² by columns.
template <class T>
void computeDelassusFromFactors(const Topology& topology, const Kinematics<T>& kin, const T* L, const T* inverse_D,
                                const ContactSides<T>& sides, DelassusFactorsScratch<T>& scratch, T* W) {
  const int ends = static_cast<int>(sides.list.size()), rows = 3 * sides.contacts;
  scratch.offset.resize(ends);
  int size = 0;
  for (int s = 0; s < ends; ++s) {
    scratch.offset[s] = size;
    size += 3 * topology.chain_length[sides.list[s].link];
  }
  scratch.half.resize(size);
  scratch.response.resize(size);
  std::fill_n(W, static_cast<std::ptrdiff_t>(rows) * rows, T(0.0));

  for (int s = 0; s < ends; ++s) {
    const ContactSide<T>& side = sides.list[s];
    T *half = scratch.half.data() + scratch.offset[s], *response = scratch.response.data() + scratch.offset[s];
    jacobianRows<3>(topology, kin.S.data(), side.link, side.F, half);
    solveChainLTranspose<3>(topology, L, side.link, half);
    const int* chain = topology.chain.data() + topology.chain_start[side.link];
    for (int k = 0; k < topology.chain_length[side.link]; ++k)
      for (int r = 0; r < 3; ++r) response[3 * k + r] = inverse_D[chain[k]] * half[3 * k + r];

    for (int t = 0; t <= s; ++t) {
      const ContactSide<T>& other = sides.list[t];
      const int common = topology.commonPrefix(side.link, other.link);
      if (common == 0) continue;
      const T* a = scratch.half.data() + scratch.offset[t];
      const T* b = response;
      T x00(0.0), x01(0.0), x02(0.0), x10(0.0), x11(0.0), x12(0.0), x20(0.0), x21(0.0), x22(0.0);
      for (int k = 0; k < common; ++k, a += 3, b += 3) {
        x00 += a[0] * b[0], x01 += a[0] * b[1], x02 += a[0] * b[2];
        x10 += a[1] * b[0], x11 += a[1] * b[1], x12 += a[1] * b[2];
        x20 += a[2] * b[0], x21 += a[2] * b[1], x22 += a[2] * b[2];
      }
      const T X[3][3] = {{x00, x01, x02}, {x10, x11, x12}, {x20, x21, x22}};
      addPair(W, rows, other.contact, side.contact, X, s == t);
    }
  }
}

}  // namespace rigor
