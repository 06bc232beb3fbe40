#include "experiments/phase_chart.h"

#include <utility>

namespace rigor::experiments {

BarChart chartPhases(const std::vector<PhaseBar>& bars) {
  static constexpr std::pair<const char*, double PhaseTimes::*> kPhases[] = {{"free motion", &PhaseTimes::free_motion},
                                                                             {"kinematics", &PhaseTimes::kinematics},
                                                                             {"collide", &PhaseTimes::collide},
                                                                             {"assemble", &PhaseTimes::assemble},
                                                                             {"solve", &PhaseTimes::solve},
                                                                             {"judge", &PhaseTimes::judge},
                                                                             {"integrate", &PhaseTimes::integrate}};
  BarChart chart{"Where the time of a step goes", "", "microseconds", true, false, {}, {}};
  for (const PhaseBar& bar : bars) chart.categories.push_back(bar.name);
  for (const auto& [name, phase] : kPhases) {
    chart.series.push_back({name, {}});
    for (const PhaseBar& bar : bars) chart.series.back().values.push_back(1e-3 * (bar.nanoseconds.*phase) / bar.steps);
  }
  return chart;
}

}  // namespace rigor::experiments
