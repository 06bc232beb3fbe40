#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>

#include "rigor/inverse.h"
#include "rigor/rigor.h"

namespace rigor {
namespace {

Scene loadNamed(const std::string& name) { return loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + name); }

TEST(InverseDynamics, StandingAnymal) {
  Scene scene = loadNamed("anymal_stand.toml");
  Simulator sim(scene);
  sim.run(1.0);
  scene.releaseJoints();
  Simulator free(scene);
  free.restore(sim.save());
  InverseDynamics inverse(free);
  const std::vector<int> joints = InverseDynamics::actuated(scene.model);
  const Eigen::VectorXd q0 = free.state().q;
  double worst = 0.0;
  for (int k = 0; k < 200; ++k) {
    DesiredStep desired{joints, Eigen::VectorXd(joints.size())};
    const double t = 1e-3 * (k + 1);
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const int j = joints[i];
      const double at = q0[j + 1] + 0.1 * std::sin(6.0 * t) * std::sin(6.0 * t) * (j % 3 == 2 ? 2.0 : -1.0) * q0[j + 1];
      desired.velocity[i] = (at - free.state().q[j + 1]) / 1e-3;
    }
    const InverseResult& answer = inverse.solve(free, desired);
    EXPECT_EQ(answer.status, InverseStatus::kSolved) << k << " " << answer.missed << " " << answer.corrections;
    free.input().tau = answer.tau;
    ASSERT_TRUE(free.step().accepted());
    for (std::size_t i = 0; i < joints.size(); ++i)
      worst = std::max(worst, std::fabs(free.state().v[joints[i]] - desired.velocity[i]));
    if (k % 20 == 0)
      std::printf("%d missed %.2e corrections %d contacts %zu tau %g\n", k, answer.missed, answer.corrections,
                  answer.contacts.size(), answer.tau.cwiseAbs().maxCoeff());
  }
  std::printf("worst %.3e  height %g -> %g\n", worst, q0[2], free.state().q[2]);
}

}  // namespace
}  // namespace rigor
