// The parts of checkScene; each adds what it finds.
#pragma once

#include "collision/collision_table.h"
#include "rigor/check.h"

namespace rigor {

void checkStartPose(const Scene& scene, std::vector<Problem>& problems);      // overlap, start
void checkFileWarnings(const Scene& scene, std::vector<Problem>& problems);   // what loading told
void checkShapesOfLinks(const Scene& scene, std::vector<Problem>& problems);  // no_shape
void checkMasses(const Scene& scene, std::vector<Problem>& problems);         // mass_ratio, inertia
void checkSurfaces(const Scene& scene, std::vector<Problem>& problems);       // compliance, rolling, torsion
void checkUnits(const Scene& scene, std::vector<Problem>& problems);
void checkStance(const Scene& scene, std::vector<Problem>& problems);       // base
void checkStepLength(const Scene& scene, std::vector<Problem>& problems);   // step
void checkJointLimits(const Scene& scene, std::vector<Problem>& problems);  // limit, effort

/// Pairs of shapes whose materials are soft and that are hard all the same: see CollisionTable::complianceOf.
std::vector<Warning> warnOfHardSolids(const CollisionTable& table);

/// What a link is called: the body that its joint moves.
const BodySpec& bodyOfLink(const Model& model, int link);
/// `link "name"`, with file and line of the body.
Place placeOfLink(const Model& model, int link);

}  // namespace rigor
