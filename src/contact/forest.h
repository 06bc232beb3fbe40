// Articulated bodies of a forest of nodes (DelassusForest): forces on its links become their motions in linear time.
//
//   inward    r_j = x_j + S_j·f,  f ← f − U_j r_j/d_j                        leaves first, U = I S̃, L = IᵀS, d = S·U + diagonal
//             then the parent gets X f, X (f, τ) = (f, τ + shift × f)
//   outward   V = Xᵀ V_parent,  x_j = (r_j − L_j·V)/d_j,  V ← V + S̃_j x_j    roots first
//   mobility  Λ = Xᵀ Λ_parent X,  Λ ← (1 − S̃ Lᵀ/d) Λ (1 − U Sᵀ/d) + S̃ Sᵀ/d  OS §V with columns of two poses
#pragma once

#include "rigor/delassus_matrix.h"

namespace rigor {

/// (f, τ) ← (f, τ + shift × f), six numbers `stride` apart: what a force about a link's point is about its parent's.
inline void shiftForce(const double* shift, double* force, int stride = 1) {
  const double x = force[0], y = force[stride], z = force[2 * stride];
  force[3 * stride] += shift[1] * z - shift[2] * y;
  force[4 * stride] += shift[2] * x - shift[0] * z;
  force[5 * stride] += shift[0] * y - shift[1] * x;
}
/// (v, ω) ← (v + ω × shift, ω): the motion of the parent about the link's point. Also the rows of a matrix times X from the right.
inline void shiftMotion(const double* shift, double* motion, int stride = 1) {
  const double x = motion[3 * stride], y = motion[4 * stride], z = motion[5 * stride];
  motion[0] += y * shift[2] - z * shift[1];
  motion[stride] += z * shift[0] - x * shift[2];
  motion[2 * stride] += x * shift[1] - y * shift[0];
}
/// M ← X M Xᵀ, [6 × 6] with rows `stride` apart: what a link is to its parent.
void shiftInward(const double* shift, double* M, int stride);

/// Factors, and the mobilities of all links.
void factorForest(const DelassusFactors& factors, ForestFactors& forest);

/// x [freedoms] ← K⁻¹ x: forces on links and torques of joints become motions. Nodes that stand alone keep theirs.
void solveForest(const DelassusFactors& factors, const ForestFactors& forest, double* x);

/// Motion [freedoms of `to`] of one node per force [freedoms of `from`] on one with the same root.
void respond(const DelassusFactors& factors, const ForestFactors& forest, int from, const double* force, int to,
             double* motion);

}  // namespace rigor
