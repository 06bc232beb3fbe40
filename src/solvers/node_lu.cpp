#include "solvers/node_lu.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "math/pair.h"
#include "solvers/invert_block.h"

namespace rigor {
namespace {

constexpr int kBody = 6;  // freedoms of a free body: nearly every node
constexpr std::integral_constant<int, kBody> kBodySize;

// C −= A B, [rows × inner] [inner × columns], row-major.
void subtractProduct(const double* A, const double* B, int rows, int inner, int columns, double* C) {
  for (int i = 0; i < rows; ++i, A += inner, C += columns)
    for (int k = 0; k < inner; ++k) {
      const double a = A[k];
      for (int j = 0; j < columns; ++j) C[j] -= a * B[k * columns + j];
    }
}

void subtractProductOfBodies(const double* A, const double* B, double* C) {
  for (int i = 0; i < kBody; ++i, A += kBody, C += kBody) {
    Pair c0 = Pair::load(C), c1 = Pair::load(C + 2), c2 = Pair::load(C + 4);
    for (int k = 0; k < kBody; ++k) {
      const Pair a{A[k], A[k]};
      const double* row = B + k * kBody;
      c0 -= a * Pair::load(row);
      c1 -= a * Pair::load(row + 2);
      c2 -= a * Pair::load(row + 4);
    }
    c0.store(C), c1.store(C + 2), c2.store(C + 4);
  }
}

// x −= A y. Sizes are known to the compiler where they are std::integral_constant.
template <class Rows, class Columns>
void subtractFrom(const double* A, const double* y, Rows rows, Columns columns, double* x) {
  for (int i = 0; i < rows; ++i, A += columns) {
    double sum = 0.0;
    for (int k = 0; k < columns; ++k) sum += A[k] * y[k];
    x[i] -= sum;
  }
}

void subtractProduct(const double* A, const double* y, int rows, int columns, double* x) {
  rows == kBody&& columns == kBody ? subtractFrom(A, y, kBodySize, kBodySize, x) : subtractFrom(A, y, rows, columns, x);
}

}  // namespace

bool NodeLu::fits(const std::vector<int>& node_start, const std::vector<NodeEdge>& edges) const {
  if (node_start != start_) return false;
  for (const auto& [a, b] : edges)
    if (pattern_.find(a, b) < 0) return false;
  return true;
}

void NodeLu::prepare(const std::vector<int>& node_start, const std::vector<NodeEdge>& edges, bool afresh) {
  constexpr double kLean = 0.6;  // an order for many more edges fills more than it must
  const bool lean = static_cast<double>(edges.size()) >= kLean * static_cast<double>(made_for_.size());
  if (afresh ? node_start == start_ && edges == made_for_ : lean && fits(node_start, edges)) return;
  start_ = node_start;
  made_for_ = edges;
  pattern_.analyze(static_cast<int>(start_.size()) - 1, edges);
  layOut();
}

void NodeLu::layOut() {
  const int nodes = pattern_.nodes();
  diagonal_start_.resize(nodes);
  entry_start_.resize(pattern_.entries());
  int place = 0, largest = 0;
  for (int node = 0; node < nodes; ++node) {
    diagonal_start_[node] = place;
    place += size(node) * size(node);
    largest = std::max(largest, size(node));
  }
  diagonal_.assign(place, 0.0);
  place = 0;
  for (int column = 0; column < nodes; ++column)
    for (int entry = pattern_.first(column); entry < pattern_.end(column); ++entry) {
      entry_start_[entry] = place;
      place += size(pattern_.node(column)) * size(pattern_.node(pattern_.row(entry)));
    }
  lower_.assign(place, 0.0);
  upper_.assign(place, 0.0);
  touched_.assign(pattern_.entries(), 0);
  touched_node_.assign(nodes, 0);
  scratch_.resize(static_cast<std::size_t>(largest) * largest);
  part_.resize(largest);
  live_.reserve(nodes);
}

void NodeLu::setIdentity() {
  for (int column = 0; column < pattern_.nodes(); ++column)
    for (int entry = pattern_.first(column); entry < pattern_.end(column); ++entry) {
      if (!touched_[entry]) continue;
      const int count = size(pattern_.node(column)) * size(pattern_.node(pattern_.row(entry)));
      std::fill_n(lower_.begin() + entry_start_[entry], count, 0.0);
      std::fill_n(upper_.begin() + entry_start_[entry], count, 0.0);
    }
  std::fill(touched_.begin(), touched_.end(), 0);
  std::fill(touched_node_.begin(), touched_node_.end(), 0);
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  for (int node = 0; node < pattern_.nodes(); ++node)
    for (int k = 0; k < size(node); ++k) diagonal(node)[k * (size(node) + 1)] = 1.0;
}

double* NodeLu::block(int row_node, int column_node) {
  const int entry = pattern_.find(row_node, column_node);
  touched_[entry] = 1;
  const bool below = pattern_.place(row_node) > pattern_.place(column_node);
  return (below ? lower_.data() : upper_.data()) + entry_start_[entry];
}

bool NodeLu::invertDiagonal(int node) {
  const int n = size(node);
  return n == kBody ? invertBlock(kBodySize, diagonal(node)) : invertBlock(n, diagonal(node));
}

// With the inverse P of the pivot at hand: U ← P U, then everything that two touched neighbours share −= L U.
void NodeLu::eliminate(int place) {
  const int node = pattern_.node(place), n = size(node), first = pattern_.first(place);
  const double* inverse = diagonal(node);
  live_.clear();
  for (int entry = first; entry < pattern_.end(place); ++entry)
    if (touched_[entry]) live_.push_back(entry);
  for (const int entry : live_) {
    const int columns = size(pattern_.node(pattern_.row(entry)));
    double* U = &upper_[entry_start_[entry]];
    std::copy_n(U, n * columns, scratch_.data());
    std::fill_n(U, n * columns, 0.0);
    if (n == kBody && columns == kBody)
      subtractProductOfBodies(inverse, scratch_.data(), U);
    else
      subtractProduct(inverse, scratch_.data(), n, n, columns, U);
    for (int i = 0; i < n * columns; ++i) U[i] = -U[i];
  }
  const int* targets = pattern_.targets(place);
  for (const int a : live_) {
    const int node_a = pattern_.node(pattern_.row(a)), rows = size(node_a), local = a - first;
    const double *L = &lower_[entry_start_[a]], *Ua = &upper_[entry_start_[a]];
    const int* target_row = targets + local * (local - 1) / 2;
    for (const int b : live_) {
      if (b > a) break;
      const int columns = size(pattern_.node(pattern_.row(b)));
      if (b == a) {
        if (n == kBody && rows == kBody)
          subtractProductOfBodies(L, Ua, diagonal(node_a));
        else
          subtractProduct(L, Ua, rows, n, rows, diagonal(node_a));
        continue;
      }
      const int target = target_row[b - first];
      touched_[target] = 1;
      const double *Lb = &lower_[entry_start_[b]], *Ub = &upper_[entry_start_[b]];
      if (n == kBody && rows == kBody && columns == kBody) {
        subtractProductOfBodies(L, Ub, &lower_[entry_start_[target]]);
        subtractProductOfBodies(Lb, Ua, &upper_[entry_start_[target]]);
      } else {
        subtractProduct(L, Ub, rows, n, columns, &lower_[entry_start_[target]]);
        subtractProduct(Lb, Ua, columns, n, rows, &upper_[entry_start_[target]]);
      }
    }
  }
}

bool NodeLu::factor() {
  for (int place = 0; place < pattern_.nodes(); ++place) {
    const int node = pattern_.node(place);
    if (!touched_node_[node]) continue;  // still the identity
    if (isRaised(stop_) || !invertDiagonal(node)) return false;
    eliminate(place);
  }
  return true;
}

void NodeLu::solve(double* x) const {
  const double* inverses = diagonal_.data();
  for (int place = 0; place < pattern_.nodes(); ++place) {
    const int node = pattern_.node(place), n = size(node);
    double* own = x + start_[node];
    if (!touched_node_[node]) continue;
    std::copy_n(own, n, part_.data());
    std::fill_n(own, n, 0.0);
    subtractProduct(inverses + diagonal_start_[node], part_.data(), n, n, own);
    for (int k = 0; k < n; ++k) own[k] = -own[k];
    for (int entry = pattern_.first(place); entry < pattern_.end(place); ++entry) {
      if (!touched_[entry]) continue;
      const int other = pattern_.node(pattern_.row(entry));
      subtractProduct(&lower_[entry_start_[entry]], own, size(other), n, x + start_[other]);
    }
  }
  for (int place = pattern_.nodes() - 1; place >= 0; --place) {
    const int node = pattern_.node(place), n = size(node);
    for (int entry = pattern_.first(place); entry < pattern_.end(place); ++entry) {
      if (!touched_[entry]) continue;
      const int other = pattern_.node(pattern_.row(entry));
      subtractProduct(&upper_[entry_start_[entry]], x + start_[other], n, size(other), x + start_[node]);
    }
  }
}

}  // namespace rigor
