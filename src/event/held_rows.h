// The rows of what is held, at any pose. A row lives on the chains of the links that it moves (model/topology.h): of many bodies that
// loops tie to each other each row meets two.
#pragma once

#include <Eigen/Core>
#include <span>
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
  std::vector<double> chain;                                        ///< scratch
};
void computeContact(const StepTables& tables, const FeaturePair& pair, const PlacedModel& placed,
                    ContactAtPose& contact);

/// Slip: what is left of a relative velocity without its normal part, and belts.
inline Eigen::Vector3d slipOf(const ContactAtPose& contact, const Eigen::Vector3d& velocity) {
  const Eigen::Vector3d n(contact.gap.normal.x, contact.gap.normal.y, contact.gap.normal.z);
  return velocity - n.dot(velocity) * n + contact.belt;
}

/// Rows J that the held constraints are written on; with v also the columns of their forces, F: the same but where something slips,
/// whose friction is in the column of its normal row. `openings` [rows]: what is open of gaps and loops against what is held; 0 of
/// tangents and joints.
class HeldRows {
 public:
  explicit HeldRows(const StepTables& tables) : tables_(tables) {}

  /// A link that the rows of one constraint move: entry k·rows + r of its part is row r along the k-th freedom of the link's chain.
  struct Side {
    int link = 0, row = 0, rows = 1;
    int end = 0;    ///< which of its links
    int first = 0;  ///< entry
  };

  Eigen::VectorXd openings;
  Eigen::VectorXd belts;  ///< [rows] what belts add to J v [m/s]
  double turning = 0.0;   ///< [1/s] with v: how fast the normals of contacts may turn, by slip over curved surfaces

  /// Who has which sides; after what is held has changed.
  void arrange(const std::vector<Held>& held, int rows);
  void compute(const std::vector<Held>& held, const PlacedModel& placed, const double* q, const double* v);
  bool allFinite() const;

  int count() const { return static_cast<int>(first_side_.size()) - 1; }  ///< constraints
  std::span<const Side> sidesOf(int held) const {
    return {sides_.data() + first_side_[held], sides_.data() + first_side_[held + 1]};
  }
  const std::vector<Side>& sides() const { return sides_; }
  const std::vector<double>& J() const { return J_; }
  const std::vector<double>& F() const { return F_; }
  bool slips(int held) const { return slips_[held]; }  ///< its F is not its J

  /// rates [rows] ← J x, of a vector [nv].
  void multiply(const Eigen::VectorXd& x, Eigen::VectorXd& rates) const;
  /// rates [rows] ← rates + weight · (J v + belts) at any pose, without its rows: from the velocities of the links.
  void addRates(const std::vector<Held>& held, const PlacedModel& placed, const double* q, const double* v,
                double weight, Eigen::VectorXd& rates);

 private:
  struct PointMotion {
    GapAtPose<double> gap;
    Vec3<double> velocity, belt;  ///< of side 2 against side 1; what belts add to that
  };
  PointMotion movePoint(const FeaturePair& pair, const PlacedModel& placed) const;
  void addContact(int index, const Held& held, const PlacedModel& placed, bool with_forces);
  void addLoop(int index, const Held& held, const PlacedModel& placed, const double* q);
  double* entries(std::vector<double>& all, const Side& side) const { return all.data() + side.first; }

  const StepTables& tables_;
  std::vector<Side> sides_;
  std::vector<int> first_side_ = {0};  // [held + 1]
  std::vector<char> slips_;            // [held]
  std::vector<double> J_, F_;
  std::vector<Motion<double>> V_;  // [links] about O of their trees
};

}  // namespace rigor
