// When two solids first meet on their way from one pose to another.
#pragma once

#include "geometry/distance.h"
#include "geometry/solid.h"

namespace rigor {

struct TimeOfImpact {
  bool meets = false;
  double share = 1.0;     ///< of the way, at which they are still apart by a hair
  Separation separation;  ///< there
};

/// By conservative advancement: from where they are apart no point can reach the other solid before the share that its
/// greatest speed allows. Positions move straight, rotations turn evenly. Solids that touch or overlap at the start
/// meet at share 0.
TimeOfImpact findTimeOfImpact(const PlacedSolid& a_from, const PlacedSolid& a_to, const PlacedSolid& b_from,
                              const PlacedSolid& b_to);

}  // namespace rigor
