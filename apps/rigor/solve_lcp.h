// rigor solve of a linear complementarity problem.
#pragma once

#include "commands.h"

namespace rigor::app {

/// The exit code: 0 solved, 1 proved to have no solution or left open; a bad file or option throws Error.
int executeLcp(const SolveArguments& arguments);

}  // namespace rigor::app
