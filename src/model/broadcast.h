// The numbers of a model in another scalar: the same in every lane, or constants of a derivative.
#pragma once

#include "model/parameters.h"

namespace rigor {

template <class T>
Vec3<T> broadcast(const Vec3<double>& a) {
  return {a.x, a.y, a.z};
}
template <class T>
Mat3<T> broadcast(const Mat3<double>& A) {
  return {broadcast<T>(A.x), broadcast<T>(A.y), broadcast<T>(A.z)};
}
template <class T>
Sym3<T> broadcast(const Sym3<double>& A) {
  return {A.xx, A.yy, A.zz, A.xy, A.xz, A.yz};
}
template <class T>
Transform<T> broadcast(const Transform<double>& X) {
  return {broadcast<T>(X.R), broadcast<T>(X.p)};
}
template <class T>
LinkInertia<T> broadcast(const LinkInertia<double>& I) {
  return {I.mass, broadcast<T>(I.com), broadcast<T>(I.rotational)};
}

template <class T>
Parameters<T> broadcast(const Parameters<double>& given) {
  Parameters<T> result;
  for (const Transform<double>& X : given.X_PJ) result.X_PJ.push_back(broadcast<T>(X));
  result.turn = std::vector<FrameTurn>(given.turn);  // all inline: no function that other scalars share (lanes.h)
  for (const LinkInertia<double>& I : given.inertia) result.inertia.push_back(broadcast<T>(I));
  result.pitch.assign(given.pitch.begin(), given.pitch.end());
  result.damping.assign(given.damping.begin(), given.damping.end());
  result.armature.assign(given.armature.begin(), given.armature.end());
  result.stiffness.assign(given.stiffness.begin(), given.stiffness.end());
  result.spring_reference.assign(given.spring_reference.begin(), given.spring_reference.end());
  result.dry_friction.assign(given.dry_friction.begin(), given.dry_friction.end());
  result.gravity = broadcast<T>(given.gravity);
  return result;
}

}  // namespace rigor
