#include "solvers/interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/row_product.h"
#include "rigor/solver.h"
#include "solvers/path_equations.h"

namespace rigor {
namespace {

bool frictional(const Block& block) { return block.kind == BlockKind::kContact && block.mu > 0.0; }

// Largest step in [0, 1] that keeps t > 0.
double stepOfLine(double t, double dt) { return dt < 0.0 ? std::min(1.0, -t / dt) : 1.0; }

// Largest step in [0, 1] that keeps |v| < t.
double stepOfCone(double t, double v1, double v2, double dt, double dv1, double dv2) {
  // (t + α dt)² − |v + α dv|² = a α² + 2 b α + c
  const double a = dt * dt - dv1 * dv1 - dv2 * dv2, b = t * dt - v1 * dv1 - v2 * dv2;
  const double c = t * t - v1 * v1 - v2 * v2;
  double step = stepOfLine(t, dt);
  const double discriminant = b * b - a * c;
  if (discriminant >= 0.0) {
    const double q = -(b + std::copysign(std::sqrt(discriminant), b));
    for (double root : {a != 0.0 ? q / a : -1.0, q != 0.0 ? c / q : -1.0})
      if (root > 0.0) step = std::min(step, root);
  }
  return step;
}

}  // namespace

void InteriorPoint::reserve(int rows) {
  for (auto* vector : {&root_, &x_, &dx_, &px_, &y_, &dy_, &py_, &z_, &dz_, &pz_, &gap_, &first_product_, &right_})
    vector->reserve(rows + 1);
  equations_.reserve(rows);
  lu_.resize(rows);
}

void InteriorPoint::start(const ContactProblem& problem, double size) {
  const int m = problem.rows();
  computeRoots(problem, root_);
  for (auto* vector : {&x_, &dx_, &px_, &y_, &dy_, &py_, &z_, &dz_, &pz_, &gap_, &first_product_})
    vector->assign(m, 0.0);
  right_.assign(m + 1, 0.0);
  equations_.resize(m);
  // Sizes that velocities and impulses will have: b, and the impulse that would stop every row.
  double speed = 1e-300, push = 1e-300;
  for (int row = 0; row < m; ++row) {
    equations_[row] = BlockEquation{};
    for (int r = 0; r < 3; ++r) equations_[row].A[r][r] = 1.0;
    right_[row] = (problem.b[row] + problem.bias[row]) / root_[row];
    speed = std::max(speed, std::abs(right_[row]));
  }
  assembleScaled(problem, root_, equations_, 0.0, 1e-9, lu_);
  if (lu_.factor()) lu_.solve(right_.data());
  for (int row = 0; row < m; ++row) push = std::max(push, std::abs(right_[row]));
  push *= size;
  pairs_ = 0;
  for (const Block& block : problem.blocks) {
    const int row = block.row;
    if (block.kind == BlockKind::kContact) {
      x_[row] = push;
      y_[row] = speed;
      ++pairs_;
      if (!frictional(block)) continue;
      z_[row] = speed / block.mu;
      ++pairs_;
      continue;
    }
    for (int r = row; r < row + block.size; ++r) {
      if (block.kind == BlockKind::kAtLeast) {
        x_[r] = push;
        y_[r] = speed;
        ++pairs_;
      } else {
        const PathBounds bounds(block, root_[r]);
        x_[r] = bounds.fixed                     ? bounds.lo
                : bounds.has_lo && bounds.has_hi ? 0.5 * (bounds.lo + bounds.hi)
                : bounds.has_lo                  ? bounds.lo + push
                : bounds.has_hi                  ? bounds.hi - push
                                                 : 0.0;
        if (bounds.fixed) continue;
        if (bounds.has_lo) y_[r] = push * speed / (x_[r] - bounds.lo), ++pairs_;
        if (bounds.has_hi) z_[r] = push * speed / (bounds.hi - x_[r]), ++pairs_;
      }
    }
  }
}

// gap = what the velocity of the row says minus what y, z say.
void InteriorPoint::computeGaps(const ContactProblem& problem) {
  const int m = problem.rows();
  for (int row = 0; row < m; ++row) right_[row] = x_[row] / root_[row];
  for (const Block& block : problem.blocks) {
    for (int r = 0; r < block.size; ++r) {
      const int row = block.row + r;
      const double velocity = multiplyRow(problem.W, row, right_.data()) + problem.b[row];
      const bool biased = block.kind != BlockKind::kContact || r == 0;
      gap_[row] = (velocity + (biased ? problem.bias[row] : 0.0)) / root_[row] - y_[row];
      if (block.kind == BlockKind::kBox)
        gap_[row] += z_[row] + problem.compliance[row] * x_[row] / (root_[row] * root_[row]);
      if (block.kind == BlockKind::kContact && !frictional(block) && r > 0) gap_[row] = 0.0;
    }
  }
}

double InteriorPoint::measureAfter(const ContactProblem& problem, double length) const {
  double sum = 0.0;
  for (const Block& block : problem.blocks) {
    for (int row = block.row; row < block.row + block.size; ++row) {
      const double x = x_[row] + length * dx_[row], y = y_[row] + length * dy_[row], z = z_[row] + length * dz_[row];
      if (block.kind == BlockKind::kContact) {
        if (row == block.row)
          sum += x * y + block.mu * x * z;
        else if (frictional(block))
          sum += x * y;
      } else if (block.kind == BlockKind::kAtLeast) {
        sum += x * y;
      } else {
        const PathBounds bounds(block, root_[row]);
        if (bounds.fixed) continue;
        if (bounds.has_lo) sum += (x - bounds.lo) * y;
        if (bounds.has_hi) sum += (bounds.hi - x) * z;
      }
    }
  }
  return pairs_ > 0 ? sum / pairs_ : 0.0;
}

// The matrix part A W̃ + B of the eliminated system; y and z have been expressed by x.
void InteriorPoint::linearize(const ContactProblem& problem) {
  for (const Block& block : problem.blocks) {
    if (block.kind == BlockKind::kContact) {
      linearizePathContact(block.mu, &x_[block.row], &y_[block.row], z_[block.row], equations_[block.row]);
      continue;
    }
    for (int r = block.row; r < block.row + block.size; ++r) {
      if (block.kind == BlockKind::kAtLeast) {
        linearizePathLimit(x_[r], y_[r], equations_[r]);
      } else {
        const double compliance = problem.compliance[r] / (root_[r] * root_[r]);
        linearizePathBox(PathBounds(block, root_[r]), compliance, x_[r], y_[r], z_[r], equations_[r]);
      }
    }
  }
}

// Right-hand sides for products equal to τ, less the products of the predictor's own step (Mehrotra).
void InteriorPoint::formRight(const ContactProblem& problem, double tau) {
  for (const Block& block : problem.blocks) {
    const int row = block.row;
    if (block.kind == BlockKind::kContact) {
      formContactRight(block, tau);
      continue;
    }
    for (int r = row; r < row + block.size; ++r) {
      if (block.kind == BlockKind::kAtLeast) {
        right_[r] = (tau - x_[r] * y_[r] - px_[r] * py_[r] - x_[r] * gap_[r]) / (x_[r] + y_[r]);
      } else {
        const PathBounds bounds(block, root_[r]);
        double right = -gap_[r];
        if (bounds.has_lo) right += (tau - px_[r] * py_[r]) / (x_[r] - bounds.lo) - y_[r];
        if (bounds.has_hi) right -= (tau + px_[r] * pz_[r]) / (bounds.hi - x_[r]) - z_[r];
        right_[r] = bounds.fixed ? 0.0 : right * equations_[r].A[0][0];
      }
    }
  }
}

void InteriorPoint::formContactRight(const Block& block, double tau) {
  const int row = block.row;
  const double gamma = x_[row], mu = block.mu;
  right_[row] = (tau - gamma * y_[row] - px_[row] * py_[row] - gamma * gap_[row]) / (gamma + y_[row]);
  right_[row + 1] = right_[row + 2] = 0.0;
  if (!frictional(block)) return;
  const double psi = z_[row], *beta = &x_[row + 1], *u = &y_[row + 1], *pbeta = &px_[row + 1], *pu = &py_[row + 1];
  const double first = tau - (mu * gamma * psi + beta[0] * u[0] + beta[1] * u[1]) -
                       (mu * px_[row] * pz_[row] + pbeta[0] * pu[0] + pbeta[1] * pu[1]);
  first_product_[row] = first;
  for (int i = 0; i < 2; ++i) {
    const double rest = -(mu * gamma * u[i] + psi * beta[i]) - (mu * px_[row] * pu[i] + pz_[row] * pbeta[i]);
    const auto& A = equations_[row].A[1 + i];
    right_[row + 1 + i] =
        (rest - beta[i] * first / (mu * gamma)) / (mu * gamma + psi) - A[1] * gap_[row + 1] - A[2] * gap_[row + 2];
  }
}

// dx from the factors, then dy and dz from the equations that were eliminated.
void InteriorPoint::solveFor(const ContactProblem& problem, double tau) {
  const int m = problem.rows();
  formRight(problem, tau);
  lu_.solve(right_.data());
  for (int row = 0; row < m; ++row) {
    dx_[row] = right_[row];
    right_[row] /= root_[row];
  }
  for (const Block& block : problem.blocks) {
    for (int r = block.row; r < block.row + block.size; ++r) {
      dy_[r] = dz_[r] = 0.0;
      if (block.kind == BlockKind::kAtLeast || r == block.row || frictional(block))
        dy_[r] = multiplyRow(problem.W, r, right_.data()) / root_[r] + gap_[r];
      if (block.kind != BlockKind::kBox) continue;
      const PathBounds bounds(block, root_[r]);
      dy_[r] = 0.0;
      if (bounds.fixed) continue;
      if (bounds.has_lo) dy_[r] = (tau - px_[r] * py_[r] - y_[r] * dx_[r]) / (x_[r] - bounds.lo) - y_[r];
      if (bounds.has_hi) dz_[r] = (tau + px_[r] * pz_[r] + z_[r] * dx_[r]) / (bounds.hi - x_[r]) - z_[r];
    }
    if (!frictional(block)) continue;
    const int row = block.row;
    dz_[row] = (first_product_[row] - block.mu * z_[row] * dx_[row] - x_[row + 1] * dy_[row + 1] -
                x_[row + 2] * dy_[row + 2] - y_[row + 1] * dx_[row + 1] - y_[row + 2] * dx_[row + 2]) /
               (block.mu * x_[row]);
  }
}

double InteriorPoint::longestStep(const ContactProblem& problem) const {
  double step = 1.0;
  for (const Block& block : problem.blocks) {
    const int row = block.row;
    if (block.kind == BlockKind::kContact) {
      step = std::min({step, stepOfLine(x_[row], dx_[row]), stepOfLine(y_[row], dy_[row])});
      if (!frictional(block)) continue;
      step = std::min(
          {step,
           stepOfCone(block.mu * x_[row], x_[row + 1], x_[row + 2], block.mu * dx_[row], dx_[row + 1], dx_[row + 2]),
           stepOfCone(z_[row], y_[row + 1], y_[row + 2], dz_[row], dy_[row + 1], dy_[row + 2])});
      continue;
    }
    for (int r = row; r < row + block.size; ++r) {
      if (block.kind == BlockKind::kAtLeast) {
        step = std::min({step, stepOfLine(x_[r], dx_[r]), stepOfLine(y_[r], dy_[r])});
      } else {
        const PathBounds bounds(block, root_[r]);
        if (bounds.fixed) continue;
        if (bounds.has_lo) step = std::min({step, stepOfLine(x_[r] - bounds.lo, dx_[r]), stepOfLine(y_[r], dy_[r])});
        if (bounds.has_hi) step = std::min({step, stepOfLine(bounds.hi - x_[r], -dx_[r]), stepOfLine(z_[r], dz_[r])});
      }
    }
  }
  return step;
}

void InteriorPoint::take(double length) {
  for (std::size_t row = 0; row < x_.size(); ++row) {
    x_[row] += length * dx_[row];
    y_[row] += length * dy_[row];
    z_[row] += length * dz_[row];
  }
}

// The impulse of the path, put into its sets, judged.
void InteriorPoint::leave(const ContactProblem& problem, Iterate& iterate) const {
  for (int row = 0; row < problem.rows(); ++row) iterate.impulse[row] = x_[row] / root_[row];
  projectImpulse(problem, iterate.impulse);
  judgeIterate(problem, iterate);
}

int InteriorPoint::solve(const ContactProblem& problem, double tolerance, int max_iterations, double size,
                         Iterate& iterate) {
  start(problem, size);
  computeGaps(problem);
  const double first = measureAfter(problem, 0.0);
  double last_step = 1.0;
  int iteration = 0, stalled = 0;
  while (iteration < max_iterations && stalled < 3) {
    const double tau = measureAfter(problem, 0.0);
    linearize(problem);
    assembleScaled(problem, root_, equations_, 0.0, 1e-13, lu_);
    if (!lu_.factor()) break;
    ++iteration;
    for (auto* vector : {&px_, &py_, &pz_}) std::fill(vector->begin(), vector->end(), 0.0);
    solveFor(problem, 0.0);
    const double affine = longestStep(problem);
    const double ratio = tau > 0.0 ? measureAfter(problem, affine) / tau : 0.0;
    // A short step means that the iterate left the path: go back to its middle first, without the corrector.
    const bool lost = last_step < 0.2;
    if (!lost) px_.swap(dx_), py_.swap(dy_), pz_.swap(dz_);
    solveFor(problem, tau * (lost ? 1.0 : std::clamp(ratio * ratio * ratio, 1e-3, 1.0)));
    last_step = 0.995 * longestStep(problem);
    if (!(last_step > 0.0)) break;
    take(last_step);
    computeGaps(problem);
    const double now = measureAfter(problem, 0.0);
    if (!std::isfinite(now)) break;
    // Near the end short steps are rounding, and Newton takes over; before that they still find back to the path.
    stalled = last_step < (now > 1e-10 * first ? 1e-6 : 0.3) ? stalled + 1 : 0;
    if (now > 1e-12 * first) continue;
    leave(problem, iterate);
    if (now <= 1e-22 * first || accepts(iterate.residuals, tolerance)) break;  // 1e-11 in impulse and in velocity
  }
  leave(problem, iterate);
  classifyModes(problem, iterate);
  return iteration;
}

}  // namespace rigor
