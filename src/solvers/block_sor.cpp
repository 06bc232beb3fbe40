#include "solvers/block_sor.h"

#include <algorithm>
#include <cmath>

#include "contact/judge.h"
#include "contact/row_product.h"
#include "contact/visit_block.h"
#include "rigor/solver.h"

namespace rigor {
namespace {

// u of a unit's rows, at the present impulses.
struct DenseVelocity {
  void read(const ContactProblem& problem, const Iterate& iterate, int row, int rows, double* u) const {
    for (int r = 0; r < rows; ++r) u[r] = multiplyRow(problem.W, row + r, iterate.impulse.data()) + problem.b[row + r];
  }
  void moved(const ContactProblem&, int, int, const double*) {}
};

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

// One of listSingleSolves. The interval is what the judge will ask for: a share of the velocity that the contact has
// without its impulse, as an impulse.
ContactMode solveSingly(const ContactRule& rule, double mu, double bias, const double W[3][3], const double* free,
                        double* next) {
  ContactBlock block;
  block.mu = mu;
  double size = 0.0;
  for (int r = 0; r < 3; ++r) {
    block.b[r] = free[r];
    size += free[r] * free[r];
    for (int c = 0; c < 3; ++c) block.W[r][c] = W[r][c];
  }
  block.b[0] += bias;
  const double w = (W[0][0] + W[1][1] + W[2][2]) / 3.0;
  const ContactAnswer answer = rule.single(block, w > 0.0 ? rule.accuracy * std::sqrt(size) / w : 0.0);
  std::copy_n(answer.impulse, 3, next);
  return answer.mode;
}

// PC eq. 17–18: the normal row first, then friction with the velocity that this left; each divided by its own diagonal, both
// tangents by the larger one (which of the two is larger depends on the frame).
template <class Unit>
ContactMode stepAgainstVelocity(double step, const Unit& unit, const double W[3][3], const double* free,
                                const double* impulse, double* next) {
  std::copy_n(impulse, 3, next);
  double u[3];
  for (int r = 0; r < 3; ++r) u[r] = free[r] + W[r][0] * impulse[0] + W[r][1] * impulse[1] + W[r][2] * impulse[2];
  double compliance = 0.0;  // R; laws other than Coulomb's have none
  if constexpr (requires { unit.compliance; }) compliance = unit.compliance;
  const double shifted = u[0] + unit.bias + compliance * impulse[0], stiffness = W[0][0] + compliance;
  if (stiffness > 0.0) next[0] = std::max(0.0, impulse[0] - step * shifted / stiffness);
  const double larger = std::max(W[1][1], W[2][2]);
  for (int r = 1; r < 3 && larger > 0.0; ++r) next[r] -= step * (u[r] + W[r][0] * (next[0] - impulse[0])) / larger;
  double wanted[2] = {next[1], next[2]};
  unit.limitFriction(next[0], next + 1);
  if (!(next[0] > 0.0)) return ContactMode::kOpen;
  return wanted[0] == next[1] && wanted[1] == next[2] ? ContactMode::kStick : ContactMode::kSlip;
}

template <class Unit>
ContactMode moveContact(const ContactRule& rule, const Unit& unit, const double W[3][3], const double* free,
                        const double* impulse, double* next) {
  if constexpr (requires { unit.limitFriction(0.0, next); })
    if (rule.kind == ContactRule::Kind::kGradient) return stepAgainstVelocity(rule.step, unit, W, free, impulse, next);
  if (rule.kind == ContactRule::Kind::kSingle) return solveSingly(rule, unit.mu, unit.bias, W, free, next);
  return unit.solveAlone(W, free, impulse, next);
}

// Solves the unit with all others held, moves by the relaxed difference. Returns |Δλ|.
template <class Unit, class Velocity>
double relaxUnit(const ContactProblem& problem, const Unit& unit, int row, double relaxation, const ContactRule& rule,
                 Velocity& velocity, Iterate& iterate) {
  constexpr int kRows = Unit::kRows;
  double* impulse = iterate.impulse.data() + row;
  double W[kRows][kRows], free[kRows], solved[kRows], changes[kRows], moved = 0.0;
  problem.W.copyBlock<kRows>(row, W);
  velocity.read(problem, iterate, row, kRows, free);
  for (int r = 0; r < kRows; ++r)
    for (int c = 0; c < kRows; ++c) free[r] -= W[r][c] * impulse[c];
  if constexpr (kRows == 3)
    iterate.modes[row] = moveContact(rule, unit, W, free, impulse, solved);
  else
    iterate.modes[row] = unit.solveAlone(W, free, impulse, solved);
  for (int r = 0; r < kRows; ++r) {
    const double change = relaxation * (solved[r] - impulse[r]);
    impulse[r] += change;  // K is convex: a relaxed step between two of its points stays inside
    moved += change * change;
    changes[r] = change;
  }
  velocity.moved(problem, row, kRows, changes);
  return std::sqrt(moved);
}

template <class Velocity>
double relaxBlock(const ContactProblem& problem, const Block& block, double relaxation, const ContactRule& rule,
                  Velocity& velocity, Iterate& iterate) {
  double moved = 0.0;
  forEachInequalityByLaw(problem, block, [&](const auto& unit, int row) {
    moved = std::max(moved, relaxUnit(problem, unit, row, relaxation, rule, velocity, iterate));
  });
  return moved;
}

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
