#include "geometry/summit.h"

#include <algorithm>
#include <cmath>

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr int kMostSteps = 40;
constexpr double kSmallTurn = 1e-6;  ///< [rad] for differences: half the digits
constexpr double kLargestTurn =
    1.5;  ///< [rad] along a ridge: solids that hardly touch may have their summit anywhere on it

Vec unit(const Vec& a) { return (1.0 / norm(a)) * a; }

}  // namespace

bool projectToRidge(const Ridge& ridge, const Vec& n, Vec& out) {
  const Vec across = n - dot(n, ridge.axis) * ridge.axis;
  const double length = norm(across);
  if (!(length > 1e-6)) return false;
  out = ridge.along * ridge.axis + (std::sqrt(1.0 - ridge.along * ridge.along) / length) * across;
  return true;
}

bool crossRidges(const Ridge& a, const Ridge& b, const Vec& n, Vec& out) {
  // n = α a + β b + γ a×b with a·n and b·n given
  const Vec across = cross(a.axis, b.axis);
  const double sine2 = dot(across, across), cosine = dot(a.axis, b.axis);
  if (!(sine2 > 1e-18)) return false;
  const double alpha = (a.along - cosine * b.along) / sine2, beta = (b.along - cosine * a.along) / sine2;
  const Vec within = alpha * a.axis + beta * b.axis;
  const double rest = 1.0 - dot(within, within);
  if (!(rest >= 0.0)) return false;
  const double gamma = std::sqrt(rest / sine2);
  out = within + (dot(across, n) >= 0.0 ? gamma : -gamma) * across;
  return true;
}

Vec climbAlongRidge(const DifferenceShape& difference, const Ridge& ridge, const Vec& start) {
  const double radius = std::sqrt(1.0 - ridge.along * ridge.along);
  const Vec u = unit(start - dot(start, ridge.axis) * ridge.axis), v = cross(ridge.axis, u);
  const auto directionAt = [&](double angle) {
    const auto [sine, cosine] = sincos(angle);
    return ridge.along * ridge.axis + radius * (cosine * u + sine * v);
  };
  // the separation −n·w has the slope −n′·w: support points may be held
  const auto slopeAt = [&](double angle) {
    const auto [sine, cosine] = sincos(angle);
    const Vec along = cosine * v - sine * u;
    return -dot(along, difference.support(directionAt(angle)).w);
  };
  double low = 0.0, high = 0.0, slope_low = slopeAt(0.0), slope_high = slope_low;
  if (slope_low == 0.0) return start;
  const double sign = slope_low > 0.0 ? 1.0 : -1.0;
  for (double turn = kSmallTurn; slope_high * slope_low > 0.0; turn *= 8.0) {
    if (std::fabs(high) == kLargestTurn) return start;
    high = sign * std::min(turn, kLargestTurn), slope_high = slopeAt(high);
  }
  // false position with halved weights of the end that stays (Illinois)
  for (int step = 0; step < kMostSteps && std::fabs(high - low) > 1e-15 && slope_high != 0.0; ++step) {
    const double next = high - slope_high * (high - low) / (slope_high - slope_low);
    const double slope = slopeAt(next);
    if (slope * slope_high < 0.0)
      low = high, slope_low = slope_high;
    else
      slope_low *= 0.5;
    if (next == high) break;
    high = next, slope_high = slope;
  }
  return directionAt(high);
}

Vec climbToSummit(const DifferenceShape& difference, const Vec& start) {
  Vec n = start;
  Vec w = difference.support(n).w;
  const auto residualOf = [](const Vec& at, const Vec& of) {
    const Vec across = of - dot(of, at) * at;
    return norm(across);
  };
  double residual = residualOf(n, w);
  for (int step = 0; step < 12 && residual > 1e-15 * difference.scale; ++step) {
    const Vec axis = std::fabs(n.x) < 0.6 ? Vec{1.0, 0.0, 0.0} : Vec{0.0, 1.0, 0.0};
    const Vec s = unit(cross(n, axis)), t = cross(n, s);
    const Vec by_s = (0.5 / kSmallTurn) *
                     (difference.support(unit(n + kSmallTurn * s)).w - difference.support(unit(n - kSmallTurn * s)).w);
    const Vec by_t = (0.5 / kSmallTurn) *
                     (difference.support(unit(n + kSmallTurn * t)).w - difference.support(unit(n - kSmallTurn * t)).w);
    // Newton on (s·w, t·w) = 0; minus n·w because s and t turn with n
    const double height = dot(n, w);
    const double ss = dot(s, by_s) - height, tt = dot(t, by_t) - height, st = 0.5 * (dot(s, by_t) + dot(t, by_s));
    const double determinant = ss * tt - st * st;
    if (!(determinant > 0.0 && ss + tt > 0.0)) return n;
    const double f = dot(s, w), g = dot(t, w);
    const Vec next = unit(n - ((tt * f - st * g) / determinant) * s - ((ss * g - st * f) / determinant) * t);
    const Vec next_w = difference.support(next).w;
    const double next_residual = residualOf(next, next_w);
    if (!(next_residual < residual)) return n;
    n = next, w = next_w, residual = next_residual;
  }
  return n;
}

}  // namespace rigor
