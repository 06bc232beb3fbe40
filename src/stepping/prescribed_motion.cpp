#include "stepping/prescribed_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/convert.h"
#include "math/hermite.h"
#include "model/parameters.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kMostTurn = 3.0;  // [rad] from row to row; half a turn could go either way

Quat<double> toQuat(const Eigen::Quaterniond& r) { return {r.w(), r.x(), r.y(), r.z()}; }

Vec turnBetween(const Quat<double>& from, const Quat<double>& to) {
  return logQuat(Quat<double>{from.w, -from.x, -from.y, -from.z} * to);
}

/// Slope of monotone interpolation (Fritsch and Butland) at a row between two secants.
double slopeBetween(double before, double after, double length_before, double length_after) {
  if (!(before * after > 0.0)) return 0.0;
  const double a = 2.0 * length_after + length_before, b = length_after + 2.0 * length_before;
  return (a + b) / (a / before + b / after);
}

Vec slopeBetween(const Vec& way_before, const Vec& way_after, double before, double after) {
  const auto slope = [&](double a, double b) { return slopeBetween(a / before, b / after, before, after); };
  return {slope(way_before.x, way_after.x), slope(way_before.y, way_after.y), slope(way_before.z, way_after.z)};
}

/// A turn by any angle; whole turns are left out.
Quat<double> turnBy(const Vec& theta) {
  const double angle = norm(theta);
  if (angle < 1.0) return expQuat(theta);
  return expQuat((std::remainder(angle, 2.0 * std::numbers::pi) / angle) * theta);
}

}  // namespace

void checkMotion(const MotionSpec& motion) {
  if (motion.time.empty() ? motion.poses.size() != 1 : motion.poses.size() != motion.time.size())
    throw Error(fmt::format("the motion has {} times and {} poses", motion.time.size(), motion.poses.size()),
                "Give one pose per time; or no times, one pose and velocities.");
  if (motion.time.size() == 1)
    throw Error("the motion has one row", "Give two at least; a body that stands still is fixed = true.");
  if (!motion.velocity.allFinite() || !motion.angular_velocity.allFinite())
    throw Error("a velocity of the motion is not finite", "Give finite numbers.");
  for (std::size_t i = 0; i < motion.poses.size(); ++i) {
    const Pose& pose = motion.poses[i];
    if (!pose.position.allFinite() || !(std::abs(pose.rotation.norm() - 1.0) < 1e-6))
      throw Error(fmt::format("row {} of the motion is no pose", i + 1),
                  "Give finite positions and quaternions of length 1.");
    if (i == 0 || motion.time.empty()) continue;
    if (!std::isfinite(motion.time[i]) || !(motion.time[i] > motion.time[i - 1]))
      throw Error(fmt::format("time {} s in row {} of the motion is not after the time before", motion.time[i], i + 1),
                  "Sort the rows: times must rise.");
    const double turn = norm(turnBetween(toQuat(motion.poses[i - 1].rotation), toQuat(pose.rotation)));
    if (turn > kMostTurn)
      throw Error(fmt::format("the motion turns by {:.3g} rad from row {} to the next", turn, i),
                  "Half a turn could go either way round: put a row between them.");
  }
  if (!motion.time.empty() && !std::isfinite(motion.time[0]))
    throw Error("the first time of the motion is not finite", "Give finite numbers.");
}

PrescribedMotion::PrescribedMotion(const Model& model, const MotionSpec& motion)
    : tree_(model.topology().tree[model.placements()[motion.body].link]),
      dof_(model.vIndex(motion.body)),
      q_index_(model.qIndex(motion.body)) {
  for (std::size_t i = 0; i < motion.poses.size(); ++i)
    rows_.push_back({motion.time.empty() ? 0.0 : motion.time[i],
                     toVec3(motion.poses[i].position),
                     {},
                     toQuat(motion.poses[i].rotation),
                     {},
                     {},
                     {}});
  if (motion.time.empty()) {
    rows_[0].slope = toVec3(motion.velocity);
    rows_[0].rate = toVec3(motion.angular_velocity);
    return;
  }
  const std::size_t count = rows_.size();
  for (std::size_t i = 0; i + 1 < count; ++i) rows_[i].way = turnBetween(rows_[i].turn, rows_[i + 1].turn);
  for (std::size_t i = 1; i + 1 < count; ++i) {
    const double before = rows_[i].time - rows_[i - 1].time, after = rows_[i + 1].time - rows_[i].time;
    rows_[i].slope = slopeBetween(rows_[i].position - rows_[i - 1].position, rows_[i + 1].position - rows_[i].position,
                                  before, after);
    // a turn about φ leaves φ as it is: the way from the row before has the same coordinates in this row's axes
    rows_[i].rate = slopeBetween(rows_[i - 1].way, rows_[i].way, before, after);
  }
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const Vec& way = rows_[i].way;
    rows_[i].rate_of_way = leftJacobianInverseTransposeTimes(way, expCoefficients(dot(way, way)), rows_[i + 1].rate);
  }
}

const PrescribedMotion::Row& PrescribedMotion::rowAt(double time, double& share) const {
  const auto after =
      std::upper_bound(rows_.begin() + 1, rows_.end() - 1, time, [](double t, const Row& row) { return t < row.time; });
  const Row& row = *(after - 1);
  share = std::clamp((time - row.time) / (after->time - row.time), 0.0, 1.0);
  return row;
}

PrescribedMotion::Turning PrescribedMotion::turningAt(const Row& row, double share, double length) const {
  const Hermite<double> h = hermite(share), rate = hermiteRate(share);
  return {h.way * row.way + length * (h.first * row.rate + h.second * row.rate_of_way),
          (1.0 / length) * (rate.way * row.way) + rate.first * row.rate + rate.second * row.rate_of_way};
}

void PrescribedMotion::poseAt(double time, double* q) const {
  const Row& first = rows_[0];
  Vec position = first.position + time * first.slope;
  Quat<double> turn = first.turn * turnBy(time * first.rate);
  if (rows_.size() > 1) {
    double share;
    const Row &row = rowAt(time, share), &next = *(&row + 1);
    const double length = next.time - row.time;
    const Hermite<double> h = hermite(share);
    position =
        row.position + h.way * (next.position - row.position) + length * (h.first * row.slope + h.second * next.slope);
    turn = row.turn * expQuat(turningAt(row, share, length).angle);
  }
  turn = normalized(turn);
  q[0] = position.x, q[1] = position.y, q[2] = position.z;
  q[3] = turn.w, q[4] = turn.x, q[5] = turn.y, q[6] = turn.z;
}

void PrescribedMotion::velocityAt(double time, double* v) const {
  Vec linear = rows_[0].slope, angular = rows_[0].rate;
  if (rows_.size() > 1) {
    double share;
    const Row &row = rowAt(time, share), &next = *(&row + 1);
    const double length = next.time - row.time;
    const Hermite<double> rate = hermiteRate(share);
    linear = (rate.way / length) * (next.position - row.position) + rate.first * row.slope + rate.second * next.slope;
    const Turning turning = turningAt(row, share, length);
    const Mat3<double> Jl = leftJacobian(turning.angle, expCoefficients(dot(turning.angle, turning.angle)));
    angular = transposeTimes(Jl, turning.rate);  // Jr θ̇
  }
  v[0] = linear.x, v[1] = linear.y, v[2] = linear.z;
  v[3] = angular.x, v[4] = angular.y, v[5] = angular.z;
}

std::vector<PrescribedMotion> listMotions(const Scene& scene) {
  std::vector<PrescribedMotion> motions;
  for (int body = 0; body < scene.model.bodyCount(); ++body) {
    if (!scene.model.body(body).kinematic) continue;
    MotionSpec still;
    still.body = body;
    const auto given = std::find_if(scene.motions.begin(), scene.motions.end(),
                                    [&](const MotionSpec& motion) { return motion.body == body; });
    if (given == scene.motions.end()) {
      const auto q = scene.q.segment<7>(scene.model.qIndex(body));
      still.poses.push_back({q.head<3>(), Eigen::Quaterniond(q[3], q[4], q[5], q[6])});
    }
    motions.emplace_back(scene.model, given == scene.motions.end() ? still : *given);
  }
  return motions;
}

void placeKinematic(const std::vector<PrescribedMotion>& motions, double time, Eigen::VectorXd& q, Eigen::VectorXd& v) {
  for (const PrescribedMotion& motion : motions) {
    motion.poseAt(time, q.data() + motion.qIndex());
    motion.velocityAt(time, v.data() + motion.dof());
  }
}

}  // namespace rigor
