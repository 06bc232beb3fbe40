// Centre of mass and the map from velocities to momentum about it.
#pragma once

#include "algorithms/composite.h"

namespace rigor {

template <class T>
struct MassCentre {
  T mass{};
  Vec3<T> position;  ///< in the world
};

/// Of all links. Bodies fixed to the world belong to none.
template <class T>
MassCentre<T> computeMassCentre(const Topology& topology, const Kinematics<T>& kin,
                                const std::vector<Inertia<T>>& inertias) {
  MassCentre<T> sum;
  for (int link = 0; link < topology.links; ++link) {
    sum.mass += inertias[link].mass;
    sum.position += inertias[link].moment + inertias[link].mass * kin.origin[topology.tree[link]];
  }
  const auto massless = sum.mass == T(0.0);
  sum.position *= 1.0 / select(massless, T(1.0), sum.mass);
  return sum;
}

/// Column j: momentum of the subtree of j per unit of v_j, about the world point `centre`. `composite` enters as the
/// inertias of the links and leaves as those of the subtrees.
template <class T>
void computeMomentumMap(const Topology& topology, const Kinematics<T>& kin, std::vector<Inertia<T>>& composite,
                        const Vec3<T>& centre, Force<T>* columns) {
  sumSubtrees(topology, composite);
  for (int j = 0; j < topology.nv; ++j) {
    const int link = topology.dof_link[j];
    const Force<T> F = composite[link] * kin.S[j];
    columns[j] = {F.linear, F.angular + cross(kin.origin[topology.tree[link]] - centre, F.linear)};
  }
}

extern template MassCentre<double> computeMassCentre(const Topology&, const Kinematics<double>&,
                                                     const std::vector<Inertia<double>>&);
extern template void computeMomentumMap(const Topology&, const Kinematics<double>&, std::vector<Inertia<double>>&,
                                        const Vec3<double>&, Force<double>*);

}  // namespace rigor
