// From rows to contact problems, one per island: constraints that share a moving tree must be solved together.
#pragma once

#include <limits>

#include "minimal/constraints.h"
#include "minimal/tree_groups.h"
#include "rigor/contact_problem.h"

namespace rigor {

struct Island {
  ContactProblem problem;
  ContactSolution solution;
  std::vector<double> velocity, floor;     ///< [m] u from positions and its rounding floor, in the order of the rows
  std::vector<double> plastic;             ///< [m] impulses of an impact without restitution
  std::vector<ContactMode> plastic_modes;  ///< [nb]
  std::vector<int> constraints;            ///< slots of the set, in the order of the blocks
  std::vector<int> trees;                  ///< ascending; the nodes of W where it has factors
  std::vector<int> first_node;  ///< of each of them: links of trees with rows on links are nodes of their own
  std::vector<int> loop_rows;   ///< of each of them: equal rows on it, scratch
};

struct Islands {
  std::vector<Island> list;  ///< the first `count` are in use; the others keep their memory
  int count = 0;
  std::vector<int> made_of;      ///< active constraints that `list` was made of: while they stay, so do the islands
  int found = 0;                 ///< how many there were
  TreeGroups groups;             ///< scratch of the union
  std::vector<int> root_island;  ///< [trees] the same
};

/// Tree of a link that a constraint moves.
int treeOf(const Topology& topology, const ConstraintSet& set, const Constraint& c, int side = 0);

/// Whom a constraint connects belong together.
void uniteConnected(const Topology& topology, const ConstraintSet& set, TreeGroups& groups);

/// Cuts the constraints into islands.
void findIslands(const Topology& topology, const ConstraintSet& set, Islands& islands);

inline constexpr int kAlwaysDense = std::numeric_limits<int>::max();

/// W̃ = ỸᵀZ and the blocks of one island. PC eq. 4, its M⁻¹_ik with rows of two poses; with J̃ = J it is OS eq. 6. Dense, or
/// with more than `most_dense` rows as the factors Ỹ and Z themselves, a node per tree, unless the trees have as many freedoms; so too
/// where loops tie many small trees, each to few others;
/// where rows are on links, as J̃, J and the links themselves (contact/forest.h).
void assembleIsland(const Topology& topology, const FreeMotion& motion, const ConstraintSet& set, int most_dense,
                    Island& island);

/// ConstraintSet::free_motion, before assembleFreeVelocity.
void computeLinkMotion(const Part& part, const FreeMotion& motion, const double* v, const double* v_end,
                       ConstraintSet& set);

/// b = u − J̃ (v_end − v) + Ỹᵀz: rows linearised at v_end, before any impulse. With J̃ = J it is τ* of PC eq. 3.
void assembleFreeVelocity(const FreeMotion& motion, const ConstraintSet& set, const double* v, const double* v_end,
                          Island& island);

/// b = u − W̃ λ: the same, when v_end is the answer to the impulses λ of the island's solution.
void correctFreeVelocity(const ConstraintSet& set, Island& island);

/// Which constraint is open, sticks or slips: as in the last step; a new one by its velocity at the predicted pose.
void guessModes(const ConstraintSet& set, Island& island);

/// Hands the impulses of an island's rows to the set.
void takeImpulses(const Island& island, const std::vector<double>& impulse, ConstraintSet& set);

/// Hands the sets of an island to the set, for guessModes: they are nearer than those of the last step when rows join.
void takeModes(const Island& island, ConstraintSet& set);

/// Calls visit(constraint, mode) for all that take part: as their islands were solved, and open if they are awaited.
template <class Visit>
void forEachMode(const ConstraintSet& set, const Islands& islands, const Visit& visit) {
  for (int i = 0; i < islands.count; ++i) {
    const Island& island = islands.list[i];
    for (std::size_t k = 0; k < island.constraints.size(); ++k)
      visit(set.slots[island.constraints[k]], island.solution.modes[k]);
  }
  for (const int slot : set.awaited) visit(set.slots[slot], ContactMode::kOpen);
}

enum class ImpulseChoice { kNone, kAll };

/// change [nv] = L⁻¹ (z + Z λ) = M̂⁻¹ (rhs + Jᵀλ), OS eq. 35, with the impulses of the set, or without them.
void applyImpulses(const Part& part, const FreeMotion& motion, const ConstraintSet& set, ImpulseChoice choice,
                   double* change);

}  // namespace rigor
