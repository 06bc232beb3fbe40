#include "experiments/gait_learning.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "experiments/a1.h"
#include "experiments/maximal_models.h"
#include "rigor/algorithms.h"

namespace rigor::experiments {
namespace {

constexpr double kLifted = 0.01;                  // [m] the foot at the start
constexpr double kExplore = 0.1, kForget = 0.9;   // size of draws after progress; its factor after none
constexpr double kAlong = 0.01, kAround = 0.002;  // of the direction that led farther, of draws around it
constexpr std::int64_t kTold = 500;               // steps between two looks at the flag

using Numbers = Eigen::Matrix<double, 5, 1>;

/// Normal numbers by Box and Muller: the same for a seed with every standard library.
class NormalDraws {
 public:
  explicit NormalDraws(std::uint64_t seed) : random_(seed) {}

  Numbers draw() {
    Numbers numbers;
    for (double& number : numbers) number = std::sqrt(-2.0 * std::log(uniform())) * std::cos(2.0 * kPi * uniform());
    return numbers;
  }

 private:
  double uniform() { return (static_cast<double>(random_() >> 11) + 0.5) * 0x1p-53; }

  std::mt19937_64 random_;
};

/// Walks one episode; NaN if the robot fell or a step was refused.
double walk(const Scene& robot, const Gait& gait, double seconds, const StopFlag& stop, std::atomic<std::int64_t>& done,
            Learned& learned) {
  const Scene scene = startOf(robot, gait);
  const A1Targets targets(scene);
  SimulatorOptions options;
  options.stop = &stop;
  Simulator simulator(scene, options);
  simulator.wanted() = {};
  const std::int64_t count = std::lround(seconds / scene.dt);
  for (std::int64_t k = 0; k < count; ++k) {
    const double time = scene.dt * static_cast<double>(k + 1);
    targets.set(gait.anglesAt(time, false), gait.anglesAt(time, true), simulator.input().ctrl);
    const StepReport& report = simulator.step();
    if (report.status == StepStatus::kInterrupted) return NAN;
    if ((k + 1) % kTold == 0) done += kTold;
    if (!report.accepted()) {
      if (learned.refused++ == 0) learned.complaint = report.explain();
      return NAN;
    }
    if (simulator.state().q[2] < 0.0) {
      ++learned.fell;
      return NAN;
    }
  }
  return simulator.state().q[0] - scene.q[0];
}

}  // namespace

std::array<double, 3> Gait::anglesAt(double time, bool left_front) const {
  const auto& [b, thigh, thigh_middle, calf, calf_middle] = numbers;
  const double phase = 20.0 * kPi * b * time;
  return {0.0, thigh * std::cos(phase + (left_front ? kPi : 0.0)) + thigh_middle,
          calf * std::cos(phase + (left_front ? 0.5 : -0.5) * kPi) + calf_middle};
}

Scene startOf(const Scene& robot, const Gait& gait) {
  Scene scene = robot;
  for (const char* leg : kA1Legs) setLeg(scene.model, leg, {0.0, gait.numbers[2], gait.numbers[4]}, scene.q);
  scene.q.head<7>() << 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0;
  Data data(scene.model);
  const Eigen::Isometry3d calf = framePlacement(scene.model, data, scene.q, scene.model.findBody("FR_calf"));
  scene.q[2] = kLifted + kPointRadius - (calf * Eigen::Vector3d(0.0, 0.0, -0.2)).z();
  return scene;
}

Learned learnGait(const Scene& robot, const LearningOptions& options, const StopFlag& stop,
                  std::atomic<std::int64_t>& done) {
  Learned learned;
  learned.seed = options.seed;
  NormalDraws draws(options.seed);
  double explore = kExplore, farthest = 0.0;
  Numbers direction = Numbers::Zero();
  Eigen::Map<Numbers> best(learned.best.numbers.data());
  for (int episode = 0; episode < options.episodes && !isRaised(&stop); ++episode) {
    const Numbers draw = draws.draw();
    Gait gait = learned.best;
    Eigen::Map<Numbers> tried(gait.numbers.data());
    if (direction.isZero())
      tried += explore * draw;
    else
      tried += kAround * draw + kAlong * direction;
    const double distance = walk(robot, gait, options.seconds, stop, done, learned);
    if (distance > farthest) {
      direction = (tried - best).normalized();
      learned.best = gait;
      farthest = distance;
      explore = kExplore;
    } else {
      direction.setZero();
      explore *= kForget;
    }
    learned.distance.push_back(distance);
    learned.farthest.push_back(farthest);
  }
  return learned;
}

}  // namespace rigor::experiments
