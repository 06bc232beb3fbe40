// Every basis of a small problem, one after the other: what is left when all paths end on rays.
#pragma once

#include <functional>

#include "solvers/lemke_path.h"

namespace rigor {

/// Calls accept(path) with each regular basis whose z and w have the right signs to 1e-9, until it says true; false if none does, there
/// are more than 2^most of them, or `stop` is raised. Solutions at singular bases alone are not found, so that false proves nothing.
bool enumerateBases(const LcpForm& form, int most, const StopFlag* stop, LemkePath& path,
                    const std::function<bool(const LemkePath&)>& accept);

}  // namespace rigor
