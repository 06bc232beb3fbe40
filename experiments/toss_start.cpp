#include "experiments/toss_start.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rigor::experiments {
namespace {

Eigen::Quaterniond turnBy(const Eigen::Vector3d& rotation) {
  const double angle = rotation.norm();
  return angle > 0.0 ? Eigen::Quaterniond(Eigen::AngleAxisd(angle, rotation / angle)) : Eigen::Quaterniond::Identity();
}

/// The line a + b t that lies nearest to values at t = 0, period, 2 period, …
class LineFit {
 public:
  explicit LineFit(double period) : period_(period) {}
  void add(const Eigen::Vector3d& value) {
    const double t = period_ * count_++;
    sum_t_ += t;
    sum_tt_ += t * t;
    sum_ += value;
    sum_t_value_ += t * value;
  }
  Eigen::Vector3d slope() const { return (count_ * sum_t_value_ - sum_t_ * sum_) / determinant(); }
  Eigen::Vector3d start() const { return (sum_tt_ * sum_ - sum_t_ * sum_t_value_) / determinant(); }

 private:
  double determinant() const { return count_ * sum_tt_ - sum_t_ * sum_t_; }
  double period_;
  int count_ = 0;
  double sum_t_ = 0.0, sum_tt_ = 0.0;
  Eigen::Vector3d sum_ = Eigen::Vector3d::Zero(), sum_t_value_ = Eigen::Vector3d::Zero();
};

}  // namespace

Eigen::Vector3d rotationVector(const Eigen::Quaterniond& turn) {
  const Eigen::AngleAxisd rotation(turn);  // 0 to 2π
  const double angle =
      rotation.angle() > std::numbers::pi ? rotation.angle() - 2.0 * std::numbers::pi : rotation.angle();
  return angle * rotation.axis();
}

TossStart startFromFirstFrame(const Toss& toss, double gravity) {
  const Eigen::Vector3d fall(0.0, 0.0, -0.5 * toss.period * gravity);
  return {toss.positions[0], toss.velocity + fall, toss.orientations[0], toss.angular_velocity};
}

int countFlight(const Toss& toss, double edge, int most) {
  constexpr double kClear = 4e-3;  // [m] the board is known to a few millimetres
  int frames = 0;
  while (frames < std::min(most, toss.frames())) {
    const Eigen::Matrix3d R = toss.orientations[frames].toRotationMatrix();
    if (toss.positions[frames].z() - 0.5 * edge * R.row(2).cwiseAbs().sum() < kClear) break;
    ++frames;
  }
  return std::max(frames, 3);
}

TossStart startFromFlight(const Toss& toss, double edge, double gravity, int most) {
  const int frames = countFlight(toss, edge, most);
  LineFit line(toss.period);
  for (int k = 0; k < frames; ++k) {
    const double t = k * toss.period;
    line.add(toss.positions[k] + Eigen::Vector3d(0.0, 0.0, 0.5 * gravity * t * t));
  }
  TossStart start{line.start(), line.slope(), toss.orientations[0],
                  rotationVector(toss.orientations[0].conjugate() * toss.orientations[1]) / toss.period};
  for (int round = 0; round < 6; ++round) {
    LineFit left(toss.period);
    for (int k = 0; k < frames; ++k) {
      const Eigen::Quaterniond turned = turnBy(k * toss.period * start.angular_velocity);
      left.add(turned * rotationVector((start.orientation * turned).conjugate() * toss.orientations[k]));
    }
    start.orientation = start.orientation * turnBy(left.start());
    start.angular_velocity += left.slope();
  }
  return start;
}

}  // namespace rigor::experiments
