// Who pushes how much where the motion alone does not say: forces of contacts and torques of joints that together make a given impulse.
//
//   min ½ Σ w_i |λ_i − r_i|² + ½ Σ α_j (τ_j − s_j)²     so that  Σ J_iᵀ λ_i + τ = f,   λ_i ∈ K_i,   |τ_j| ≤ m_j
//
// Solved by its dual in y [nv], which has no bounds: for any y the best forces are projections,
//
//   λ_i = P_K(r_i + J_i y / w_i),    τ_j = clamp(s_j + y_j / α_j),    ∇φ(y) = Σ J_iᵀ λ_i + τ − f
//
// φ is convex, and its gradient semismooth: Newton's method with a line search, around it the proximal point method φ + ½ρ|y − y_k|².
// If no forces make f, y runs away, and its steps tell the residual r = f − Σ J_iᵀ λ_i − τ of least size that any forces leave. That is
// the proof (Farkas): along r no admissible force has positive power, r·J_iᵀλ_i ≤ 0, and r·f > Σ m_j |r_j|.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <limits>
#include <vector>

namespace rigor {

/// Where the force of some rows may be.
struct ForceSet {
  enum class Kind : unsigned char {
    kAny,    ///< R^k: what sticks without leaving, a loop
    kCone,   ///< |λt| ≤ μ λn, three rows, normal first
    kRay,    ///< s·direction, s ≥ 0: a contact that slips, one row that only pushes
    kFixed,  ///< known
  } kind = Kind::kAny;
  int row = 0, size = 3;
  double mu = 0.0;
  Eigen::Vector3d direction = Eigen::Vector3d::UnitX();
};

/// All in impulses; rows of all sets one after the other.
struct ForceShare {
  Eigen::MatrixXd J;                  ///< [m × n]
  std::vector<ForceSet> sets;         ///< of the rows of J
  Eigen::VectorXd weight, near;       ///< [m] w > 0, r
  std::vector<int> driven;            ///< freedoms with torques
  Eigen::VectorXd cost, bias, limit;  ///< [driven] α > 0, s, m
  Eigen::VectorXd wanted;             ///< [n] f
};

class ForceSharer {
 public:
  /// True if the forces make f to rounding. Allocates only when sizes grow.
  bool solve(const ForceShare& share);
  const Eigen::VectorXd& forces() const { return lambda_; }   ///< [m]
  const Eigen::VectorXd& torques() const { return torque_; }  ///< [driven]
  const Eigen::VectorXd& residual() const {
    return residual_;
  }  ///< [n] f − Σ Jᵀλ − τ; of least size where it is not rounding
  double relativeResidual() const { return relative_; }  ///< its size in units of the terms that were added up
  int steps() const { return steps_; }                   ///< of Newton's method

 private:
  double evaluate(const ForceShare& share, const Eigen::VectorXd& y);
  void linearise(const ForceShare& share);
  double sizeOfTerms(const ForceShare& share) const;
  void minimise(const ForceShare& share);

  Eigen::VectorXd y_, centre_, start_, step_, push_, lambda_, torque_, residual_, gradient_, scale_;
  Eigen::MatrixXd hessian_, panel_;
  Eigen::LLT<Eigen::MatrixXd> factors_;
  double rho_ = 0.0, relative_ = 0.0;
  int steps_ = 0;
};

/// P_K and its derivative, 3 × 3 or less.
void projectOn(const ForceSet& set, double* x);
Eigen::Matrix3d derivativeOfProjection(const ForceSet& set, const double* x);

/// A proof that no forces make f: `direction` [n] with J_i d in the polar of K_i and d·f > Σ m|d_j|. Returns how large forces would have
/// to be at least, by what rounding leaves of the polar: infinite if nothing is left, 0 if it proves nothing.
double provesImpossible(const ForceShare& share, const Eigen::VectorXd& direction);

}  // namespace rigor
