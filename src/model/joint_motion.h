// What each type of joint does: the one file that switches over joint types. Everything else sees columns and counts.
//
// A joint first translates, then turns (joint.h). Its frame F arrives as the joint frame and leaves as the link's; a
// column of S is the motion, about the point that F.p is measured from, per unit of one velocity. Columns of
// translations turn with the parent, those of rotations with the link; a universal joint has one of each kind.
#pragma once

#include "math/rotation.h"
#include "math/spatial.h"
#include "rigor/joint.h"

namespace rigor {

/// How many of the first columns turn with the parent: Ṡ = V_parent × S, and V_link × S for the rest.
constexpr int parentColumns(JointType type) {
  return translationCount(type) + (type.rotation == Rotation::kTwoAxes ? 1 : 0);
}

/// Whether a direction means something to the joint.
constexpr bool hasAxis(JointType type) {
  const bool turns_about_one = type.rotation != Rotation::kNone && type.rotation != Rotation::kAll;
  return turns_about_one || type.translation == Translation::kAxis || type.translation == Translation::kPlane;
}

/// Frame F turned about its z axis: only two columns change.
template <class T>
RIGOR_INLINE Mat3<T> turnAboutZ(const Mat3<T>& F, T angle) {
  const SinCos<T> sc = sincos(angle);
  return {sc.cos * F.x + sc.sin * F.y, sc.cos * F.y - sc.sin * F.x, F.z};
}
template <class T>
RIGOR_INLINE Mat3<T> turnAboutX(const Mat3<T>& F, T angle) {
  const SinCos<T> sc = sincos(angle);
  return {F.x, sc.cos * F.y + sc.sin * F.z, sc.cos * F.z - sc.sin * F.y};
}

/// Moves F by the joint's translation and writes its columns.
template <class T>
RIGOR_INLINE void translateJoint(JointType type, const T* q, Transform<T>& F, Motion<T>* S) {
  const T zero(0.0);
  const Vec3<T> none{zero, zero, zero};
  switch (type.translation) {
    case Translation::kNone:
      break;
    case Translation::kAxis:
      F.p += q[0] * F.R.z;
      S[0] = {F.R.z, none};
      break;
    case Translation::kPlane:
      F.p += q[0] * F.R.x + q[1] * F.R.y;
      S[0] = {F.R.x, none};
      S[1] = {F.R.y, none};
      break;
    case Translation::kAll:
      F.p += q[0] * F.R.x + q[1] * F.R.y + q[2] * F.R.z;
      S[0] = {F.R.x, none};
      S[1] = {F.R.y, none};
      S[2] = {F.R.z, none};
      break;
  }
}

/// Turns F by the joint's rotation and writes its columns; q and S are those after the translation.
template <class T>
RIGOR_INLINE void turnJoint(JointType type, const T* q, const T& pitch, Transform<T>& F, Motion<T>* S) {
  switch (type.rotation) {
    case Rotation::kNone:
      break;
    case Rotation::kAxis:
      F.R = turnAboutZ(F.R, q[0]);
      S[0] = {cross(F.p, F.R.z), F.R.z};
      break;
    case Rotation::kAll:
      F.R = F.R * toMatrix(Quat<T>{q[0], q[1], q[2], q[3]});
      S[0] = {cross(F.p, F.R.x), F.R.x};
      S[1] = {cross(F.p, F.R.y), F.R.y};
      S[2] = {cross(F.p, F.R.z), F.R.z};
      break;
    case Rotation::kHelix:
      S[0] = {cross(F.p, F.R.z) + pitch * F.R.z, F.R.z};  // advancing along the axis leaves the lever arm as it was
      F.p += (pitch * q[0]) * F.R.z;
      F.R = turnAboutZ(F.R, q[0]);
      break;
    case Rotation::kTwoAxes:
      S[0] = {cross(F.p, F.R.z), F.R.z};
      F.R = turnAboutX(turnAboutZ(F.R, q[0]), q[1]);
      S[1] = {cross(F.p, F.R.x), F.R.x};
      break;
  }
}

/// How a joint moves its child over a step q → q ⊕ h·v while the parent stays: turned about its origin, then shifted.
template <class T>
struct JointStride {
  Quat<T> turn;
  Vec3<T> shift;
};

/// In world axes, from the columns S at q. No difference of two poses, so nothing cancels however short the step is.
template <class T>
RIGOR_INLINE JointStride<T> strideJoint(JointType type, const Motion<T>* S, const T& pitch, const T* v, const T& h) {
  const int moves = translationCount(type);
  JointStride<T> stride;
  for (int k = 0; k < moves; ++k) stride.shift += (h * v[k]) * S[k].linear;
  S += moves, v += moves;
  switch (type.rotation) {
    case Rotation::kNone:
      break;
    case Rotation::kAxis:
      stride.turn = expQuat((h * v[0]) * S[0].angular);
      break;
    case Rotation::kAll:
      stride.turn = expQuat(h * (v[0] * S[0].angular + v[1] * S[1].angular + v[2] * S[2].angular));
      break;
    case Rotation::kHelix:
      stride.turn = expQuat((h * v[0]) * S[0].angular);
      stride.shift += (pitch * (h * v[0])) * S[0].angular;
      break;
    case Rotation::kTwoAxes:
      stride.turn = expQuat((h * v[0]) * S[0].angular) * expQuat((h * v[1]) * S[1].angular);
      break;
  }
  return stride;
}

/// next = q ⊕ h·v of one joint; may be in place. R′ = R·exp(h ω) because ω is in the child's frame.
template <class T>
RIGOR_INLINE void integrateJoint(JointType type, const T* q, const T* v, T h, T* next) {
  const int straight = type.rotation == Rotation::kAll ? translationCount(type) : velocityCount(type);
  for (int k = 0; k < straight; ++k) next[k] = q[k] + h * v[k];
  if (type.rotation != Rotation::kAll) return;
  q += straight, v += straight, next += straight;
  const Quat<T> turn = expQuat(Vec3<T>{h * v[0], h * v[1], h * v[2]});
  const Quat<T> r = normalized(Quat<T>{q[0], q[1], q[2], q[3]} * turn);
  next[0] = r.w, next[1] = r.x, next[2] = r.y, next[3] = r.z;
}

/// The v with q ⊕ v = next: the way from one to the other in the tangent space; rotations of at most half a turn.
template <class T>
RIGOR_INLINE void differenceJoint(JointType type, const T* q, const T* next, T* v) {
  const int straight = type.rotation == Rotation::kAll ? translationCount(type) : velocityCount(type);
  for (int k = 0; k < straight; ++k) v[k] = next[k] - q[k];
  if (type.rotation != Rotation::kAll) return;
  q += straight, v += straight, next += straight;
  const Quat<T> back{q[0], -q[1], -q[2], -q[3]};
  const Vec3<T> theta = logQuat(back * Quat<T>{next[0], next[1], next[2], next[3]});
  v[0] = theta.x, v[1] = theta.y, v[2] = theta.z;
}

}  // namespace rigor
