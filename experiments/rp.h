// Experiments of RP: "Simulating rigid body dynamics with contact and friction" (Bhargava).
#pragma once

#include "experiments/experiment.h"

namespace rigor::experiments {

/// RP section 3 and figure 4: which integrator lets a double pendulum swing on?
Experiment rpPendulum();

}  // namespace rigor::experiments
