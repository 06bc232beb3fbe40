// The path of the interior point by its arc length. Near jams it bends sharply and even folds back: τ must rise before it
// can fall on, and steps that aim at a smaller τ leave it for good. As a curve in (x, y, z, θ = log τ) it has no such
// points. With the factors of one iterate, the step to the path at this τ and the rate along it,
//
//   c = dz(τ),   r = dz(2τ) − dz(τ) = dz/dθ,   step c + r dθ,   ⟨t, c + r dθ⟩ + t_θ dθ = s
//
// for the tangent (t, t_θ) of the step before and the length s of this one: near a fold c and r grow without bound, the sum
// does not. Mehrotra's term for the step bends it along the cones. The metric is the mean of squared relative changes.
// Steps that end far from the path are taken back, since from there Newton may find another branch, or none.
#include <algorithm>
#include <cmath>

#include "contact/visit_block.h"
#include "solvers/interior_point.h"

namespace rigor {
namespace {

// δ: a firmer one hides the directions that decide where the path bends.
constexpr double kDiagonal = 1e-8, kDenseDiagonal = 1e-13;
constexpr double kOff = 0.01;  // relative distance from the path that is taken back
constexpr double kLongest = 0.8, kShortest = 1e-4;
constexpr double kLeast = 1e-6;  // of a step that is tried again: one of 1e-5 may still lead on
constexpr int kTries = 6;

}  // namespace

void InteriorPoint::beginArc() {
  now_at_.tau = lowest_ = now_;
  now_at_.slope = -1.0;
  now_at_.length = 0.5;
  for (Triple* triple : {&now_at_.tangent, &weight_, &centring_, &rate_})
    for (auto& vector : *triple) vector.assign(x_.size(), 0.0);
  on_path_ = false;
}

// A unit's impulses are measured by the largest of them, its velocities and its slip speed alike. An impulse between bounds
// may be zero anywhere and is left to its multipliers.
void InteriorPoint::weigh(const ContactProblem& problem) {
  const std::vector<double>* values[3] = {&x_, &y_, &z_};
  for (int k = 0; k < 3; ++k)
    forEachUnit(problem, [&]<class Unit>(const Unit&, int row) {
      double size = 0.0;
      for (int r = 0; r < Unit::kRows; ++r) size = std::max(size, std::abs((*values[k])[row + r]));
      const bool counts = size > 0.0 && !(Unit::kHasBounds && k == 0);
      for (int r = 0; r < Unit::kRows; ++r) weight_[k][row + r] = counts ? 1.0 / (size * size * pairs_) : 0.0;
    });
}

double InteriorPoint::product(const Triple& a, const Triple& b) const {
  double sum = 0.0;
  for (int k = 0; k < 3; ++k)
    for (std::size_t row = 0; row < x_.size(); ++row) sum += weight_[k][row] * a[k][row] * b[k][row];
  return sum;
}

// Back to the last point near the path, to leave it by a shorter step; false if there is none. From one point there are at most
// log₄(kLongest/kLeast) = 9 retreats, since lengths only fall until a step ends near the path.
bool InteriorPoint::retreat(const ContactProblem& problem) {
  last_good_.length *= 0.25;
  if (last_good_.length < kLeast) return false;
  now_at_ = last_good_;
  x_ = now_at_.at[0], y_ = now_at_.at[1], z_ = now_at_.at[2];
  computeGaps(problem);
  return true;
}

// Leaves a step in dx, dy, dz that stays inside the cones, shorter and shorter if need be. Returns how much of it may be
// taken, all unless every try ends outside; `change` is dθ.
double InteriorPoint::findLength(const ContactProblem& problem, double along, double across, double& change) {
  std::vector<double>* steps[3] = {&px_, &py_, &pz_};
  const int most = on_path_ ? kTries : 1;
  for (int tries = 0;; ++tries, now_at_.length *= 0.4) {
    change = std::clamp((now_at_.length - along) / across, -0.9, 2.0);
    for (int k = 0; k < 3; ++k)
      for (std::size_t row = 0; row < x_.size(); ++row) (*steps[k])[row] = centring_[k][row] + change * rate_[k][row];
    solveFor(problem, now_at_.tau * (1.0 + change));
    const double inside = longestStep(problem);
    last_good_.length = now_at_.length;
    if (inside == 1.0 && tries == 0) now_at_.length = std::min(kLongest, 2.0 * now_at_.length);
    if (inside == 1.0) return 0.999;
    if (tries == most) return 0.9 * inside;
  }
}

// One step along the path, or back; false if it does not lead on.
bool InteriorPoint::stepAlong(const ContactProblem& problem) {
  linearize(problem);
  if (!system_.factor(problem, root_, equations_, 0.0, problem.W.isFactored() ? kDiagonal : kDenseDiagonal))
    return false;
  for (auto* vector : {&px_, &py_, &pz_}) std::fill(vector->begin(), vector->end(), 0.0);
  weigh(problem);
  solveFor(problem, now_at_.tau);
  centring_[0] = dx_, centring_[1] = dy_, centring_[2] = dz_;
  const double off = std::sqrt(product(centring_, centring_));
  if (on_path_ && !(off <= kOff)) return retreat(problem);
  on_path_ = on_path_ || off < 0.5 * kOff;
  solveFor(problem, 2.0 * now_at_.tau);
  rate_[0] = dx_, rate_[1] = dy_, rate_[2] = dz_;
  for (int k = 0; k < 3; ++k)
    for (std::size_t row = 0; row < x_.size(); ++row) rate_[k][row] -= centring_[k][row];
  now_at_.at[0] = x_, now_at_.at[1] = y_, now_at_.at[2] = z_;
  last_good_ = now_at_;
  const double along = product(now_at_.tangent, centring_), across = product(now_at_.tangent, rate_) + now_at_.slope;
  double change = 0.0;
  const double part = findLength(problem, along, across, change);
  if (!(part > 0.0) || now_at_.tau > 1e3 * lowest_) return false;
  if (off > 0.3 * kOff) now_at_.length *= 0.35;
  now_at_.length = std::max(now_at_.length, kShortest);
  take(part);
  now_at_.tau *= 1.0 + part * change;
  lowest_ = std::min(lowest_, now_at_.tau);
  // The tangent goes on in the direction of the last one.
  const double size = std::copysign(std::sqrt(product(rate_, rate_) + 1.0), across);
  for (int k = 0; k < 3; ++k)
    for (std::size_t row = 0; row < x_.size(); ++row) now_at_.tangent[k][row] = rate_[k][row] / size;
  now_at_.slope = 1.0 / size;
  computeGaps(problem);
  now_ = measureAfter(problem, 0.0);
  return std::isfinite(now_);
}

}  // namespace rigor
