// Contacts without friction push and never pull.
#include <gtest/gtest.h>

#include "simulation/simple_scenes.h"

namespace rigor {
namespace {

TEST(FrictionlessBall, LeavesTheFloorWhenItIsLifted) {
  for (double mu : {0.0, -0.0, 0.5}) {
    Simulator sim(ballOnIncline(0.0, 0.0, mu));
    const double weight = 1000.0 * 4.0 / 3.0 * kPi * 1e-3 * kGravity;
    sim.input().tau = Eigen::VectorXd::Zero(6);
    sim.input().tau[2] = 2.0 * weight;
    for (int i = 0; i < 100; ++i) {
      const StepReport& report = sim.step();
      ASSERT_TRUE(report.accepted()) << report.explain();
      for (const Contact& contact : report.contacts) ASSERT_GE(contact.impulse.z(), 0.0);
    }
    // g upwards for 0.1 s
    EXPECT_NEAR(sim.state().q[2] - 0.1, 0.5 * kGravity * 0.01, 1e-9) << mu;
  }
}

}  // namespace
}  // namespace rigor
