#include "solvers/lemke_path.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/random.h"

namespace rigor {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kPivot = 1e-9;  // of the largest rate
constexpr int kFirstRandom = 4;  // covers before it have a reason each

// One of the positive numbers that a cover is made of.
double coverNumber(int cover, int row, double q) {
  const std::uint64_t bits = mixBits(mixBits(static_cast<std::uint64_t>(cover)) ^ static_cast<std::uint64_t>(row));
  const double random = uniformOf(bits);
  switch (cover) {
    case 0:
      return 1.0;
    case 1:  // no two rows alike: nothing leaves at the same t as something else
    case 2:
      return 0.5 + random;
    case 3:  // all that is asked for falls off at once
      return 0.01 + std::max(0.0, -q);
    default:
      return std::ldexp(0.5 + random, static_cast<int>(bits % 7) - 3);
  }
}

double largestOf(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

void LemkePath::reserve(int rows, int most_basic) {
  basis_.reserve(rows, most_basic);
  for (auto* array : {&push_, &best_}) array->reserve(rows + 1);
  start_.reserve(rows + 1);
}

bool LemkePath::tryBasis(const LcpForm& form, const std::vector<LcpPlace>& places, const StopFlag* stop) {
  pivots_ = 0;
  basis_.begin(form, places);
  if (!basis_.factor(stop) || !basis_.computeValues(true)) return false;
  best_.assign(basis_.z.begin(), basis_.z.end() - 1);
  return true;
}

bool LemkePath::obeysSigns(double within) const {
  const LcpForm& form = basis_.form();
  const double slack = within * std::max(1.0, largestOf(basis_.z));
  for (int i = 0; i < form.rows(); ++i) {
    if (basis_.z[i] < form.lo[i] - slack || basis_.z[i] > form.hi[i] + slack) return false;
    if (basis_.isRow(i) || form.isFixed(i)) continue;
    const double sign = basis_.place(i) == LcpPlace::kUpper ? -1.0 : 1.0;
    if (form.isFree(i) ? std::abs(basis_.w[i]) > slack : sign * basis_.w[i] < -slack) return false;
  }
  return true;
}

// Numbers p and from them d, such that with t every basic variable goes away from its bound by t p. Variables in the basis need
// d = −M p for that. Those between two bounds, or none, stay where they are.
void LemkePath::makeCover(int cover) {
  const LcpForm& form = basis_.form();
  const int n = form.rows();
  push_.assign(n, 0.0);
  std::vector<double>& d = basis_.cover();
  std::fill(d.begin(), d.end(), 0.0);
  for (int i = 0; i < n; ++i) {
    if (form.isFree(i) || form.isFixed(i)) continue;
    const double size = coverNumber(cover, i, form.q[i]);
    if (!basis_.isRow(i)) {
      d[i] = push_[i] = basis_.place(i) == LcpPlace::kUpper ? -size : size;
    } else if (basis_.isColumn(i) && std::isfinite(form.lo[i]) != std::isfinite(form.hi[i])) {
      push_[i] = std::isfinite(form.lo[i]) ? size : -size;
    }
  }
  for (const int j : basis_.columns())
    if (push_[j] != 0.0)
      for (int i = 0; i < n; ++i) d[i] -= form.at(i, j) * push_[j];
}

// A start whose variables between two bounds are outside them: no cover brings them back, so they begin at the bound.
bool LemkePath::settleBoxes(const StopFlag* stop) {
  const LcpForm& form = basis_.form();
  for (int round = 0; round <= form.rows(); ++round) {
    if (!basis_.factor(stop) || !basis_.computeValues(true)) return false;
    int outside = -1;
    double most = 0.0;
    for (const int j : basis_.columns()) {
      if (!std::isfinite(form.lo[j]) || !std::isfinite(form.hi[j])) continue;
      const double by = std::max(form.lo[j] - basis_.z[j], basis_.z[j] - form.hi[j]);
      if (by > most) most = by, outside = j;
    }
    if (outside < 0) return true;
    basis_.removeRow(outside);
    basis_.removeColumn(outside, basis_.z[outside] < form.lo[outside] ? LcpPlace::kLower : LcpPlace::kUpper);
  }
  return false;
}

// Lets t down from infinity to where the first variable reaches its bound; false if nothing does before t = 0: a solution.
bool LemkePath::enterPath(Entering& entering) {
  const LcpForm& form = basis_.form();
  Leaving first;
  double largest = 0.0;
  for (int i = 0; i < form.rows(); ++i) {
    if (push_[i] == 0.0) continue;
    const bool upper = push_[i] < 0.0, is_z = basis_.isColumn(i);
    const double value = is_z ? basis_.z[i] - (upper ? form.hi[i] : form.lo[i]) : basis_.w[i];
    const double t = -value / push_[i];
    if (!(t > largest)) continue;
    largest = t;
    first.kind = is_z ? Leaving::Kind::kZ : Leaving::Kind::kW;
    first.index = i, first.to = upper ? LcpPlace::kUpper : LcpPlace::kLower;
  }
  if (first.kind == Leaving::Kind::kNone) return false;
  entering = complementOf(first);
  if (first.kind == Leaving::Kind::kZ)
    basis_.removeColumn(first.index, first.to);
  else
    basis_.addRow(first.index);
  basis_.addColumn(basis_.artificial());
  return true;
}

LemkePath::Entering LemkePath::complementOf(const Leaving& leaving) const {
  const bool is_w = leaving.kind != Leaving::Kind::kW;
  const LcpPlace place = is_w ? leaving.to : basis_.place(leaving.index);
  const bool upper = place == LcpPlace::kUpper;
  return {leaving.index, is_w, upper ? -1.0 : 1.0};  // from the upper bound z falls; at it w is negative
}

// f(what would leave) for every basic variable that moves towards a bound.
template <class F>
void LemkePath::forEachBlocking(const Entering& entering, F&& f) const {
  using Kind = Leaving::Kind;
  const LcpForm& form = basis_.form();
  const int t = basis_.artificial();
  for (const int j : basis_.columns()) {
    const double rate = basis_.dz[j], z = basis_.z[j];
    const double lo = j == t ? 0.0 : form.lo[j], hi = j == t ? kInfinity : form.hi[j];
    if (rate < 0.0 && lo > -kInfinity) f({j == t ? Kind::kArtificial : Kind::kZ, j, z - lo, -rate, LcpPlace::kLower});
    if (rate > 0.0 && hi < kInfinity) f({Kind::kZ, j, hi - z, rate, LcpPlace::kUpper});
  }
  for (int i = 0; i < form.rows(); ++i) {
    if (basis_.isRow(i) || form.isFree(i) || form.isFixed(i)) continue;
    const double sign = basis_.place(i) == LcpPlace::kUpper ? -1.0 : 1.0, rate = sign * basis_.dw[i];
    if (rate < 0.0) f({Kind::kW, i, sign * basis_.w[i], -rate, basis_.place(i)});
  }
  if (entering.is_w) return;
  const double room = form.hi[entering.index] - form.lo[entering.index];
  if (room < kInfinity)
    f({Kind::kItself, entering.index, room, 1.0, entering.sign > 0.0 ? LcpPlace::kUpper : LcpPlace::kLower});
}

LemkePath::Leaving LemkePath::findFirst(const Entering& entering, double tie) const {
  const double least = kPivot * std::max(largestOf(basis_.dz), largestOf(basis_.dw));
  tie *= std::max(1.0, largestOf(basis_.z));
  double farthest = kInfinity;
  forEachBlocking(entering, [&](const Leaving& one) {
    if (one.rate > least) farthest = std::min(farthest, (std::max(one.gap, 0.0) + tie) / one.rate);
  });
  Leaving first;
  forEachBlocking(entering, [&](const Leaving& one) {
    if (!(one.rate > least) || std::max(one.gap, 0.0) / one.rate > farthest) return;
    if (first.kind == Leaving::Kind::kArtificial) return;
    if (one.kind == Leaving::Kind::kArtificial || one.rate > first.rate) first = one;
  });
  return first;
}

void LemkePath::pivot(const Leaving& leaving, const Entering& entering) {
  using Kind = Leaving::Kind;
  if (leaving.kind == Kind::kItself) return basis_.setPlace(entering.index, leaving.to);
  if (entering.is_w)
    basis_.removeRow(entering.index);
  else
    basis_.addColumn(entering.index);
  if (leaving.kind == Kind::kW)
    basis_.addRow(leaving.index);
  else
    basis_.removeColumn(leaving.index, leaving.to);
}

void LemkePath::keepBest() {
  const double t = basis_.z[basis_.artificial()];
  if (!(t < least_t_)) return;
  least_t_ = t;
  best_.assign(basis_.z.begin(), basis_.z.end() - 1);
}

std::uint64_t LemkePath::hashOf(const Entering& entering) const {
  std::uint64_t hash = mixBits(2 * static_cast<std::uint64_t>(entering.index) + (entering.is_w ? 1 : 0));
  for (int i = 0; i <= basis_.artificial(); ++i) {
    const auto state = static_cast<std::uint64_t>(basis_.place(i)) + (basis_.isColumn(i) ? 4 : 0);
    hash ^= mixBits(8 * static_cast<std::uint64_t>(i) + state + 1);
  }
  return hash;
}

PathEnd LemkePath::follow(const LcpForm& form, const std::vector<LcpPlace>& places, int cover,
                          const PathLimits& limits) {
  pivots_ = 0;
  least_t_ = kInfinity;
  best_.assign(form.rows(), 0.0);
  basis_.begin(form, places);
  if (!settleBoxes(limits.stop)) return PathEnd::kSingular;
  makeCover(cover);
  Entering entering{};
  bool on_the_way = enterPath(entering);
  std::uint64_t remembered = 0;
  while (on_the_way) {
    if (pivots_ >= limits.max_pivots || isRaised(limits.stop)) return PathEnd::kLimit;
    if (!basis_.factor(limits.stop) || !basis_.computeValues(false)) return PathEnd::kSingular;
    keepBest();
    // Brent: the basis of some power of two is remembered; one that comes again comes again for ever.
    const std::uint64_t hash = hashOf(entering);
    if (pivots_ > 0 && hash == remembered) return PathEnd::kCycle;
    if ((pivots_ & (pivots_ - 1)) == 0) remembered = hash;
    ++pivots_;
    basis_.computeRates(entering.index, entering.is_w, entering.sign);
    const Leaving leaving = findFirst(entering, limits.tie);
    if (leaving.kind == Leaving::Kind::kNone) return PathEnd::kRay;
    pivot(leaving, entering);
    if (leaving.kind == Leaving::Kind::kArtificial) break;
    entering = complementOf(leaving);
  }
  if (!basis_.factor(limits.stop) || !basis_.computeValues(true)) return PathEnd::kSingular;
  best_.assign(basis_.z.begin(), basis_.z.end() - 1);
  return PathEnd::kSolution;
}

}  // namespace rigor
