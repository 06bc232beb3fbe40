#include "solvers/interior_point.h"

#include <algorithm>
#include <cmath>

#include "contact/visit_block.h"
#include "rigor/solver.h"

namespace rigor {
namespace {

constexpr double kExactly = 1e-8;  // of the right-hand side: near its end the path feels every weak direction

// f(unit, row) for the units of a law that has a path: Coulomb's and pyramid.
template <class F>
void forEachOnPath(const ContactProblem& problem, F&& f) {
  forEachUnitByLaw(problem, [&]<class Unit>(const Unit& unit, int row) {
    if constexpr (requires(PathRows at) { unit.longestStep(at); }) f(unit, row);
  });
}

}  // namespace

void InteriorPoint::reserveRows(int rows) {
  for (auto* vector :
       {&root_, &x_, &dx_, &px_, &y_, &dy_, &py_, &z_, &dz_, &pz_, &gap_, &first_product_, &right_, &product_})
    vector->reserve(rows + 1);
  equations_.reserve(rows);
  for (Triple* triple :
       {&now_at_.at, &now_at_.tangent, &last_good_.at, &last_good_.tangent, &weight_, &centring_, &rate_})
    for (auto& vector : *triple) vector.reserve(rows);
}

void InteriorPoint::reserve(int rows) {
  reserveRows(rows);
  system_.reserve(rows);
}

void InteriorPoint::reserveFactored(int rows) {
  reserveRows(rows);
  system_.reserveFactored(rows);
}

void InteriorPoint::resize(const ContactProblem& problem) {
  const int m = problem.rows();
  computeRoots(problem, root_);
  for (auto* vector : {&x_, &dx_, &px_, &y_, &dy_, &py_, &z_, &dz_, &pz_, &gap_, &first_product_})
    vector->assign(m, 0.0);
  right_.assign(m + 1, 0.0);
  equations_.resize(m);
  corners_ = problem.law == Law::kPyramid ? problem.directions : 0;
  for (auto* vector : {&side_, &dside_, &pside_}) vector->assign(static_cast<std::size_t>(m) * corners_, 0.0);
  system_.prepare(problem);
}

// In the middle of the cones.
void InteriorPoint::start(const ContactProblem& problem, double size) {
  const int m = problem.rows();
  // Sizes that velocities and impulses will have: b, and the impulse that would stop every row.
  double speed = 1e-300, push = 1e-300;
  forEachUnit(problem, [&]<class Unit>(const Unit&, int first) {
    for (int r = 0; r < Unit::kRows; ++r) {
      equations_[first + r] = EquationRow{};
      equations_[first + r].A[r] = 1.0;
    }
  });
  for (int row = 0; row < m; ++row) {
    right_[row] = (problem.b[row] + problem.bias[row]) / root_[row];
    speed = std::max(speed, std::abs(right_[row]));
  }
  const double diagonal = problem.W.isFactored() ? 1e-2 : 1e-9;
  if (system_.factor(problem, root_, equations_, 0.0, diagonal)) system_.solve(problem, root_, right_.data());
  for (int row = 0; row < m; ++row) push = std::max(push, std::abs(right_[row]));
  push *= size;
  pairs_ = 0;
  forEachOnPath(problem, [&](const auto& unit, int row) { pairs_ += unit.startPath(push, speed, rowsAt(row)); });
}

// Near an iterate that was judged.
void InteriorPoint::startNear(const ContactProblem& problem, double inside, const Iterate& iterate) {
  double speed = 1e-300, push = 1e-300;
  for (int row = 0; row < problem.rows(); ++row) {
    speed = std::max(speed, std::abs(problem.b[row] + problem.bias[row]) / root_[row]);
    push = std::max(push, std::abs(iterate.impulse[row]) * root_[row]);
  }
  push = std::max(push, 1e-3 * speed);
  pairs_ = 0;
  forEachUnit(problem, [&](const auto& unit, int row) {
    pairs_ += unit.startNear(&iterate.impulse[row], &iterate.velocity[row], inside * push, inside * speed, rowsAt(row));
  });
}

PathRows InteriorPoint::rowsAt(int row) {
  return {root_[row],
          &x_[row],
          &dx_[row],
          &px_[row],
          &y_[row],
          &dy_[row],
          &py_[row],
          &z_[row],
          &dz_[row],
          &pz_[row],
          &gap_[row],
          &first_product_[row],
          &right_[row],
          &equations_[row],
          side_.data() + row * corners_,
          dside_.data() + row * corners_,
          pside_.data() + row * corners_};
}

// gap = what the velocity of the row says minus what y, z say.
void InteriorPoint::computeGaps(const ContactProblem& problem) {
  const int m = problem.rows();
  for (int row = 0; row < m; ++row) right_[row] = x_[row] / root_[row];
  product_.resize(m);
  problem.W.multiply(right_.data(), product_.data());
  for (int row = 0; row < m; ++row) product_[row] += problem.b[row];
  forEachOnPath(problem, [&](const auto& unit, int row) { unit.computeGap(&product_[row], rowsAt(row)); });
}

double InteriorPoint::measureAfter(const ContactProblem& problem, double length) {
  double sum = 0.0;
  forEachOnPath(problem, [&](const auto& unit, int row) { unit.addProducts(length, rowsAt(row), sum); });
  return pairs_ > 0 ? sum / pairs_ : 0.0;
}

// The matrix part A W̃ + B of the eliminated system; y and z have been expressed by x.
void InteriorPoint::linearize(const ContactProblem& problem) {
  forEachOnPath(problem, [&](const auto& unit, int row) { unit.linearizePath(rowsAt(row)); });
}

// dx from the factors, then dy and dz from the equations that were eliminated.
void InteriorPoint::solveFor(const ContactProblem& problem, double tau) {
  const int m = problem.rows();
  // Right-hand sides for products equal to τ, less the products of the predictor's own step (Mehrotra).
  forEachOnPath(problem, [&](const auto& unit, int row) { unit.formRight(tau, rowsAt(row)); });
  system_.solveExactly(problem, root_, equations_, kExactly, true, right_.data(), closely_ ? 30 : 12);
  for (int row = 0; row < m; ++row) {
    dx_[row] = right_[row];
    right_[row] /= root_[row];
  }
  problem.W.multiply(right_.data(), product_.data());
  for (int row = 0; row < m; ++row) {
    dy_[row] = product_[row] / root_[row] + gap_[row];
    dz_[row] = 0.0;
  }
  forEachOnPath(problem, [&](const auto& unit, int row) { unit.recoverPath(tau, rowsAt(row)); });
}

double InteriorPoint::longestStep(const ContactProblem& problem) {
  double step = 1.0;
  forEachOnPath(problem, [&](const auto& unit, int row) { step = std::min(step, unit.longestStep(rowsAt(row))); });
  return step;
}

void InteriorPoint::take(double length) {
  for (std::size_t row = 0; row < x_.size(); ++row) {
    x_[row] += length * dx_[row];
    y_[row] += length * dy_[row];
    z_[row] += length * dz_[row];
  }
  for (std::size_t i = 0; i < side_.size(); ++i) side_[i] += length * dside_[i];
}

// The impulse of the path, put into its sets, judged.
void InteriorPoint::leave(const ContactProblem& problem, Iterate& iterate) const {
  for (int row = 0; row < problem.rows(); ++row) iterate.impulse[row] = x_[row] / root_[row];
  projectImpulse(problem, iterate.impulse);
  judgeIterate(problem, iterate);
}

void InteriorPoint::begin(const ContactProblem& problem, PathStart from, const Iterate& iterate) {
  resize(problem);
  closely_ = from.closely;
  if (from.inside > 0.0)
    startNear(problem, from.inside, iterate);
  else
    start(problem, from.size);
  computeGaps(problem);
  first_ = now_ = measureAfter(problem, 0.0);
  last_step_ = 1.0;
  stalled_ = 0;
  ended_ = false;
  if (closely_) beginArc();
}

// One predictor and corrector; false if the path does not lead on.
bool InteriorPoint::step(const ContactProblem& problem) {
  const double tau = now_;
  linearize(problem);
  if (!system_.factor(problem, root_, equations_, 0.0, problem.W.isFactored() ? kNodeDiagonal : 1e-13)) return false;
  for (auto* vector : {&px_, &py_, &pz_, &pside_}) std::fill(vector->begin(), vector->end(), 0.0);
  solveFor(problem, 0.0);
  const double affine = longestStep(problem);
  const double ratio = tau > 0.0 ? measureAfter(problem, affine) / tau : 0.0;
  // A short step means that the iterate left the path: go back to its middle first, without the corrector.
  const bool lost = last_step_ < 0.2;
  if (!lost) px_.swap(dx_), py_.swap(dy_), pz_.swap(dz_), pside_.swap(dside_);
  solveFor(problem, tau * (lost ? 1.0 : std::clamp(ratio * ratio * ratio, 1e-3, 1.0)));
  last_step_ = 0.995 * longestStep(problem);
  if (!(last_step_ > 0.0)) return false;
  take(last_step_);
  computeGaps(problem);
  now_ = measureAfter(problem, 0.0);
  if (!std::isfinite(now_)) return false;
  // Near the end short steps are rounding, and Newton takes over; before that they still find back to the path.
  stalled_ = last_step_ < (now_ > 1e-10 * first_ ? 1e-6 : 0.3) ? stalled_ + 1 : 0;
  return true;
}

int InteriorPoint::solve(const ContactProblem& problem, double tolerance, int max_iterations, PathStart from,
                         Iterate& iterate) {
  begin(problem, from, iterate);
  int iteration = 0;
  while (iteration < max_iterations && stalled_ < 3) {
    if (!step(problem)) break;
    ++iteration;
    if (now_ > 1e-12 * first_) continue;
    leave(problem, iterate);
    if (now_ <= 1e-22 * first_ || accepts(iterate.residuals, tolerance)) break;  // 1e-11 in impulse and in velocity
  }
  leave(problem, iterate);
  classifyModes(problem, iterate);
  return iteration;
}

int InteriorPoint::goOn(const ContactProblem& problem, double law, int max_iterations, Iterate& iterate) {
  int iteration = 0;
  while (iteration < max_iterations && !ended_) {
    ended_ = !(closely_ ? stepAlong(problem) : step(problem)) || stalled_ >= 3 || now_ <= 1e-20 * first_;
    ++iteration;
    leave(problem, iterate);
    if (iterate.residuals.law <= law) break;
  }
  leave(problem, iterate);
  classifyModes(problem, iterate);
  return iteration;
}

}  // namespace rigor
