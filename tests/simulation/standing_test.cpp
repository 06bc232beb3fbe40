// Robots that come as files stand where they are put: legs hold, feet neither sink nor creep.
#include <gtest/gtest.h>

#include "rigor/rigor.h"
#include "simulation/tolerance.h"

namespace rigor {
namespace {

struct Standing {
  std::string scene;
  int contacts;   ///< feet on the ground, once it stands
  double height;  ///< of the base, standing straight in the pose that the controller holds [m]
};

class StandingRobot : public testing::TestWithParam<Standing> {};

TEST_P(StandingRobot, LandsOnItsFeetAndStandsStill) {
  const Standing& expected = GetParam();
  Simulator sim(loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + expected.scene + ".toml"));
  double penetration = 0.0;
  const auto run = [&](int steps) {
    for (int i = 0; i < steps; ++i) {
      const StepReport& report = sim.step();
      ASSERT_TRUE(report.accepted()) << report.explain();
      penetration = std::max(penetration, report.penetration);
    }
  };
  run(4000);
  const Eigen::VectorXd before = sim.state().q;
  run(1000);
  EXPECT_LE(penetration, tolerance::kPenetrationMoving);
  EXPECT_LE((sim.state().q - before).cwiseAbs().maxCoeff(), tolerance::kCreep);  // over the last second
  EXPECT_EQ(sim.report().contacts.size(), static_cast<std::size_t>(expected.contacts));
  EXPECT_NEAR(sim.state().q[2], expected.height, 0.02);  // gravity bends the legs of a PD controller by a centimetre
}

INSTANTIATE_TEST_SUITE_P(Scenes, StandingRobot,
                         testing::Values(Standing{"a1_stand", 4, 2 * 0.2 * std::cos(0.9) + 0.02},
                                         Standing{"humanoid_stand", 8, 0.16 + 0.76 * std::cos(0.2)}),
                         [](const auto& info) { return info.param.scene; });

}  // namespace
}  // namespace rigor
