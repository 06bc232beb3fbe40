// The matrix between the impulses and the velocities of a contact problem, behind the few questions that solvers ask.
#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace rigor {

/// What a block of rows has to do with one node: its columns of A and B live on some of the node's freedoms.
struct DelassusSide {
  int node = 0;
  int first = 0;   ///< into `freedoms`
  int length = 0;  ///< freedoms of the node that take part
  int offset = 0;  ///< into A and B; row r of freedom k is at offset + k·size + r, size the block's rows
};

/// How nodes hang on each other where they are the links of long chains. Such a node has 6 + f freedoms: its motion in space
/// (linear, angular), then those of the joint that it hangs by. It moves as its parent does and by its own joint,
///
///   V = V_parent + S̃ x,   and in balance are   Sᵀ (F − Σ forces of what hangs on it …) = diagonal · x,   F = own · V
///
/// with columns S of forces and S̃ of motions that may belong to two poses. Motions and forces of a link are about a point of its own:
/// about one for all, rounding would grow with the square of a chain's length. V_parent is that of the parent moved by `shift`.
/// Other nodes stand alone: parent kAlone, K = 1.
struct DelassusForest {
  static constexpr int kSpace = 6;   ///< freedoms of a body in space
  static constexpr int kAlone = -2;  ///< parent of a node that is no link; −1: the link hangs on the world

  std::vector<int> parent;             ///< [nodes] a node before it, −1 or kAlone; empty: all stand alone
  std::vector<int> joint_start = {0};  ///< [nodes + 1] into the arrays of joints; f of a node is its difference
  std::vector<double> shift;           ///< [nodes × 3] from the parent's point to the link's own
  std::vector<double> own;             ///< [nodes × 36] row-major: force per motion of the link itself
  std::vector<double> force_columns;   ///< [joints × 6] S
  std::vector<double> motion_columns;  ///< [joints × 6] S̃
  std::vector<double> diagonal;        ///< [joints] of what damps or drives the joints

  bool empty() const { return parent.empty(); }
  bool isLink(int node) const { return !parent.empty() && parent[node] != kAlone; }
  int joints(int node) const { return joint_start[node + 1] - joint_start[node]; }
  void clear();
  bool fits(const std::vector<int>& node_start) const;  ///< sizes and indices; numbers are not looked at
};

/// W = Aᵀ K⁻¹ B over the freedoms of nodes. Where nodes stand alone K is 1: a tree of links each, six freedoms for a free body, in
/// the half coordinates of a step A = L⁻ᵀJ̃ᵀ and B = D⁻¹L⁻ᵀJᵀ. Where they are links, K is what `forest` says and A and B are J̃ and J
/// of the links. A block touches one or two nodes however many there are.
struct DelassusFactors {
  std::vector<int> node_start = {0};  ///< [nodes + 1] freedoms of node i are node_start[i] … node_start[i + 1] − 1
  std::vector<int> block_row = {0};   ///< [blocks + 1] first row of each block, m at the end
  std::vector<int> first_side = {0};  ///< [blocks + 1] into `sides`
  std::vector<DelassusSide> sides;    ///< by block; two of one block may belong to the same node
  std::vector<int> freedoms;          ///< of all nodes, ascending within a side
  std::vector<double> A, B;           ///< m/s per unit of a freedom; units of a freedom (of links: forces) per N s
  DelassusForest forest;

  int nodes() const { return static_cast<int>(node_start.size()) - 1; }
  int blocks() const { return static_cast<int>(block_row.size()) - 1; }
  int freedomCount() const { return node_start.back(); }
  void clear();
  bool isSound() const;  ///< every index leads to something; numbers are not looked at
};

/// K of a forest without contacts, factored along its joints: articulated bodies.
struct ForestFactors {
  std::vector<double> U, L;            ///< [joints × 6] I S̃ and IᵀS, I the articulated inertia
  std::vector<double> inverse_d;       ///< [joints] 1/(S·U + diagonal)
  std::vector<double> mobility;        ///< [nodes × 36] V of a link per force on it
  std::vector<int> root;               ///< [nodes] where its tree begins: itself if it stands alone
  std::vector<double> articulated;     ///< [nodes × 36] scratch
  mutable std::vector<double> passed;  ///< [joints] scratch of responses along a path
  mutable std::vector<int> path;       ///< the same: nodes that lead down it
};

/// W = J̃ M⁻¹ Jᵀ [m × m], in m/s per N s. Either dense and row-major, or as factors, where no number of rows squared is
/// ever stored or computed; who asks through these calls need not know. Products of a factored matrix use memory of its
/// own, so one object serves one thread at a time.
class DelassusMatrix {
 public:
  DelassusMatrix() = default;
  /// Row-major entries. If their number is not a square, the problem that holds them is refused for it.
  DelassusMatrix(std::vector<double> entries)
      : rows_(static_cast<int>(std::sqrt(static_cast<double>(entries.size())))), entries_(std::move(entries)) {}
  DelassusMatrix(std::initializer_list<double> entries) : DelassusMatrix(std::vector<double>(entries)) {}
  explicit DelassusMatrix(DelassusFactors factors) { setFactors(std::move(factors)); }

  int rows() const { return rows_; }
  bool isFactored() const { return factored_; }
  /// Factored, and some nodes hang on each other.
  bool hasForest() const { return factored_ && !factors_.forest.empty(); }

  /// One entry; of a factored matrix computed for it, of a dense one also to be written.
  double operator()(int row, int column) const {
    return factored_ ? entryOfFactors(row, column) : this->row(row)[column];
  }
  double& operator()(int row, int column) { return this->row(row)[column]; }

  /// One whole row [m] of a dense matrix, for stages that factor it.
  const double* row(int index) const { return entries_.data() + static_cast<std::size_t>(index) * rows_; }
  double* row(int index) { return entries_.data() + static_cast<std::size_t>(index) * rows_; }

  /// (W x)_row; the order of summation depends on m alone, so equal inputs give equal bits. One row of a factored matrix
  /// costs as much as all of them.
  double multiplyRow(int row, const double* x) const;
  /// y = W x + b.
  void multiplyAdd(const double* x, const double* b, double* y) const;
  /// y = W x and, unless null, a bound of Σ_j |W_ij||x_j| for every row: what rounding is measured by.
  void multiply(const double* x, double* y, double* magnitude = nullptr) const;

  /// The same two arrays [m] in memory of its own, until the next product; a factored matrix only.
  struct Products {
    const double *sum, *magnitude;
  };
  Products multiplyInside(const double* x, bool with_magnitude) const;

  /// The block of rows and columns `first` … `first + kSize − 1`, in one block of the factors.
  template <int kSize>
  void copyBlock(int first, double out[kSize][kSize]) const {
    if (factored_) return copyDiagonal(first, kSize, &out[0][0]);
    for (int r = 0; r < kSize; ++r)
      for (int c = 0; c < kSize; ++c) out[r][c] = row(first + r)[first + c];
  }

  /// w of a block: the mean of its diagonal entries; 0 where nothing can move it.
  double scale(int first, int size) const {
    if (factored_) return scaleOfFactors(first, size);
    const double* diagonal = row(first) + first;
    const std::size_t next = rows_ + 1;
    if (size == 3) return (diagonal[0] + diagonal[next] + diagonal[2 * next]) * (1.0 / 3.0);  // nearly every block
    double trace = 0.0;
    for (int r = 0; r < size; ++r) trace += diagonal[r * next];
    return trace / size;
  }

  /// Makes it m × m, dense, all zero. Does not allocate where it has been as large before.
  void setZero(int rows) {
    rows_ = rows;
    factored_ = false;
    entries_.assign(static_cast<std::size_t>(rows) * rows, 0.0);
  }

  const std::vector<double>& entries() const {
    return entries_;
  }  ///< row-major, as problem files hold them; dense only

  const DelassusFactors& factors() const { return factors_; }
  /// To be filled in place, without an allocation where they have been as large before; then call finishFactors.
  DelassusFactors& editFactors() { return factors_; }
  /// The matrix is what its factors say.
  void finishFactors();
  void setFactors(DelassusFactors factors) {
    factors_ = std::move(factors);
    finishFactors();
  }
  /// The same matrix, dense.
  DelassusMatrix toDense() const;
  /// Makes itself dense. Of a forest it does not allocate where it has been as large before.
  void becomeDense();

 private:
  double entryOfFactors(int row, int column) const;
  void multiplyByForest(const double* x, double* y, double* magnitude) const;
  double scaleOfFactors(int first, int size) const;
  void copyDiagonal(int first, int size, double* out) const;

  int rows_ = 0;
  bool factored_ = false;
  std::vector<double> entries_;
  DelassusFactors factors_;
  std::vector<int> block_of_row_;         // [m] of a factored matrix
  std::vector<int> diagonal_start_;       // [blocks] into diagonal_
  std::vector<double> diagonal_;          // the blocks of rows with themselves, row-major
  ForestFactors forest_;                  // of factors_.forest
  mutable std::vector<double> product_;   // [2 freedoms] B x and |B||x|
  mutable std::vector<double> row_sums_;  // [2 m] of the last product inside
};

}  // namespace rigor
