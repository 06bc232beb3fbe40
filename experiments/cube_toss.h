// Tosses of a real cube, measured by the authors of ContactNets (CN), done again.
#pragma once

#include "experiments/experiment.h"

namespace rigor::experiments {

/// Every solver and law against the measured motion, with the identified friction and restitution and with fitted ones.
Experiment cubeToss();

}  // namespace rigor::experiments
