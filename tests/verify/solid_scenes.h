// Scenes in which solids touch: boxes, hulls, capsules and spheres on each other.
#pragma once

#include <cstdint>

#include "rigor/rigor.h"

namespace rigor {

/// A box on a fixed table, yawed by a third of a radian, pushed sideways so that it slides a little and comes to rest.
Scene makeBoxOnBox();

/// Five boxes over each other, a little askew, each dropped from a millimetre.
Scene makeStack();

/// A box that lands on a corner, topples over an edge and lies down, on a table.
Scene makeTiltedLanding();

/// A capsule across a beam and a sphere beside it: both roll.
Scene makeCapsuleOnBox();

/// Hulls of 12 and of 64 vertices, one on the other, over a table that is a hull as well.
Scene makeHullOnHull();

/// Boxes, capsules, spheres and hulls that fall onto each other, placed by chance.
Scene makeMixedHeap(std::uint64_t seed, int count);

}  // namespace rigor
