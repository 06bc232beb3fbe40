// Inverse kinematics, warm: four feet of ANYmal follow a step of 1 ms after the other; best of several rounds.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "rigor/algorithms.h"
#include "rigor/inverse_kinematics.h"
#include "rigor/io.h"

namespace {

using namespace rigor;
using Clock = std::chrono::steady_clock;

constexpr int kSteps = 1000;  // of 1 ms: one circle of each foot
constexpr int kRounds = 30;

/// Microseconds per solve, iterations per solve, and the largest miss of all [m].
void follow(const char* name, const Scene& scene, bool base_free) {
  std::vector<IkTask> tasks;
  Data data(scene.model);
  for (const char* foot : {"LF_ADAPTER", "RF_ADAPTER", "LH_ADAPTER", "RH_ADAPTER"}) {
    IkTask task;
    task.body = scene.model.findBody(foot);
    task.X_BF.position = {0.0, 0.0, -0.298};
    task.target.position = framePlacement(scene.model, data, scene.q, task.body) * task.X_BF.position;
    tasks.push_back(task);
  }
  IkOptions options;
  if (!base_free) options.held = {0};
  const std::vector<IkTask> feet = tasks;
  if (base_free) {
    IkTask base;
    base.goal = IkGoal::kPose;
    base.target = {scene.q.head<3>(), Eigen::Quaterniond::Identity()};
    tasks.push_back(base);
  }
  InverseKinematics ik(scene.model, tasks, options);
  double best = 1e300, miss = 0.0;
  int iterations = 0;
  Eigen::VectorXd q = scene.q;
  for (int round = 0; round < kRounds; ++round) {
    iterations = 0;
    const auto begin = Clock::now();
    for (int step = 0; step < kSteps; ++step) {
      const double angle = 2.0 * M_PI * step / kSteps;
      for (int t = 0; t < 4; ++t) {
        Pose target = feet[t].target;
        target.position += Eigen::Vector3d(0.08 * std::sin(angle), 0.0, 0.08 * (1.0 - std::cos(angle)));
        ik.setTarget(t, target);
      }
      const IkReport& report = ik.solve(q);
      iterations += report.iterations;
      miss = std::max(miss, report.residual);
    }
    best = std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - begin).count() / kSteps);
  }
  fmt::print("{:<28} {:>8.2f} us   {:.2f} iterations   {:.1e} m\n", name, best, double(iterations) / kSteps, miss);
}

}  // namespace

int main() {
  const Scene scene = loadScene(std::string(RIGOR_SCENES_DIR) + "/anymal_stand.toml");
  follow("4 feet, base held", scene, false);
  follow("4 feet and a free base", scene, true);
}
