#include "solvers/reduced_newton.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "contact/judge.h"
#include "rigor/solver.h"
#include "solvers/pieces.h"
#include "solvers/sets.h"

namespace rigor {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFirm = 1e-6, kFine = 1e-9;  // diagonals, of the block's trace

// Accepted, and not only because the judge forgives rounding, unless Newton gains no more: what every step left of it
// would add up over many steps.
bool finished(const Residuals& residuals, double tolerance, bool gains) {
  return accepts(residuals, tolerance) && (residuals.plain_law <= tolerance || !gains);
}

}  // namespace

void ReducedNewton::reserve(int rows) {
  right_.resize(rows + 1);
  for (auto* array : {&before_, &direction_, &response_, &magnitude_, &unit_}) array->resize(rows);
  shortest_.reserve(rows);
  pieces_.reserve(rows);
  best_.resize(rows);
  for (Visit& visit : visits_) visit.modes.reserve(rows);
  combined_.resize(static_cast<std::size_t>(rows) * rows);
  rows_.resize(rows);
  lu_.resize(rows);
  jacobian_.resize(static_cast<std::size_t>(rows) * lu_.stride());
}

void ReducedNewton::collectPieces(const ContactProblem& problem, const Iterate& iterate) {
  pieces_.clear();
  unknowns_ = 0;
  any_slip_ = false;
  for (const Block& block : problem.blocks) {
    const double trace = blockScale(problem, block) * block.size;
    const double size = trace > 0.0 ? trace : substituteScale(problem);
    forEachUnit(problem, block, [&](const auto& unit, int row) {
      Piece piece;  // what a mode does not need stays as it is
      piece.kind = block.kind, piece.size = block.size, piece.row = row;
      piece.slip = false, piece.compliance = 0.0, piece.trace = size;
      if (!unit.reduce(iterate.modes[row], &iterate.impulse[row], &iterate.velocity[row], trace, piece)) return;
      any_slip_ = any_slip_ || piece.slip;
      pieces_.push_back(piece);
      unknowns_ += piece.count;
    });
  }
  all_plain_ = !any_slip_ && unknowns_ == problem.rows();
}

// The Jacobian without its diagonal part, kept while other diagonals are tried on it.
void ReducedNewton::assemble(const ContactProblem& problem) {
  lu_.resize(unknowns_);
  if (all_plain_) return;  // W as it is
  collectRows(problem);
  const int stride = lu_.stride();
  double* column = jacobian_.data();
  for (const Piece& piece : pieces_) {
    double* target = column;
    if (piece.slip)
      visitSlip(piece, [&]<class Unit>(UnitType<Unit>) {
        for (int i = 0; i < unknowns_; ++i, target += stride)
          Unit::combineColumns(piece.frame, rows_[i] + piece.row, target);
      });
    else if (piece.count == 3)
      copyColumns<3>(piece.row, target);
    else
      for (int c = 0; c < piece.count; ++c) copyColumns<1>(piece.row + c, target + c);
    column += piece.count;
  }
}

// The rows of W that the unknowns' equations are, or are combined from.
void ReducedNewton::collectRows(const ContactProblem& problem) {
  const int m = problem.rows();
  double* combined = combined_.data();
  const double** row = rows_.data();
  for (const Piece& piece : pieces_) {
    const double* W = problem.W.row(piece.row);
    for (int r = 0; r < piece.count; ++r) row[r] = W + static_cast<std::size_t>(r) * m;
    if (piece.slip)
      visitSlip(piece, [&]<class Unit>(UnitType<Unit>) {
        Unit::combineRows(piece.frame, W, m, combined);
        for (int r = 1; r < piece.count; ++r, combined += m) row[r] = combined;
      });
    row += piece.count;
  }
}

template <int kCount>
void ReducedNewton::copyColumns(int from, double* target) const {
  const int stride = lu_.stride();
  for (int i = 0; i < unknowns_; ++i, target += stride)
    for (int c = 0; c < kCount; ++c) target[c] = rows_[i][from + c];
}

// Puts the Jacobian with this diagonal, a part of each block's trace, where it is factored.
void ReducedNewton::load(const ContactProblem& problem, double diagonal) {
  const int m = unknowns_, stride = lu_.stride();
  if (!all_plain_ || stride == m)
    std::memcpy(lu_.row(0), all_plain_ ? problem.W.row(0) : jacobian_.data(), sizeof(double) * m * stride);
  else
    for (int r = 0; r < m; ++r) std::memcpy(lu_.row(r), problem.W.row(r), sizeof(double) * m);
  double* entry = lu_.row(0);
  for (const Piece& piece : pieces_) {
    const double added = diagonal * piece.trace;
    *entry += added + piece.compliance;
    entry += stride + 1;
    for (int r = 1; r < piece.count; ++r, entry += stride + 1) {
      *entry += added;
      if (piece.slip) *entry += piece.frame.turn;
    }
  }
}

// Newton's right-hand side at the iterate's velocity.
void ReducedNewton::formRight(const ContactProblem& problem, const Iterate& iterate) {
  int at = 0;
  for (const Piece& piece : pieces_) {
    const double* u = iterate.velocity.data() + piece.row;
    double* right = right_.data() + at;
    if (piece.slip)
      visitSlip(piece, [&]<class Unit>(UnitType<Unit>) { Unit::combineVelocity(piece.frame, u, right); });
    else if (piece.count == 3)
      right[0] = -u[0], right[1] = -u[1], right[2] = -u[2];
    else
      for (int r = 0; r < piece.count; ++r) right[r] = -u[r];
    right[0] -= problem.bias[piece.row] + piece.compliance * iterate.impulse[piece.row];
    at += piece.count;
  }
}

// Its step with the factors at hand.
void ReducedNewton::solveStep(const ContactProblem& problem, const Iterate& iterate) {
  formRight(problem, iterate);
  lu_.solve(right_.data());
}

// Its shortest step. Rows are divided by the velocity that the judge does not see, columns multiplied by the impulses of
// their blocks: what a change of all impulses by their own size moves by less than `kUnfelt` of that is left alone.
int ReducedNewton::solveShortestStep(const ContactProblem& problem, double tolerance, const Iterate& iterate) {
  constexpr double kUnfelt = 1e3, kRounding = 2.0 * std::numeric_limits<double>::epsilon(), kIdle = 1e-3;
  problem.W.multiply(iterate.impulse.data(), response_.data(), magnitude_.data());
  formRight(problem, iterate);
  shortest_.resize(unknowns_);
  const double slowest = leastScale(problem);
  int at = 0;
  for (const Piece& piece : pieces_) {
    double velocity = slowest, rounding = 0.0, impulse = 0.0;
    const int rows = visitKind(piece.kind, piece.size, []<class Unit>(UnitType<Unit>) { return Unit::kRows; });
    for (int row = piece.row; row < piece.row + rows; ++row) {
      velocity = std::max({velocity, std::abs(problem.b[row]), std::abs(response_[row])});
      rounding = std::max(rounding, kRounding * magnitude_[row]);
      impulse = std::max(impulse, std::abs(iterate.impulse[row]));
    }
    impulse = std::max(impulse, kIdle * velocity / piece.trace);
    const double unseen = std::max(tolerance * velocity + rounding, std::numeric_limits<double>::min());
    for (const int end = at + piece.count; at < end; ++at) {
      unit_[at] = impulse;
      right_[at] /= unseen;
      for (int j = 0; j < unknowns_; ++j) shortest_.row(at)[j] = lu_.row(at)[j] / unseen;
    }
  }
  for (int i = 0; i < unknowns_; ++i)
    for (int j = 0; j < unknowns_; ++j) shortest_.row(i)[j] *= unit_[j];
  const int rank = shortest_.solve(kUnfelt, right_.data());
  for (int i = 0; i < unknowns_; ++i) right_[i] *= unit_[i];
  return rank;
}

void ReducedNewton::move(Iterate& iterate) const {
  const double* step = right_.data();
  for (const Piece& piece : pieces_) {
    double* impulse = iterate.impulse.data() + piece.row;
    if (piece.slip)
      visitSlip(piece, [&]<class Unit>(UnitType<Unit>) { Unit::moveSlip(piece.frame, step, impulse); });
    else if (piece.count == 3)
      impulse[0] += step[0], impulse[1] += step[1], impulse[2] += step[2];
    else
      for (int r = 0; r < piece.count; ++r) impulse[r] += step[r];
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
  collectPieces(problem, iterate);
  assemble(problem);
  load(problem, kFine);
  regular_ = lu_.factorInOrder(kRedundant);
  if (regular_) return true;
  load(problem, kFirm);
  if (lu_.factorInOrder()) return true;
  load(problem, kFirm);
  return lu_.factor();
}

// The fine diagonal for redundant sets too: internal forces move as far as rows that contradict each other push them.
bool ReducedNewton::factorFinely(const ContactProblem& problem, const Iterate& iterate) {
  collectPieces(problem, iterate);
  assemble(problem);
  load(problem, kFine);
  return lu_.factor();
}

bool ReducedNewton::trySets(const ContactProblem& problem, double tolerance, Iterate& iterate) {
  constexpr int kMostSolves = 6;
  conformToModes(problem, iterate);
  computeVelocity(problem, iterate);
  if (!factorSets(problem, iterate)) return false;
  // Only what may be the last is judged in full: regular sets without slip are solved at once, others converge linearly.
  double last = kInfinity, expected = regular_ && !any_slip_ ? 0.0 : kInfinity;
  bool judged = false;
  int passed = 0;
  for (; passed < kMostSolves; ++passed) {
    solveStep(problem, iterate);
    move(iterate);
    judged = expected <= tolerance;
    if (judged) judgeIterate(problem, iterate);
    const double law =
        judged ? iterate.residuals.plain_law : judgePlainly(problem, iterate.impulse.data(), iterate.velocity.data());
    if (!judged && law <= tolerance) judgeIterate(problem, iterate), judged = true;
    if (judged && finished(iterate.residuals, tolerance, true)) return true;
    if (!(law < 0.1 * last) || law > 1e-2) break;  // a set that is wrong does not converge
    best_ = iterate;
    expected = law * std::min(law / last, 0.01);
    last = law;
    if (!aimSlips(iterate, pieces_)) break;
  }
  if (!judged) judgeIterate(problem, iterate);
  if (passed > 0) judgeIterate(problem, best_);
  if (passed > 0 && accepts(best_.residuals, tolerance) && isBetter(best_.residuals, iterate.residuals))
    iterate = best_;
  return accepts(iterate.residuals, tolerance);
}

// True if the sets are those of two iterations ago, and no better: Newton would go to and fro between two sets for ever.
bool ReducedNewton::goesRound(const Iterate& iterate, int iterations) {
  const double law = iterate.residuals.plain_law;
  Visit &older = visits_[iterations % 2], &newer = visits_[1 - iterations % 2];
  const bool round =
      iterations > 2 && law > 0.9 * older.law && iterate.modes == older.modes && iterate.modes != newer.modes;
  older.modes = iterate.modes;
  older.law = law;
  return round;
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
      if (!std::isfinite(judgePlainly(problem, iterate.impulse.data(), iterate.velocity.data()))) break;
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
    if (finished(best_.residuals, tolerance, law < 0.1 * last) || goesRound(iterate, iterations)) break;
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

int ReducedNewton::refine(const ContactProblem& problem, double tolerance, int max_iterations, bool correct_sets,
                          Iterate& iterate) {
  best_ = iterate;
  classifyModes(problem, best_);
  iterate.modes = best_.modes;
  double last = kInfinity;
  int iterations = 0, idle = 0;
  while (iterations < max_iterations && idle < 3) {
    const bool changed = correct_sets && correctSets(problem, tolerance, iterate);
    conformToModes(problem, iterate);
    if (!std::isfinite(judgePlainly(problem, iterate.impulse.data(), iterate.velocity.data()))) break;
    collectPieces(problem, iterate);
    assemble(problem);
    load(problem, 0.0);
    if (solveShortestStep(problem, tolerance, iterate) == 0) break;
    move(iterate);
    ++iterations;
    judgeIterate(problem, iterate);
    if (!iterate.residuals.finite) break;
    if (isBetter(iterate.residuals, best_.residuals)) best_ = iterate;
    if (accepts(best_.residuals, tolerance)) break;
    idle = changed || iterate.residuals.law < 0.5 * last ? 0 : idle + 1;
    last = iterate.residuals.law;
  }
  iterate = best_;
  return iterations;
}

}  // namespace rigor
