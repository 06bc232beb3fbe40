// The controllers of a scene at work: what the targets of its drives are, as a function of time and state.
#pragma once

#include <vector>

#include "simulation/gait.h"

namespace rigor {

class MovingTargets {
 public:
  /// Throws Error for joints without a drive or with two controllers, for tables, numbers and gaits that cannot be followed.
  explicit MovingTargets(const Scene& scene);

  bool any() const { return !tables_.empty() || !random_.empty() || !gaits_.empty(); }
  /// Where the drives are to be in the step that begins with this state. Tables and gaits began at the time `begin`. Targets that
  /// nothing moves are left as they are. Allocates nothing.
  void update(const State& state, double begin, Eigen::VectorXd& targets) const;

 private:
  struct Table {
    TargetTable spec;
    std::vector<int> drives;  ///< of its joints
  };
  struct Random {
    RandomTargets spec;
    std::vector<int> drives;
    std::vector<double> centre;  ///< targets of the holds
  };
  double rounding_;  ///< [s] a draw or row that is due within it is due
  std::vector<Table> tables_;
  std::vector<Random> random_;
  std::vector<Gait> gaits_;
};

}  // namespace rigor
