#include "solvers/block_sor.h"

#include <algorithm>
#include <cmath>

#include "contact/judge.h"
#include "contact/row_product.h"
#include "contact/visit_block.h"
#include "rigor/solver.h"
#include "solvers/relax_unit.h"

namespace rigor {
namespace {

// As the last judgement left it: good enough for one block, or for blocks that do not know of each other.
struct LastVelocity {
  void read(const ContactProblem&, const Iterate& iterate, int row, int rows, double* u) const {
    std::copy_n(&iterate.velocity[row], rows, u);
  }
  void moved(const ContactProblem&, int, int, const double*) {}
};

// From z = B λ of a factored W, which follows every move.
class NodeVelocity {
 public:
  NodeVelocity(const ContactProblem& problem, const Iterate& iterate, std::vector<double>& z) : z_(z) {
    z_.assign(problem.W.factors().freedomCount(), 0.0);
    for (int block = 0; block < problem.W.factors().blocks(); ++block) {
      at_ = block;
      const int row = problem.W.factors().block_row[block];
      moved(problem, row, problem.W.factors().block_row[block + 1] - row, &iterate.impulse[row]);
    }
  }
  void goTo(int block) { at_ = block; }
  void read(const ContactProblem& problem, const Iterate&, int row, int rows, double* u) const {
    const DelassusFactors& factors = problem.W.factors();
    const int first = factors.block_row[at_], size = factors.block_row[at_ + 1] - first;
    for (int r = 0; r < rows; ++r) u[r] = problem.b[row + r];
    for (int s = factors.first_side[at_]; s < factors.first_side[at_ + 1]; ++s) {
      const DelassusSide& side = factors.sides[s];
      const double* A = &factors.A[side.offset] + (row - first);
      for (int k = 0; k < side.length; ++k, A += size)
        for (int r = 0; r < rows; ++r) u[r] += A[r] * z_[factors.freedoms[side.first + k]];
    }
  }
  void moved(const ContactProblem& problem, int row, int rows, const double* change) {
    const DelassusFactors& factors = problem.W.factors();
    const int first = factors.block_row[at_], size = factors.block_row[at_ + 1] - first;
    for (int s = factors.first_side[at_]; s < factors.first_side[at_ + 1]; ++s) {
      const DelassusSide& side = factors.sides[s];
      const double* B = &factors.B[side.offset] + (row - first);
      for (int k = 0; k < side.length; ++k, B += size)
        for (int r = 0; r < rows; ++r) z_[factors.freedoms[side.first + k]] += B[r] * change[r];
    }
  }

 private:
  std::vector<double>& z_;
  int at_ = 0;
};

// The same sweep where W has factors.
double sweepNodes(const ContactProblem& problem, bool forward, double relaxation, const ContactRule& rule,
                  Iterate& iterate, std::vector<double>& z) {
  const int count = static_cast<int>(problem.blocks.size());
  NodeVelocity velocity(problem, iterate, z);
  double moved = 0.0;
  for (int i = 0; i < count; ++i) {
    const int index = forward ? i : count - 1 - i;
    velocity.goTo(index);
    const Block& block = problem.blocks[index];
    moved =
        std::max(moved, blockScale(problem, block) * relaxBlock(problem, block, relaxation, rule, velocity, iterate));
  }
  return moved;
}

}  // namespace

void solveBlockAlone(const ContactProblem& problem, const Block& block, Iterate& iterate) {
  DenseVelocity dense;
  LastVelocity last;
  if (problem.W.isFactored())
    relaxBlock(problem, block, 1.0, {}, last, iterate);
  else
    relaxBlock(problem, block, 1.0, {}, dense, iterate);
}

double sweepBlocks(const ContactProblem& problem, bool forward, double relaxation, Iterate& iterate,
                   const ContactRule& rule) {
  const int count = static_cast<int>(problem.blocks.size());
  if (problem.W.isFactored()) {
    std::vector<double> z;
    return sweepNodes(problem, forward, relaxation, rule, iterate, z);
  }
  DenseVelocity velocity;
  double moved = 0.0;
  for (int i = 0; i < count; ++i) {
    const Block& block = problem.blocks[forward ? i : count - 1 - i];
    moved =
        std::max(moved, blockScale(problem, block) * relaxBlock(problem, block, relaxation, rule, velocity, iterate));
  }
  return moved;
}

int relaxBlocks(const ContactProblem& problem, double tolerance, int max_sweeps, Relaxation relaxation,
                Iterate& iterate, const ContactRule& rule, const StopFlag* stop) {
  // A move below this may be the last one needed; the judge's own limit is at least tolerance · leastScale.
  double ask_below = 1e3 * tolerance * leastScale(problem);
  double alpha = relaxation.first;
  for (int sweep = 1; sweep <= max_sweeps; ++sweep) {
    const double moved = sweepBlocks(problem, sweep % 2 == 1, alpha, iterate, rule);
    alpha = relaxation.least + relaxation.decay * (alpha - relaxation.least);
    const bool last = sweep == max_sweeps || isRaised(stop);
    if (!last && moved > ask_below && sweep % 8 != 0) continue;
    judgeIterate(problem, iterate);
    if (last || accepts(iterate.residuals, tolerance) || !iterate.residuals.finite) return sweep;
  }
  return 0;
}

}  // namespace rigor
