// The slow, obvious twin of loops: openings from 4 × 4 matrices, rows by finite differences, and the whole step as one
// dense system [M −Jᵀ; J̃ 0] solved by Newton's method.
#pragma once

#include "reference/slow_tree.h"

namespace rigor::slow {

/// How far every loop of the model is open at q. Axes and frames are compared by their vectors, so there are more rows
/// than rigor has, and other ones: what they ask for is the same.
Eigen::VectorXd computeOpenings(const Model& model, const Eigen::VectorXd& q);

/// Derivatives of the openings by the velocity with which q moves [rows × nv].
Eigen::MatrixXd computeOpeningRows(const Model& model, const Eigen::VectorXd& q);

/// End velocity of a step of length h that begins at (q, v) with a kick of length k and keeps the loops closed:
///   (M + ½kD)(v′ − v) − J(q)ᵀ λ = −k (c(q, v̄) + D v),   v̄ = (v + v′)/2,   g(q ⊕ h v′) = 0
/// No contacts, no drives.
Eigen::VectorXd solveLoopStep(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v, double k,
                              double h);

}  // namespace rigor::slow
