// Curves that a reader of a page may choose: joints, and what presses on bodies.
#pragma once

#include <string>

#include "rigor/recording.h"

namespace rigor {

inline constexpr int kMaxSignalValues =
    600'000;  ///< of all curves together, 3.2 MB of text; many joints get fewer points

/// {"time": …, "joints": [{"name", "angle": rad and not m, "position", "velocity", "torque"}],
///  "contacts": [{"body", "force"}]}, curves as in curves.h but in single precision.
///
/// One entry per freedom of every joint but free ones, whose coordinates are poses: the frames have them. The coordinates of
/// a ball are a quaternion, which nobody reads: its entries have no "position". "force" [N] is the sum of the normal forces
/// of a body's contacts; bodies that nothing ever touches have none.
std::string makePageSignals(const Scene& scene, const Recording& recording);

}  // namespace rigor
