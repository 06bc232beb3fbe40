// The problems of a step's islands as one problem, for files and for proofs.
#pragma once

#include "minimal/assemble.h"
#include "rigor/simulator.h"

namespace rigor {

/// Islands one after the other; they do not act on each other, so W is zero between them.
SolvedProblem joinIslands(const Islands& islands);

}  // namespace rigor
