// Forces of the potentials that a user wrote: −∂V at the pose of the node, given to links like wrenches from outside.
#pragma once

#include <vector>

#include "minimal/part.h"
#include "stepping/own_terms.h"

namespace rigor {

struct LinkForce {
  int link;
  Force<double> about_O;
};

struct OwnForces {
  std::vector<PotentialAt> at;    ///< [potentials] of those that no part of the step has, nothing
  std::vector<LinkForce> forces;  ///< −∂V on the links that they pull at

  void resize(const OwnTerms& own);
  /// At a pose of the part; null: all of the world.
  void compute(const OwnTerms& own, const Topology& topology, const Part* part, const Kinematics<double>& kin);
};

/// True if both links step now: potentials between trees keep them together (split_step.cpp).
bool takesPart(const Topology& topology, const Part& part, const PotentialPart& potential);

/// Energy of the potentials that the part has [J].
double energyOfPotentials(const OwnTerms& own, const Topology& topology, const Part& part, const OwnForces& forces);

}  // namespace rigor
