// Everything that decided a step, sub-step by sub-step: what a recording keeps so that the step can be judged again.
//
// A step consists of sub-steps k = 0, 1, …, each of length h_k ≥ 0 with a kick of length κ_k:
//   M(q_k)(v_{k+1} − v_k) = κ_k (τ − c(q_k, v̄_k)) + Jᵀλ_k        q_{k+1} = q_k ⊕ h_k v_{k+1}
// κ_k = ½(h_{k−1} + h_k), where h_{k−1} counts as 0 if v_k was the velocity of a node: at the start, after the state was
// set, and after a sub-step of length 0.
//
// Trees that cannot meet may have sub-steps of their own: then each takes part in some of them, which follow each other
// in its own order, and the lengths of those are the step's.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "rigor/contact.h"
#include "rigor/state.h"

namespace rigor {

/// Impulse of the rows of a joint limit, a motor at its bound, dry joint friction, a part of a loop or of an own constraint; of a stop,
/// dry friction or motor of a loop.
struct RowImpulse {
  RowId id;
  double impulse[3] = {0, 0, 0};  ///< [N s] or [N m s]; one or three of them are used
};

/// What an own potential or an own constraint (own_terms.h) did to a body in a sub-step.
struct OwnImpulse {
  int substep = 0;  ///< of the step, from 0
  int term = 0;     ///< potentials of the scene, then its constraints
  int body = 0;
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();  ///< [N s] at the origin of the body's frame, world axes
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  ///< [N m s] about it
};

struct Substep {
  double h = 0.0;       ///< length [s]
  double theta = 1.0;   ///< share of the restitution that the energy guard left
  bool smooth = false;  ///< taken from node to node by another integrator than the leapfrog: no balance of a kick
  int contact_end = 0, row_end = 0;  ///< where its contacts and rows end in the lists of the step
};

/// Flat arrays, cleared and filled again in every step.
struct StepRecord {
  bool fresh = true;  ///< the state was set from outside before this step: nothing follows from the step before
  std::vector<Substep> substeps;
  std::vector<double> kick;    ///< [substeps × trees] κ [s]; −1: the tree takes no part, its numbers below are 0
  std::vector<double> q;       ///< [substeps × nq] at the start of each
  std::vector<double> v;       ///< [substeps × nv] v_k, carried into it
  std::vector<double> v_mean;  ///< [substeps × nv] v̄_k, at which velocity-dependent terms were taken
  std::vector<double> v_end;   ///< [substeps × nv] v_{k+1}, carried out of it
  std::vector<Contact> contacts;
  std::vector<RowImpulse> rows;
  std::vector<OwnImpulse> own;
  Eigen::VectorXd input_tau;  ///< [nv] generalised forces from tables, controllers and the user, without PD
  Eigen::VectorXd ctrl;       ///< [nu] targets that the drives had, whoever gave them
  std::vector<Input::Wrench> wrenches;

  int contactBegin(int substep) const { return substep == 0 ? 0 : substeps[substep - 1].contact_end; }
  int rowBegin(int substep) const { return substep == 0 ? 0 : substeps[substep - 1].row_end; }
};

}  // namespace rigor
