// Who turned too far in a step that was refused for it.
#pragma once

#include <string>

#include "minimal/step_work.h"

namespace rigor {

/// Of the part of the world that gave up, the joint that turns fastest with velocities v [nv], or the body if it is free:
/// `joint "wheel" turns at 400 rad/s`. A joint of several freedoms turns at |ω|.
std::string describeFastestTurn(const StepTables& tables, const Part& part, const double* v);

}  // namespace rigor
