// Robots that come as files stand where they are put: legs hold, feet neither sink nor creep.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

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
  run(9000);  // the humanoid sways for some seconds
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

/// Default gains carry the robot, not only its limbs: dropped by 5 cm, within five degrees of where it is held.
class BareRobot : public testing::TestWithParam<std::string> {};

TEST_P(BareRobot, StandsInTheGainsThatItGets) {
  Simulator sim(loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/" + GetParam() + ".urdf"));
  const Eigen::VectorXd start = sim.state().q;
  const double five_degrees = 5.0 * std::numbers::pi / 180.0;
  ASSERT_TRUE(sim.run(2.0).accepted()) << sim.report().explain();
  const Eigen::VectorXd end = sim.state().q;
  EXPECT_LE((end - start).tail(end.size() - 7).cwiseAbs().maxCoeff(), five_degrees);
  EXPECT_GE(std::fabs(end.segment<4>(3).dot(start.segment<4>(3))), std::cos(0.5 * five_degrees));
  EXPECT_NEAR(end[2], start[2] - 0.05, 0.01);  // it came down by its clearance and sags by little
}

INSTANTIATE_TEST_SUITE_P(Models, BareRobot, testing::Values("anymal", "a1"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace rigor
