// What the experiments of LT and VG share: scenes that the variational integrator steps, counted for a progress bar.
#pragma once

#include <optional>
#include <string>

#include "experiments/experiment.h"
#include "rigor/simulator.h"

namespace rigor::experiments {

/// Starts simulators that heed the user's stop, and counts the steps of all of them.
class CountedSteps {
 public:
  CountedSteps(const Request& request, const Watch& watch) : request_(request), watch_(watch) {}

  Simulator start(const Scene& scene, std::optional<double> tolerance = {}) const;
  /// False if the step was refused, after all halvings; `complaint()` then tells why. Throws Stopped.
  bool step(Simulator& simulator);
  void tell(std::int64_t more);  ///< counts steps that were taken elsewhere; throws Stopped

  std::int64_t refused() const { return refused_; }
  const std::string& complaint() const { return complaint_; }  ///< of the first refused step

 private:
  const Request& request_;
  const Watch& watch_;
  std::int64_t done_ = 0, refused_ = 0;
  std::string complaint_;
};

/// A scene that comes with rigor, for stepper maximal.
Scene loadMaximal(const Request& request, const std::string& file, double dt);

/// False as soon as it is seen; true only after a look that was long enough to tell.
std::optional<bool> shown(bool holds, bool long_enough);

/// Fills in what a refused step means for an experiment: it failed, and says where.
void tellRefusals(const CountedSteps& steps, Outcome& outcome);

}  // namespace rigor::experiments
