#include "event/held_matrix.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rigor {
namespace {

constexpr double kDependent = 1e-11;  // of the largest pivot: below it rows count as dependent
constexpr double kDead = 1e-24;       // of the largest W_rr of its constraint: nothing moves along such a row
constexpr double kAnswered = 1e-10;   // of the right side: what an answer along a graph may miss
constexpr int kFewRows = 48;          // that are cheaper as a dense matrix
constexpr std::size_t kPlans = 8;

}  // namespace

void HeldMatrix::arrange(const Topology& topology, const std::vector<Held>& held, const HeldRows& rows) {
  first_row_.assign(1, 0);
  for (const Held& one : held) first_row_.push_back(first_row_.back() + one.rows);
  rows_ = first_row_.back();
  findMeetings(topology, rows);
  findGroups();
  layOut();
}

void HeldMatrix::findMeetings(const Topology& topology, const HeldRows& rows) {
  of_tree_.clear(), meetings_.clear();
  for (int i = 0; i < rows.count(); ++i)
    for (const HeldRows::Side& side : rows.sidesOf(i)) of_tree_.emplace_back(topology.tree[side.link], i);
  std::sort(of_tree_.begin(), of_tree_.end());
  of_tree_.erase(std::unique(of_tree_.begin(), of_tree_.end()), of_tree_.end());
  for (auto one = of_tree_.begin(); one != of_tree_.end(); ++one)
    for (auto other = one; other != of_tree_.end() && other->first == one->first; ++other)
      meetings_.push_back({one->second, other->second, 0, 0});
}

/// Constraints that meet, directly or through others, are of one group, which is called by its first.
void HeldMatrix::findGroups() {
  const int count = static_cast<int>(first_row_.size()) - 1;
  leader_.resize(count), order_.resize(count);
  std::iota(leader_.begin(), leader_.end(), 0);
  std::iota(order_.begin(), order_.end(), 0);
  const auto find = [&](int i) {
    while (leader_[i] != i) i = leader_[i] = leader_[leader_[i]];
    return i;
  };
  for (const Meeting& m : meetings_) {
    const int a = find(m.a), b = find(m.b);
    leader_[std::max(a, b)] = std::min(a, b);
  }
  for (int i = 0; i < count; ++i) leader_[i] = find(i);
  std::sort(order_.begin(), order_.end(),
            [&](int i, int j) { return std::pair(leader_[i], i) < std::pair(leader_[j], j); });
  const auto key = [&](const Meeting& m) { return std::tuple(leader_[m.a], m.a, m.b); };
  std::sort(meetings_.begin(), meetings_.end(), [&](const Meeting& m, const Meeting& n) { return key(m) < key(n); });
  const auto same = [](const Meeting& m, const Meeting& n) { return m.a == n.a && m.b == n.b; };
  meetings_.erase(std::unique(meetings_.begin(), meetings_.end(), same), meetings_.end());
}

/// Ranges of groups, places of rows and blocks.
void HeldMatrix::layOut() {
  groups_.clear();
  place_.resize(rows_);
  for (const int held : order_) {
    if (groups_.empty() || leader_[held] != leader_[order_[groups_.back().first]]) {
      const int first = groups_.empty() ? 0 : groups_.back().end;
      groups_.push_back({first, first, 0, 0, 0, false});
    }
    Group& group = groups_.back();
    ++group.end;
    for (int r = first_row_[held]; r < first_row_[held + 1]; ++r) place_[r] = group.rows++;
  }
  int entries = 0, next = 0;
  for (Group& group : groups_) {
    group.first_meeting = next;
    for (; next < static_cast<int>(meetings_.size()) && leader_[meetings_[next].a] == leader_[order_[group.first]];
         ++next) {
      Meeting& m = meetings_[next];
      const int block = size(m.a) * size(m.b);
      m.ab = m.ba = entries, entries += block;
      if (m.a != m.b) m.ba = entries, entries += block;
    }
    group.end_meeting = next;
    const int held = group.end - group.first, all = held * (held + 1) / 2;
    group.along_graph = group.rows > kFewRows && 2 * (group.end_meeting - group.first_meeting) < all;
  }
  blocks_.assign(entries, 0.0);
}

void HeldMatrix::compute(const Topology& topology, const MassFactors<double>& mass, const HeldRows& rows,
                         bool with_forces) {
  halfSolve(topology, mass, rows, with_forces);
  for (const Meeting& m : meetings_) {
    fillBlock(topology, rows, m.a, m.b, &blocks_[m.ab]);
    if (m.a == m.b) continue;
    if (with_forces && (rows.slips(m.a) || rows.slips(m.b))) {
      fillBlock(topology, rows, m.b, m.a, &blocks_[m.ba]);
      continue;
    }
    for (int i = 0; i < size(m.a); ++i)
      for (int j = 0; j < size(m.b); ++j) blocks_[m.ba + j * size(m.a) + i] = blocks_[m.ab + i * size(m.b) + j];
  }
  scaleRows();
}

void HeldMatrix::halfSolve(const Topology& topology, const MassFactors<double>& mass, const HeldRows& rows,
                           bool with_forces) {
  const std::vector<double>& inverse_D = mass.inverseD();
  half_ = rows.J();
  response_.resize(half_.size());
  for (int i = 0; i < rows.count(); ++i)
    for (const HeldRows::Side& side : rows.sidesOf(i)) {
      const int length = topology.chain_length[side.link], entries = length * side.rows;
      mass.solveChainLTranspose(topology, side.link, side.rows, &half_[side.first]);
      if (with_forces && rows.slips(i)) {
        std::copy_n(&rows.F()[side.first], entries, &response_[side.first]);
        mass.solveChainLTranspose(topology, side.link, side.rows, &response_[side.first]);
      } else {
        std::copy_n(&half_[side.first], entries, &response_[side.first]);
      }
      const int* dofs = topology.chain.data() + topology.chain_start[side.link];
      for (int k = 0; k < length; ++k)
        for (int r = 0; r < side.rows; ++r) response_[side.first + k * side.rows + r] *= inverse_D[dofs[k]];
    }
}

/// Two rows meet in the common prefix of their chains.
void HeldMatrix::fillBlock(const Topology& topology, const HeldRows& rows, int a, int b, double* block) const {
  std::fill_n(block, size(a) * size(b), 0.0);
  for (const HeldRows::Side& s : rows.sidesOf(a))
    for (const HeldRows::Side& t : rows.sidesOf(b)) {
      const int common = topology.commonPrefix(s.link, t.link);
      for (int k = 0; k < common; ++k)
        for (int i = 0; i < s.rows; ++i) {
          const double half = half_[s.first + k * s.rows + i];
          const double* response = &response_[t.first + k * t.rows];
          for (int j = 0; j < t.rows; ++j) block[i * t.rows + j] += half * response[j];
        }
    }
}

void HeldMatrix::scaleRows() {
  diagonal_.resize(rows_), scale_.resize(rows_);
  for (const Meeting& m : meetings_) {
    if (m.a != m.b) continue;
    double largest = 0.0;
    for (int r = 0; r < size(m.a); ++r) largest = std::max(largest, std::fabs(blocks_[m.ab + r * (size(m.a) + 1)]));
    for (int r = 0; r < size(m.a); ++r) {
      const double own = blocks_[m.ab + r * (size(m.a) + 1)];
      diagonal_[first_row_[m.a] + r] = own;
      scale_[first_row_[m.a] + r] = std::fabs(own) > kDead * largest ? 1.0 / std::sqrt(std::fabs(own)) : 0.0;
    }
  }
}

/// f(first row, rows, first column, columns, block)
template <class F>
void HeldMatrix::forEachBlock(const Group& group, const F& f) const {
  for (int k = group.first_meeting; k < group.end_meeting; ++k) {
    const Meeting& m = meetings_[k];
    f(first_row_[m.a], size(m.a), first_row_[m.b], size(m.b), &blocks_[m.ab]);
    if (m.a != m.b) f(first_row_[m.b], size(m.b), first_row_[m.a], size(m.a), &blocks_[m.ba]);
  }
}

void HeldMatrix::subtract(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  for (const Group& group : groups_)
    forEachBlock(group, [&](int row, int rows, int column, int columns, const double* block) {
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) y[row + i] -= block[i * columns + j] * x[column + j];
    });
}

void HeldMatrix::writeDense(RowMatrix& W) const {
  W.setZero(rows_, rows_);
  for (const Group& group : groups_)
    forEachBlock(group, [&](int row, int rows, int column, int columns, const double* block) {
      for (int i = 0; i < rows; ++i) std::copy_n(block + i * columns, columns, &W(row + i, column));
    });
}

void HeldMatrix::addResponse(const Topology& topology, const MassFactors<double>& mass, const HeldRows& rows,
                             const Eigen::VectorXd& forces, double* change) {
  motion_.assign(topology.nv, 0.0);
  for (const HeldRows::Side& side : rows.sides()) {
    const int* dofs = topology.chain.data() + topology.chain_start[side.link];
    for (int k = 0; k < topology.chain_length[side.link]; ++k)
      for (int r = 0; r < side.rows; ++r)
        motion_[dofs[k]] += response_[side.first + k * side.rows + r] * forces[side.row + r];
  }
  mass.solveU(topology, motion_.data());
  for (int j = 0; j < topology.nv; ++j) change[j] += motion_[j];
}

void HeldMatrix::solve(const Eigen::VectorXd& right, Eigen::VectorXd& x) {
  x.setZero(rows_);
  for (const Group& group : groups_)
    if (!group.along_graph || !solveAlongGraph(group, right, x)) solveDense(group, right, x);
}

void HeldMatrix::solveDense(const Group& group, const Eigen::VectorXd& right, Eigen::VectorXd& x) {
  const int n = group.rows;
  dense_.assign(static_cast<std::size_t>(n) * n, 0.0);
  forEachBlock(group, [&](int row, int rows, int column, int columns, const double* block) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        dense_[place_[row + i] * n + place_[column + j]] =
            scale_[row + i] * block[i * columns + j] * scale_[column + j];
  });
  const auto forEachRow = [&](const auto& f) {
    for (int k = group.first; k < group.end; ++k)
      for (int r = first_row_[order_[k]]; r < first_row_[order_[k] + 1]; ++r) f(r, place_[r]);
  };
  part_rest_.assign(n, 0.0);
  forEachRow([&](int r, int at) { part_rest_[at] = scale_[r] * right[r]; });
  taken_.assign(n, 0);
  std::vector<double>& answer = graph_x_;
  answer.assign(n, 0.0);
  for (int first = 0; first < n; ++first) {
    if (taken_[first] || dense_[first * n + first] == 0.0) continue;
    findConnected(first, n);
    const int count = static_cast<int>(connected_.size());
    part_.resize(static_cast<std::size_t>(count) * count), part_right_.resize(count);
    for (int i = 0; i < count; ++i) {
      part_right_[i] = part_rest_[connected_[i]];
      for (int j = 0; j < count; ++j) part_[i * count + j] = dense_[connected_[i] * n + connected_[j]];
    }
    solvePart();
    for (int i = 0; i < count; ++i) answer[connected_[i]] = part_x_[i];
  }
  forEachRow([&](int r, int at) { x[r] = scale_[r] * answer[at]; });
}

/// Rows that meet the first one, directly or through others; ascending.
void HeldMatrix::findConnected(int first, int rows) {
  connected_.assign(1, first);
  taken_[first] = 1;
  for (std::size_t k = 0; k < connected_.size(); ++k)
    for (int j = 0; j < rows; ++j)
      if (!taken_[j] && (dense_[connected_[k] * rows + j] != 0.0 || dense_[j * rows + connected_[k]] != 0.0))
        taken_[j] = 1, connected_.push_back(j);
  std::sort(connected_.begin(), connected_.end());
}

/// By LU, or the smallest answer where rows depend on each other; corrected once by what it misses.
void HeldMatrix::solvePart() {
  const int n = static_cast<int>(part_right_.size());
  const auto restOf = [&](int i) {
    double rest = part_right_[i];
    for (int j = 0; j < n; ++j) rest -= part_[i * n + j] * part_x_[j];
    return rest;
  };
  const auto correct = [&](const auto& solve) {
    part_x_ = part_right_;
    solve(part_x_.data());
    scratch_.resize(n);
    for (int i = 0; i < n; ++i) scratch_[i] = restOf(i);
    solve(scratch_.data());
    for (int i = 0; i < n; ++i) part_x_[i] += scratch_[i];
  };
  lu_.resize(n);
  for (int i = 0; i < n; ++i) std::copy_n(&part_[i * n], n, lu_.row(i));
  if (lu_.factor() && lu_.pivotRange() > kDependent) {
    correct([&](double* x) { lu_.solve(x); });
    if (std::all_of(part_x_.begin(), part_x_.end(), [](double x) { return std::isfinite(x); })) return;
  }
  least_norm_.reserve(n);
  correct([&](double* x) {
    least_norm_.resize(n);
    for (int i = 0; i < n; ++i) std::copy_n(&part_[i * n], n, least_norm_.row(i));
    least_norm_.solve(kDependent * n, x);
  });
}

/// The graph of a group's modes: a node of each constraint, an edge where two meet.
BlockGraph& HeldMatrix::graphOf(const Group& group) {
  shape_.clear();
  for (int k = group.first; k < group.end; ++k) shape_.push_back(size(order_[k]));
  for (int k = group.first_meeting; k < group.end_meeting; ++k)
    shape_.push_back(meetings_[k].a), shape_.push_back(meetings_[k].b);
  for (Plan& plan : plans_)
    if (plan.shape == shape_) return plan.graph;
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;
  std::vector<int> node_of(first_row_.size(), -1);
  for (int k = group.first; k < group.end; ++k) {
    node_of[order_[k]] = static_cast<int>(nodes.size());
    nodes.push_back({size(order_[k]), GraphNodeKind::kRegular});
  }
  for (int k = group.first_meeting; k < group.end_meeting; ++k)
    if (meetings_[k].a != meetings_[k].b) edges.emplace_back(node_of[meetings_[k].a], node_of[meetings_[k].b]);
  if (plans_.size() < kPlans) plans_.emplace_back();
  Plan& plan = plans_[next_plan_];
  next_plan_ = (next_plan_ + 1) % kPlans;
  plan = {shape_, BlockGraph(nodes, edges)};
  return plan.graph;
}

/// False if what it finds does not answer: the rows depend on each other in a way that their order does not show.
bool HeldMatrix::solveAlongGraph(const Group& group, const Eigen::VectorXd& right, Eigen::VectorXd& x) {
  BlockGraph& graph = graphOf(group);
  const auto copy = [&](int row, int rows, int column, int columns, const double* from, double* to) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        to[i * columns + j] = scale_[row + i] * from[i * columns + j] * scale_[column + j];
  };
  int edge = 0;
  for (int k = group.first_meeting; k < group.end_meeting; ++k) {
    const Meeting& m = meetings_[k];
    const int a = first_row_[m.a], b = first_row_[m.b];
    if (m.a == m.b) {
      const auto at = std::lower_bound(order_.begin() + group.first, order_.begin() + group.end, m.a);
      copy(a, size(m.a), a, size(m.a), &blocks_[m.ab],
           graph.diagonal(static_cast<int>(at - order_.begin()) - group.first));
      continue;
    }
    copy(a, size(m.a), b, size(m.b), &blocks_[m.ab], graph.block(edge));
    copy(b, size(m.b), a, size(m.a), &blocks_[m.ba], graph.reverse(edge));
    ++edge;
  }
  if (!graph.factor().finite) return false;
  graph_right_.resize(group.rows), graph_x_.resize(group.rows);
  double largest = 0.0;
  for (int k = group.first; k < group.end; ++k)
    for (int r = first_row_[order_[k]]; r < first_row_[order_[k] + 1]; ++r) {
      graph_right_[place_[r]] = scale_[r] * right[r];
      largest = std::max(largest, std::fabs(graph_right_[place_[r]]));
    }
  const double missed = graph.solveRefined(graph_right_.data(), graph_x_.data());
  if (!(missed <= kAnswered * largest)) return false;
  for (int k = group.first; k < group.end; ++k)
    for (int r = first_row_[order_[k]]; r < first_row_[order_[k] + 1]; ++r) x[r] = scale_[r] * graph_x_[place_[r]];
  return true;
}

}  // namespace rigor
