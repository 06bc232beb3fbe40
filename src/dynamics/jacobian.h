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

/// row [chain_length] = Sᵀ F for the degrees of freedom from the root to `link`: the velocity of the direction that F
/// stands for is row · v, and an impulse along it acts through rowᵀ.
template <class T>
void jacobianRow(const Topology& topology, const Motion<T>* S, int link, const Force<T>& F, T* row) {
  const int* chain = topology.chain.data() + topology.chain_start[link];
  for (int k = 0; k < topology.chain_length[link]; ++k) row[k] = dot(S[chain[k]], F);
}

extern template void jacobianRow(const Topology&, const Motion<double>*, int, const Force<double>&, double*);

}  // namespace rigor
