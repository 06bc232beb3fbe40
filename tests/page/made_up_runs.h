// Recordings that no simulator made: every number in them is known beforehand.
#pragma once

#include "rigor/ledger.h"
#include "rigor/recording.h"

namespace rigor {

struct MadeUpRun {
  Scene scene;
  Recording recording;
};

/// 2 s of a sphere, a box, a capsule and a two-link arm over a tilted plane and beside a fixed box. Awkward names.
/// Row kSpikeRow alone has a law residual of kSpike. At row 1500 the capsule is put elsewhere, as by a reset.
MadeUpRun makeToys();
inline constexpr int kSpikeRow = 1234;
inline constexpr double kSpike = 3e-7;

/// 10 s at 1 ms of a walker with as many bodies as ANYmal, links without shapes among them, and 8 contacts all the time.
MadeUpRun makeWalker();

/// 2 s at 0.5 ms: drives give 5 J/s and friction takes 2 J/s all the time, an impact takes 3 J after 1 s, the integrator misses
/// 1e-6 J in every step; springs and all others do nothing.
EnergyLedger makeUpLedger();

}  // namespace rigor
