// Linear systems whose unknowns sit on the nodes of a graph: bodies and joints of a mechanism, masses of a net. The matrix
// has one small dense block per node and two per edge, (a, b) and (b, a); the pattern is symmetric, the numbers need not be.
// It is factored as block LDU along the graph (VG Alg. 1–4): in linear time without fill where the graph has no cycle.
//
//     BlockGraph graph({{6}, {5, GraphNodeKind::kConstraint}, {6}}, {{0, 1}, {1, 2}});  // body, hinge, body
//     std::copy_n(mass, 36, graph.diagonal(0));                                         // blocks are row-major
//     std::copy_n(jacobian, 30, graph.reverse(0));                                      // rows of node 1, columns of node 0
//     …
//     if (!graph.factor().regular()) …                                                  // once for each set of numbers
//     graph.solve(x);                                                                   // x ← F⁻¹ x
//
// The graph is analysed once, when it is made. After that nothing here allocates memory. docs/graph.md has a whole program.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace rigor {

/// What a node can rely on when it is eliminated.
enum class GraphNodeKind : std::uint8_t {
  /// Its diagonal block is regular whatever its neighbours are: a body with mass, a compliant joint.
  kRegular,
  /// Its diagonal block is (nearly) zero and is filled by the elimination of neighbours: multipliers of a joint. It waits until
  /// nodes before it have a freedom for each of its rows that no other constraint uses. If that never happens, the constraint
  /// is redundant: it comes last, when all that can be known about it is known.
  kConstraint,
  /// Its diagonal block is (nearly) zero and constraints alone determine it: a body without mass between joints. It waits until
  /// constraints before it have a row for each of its freedoms. Two such neighbours, or one held by the world, never get so far: make
  /// one massless node of them and of the joint between. It comes last, where everything that holds it is known.
  kMassless,
};

struct GraphNode {
  int size = 0;  ///< rows and columns of its block, at least 1; 1 to 6 have code of their own
  GraphNodeKind kind = GraphNodeKind::kRegular;
};

/// Two different nodes that share the blocks (first, second) and (second, first).
using GraphEdge = std::pair<int, int>;

/// What `factor` found.
struct GraphReport {
  /// Every number was finite. If not, the factors are worthless.
  bool finite = true;
  /// Pivots that were zero but for rounding: how much of the rank is missing. Each one means an unknown that the equations before
  /// do not determine; `solve` gives it the value 0 and leaves its equation out. Where that equation is redundant and the right
  /// side fits (a loop that is closed twice), the answer is exact; where it is not (a node of the wrong kind), it is wrong:
  /// `residual` tells which.
  int zero_pivots = 0;
  int first_zero_node = -1;  ///< the first node with such a pivot, in the order of elimination

  bool regular() const { return finite && zero_pivots == 0; }
};

/// A square matrix F over a graph, and its factors. Copies share the analysis and nothing else.
class BlockGraph {
 public:
  BlockGraph() = default;

  /// Finds the order of elimination, the fill and the memory. Leaves go first, then the node with the fewest neighbouring
  /// rows (minimum degree); among these, subtrees depth first. Time: linear for trees, for graphs with cycles about that of
  /// one factorisation. Edges may be repeated, in both directions; they share their blocks.
  /// Throws `Error` for sizes below 1, unknown nodes and edges from a node to itself.
  BlockGraph(const std::vector<GraphNode>& nodes, const std::vector<GraphEdge>& edges);

  int nodeCount() const { return static_cast<int>(size_.size()); }
  int edgeCount() const { return static_cast<int>(block_.size()); }
  int rows() const { return start_.empty() ? 0 : start_.back(); }  ///< of the whole matrix
  int size(int node) const { return size_[node]; }
  int start(int node) const { return start_[node]; }  ///< first row of a node in right sides: nodes in the given order

  /// [nodes] The order in which nodes are eliminated.
  const std::vector<int>& order() const;
  /// The first node after this one that its elimination changes (its parent in the elimination tree), or −1.
  int parent(int node) const;
  /// Pairs of blocks that are zero in F and not in its factors. None if the graph has no cycle and every constraint can wait
  /// for a body without harm.
  int fillCount() const;
  /// Constraints and massless nodes for which waiting did not help: redundant for nearly all numbers. They are last in the order.
  int unservedCount() const;

  /// Blocks to write into, row-major. They keep their values; `factor` does not change them. Pointers hold as long as this object.
  double* diagonal(int node) { return values_.data() + diagonal_[node]; }
  double* block(int edge) { return values_.data() + block_[edge].first; }     ///< (first, second) of an edge
  double* reverse(int edge) { return values_.data() + block_[edge].second; }  ///< (second, first)
  const double* diagonal(int node) const { return values_.data() + diagonal_[node]; }
  const double* block(int edge) const { return values_.data() + block_[edge].first; }
  const double* reverse(int edge) const { return values_.data() + block_[edge].second; }
  void setZero();

  /// Before the node is eliminated, `share` × the trace of its diagonal block (the largest that it had so far, with its sign) is
  /// added to that diagonal, in the factors only. 1e-10 leads a mechanism smoothly through poses in which a loop becomes
  /// redundant. Residuals are still those of F: `solveRefined` takes the shift out again. 0 by default.
  void setShift(int node, double share) { shift_[node] = share; }

  /// F = L D U with pivots exchanged inside each node's block (VG Alg. 1, 3). A pivot below `zero_pivot` times the largest number
  /// that its column of the block had so far counts as zero; such blocks are factored with complete pivoting. What rounding leaves of
  /// a zero is 1e-16 times the condition of what was eliminated before: the rank is told rightly as long as that is below 1e6.
  /// Where it is not, or changes from step to step, use a shift instead, and believe the residual.
  const GraphReport& factor(double zero_pivot = 1e-10);
  const GraphReport& report() const { return report_; }

  /// x ← F⁻¹ x (VG Alg. 2, 4) with the factors of the last `factor`. x is row-major [rows × columns]: several right sides lie
  /// side by side. Uses memory of this object: not from two threads at once.
  void solve(double* x, int columns = 1);

  /// x ← F⁻¹ b, then at most `steps` corrections by the residual of the values as they are now; a correction that does not
  /// help ends that. Pivots stay inside their nodes, which can cost some digits: this brings them back. Returns the largest |b − F x|. b and x [rows × columns] must not overlap.
  double solveRefined(const double* b, double* x, int columns = 1, int steps = 2);

  /// The largest |b − F x|.
  double residual(const double* b, const double* x, int columns = 1);

 private:
  struct Plan;  // what the analysis found
  struct Panel {
    int columns;
    double *b, *x, *trial, *r;  // [rows × columns]
  };

  void noteScale(int pivot);
  void addShift(int pivot);
  void factorPivot(int pivot, double zero_pivot);
  void eliminate(int pivot);
  void forward(double* x, int columns);
  void backward(double* x, int columns);
  double findResidual(const double* b, const double* x, double* r, int columns) const;
  Panel takePanel(const double* b, const double* x, int first, int columns);
  double refine(Panel& panel, int steps);

  std::shared_ptr<const Plan> plan_;
  std::vector<int> size_, start_, diagonal_;  // [nodes], [nodes + 1] rows, [nodes] places in values_
  std::vector<std::pair<int, int>> block_;    // [edges] places in values_
  std::vector<double> shift_;                 // [nodes]
  std::vector<double> values_;                // F
  std::vector<double> factors_;               // the same places, then the fill: factored blocks, L as it is, D⁻¹U
  std::vector<double> inverse_pivot_;         // [rows] 0 where the pivot counts as zero
  std::vector<int> row_of_, column_of_;       // [rows] what the pivots of a block exchanged
  std::vector<char> columns_moved_;           // [nodes] columns were exchanged too
  std::vector<double> scale_;                 // [rows] largest number of each column of the diagonal blocks so far
  std::vector<double> trace_;                 // [nodes] largest trace so far, with its sign
  std::vector<double> scratch_, panel_;       // one block; four panels of right sides
  GraphReport report_;
};

}  // namespace rigor
