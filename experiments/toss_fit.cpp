#include "experiments/toss_fit.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "experiments/toss_start.h"

namespace rigor::experiments {
namespace {

double middleOf(std::vector<double> values) {
  if (values.empty()) return 1.0;  // nothing measured: lengths are taken as true
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// Second derivative of the height of a flight, by least squares.
double fallOf(const Toss& toss, int frames) {
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
  Eigen::Vector3d b = Eigen::Vector3d::Zero();
  for (int k = 0; k < frames; ++k) {
    const double t = k * toss.period;
    const Eigen::Vector3d row(1.0, t, -0.5 * t * t);
    A += row * row.transpose();
    b += toss.positions[k].z() * row;
  }
  return A.ldlt().solve(b)[2];
}

struct Sample {
  double x, y, value;  ///< x and y in [−1, 1]
};

/// Lowest point in the square of the quadratic nearest to the samples.
Eigen::Vector2d lowestPoint(const std::vector<Sample>& samples) {
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  const auto terms = [](double x, double y) { return (Vector6() << 1.0, x, y, x * x, x * y, y * y).finished(); };
  Eigen::Matrix<double, 6, 6> A = Eigen::Matrix<double, 6, 6>::Zero();
  Vector6 b = Vector6::Zero();
  for (const Sample& s : samples) {
    A += terms(s.x, s.y) * terms(s.x, s.y).transpose();
    b += s.value * terms(s.x, s.y);
  }
  const Vector6 c = A.ldlt().solve(b);
  constexpr int kSide = 100;
  Eigen::Vector2d best(0.0, 0.0);
  for (int i = -kSide; i <= kSide; ++i)
    for (int j = -kSide; j <= kSide; ++j) {
      const Eigen::Vector2d at(static_cast<double>(i) / kSide, static_cast<double>(j) / kSide);
      if (c.dot(terms(at.x(), at.y())) < c.dot(terms(best.x(), best.y()))) best = at;
    }
  return best;
}

}  // namespace

MeasuredScale measureScale(const std::vector<Toss>& tosses) {
  constexpr double kFlat = 0.9995;  // cosine of 1.8 degrees
  constexpr int kLeastFlight = 10;  // frames from which a curvature can be told
  std::vector<double> rests, falls;
  const CubeModel as_given;
  for (const Toss& toss : tosses) {
    const Eigen::Matrix3d R = toss.orientations.back().toRotationMatrix();
    if (R.row(2).cwiseAbs().maxCoeff() > kFlat) rests.push_back(2.0 * toss.positions.back().z() / as_given.edge());
    const int flight = countFlight(toss, as_given.edge(), toss.frames());
    if (flight >= kLeastFlight) falls.push_back(fallOf(toss, flight) / as_given.gravity());
  }
  return {middleOf(rests), middleOf(falls)};
}

CubeModel fitContact(const std::vector<Toss>& tosses, const CubeModel& guess, const RolloutSettings& settings,
                     const std::function<void()>& watch) {
  constexpr int kFrictions = 7, kRestitutions = 6;
  static_assert(2 * kFrictions * kRestitutions == kFitSamples);
  CubeModel best = guess;
  double width = 0.04, height = 0.125;  // half of the grid, in friction and restitution
  for (int round = 0; round < 2; ++round) {
    const double mu = std::max(best.friction, width), e = std::clamp(best.restitution, height, 1.0 - height);
    std::vector<Sample> samples;
    for (int i = 0; i < kFrictions; ++i)
      for (int j = 0; j < kRestitutions; ++j) {
        watch();
        const double x = 2.0 * i / (kFrictions - 1) - 1.0, y = 2.0 * j / (kRestitutions - 1) - 1.0;
        CubeModel cube = guess;
        cube.friction = mu + width * x;
        cube.restitution = std::max(0.0, e + height * y);
        samples.push_back({x, y, scoreOf(rollOut(tosses, cube, settings)).position_mean});
      }
    const Eigen::Vector2d at = lowestPoint(samples);
    best.friction = mu + width * at.x();
    best.restitution = std::max(0.0, e + height * at.y());
    width /= 3.0;
    height /= 3.0;
  }
  return best;
}

}  // namespace rigor::experiments
