// The forces of one step as something to share (share_forces.h): rows of contacts, stops and loops at the start pose, each with what its
// law leaves open once the motion is known, and the joints with torques.
#pragma once

#include <vector>

#include "inverse/share_forces.h"
#include "minimal/step_work.h"
#include "rigor/inverse.h"

namespace rigor {

struct SharedRows {
  RowId id;
  int slot;                           ///< in the ConstraintSet
  int row;                            ///< the first of them in the share
  double given[3] = {0.0, 0.0, 0.0};  ///< impulse of one that is known
};

class StepShare {
 public:
  void begin(int nv);
  /// A contact, stop or loop that took part in an accepted attempt, in the mode in which it was solved. Its impulse is one to be shared.
  void addSolved(const ConstraintSet& set, const Constraint& c, ContactMode mode);
  /// The same of a motion that is known, by the velocities and gaps of its rows; `use` says how contacts push, `known` [3] is the impulse
  /// of one that is given (else null).
  void addKnown(const ConstraintSet& set, const Constraint& c, double h, const MotionOptions& use, const double* known);
  /// Torques, and the impulse f that all forces must make; then what is least.
  void finish(const std::vector<int>& driven, const std::vector<double>& kick, const Eigen::VectorXd& limits,
              const Eigen::VectorXd& wanted, ForceChoice choice, const Memory& last, const ConstraintSet& set);
  /// Σ Jᵀλ of the rows so far, with the impulses of the set.
  Eigen::VectorXd impulseOf(const ConstraintSet& set) const;

  const ForceShare& share() const { return share_; }
  const std::vector<SharedRows>& rows() const { return rows_; }
  double deepest() const { return deepest_; }  ///< [m] overlap at the end of a known motion

 private:
  void append(const ConstraintSet& set, const Constraint& c, ForceSet kind);

  ForceShare share_;
  std::vector<SharedRows> rows_;
  double deepest_ = 0.0;
};

}  // namespace rigor
