// Energy and momentum.
#pragma once

#include "dynamics/kinematics.h"

namespace rigor {

template <class T>
struct EnergyMomentum {
  T kinetic{}, potential{};  ///< [J]; potential is −Σ m g·c, zero at the world's origin
  Vec3<T> linear, angular;   ///< [kg m/s], [kg m²/s] about the world's origin; armature has no momentum
};

/// ½ vᵀ M v with armature, −Σ m g·c, Σ I V. `V` is scratch [links].
template <class T>
EnergyMomentum<T> computeEnergy(const Trees& trees, const Parameters<T>& parameters, const Kinematics<T>& kin,
                                const std::vector<Inertia<T>>& inertias, const T* v, std::vector<Motion<T>>& V) {
  const Topology& topology = trees.topology;
  EnergyMomentum<T> sum;
  for (int link = trees.first_link; link < trees.end_link; ++link) {
    const Inertia<T>& I = inertias[link];
    V[link] = addMotion(topology, kin, v, OneLink<T>{link}, V);
    const Vec3<T>& O = kin.origin[topology.tree[link]];
    const Force<T> momentum = I * V[link];
    sum.kinetic += 0.5 * dot(V[link], momentum);
    sum.potential -= dot(parameters.gravity, I.mass * O + I.moment);
    sum.linear += momentum.linear;
    sum.angular += momentum.angular + cross(O, momentum.linear);
  }
  for (int j = trees.first_dof; j < trees.end_dof; ++j) sum.kinetic += 0.5 * parameters.armature[j] * v[j] * v[j];
  return sum;
}

extern template EnergyMomentum<double> computeEnergy(const Trees&, const Parameters<double>&, const Kinematics<double>&,
                                                     const std::vector<Inertia<double>>&, const double*,
                                                     std::vector<Motion<double>>&);

}  // namespace rigor
