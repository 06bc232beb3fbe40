// Which shapes may meet on a way: a sweep over boxes along the axis on which they lie farthest apart.
#pragma once

#include "verify/motion.h"

namespace rigor::verify {

/// How far any point of a solid goes between two poses, at most [m]; of its own frame, or of everything.
Real wayBetween(const Solid& solid, const Pose& from, const Pose& to);
Real wayOfAnyPoint(const Solid& solid, const Motion& from, const Motion& to);

/// All pairs that may touch and whose balls, each as large as its shape and farther by the way of any point of it, are not
/// proved apart; a half space is near everything, and so is what has no place because a number is not finite. Others do not touch anywhere between the two poses. `ways` [shapes], where it
/// is not empty, are longer ways than that of the two poses. In the order of the shapes.
std::vector<ShapePair> findNearShapes(const World& world, const Motion& from, const Motion& to, const Reals& ways = {});

}  // namespace rigor::verify
