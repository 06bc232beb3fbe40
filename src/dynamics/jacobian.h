// Jacobian rows: a force on a link, written as generalised forces along the chain of that link.
#pragma once

#include "math/spatial.h"
#include "model/topology.h"

namespace rigor {

/// Force f at the world point p (relative to O) with a free torque, about O.
template <class T>
Force<T> forceAt(const Vec3<T>& p, const Vec3<T>& f, const Vec3<T>& torque) {
  return {f, cross(p, f) + torque};
}

/// rows [chain_length × kRows], freedom by freedom: entry k·kRows + r is Sᵀ F_r for the k-th degree of freedom from the
/// root to `link`. The velocity of the direction that F_r stands for is row · v; an impulse along it acts through rowᵀ.
template <int kRows, class T>
void jacobianRows(const Topology& topology, const Motion<T>* S, int link, const Force<T>* F, T* rows) {
  const int* chain = topology.chain.data() + topology.chain_start[link];
  int k = 0;
  if (topology.free_base[link]) {  // unit columns: nothing to multiply
    const Motion<T>* axes = S + chain[3];
    for (int r = 0; r < kRows; ++r) {
      rows[r] = F[r].linear.x;
      rows[kRows + r] = F[r].linear.y;
      rows[2 * kRows + r] = F[r].linear.z;
      for (int a = 0; a < 3; ++a) rows[(3 + a) * kRows + r] = dot(axes[a].angular, F[r].angular);
    }
    k = 6;
  }
  for (; k < topology.chain_length[link]; ++k)
    for (int r = 0; r < kRows; ++r) rows[k * kRows + r] = dot(S[chain[k]], F[r]);
}

template <class T>
void jacobianRow(const Topology& topology, const Motion<T>* S, int link, const Force<T>& F, T* row) {
  jacobianRows<1>(topology, S, link, &F, row);
}

extern template void jacobianRows<1>(const Topology&, const Motion<double>*, int, const Force<double>*, double*);
extern template void jacobianRows<3>(const Topology&, const Motion<double>*, int, const Force<double>*, double*);
extern template void jacobianRows<4>(const Topology&, const Motion<double>*, int, const Force<double>*, double*);
extern template void jacobianRows<6>(const Topology&, const Motion<double>*, int, const Force<double>*, double*);

}  // namespace rigor
