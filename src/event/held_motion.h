// Accelerations of a system that is held, and the way back onto what it is held on.
//
//   M a = τ − c + Fᵀλ,   J a + J̇ v = 0      F = J but where something slips: n − μ d instead of n
//
// J̇ v is the derivative of J(q ⊕ s v) v by s, taken by differences of fourth order over a thousandth of what normals and links turn by: rows of
// any kind have one, and what its error, about 1e-12 of |v| times that rate, leaves is taken away when the end of a piece is projected back. Rows that depend on each other share their
// force with the least change against `reference`, the forces that the complementarity problem of the node found.
#pragma once

#include "dynamics/integrators.h"
#include "event/held_matrix.h"
#include "minimal/smooth_step.h"

namespace rigor {

class HeldMotion final : public AccelerationField {
 public:
  explicit HeldMotion(const StepTables& tables);

  std::vector<Held> held;
  Eigen::VectorXd reference;  ///< [rows] forces

  /// Of all that is held; after it has changed. `reference` is zero again.
  void numberRows();
  int rows() const { return rows_; }

  /// `input` must outlive the evaluations. Joints that move against dry friction are braked by it until the next call.
  void use(const StepInput& input, const double* v);
  /// A joint at rest begins to move against this torque of its dry friction.
  void beginRub(int dof, double torque) { input_.tau[dof] += torque, rubbing_[dof] = torque, assembled_ = false; }
  double rubbing(int dof) const { return rubbing_[dof]; }  ///< [N m] of a joint that moves against its dry friction

  void evaluate(const double* q, const double* v, double* acceleration) override;
  /// [rows] forces of the last evaluation.
  const Eigen::VectorXd& forces() const { return forces_; }
  /// Of the last evaluation: W_rr, and b.
  double mobility(int row) const { return W_.mobility(row); }
  const Eigen::VectorXd& problemVelocity() const { return free_rates_; }
  /// W of the last evaluation.
  void writeMatrix(RowMatrix& W) const { W_.writeDense(W); }

  /// Moves q and v by the least kinetic energy to where gaps and loops are as they are held, and what is closed or sticks has no
  /// velocity. False if that does not converge.
  bool project(Eigen::VectorXd& q, Eigen::VectorXd& v);

  /// W = J M⁻¹ Fᵀ and b = J a₀ + J̇ v at a state: the complementarity problem of accelerations.
  void assemble(const double* q, const double* v);

 private:
  bool sees(const double* q, const double* v) const;
  void place(const double* q, PlacedModel& pose) const;
  void factorMass();
  void computeBias(const double* q, const double* v);

  const StepTables& tables_;
  const Topology& topology_;
  SmoothForces forces_of_state_;
  StepInput input_;
  int rows_ = 0;
  bool touches_ = false;  // a contact is held
  PlacedModel pose_, moved_pose_;
  HeldRows rows_at_;
  HeldMatrix W_;
  std::vector<Inertia<double>> inertias_;
  MassFactors<double> mass_;
  std::vector<double> no_drives_;  // [nv] zero
  std::vector<double> rubbing_;    // [nv] torques of dry friction that is overcome
  Eigen::VectorXd free_, bias_, forces_, free_rates_, right_, correction_, q_moved_, step_;
  bool assembled_ = false;           // pose, rows, W and b are those of the state below
  Eigen::VectorXd q_seen_, v_seen_;  // [nq], [nv]
};

}  // namespace rigor
