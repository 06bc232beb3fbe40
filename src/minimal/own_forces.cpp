#include "minimal/own_forces.h"

namespace rigor {

void OwnForces::resize(const OwnTerms& own) {
  at.resize(own.potentials.size());
  forces.reserve(2 * own.potentials.size());
}

void OwnForces::compute(const OwnTerms& own, const Topology& topology, const Part* part,
                        const Kinematics<double>& kin) {
  forces.clear();
  for (std::size_t i = 0; i < own.potentials.size(); ++i) {
    const PotentialPart& potential = own.potentials[i];
    at[i] = {};
    if (part && !takesPart(topology, *part, potential)) continue;
    at[i] = computePotential(potential, topology, kin);
    const int links[2] = {potential.frames.link_2, potential.frames.link_1};
    for (int side = 0; side < 2; ++side)
      if (links[side] != kWorld) forces.push_back({links[side], -1.0 * at[i].gradient[side]});
  }
}

bool takesPart(const Topology& topology, const Part& part, const PotentialPart& potential) {
  return part.hasLink(topology, potential.frames.link_1) && part.hasLink(topology, potential.frames.link_2);
}

double energyOfPotentials(const OwnTerms& own, const Topology& topology, const Part& part, const OwnForces& forces) {
  double sum = 0.0;
  for (std::size_t i = 0; i < own.potentials.size(); ++i)
    if (takesPart(topology, part, own.potentials[i])) sum += forces.at[i].energy;
  return sum;
}

}  // namespace rigor
