#include "solvers/forest_lu.h"

#include <algorithm>

#include "contact/forest.h"
#include "solvers/invert_block.h"

namespace rigor {
namespace {

constexpr int kSpace = DelassusForest::kSpace;

// C += sign · A B, [rows × inner] [inner × columns]; rows of each are a stride apart.
struct Matrix {
  double* at;
  int stride;
};
struct ConstMatrix {
  const double* at;
  int stride;
  ConstMatrix(const double* first, int next) : at(first), stride(next) {}
  ConstMatrix(const Matrix& other) : at(other.at), stride(other.stride) {}
};
void addProduct(double sign, ConstMatrix A, ConstMatrix B, int rows, int inner, int columns, Matrix C) {
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < inner; ++k) {
      const double a = sign * A.at[i * A.stride + k];
      if (a == 0.0) continue;
      const double* from = B.at + k * B.stride;
      double* to = C.at + i * C.stride;
      for (int j = 0; j < columns; ++j) to[j] += a * from[j];
    }
}
void addBlock(ConstMatrix A, int rows, int columns, Matrix C) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) C.at[i * C.stride + j] += A.at[i * A.stride + j];
}

// out [f × columns] = Σ_k column_k · rows of A: Sᵀ A with S given freedom by freedom, [f × 6].
void setTransposeProduct(const double* S, int f, ConstMatrix A, int columns, double* out) {
  for (int k = 0; k < f; ++k, S += kSpace, out += columns) {
    std::fill_n(out, columns, 0.0);
    for (int r = 0; r < kSpace; ++r)
      for (int j = 0; j < columns; ++j) out[j] += S[r] * A.at[r * A.stride + j];
  }
}
// out [rows × f] = A S̃.
void setProduct(ConstMatrix A, int rows, const double* S, int f, double* out) {
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < f; ++k) {
      double sum = 0.0;
      for (int r = 0; r < kSpace; ++r) sum += A.at[i * A.stride + r] * S[k * kSpace + r];
      out[i * f + k] = sum;
    }
}

}  // namespace

bool ForestLu::fits(const DelassusFactors& factors, const std::vector<NodeEdge>& edges) const {
  if (factors.node_start != start_ || factors.forest.parent != parent_) return false;
  return std::all_of(edges.begin(), edges.end(),
                     [&](const NodeEdge& edge) { return pattern_.find(edge.first, edge.second) >= 0; });
}

void ForestLu::prepare(const DelassusFactors& factors, const std::vector<NodeEdge>& edges, bool afresh) {
  constexpr double kLean = 0.6;  // an order for many more edges fills more than it must
  const bool lean = static_cast<double>(edges.size()) >= kLean * static_cast<double>(made_for_.size());
  const bool same = factors.node_start == start_ && factors.forest.parent == parent_ && edges == made_for_;
  if (afresh ? same : lean && fits(factors, edges)) return;
  made_for_ = edges;
  start_ = factors.node_start;
  parent_ = factors.forest.parent;
  pattern_.analyze(parent_, edges);
  layOut(factors);
}

void ForestLu::layOut(const DelassusFactors& factors) {
  const int nodes = factors.nodes();
  for (auto* starts : {&freedoms_, &diagonal_start_, &pivot_start_, &own_start_}) starts->resize(nodes);
  for (auto* starts : {&entry_start_, &joined_start_}) starts->resize(pattern_.entries());
  int diagonal = 0, pivots = 0, own = 0, entries = 0, joined = 0, largest = 0;
  for (int node = 0; node < nodes; ++node) {
    const int n = size(node), f = factors.forest.isLink(node) ? factors.forest.joints(node) : n;
    freedoms_[node] = f;
    diagonal_start_[node] = diagonal, diagonal += n * n;
    pivot_start_[node] = pivots, pivots += f * f;
    own_start_[node] = own, own += factors.forest.isLink(node) ? kSpace * f : 0;
    largest = std::max(largest, n);
    for (int entry = pattern_.first(node); entry < pattern_.end(node); ++entry) {
      entry_start_[entry] = entries, entries += n * size(pattern_.neighbour(entry));
      joined_start_[entry] = joined, joined += f * size(pattern_.neighbour(entry));
    }
  }
  diagonal_.assign(diagonal, 0.0);
  inverse_.assign(pivots, 0.0);
  for (auto* array : {&U_parent_, &L_parent_}) array->assign(own, 0.0);
  for (auto* array : {&lower_, &upper_}) array->assign(entries, 0.0);
  for (auto* array : {&U_, &L_}) array->assign(joined, 0.0);
  for (auto* array : {&scratch_, &moved_}) array->resize(static_cast<std::size_t>(largest) * largest);
  right_.resize(largest);
}

void ForestLu::setForest(const DelassusFactors& factors) {
  const DelassusForest& forest = factors.forest;
  for (auto* array : {&diagonal_, &lower_, &upper_}) std::fill(array->begin(), array->end(), 0.0);
  for (int node = 0; node < factors.nodes(); ++node) {
    double* K = diagonal(node);
    const int n = size(node);
    if (!forest.isLink(node)) {
      for (int k = 0; k < n; ++k) K[k * (n + 1)] = 1.0;
      continue;
    }
    addBlock({&forest.own[node * kSpace * kSpace], kSpace}, kSpace, kSpace, {K, n});
    for (int k = 0; k < freedoms_[node]; ++k) K[(kSpace + k) * (n + 1)] = forest.diagonal[forest.joint_start[node] + k];
  }
}

double* ForestLu::block(int row_node, int column_node) {
  const int entry = pattern_.find(row_node, column_node);
  return (pattern_.isEarlier(row_node, column_node) ? upper_.data() : lower_.data()) + entry_start_[entry];
}

// D⁻¹, U_p, L_p.
void ForestLu::formOwn(const DelassusForest& forest, int node) {
  const int n = size(node), f = freedoms_[node], first = forest.joint_start[node] * kSpace;
  const double *K = diagonal(node), *S = &forest.force_columns[first], *S_end = &forest.motion_columns[first];
  double *U = &U_parent_[own_start_[node]], *L = &L_parent_[own_start_[node]], *D = &inverse_[pivot_start_[node]];
  setProduct({K, n}, kSpace, S_end, f, U);               // K_VV S̃
  addBlock({K + kSpace, n}, kSpace, f, {U, f});          // + K_Vx
  setProduct({K + kSpace * n, n}, f, S_end, f, D);       // K_xV S̃
  addBlock({K + kSpace * n + kSpace, n}, f, f, {D, f});  // + K_xx
  for (int k = 0; k < f; ++k)                            // + Sᵀ U_p
    for (int r = 0; r < kSpace; ++r)
      for (int j = 0; j < f; ++j) D[k * f + j] += S[k * kSpace + r] * U[r * f + j];
  setTransposeProduct(S, f, {K, n}, kSpace, L);
  addBlock({K + kSpace * n, n}, f, kSpace, {L, kSpace});
}

// U_j, L_j of an entry.
void ForestLu::formNeighbour(const DelassusForest& forest, int node, int entry) {
  const int n = size(node), f = freedoms_[node], other = size(pattern_.neighbour(entry));
  const double *of_other = &lower_[entry_start_[entry]], *to_other = &upper_[entry_start_[entry]];
  double *U = &U_[joined_start_[entry]], *L = &L_[joined_start_[entry]];
  if (!forest.isLink(node)) {
    std::copy_n(of_other, n * other, U);
    std::copy_n(to_other, n * other, L);
    return;
  }
  const int first = forest.joint_start[node] * kSpace;
  setProduct({of_other, n}, other, &forest.motion_columns[first], f, U);
  addBlock({of_other + kSpace, n}, other, f, {U, f});
  setTransposeProduct(&forest.force_columns[first], f, {to_other, other}, other, L);
  addBlock({to_other + kSpace * other, other}, f, other, {L, other});
}

// What the link was to itself and to others its parent is now, but for what its joint gives way. In the link's own coordinates
// first, then moved to the parent's.
void ForestLu::updateParent(const DelassusForest& forest, int node) {
  const int parent = forest.parent[node], n = size(node), f = freedoms_[node], n_parent = size(parent);
  const double *U = &U_parent_[own_start_[node]], *L = &L_parent_[own_start_[node]], *shift = &forest.shift[3 * node];
  const Matrix own{diagonal(parent), n_parent};
  const auto gather = [&](ConstMatrix K, ConstMatrix A, ConstMatrix B, int rows, int columns) {
    std::fill_n(moved_.data(), rows * columns, 0.0);
    addBlock(K, rows, columns, {moved_.data(), columns});
    addProduct(-1.0, A, B, rows, f, columns, {moved_.data(), columns});
  };
  gather({diagonal(node), n}, {U, f}, {L, kSpace}, kSpace, kSpace);
  shiftInward(shift, moved_.data(), kSpace);
  addBlock({moved_.data(), kSpace}, kSpace, kSpace, own);
  for (int entry = pattern_.first(node); entry < pattern_.end(node); ++entry) {
    const int neighbour = pattern_.neighbour(entry), other = size(neighbour);
    const Matrix row{neighbour == parent ? own.at : block(parent, neighbour), other};
    const Matrix column{neighbour == parent ? own.at : block(neighbour, parent), n_parent};
    gather({&upper_[entry_start_[entry]], other}, {U, f}, {&L_[joined_start_[entry]], other}, kSpace, other);
    for (int k = 0; k < other; ++k) shiftForce(shift, moved_.data() + k, other);
    addBlock({moved_.data(), other}, kSpace, other, row);
    gather({&lower_[entry_start_[entry]], n}, {&U_[joined_start_[entry]], f}, {L, kSpace}, other, kSpace);
    for (int k = 0; k < other; ++k) shiftForce(shift, moved_.data() + k * kSpace);
    addBlock({moved_.data(), kSpace}, other, kSpace, column);
  }
}

void ForestLu::updateNeighbours(int node) {
  const int f = freedoms_[node];
  for (int a = pattern_.first(node); a < pattern_.end(node); ++a)
    for (int b = pattern_.first(node); b < pattern_.end(node); ++b) {
      const int of_a = pattern_.neighbour(a), of_b = pattern_.neighbour(b);
      double* K = a == b ? diagonal(of_a) : block(of_a, of_b);
      addProduct(-1.0, {&U_[joined_start_[a]], f}, {&L_[joined_start_[b]], size(of_b)}, size(of_a), f, size(of_b),
                 {K, size(of_b)});
    }
}

bool ForestLu::eliminate(const DelassusForest& forest, int node) {
  const int f = freedoms_[node];
  const bool link = forest.isLink(node);
  double* D = &inverse_[pivot_start_[node]];
  if (link)
    formOwn(forest, node);
  else
    std::copy_n(diagonal(node), f * f, D);
  if (!invertBlock(f, D)) return false;
  const auto divide = [&](double* L, int columns) {
    std::copy_n(L, f * columns, scratch_.data());
    std::fill_n(L, f * columns, 0.0);
    addProduct(1.0, {D, f}, {scratch_.data(), columns}, f, f, columns, {L, columns});
  };
  if (link) divide(&L_parent_[own_start_[node]], kSpace);
  for (int entry = pattern_.first(node); entry < pattern_.end(node); ++entry) {
    formNeighbour(forest, node, entry);
    divide(&L_[joined_start_[entry]], size(pattern_.neighbour(entry)));
  }
  if (link && forest.parent[node] >= 0) updateParent(forest, node);
  updateNeighbours(node);
  return true;
}

bool ForestLu::factor(const DelassusFactors& factors) {
  for (int place = 0; place < pattern_.nodes(); ++place)
    if (isRaised(stop_) || !eliminate(factors.forest, pattern_.node(place))) return false;
  return true;
}

void ForestLu::solve(const DelassusFactors& factors, double* x) const {
  const DelassusForest& forest = factors.forest;
  for (int place = 0; place < pattern_.nodes(); ++place) {
    const int node = pattern_.node(place), f = freedoms_[node];
    const bool link = forest.isLink(node);
    double *own = x + start_[node], *y = link ? own + kSpace : own;
    const double* S = link ? &forest.force_columns[forest.joint_start[node] * kSpace] : nullptr;
    for (int k = 0; link && k < f; ++k)
      for (int r = 0; r < kSpace; ++r) y[k] += S[k * kSpace + r] * own[r];
    double* right = right_.data();
    std::copy_n(y, f, right);
    std::fill_n(y, f, 0.0);
    addProduct(1.0, {&inverse_[pivot_start_[node]], f}, {right, 1}, f, f, 1, {y, 1});
    if (link && forest.parent[node] >= 0) {
      addProduct(-1.0, {&U_parent_[own_start_[node]], f}, {y, 1}, kSpace, f, 1, {own, 1});
      shiftForce(&forest.shift[3 * node], own);
      double* above = x + start_[forest.parent[node]];
      for (int r = 0; r < kSpace; ++r) above[r] += own[r];
    }
    for (int entry = pattern_.first(node); entry < pattern_.end(node); ++entry) {
      const int neighbour = pattern_.neighbour(entry);
      addProduct(-1.0, {&U_[joined_start_[entry]], f}, {y, 1}, size(neighbour), f, 1, {x + start_[neighbour], 1});
    }
  }
  for (int place = pattern_.nodes() - 1; place >= 0; --place) {
    const int node = pattern_.node(place), f = freedoms_[node];
    const bool link = forest.isLink(node);
    double *own = x + start_[node], *y = link ? own + kSpace : own;
    if (link) {  // as its parent moves
      std::fill_n(own, kSpace, 0.0);
      if (forest.parent[node] >= 0) std::copy_n(x + start_[forest.parent[node]], kSpace, own);
      shiftMotion(&forest.shift[3 * node], own);
      addProduct(-1.0, {&L_parent_[own_start_[node]], kSpace}, {own, 1}, f, kSpace, 1, {y, 1});
    }
    for (int entry = pattern_.first(node); entry < pattern_.end(node); ++entry) {
      const int neighbour = pattern_.neighbour(entry), other = size(neighbour);
      addProduct(-1.0, {&L_[joined_start_[entry]], other}, {x + start_[neighbour], 1}, f, other, 1, {y, 1});
    }
    if (!link) continue;
    const double* S_end = &forest.motion_columns[forest.joint_start[node] * kSpace];
    for (int r = 0; r < kSpace; ++r)
      for (int k = 0; k < f; ++k) own[r] += S_end[k * kSpace + r] * y[k];
  }
}

}  // namespace rigor
