// Experiments of LT: "Linear-time contact and friction dynamics in maximal coordinates using variational integrators" (Brüdigam,
// Janeva, Sosnowski, Hirche).
#pragma once

#include "experiments/experiment.h"

namespace rigor::experiments {

Experiment ltContacts();   ///< figure 4: time over contact points on one body
Experiment ltChain();      ///< figure 5: time over links and contact points of a snake
Experiment ltHopper();     ///< figure 6: a hopper turns once in the air
Experiment ltQuadruped();  ///< figures 7 and 8: A1 walks

}  // namespace rigor::experiments
