// forward(inverse(x)) = x: an ordinary step with the torques of inverse dynamics ends with what was asked for.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "inverse/standing.h"

namespace rigor {
namespace {

/// A velocity that leads no farther than the end of the joint's range.
double withinRange(const Scene& scene, const State& state, int dof, double velocity) {
  for (const ModelJoint& joint : scene.model.joints())
    if (joint.v_index == dof && joint.spec.range)
      return std::clamp(velocity, (joint.spec.range->lower - state.q[joint.q_index]) / scene.dt,
                        (joint.spec.range->upper - state.q[joint.q_index]) / scene.dt);
  return velocity;
}

struct Fall {
  std::string scene;
  double height;  ///< [m] the base is lifted by
  int solved;     ///< of a thousand, at least
  int coarse;     ///< of these, steps that miss by more than 1e-11, at most
};

class FallingRobot : public testing::TestWithParam<Fall> {};

// The robot falls limp, tumbles on the ground and is asked in a thousand of its states for any accelerations of its joints.
TEST_P(FallingRobot, FollowsInAThousandStatesWhateverItsJointsAreAskedFor) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  Scene scene = loadReleased(GetParam().scene);
  const std::vector<int> joints = InverseDynamics::actuated(scene.model);
  int states = 0, solved = 0, hits = 0, coarse = 0, with_contact[9] = {};
  double worst = 0.0;
  for (int fall = 0; fall < 10; ++fall) {
    Scene start = scene;
    start.q[2] += GetParam().height * fall / 10.0;
    for (int j = 0; j < start.v.size(); ++j) start.v[j] = 0.5 * normal(random);
    Simulator sim(start);
    InverseDynamics inverse(sim);
    for (int k = 0; k < 500 && sim.step().accepted(); ++k) {
      if (k % 5 != 0) continue;
      DesiredStep desired{joints, Eigen::VectorXd(joints.size())};
      for (std::size_t i = 0; i < joints.size(); ++i)
        desired.velocity[i] =
            withinRange(scene, sim.state(), joints[i], sim.state().v[joints[i]] + 1e-3 * 20.0 * normal(random));
      const InverseResult& answer = inverse.solve(sim, desired);
      ++states;
      ++with_contact[std::min<std::size_t>(answer.contacts.size(), 8)];
      const bool is_solved = answer.status == InverseStatus::kSolved;
      hits += answer.substeps > 1 && is_solved;
      solved += is_solved;
      if (!is_solved || answer.substeps > 1) continue;
      Simulator again(sim);  // a fork that knows nothing of the answer but its torques
      again.input().tau = answer.tau;
      ASSERT_TRUE(again.step().accepted());
      double missed = 0.0;
      for (std::size_t i = 0; i < joints.size(); ++i)
        missed = std::max(missed, std::fabs(again.state().v[joints[i]] - desired.velocity[i]));
      coarse += missed > 1e-11;
      worst = std::max(worst, missed);
    }
  }
  EXPECT_EQ(states, 1000);
  EXPECT_GT(with_contact[4], 100);  // or the falls say nothing
  EXPECT_GT(hits, 0);
  // Steps that hit something end with velocities that jump with the torque: some have no answer, of some none is found.
  EXPECT_GE(solved, GetParam().solved);
  // Velocities of 1 to 20 rad/s. A step takes its mean velocity anew where that misses more than 1e-7 of the speed, and keeps it
  // where it does not; what lies in the gap between both ends is reached by neither.
  EXPECT_LE(coarse, GetParam().coarse);
  EXPECT_LE(worst, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Robots, FallingRobot,
                         testing::Values(Fall{"anymal_stand", 0.3, 960, 10}, Fall{"a1_stand", 0.3, 950, 40},
                                         Fall{"humanoid_stand", 0.2, 940, 60}),
                         [](const auto& info) { return info.param.scene; });

// Squats: the base rises and sinks over feet that stand.
TEST(StandingAnymal, SquatsAsItsJointsAreTold) {
  Stand stand("anymal_stand");
  InverseDynamics inverse(stand.sim);
  double worst = 0.0;
  for (int k = 0; k < 500; ++k) {
    const InverseResult& answer = inverse.solve(stand.sim, stand.squat(1e-3 * (k + 1)));
    ASSERT_EQ(answer.status, InverseStatus::kSolved) << k << ": missed " << answer.missed;
    stand.sim.input().tau = answer.tau;
    ASSERT_TRUE(stand.sim.step().accepted());
    worst = std::max(worst, stand.missed(1e-3 * (k + 1)));
  }
  EXPECT_LE(worst, 1e-14);  // [rad] the sum of no errors: every step is asked for the pose, not for a change
}

}  // namespace
}  // namespace rigor
