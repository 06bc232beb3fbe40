#include "simulation/gait.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "rigor/state.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

/// Feet in pairs, left and right, from the front to the back: neighbours in a row and in a column take turns.
double startOfCycle(std::size_t foot) { return (foot / 2 + foot % 2) % 2 == 0 ? 0.0 : 0.5; }

/// Where in its way a foot is: along the ground from ½ (it has landed) to −½ (it leaves), and above it from 0 to 1. `share`: how
/// much of the correction of its place it has: none as it leaves, all as it lands, and then less and less.
struct PlaceInCycle {
  double along, above, share;
};

PlaceInCycle placeAt(double phase, double duty) {
  if (phase < duty) {
    const double u = phase / duty;
    return {0.5 - u, 0.0, 1.0 - u};
  }
  // a cubic from −½ to ½ that begins and ends with the speed of the ground
  const double u = (phase - duty) / (1.0 - duty), slope = -(1.0 - duty) / duty;
  const double forward = u * u * (3.0 - 2.0 * u);
  const double ends = u * (1.0 - u) * (1.0 - 2.0 * u);
  return {forward - 0.5 + slope * ends, 16.0 * u * u * (1.0 - u) * (1.0 - u), forward};
}

double yawOf(const Mat3<double>& R) { return arctan2(R.x.y, R.x.x); }

/// In (−π, π].
double shortTurn(double angle) { return angle - 2.0 * M_PI * std::ceil(angle / (2.0 * M_PI) - 0.5); }

Mat3<double> attitudeOf(const Eigen::VectorXd& q, int first) {
  return toMatrix(Quat<double>{q[first + 3], q[first + 4], q[first + 5], q[first + 6]});
}

}  // namespace

Gait::Gait(const Scene& scene, const GaitSpec& spec, const std::vector<HoldSpec>& drives) : spec_(spec) {
  for (const int foot : spec.feet) legs_.emplace_back(scene, drives, foot);
  const int base = legs_[0].base();
  double height = 0.0;
  for (const Leg& leg : legs_) {
    if (leg.base() != base) throw Error({scene.file, 0, "gait"}, "has feet of two robots", "Write one gait for each.");
    height -= leg.place().z / static_cast<double>(legs_.size());
  }
  const double gravity = scene.model.gravity().norm();
  if (!(height > 0.0) || !(gravity > 0.0))
    throw Error({scene.file, 0, "gait"}, "has feet that are not below the base, or no gravity",
                "Start the robot upright: a gait takes z of the base as up.");
  const double swing = std::sqrt(height / gravity);  // [s] of a pendulum as long as the legs
  if (spec_.frequency == 0.0) spec_.frequency = 0.5 / swing;
  if (spec_.step_height == 0.0) spec_.step_height = 0.17 * height;
  if (spec_.placement == 0.0) spec_.placement = 0.37 * swing;
  q_base_ = scene.model.qIndex(base);
  v_base_ = scene.model.vIndex(base);
  yaw_ = yawOf(attitudeOf(scene.q, q_base_));
  findPaths(scene);
}

/// `walk`: velocity of the base where the leg stands; `too_fast`: what the measured velocity has more of it [m/s].
Vec Gait::pathAt(const Leg& leg, double phase, const Vec& walk, const Vec& too_fast) const {
  const PlaceInCycle at = placeAt(phase, spec_.duty);
  return leg.place() + (spec_.duty / spec_.frequency * at.along) * walk + (at.share * spec_.placement) * too_fast +
         Vec{0.0, 0.0, at.above * spec_.step_height};
}

/// Throws for a leg that cannot follow its path at full speed: it would drag its foot.
void Gait::findPaths(const Scene& scene) {
  constexpr double kMiss = 1e-3;  // [m] more than any motor would notice
  double q[Leg::kMostJoints];
  for (std::size_t foot = 0; foot < legs_.size(); ++foot) {
    const Leg& leg = legs_[foot];
    const std::size_t joints = leg.joints().size();
    std::vector<double>& path = paths_.emplace_back();
    for (int i = 0; i <= kPoints; ++i) {
      for (std::size_t k = 0; k < joints; ++k) q[k] = leg.joints()[k].start;
      const double phase = static_cast<double>(i % kPoints) / kPoints;
      const double miss = leg.reach(pathAt(leg, phase, {spec_.speed, 0.0, 0.0}, {}), q);
      if (!(miss < kMiss))
        throw Error(
            {scene.file, 0, fmt::format("foot \"{}\"", scene.model.body(spec_.feet[foot]).name)},
            fmt::format("misses its path by {:.2g} m: the leg is too short or its joints do not turn so far", miss),
            "Walk more slowly, with a higher frequency or lower steps, or start with bent legs.");
      path.insert(path.end(), q, q + joints);
    }
  }
}

/// A start for inverse kinematics: the path at full speed, drawn in towards the stance as far as the walk is slower.
void Gait::guess(std::size_t foot, double phase, double share, double* q) const {
  const std::vector<LegJoint>& joints = legs_[foot].joints();
  const double at = phase * kPoints;
  const std::size_t point = std::min(static_cast<std::size_t>(at), static_cast<std::size_t>(kPoints - 1));
  const double* before = paths_[foot].data() + point * joints.size();
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const double full = before[k] + (at - static_cast<double>(point)) * (before[k + joints.size()] - before[k]);
    q[k] = joints[k].start + share * (full - joints[k].start);
  }
}

void Gait::updateTargets(const State& state, double elapsed, Eigen::VectorXd& targets) const {
  const Mat3<double> R = attitudeOf(state.q, q_base_);
  const Vec velocity = transposeTimes(R, {state.v[v_base_], state.v[v_base_ + 1], state.v[v_base_ + 2]});
  const double share = elapsed < spec_.ramp ? elapsed / spec_.ramp : 1.0, speed = share * spec_.speed;
  const double turn = -spec_.heading * shortTurn(yawOf(R) - yaw_);
  double q[Leg::kMostJoints];
  for (std::size_t foot = 0; foot < legs_.size(); ++foot) {
    const Leg& leg = legs_[foot];
    const double cycles = spec_.frequency * elapsed + startOfCycle(foot);
    const Vec walk = Vec{speed, 0.0, 0.0} + turn * cross(Vec{0.0, 0.0, 1.0}, leg.place());
    const double phase = cycles - std::floor(cycles);
    guess(foot, phase, share, q);
    leg.reach(pathAt(leg, phase, walk, {velocity.x - speed, velocity.y, 0.0}), q);
    for (std::size_t k = 0; k < leg.joints().size(); ++k) targets[leg.joints()[k].drive] = q[k];
  }
}

}  // namespace rigor
