#include "minimal/assemble.h"

#include <algorithm>

namespace rigor {
namespace {

/// W[ra][rb] += Σ_k a[k][ra]·b[k][rb] over the common prefix of two chains.
template <int kRowsA, int kRowsB>
void addProducts(int common, const double* a, const double* b, double* W, int stride) {
  double sum[kRowsA][kRowsB] = {};
  for (int k = 0; k < common; ++k, a += kRowsA, b += kRowsB)
    for (int ra = 0; ra < kRowsA; ++ra)
      for (int rb = 0; rb < kRowsB; ++rb) sum[ra][rb] += a[ra] * b[rb];
  for (int ra = 0; ra < kRowsA; ++ra)
    for (int rb = 0; rb < kRowsB; ++rb) W[ra * stride + rb] += sum[ra][rb];
}

/// The same for two contacts, by far the most frequent pair: nine sums that stay in registers.
template <>
void addProducts<3, 3>(int common, const double* a, const double* b, double* W, int stride) {
  double s00 = 0, s01 = 0, s02 = 0, s10 = 0, s11 = 0, s12 = 0, s20 = 0, s21 = 0, s22 = 0;
  for (const double* end = a + 3 * common; a != end; a += 3, b += 3) {
    const double b0 = b[0], b1 = b[1], b2 = b[2];
    s00 += a[0] * b0, s01 += a[0] * b1, s02 += a[0] * b2;
    s10 += a[1] * b0, s11 += a[1] * b1, s12 += a[1] * b2;
    s20 += a[2] * b0, s21 += a[2] * b1, s22 += a[2] * b2;
  }
  W[0] += s00, W[1] += s01, W[2] += s02;
  W += stride;
  W[0] += s10, W[1] += s11, W[2] += s12;
  W += stride;
  W[0] += s20, W[1] += s21, W[2] += s22;
}

void addBlock(const Topology& topology, const ConstraintSet& set, const Constraint& A, const Constraint& B, double* W,
              int stride) {
  for (int s = 0; s < A.sides; ++s)
    for (int t = 0; t < B.sides; ++t) {
      const Side &a = A.side[s], &b = B.side[t];
      const int common = topology.commonPrefix(a.link, b.link);
      if (common == 0) continue;
      const double *half = &set.half[a.offset], *response = &set.response[b.offset];
      if (A.rows == 3 && B.rows == 3)
        addProducts<3, 3>(common, half, response, W, stride);
      else if (A.rows == 3)
        addProducts<3, 1>(common, half, response, W, stride);
      else if (B.rows == 3)
        addProducts<1, 3>(common, half, response, W, stride);
      else
        addProducts<1, 1>(common, half, response, W, stride);
    }
}

Block makeBlock(const Constraint& c, int row) {
  Block block;
  block.row = row;
  block.size = c.rows;
  block.id = c.id;
  switch (c.source) {
    case RowSource::kContact:
      block.kind = BlockKind::kContact;
      block.mu = c.mu;
      break;
    case RowSource::kLimit:
      block.kind = BlockKind::kAtLeast;
      break;
    case RowSource::kMotor:
    case RowSource::kDryFriction:
      block.kind = BlockKind::kBox;
      block.lo = c.lo;
      block.hi = c.hi;
      break;
    case RowSource::kLoop:
      block.kind = BlockKind::kEqual;
      break;
  }
  return block;
}

/// change += Z λ of one constraint, not yet through L⁻¹.
void addResponse(const Topology& topology, const ConstraintSet& set, const Constraint& c, double* change) {
  for (int s = 0; s < c.sides; ++s) {
    const Side& side = c.side[s];
    const int* chain = topology.chain.data() + topology.chain_start[side.link];
    const double *Z = &set.response[side.offset], *impulse = &set.impulse[c.first_row];
    for (int k = 0; k < side.length; ++k, Z += c.rows)
      change[chain[k]] += c.rows == 3 ? Z[0] * impulse[0] + Z[1] * impulse[1] + Z[2] * impulse[2] : Z[0] * impulse[0];
  }
}

int findRoot(std::vector<int>& parent, int tree) {
  while (parent[tree] != tree) tree = parent[tree] = parent[parent[tree]];
  return tree;
}

/// Sizes, blocks, biases and the start of the solver.
void prepareIsland(const FreeMotion& motion, const ConstraintSet& set, Island& island) {
  ContactProblem& problem = island.problem;
  ContactSolution& solution = island.solution;
  problem.blocks.clear();
  int rows = 0;
  for (int index : island.constraints) {
    problem.blocks.push_back(makeBlock(set.list[index], rows));
    rows += set.list[index].rows;
  }
  problem.b.resize(rows);
  problem.bias.assign(rows, 0.0);
  problem.compliance.assign(rows, 0.0);
  problem.row_error.resize(rows);
  problem.W.assign(static_cast<std::size_t>(rows) * rows, 0.0);
  problem.velocity_scale = motion.velocity_scale;
  island.plastic.reserve(rows);
  island.plastic_modes.reserve(problem.blocks.size());
  solution.impulse.resize(rows);
  solution.velocity.resize(rows);
  solution.modes.resize(problem.blocks.size());
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Constraint& c = set.list[island.constraints[i]];
    const int row = problem.blocks[i].row;
    problem.bias[row] = c.bias;
    problem.compliance[row] = c.compliance;
    for (int r = 0; r < c.rows; ++r) {
      solution.impulse[row + r] = set.impulse[c.first_row + r];
      problem.row_error[row + r] = set.floor[c.first_row + r];
    }
  }
}

}  // namespace

void findIslands(const Topology& topology, const ConstraintSet& set, Islands& islands) {
  std::vector<int>& parent = islands.tree_island;
  parent.resize(topology.trees);
  for (int tree = 0; tree < topology.trees; ++tree) parent[tree] = tree;
  for (const Constraint& c : set.list)
    if (c.sides == 2) {
      const int a = findRoot(parent, topology.tree[c.side[0].link]),
                b = findRoot(parent, topology.tree[c.side[1].link]);
      parent[std::max(a, b)] = std::min(a, b);
    }
  islands.count = 0;
  for (std::size_t i = 0; i < set.list.size(); ++i) {
    const int root = findRoot(parent, topology.tree[set.list[i].side[0].link]);
    int found = 0;
    while (found < islands.count &&
           findRoot(parent, topology.tree[set.list[islands.list[found].constraints[0]].side[0].link]) != root)
      ++found;
    if (found == islands.count) {
      if (++islands.count > static_cast<int>(islands.list.size())) islands.list.emplace_back();
      islands.list[found].constraints.clear();
    }
    islands.list[found].constraints.push_back(static_cast<int>(i));
  }
}

void assembleIsland(const Topology& topology, const FreeMotion& motion, const ConstraintSet& set, Island& island) {
  prepareIsland(motion, set, island);
  ContactProblem& problem = island.problem;
  const int m = problem.rows();
  for (std::size_t i = 0; i < problem.blocks.size(); ++i)
    for (std::size_t j = 0; j < problem.blocks.size(); ++j)
      addBlock(topology, set, set.list[island.constraints[i]], set.list[island.constraints[j]],
               &problem.W[static_cast<std::size_t>(problem.blocks[i].row) * m + problem.blocks[j].row], m);
}

void assembleFreeVelocity(const Topology& topology, const FreeMotion& motion, const ConstraintSet& set, const double* v,
                          const double* v_end, Island& island) {
  for (std::size_t i = 0; i < island.problem.blocks.size(); ++i) {
    const Constraint& c = set.list[island.constraints[i]];
    for (int r = 0; r < c.rows; ++r) {
      double b = set.velocity[c.first_row + r];
      for (int s = 0; s < c.sides; ++s) {
        const Side& side = c.side[s];
        const int* chain = topology.chain.data() + topology.chain_start[side.link];
        const double *row = &set.constraint[side.offset + r], *half = &set.half[side.offset + r];
        for (int k = 0; k < side.length; ++k)
          b += half[k * c.rows] * motion.z[chain[k]] - row[k * c.rows] * (v_end[chain[k]] - v[chain[k]]);
      }
      island.problem.b[island.problem.blocks[i].row + r] = b;
    }
  }
}

void correctFreeVelocity(const ConstraintSet& set, Island& island) {
  const ContactProblem& problem = island.problem;
  const int m = problem.rows();
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Constraint& c = set.list[island.constraints[i]];
    for (int r = 0; r < c.rows; ++r) {
      const double* row = &problem.W[static_cast<std::size_t>(problem.blocks[i].row + r) * m];
      double b = set.velocity[c.first_row + r];
      for (int j = 0; j < m; ++j) b -= row[j] * island.solution.impulse[j];
      island.problem.b[problem.blocks[i].row + r] = b;
    }
  }
}

void guessModes(const ConstraintSet& set, Island& island) {
  for (std::size_t i = 0; i < island.constraints.size(); ++i) {
    const Constraint& c = set.list[island.constraints[i]];
    const bool can_open = c.source == RowSource::kContact || c.source == RowSource::kLimit;
    const bool opens = can_open && set.velocity[c.first_row] + c.bias > 0.0;
    ContactMode mode = opens ? ContactMode::kOpen : ContactMode::kStick;
    if (c.source == RowSource::kMotor) mode = ContactMode::kSlip;
    island.solution.modes[i] = c.memory ? c.memory->mode : mode;
  }
  island.solution.modes_known = true;
}

void applyImpulses(const Topology& topology, const FreeMotion& motion, const ConstraintSet& set, ImpulseChoice choice,
                   double* change) {
  std::copy(motion.z.begin(), motion.z.end(), change);
  if (choice == ImpulseChoice::kAll)
    for (const Constraint& c : set.list) addResponse(topology, set, c, change);
  motion.mass.solveL(topology, change);
}

}  // namespace rigor
