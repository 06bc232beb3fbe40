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
constexpr double kFirm = 1e-6, kFine = 1e-9;  // diagonals, of the block's trace

bool isBetter(const Residuals& a, const Residuals& b) {
  return !b.finite || a.law < b.law || (a.law == b.law && a.plain_law < b.plain_law);
}

// Accepted, and not only because the judge forgives rounding, unless Newton gains no more: what every step left of it
// would add up over many steps.
bool finished(const Residuals& residuals, double tolerance, bool gains) {
  return accepts(residuals, tolerance) && (residuals.plain_law <= tolerance || !gains);
}

}  // namespace

void ReducedNewton::reserve(int rows) {
  right_.resize(rows + 1);
  for (auto* array : {&combined_, &before_, &direction_}) array->resize(rows);
  pieces_.reserve(rows);
  best_.resize(rows);
  lu_.resize(rows);
}

void ReducedNewton::collectPieces(const ContactProblem& problem, const Iterate& iterate, double diagonal) {
  pieces_.clear();
  unknowns_ = 0;
  bool any_slip = false;
  for (const Block& block : problem.blocks) {
    const double trace = blockScale(problem, block) * block.size;
    Piece piece{block.row, block.size, false, false, block.mu, 0.0, 0.0, 0.0, 0.0, 0.0};
    piece.diagonal = diagonal * (trace > 0.0 ? trace : substituteScale(problem));
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
  const double* W = problem.W.row(0);
  if (lu_.stride() == m)
    std::memcpy(lu_.row(0), W, sizeof(double) * m * m);
  else
    for (int r = 0; r < m; ++r) std::memcpy(lu_.row(r), problem.W.row(r), sizeof(double) * m);
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
    const double* W = problem.W.row(piece.row);
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
  for (int row = 0; row < m; ++row) direction_[row] = iterate.impulse[row] - before_[row];
  const Edge edge = findEdge(problem, iterate.modes.data(), before_.data(), direction_.data());
  if (!(edge.length < furthest)) return false;
  for (int row = 0; row < m; ++row) iterate.impulse[row] = before_[row] + edge.length * direction_[row];
  iterate.modes[edge.row] = edge.mode;
  return true;
}

// Regular sets have the fine diagonal and are solved to rounding at once; redundant ones need the firm one, which leaves
// internal forces where they are.
bool ReducedNewton::factorSets(const ContactProblem& problem, const Iterate& iterate) {
  constexpr double kRedundant = 1e-5;  // a pivot that shrinks below this share of its diagonal entry
  collectPieces(problem, iterate, kFine);
  assemble(problem);
  if (lu_.factorInOrder(kRedundant)) return true;
  collectPieces(problem, iterate, kFirm);
  assemble(problem);
  if (lu_.factorInOrder()) return true;
  assemble(problem);
  return lu_.factor();
}

// The fine diagonal for redundant sets too: internal forces move as far as rows that contradict each other push them.
bool ReducedNewton::factorFinely(const ContactProblem& problem, const Iterate& iterate) {
  collectPieces(problem, iterate, kFine);
  assemble(problem);
  return lu_.factor();
}

bool ReducedNewton::trySets(const ContactProblem& problem, double tolerance, Iterate& iterate) {
  constexpr int kMostSolves = 4;
  conformToModes(problem, iterate);
  computeVelocity(problem, iterate);
  if (!factorSets(problem, iterate)) return false;
  bool accepted = false;  // best_ is, but might become better
  double last = kInfinity;
  for (int i = 0; i < kMostSolves; ++i) {
    solveStep(problem, iterate);
    move(iterate);
    judgeIterate(problem, iterate);
    // Kept factors converge linearly; a set that is wrong does not converge at all.
    const double law = iterate.residuals.plain_law;
    if (finished(iterate.residuals, tolerance, true) || !(law < 0.1 * last) || law > 1e-2) break;
    if (accepts(iterate.residuals, tolerance)) best_ = iterate, accepted = true;
    last = law;
    for (Piece& piece : pieces_) {
      if (!piece.slip) continue;
      const double* impulse = iterate.impulse.data() + piece.row;
      const double length = std::sqrt(impulse[1] * impulse[1] + impulse[2] * impulse[2]);
      if (!(length > 0.0)) return false;
      piece.d1 = impulse[1] / length;
      piece.d2 = impulse[2] / length;
    }
  }
  if (accepted && isBetter(best_.residuals, iterate.residuals)) iterate = best_;
  return accepts(iterate.residuals, tolerance);
}

int ReducedNewton::polish(const ContactProblem& problem, double tolerance, int max_iterations, Iterate& iterate) {
  best_ = iterate;
  classifyModes(problem, best_);  // the caller's modes may be a guess, and the impulse the answer already
  double last = kInfinity;
  bool finely = false, at_edge = false;  // at_edge: the last step ended where a mode ends
  int iterations = 0;
  while (iterations < max_iterations) {
    const bool changed = correctSets(problem, tolerance, iterate) || at_edge;
    if (changed || iterations == 0) {
      conformToModes(problem, iterate);
      judgeIterate(problem, iterate);
      if (!iterate.residuals.finite) break;
    }
    finely = finely && !changed;
    if (!(finely ? factorFinely(problem, iterate) : factorSets(problem, iterate))) break;
    solveStep(problem, iterate);
    std::copy(iterate.impulse.begin(), iterate.impulse.end(), before_.begin());
    move(iterate);
    at_edge = finely && stopAtEdge(problem, 1.0, iterate);
    ++iterations;
    judgeIterate(problem, iterate);
    if (!iterate.residuals.finite) break;
    if (isBetter(iterate.residuals, best_.residuals)) best_ = iterate;
    const double law = iterate.residuals.plain_law;
    if (finished(best_.residuals, tolerance, law < 0.1 * last)) break;
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
