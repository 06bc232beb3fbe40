#include "solvers/node_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/judge.h"
#include "rigor/solver.h"
#include "solvers/pieces.h"
#include "solvers/scaled_system.h"
#include "solvers/sets.h"

namespace rigor {
namespace {

constexpr double kFine = 1e-9;     // diagonal that lets internal forces move to the edge of their sets
constexpr double kExactly = 1e-3;  // of the right-hand side, where a step is asked for without the diagonal
constexpr double kAstray = 1e4;    // times the best residual: from there a few iterations lead back, or none
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

void NodeNewton::prepare(const ContactProblem& problem) {
  computeRoots(problem, root_);
  right_.resize(problem.rows());
  direction_.resize(problem.rows());
  equations_.resize(problem.rows());
  system_.prepare(problem);
}

// The equations of the modes, and their factors.
bool NodeNewton::factorSets(const ContactProblem& problem, double diagonal, const Iterate& iterate) {
  pieces_.clear();
  for (const Block& block : problem.blocks) {
    const double w = root_[block.row] * root_[block.row], trace = w * block.size;
    forEachUnit(problem, block, [&]<class Unit>(const Unit& unit, int row) {
      for (int r = 0; r < Unit::kRows; ++r) equations_[row + r] = EquationRow{}, equations_[row + r].B[r] = 1.0;
      Piece piece{block.kind, block.size, row, 0, false, {}, 0.0, trace};
      if (!unit.reduce(iterate.modes[row], &iterate.impulse[row], &iterate.velocity[row], trace, piece)) return;
      pieces_.push_back(piece);
      if constexpr (Unit::kSlips)
        if (piece.slip) return Unit::writeSlip(piece.frame, w, piece.compliance, &equations_[row]);
      for (int r = 0; r < piece.count; ++r) {
        equations_[row + r].A[r] = 1.0;
        equations_[row + r].B[r] = r == 0 ? piece.compliance / w : 0.0;
      }
    });
  }
  return system_.factor(problem, root_, equations_, 0.0, diagonal);
}

// Newton's right-hand side at the iterate's velocity, solved with the factors at hand: right_ is the step in impulse.
bool NodeNewton::solveStep(const ContactProblem& problem, bool exactly, const Iterate& iterate) {
  std::fill(right_.begin(), right_.end(), 0.0);
  for (const Piece& piece : pieces_) {
    const double inverse = 1.0 / root_[piece.row];
    const double* u = iterate.velocity.data() + piece.row;
    double* right = right_.data() + piece.row;
    if (piece.slip)
      visitSlip(piece, [&]<class Unit>(UnitType<Unit>) { Unit::combineVelocity(piece.frame, u, right); });
    else
      for (int r = 0; r < piece.count; ++r) right[r] = -u[r];
    right[0] -= problem.bias[piece.row] + piece.compliance * iterate.impulse[piece.row];
    for (int r = 0; r < piece.count; ++r) right[r] *= inverse;
  }
  bool reached = true;
  if (exactly)
    reached = system_.solveExactly(problem, root_, equations_, kExactly, false, right_.data());
  else
    system_.solve(problem, root_, right_.data());
  for (int row = 0; row < problem.rows(); ++row) right_[row] /= root_[row];
  return reached;
}

void NodeNewton::move(Iterate& iterate) const {
  for (const Piece& piece : pieces_) {
    const double* step = right_.data() + piece.row;
    double* impulse = iterate.impulse.data() + piece.row;
    if (!piece.slip) {
      for (int r = 0; r < piece.count; ++r) impulse[r] += step[r];
      continue;
    }
    visitSlip(piece, [&]<class Unit>(UnitType<Unit>) {
      double along[kMostUnitRows];
      Unit::alongSlip(piece.frame, step, along);
      Unit::moveSlip(piece.frame, along, impulse);
    });
  }
}

bool NodeNewton::trySets(const ContactProblem& problem, double tolerance, Iterate& iterate) {
  constexpr int kMostSolves = 6;
  prepare(problem);
  conformToModes(problem, iterate);
  computeVelocity(problem, iterate);
  if (!factorSets(problem, kNodeDiagonal, iterate)) {
    judgeIterate(problem, iterate);
    return false;
  }
  double last = kInfinity;
  for (int solve = 0; solve < kMostSolves; ++solve) {
    solveStep(problem, false, iterate);
    move(iterate);
    judgeIterate(problem, iterate);
    const double law = iterate.residuals.plain_law;
    if (accepts(iterate.residuals, tolerance)) return true;
    if (!(law < 0.1 * last) || law > 1e-2) return false;  // a set that is wrong does not converge
    last = law;
    if (!aimSlips(iterate, pieces_)) return false;
  }
  return false;
}

// Goes from before_ along the last step to where the first mode ends, if that is nearer than `furthest` steps, and gives
// that block its next mode.
bool NodeNewton::stopAtEdge(const ContactProblem& problem, double furthest, Iterate& iterate) {
  const int m = problem.rows();
  for (int row = 0; row < m; ++row) direction_[row] = iterate.impulse[row] - before_[row];
  const Edge edge = findEdge(problem, iterate.modes.data(), before_.data(), direction_.data());
  if (!(edge.length < furthest)) return false;
  for (int row = 0; row < m; ++row) iterate.impulse[row] = before_[row] + edge.length * direction_[row];
  iterate.modes[edge.row] = edge.mode;
  return true;
}

// True if the sets are those of two iterations ago, and no better: Newton would go to and fro between two sets for ever.
bool NodeNewton::goesRound(const Iterate& iterate, int iterations) {
  const double law = iterate.residuals.plain_law;
  Visit &older = visits_[iterations % 2], &newer = visits_[1 - iterations % 2];
  const bool round =
      iterations > 2 && law > 0.9 * older.law && iterate.modes == older.modes && iterate.modes != newer.modes;
  older.modes = iterate.modes;
  older.law = law;
  return round;
}

int NodeNewton::polish(const ContactProblem& problem, double tolerance, int max_iterations, Iterate& iterate) {
  prepare(problem);
  best_ = iterate;
  double last = kInfinity;
  bool finely = false, at_edge = false;  // at_edge: the last step ended where a mode ends
  int iterations = 0, astray = 0;
  while (iterations < max_iterations) {
    const bool changed = correctSets(problem, tolerance, iterate) || at_edge;
    if (changed || iterations == 0) {
      conformToModes(problem, iterate);
      if (!std::isfinite(judgePlainly(problem, iterate.impulse.data(), iterate.velocity.data()))) break;
    }
    finely = finely && !changed;
    if (!factorSets(problem, kNodeDiagonal, iterate)) break;
    if (finely && solveStep(problem, true, iterate)) {
      finely = false;  // the rows agree, only the diagonal was too firm
    } else if (finely) {
      if (!factorSets(problem, kFine, iterate)) break;
      solveStep(problem, false, iterate);
    } else {
      solveStep(problem, false, iterate);
    }
    before_ = iterate.impulse;
    move(iterate);
    at_edge = finely && stopAtEdge(problem, 1.0, iterate);
    ++iterations;
    judgeIterate(problem, iterate);
    if (!iterate.residuals.finite) break;
    if (isBetter(iterate.residuals, best_.residuals)) best_ = iterate;
    const double law = iterate.residuals.plain_law;
    if (accepts(best_.residuals, tolerance) || goesRound(iterate, iterations)) break;
    astray = law > kAstray * best_.residuals.plain_law ? astray + 1 : 0;
    if (astray > 3) break;
    if (!changed && !at_edge && law > 0.1 * last) {
      // Rows that contradict each other by a little: only another set can agree with them.
      if (finely && law > 0.9 * last && !(at_edge = stopAtEdge(problem, kInfinity, iterate))) break;
      finely = true;
    }
    last = law;
  }
  iterate = best_;
  return iterations;
}

}  // namespace rigor
