// Runs that between them do everything a recording can hold, and recordings of them.
#pragma once

#include "rigor/rigor.h"

namespace rigor {

/// Takes up to `steps` steps; a refused one ends the run.
Recording recordRun(const Scene& scene, int steps);

/// That verify finds every law to hold.
void expectAgreement(const Recording& recording);

/// Balls, a box and a capsule on a floor and on each other: sticking, slipping, bouncing, static friction.
Scene makePlayground();

/// Two spinning balls of different size that meet off centre in free fall, pressed together so that they go on rubbing.
Scene makeBilliards();

/// Joints of all kinds with limits, dry friction, springs, damping, armature, held by motors of which some are too weak,
/// pushed by wrenches in axes of the world and of the body.
Scene makeWorkshop();

/// One loop of each kind: connect, hinge, weld, joint.
Scene makeLinkages();

/// Two blocks in free fall, tied by a loop of this type with springs and dampers, and a third that a spring and a damper tie to one of
/// them, turning and vibrating.
enum class Ties { kSoft, kStiff, kNoneOnLoop };  ///< kStiff: faster than the step can follow
Scene makeTied(JointType type, Ties ties = Ties::kSoft);

/// A ball that bounces off the floor and through something at rest, which by the scene it may not touch: so both step on
/// their own, around the corner of a V whose ends are wide apart.
Scene makeBouncePast(const Shape& resting);

/// A random tree of joints of all types, with springs, damping and dry friction, moving fast.
Scene makeRandomScene(std::uint64_t seed);

}  // namespace rigor
