// Springs of the joints.
#pragma once

#include "dynamics/integrate.h"
#include "model/parameters.h"

namespace rigor {

/// force = −k x with x the way from the spring's rest to q. Also the force of ½ k |x|² for a quaternion: its rotation
/// vector x changes by Jr⁻¹(x) δ, and Jr⁻ᵀ(x) x = x.
template <class T>
void computeSprings(const Topology& topology, const Parameters<T>& parameters, const T* q, T* force) {
  difference(topology, parameters.spring_reference.data(), q, force);
  for (int j = 0; j < topology.nv; ++j) force[j] *= -parameters.stiffness[j];
}

/// ½ k x² over all freedoms. `way` [nv] is scratch.
template <class T>
T computeSpringPotential(const Topology& topology, const Parameters<T>& parameters, const T* q, T* way) {
  difference(topology, parameters.spring_reference.data(), q, way);
  T sum(0.0);
  for (int j = 0; j < topology.nv; ++j) sum += 0.5 * parameters.stiffness[j] * way[j] * way[j];
  return sum;
}

extern template void computeSprings(const Topology&, const Parameters<double>&, const double*, double*);
extern template double computeSpringPotential(const Topology&, const Parameters<double>&, const double*, double*);

}  // namespace rigor
