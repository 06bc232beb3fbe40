// Experiments of OS: "Minimal coordinate formulation of contact dynamics in operational space" (Jain, Crean, Kuo, von Bremen, Myint).
#pragma once

#include "experiments/experiment.h"

namespace rigor::experiments {

Experiment osPendulum();   ///< table I: time of pendulums in minimal and redundant coordinates
Experiment osAgreement();  ///< figure 2: both lead to the same motion

}  // namespace rigor::experiments
