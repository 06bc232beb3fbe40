#include "solvers/node_system.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "contact/visit_block.h"

namespace rigor {
namespace {

// out = M⁻¹ for the matrices of units; rows exchanged.
template <int kRows>
bool invertSmall(double M[kRows][kRows], double* out) {
  double I[kRows][kRows] = {};
  for (int r = 0; r < kRows; ++r) I[r][r] = 1.0;
  for (int k = 0; k < kRows; ++k) {
    int pivot = k;
    for (int i = k + 1; i < kRows; ++i)
      if (std::abs(M[i][k]) > std::abs(M[pivot][k])) pivot = i;
    if (pivot != k) std::swap(M[k], M[pivot]), std::swap(I[k], I[pivot]);
    const double inverse = 1.0 / M[k][k];
    if (!std::isfinite(inverse)) return false;
    for (int j = 0; j < kRows; ++j) M[k][j] *= inverse, I[k][j] *= inverse;
    for (int i = 0; i < kRows; ++i) {
      if (i == k) continue;
      const double factor = M[i][k];
      for (int j = 0; j < kRows; ++j) M[i][j] -= factor * M[k][j], I[i][j] -= factor * I[k][j];
    }
  }
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kRows; ++j) out[i * kRows + j] = I[i][j];
  return true;
}

}  // namespace

void NodeSystem::prepare(const ContactProblem& problem) {
  if (prepared_) return;
  prepared_ = true;
  const DelassusFactors& factors = problem.W.factors();
  edges_.clear();
  for (int block = 0; block < factors.blocks(); ++block)
    for (int s = factors.first_side[block]; s < factors.first_side[block + 1]; ++s)
      for (int t = factors.first_side[block]; t < s; ++t) {
        const int a = factors.sides[s].node, b = factors.sides[t].node;
        if (a != b) edges_.emplace_back(std::min(a, b), std::max(a, b));
      }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  first_edge_.assign(1, 0);
  block_edges_.clear();
  for (int block = 0; block < factors.blocks(); ++block) {
    for (int s = factors.first_side[block]; s < factors.first_side[block + 1]; ++s)
      for (int t = factors.first_side[block]; t < s; ++t) {
        const int a = factors.sides[s].node, b = factors.sides[t].node;
        if (a == b) continue;
        const auto found = std::lower_bound(edges_.begin(), edges_.end(), NodeEdge(std::min(a, b), std::max(a, b)));
        block_edges_.push_back(static_cast<int>(found - edges_.begin()));
      }
    first_edge_.push_back(static_cast<int>(block_edges_.size()));
  }
  afresh_ = true;
  units_.resize(problem.rows());
  active_block_.resize(factors.blocks());
  z_.resize(factors.freedomCount());
}

// H and S of every unit, and which blocks have any.
bool NodeSystem::invertUnits(const ContactProblem& problem, const std::vector<EquationRow>& equations, double epsilon,
                             double delta) {
  constexpr double kFirm = 1e-4;  // of δ: where rows contradict each other, those give way whose velocity has an error
  bool regular = true;
  int index = 0;
  for (const Block& block : problem.blocks) {
    bool active = false;
    forEachUnit(problem, block, [&]<class Unit>(const Unit&, int row) {
      constexpr int k = Unit::kRows;
      UnitMatrices& unit = units_[row];
      const bool exact = k == 1 && !problem.row_error.empty() && problem.row_error[row] == 0.0;
      const double diagonal = epsilon + (exact ? kFirm * delta : delta);
      double G[k][k];
      unit.rows = k;
      unit.open = true;
      for (int r = 0; r < k; ++r)
        for (int c = 0; c < k; ++c) {
          const EquationRow& equation = equations[row + r];
          G[r][c] = equation.B[c] + diagonal * equation.A[c];
          unit.open = unit.open && equation.A[c] == 0.0;
        }
      regular = regular && invertSmall<k>(G, unit.H);
      for (int r = 0; r < k; ++r)
        for (int c = 0; c < k; ++c) {
          double sum = 0.0;
          for (int i = 0; i < k; ++i) sum += unit.H[r * k + i] * equations[row + i].A[c];
          unit.S[r * k + c] = sum;
        }
      unit.single = std::all_of(unit.S + 1, unit.S + k * k, [](double entry) { return entry == 0.0; });
      active = active || !unit.open;
    });
    active_block_[index++] = active;
  }
  return regular;
}

void NodeSystem::announceEdges() {
  active_edge_.assign(edges_.size(), 0);
  for (std::size_t block = 0; block < active_block_.size(); ++block)
    for (int e = first_edge_[block]; active_block_[block] && e < first_edge_[block + 1]; ++e)
      active_edge_[block_edges_[e]] = 1;
  announced_.clear();
  for (std::size_t e = 0; e < edges_.size(); ++e)
    if (active_edge_[e]) announced_.push_back(edges_[e]);
}

double* NodeSystem::blockOf(const DelassusFactors& factors, int row_node, int column_node) {
  if (!factors.forest.empty())
    return row_node == column_node ? forest_.diagonal(row_node) : forest_.block(row_node, column_node);
  if (row_node != column_node) return lu_.block(row_node, column_node);
  lu_.touchDiagonal(row_node);
  return lu_.diagonal(row_node);
}

// K(node of s, node of t) += B_s T, T = S Aᵀ_t/w [rows × freedoms of t].
void NodeSystem::addProduct(const DelassusFactors& factors, const DelassusSide& s, const DelassusSide& t, int size,
                            int local, int rows, const double* T) {
  double* K = blockOf(factors, s.node, t.node);
  const int first_row = factors.node_start[s.node], first_column = factors.node_start[t.node];
  const int columns = factors.node_start[t.node + 1] - first_column;
  const int *of_s = &factors.freedoms[s.first], *of_t = &factors.freedoms[t.first];
  const double* B = &factors.B[s.offset] + local;
  if (rows == 1 && t.length == columns) {
    for (int k = 0; k < s.length; ++k, B += size) {
      double* row = K + (of_s[k] - first_row) * columns;
      for (int l = 0; l < columns; ++l) row[l] += B[0] * T[l];
    }
    return;
  }
  if (rows == 3 && t.length == columns) {
    const auto addRow = [&](double* row, auto length) {
      for (int l = 0; l < length; ++l) row[l] += B[0] * T[l] + B[1] * T[length + l] + B[2] * T[2 * length + l];
    };
    constexpr std::integral_constant<int, 6> kFreeBody;
    for (int k = 0; k < s.length; ++k, B += size) {
      double* row = K + (of_s[k] - first_row) * columns;
      columns == kFreeBody ? addRow(row, kFreeBody) : addRow(row, columns);
    }
    return;
  }
  for (int k = 0; k < s.length; ++k, B += size) {
    double* row = K + (of_s[k] - first_row) * columns;
    for (int r = 0; r < rows; ++r)
      for (int l = 0; l < t.length; ++l) row[of_t[l] - first_column] += B[r] * T[r * t.length + l];
  }
}

void NodeSystem::addUnit(const DelassusFactors& factors, int block, int row, double inverse_w) {
  const UnitMatrices& unit = units_[row];
  if (unit.open) return;
  const int rows = unit.single ? 1 : unit.rows, first = factors.block_row[block];
  const int size = factors.block_row[block + 1] - first, local = row - first;
  for (int t = factors.first_side[block]; t < factors.first_side[block + 1]; ++t) {
    const DelassusSide& side = factors.sides[t];
    const double* A = &factors.A[side.offset] + local;
    columns_.resize(std::max<std::size_t>(columns_.size(), static_cast<std::size_t>(rows) * side.length));
    for (int r = 0; r < rows; ++r)
      for (int l = 0; l < side.length; ++l) {
        double sum = 0.0;
        for (int c = 0; c < rows; ++c) sum += unit.S[r * unit.rows + c] * A[l * size + c];
        columns_[r * side.length + l] = inverse_w * sum;
      }
    for (int s = factors.first_side[block]; s < factors.first_side[block + 1]; ++s)
      addProduct(factors, factors.sides[s], side, size, local, rows, columns_.data());
  }
}

bool NodeSystem::factor(const ContactProblem& problem, const std::vector<double>& root,
                        const std::vector<EquationRow>& equations, double epsilon, double delta) {
  if (!invertUnits(problem, equations, epsilon, delta)) return false;
  const DelassusFactors& factors = problem.W.factors();
  const bool forest = !factors.forest.empty();
  announceEdges();
  if (forest)
    forest_.prepare(factors, announced_, afresh_), forest_.setForest(factors);
  else
    lu_.prepare(factors.node_start, announced_, afresh_), lu_.setIdentity();
  afresh_ = false;
  int index = 0;
  for (const Block& block : problem.blocks) {
    forEachUnit(problem, block,
                [&](const auto&, int row) { addUnit(factors, index, row, 1.0 / (root[row] * root[row])); });
    ++index;
  }
  return forest ? forest_.factor(factors) : lu_.factor();
}

void NodeSystem::solve(const ContactProblem& problem, const std::vector<double>& root, double* right) {
  const DelassusFactors& factors = problem.W.factors();
  std::fill(z_.begin(), z_.end(), 0.0);
  for (int block = 0; block < factors.blocks(); ++block) {
    const int first = factors.block_row[block], size = factors.block_row[block + 1] - first;
    for (int row = first; row < first + size; row += units_[row].rows) {  // right ← H R
      const UnitMatrices& unit = units_[row];
      double R[kMostUnitRows];
      std::copy_n(right + row, unit.rows, R);
      for (int r = 0; r < unit.rows; ++r) {
        right[row + r] = 0.0;
        for (int c = 0; c < unit.rows; ++c) right[row + r] += unit.H[r * unit.rows + c] * R[c];
      }
    }
    const double inverse_root = 1.0 / root[first];
    for (int s = factors.first_side[block]; s < factors.first_side[block + 1]; ++s) {
      const DelassusSide& side = factors.sides[s];
      const double* B = &factors.B[side.offset];
      for (int k = 0; k < side.length; ++k) {
        double sum = 0.0;
        for (int r = 0; r < size; ++r) sum += *B++ * right[first + r];
        z_[factors.freedoms[side.first + k]] += inverse_root * sum;
      }
    }
  }
  if (factors.forest.empty())
    lu_.solve(z_.data());
  else
    forest_.solve(factors, z_.data());
  for (int block = 0; block < factors.blocks(); ++block) {
    if (!active_block_[block]) continue;
    const int first = factors.block_row[block], size = factors.block_row[block + 1] - first;
    for (int row = first; row < first + size; row += units_[row].rows) {
      const UnitMatrices& unit = units_[row];
      if (unit.open) continue;
      double y[kMostUnitRows] = {};
      for (int s = factors.first_side[block]; s < factors.first_side[block + 1]; ++s) {
        const DelassusSide& side = factors.sides[s];
        const double* A = &factors.A[side.offset] + (row - first);
        for (int k = 0; k < side.length; ++k, A += size)
          for (int r = 0; r < unit.rows; ++r) y[r] += A[r] * z_[factors.freedoms[side.first + k]];
      }
      for (int r = 0; r < unit.rows; ++r)
        for (int c = 0; c < unit.rows; ++c) right[row + r] -= unit.S[r * unit.rows + c] * y[c] / root[row];
    }
  }
}

}  // namespace rigor
