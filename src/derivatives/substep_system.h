// One accepted sub-step, linearised: what small changes of where it began, of its forces, its length and its parameters do to where it
// ends. docs/step-derivatives.md derives the equations.
//
//   A δv′ = f + Jᵀ δλ                     A = ∂(momentum balance)/∂v′, f the impulse that the changes call for
//   B δλ  = s − C δv′                     rows that bind, by their mode: stick and loops δu = 0, slip, bounds
//
// solved by S = A⁻¹Jᵀ and the generalised inverse G of B + C S:
//
//   δλ = G (s − C A⁻¹ f),   δv′ = A⁻¹ f + S δλ,   δq′ = carry·δq + h·turn·δv′ + v′ δh
//
// q is moved in its tangent space: δq means q ⊕ δq.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "dynamics/mass_factors.h"

namespace rigor {

class GeneralizedInverse;

/// The quaternion of a joint: how a turn δ at the start, and a change of h·ω, turn its end.
struct QuaternionCarry {
  int dof = 0;                  ///< the first of its three freedoms
  Eigen::Matrix3d carry, turn;  ///< exp(hω)ᵀ, Jr(hω)
};

/// A target of a drive in the equations: on a freedom [N m s], or with row ≥ 0 in a row that binds.
struct TargetTerm {
  int dof = 0, row = -1;
  double slope = 0.0;
};

/// Tangents of a snapshot, or gradients by it, side by side as columns. Rows [nv] but where told.
struct StepTangents {
  Eigen::MatrixXd q, v;
  Eigen::MatrixXd last_step;  ///< of Memory::last_step of the freedom's tree
  Eigen::MatrixXd rates[3];   ///< of Memory::rates
  Eigen::RowVectorXd time;    ///< of the time at which a sub-step begins [1 × columns]

  void setZero(int nv, int columns);
};

/// Of forces and numbers, the same for all sub-steps of a step.
struct StepForcing {
  Eigen::MatrixXd tau;        ///< [nv]
  Eigen::MatrixXd ctrl;       ///< [drives]
  Eigen::MatrixXd parameter;  ///< [parameters]

  void setZero(int nv, int drives, int parameters, int columns);
};

/// Scratch of both directions.
struct StepScratch {
  Eigen::MatrixXd f, s, w, kick, predicted, q, v, room, all;
  Eigen::RowVectorXd h;
};

struct SubstepSystem {
  double h = 0.0;
  Eigen::VectorXd kick;            ///< [nv] κ
  Eigen::VectorXd rate, v_end;     ///< [nv] (v′ − v)/κ, v′
  bool extrapolates = true;        ///< v̄ from the memory; else v̄ = ½(v + v′)
  Eigen::MatrixXd weights;         ///< [nv × 3] of the last rates in the extrapolated one
  Eigen::VectorXd predicted_rate;  ///< [nv] which is this
  // of the momentum balance:
  Eigen::MatrixXd by_q, by_v;    ///< [nv × nv]
  Eigen::MatrixXd by_predicted;  ///< [nv × nv] by the increment of v that v̄ reckons with, where it extrapolates
  Eigen::VectorXd by_h, by_kick, by_last;  ///< [nv] the latter two by those of the same freedom
  Eigen::MatrixXd by_parameter;            ///< [nv × parameters]
  std::vector<QuaternionCarry> quaternions;
  std::vector<TargetTerm> targets;  ///< [drives]

  int rows = 0;  ///< that bind
  int rank = 0;  ///< of B + C S
  const Topology* topology = nullptr;
  MassFactors<double> mass;          ///< those of the step; where `extrapolates`, of A
  Eigen::MatrixXd balance, inverse;  ///< [nv × nv] A, and A⁻¹ where it is known
  bool has_inverse = false;
  Eigen::MatrixXd response, binding, solve;                 ///< S, C, G
  Eigen::MatrixXd rows_by_q, rows_by_v, rows_by_parameter;  ///< of s
  Eigen::VectorXd rows_by_h, rows_by_kick;                  ///< the latter by that of a freedom:
  std::vector<int> row_dof;
  bool rows_know_v = false;  ///< rows_by_v is not zero

  /// The sub-step ends where a gap closes, whatever its length: gap_row · δq′ = 0. Else its length is a share of what is left.
  bool lands = false;
  Eigen::VectorXd gap_row;      ///< [nv]
  Eigen::VectorXd v_by_length;  ///< [nv] ∂v′/∂h, its kick included; where it lands

  void resize(int nv, int drives, int parameters);
  void resizeRows(int nv, int parameters);  ///< as many as `rows` says
  void invert();                            ///< A⁻¹, if it is not known: cheaper than the factors for many columns
  /// G from B, when A⁻¹, S and C are known; and what a sub-step that lands does per unit of length.
  void finish(const Eigen::MatrixXd& free_rows, GeneralizedInverse& inverter, StepScratch& scratch);

  /// Tangents at its end by everything, where it begins the step: unit columns of q, v, parameters, τ and ctrl, in this order. What the
  /// memory will hold is left out where no other sub-step asks for it.
  void forwardByAll(bool remembers, StepTangents& tangents, StepScratch& scratch) const;
  /// Tangents at its end from those at its start. `left` is what the step still has to go, this sub-step included [s].
  void forward(double left, const StepForcing& forcing, StepTangents& tangents, StepScratch& scratch) const;
  /// The transpose: gradients by its end become those by its start; what they are by the forcing is added.
  void adjoint(double left, StepTangents& gradients, StepForcing& forcing, StepScratch& scratch) const;

 private:
  void solveBalance(bool transposed, Eigen::MatrixXd& x, Eigen::MatrixXd& room) const;  ///< x ← A⁻¹ x or A⁻ᵀ x
  void solveForward(StepScratch& scratch) const;                                        ///< v ← ∂v′ from f and s
  void solveAdjoint(StepScratch& scratch) const;                                        ///< f and s from v
  /// From ∂v′ to all tangents at the end.
  void moveEnd(bool remembers, Eigen::MatrixXd& v, StepTangents& tangents, StepScratch& scratch) const;
  /// x ← carry·x, or its transpose.
  void carry(bool transposed, Eigen::MatrixXd& x) const;
  /// to += h·turn·x, or its transpose.
  void addTurned(bool transposed, const Eigen::MatrixXd& x, Eigen::MatrixXd& to) const;
  double rateOfGap() const;  ///< of the gap that closes, per unit of length
};

}  // namespace rigor
