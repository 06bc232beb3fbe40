// Trees that step together, and what their last steps left them. A world is cut into parts when some of its bodies need
// shorter steps than others that they cannot meet (split_step.h); else one part has all trees.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "minimal/step_tables.h"
#include "rigor/state.h"

namespace rigor {

/// Neighbouring trees of a part whose last steps were alike: kernels take them in one call.
struct Run {
  Trees trees;
  double last_step;  ///< [s] Memory::last_step
  int increments;    ///< Memory::increments
};

struct Part {
  std::vector<int> trees;  ///< ascending
  std::vector<char> has;   ///< [all trees]
  std::vector<Run> runs;   ///< in their order
  bool whole = true;       ///< no tree is missing
  bool reported = false;   ///< its node at the start of the step is in the report

  bool hasLink(const Topology& topology, int link) const { return link < 0 || has[topology.tree[link]]; }

  template <class Visit>
  void forEachDof(const Visit& visit) const {
    for (const Run& run : runs) {
      const int end = run.trees.end_dof;
      for (int j = run.trees.first_dof; j < end; ++j) visit(j);
    }
  }
};

void takeAll(const StepTables& tables, Part& part);
/// `trees` ascending. Trees that move as they are told belong to every part: at the same time they are at the same place in all.
void take(const StepTables& tables, std::span<const int> trees, Part& part);

/// The runs of a part for the past that a memory tells.
void cutIntoRuns(const Topology& topology, const Memory& memory, Part& part);

/// False for a mere impact: no time passes in a step of length h, nor is a kick of the step before it left.
bool hasKick(const Part& part, double h);

/// True if some velocity of a part is that of the middle of a step, not of a node.
bool isInFlight(const Part& part, const Memory& memory);

/// The entries of a list in the order of freedoms that belong to some trees.
template <class Entry>
std::span<const Entry> within(const std::vector<Entry>& list, const Trees& trees) {
  if (trees.all()) return list;
  const auto earlier = [](const Entry& entry, int dof) { return entry.dof < dof; };
  const auto first = std::lower_bound(list.begin(), list.end(), trees.first_dof, earlier);
  return {first, std::lower_bound(first, list.end(), trees.end_dof, earlier)};
}

/// to ← from on the coordinates, or on the freedoms, of a part.
void copyPositions(const Part& part, const Eigen::VectorXd& from, Eigen::VectorXd& to);
void copyFreedoms(const Part& part, const Eigen::VectorXd& from, Eigen::VectorXd& to);

/// True if no number of a part is infinite or not a number.
bool finitePositions(const Part& part, const Eigen::VectorXd& q);
bool finiteFreedoms(const Part& part, const double* v);

}  // namespace rigor
