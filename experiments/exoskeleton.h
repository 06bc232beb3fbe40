// The arm and its exoskeleton of VG: a ball and a hinge of the patient, hinges of the machine, two cuffs that tie both together.
#pragma once

#include "rigor/scene.h"

namespace rigor::experiments {

/// [N m/rad], [N m s] of a muscle that pulls the elbow to −π/4; none: a healthy patient who does nothing.
struct Elbow {
  double stiffness = 0.0, damping = 0.0;
};
inline constexpr Elbow kHealthy{}, kSpastic{10.0, 2.0};

/// Hinges of the machine. The paper has four: abduction, flexion and rotation of the shoulder (sAA, sFE, sIE) and the elbow (eFE). Its
/// script moves the two that flex, and the others are rigid.
enum class MachineHinges { kTwo, kFour };

/// Hanging from a torso that does not move, upper arm at 45° and forearm level, at rest. Drives of the machine's hinges have the paper's
/// gains times `scale`, those of the whole shoulder the same ones; in the order sAA, sFE, sIE, eFE, or sFE, eFE. Cuffs are planar loops
/// with springs: 6 rows, of rank 2 with two hinges.
Scene makeExoskeleton(const Elbow& elbow, double scale, MachineHinges hinges);

}  // namespace rigor::experiments
