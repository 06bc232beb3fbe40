// Whether velocity-dependent forces were taken at the mean of the velocities before and after a sub-step, as well as an
// extrapolation from the last ones can know it.
#pragma once

#include <memory>

#include "verify/substep.h"

namespace rigor::verify {

class MeanVelocity {
 public:
  MeanVelocity(const World& world, const Recording& recording)
      : world_(world), r_(recording), past_(world.trees), freedoms_(listFreedoms(world)) {}

  /// The state of a tree was set before this step; in flight the simulator may remember steps that are not recorded.
  void begin(int tree, bool in_flight) { past_[tree].unknown = in_flight ? kOrder : 0; }
  /// Sub-steps come in order.
  void judge(const SubstepData& data, Findings& findings);

 private:
  static constexpr int kOrder = 3;  ///< how many increments an extrapolation knows

  /// The largest change of a velocity in a sub-step, as far as later ones may extrapolate from it.
  struct Change {
    Real size = 0, kick = 0, h = 0;

    /// In the kick of another sub-step: the same if that is as long, else at the same rate.
    Real within(Real other_kick, Real other_h) const {
      return h == other_h || !(kick > 0) ? size : size * other_kick / kick;
    }
  };
  using Ids = std::vector<RowId>;
  struct Past {
    Change changes[4];  ///< of the last sub-steps
    std::int64_t count = 0;
    int unknown = 0;                    ///< sub-steps that may extrapolate from before the recording
    std::shared_ptr<const Ids> struck;  ///< contacts that were open and pushed in the last sub-step, sorted
  };

  Ids listStruck(std::int64_t substep) const;
  bool goesOnStriking(std::int64_t substep) const;
  bool limitStrikes(const SubstepData& data) const;
  bool stopStrikes(const SubstepData& data) const;

  const World& world_;
  const Recording& r_;
  std::vector<Past> past_;  ///< [trees]
  std::vector<FreedomPart> freedoms_;
};

}  // namespace rigor::verify
