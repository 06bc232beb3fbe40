// The work of contact. Contact takes energy and never gives any: with w = v′ − M̂⁻¹Jᵀλ, the velocity as it would be without the
// impulses λ of contacts, and v′
//   A = λ·½ J (w + v′) = λ·J v′ − ½ λ·J M̂⁻¹ Jᵀλ ≤ 0.
// That holds if J v′ is what the law was told, the way of the gap over the step. A contact that runs over a curved surface, or
// along an edge, farther than a step can follow breaks it.
#pragma once

#include "minimal/assemble.h"

namespace rigor {

struct ContactWorkScratch {
  void resize(const Topology& topology) {
    trees.reserve(topology.trees);
    has_tree.resize(topology.trees);
    response.resize(topology.nv);
    V.resize(topology.links);
  }
  std::vector<int> trees;         ///< of an island
  std::vector<char> has_tree;     ///< [all trees] it is in `trees`
  std::vector<double> response;   ///< [nv] Z λ of its contacts
  std::vector<Motion<double>> V;  ///< [links]
};

/// The trees of an island; zeros on their freedoms.
void findTrees(const Topology& topology, const ConstraintSet& set, const Island& island, ContactWorkScratch& scratch);
void clearResponse(const Topology& topology, ContactWorkScratch& scratch);

/// True if the contacts of an island, of solids among them, give more than 1e-3 of the kinetic energy that its trees end with, in
/// the frame of the world.
bool givesEnergy(const StepContext& context, const Kinematics<double>& start, const FreeMotion& motion,
                 const ConstraintSet& set, const Island& island, const double* v_end, ContactWorkScratch& scratch);

/// Lets go of a contact that pushes something away and ran far along a line within the step, to where another one takes part
/// that ends there too. Returns whether there was any.
bool leaveRunaways(const StepContext& context, const double* v_end, ConstraintSet& set);

}  // namespace rigor
