// Random trees that touch: a sphere, box or capsule on every body, a plane high above them all and a ball of the world.
#pragma once

#include "reference/random_tree.h"

namespace rigor {

/// The bodies of makeRandomTree(seed, trees) with shapes. In any pose of randomPosition all of them are below the plane
/// and spheres are so large that most pairs overlap: every pair is a contact. Joints with one freedom have a range that
/// most positions violate; every third joint has dry friction.
Model makeTouchingTrees(std::uint64_t seed, int trees = 2);

}  // namespace rigor
