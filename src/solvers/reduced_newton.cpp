#include "solvers/reduced_newton.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "contact/judge.h"
#include "rigor/solver.h"
#include "solvers/sets.h"

namespace rigor {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Of the block's trace. The first leaves internal forces where they are; the second lets Newton converge where masses
// are far apart, and moves them.
constexpr double kRegularisation = 1e-6, kFineRegularisation = 1e-9;

}  // namespace

void ReducedNewton::collectPieces(const ContactProblem& problem, const Iterate& iterate) {
  pieces_.clear();
  unknowns_ = 0;
  bool any_slip = false;
  for (const Block& block : problem.blocks) {
    const double trace = blockScale(problem, block) * block.size;
    Piece piece{block.row, block.size, false, false, block.mu, 0.0, 0.0, 0.0, 0.0, 0.0};
    piece.diagonal = regularisation_ * (trace > 0.0 ? trace : substituteScale(problem));
    if (block.kind == BlockKind::kContact) {
      const ContactMode mode = iterate.modes[block.row];
      if (mode == ContactMode::kOpen) continue;
      piece.shifted = true;
      if (mode == ContactMode::kSlip) {
        const double* impulse = iterate.impulse.data() + block.row;
        const double* u = iterate.velocity.data() + block.row;
        const double length = std::sqrt(impulse[1] * impulse[1] + impulse[2] * impulse[2]);
        if (block.mu > 0.0 && length > 0.0) {
          piece.slip = any_slip = true;
          piece.count = 2;
          piece.d1 = impulse[1] / length;
          piece.d2 = impulse[2] / length;
          piece.turn = std::clamp(-(piece.d1 * u[1] + piece.d2 * u[2]) / length, 0.0, 1e12 * trace);
        } else {
          piece.count = 1;  // no friction to turn: the normal row alone
        }
      }
      pieces_.push_back(piece);
      unknowns_ += piece.count;
    } else if (block.kind == BlockKind::kEqual) {
      pieces_.push_back(piece);
      unknowns_ += piece.count;
    } else {
      piece.count = 1;
      piece.shifted = true;
      for (piece.row = block.row; piece.row < block.row + block.size; ++piece.row) {
        if (iterate.modes[piece.row] != ContactMode::kStick) continue;
        piece.compliance = block.kind == BlockKind::kBox ? problem.compliance[piece.row] : 0.0;
        pieces_.push_back(piece);
        ++unknowns_;
      }
    }
  }
  all_plain_ = !any_slip && unknowns_ == problem.rows();
}

// One row of W seen by the unknowns.
void ReducedNewton::writeRow(const double* source, double* target) const {
  for (const Piece& piece : pieces_) {
    const double* from = source + piece.row;
    if (piece.slip) {
      target[0] = from[0] + piece.mu * (piece.d1 * from[1] + piece.d2 * from[2]);
      target[1] = piece.d1 * from[2] - piece.d2 * from[1];
    } else if (piece.count == 3) {
      target[0] = from[0], target[1] = from[1], target[2] = from[2];
    } else {
      for (int c = 0; c < piece.count; ++c) target[c] = from[c];
    }
    target += piece.count;
  }
}

// Every row sticks: W as it is, in one piece where the rows need no padding.
void ReducedNewton::copyPlain(const ContactProblem& problem) {
  const int m = problem.rows();
  const double* W = problem.W.data();
  if (lu_.stride() == m)
    std::memcpy(lu_.row(0), W, sizeof(double) * m * m);
  else
    for (int r = 0; r < m; ++r) std::memcpy(lu_.row(r), W + static_cast<std::size_t>(r) * m, sizeof(double) * m);
  double* diagonal = lu_.row(0);
  for (const Piece& piece : pieces_)
    for (int r = 0; r < piece.count; ++r, diagonal += lu_.stride() + 1) *diagonal += piece.diagonal + piece.compliance;
}

void ReducedNewton::assemble(const ContactProblem& problem) {
  const int m = problem.rows();
  lu_.resize(unknowns_);
  if (all_plain_) {
    copyPlain(problem);
    return;
  }
  int at = 0;
  for (const Piece& piece : pieces_) {
    const double* W = problem.W.data() + static_cast<std::size_t>(piece.row) * m;
    for (int r = 0; r < piece.count; ++r) {
      double* target = lu_.row(at + r);
      const double* source = W + static_cast<std::size_t>(r) * m;
      if (piece.slip && r == 1) {
        double* combined = combined_.data();
        for (int j = 0; j < m; ++j) combined[j] = piece.d1 * W[2 * m + j] - piece.d2 * W[m + j];
        source = combined;
      }
      writeRow(source, target);
      target[at + r] += piece.diagonal + piece.compliance;
    }
    if (piece.slip) lu_.row(at + 1)[at + 1] += piece.turn;
    at += piece.count;
  }
}

// Newton's right-hand side at the iterate's velocity, solved with the factors at hand.
void ReducedNewton::solveStep(const ContactProblem& problem, const Iterate& iterate) {
  int at = 0;
  for (const Piece& piece : pieces_) {
    const double* u = iterate.velocity.data() + piece.row;
    double* right = right_.data() + at;
    right[0] = -u[0];
    if (piece.shifted) right[0] -= problem.bias[piece.row] + piece.compliance * iterate.impulse[piece.row];
    if (piece.slip)
      right[1] = piece.d2 * u[1] - piece.d1 * u[2];
    else
      for (int r = 1; r < piece.count; ++r) right[r] = -u[r];
    at += piece.count;
  }
  lu_.solve(right_.data());
}

void ReducedNewton::move(Iterate& iterate) const {
  const double* step = right_.data();
  for (const Piece& piece : pieces_) {
    double* impulse = iterate.impulse.data() + piece.row;
    if (piece.slip) {
      impulse[0] += step[0];
      const double radius = piece.mu * impulse[0];
      const double t1 = radius * piece.d1 - step[1] * piece.d2, t2 = radius * piece.d2 + step[1] * piece.d1;
      const double length = std::sqrt(t1 * t1 + t2 * t2);
      const double rescale = length > 0.0 && radius > 0.0 ? radius / length : 0.0;
      impulse[1] = rescale * t1;
      impulse[2] = rescale * t2;
    } else {
      for (int r = 0; r < piece.count; ++r) impulse[r] += step[r];
    }
    step += piece.count;
  }
}

// Goes from before_ along the last step to where the first mode ends, if that is nearer than `furthest` steps, and gives
// that block its next mode.
bool ReducedNewton::stopAtEdge(const ContactProblem& problem, double furthest, Iterate& iterate) {
  const int m = problem.rows();
  direction_.resize(m);
  for (int row = 0; row < m; ++row) direction_[row] = iterate.impulse[row] - before_[row];
  iterate.impulse.swap(before_);
  const Edge edge = findEdge(problem, iterate, direction_.data());
  if (!(edge.length < furthest)) {
    iterate.impulse.swap(before_);
    return false;
  }
  for (int row = 0; row < m; ++row) iterate.impulse[row] += edge.length * direction_[row];
  iterate.modes[edge.row] = edge.mode;
  return true;
}

bool ReducedNewton::trySets(const ContactProblem& problem, double tolerance, Iterate& iterate) {
  constexpr int kMostSolves = 4;
  right_.resize(problem.rows() + 1);
  combined_.resize(problem.rows());
  regularisation_ = kRegularisation;
  conformToModes(problem, iterate);
  computeVelocity(problem, iterate);
  collectPieces(problem, iterate);
  assemble(problem);
  if (!lu_.factorInOrder()) {
    assemble(problem);
    if (!lu_.factor()) return false;
  }
  double last = kInfinity;
  for (int i = 0; i < kMostSolves; ++i) {
    solveStep(problem, iterate);
    move(iterate);
    judgeIterate(problem, iterate);
    if (accepts(iterate.residuals, tolerance)) return true;
    // Kept factors converge linearly; a set that is wrong does not converge at all.
    if (!(iterate.residuals.law < 0.1 * last) || iterate.residuals.law > 1e-2) return false;
    last = iterate.residuals.law;
    for (Piece& piece : pieces_) {
      if (!piece.slip) continue;
      const double* impulse = iterate.impulse.data() + piece.row;
      const double length = std::sqrt(impulse[1] * impulse[1] + impulse[2] * impulse[2]);
      if (!(length > 0.0)) return false;
      piece.d1 = impulse[1] / length;
      piece.d2 = impulse[2] / length;
    }
  }
  return false;
}

int ReducedNewton::polish(const ContactProblem& problem, double tolerance, int max_iterations, Iterate& iterate) {
  right_.resize(problem.rows() + 1);
  combined_.resize(problem.rows());
  best_ = iterate;
  regularisation_ = kRegularisation;
  double last = kInfinity;
  bool at_edge = false;  // the last step ended where a mode ends
  int iterations = 0;
  while (iterations < max_iterations) {
    const bool changed = correctSets(problem, tolerance, iterate) || at_edge;
    at_edge = false;
    if (changed || iterations == 0) {
      conformToModes(problem, iterate);
      judgeIterate(problem, iterate);
      if (!iterate.residuals.finite) break;
    }
    collectPieces(problem, iterate);
    assemble(problem);
    if (!lu_.factor()) break;
    solveStep(problem, iterate);
    before_ = iterate.impulse;
    move(iterate);
    if (regularisation_ < kRegularisation) at_edge = stopAtEdge(problem, 1.0, iterate);
    ++iterations;
    judgeIterate(problem, iterate);
    if (!iterate.residuals.finite) break;
    if (iterate.residuals.law < best_.residuals.law || !best_.residuals.finite) best_ = iterate;
    if (accepts(iterate.residuals, tolerance)) return iterations;
    if (!changed && !at_edge && iterate.residuals.law > 0.1 * last) {
      if (regularisation_ == kRegularisation) {
        regularisation_ = kFineRegularisation;
        last = iterate.residuals.law;
        continue;
      }
      // Rows that contradict each other by a little: only another set can agree with them.
      if (iterate.residuals.law > 0.9 * last && !(at_edge = stopAtEdge(problem, kInfinity, iterate))) break;
    }
    if (at_edge || changed) regularisation_ = kRegularisation;
    last = iterate.residuals.law;
  }
  iterate = best_;
  return iterations;
}

}  // namespace rigor
