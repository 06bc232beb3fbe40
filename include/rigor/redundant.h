// Redundant coordinates: every link a free body, every joint a loop. The baseline that OS compares minimal coordinates with
// (§V.E, table I), and a second opinion on any robot: the motion is the same, nothing but the equations differs.
#pragma once

#include <vector>

#include "rigor/model.h"
#include "rigor/scene.h"

namespace rigor {

/// The same bodies, shapes, masses, loops and springs, in the same order; every body that a joint moved is free now, its joint a
/// loop of the same type and name (LoopKind::kOfType) with its stops, dry friction, spring and damper. Joints called "NAME" leave
/// free joints called "BODY_free" behind. What is fixed stays fixed, to its parent or to the world; free roots stay as they are.
/// Shapes that could not meet before (neighbours of a joint above all) do not meet now. q0 is the same pose.
///
/// `bodies` [bodyCount] says which are meant; empty: all. A joint counts by the body that it moves.
/// `drives` become motors of the loops: their targets stay what they are throughout a run. Drives of other joints are ignored.
///
/// Throws Error for what a loop cannot be: joints that mimic, are mimicked or are coupled to others; armature and rotor inertia; dry
/// friction on several freedoms; a hinge with stops a turn apart; several joints of one body; links without a mass.
Model makeRedundant(const Model& model, const std::vector<bool>& bodies = {}, const std::vector<HoldSpec>& drives = {});

/// The scene with such a model: q and v are the poses and velocities of its bodies, holds are motors of loops, wrenches, motions and
/// terms of your own act on the same bodies. Throws Error besides for whatever moves the targets of such a joint or pushes it
/// (TargetTable, RandomTargets, GaitSpec, TorqueTable), and for a hinge with a spring, a motor or stops that starts more than half a
/// turn away from them: a loop tells no turns.
Scene makeRedundant(const Scene& scene, const std::vector<bool>& bodies = {});

}  // namespace rigor
