// Where the time of steps goes, run beside run.
#pragma once

#include <string>
#include <vector>

#include "experiments/bars.h"
#include "rigor/report.h"

namespace rigor::experiments {

struct PhaseBar {
  std::string name;
  PhaseTimes nanoseconds;  ///< summed over the steps
  double steps = 1.0;
};

/// One bar for each, the phases of a mean step one above the other.
BarChart chartPhases(const std::vector<PhaseBar>& bars);

}  // namespace rigor::experiments
