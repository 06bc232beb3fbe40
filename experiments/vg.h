// Experiments of VG: "Variational integrators and graph-based solvers for multibody dynamics in maximal coordinates" (Brüdigam,
// Sosnowski, Manchester, Hirche).
#pragma once

#include "experiments/experiment.h"

namespace rigor::experiments {

Experiment vgDrift();        ///< figure 7a: does a loop come apart?
Experiment vgEnergy();       ///< figure 7b: the energy of a double pendulum
Experiment vgDamping();      ///< figure 7c: a damped pendulum
Experiment vgDrop();         ///< figure 7d: a cube falls on the ground
Experiment vgStart();        ///< eq. 11, 17, 20: the start that the paper prints, of first order
Experiment vgFourBar();      ///< figure 12: the double four-bar
Experiment vgScaled();       ///< figure 11: pendulums of three sizes in steps of all lengths
Experiment vgPendulums();    ///< figure 8a: time of pendulums of n links
Experiment vgTolerances();   ///< figure 10: the same at three tolerances
Experiment vgSpheres();      ///< figure 8b: time of a chain of spheres on the ground
Experiment vgLoops();        ///< figure 9a: time of a chain of loops
Experiment vgGraphs();       ///< figures 9b to 9d: linear systems over graphs, sparse and dense
Experiment vgLearning();     ///< figure 13: A1 learns to walk
Experiment vgExoskeleton();  ///< figure 14: gains of an exoskeleton

}  // namespace rigor::experiments
