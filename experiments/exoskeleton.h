// The arm and its exoskeleton of VG: a ball and a hinge of the patient, hinges of the machine, two cuffs that tie both together.
#pragma once

#include "rigor/scene.h"

namespace rigor::experiments {

/// [N m/rad], [N m s] of a muscle that pulls the elbow to −π/4; none: a healthy patient who does nothing.
struct Elbow {
  double stiffness = 0.0, damping = 0.0;
};
inline constexpr Elbow kHealthy{}, kSpastic{10.0, 2.0};

/// Hanging from a torso that does not move, upper arm at 45° and forearm level, at rest. Drives of shoulder and elbow of the machine
/// (joints sFE and eFE) have the paper's gains times `scale`. Cuffs are planar loops with springs: rows 6, rank 2.
Scene makeExoskeleton(const Elbow& elbow, double scale);

}  // namespace rigor::experiments
