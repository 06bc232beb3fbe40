// Between Eigen types of the public headers and the plain structs of the kernels.
#pragma once

#include "math/vec3.h"
#include "rigor/shape.h"

namespace rigor {

inline Vec3<double> toVec3(const Eigen::Vector3d& a) { return {a.x(), a.y(), a.z()}; }
inline Eigen::Vector3d toEigen(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

inline Mat3<double> toMat3(const Eigen::Matrix3d& A) { return {toVec3(A.col(0)), toVec3(A.col(1)), toVec3(A.col(2))}; }
inline Eigen::Matrix3d toEigen(const Mat3<double>& A) {
  Eigen::Matrix3d B;
  B << toEigen(A.x), toEigen(A.y), toEigen(A.z);
  return B;
}

/// Takes the mean of the two halves, so that a matrix that is symmetric up to rounding loses nothing.
inline Sym3<double> toSym3(const Eigen::Matrix3d& A) {
  return {A(0, 0), A(1, 1), A(2, 2), 0.5 * (A(0, 1) + A(1, 0)), 0.5 * (A(0, 2) + A(2, 0)), 0.5 * (A(1, 2) + A(2, 1))};
}
inline Eigen::Matrix3d toEigen(const Sym3<double>& A) {
  return Eigen::Matrix3d{{A.xx, A.xy, A.xz}, {A.xy, A.yy, A.yz}, {A.xz, A.yz, A.zz}};
}

inline Transform<double> toTransform(const Pose& X) {
  return {toMat3(X.rotation.toRotationMatrix()), toVec3(X.position)};
}
inline Pose toPose(const Transform<double>& X) { return {toEigen(X.p), Eigen::Quaterniond(toEigen(X.R)).normalized()}; }

}  // namespace rigor
