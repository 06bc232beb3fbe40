// Experiments of PC: "Per-contact iteration method for solving contact dynamics" (Hwangbo, Lee, Hutter).
#pragma once

#include "experiments/experiment.h"

namespace rigor::experiments {

Experiment pcSingle();       ///< table I: one slipping contact
Experiment pcSteps();        ///< table II, figures 4 and 5: cost and iterations of a step in four scenes
Experiment pcLaws();         ///< figure 6: how far the two friction laws are apart
Experiment pcPenetration();  ///< figure 7: how deep the feet of a hanging robot sink
Experiment pcRate();         ///< section V-A: is it stable at steps of 20 ms?

}  // namespace rigor::experiments
