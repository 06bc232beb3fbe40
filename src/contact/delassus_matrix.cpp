#include "rigor/delassus_matrix.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "contact/forest.h"
#include "contact/row_product.h"
#include "contact/side_product.h"

namespace rigor {
namespace {

// Three rows on the six freedoms of a free body, one after the other: what nearly all sides of heaps and walls are.
constexpr int kRows = 3, kFree = kFreeBody;
bool isFreeBody(const DelassusSide& side, const int* freedoms, int size) {
  return size == kRows && meetsFreeBody(side, freedoms);
}

// x [freedoms] += B λ of one side.
void addColumns(const DelassusSide& side, const int* freedoms, const double* B, int size, const double* impulse,
                double* x) {
  if (isFreeBody(side, freedoms, size)) {
    double* of_body = x + freedoms[0];
    for (int k = 0; k < kFree; ++k)
      of_body[k] += B[kRows * k] * impulse[0] + B[kRows * k + 1] * impulse[1] + B[kRows * k + 2] * impulse[2];
    return;
  }
  for (int k = 0; k < side.length; ++k)
    for (int r = 0; r < size; ++r) x[freedoms[k]] += *B++ * impulse[r];
}

// u [size] += Aᵀ x of one side.
void addRows(const DelassusSide& side, const int* freedoms, const double* A, int size, const double* x, double* u) {
  if (isFreeBody(side, freedoms, size)) {
    const double* of_body = x + freedoms[0];
    double sum[kRows] = {0.0, 0.0, 0.0};
    for (int k = 0; k < kFree; ++k)
      for (int r = 0; r < kRows; ++r) sum[r] += A[kRows * k + r] * of_body[k];
    for (int r = 0; r < kRows; ++r) u[r] += sum[r];
    return;
  }
  for (int k = 0; k < side.length; ++k)
    for (int r = 0; r < size; ++r) u[r] += *A++ * x[freedoms[k]];
}

// f(rows, freedoms in a row from the first on) where the compiler may know both: few rows on a free body. False for other sides.
template <class F>
bool onFreeBody(const DelassusSide& side, const int* freedoms, int size, const F& f) {
  if (size > kRows || !meetsFreeBody(side, freedoms)) return false;
  if (size == 1) f(std::integral_constant<int, 1>());
  if (size == 2) f(std::integral_constant<int, 2>());
  if (size == 3) f(std::integral_constant<int, 3>());
  return true;
}

// The same with magnitudes beside the sums: x and |x| are [freedoms] each, one after the other.
void addColumnsAndSizes(const DelassusSide& side, const int* freedoms, const double* B, int size, const double* impulse,
                        double* x, double* sizes) {
  const auto add = [&](int k, int freedom, auto rows) {
    for (int r = 0; r < rows; ++r) {
      const double product = B[k * rows + r] * impulse[r];
      x[freedom] += product;
      sizes[freedom] += std::abs(product);
    }
  };
  const auto addBody = [&](auto rows) {
    for (int k = 0; k < kFree; ++k) add(k, freedoms[0] + k, rows);
  };
  if (onFreeBody(side, freedoms, size, addBody)) return;
  for (int k = 0; k < side.length; ++k) add(k, freedoms[k], size);
}
void addRowsAndSizes(const DelassusSide& side, const int* freedoms, const double* A, int size, const double* x,
                     const double* sizes, double* u, double* magnitude) {
  const auto addBody = [&](auto rows) {
    const double *of_body = x + freedoms[0], *size_of_body = sizes + freedoms[0];
    double sum[kRows], total[kRows];
    for (int r = 0; r < rows; ++r) sum[r] = u[r], total[r] = magnitude[r];
    for (int k = 0; k < kFree; ++k)
      for (int r = 0; r < rows; ++r) {
        sum[r] += A[rows * k + r] * of_body[k];
        total[r] += std::abs(A[rows * k + r]) * size_of_body[k];
      }
    for (int r = 0; r < rows; ++r) u[r] = sum[r], magnitude[r] = total[r];
  };
  if (onFreeBody(side, freedoms, size, addBody)) return;
  for (int k = 0; k < side.length; ++k)
    for (int r = 0; r < size; ++r, ++A) {
      u[r] += *A * x[freedoms[k]];
      magnitude[r] += std::abs(*A) * sizes[freedoms[k]];
    }
}

// f(side, first row, rows, freedoms) for every side of every block.
template <class F>
void forEachSide(const DelassusFactors& factors, F&& f) {
  for (int block = 0; block < factors.blocks(); ++block) {
    const int row = factors.block_row[block], size = factors.block_row[block + 1] - row;
    for (int s = factors.first_side[block]; s < factors.first_side[block + 1]; ++s)
      f(factors.sides[s], row, size, factors.freedoms.data() + factors.sides[s].first);
  }
}

// out [rows of i × rows of j, `stride` apart] += A_iᵀ B_j over the freedoms that two blocks share.
void addProduct(const DelassusFactors& factors, int i, int j, double* out, int stride) {
  const int rows = factors.block_row[i + 1] - factors.block_row[i];
  const int columns = factors.block_row[j + 1] - factors.block_row[j];
  for (int s = factors.first_side[i]; s < factors.first_side[i + 1]; ++s)
    for (int t = factors.first_side[j]; t < factors.first_side[j + 1]; ++t) {
      const DelassusSide &a = factors.sides[s], &b = factors.sides[t];
      if (a.node == b.node && !factors.forest.isLink(a.node)) addSideProduct(factors, a, rows, b, columns, out, stride);
    }
}

// out [rows × rows] += AᵀK⁻¹B of a block with itself. A side of a whole link asks its mobility, others ask along the path.
void addForestDiagonal(const DelassusFactors& factors, const ForestFactors& forest, int block, double* out) {
  const int size = factors.block_row[block + 1] - factors.block_row[block];
  constexpr int kMostFreedoms = 2 * DelassusForest::kSpace;
  for (int t = factors.first_side[block]; t < factors.first_side[block + 1]; ++t) {
    const DelassusSide& b = factors.sides[t];
    if (!factors.forest.isLink(b.node)) continue;
    for (int column = 0; column < size; ++column) {
      double force[kMostFreedoms] = {}, motion[kMostFreedoms];
      for (int k = 0; k < b.length; ++k)
        force[factors.freedoms[b.first + k] - factors.node_start[b.node]] = factors.B[b.offset + k * size + column];
      for (int s = factors.first_side[block]; s < factors.first_side[block + 1]; ++s) {
        const DelassusSide& a = factors.sides[s];
        if (forest.root[a.node] != forest.root[b.node]) continue;
        respond(factors, forest, b.node, force, a.node, motion);
        for (int k = 0; k < a.length; ++k)
          for (int r = 0; r < size; ++r)
            out[r * size + column] +=
                factors.A[a.offset + k * size + r] * motion[factors.freedoms[a.first + k] - factors.node_start[a.node]];
      }
    }
  }
}

}  // namespace

void DelassusFactors::clear() {
  for (auto* starts : {&node_start, &block_row, &first_side}) starts->assign(1, 0);
  sides.clear();
  freedoms.clear();
  A.clear();
  B.clear();
  forest.clear();
}

bool DelassusForest::fits(const std::vector<int>& node_start) const {
  if (empty()) return joint_start.size() == 1 && diagonal.empty();
  const std::size_t nodes = node_start.size() - 1, joints = diagonal.size();
  bool sound = parent.size() == nodes && joint_start.size() == nodes + 1 && joint_start[0] == 0 &&
               joint_start.back() == static_cast<int>(joints) && own.size() == nodes * kSpace * kSpace &&
               shift.size() == 3 * nodes && force_columns.size() == joints * kSpace &&
               motion_columns.size() == joints * kSpace;
  for (std::size_t node = 0; sound && node < nodes; ++node) {
    const int size = node_start[node + 1] - node_start[node], f = joint_start[node + 1] - joint_start[node];
    const bool link = parent[node] != kAlone;
    sound = parent[node] >= kAlone && parent[node] < static_cast<int>(node) && f >= 0 && f <= kSpace &&
            (link ? size == kSpace + f : f == 0) && (parent[node] < 0 || parent[parent[node]] != kAlone);
  }
  return sound;
}

bool DelassusFactors::isSound() const {
  const auto ascends = [](const std::vector<int>& starts) {
    return !starts.empty() && starts[0] == 0 && std::is_sorted(starts.begin(), starts.end());
  };
  if (!ascends(node_start) || !ascends(block_row) || !ascends(first_side)) return false;
  if (first_side.size() != block_row.size() || first_side.back() != static_cast<int>(sides.size())) return false;
  bool sound = A.size() == B.size() && forest.fits(node_start);
  for (int block = 0; block < blocks(); ++block)
    for (int s = first_side[block]; sound && s < first_side[block + 1]; ++s) {
      const DelassusSide& side = sides[s];
      const std::int64_t size = block_row[block + 1] - block_row[block];
      sound = side.node >= 0 && side.node < nodes() && side.first >= 0 && side.length >= 0 && side.offset >= 0 &&
              side.length <= static_cast<std::int64_t>(freedoms.size()) - side.first &&
              side.offset + side.length * size <= static_cast<std::int64_t>(A.size());
      for (int k = 0; sound && k < side.length; ++k) {
        const int freedom = freedoms[side.first + k];
        sound = freedom >= node_start[side.node] && freedom < node_start[side.node + 1] &&
                (k == 0 || freedom > freedoms[side.first + k - 1]);
      }
    }
  return sound;
}

double DelassusMatrix::multiplyRow(int row, const double* x) const {
  if (!factored_) return rigor::multiplyRow(*this, row, x);
  return multiplyInside(x, false).sum[row];
}

DelassusMatrix::Products DelassusMatrix::multiplyInside(const double* x, bool with_magnitude) const {
  row_sums_.resize(2 * static_cast<std::size_t>(rows_));
  double* magnitude = row_sums_.data() + rows_;
  multiply(x, row_sums_.data(), with_magnitude ? magnitude : nullptr);
  return {row_sums_.data(), magnitude};
}

void DelassusMatrix::multiplyAdd(const double* x, const double* b, double* y) const {
  if (!factored_) return rigor::multiplyAdd(*this, x, b, y);
  multiply(x, y);
  for (int row = 0; row < rows_; ++row) y[row] += b[row];
}

// |W_ij| is at most √(W_ii W_jj): near enough for what rounding is measured by.
void DelassusMatrix::multiplyByForest(const double* x, double* y, double* magnitude) const {
  product_.assign(factors_.freedomCount(), 0.0);
  std::fill(y, y + rows_, 0.0);
  forEachSide(factors_, [&](const DelassusSide& side, int row, int size, const int* freedoms) {
    addColumns(side, freedoms, &factors_.B[side.offset], size, x + row, product_.data());
  });
  solveForest(factors_, forest_, product_.data());
  forEachSide(factors_, [&](const DelassusSide& side, int row, int size, const int* freedoms) {
    addRows(side, freedoms, &factors_.A[side.offset], size, product_.data(), y + row);
  });
  if (!magnitude) return;
  double sum = 0.0;
  for (int row = 0; row < rows_; ++row) {
    magnitude[row] = std::sqrt(std::abs(entryOfFactors(row, row)));
    sum += magnitude[row] * std::abs(x[row]);
  }
  for (int row = 0; row < rows_; ++row) magnitude[row] *= sum;
}

void DelassusMatrix::multiply(const double* x, double* y, double* magnitude) const {
  if (hasForest()) return multiplyByForest(x, y, magnitude);
  if (!factored_) {
    for (int row = 0; row < rows_; ++row) {
      if (!magnitude) y[row] = rigor::multiplyRow(*this, row, x);
      if (!magnitude) continue;
      RowProduct product[1];
      multiplyRows<1>(*this, row, x, product);
      y[row] = product[0].lane(0), magnitude[row] = product[0].lane(1);
    }
    return;
  }
  const int n = factors_.freedomCount();
  product_.assign((magnitude ? 2 : 1) * static_cast<std::size_t>(n), 0.0);
  double *sums = product_.data(), *sizes = sums + n;
  std::fill(y, y + rows_, 0.0);
  if (!magnitude) {
    forEachSide(factors_, [&](const DelassusSide& side, int row, int size, const int* freedoms) {
      addColumns(side, freedoms, &factors_.B[side.offset], size, x + row, sums);
    });
    forEachSide(factors_, [&](const DelassusSide& side, int row, int size, const int* freedoms) {
      addRows(side, freedoms, &factors_.A[side.offset], size, sums, y + row);
    });
    return;
  }
  std::fill(magnitude, magnitude + rows_, 0.0);
  forEachSide(factors_, [&](const DelassusSide& side, int row, int size, const int* freedoms) {
    addColumnsAndSizes(side, freedoms, &factors_.B[side.offset], size, x + row, sums, sizes);
  });
  forEachSide(factors_, [&](const DelassusSide& side, int row, int size, const int* freedoms) {
    addRowsAndSizes(side, freedoms, &factors_.A[side.offset], size, sums, sizes, y + row, magnitude + row);
  });
}

void DelassusMatrix::finishFactors() {
  factored_ = true;
  entries_.clear();
  rows_ = factors_.block_row.back();
  block_of_row_.resize(rows_);
  diagonal_start_.resize(factors_.blocks());
  int size = 0;
  for (int block = 0; block < factors_.blocks(); ++block) {
    const int first = factors_.block_row[block], end = factors_.block_row[block + 1];
    diagonal_start_[block] = size;
    size += (end - first) * (end - first);
    for (int row = first; row < end; ++row) block_of_row_[row] = block;
  }
  diagonal_.assign(size, 0.0);
  if (hasForest()) factorForest(factors_, forest_);
  for (int block = 0; block < factors_.blocks(); ++block) {
    double* diagonal = &diagonal_[diagonal_start_[block]];
    addProduct(factors_, block, block, diagonal, factors_.block_row[block + 1] - factors_.block_row[block]);
    if (hasForest()) addForestDiagonal(factors_, forest_, block, diagonal);
  }
}

double DelassusMatrix::entryOfFactors(int row, int column) const {
  const int i = block_of_row_[row], j = block_of_row_[column];
  if (i == j) {
    const int first = factors_.block_row[i], size = factors_.block_row[i + 1] - first;
    return diagonal_[diagonal_start_[i] + (row - first) * size + column - first];
  }
  if (hasForest()) {
    std::vector<double> unit(rows_, 0.0), answer(rows_);
    unit[column] = 1.0;
    multiply(unit.data(), answer.data());
    return answer[row];
  }
  const int columns = factors_.block_row[j + 1] - factors_.block_row[j];
  const int rows = factors_.block_row[i + 1] - factors_.block_row[i];
  std::vector<double> product(static_cast<std::size_t>(rows) * columns, 0.0);
  addProduct(factors_, i, j, product.data(), columns);
  return product[(row - factors_.block_row[i]) * columns + column - factors_.block_row[j]];
}

double DelassusMatrix::scaleOfFactors(int first, int size) const {
  const int block = block_of_row_[first], start = factors_.block_row[block];
  const int stride = factors_.block_row[block + 1] - start;
  const double* diagonal = &diagonal_[diagonal_start_[block]] + (first - start) * (stride + 1);
  double trace = 0.0;
  for (int r = 0; r < size; ++r) trace += diagonal[r * (stride + 1)];
  return trace / size;
}

void DelassusMatrix::copyDiagonal(int first, int size, double* out) const {
  const int block = block_of_row_[first], start = factors_.block_row[block];
  const int stride = factors_.block_row[block + 1] - start;
  assert(first + size <= start + stride && "rows of one block");
  const double* diagonal = &diagonal_[diagonal_start_[block]] + (first - start) * (stride + 1);
  for (int r = 0; r < size; ++r)
    for (int c = 0; c < size; ++c) out[r * size + c] = diagonal[r * stride + c];
}

DelassusMatrix DelassusMatrix::toDense() const {
  DelassusMatrix dense = *this;
  dense.becomeDense();
  return dense;
}

void DelassusMatrix::becomeDense() {
  if (!factored_) return;
  entries_.assign(static_cast<std::size_t>(rows_) * rows_, 0.0);
  if (hasForest()) {
    row_sums_.assign(2 * static_cast<std::size_t>(rows_), 0.0);
    double *unit = row_sums_.data(), *answer = unit + rows_;
    for (int column = 0; column < rows_; ++column) {
      unit[column] = 1.0;
      multiply(unit, answer);
      unit[column] = 0.0;
      for (int r = 0; r < rows_; ++r) row(r)[column] = answer[r];
    }
  } else {
    for (int i = 0; i < factors_.blocks(); ++i)
      for (int j = 0; j < factors_.blocks(); ++j)
        addProduct(factors_, i, j, row(factors_.block_row[i]) + factors_.block_row[j], rows_);
  }
  factored_ = false;
}

}  // namespace rigor
