// Bodies that move as they are told: where a recording must show them, from the motions in its header.
#pragma once

#include "verify/findings.h"
#include "verify/motion.h"
#include "verify/substep.h"

namespace rigor::verify {

/// Where a way leads at a time, and how fast.
struct Told {
  Vec position;
  Quaternion turn;
  Vec velocity, angular_velocity;  ///< in the world, in the body
};
Told tellWay(const Way& way, Real time);

/// q [nq] at a time shows every kinematic body of a tree where it was told to be; `speed` [nv] is what rounding of the time and
/// parts of a step that are not resolved are measured by, `unresolved` the length of these [s].
void judgeTold(const World& world, int tree, const Reals& q, Real time, const Reals& speed, Real unresolved,
               Findings& findings);

/// The node velocity v [nv] of a tree is that of its motion.
void judgeToldVelocity(const World& world, int tree, const Reals& v, Real time, Findings& findings);

/// Kinematic bodies begin and end a sub-step, `elapsed` [s] into its step, where they were told to be.
void judgePrescribed(const World& world, const Recording& recording, const SubstepData& data, Real elapsed,
                     Findings& findings);

}  // namespace rigor::verify
