// Springs of loops that pass half a turn: poses tell no more than that, so their torque jumps there by 2π k.
//
// On the way from x to x′ over the jump, Δ in all, of which a lie before it and b behind, the leapfrog adds the mean of both torques times
// the way, ½k(a − b)Δ, where the potential ½k x² falls by ½k(a − b)(2π − Δ): the energy changes by πk(a − b), at most πkΔ.
#pragma once

#include "verify/nodes.h"

namespace rigor::verify {

struct HalfTurns {
  Reals energy;             ///< [nodes] Σ πkΔ of the step that leads to a node [J]
  std::int64_t first = -1;  ///< the first step with one; −1: there is none
  std::string name;         ///< of its loop
};
HalfTurns findHalfTurns(const World& world, const Recording& recording);

}  // namespace rigor::verify
