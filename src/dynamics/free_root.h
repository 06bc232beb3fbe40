// The free root of a tree: its six equations at once, in world axes about O, where its columns are unit vectors.
#pragma once

#include "dynamics/articulated_inertia.h"
#include "model/parameters.h"

namespace rigor {

/// I and the armature of the root's freedoms, which acts along their columns (e, 0) and (0, e).
template <class T>
RIGOR_INLINE ArticulatedInertia<T> withRootArmature(const Parameters<T>& parameters, const Motion<T>* S, int first,
                                                    ArticulatedInertia<T> I) {
  for (int k = 0; k < 3; ++k) {
    I.linear += minusSquare(-parameters.armature[first + k], S[k].linear);
    I.angular += minusSquare(-parameters.armature[first + 3 + k], S[3 + k].angular);
  }
  return I;
}

/// L D Lᵀ of the inertia that a free root feels.
template <class T>
struct RootFactors {
  T L[6][6];       ///< below the diagonal
  T inverse_D[6];  ///< 1/D

  RootFactors() = default;
  explicit RootFactors(const ArticulatedInertia<T>& I) {
    const Sym3<T>&a = I.linear, &b = I.angular;
    const Mat3<T>& c = I.coupling;
    T rest[6][6] = {{a.xx},
                    {a.xy, a.yy},
                    {a.xz, a.yz, a.zz},
                    {c.x.x, c.x.y, c.x.z, b.xx},
                    {c.y.x, c.y.y, c.y.z, b.xy, b.yy},
                    {c.z.x, c.z.y, c.z.z, b.xz, b.yz, b.zz}};
#pragma GCC unroll 6
    for (int k = 0; k < 6; ++k) {
      inverse_D[k] = 1.0 / rest[k][k];
#pragma GCC unroll 6
      for (int i = k + 1; i < 6; ++i) L[i][k] = rest[i][k] * inverse_D[k];
#pragma GCC unroll 6
      for (int i = k + 1; i < 6; ++i)
#pragma GCC unroll 6
        for (int j = k + 1; j <= i; ++j) rest[i][j] -= L[i][k] * rest[j][k];
    }
  }
};

}  // namespace rigor
