// A step as the chain of its sub-steps: halves, what leads to an impact, the impact and what follows it.
#pragma once

#include <vector>

#include "derivatives/substep_system.h"

namespace rigor {

class StepChain {
 public:
  void clear() { count_ = 0; }
  SubstepSystem& add();  ///< the next sub-step; its memory may have been that of an earlier step
  int count() const { return count_; }
  /// What would follow an impact was too short to be simulated, so that nothing takes up the change of its time.
  bool endsOnImpact() const;
  const SubstepSystem& at(int i) const { return systems_[i]; }

  /// Tangents at the end of the step from those at its start, in place.
  void forward(const StepForcing& forcing, StepTangents& tangents, StepScratch& scratch) const;
  /// The same by everything: tangents and forcing are unit columns, in the order of SubstepSystem::forwardByAll.
  void forwardByAll(const StepForcing& forcing, StepTangents& tangents, StepScratch& scratch);
  /// Gradients by the start from those by the end, in place; those by the forcing are added to it.
  void adjoint(StepTangents& gradients, StepForcing& forcing, StepScratch& scratch) const;

 private:
  double length() const;

  std::vector<SubstepSystem> systems_;  ///< the first `count_` are in use
  int count_ = 0;
};

}  // namespace rigor
