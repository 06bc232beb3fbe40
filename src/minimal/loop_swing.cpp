#include "minimal/loop_swing.h"

#include <algorithm>

#include "dynamics/energy.h"
#include "minimal/loop_rows.h"

namespace rigor {
namespace {

constexpr double kMostSwing =
    0.25;  // (hω)²: half a radian of the swing in a step, a quarter of what a leapfrog is stable with

/// L⁻ᵀδ of a loop, on the freedoms of its links: Ỹλ − D Zλ.
void addTurned(const Topology& topology, const FreeMotion& motion, const ConstraintSet& set, const Constraint& c,
               double* turned) {
  const double* impulse = &set.impulse[c.first_row];
  for (const Side& side : set.answeringSidesOf(c)) {
    if (side.on_link) continue;
    const int* chain = set.entriesOf(side);
    const double *Y = &set.half[side.offset], *Z = &set.response[side.offset];
    for (int k = 0; k < side.length; ++k) {
      const double D = motion.mass.pivot(topology, chain[k]);
      for (int r = 0; r < c.rows; ++r) turned[chain[k]] += (*Y++ - D * *Z++) * impulse[r];
    }
  }
}

}  // namespace

bool loopsSwingTooFast(const StepContext& context, const Kinematics<double>& start, const FreeMotion& motion,
                       const ConstraintSet& set, const Island& island, const double* v_end,
                       ContactWorkScratch& scratch) {
  const Topology& topology = context.topology;
  const auto isLoop = [&](int slot) { return loopOf(set.slots[slot], set) != nullptr; };
  if (std::none_of(island.constraints.begin(), island.constraints.end(), isLoop)) return false;
  findTrees(topology, set, island, scratch);
  clearResponse(topology, scratch);
  for (const int slot : island.constraints)
    if (isLoop(slot)) addTurned(topology, motion, set, set.slots[slot], scratch.response.data());
  double turned = 0.0, kinetic = 0.0;
  for (const int tree : scratch.trees) {
    const Trees one(topology, tree, tree + 1);
    for (int j = one.first_dof; j < one.end_dof; ++j)
      turned += scratch.response[j] * scratch.response[j] / motion.mass.pivot(topology, j);
    const EnergyMomentum<double> energy =
        computeEnergy(one, context.parameters, start, motion.inertias, v_end, scratch.V);
    for (int link = one.first_link; link < one.end_link; ++link)  // at rest: what falls for a step at 1 m/s²
      kinetic += 0.5 * context.parameters.inertia[link].mass * motion.h * motion.h;
    kinetic += energy.kinetic;
  }
  return turned > kMostSwing * kMostSwing * 2.0 * kinetic;
}

}  // namespace rigor
