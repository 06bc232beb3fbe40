// Monotone cubic curves through the rows (Fritsch and Butland), turns as rotation vectors from row to row.
#include "verify/prescribed.h"

#include <fmt/format.h>

#include "verify/limits.h"
#include "verify/nodes.h"

namespace rigor::verify {
namespace {

/// Rounding of positions that were added up from several terms, relative to their size and that of a metre.
constexpr Real kToldFloor = 64;

Quaternion inverse(const Quaternion& q) { return {q.w, -q.x, -q.y, -q.z}; }

/// Component by component.
template <class Function>
Vec each(const Vec& a, const Vec& b, const Function& f) {
  return {f(a.x, b.x), f(a.y, b.y), f(a.z, b.z)};
}

/// Where neighbouring slopes have one sign, their harmonic mean with the weight of the longer way on the nearer one.
Vec slopeAt(const Vec& before, const Vec& after, Real length_before, Real length_after) {
  return each(before, after, [&](Real a, Real b) -> Real {
    if (!(a * b > 0)) return 0;
    const Real weight = (length_before + 2 * length_after) / (3 * (length_before + length_after));
    return a * b / (weight * b + (1 - weight) * a);
  });
}

/// d exp(θ) in body axes for a change of θ: Jr = 1 − (1 − cos)/a² [θ] + (a − sin)/a³ [θ]².
Vec rightJacobian(const Vec& theta, const Vec& change) {
  const Real a = norm(theta), a2 = a * a;
  const Real first = a > 1e-4L ? (1 - std::cos(a)) / a2 : 0.5L - a2 / 24;
  const Real second = a > 1e-4L ? (a - std::sin(a)) / (a2 * a) : 1 / Real(6) - a2 / 120;
  const Vec once = cross(theta, change);
  return change - first * once + second * cross(theta, once);
}

/// Its inverse: 1 + ½ [θ] + (1/a² − (1 + cos)/(2 a sin)) [θ]².
Vec undoRightJacobian(const Vec& theta, const Vec& rate) {
  const Real a = norm(theta), a2 = a * a;
  const Real second = a > 1e-3L ? 1 / a2 - (1 + std::cos(a)) / (2 * a * std::sin(a)) : 1 / Real(12) + a2 / 720;
  const Vec once = cross(theta, rate);
  return rate + 0.5L * once + second * cross(theta, once);
}

/// Turn from a row to the next, as a rotation vector.
Vec turnFrom(const Way& way, std::size_t row) { return rotationVector(inverse(way.turns[row]) * way.turns[row + 1]); }

struct Slopes {
  Vec velocity, rate;
};
Slopes slopesAt(const Way& way, std::size_t row) {
  if (row == 0 || row + 1 == way.time.size()) return {};  // at rest before the first and after the last
  const Real before = way.time[row] - way.time[row - 1], after = way.time[row + 1] - way.time[row];
  const Vec from = (1 / before) * (way.positions[row] - way.positions[row - 1]);
  const Vec to = (1 / after) * (way.positions[row + 1] - way.positions[row]);
  return {slopeAt(from, to, before, after),
          slopeAt((1 / before) * turnFrom(way, row - 1), (1 / after) * turnFrom(way, row), before, after)};
}

/// Coefficients of a + b s + c s² + d s³ from 0 to `way`, with the rates at both ends [1/s].
struct Cubic {
  Vec b, c, d;
  Real length;
  Cubic(const Vec& way, const Vec& first, const Vec& last, Real duration)
      : b(duration * first),
        c(3 * way - 2 * duration * first - duration * last),
        d(duration * first + duration * last - 2 * way),
        length(duration) {}
  Vec at(Real s) const { return s * b + s * s * c + s * s * s * d; }
  Vec rateAt(Real s) const { return (1 / length) * (b + 2 * s * c + 3 * s * s * d); }
};

const Way* wayOf(const World& world, int tree) {
  for (const Way& way : world.ways)
    if (world.bodies[way.body].tree == tree) return &way;
  return nullptr;
}

/// The free joint of a kinematic tree: its root's.
const Joint& jointOfTree(const World& world, int tree) {
  const auto body = std::find_if(world.bodies.begin(), world.bodies.end(),
                                 [&](const Body& one) { return one.kinematic && one.tree == tree; });
  return body->joints[0];
}

}  // namespace

Told tellWay(const Way& way, Real time) {
  if (way.time.empty())
    return {way.positions[0] + time * way.velocity, way.turns[0] * turnBy(time * way.angular_velocity), way.velocity,
            way.angular_velocity};
  std::size_t row = 0;
  while (row + 2 < way.time.size() && time >= way.time[row + 1]) ++row;
  const Real duration = way.time[row + 1] - way.time[row];
  const Real s = std::clamp<Real>((time - way.time[row]) / duration, 0, 1);
  const Slopes first = slopesAt(way, row), last = slopesAt(way, row + 1);
  const Cubic line(way.positions[row + 1] - way.positions[row], first.velocity, last.velocity, duration);
  const Vec whole = turnFrom(way, row);
  const Cubic turn(whole, first.rate, undoRightJacobian(whole, last.rate), duration);
  return {way.positions[row] + line.at(s), way.turns[row] * turnBy(turn.at(s)), line.rateAt(s),
          rightJacobian(turn.at(s), turn.rateAt(s))};
}

void judgeTold(const World& world, int tree, const Reals& q, Real time, const Reals& speed, Real unresolved,
               Findings& findings) {
  const Way* way = wayOf(world, tree);
  if (!way) return;
  const Joint& joint = jointOfTree(world, tree);
  const Told told = tellWay(*way, time);
  const Vec position{q[joint.q], q[joint.q + 1], q[joint.q + 2]};
  const Quaternion turn{q[joint.q + 3], q[joint.q + 4], q[joint.q + 5], q[joint.q + 6]};
  Real fastest = 0;
  for (int k = 0; k < 6; ++k) fastest = std::max(fastest, std::fabs(speed[joint.v + k]));
  const Real rounding = kToldFloor * kEps * (1 + sumOfSizes(told.position) + std::fabs(time) * fastest);
  const auto name = [&] { return fmt::format("\"{}\" is not where its motion leads", world.bodies[way->body].name); };
  findings.check(norm(position - told.position), rounding + unresolved * fastest, nullptr, name);
  findings.check(norm(rotationVector(inverse(told.turn) * normalized(turn))), rounding + unresolved * fastest, nullptr,
                 name);
}

void judgeToldVelocity(const World& world, int tree, const Reals& v, Real time, Findings& findings) {
  const Way* way = wayOf(world, tree);
  if (!way) return;
  const Joint& joint = jointOfTree(world, tree);
  const Told told = tellWay(*way, time);
  const Vec linear{v[joint.v], v[joint.v + 1], v[joint.v + 2]};
  const Vec angular{v[joint.v + 3], v[joint.v + 4], v[joint.v + 5]};
  // velocities near the ends of a row are differences of terms as large as those in its middle
  const Real floor = 1e-12L * (1 + norm(told.velocity) + norm(told.angular_velocity));
  const auto name = [&] {
    return fmt::format("velocity of \"{}\" is not that of its motion", world.bodies[way->body].name);
  };
  findings.check(norm(linear - told.velocity), floor, nullptr, name);
  findings.check(norm(angular - told.angular_velocity), floor, nullptr, name);
}

void judgePrescribed(const World& world, const Recording& r, const SubstepData& data, Real elapsed,
                     Findings& findings) {
  for (int tree = 0; tree < world.trees; ++tree) {
    if (!world.prescribed[tree]) continue;
    findings.require(data.takes[tree], "a kinematic body takes no part in a sub-step");
    if (elapsed == 0)
      for (int j = 0; j < r.nq; ++j)
        findings.require(world.coordinate_tree[j] != tree || data.q[j] == Real(r.q[data.step * r.nq + j]),
                         "a step does not begin at its node");
    if (world.resets) continue;  // motions begin anew, but the recording does not say when the first one did
    const Real unresolved = kUnresolved * r.dt, begin = r.time[data.step] + elapsed;
    judgeTold(world, tree, data.q, begin, data.v_end, unresolved, findings);
    judgeTold(world, tree, move(world, data.q, data.v_end, data.h), begin + data.h, data.v_end, unresolved, findings);
    if (elapsed == 0) judgeToldVelocity(world, tree, rowOf(r.v, data.step, r.nv), r.time[data.step], findings);
  }
}

}  // namespace rigor::verify
