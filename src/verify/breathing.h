// How much the energy of a system may swing because the leapfrog keeps a neighbour of it.
//
// The energy of the leapfrog differs from the one it keeps by about (h ω)² T, with ω the fastest motion and T the kinetic energy of
// what moves together. Bodies that never touch and are not tied breathe without each other: a fast small one excuses
// nothing in a heavy one beside it.
#pragma once

#include "rigor/recording.h"
#include "verify/motion.h"

namespace rigor::verify {

struct Breathing {
  Real energy = 0;   ///< [J] Σ over islands of (h ω)² T
  Real fastest = 0;  ///< largest (h ω)² of an island that moves
};

/// An island is what contacts or loops ever tied together, ω² the sum of its largest squares of turning, swinging under gravity
/// (g l m / (l² m) about each joint) and springs, T its largest kinetic energy at a node.
Breathing breathingOfIslands(const World& world, const Recording& recording);

}  // namespace rigor::verify
