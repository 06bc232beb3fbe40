// A chain of hinges that hangs from the world.
#pragma once

#include "rigor/rigor.h"

namespace rigor {

/// Rods of 5 cm and 10 g without shapes, hinges about y and z in turns; it starts bent and lets go.
Scene makeChainScene(int links);

}  // namespace rigor
