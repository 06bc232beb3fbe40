#include "minimal/assemble.h"

#include <algorithm>
#include <cmath>

#include "contact/visit_block.h"
#include "math/pair.h"
#include "solvers/verdict.h"

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

/// The same for two contacts, by far the most frequent pair: nine sums, two in a register.
template <>
void addProducts<3, 3>(int common, const double* a, const double* b, double* W, int stride) {
  Pair row_0{0.0, 0.0}, row_1 = row_0, row_2 = row_0;  // columns 0 and 1
  Pair column{0.0, 0.0};                               // rows 0 and 1 of column 2
  double corner = 0.0;
  for (const double* end = a + 3 * common; a != end; a += 3, b += 3) {
    const Pair b01 = Pair::load(b);
    row_0 += Pair{a[0], a[0]} * b01;
    row_1 += Pair{a[1], a[1]} * b01;
    row_2 += Pair{a[2], a[2]} * b01;
    column += Pair::load(a) * Pair{b[2], b[2]};
    corner += a[2] * b[2];
  }
  (Pair::load(W) + row_0).store(W);
  W[2] += column.lane(0);
  W += stride;
  (Pair::load(W) + row_1).store(W);
  W[2] += column.lane(1);
  W += stride;
  (Pair::load(W) + row_2).store(W);
  W[2] += corner;
}

/// The same for any numbers of rows.
void addAnyProducts(int common, const double* a, int rows_a, const double* b, int rows_b, double* W, int stride) {
  for (int k = 0; k < common; ++k, a += rows_a, b += rows_b)
    for (int ra = 0; ra < rows_a; ++ra)
      for (int rb = 0; rb < rows_b; ++rb) W[ra * stride + rb] += a[ra] * b[rb];
}

void addBlock(const Topology& topology, const ConstraintSet& set, const Constraint& A, const Constraint& B, double* W,
              int stride) {
  for (const Side& a : set.answeringSidesOf(A))
    for (const Side& b : set.answeringSidesOf(B)) {
      const int common = topology.commonPrefix(a.link, b.link);
      if (common == 0) continue;
      const double *half = &set.half[a.offset], *response = &set.response[b.offset];
      if (A.rows == 3 && B.rows == 3)
        addProducts<3, 3>(common, half, response, W, stride);
      else if (A.rows == 3 && B.rows == 1)
        addProducts<3, 1>(common, half, response, W, stride);
      else if (A.rows == 1 && B.rows == 3)
        addProducts<1, 3>(common, half, response, W, stride);
      else if (A.rows == 1 && B.rows == 1)
        addProducts<1, 1>(common, half, response, W, stride);
      else
        addAnyProducts(common, half, A.rows, response, B.rows, W, stride);
    }
}

Block makeBlock(const Constraint& c, int row) {
  Block block = c.block;
  block.row = row;
  block.size = c.rows;
  block.id = c.id;
  return block;
}

/// Sizes, blocks, biases and the start of the solver.
void prepareIsland(const FreeMotion& motion, const ConstraintSet& set, Island& island) {
  ContactProblem& problem = island.problem;
  ContactSolution& solution = island.solution;
  problem.blocks.clear();
  int rows = 0;
  for (int index : island.constraints) {
    problem.blocks.push_back(makeBlock(set.slots[index], rows));
    rows += set.slots[index].rows;
  }
  problem.b.resize(rows);
  problem.bias.assign(rows, 0.0);
  problem.compliance.assign(rows, 0.0);
  problem.row_error.resize(rows);
  problem.velocity_scale = motion.velocity_scale;
  island.plastic.reserve(rows);
  island.plastic_modes.reserve(problem.blocks.size());
  solution.impulse.resize(rows);
  solution.velocity.resize(rows);
  solution.modes.resize(problem.blocks.size());
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Constraint& c = set.slots[island.constraints[i]];
    const int row = problem.blocks[i].row;
    problem.bias[row] = c.bias;
    problem.compliance[row] = c.compliance;
    for (int r = 0; r < c.rows; ++r) {
      solution.impulse[row + r] = set.impulse[c.first_row + r];
      problem.row_error[row + r] = set.floor[c.first_row + r];
    }
  }
}

/// Island::trees.
void findTrees(const Topology& topology, const ConstraintSet& set, Island& island) {
  std::vector<int>& trees = island.trees;
  trees.clear();
  for (const int index : island.constraints)
    for (const Side& side : set.answeringSidesOf(set.slots[index])) trees.push_back(topology.tree[side.link]);
  std::sort(trees.begin(), trees.end());
  trees.erase(std::unique(trees.begin(), trees.end()), trees.end());
}

/// Of a tree among those of its island.
std::size_t placeOf(const Island& island, int tree) {
  return std::lower_bound(island.trees.begin(), island.trees.end(), tree) - island.trees.begin();
}

int freedomsOf(const Topology& topology, int tree) {
  const Trees one(topology, tree, tree + 1);
  return one.end_dof - one.first_dof;
}

/// A matrix over the freedoms of the trees is cheaper to factor than one over m rows: not where a tree is a long chain.
bool areSmall(const Topology& topology, const std::vector<int>& trees, int m) {
  constexpr double kCheaper = 0.25;
  double cubes = 0.0;
  for (const int tree : trees) cubes += std::pow(freedomsOf(topology, tree), 3);
  return cubes < kCheaper * std::pow(m, 3);
}

bool hasLinks(const ConstraintSet& set, const Island& island) {
  return set.space.extended() &&
         std::any_of(island.trees.begin(), island.trees.end(), [&](int tree) { return set.space.on_links[tree]; });
}

/// Loops between many small trees meet few others each: then W is sparse along their graph, and factors cost less than all of it.
bool areLoopsSparse(const Topology& topology, const ConstraintSet& set, Island& island) {
  constexpr int kFewRows = 24;     // chains of five hinges are as fast either way
  constexpr double kSparse = 0.7;  // of the entries between equal rows, before any fill: theirs
  int rows = 0;
  for (const Block& block : island.problem.blocks)
    if (isEquation(block)) rows += block.size;
  if (rows < kFewRows) return false;
  findTrees(topology, set, island);
  island.loop_rows.assign(island.trees.size(), 0);
  for (std::size_t i = 0; i < island.constraints.size(); ++i) {
    if (!isEquation(island.problem.blocks[i])) continue;
    const Constraint& c = set.slots[island.constraints[i]];
    for (const Side& side : set.answeringSidesOf(c))
      island.loop_rows[placeOf(island, topology.tree[side.link])] += c.rows;
  }
  double entries = 0.0;
  for (const int count : island.loop_rows) entries += static_cast<double>(count) * count;
  return entries < kSparse * rows * rows;
}

/// own [36] of a link, row by row.
void writeOwn(const TwoPoseInertia<double>& I, std::vector<double>& own) {
  const auto row = [](const Mat3<double>& M, int r) {
    const auto entry = [&](const Vec3<double>& column) { return r == 0 ? column.x : r == 1 ? column.y : column.z; };
    return Vec3<double>{entry(M.x), entry(M.y), entry(M.z)};
  };
  for (int r = 0; r < 2 * 3; ++r)
    for (const Vec3<double>& part : {row(r < 3 ? I.push : I.heave, r % 3), row(r < 3 ? I.twist : I.turn, r % 3)})
      own.insert(own.end(), {part.x, part.y, part.z});
}

void writeColumn(const Motion<double>& S, std::vector<double>& columns) {
  columns.insert(columns.end(), {S.linear.x, S.linear.y, S.linear.z, S.angular.x, S.angular.y, S.angular.z});
}

/// The links of a tree as nodes of W.
void addLinkNodes(const Topology& topology, const FreeMotion& motion, int tree, DelassusFactors& factors) {
  DelassusForest& forest = factors.forest;
  const TwoPoseMass<double>& mass = motion.mass.twoPoses();
  const Trees one(topology, tree, tree + 1);
  const int first = factors.nodes() - one.first_link;
  for (int link = one.first_link; link < one.end_link; ++link) {
    const int parent = topology.parent[link], joint = topology.v_index[link], freedoms = topology.dofs[link];
    const Vec3<double>& shift = mass.shift[link];
    forest.parent.push_back(parent < 0 ? -1 : parent + first);
    forest.joint_start.push_back(forest.joint_start.back() + freedoms);
    forest.shift.insert(forest.shift.end(), {shift.x, shift.y, shift.z});
    writeOwn(mass.bodies[link], forest.own);
    for (int j = joint; j < joint + freedoms; ++j) {
      writeColumn(mass.S[j], forest.force_columns);
      writeColumn(mass.S_end[j], forest.motion_columns);
      forest.diagonal.push_back(mass.passive[j] + motion.diagonal[j]);
    }
    factors.node_start.push_back(factors.node_start.back() + RowSpace::kSpace + freedoms);
  }
}

/// The freedoms of the island's trees as nodes of W, or their links.
void findNodes(const Topology& topology, const FreeMotion& motion, const ConstraintSet& set, Island& island) {
  DelassusFactors& factors = island.problem.W.editFactors();
  const bool links = hasLinks(set, island);
  island.first_node.clear();
  for (const int tree : island.trees) {
    island.first_node.push_back(factors.nodes());
    if (links && set.space.on_links[tree]) {
      addLinkNodes(topology, motion, tree, factors);
      continue;
    }
    factors.node_start.push_back(factors.node_start.back() + freedomsOf(topology, tree));
    if (!links) continue;
    factors.forest.parent.push_back(DelassusForest::kAlone);
    factors.forest.joint_start.push_back(factors.forest.joint_start.back());
    factors.forest.shift.resize(factors.forest.shift.size() + 3, 0.0);
    factors.forest.own.resize(factors.forest.own.size() + RowSpace::kSpace * RowSpace::kSpace, 0.0);
  }
}

/// Node of a side, and how far the freedoms of that node are from the entries that the side's rows meet.
struct SideNode {
  int node, shift;
};
SideNode nodeOf(const Topology& topology, const ConstraintSet& set, const Side& side, const Island& island) {
  const std::size_t place = placeOf(island, topology.tree[side.link]);
  const int root = topology.tree_root[island.trees[place]], first = island.first_node[place];
  const std::vector<int>& start = island.problem.W.factors().node_start;
  if (!side.on_link) return {first, start[first] - topology.v_index[root]};
  const int node = first + side.link - root;
  const bool of_joint = side.length == 1;
  return {node, of_joint ? start[node] + RowSpace::kSpace - topology.v_index[side.link]
                         : start[node] - set.space.motion[side.link]};
}

/// W̃ as its factors: Ỹ and Z of every side, on the freedoms of its tree, or J̃ and J on its link.
void copyFactors(const Topology& topology, const FreeMotion& motion, const ConstraintSet& set, Island& island) {
  DelassusFactors& factors = island.problem.W.editFactors();
  factors.clear();
  findNodes(topology, motion, set, island);
  for (const int index : island.constraints) {
    const Constraint& c = set.slots[index];
    for (const Side& side : set.answeringSidesOf(c)) {
      const SideNode at = nodeOf(topology, set, side, island);
      factors.sides.push_back(
          {at.node, static_cast<int>(factors.freedoms.size()), side.length, static_cast<int>(factors.A.size())});
      const int* entries = set.entriesOf(side);
      for (int k = 0; k < side.length; ++k) factors.freedoms.push_back(entries[k] + at.shift);
      const double* A = side.on_link ? &set.constraint[side.offset] : &set.half[side.offset];
      const double* B = side.on_link ? &set.force[side.offset] : &set.response[side.offset];
      factors.A.insert(factors.A.end(), A, A + c.rows * side.length);
      factors.B.insert(factors.B.end(), B, B + c.rows * side.length);
    }
    factors.block_row.push_back(factors.block_row.back() + c.rows);
    factors.first_side.push_back(static_cast<int>(factors.sides.size()));
  }
  island.problem.W.finishFactors();
}

}  // namespace

int treeOf(const Topology& topology, const ConstraintSet& set, const Constraint& c, int side) {
  return topology.tree[set.sides[c.first_side + side].link];
}

void uniteConnected(const Topology& topology, const ConstraintSet& set, TreeGroups& groups) {
  for (int i = 0; i < set.size(); ++i)
    for (int side = 1; side < set.at(i).answering; ++side)
      groups.unite(treeOf(topology, set, set.at(i), 0), treeOf(topology, set, set.at(i), side));
}

void findIslands(const Topology& topology, const ConstraintSet& set, Islands& islands) {
  if (islands.made_of == set.active) {
    islands.count = islands.found;
    return;
  }
  TreeGroups& groups = islands.groups;
  if (groups.size() != topology.trees) groups.reset(topology.trees), islands.root_island.resize(topology.trees);
  for (const int slot : set.active)  // of all trees only those that are asked for: a part may be small
    for (const Side& side : set.sidesOf(set.slots[slot])) {
      const int tree = topology.tree[side.link];
      groups.parent[tree] = tree, islands.root_island[tree] = -1;
    }
  uniteConnected(topology, set, groups);
  islands.count = 0;
  for (int i = 0; i < set.size(); ++i) {
    if (set.at(i).awaited) continue;
    int& island = islands.root_island[groups.groupOf(treeOf(topology, set, set.at(i)))];
    if (island < 0) {
      island = islands.count++;
      if (islands.count > static_cast<int>(islands.list.size())) islands.list.emplace_back();
      islands.list[island].constraints.clear();
    }
    islands.list[island].constraints.push_back(set.active[i]);
  }
  islands.made_of = set.active;
  islands.found = islands.count;
}

void assembleIsland(const Topology& topology, const FreeMotion& motion, const ConstraintSet& set, int most_dense,
                    Island& island) {
  prepareIsland(motion, set, island);
  ContactProblem& problem = island.problem;
  const int m = problem.rows();
  if (m > most_dense || set.space.extended()) findTrees(topology, set, island);
  if (hasLinks(set, island)) {
    copyFactors(topology, motion, set, island);
    const double few = set.space.dense_rows * std::cbrt(problem.W.factors().nodes());
    if (m <= few || wantsDense(problem.W, most_dense)) problem.W.becomeDense();
    return;
  }
  const bool sparse = hasEqualRows(problem) ? areLoopsSparse(topology, set, island)
                                            : m > most_dense && areSmall(topology, island.trees, m);
  if (sparse) return copyFactors(topology, motion, set, island);
  problem.W.setZero(m);
  for (std::size_t i = 0; i < problem.blocks.size(); ++i)
    for (std::size_t j = 0; j < problem.blocks.size(); ++j)
      addBlock(topology, set, set.slots[island.constraints[i]], set.slots[island.constraints[j]],
               problem.W.row(problem.blocks[i].row) + problem.blocks[j].row, m);
}

void computeLinkMotion(const Part& part, const FreeMotion& motion, const double* v, const double* v_end,
                       ConstraintSet& set) {
  if (!set.space.extended() || set.empty()) return;
  double* change = set.torques.data();
  for (const Run& run : part.runs) {
    std::copy(&motion.z[run.trees.first_dof], motion.z.data() + run.trees.end_dof, change + run.trees.first_dof);
    motion.mass.solveU(run.trees, change);
    for (int j = run.trees.first_dof; j < run.trees.end_dof; ++j) change[j] = v_end[j] - v[j] - change[j];
  }
  const TwoPoseMass<double>& mass = motion.mass.twoPoses();
  set.space.extend(part, mass.S_end.data(), mass.shift.data(), change, set.free_motion);
  part.forEachDof([&](int j) { change[j] = 0.0; });
}

void assembleFreeVelocity(const FreeMotion& motion, const ConstraintSet& set, const double* v, const double* v_end,
                          Island& island) {
  for (std::size_t i = 0; i < island.problem.blocks.size(); ++i) {
    const Constraint& c = set.slots[island.constraints[i]];
    double* b = &island.problem.b[island.problem.blocks[i].row];
    std::copy_n(&set.velocity[c.first_row], c.rows, b);
    for (const Side& side : set.answeringSidesOf(c)) {
      const int* chain = set.entriesOf(side);
      const double *row = &set.constraint[side.offset], *half = &set.half[side.offset];
      for (int k = 0; side.on_link && k < side.length; ++k)
        for (int r = 0; r < c.rows; ++r) b[r] -= *row++ * set.free_motion[chain[k]];
      for (int k = 0; !side.on_link && k < side.length; ++k) {
        const double z = motion.z[chain[k]], change = v_end[chain[k]] - v[chain[k]];
        for (int r = 0; r < c.rows; ++r) b[r] += *half++ * z - *row++ * change;
      }
    }
  }
}

void correctFreeVelocity(const ConstraintSet& set, Island& island) {
  const ContactProblem& problem = island.problem;
  const int m = problem.rows();
  const bool factored = problem.W.isFactored();
  const double* response = factored ? problem.W.multiplyInside(island.solution.impulse.data(), false).sum : nullptr;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Constraint& c = set.slots[island.constraints[i]];
    if (response) {
      for (int r = 0, row = problem.blocks[i].row; r < c.rows; ++r, ++row)
        island.problem.b[row] = set.velocity[c.first_row + r] - response[row];
      continue;
    }
    for (int r = 0; r < c.rows; ++r) {
      const double* row = problem.W.row(problem.blocks[i].row + r);
      double b = set.velocity[c.first_row + r];
      for (int j = 0; j < m; ++j) b -= row[j] * island.solution.impulse[j];
      island.problem.b[problem.blocks[i].row + r] = b;
    }
  }
}

void guessModes(const ConstraintSet& set, Island& island) {
  for (std::size_t i = 0; i < island.constraints.size(); ++i) {
    const Constraint& c = set.slots[island.constraints[i]];
    const bool opens = c.can_open && set.velocity[c.first_row] + c.bias > 0.0;
    island.solution.modes[i] = c.last.known ? c.last.mode : (opens ? ContactMode::kOpen : c.first_mode);
  }
  island.solution.modes_known = true;
}

void takeImpulses(const Island& island, const std::vector<double>& impulse, ConstraintSet& set) {
  for (std::size_t k = 0; k < island.constraints.size(); ++k) {
    const Constraint& c = set.slots[island.constraints[k]];
    std::copy_n(&impulse[island.problem.blocks[k].row], c.rows, &set.impulse[c.first_row]);
  }
}

void takeModes(const Island& island, ConstraintSet& set) {
  for (std::size_t k = 0; k < island.constraints.size(); ++k) {
    LastStep& last = set.slots[island.constraints[k]].last;
    last.known = true;
    last.mode = island.solution.modes[k];
  }
}

void applyImpulses(const Part& part, const FreeMotion& motion, const ConstraintSet& set, ImpulseChoice choice,
                   double* change) {
  for (const Run& run : part.runs)
    std::copy(&motion.z[run.trees.first_dof], motion.z.data() + run.trees.end_dof, change + run.trees.first_dof);
  if (part.runs.empty()) return;
  if (choice == ImpulseChoice::kAll)
    for (const int slot : set.active) addResponse(set, set.slots[slot], change);
  for (const Run& run : part.runs) {
    if (choice == ImpulseChoice::kAll) addLinkResponses(run.trees, motion, set, change);
    motion.mass.solveU(run.trees, change);
  }
}

}  // namespace rigor
