// Experiments of VG: "Variational integrators and graph-based solvers for multibody dynamics in maximal coordinates" (Brüdigam,
// Sosnowski, Manchester, Hirche).
#pragma once

#include "experiments/experiment.h"

namespace rigor::experiments {

Experiment vgDrift();    ///< figure 7a: does a loop come apart?
Experiment vgEnergy();   ///< figure 7b: the energy of a double pendulum
Experiment vgDamping();  ///< figure 7c: a damped pendulum
Experiment vgDrop();     ///< figure 7d: a cube falls on the ground

}  // namespace rigor::experiments
