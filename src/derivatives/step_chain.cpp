#include "derivatives/step_chain.h"

#include <algorithm>

namespace rigor {

SubstepSystem& StepChain::add() {
  if (count_ == static_cast<int>(systems_.size())) systems_.emplace_back();
  return systems_[count_++];
}

bool StepChain::endsOnImpact() const {
  if (count_ == 0 || systems_[count_ - 1].h > 0.0) return false;
  return std::any_of(systems_.begin(), systems_.begin() + count_, [](const SubstepSystem& one) { return one.lands; });
}

double StepChain::length() const {
  double sum = 0.0;
  for (int i = 0; i < count_; ++i) sum += systems_[i].h;
  return sum;
}

void StepChain::forward(const StepForcing& forcing, StepTangents& tangents, StepScratch& scratch) const {
  double left = length();
  for (int i = 0; i < count_; ++i) {
    systems_[i].forward(left, forcing, tangents, scratch);
    left -= systems_[i].h;
  }
}

void StepChain::forwardByAll(const StepForcing& forcing, StepTangents& tangents, StepScratch& scratch) {
  for (int i = 0; i < count_; ++i) systems_[i].invert();
  double left = length();
  for (int i = 0; i < count_; ++i) {
    if (i == 0)
      systems_[i].forwardByAll(count_ > 1, tangents, scratch);
    else
      systems_[i].forward(left, forcing, tangents, scratch);
    left -= systems_[i].h;
  }
}

void StepChain::adjoint(StepTangents& gradients, StepForcing& forcing, StepScratch& scratch) const {
  double left = 0.0;
  for (int i = count_ - 1; i >= 0; --i) {
    left += systems_[i].h;
    systems_[i].adjoint(left, gradients, forcing, scratch);
  }
}

}  // namespace rigor
