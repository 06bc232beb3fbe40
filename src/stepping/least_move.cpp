#include "stepping/least_move.h"

#include <algorithm>
#include <map>

#include "dynamics/mass_factors.h"
#include "stepping/close_loops.h"

namespace rigor {
namespace {

constexpr int kMostDense = 300;  // rows: larger problems are given to the solver as factors

/// M = LᵀDL at a pose, with 1 on the diagonal of kinematic freedoms and more than any body has on that of held ones.
MassFactors<double> factorMass(const Model& model, const Kinematics<double>& kin, const std::vector<int>& held) {
  constexpr double kImmovable = 1e12;  // [kg] or [kg m²]
  const Topology& topology = model.topology();
  std::vector<Inertia<double>> inertias(topology.links);
  computeInertias(topology, model.parameters(), kin, inertias);
  std::vector<double> diagonal = model.parameters().armature;
  const std::vector<double> none(topology.nv, 0.0);
  for (const int j : kinematicFreedoms(model)) diagonal[j] += 1.0;
  for (const int j : held) diagonal[j] += kImmovable;
  MassFactors<double> mass;
  mass.resize(topology);
  mass.setMass(topology, kin, inertias, diagonal.data());
  mass.factor(topology, none.data());
  return mass;
}

/// The rows of trees that they tie together, by the first of these trees.
std::map<int, std::vector<int>> findIslands(const Topology& topology, const std::vector<GapRow>& rows) {
  std::vector<int> parent(topology.trees);
  for (int tree = 0; tree < topology.trees; ++tree) parent[tree] = tree;
  const auto rootOf = [&](int tree) {
    while (parent[tree] != tree) tree = parent[tree] = parent[parent[tree]];
    return tree;
  };
  const auto treeOf = [&](const std::pair<int, double>& entry) {
    return topology.tree[topology.dof_link[entry.first]];
  };
  for (const GapRow& row : rows)
    for (const auto& entry : row.J) {
      const int a = rootOf(treeOf(row.J.front())), b = rootOf(treeOf(entry));
      parent[std::max(a, b)] = std::min(a, b);
    }
  std::map<int, std::vector<int>> islands;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!rows[i].J.empty()) islands[rootOf(treeOf(rows[i].J.front()))].push_back(static_cast<int>(i));
  return islands;
}

/// One island: W = AᵀB with A = L⁻ᵀJᵀ and B = D⁻¹A, a node per tree.
class Island {
 public:
  Island(const Topology& topology, const MassFactors<double>& mass) : topology_(topology), mass_(mass) {
    column_.resize(topology.nv, 0.0);
  }

  /// Adds B λ of the solution to z [nv].
  void solve(const std::vector<GapRow>& rows, const std::vector<int>& of_island, ContactSolver& solver,
             Eigen::VectorXd& z) {
    problem_ = {};
    trees_.clear(), factors_.clear();
    bool has_equal = false;
    for (const int index : of_island) has_equal = add(rows[index]) || has_equal;
    const int m = static_cast<int>(of_island.size());
    problem_.W = DelassusMatrix(factors_);
    if (m <= kMostDense || has_equal) problem_.W = problem_.W.toDense();
    problem_.bias.assign(m, 0.0);
    problem_.compliance.assign(m, 0.0);
    problem_.velocity_scale = 1e-6;
    ContactSolution solution;
    solution.impulse.assign(m, 0.0);
    solver.solve(problem_, {}, solution);
    for (int i = 0; i < m; ++i)
      for (int s = factors_.first_side[i]; s < factors_.first_side[i + 1]; ++s) {
        const DelassusSide& side = factors_.sides[s];
        for (int k = 0; k < side.length; ++k)
          z[first_dof_[side.node] + k] += factors_.B[side.offset + k] * solution.impulse[i];
      }
  }

 private:
  int nodeOf(int tree) {
    const auto [place, is_new] = trees_.try_emplace(tree, static_cast<int>(trees_.size()));
    if (is_new) {
      const Trees alone(topology_, tree, tree + 1);
      first_dof_.resize(trees_.size());
      first_dof_.back() = alone.first_dof;
      factors_.node_start.push_back(factors_.node_start.back() + alone.end_dof - alone.first_dof);
    }
    return place->second;
  }
  /// Returns whether it is an equal row.
  bool add(const GapRow& row) {
    std::vector<int> trees;
    for (const auto& [j, value] : row.J) {
      column_[j] = value;
      trees.push_back(topology_.tree[topology_.dof_link[j]]);
    }
    std::sort(trees.begin(), trees.end());
    trees.erase(std::unique(trees.begin(), trees.end()), trees.end());
    for (const int tree : trees) {
      const Trees alone(topology_, tree, tree + 1);
      mass_.solveLTranspose(alone, column_.data());
      const int node = nodeOf(tree), length = alone.end_dof - alone.first_dof;
      factors_.sides.push_back(
          {node, static_cast<int>(factors_.freedoms.size()), length, static_cast<int>(factors_.A.size())});
      for (int j = alone.first_dof; j < alone.end_dof; ++j) {
        factors_.freedoms.push_back(factors_.node_start[node] + j - alone.first_dof);
        factors_.A.push_back(column_[j]);
        factors_.B.push_back(mass_.inverseD()[j] * column_[j]);
        column_[j] = 0.0;
      }
    }
    const int index = factors_.block_row.back();
    factors_.block_row.push_back(index + 1);
    factors_.first_side.push_back(static_cast<int>(factors_.sides.size()));
    problem_.blocks.push_back({.kind = row.equal ? BlockKind::kEqual : BlockKind::kAtLeast, .row = index, .size = 1});
    problem_.b.push_back(row.gap);
    return row.equal;
  }

  const Topology& topology_;
  const MassFactors<double>& mass_;
  ContactProblem problem_;
  DelassusFactors factors_;
  std::map<int, int> trees_;    ///< node of each tree
  std::vector<int> first_dof_;  ///< [nodes]
  std::vector<double> column_;  ///< [nv] zero between rows
};

}  // namespace

Eigen::VectorXd findLeastMove(const Model& model, const Kinematics<double>& kin, const Eigen::VectorXd& moved,
                              std::vector<GapRow> rows, ContactSolver& solver, const std::vector<int>& held) {
  const Topology& topology = model.topology();
  std::vector<char> told(topology.nv, 0);
  for (const int j : kinematicFreedoms(model)) told[j] = 1;
  for (const int j : held) told[j] = 1;
  for (GapRow& row : rows) {
    for (const auto& [j, value] : row.J) row.gap -= value * moved[j];
    std::erase_if(row.J, [&](const auto& entry) { return told[entry.first]; });
  }
  const MassFactors<double> mass = factorMass(model, kin, held);
  Eigen::VectorXd z = Eigen::VectorXd::Zero(topology.nv);
  Island island(topology, mass);
  for (const auto& [tree, of_island] : findIslands(topology, rows)) island.solve(rows, of_island, solver, z);
  mass.solveU(topology, z.data());
  for (const int j : held) z[j] = moved[j];
  return z - moved;
}

}  // namespace rigor
