#include "minimal/part.h"

#include <numeric>

#include "math/finite.h"

namespace rigor {
namespace {

bool samePast(const Memory& memory, int tree_1, int tree_2) {
  return memory.last_step[tree_1] == memory.last_step[tree_2] && memory.increments[tree_1] == memory.increments[tree_2];
}

}  // namespace

void takeAll(const StepTables& tables, Part& part) {
  const int trees = tables.topology.trees;
  part.trees.resize(trees);
  std::iota(part.trees.begin(), part.trees.end(), 0);
  part.has.assign(trees, 1);
  part.whole = true;
}

void take(const StepTables& tables, std::span<const int> trees, Part& part) {
  const Topology& topology = tables.topology;
  part.has.resize(topology.trees);
  for (const int tree : part.trees) part.has[tree] = 0;
  part.trees.assign(trees.begin(), trees.end());
  for (const int tree : trees) part.has[tree] = 1;
  for (const int tree : tables.prescribed)
    if (!part.has[tree]) {
      part.trees.insert(std::lower_bound(part.trees.begin(), part.trees.end(), tree), tree);
      part.has[tree] = 1;
    }
  part.whole = static_cast<int>(part.trees.size()) == topology.trees;
}

void cutIntoRuns(const Topology& topology, const Memory& memory, Part& part) {
  part.runs.clear();
  const int count = static_cast<int>(part.trees.size());
  for (int i = 0, first = 0; i < count; ++i) {
    const int tree = part.trees[i];
    const bool goes_on = i + 1 < count && part.trees[i + 1] == tree + 1 && samePast(memory, tree, tree + 1);
    if (goes_on) continue;
    part.runs.push_back(
        {Trees(topology, part.trees[first], tree + 1), memory.last_step[tree], memory.increments[tree]});
    first = i + 1;
  }
}

bool hasKick(const Part& part, double h) {
  return h > 0.0 || std::any_of(part.runs.begin(), part.runs.end(), [](const Run& run) { return run.last_step > 0.0; });
}

bool isInFlight(const Part& part, const Memory& memory) {
  return std::any_of(part.trees.begin(), part.trees.end(), [&](int tree) { return memory.last_step[tree] > 0.0; });
}

void copyPositions(const Part& part, const Eigen::VectorXd& from, Eigen::VectorXd& to) {
  for (const Run& run : part.runs)
    std::copy(from.data() + run.trees.first_q, from.data() + run.trees.end_q, to.data() + run.trees.first_q);
}

void copyFreedoms(const Part& part, const Eigen::VectorXd& from, Eigen::VectorXd& to) {
  for (const Run& run : part.runs)
    std::copy(from.data() + run.trees.first_dof, from.data() + run.trees.end_dof, to.data() + run.trees.first_dof);
}

bool finitePositions(const Part& part, const Eigen::VectorXd& q) {
  return std::all_of(part.runs.begin(), part.runs.end(), [&](const Run& run) {
    return allFinite(q.data() + run.trees.first_q, run.trees.end_q - run.trees.first_q);
  });
}

bool finiteFreedoms(const Part& part, const double* v) {
  return std::all_of(part.runs.begin(), part.runs.end(), [&](const Run& run) {
    return allFinite(v + run.trees.first_dof, run.trees.end_dof - run.trees.first_dof);
  });
}

}  // namespace rigor
