// The rows of what is held, at any pose: dense, one row of nv numbers each.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "event/held.h"
#include "minimal/step_tables.h"
#include "stepping/placed_model.h"

namespace rigor {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Velocities of the material points of a contact against each other, and its normal, at a pose.
struct ContactAtPose {
  GapAtPose<double> gap;
  Eigen::Vector3d belt;                                             ///< [m/s] what belts add to slip
  Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor> point;  ///< [3 × nv] world axes, of side 2 against side 1
};
void computeContact(const StepTables& tables, const FeaturePair& pair, const PlacedModel& placed,
                    ContactAtPose& contact);

/// Slip: what is left of a relative velocity without its normal part, and belts.
inline Eigen::Vector3d slipOf(const ContactAtPose& contact, const Eigen::Vector3d& velocity) {
  const Eigen::Vector3d n(contact.gap.normal.x, contact.gap.normal.y, contact.gap.normal.z);
  return velocity - n.dot(velocity) * n + contact.belt;
}

/// Rows J [rows × nv] that the held constraints are written on; with v also the columns of their forces, F [rows × nv]: the same but
/// where something slips: its friction is in the column of its normal row. `openings` [rows]: what is open of gaps and loops against what is held; 0 of tangents and joints.
class HeldRows {
 public:
  explicit HeldRows(const StepTables& tables) : tables_(tables) {}

  RowMatrix J, F;
  Eigen::VectorXd openings;
  Eigen::VectorXd belts;  ///< [rows] what belts add to J v [m/s]
  double turning = 0.0;   ///< [1/s] with v: how fast the normals of contacts may turn, by slip over curved surfaces

  void compute(const std::vector<Held>& held, int rows, const PlacedModel& placed, const double* q, const double* v);

 private:
  void addContact(const Held& held, const PlacedModel& placed, const double* v);
  void addTangents(const Eigen::Ref<const RowMatrix>& directions, int row);
  void addLoop(const Held& held, const PlacedModel& placed, const double* q);

  const StepTables& tables_;
  ContactAtPose contact_;
  std::vector<double> chain_;
};

}  // namespace rigor
