#include "contact/interval.h"

namespace rigor {
namespace {

/// Bounds in scaled impulse. Where they meet, the row is held there.
struct PathBounds {
  double lo, hi;
  bool has_lo, has_hi, fixed;
  PathBounds(const Interval& interval, double root)
      : lo(root * interval.lo),
        hi(root * interval.hi),
        has_lo(std::isfinite(lo)),
        has_hi(std::isfinite(hi)),
        fixed(has_lo && has_hi && !(hi - lo > 1e-14 * (std::abs(lo) + std::abs(hi)))) {}
};

}  // namespace

int Interval::startPath(double push, double speed, const PathRows& at) const {
  const PathBounds bounds(*this, at.root);
  double& x = at.x[0];
  x = bounds.fixed                     ? bounds.lo
      : bounds.has_lo && bounds.has_hi ? 0.5 * (bounds.lo + bounds.hi)
      : bounds.has_lo                  ? bounds.lo + push
      : bounds.has_hi                  ? bounds.hi - push
                                       : 0.0;
  if (bounds.fixed) return 0;
  if (bounds.has_lo) at.y[0] = push * speed / (x - bounds.lo);
  if (bounds.has_hi) at.z[0] = push * speed / (bounds.hi - x);
  return bounds.has_lo + bounds.has_hi;
}

int Interval::startNear(const double* impulse, const double*, double push, double speed, const PathRows& at) const {
  const PathBounds bounds(*this, at.root);
  const int pairs = startPath(push, speed, at);
  if (bounds.fixed) return pairs;
  double& x = at.x[0];
  x = at.root * impulse[0];
  const double room = bounds.has_lo && bounds.has_hi ? 0.25 * (bounds.hi - bounds.lo) : push;
  if (bounds.has_lo) x = std::max(x, bounds.lo + std::min(push, room));
  if (bounds.has_hi) x = std::min(x, bounds.hi - std::min(push, room));
  if (bounds.has_lo) at.y[0] = push * speed / (x - bounds.lo);
  if (bounds.has_hi) at.z[0] = push * speed / (bounds.hi - x);
  return pairs;
}

void Interval::computeGap(const double* velocity, const PathRows& at) const {
  at.gap[0] = (velocity[0] + bias) / at.root - at.y[0];
  at.gap[0] += at.z[0] + compliance * at.x[0] / (at.root * at.root);
}

void Interval::addProducts(double length, const PathRows& at, double& sum) const {
  const PathBounds bounds(*this, at.root);
  if (bounds.fixed) return;
  const double x = at.x[0] + length * at.dx[0];
  if (bounds.has_lo) sum += (x - bounds.lo) * (at.y[0] + length * at.dy[0]);
  if (bounds.has_hi) sum += (bounds.hi - x) * (at.z[0] + length * at.dz[0]);
}

// Divided by 1 + the derivative by x.
void Interval::linearizePath(const PathRows& at) const {
  const PathBounds bounds(*this, at.root);
  EquationRow& out = *at.equations;
  if (bounds.fixed) {
    out.A[0] = 0.0;
    out.B[0] = 0.5;
    return;
  }
  double stiffness = compliance / (at.root * at.root);
  if (bounds.has_lo) stiffness += at.y[0] / (at.x[0] - bounds.lo);
  if (bounds.has_hi) stiffness += at.z[0] / (bounds.hi - at.x[0]);
  out.A[0] = 1.0 / (1.0 + stiffness);
  out.B[0] = stiffness / (1.0 + stiffness);
}

void Interval::formRight(double tau, const PathRows& at) const {
  const PathBounds bounds(*this, at.root);
  double right = -at.gap[0];
  if (bounds.has_lo) right += (tau - at.px[0] * at.py[0]) / (at.x[0] - bounds.lo) - at.y[0];
  if (bounds.has_hi) right -= (tau + at.px[0] * at.pz[0]) / (bounds.hi - at.x[0]) - at.z[0];
  at.right[0] = bounds.fixed ? 0.0 : right * at.equations->A[0];
}

void Interval::recoverPath(double tau, const PathRows& at) const {
  const PathBounds bounds(*this, at.root);
  const double x = at.x[0], y = at.y[0], z = at.z[0], dx = at.dx[0];
  at.dy[0] = 0.0;
  if (bounds.fixed) return;
  if (bounds.has_lo) at.dy[0] = (tau - at.px[0] * at.py[0] - y * dx) / (x - bounds.lo) - y;
  if (bounds.has_hi) at.dz[0] = (tau + at.px[0] * at.pz[0] + z * dx) / (bounds.hi - x) - z;
}

double Interval::longestStep(const PathRows& at) const {
  const PathBounds bounds(*this, at.root);
  double step = 1.0;
  if (bounds.fixed) return step;
  const double x = at.x[0], dx = at.dx[0];
  if (bounds.has_lo) step = std::min({step, stepOfLine(x - bounds.lo, dx), stepOfLine(at.y[0], at.dy[0])});
  if (bounds.has_hi) step = std::min({step, stepOfLine(bounds.hi - x, -dx), stepOfLine(at.z[0], at.dz[0])});
  return step;
}

}  // namespace rigor
