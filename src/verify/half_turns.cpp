#include "verify/half_turns.h"

#include <numbers>

#include "verify/ties.h"

namespace rigor::verify {
namespace {

constexpr Real kPi = std::numbers::pi_v<Real>;

/// An angle, or three entries of a rotation vector.
struct Turning {
  std::size_t first;
  int count;
};

std::vector<Turning> listTurnings(const std::vector<SpringPart>& springs) {
  std::vector<Turning> turnings;
  for (std::size_t i = 0; i < springs.size(); ++i) {
    const SpringPart& spring = springs[i];
    const bool angle = spring.kind == SpringPart::kAngle || spring.kind == SpringPart::kSecondAngle;
    if (!(spring.stiffness > 0)) continue;
    if (angle && spring.pitch == 0) turnings.push_back({i, 1});
    if (spring.kind == SpringPart::kTurn && spring.entry == 0) turnings.push_back({i, 3});
  }
  return turnings;
}

Vec stretchOf(const std::vector<SpringPart>& springs, const Turning& turning, const Motion& motion) {
  Real x[3] = {};
  for (int k = 0; k < turning.count; ++k) x[k] = computeStretch(springs[turning.first + k], motion).x;
  return {x[0], x[1], x[2]};
}

}  // namespace

HalfTurns findHalfTurns(const World& world, const Recording& r) {
  HalfTurns found;
  found.energy.assign(r.time.size(), 0);
  const std::vector<SpringPart> springs = listSprings(world);
  const std::vector<Turning> turnings = listTurnings(springs);
  if (turnings.empty()) return found;
  std::vector<Vec> before(turnings.size());
  for (std::size_t node = 0; node < r.time.size(); ++node) {
    const Motion motion = computeMotion(world, rowOf(r.q, static_cast<std::int64_t>(node), r.nq), {});
    for (std::size_t i = 0; i < turnings.size(); ++i) {
      const Vec from = before[i], to = stretchOf(springs, turnings[i], motion);
      before[i] = to;
      if (node == 0 || !(norm(to - from) > kPi)) continue;
      const Vec other = from - (2 * kPi / norm(from)) * from;  // the same turn, counted from the other side
      found.energy[node] += kPi * springs[turnings[i].first].stiffness * norm(to - other);
      if (found.first < 0)
        found.first = static_cast<std::int64_t>(node) - 1, found.name = springs[turnings[i].first].name;
    }
  }
  return found;
}

}  // namespace rigor::verify
