// Motions: checked, differentiated and sampled (rigor/motion.h).
#include "rigor/motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/integrate.h"
#include "math/dual.h"
#include "math/hermite.h"
#include "rigor/algorithms.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kMostTurn = 3.0;  // [rad] from row to row

/// Two rows and where between them.
struct Piece {
  std::size_t row;  ///< the first of the two
  double length;    ///< [s]
  double s;         ///< 0 … 1
};

/// The way from row i to the next one, in the tangent space at row i.
void findWay(const Model& model, const MotionTable& motion, std::size_t i, Eigen::VectorXd& way) {
  difference(model.topology(), motion.q[i].data(), motion.q[i + 1].data(), way.data());
}

/// Coordinates that add: position, velocity and acceleration of one cubic.
void sampleStraight(const Piece& piece, double from, double to, double slope, double end_slope, double& q, double& v,
                    double& a) {
  const double length = piece.length, way = to - from;
  const Hermite<double> at = hermite(piece.s), rate = hermiteRate(piece.s);
  q = from + at.way * way + length * (at.first * slope + at.second * end_slope);
  v = rate.way * (way / length) + rate.first * slope + rate.second * end_slope;
  a = ((6.0 - 12.0 * piece.s) * (way / length) + (6.0 * piece.s - 4.0) * slope + (6.0 * piece.s - 2.0) * end_slope) /
      length;
}

/// A quaternion: θ on its cubic, ω = Jr(θ) θ̇, and ω̇ by dual numbers in s.
void sampleTurn(const Piece& piece, const double* from, const double* to, const double* omega, const double* end_omega,
                double* q, double* v, double* a) {
  using Rate = Dual<1>;
  const Quat<double> start{from[0], from[1], from[2], from[3]}, back{from[0], -from[1], -from[2], -from[3]};
  const Vec way = logQuat(back * Quat<double>{to[0], to[1], to[2], to[3]});
  const Vec slope{omega[0], omega[1], omega[2]};
  const Vec end_slope = leftJacobianInverseTransposeTimes(way, expCoefficients(dot(way, way)),
                                                          {end_omega[0], end_omega[1], end_omega[2]});
  const double length = piece.length;
  const Hermite<Rate> at = hermite(Rate::variable(piece.s)), rate = hermiteRate(Rate::variable(piece.s));
  const auto thetaOf = [&](double w, double first, double second) {
    return at.way * w + length * (at.first * first + at.second * second);
  };
  const auto rateOf = [&](double w, double first, double second) {
    return rate.way * (w / length) + rate.first * first + rate.second * second;
  };
  const Vec3<Rate> theta{thetaOf(way.x, slope.x, end_slope.x), thetaOf(way.y, slope.y, end_slope.y),
                         thetaOf(way.z, slope.z, end_slope.z)};
  const Vec3<Rate> theta_rate{rateOf(way.x, slope.x, end_slope.x), rateOf(way.y, slope.y, end_slope.y),
                              rateOf(way.z, slope.z, end_slope.z)};
  const Vec3<Rate> turning = transposeTimes(leftJacobian(theta, expCoefficients(dot(theta, theta))), theta_rate);
  const Quat<double> turned = normalized(start * expQuat(Vec{theta.x.value, theta.y.value, theta.z.value}));
  q[0] = turned.w, q[1] = turned.x, q[2] = turned.y, q[3] = turned.z;
  const Rate* omega_at[3] = {&turning.x, &turning.y, &turning.z};
  for (int k = 0; k < 3; ++k) {
    v[k] = omega_at[k]->value;
    a[k] = omega_at[k]->tangent[0] / length;
  }
}

void checkTurns(const Model& model, const MotionTable& motion) {
  const Topology& topology = model.topology();
  Eigen::VectorXd way(model.nv());
  for (std::size_t i = 0; i + 1 < motion.q.size(); ++i) {
    findWay(model, motion, i, way);
    for (int link = 0; link < topology.links; ++link) {
      if (topology.joint[link].rotation != Rotation::kAll) continue;
      const double turn = way.segment<3>(topology.v_index[link] + topology.dofs[link] - 3).norm();
      if (turn > kMostTurn)
        throw Error(fmt::format("the motion turns by {:.3g} rad from row {} to the next", turn, i + 1),
                    "Half a turn could go either way round: put a row between them.");
    }
  }
}

}  // namespace

void checkMotion(const Model& model, const MotionTable& motion) {
  const std::size_t n = motion.time.size();
  if (motion.q.size() != n || motion.v.size() != n)
    throw Error(fmt::format("the motion has {} times, {} rows of q and {} of v", n, motion.q.size(), motion.v.size()),
                "Give one row of each per time.");
  if (n < 2)
    throw Error(fmt::format("the motion has {} rows", n), "Give two at least; equal rows mean standing still.");
  for (std::size_t i = 0; i < n; ++i) {
    const double before = i == 0 ? -std::numeric_limits<double>::infinity() : motion.time[i - 1];
    if (!std::isfinite(motion.time[i]) || !(motion.time[i] > before))
      throw Error(fmt::format("time {} s in row {} is not after the time before", motion.time[i], i + 1),
                  "Sort the rows: times must be finite and rise.");
    try {
      checkState(model, motion.q[i], motion.v[i]);
    } catch (const Error& error) {
      throw Error(fmt::format("row {}: {}", i + 1, error.problem()), error.remedy());
    }
  }
  checkTurns(model, motion);
}

void deriveVelocities(const Model& model, MotionTable& motion) {
  const std::size_t n = motion.time.size();
  motion.v.assign(n, Eigen::VectorXd::Zero(model.nv()));
  checkMotion(model, motion);
  // mean velocities of the pieces; a turn about its own axis has the same coordinates at both ends
  std::vector<Eigen::VectorXd> mean(n - 1, Eigen::VectorXd(model.nv()));
  std::vector<double> length(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    length[i] = motion.time[i + 1] - motion.time[i];
    findWay(model, motion, i, mean[i]);
    mean[i] /= length[i];
  }
  motion.v.front() = mean.front();
  motion.v.back() = mean.back();
  if (n == 2) return;
  for (std::size_t i = 1; i + 1 < n; ++i)
    motion.v[i] = (length[i] * mean[i - 1] + length[i - 1] * mean[i]) / (length[i - 1] + length[i]);
  motion.v.front() += (length[0] / (length[0] + length[1])) * (mean[0] - mean[1]);
  motion.v.back() += (length[n - 2] / (length[n - 2] + length[n - 3])) * (mean[n - 2] - mean[n - 3]);
}

void sampleMotion(const Model& model, const MotionTable& motion, double time, MotionState& state) {
  const std::size_t n = motion.time.size();
  if (n < 2 || motion.q.size() != n || motion.v.size() != n || motion.q[0].size() != model.nq() || !std::isfinite(time))
    throw Error("the motion does not belong to the model, or the time is not finite",
                "Check the motion once with checkMotion.");
  state.q.resize(model.nq());
  state.v.setZero(model.nv());
  state.a.setZero(model.nv());
  if (time < motion.time.front() || time > motion.time.back()) {
    state.q = time < motion.time.front() ? motion.q.front() : motion.q.back();
    return;
  }
  const auto after = std::upper_bound(motion.time.begin() + 1, motion.time.end() - 1, time);
  const std::size_t i = static_cast<std::size_t>(after - motion.time.begin()) - 1;
  const double length = motion.time[i + 1] - motion.time[i];
  const Piece piece{i, length, (time - motion.time[i]) / length};
  const Eigen::VectorXd &q0 = motion.q[i], &q1 = motion.q[i + 1], &v0 = motion.v[i], &v1 = motion.v[i + 1];
  const Topology& topology = model.topology();
  for (int link = 0; link < topology.links; ++link) {
    const JointType type = topology.joint[link];
    int qi = topology.q_index[link], vi = topology.v_index[link];
    const int straight = type.rotation == Rotation::kAll ? translationCount(type) : velocityCount(type);
    for (int k = 0; k < straight; ++k, ++qi, ++vi)
      sampleStraight(piece, q0[qi], q1[qi], v0[vi], v1[vi], state.q[qi], state.v[vi], state.a[vi]);
    if (type.rotation == Rotation::kAll)
      sampleTurn(piece, &q0[qi], &q1[qi], &v0[vi], &v1[vi], &state.q[qi], &state.v[vi], &state.a[vi]);
  }
}

}  // namespace rigor
