// Strides: how links move over a step q → q ⊕ h·v, and the momentum of a body that moves so (VG eq. 9, 16; docs/maximal.md).
//
// A body's discrete Lagrangian is m|Δc|²/2h + (1/h) tr((1 − F) J_d), F = RᵀR′ and J_d = ½ tr(J) 1 − J; its momentum, the
// same at both ends of the step, is
//   p = m Δc/h,   L = (1/h) (N − Nᵀ)^∨ = (2/h) (s J e + e × J e),   N = R′ J_d Rᵀ
// in world axes, where (s, e) is the quaternion of the turn R′Rᵀ: discrete Moser–Veselov. With ω = 2e/h this is VG's
// Π = √(1 − h²ω²/4) Jω + (h/2) ω × Jω, but h·ω has no bound here: the turn itself is the coordinate.
// As h → 0 it is m v and J ω.
#pragma once

#include "dynamics/kinematics.h"

namespace rigor {

template <class T>
struct Stride {
  Quat<T> turn;     ///< R′Rᵀ, world axes
  Vec3<T> centre;   ///< centre of mass at the start, relative to O
  Vec3<T> shift;    ///< how far it moves
  Sym3<T> inertia;  ///< about it, world axes at the start
};

/// (E − 1) r for the rotation E of a unit quaternion, without cancellation.
template <class T>
RIGOR_INLINE Vec3<T> turnedBy(const Quat<T>& turn, const Vec3<T>& r) {
  const Vec3<T> e{turn.x, turn.y, turn.z};
  return 2.0 * cross(e, turn.w * r + cross(e, r));
}

/// How a point that moves with a link is displaced; `point` relative to O at the start.
template <class T>
RIGOR_INLINE Vec3<T> displacement(const Stride<T>& stride, const Vec3<T>& point) {
  return stride.shift + turnedBy(stride.turn, point - stride.centre);
}

/// Centres and inertias of the links at the start of a step.
template <class T>
void placeCentres(const Trees& trees, const Parameters<T>& parameters, const Kinematics<T>& kin,
                  std::vector<Stride<T>>& strides) {
  for (int link = trees.first_link; link < trees.end_link; ++link) {
    const LinkInertia<T>& own = parameters.inertia[link];
    strides[link].centre = kin.X_OL[link] * own.com;
    strides[link].inertia = rotate(kin.X_OL[link].R, own.rotational);
  }
}

/// Turns and shifts of the links for q ⊕ h·v, root → leaves.
template <class T>
void computeStrides(const Trees& trees, const Parameters<T>& parameters, const Kinematics<T>& kin, const T* v,
                    const T& h, std::vector<Stride<T>>& strides) {
  const Topology& topology = trees.topology;
  for (int link = trees.first_link; link < trees.end_link; ++link) {
    const int first = topology.v_index[link], parent = topology.parent[link];
    const JointStride<T> own =
        strideJoint(topology.joint[link], kin.S.data() + first, parameters.pitch[link], v + first, h);
    Stride<T>& stride = strides[link];
    stride.turn = own.turn;
    stride.shift = turnedBy(own.turn, stride.centre - kin.X_OL[link].p) + own.shift;
    if (parent < 0) continue;
    stride.shift += displacement(strides[parent], stride.centre + stride.shift);
    stride.turn = strides[parent].turn * own.turn;
  }
}

/// Momentum of a body about its centre that moves by `stride` in h.
template <class T>
RIGOR_INLINE Force<T> strideMomentum(const T& mass, const Stride<T>& stride, const T& h) {
  const Vec3<T> e{stride.turn.x, stride.turn.y, stride.turn.z};
  const Vec3<T> turned = stride.inertia * e;
  return {(mass / h) * stride.shift, (2.0 / h) * (stride.turn.w * turned + cross(e, turned))};
}

extern template void placeCentres(const Trees&, const Parameters<double>&, const Kinematics<double>&,
                                  std::vector<Stride<double>>&);
extern template void computeStrides(const Trees&, const Parameters<double>&, const Kinematics<double>&, const double*,
                                    const double&, std::vector<Stride<double>>&);

}  // namespace rigor
