// Motions of all freedoms: forces that make them, or the proof that none do.
#include <gtest/gtest.h>

#include "inverse/standing.h"

namespace rigor {
namespace {

// What the simulator did under PD, torques of inverse dynamics do, too.
TEST(MotionOfAllFreedoms, OfARunIsMadeByTheTorquesThatAreFoundForIt) {
  Stand stand("anymal_stand");
  InverseDynamics by_joints(stand.sim), whole(stand.sim);
  MotionOptions exact;  // a run is no plan: what stands, stands
  exact.rest = exact.closed = 1e-9;
  for (int k = 0; k < 50; ++k) {
    const InverseResult& told = by_joints.solve(stand.sim, stand.squat(1e-3 * (k + 1)));
    const InverseResult& answer = whole.solveMotion(stand.sim, told.velocity, stand.joints, exact);
    ASSERT_EQ(answer.status, InverseStatus::kSolved) << k;
    // terms at the mean velocity are extrapolated in a step, and exact here: known to 1e-7 of the speed
    ASSERT_LE(answer.missed, 1e-8) << k;
    stand.sim.input().tau = told.tau;
    ASSERT_TRUE(stand.sim.step().accepted());
  }
}

TEST(MotionOfAllFreedoms, OfStandingInTheAirIsProvedToBeImpossible) {
  Scene scene = loadReleased("anymal_stand");
  scene.q[2] = 2.0;
  Simulator sim(scene);
  InverseDynamics inverse(sim);
  const Eigen::VectorXd still = Eigen::VectorXd::Zero(scene.model.nv());
  const InverseResult& answer = inverse.solveMotion(sim, still, InverseDynamics::actuated(scene.model));
  EXPECT_EQ(answer.status, InverseStatus::kInfeasible);
  ASSERT_EQ(answer.certificate.size(), static_cast<std::size_t>(scene.model.nv()));
  EXPECT_GT(answer.certificate[2], 0.0);  // upwards: somebody would have to carry it
  EXPECT_GT(answer.proof, 1e3);
  // The nearest to it: joints that stand still while the robot falls for half a kick.
  EXPECT_NEAR(answer.velocity[2], -9.81 * 0.5e-3, 1e-9);
}

TEST(MotionOfAllFreedoms, MayNotPullAtTheGround) {
  Stand stand("anymal_stand");
  InverseDynamics inverse(stand.sim);
  Eigen::VectorXd velocity = stand.sim.state().v;
  velocity[2] -= 0.02;  // 20 m/s² downwards, faster than it falls: legs would have to pull, were they not in the ground
  const InverseResult& answer = inverse.solveMotion(stand.sim, velocity, stand.joints);
  EXPECT_EQ(answer.status, InverseStatus::kInfeasible);
  EXPECT_GT(answer.overlap, 1e-5);
}

TEST(MotionOfAllFreedoms, TakesForcesThatAreGiven) {
  Stand stand("anymal_stand");
  InverseDynamics by_joints(stand.sim), whole(stand.sim);
  const InverseResult told = by_joints.solve(stand.sim, stand.squat(1e-3));
  MotionOptions given;
  given.contacts = ContactUse::kGiven;
  for (const ContactForce& force : told.contacts) {
    const Eigen::Vector3d f = force.contact.impulse / 1e-3;
    given.given.push_back({force.contact.id, {f.z(), f.x(), f.y()}});
  }
  const InverseResult& answer = whole.solveMotion(stand.sim, told.velocity, stand.joints, given);
  EXPECT_EQ(answer.status, InverseStatus::kSolved);
  EXPECT_LE((answer.tau - told.tau).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(BadRequests, AreRefusedWithAReason) {
  Stand stand("anymal_stand");
  InverseDynamics inverse(stand.sim);
  const int nv = stand.sim.scene().model.nv();
  const Eigen::VectorXd one = Eigen::VectorXd::Zero(1);
  EXPECT_THROW(inverse.solve(stand.sim, {{}, Eigen::VectorXd()}), Error);
  EXPECT_THROW(inverse.solve(stand.sim, {{6}, Eigen::VectorXd()}), Error);
  EXPECT_THROW(inverse.solve(stand.sim, {{nv}, one}), Error);
  EXPECT_THROW(inverse.solve(stand.sim, {{8, 7}, Eigen::VectorXd::Zero(2)}), Error);
  EXPECT_THROW(inverse.solve(stand.sim, {{7}, Eigen::VectorXd::Constant(1, std::nan(""))}), Error);
  EXPECT_THROW(inverse.solveMotion(stand.sim, one, {6}), Error);
  EXPECT_THROW(inverse.solveMotion(stand.sim, Eigen::VectorXd::Zero(nv), {}), Error);
  InverseOptions options;
  options.limits = one;
  EXPECT_THROW(InverseDynamics(stand.sim, options), Error);
}

}  // namespace
}  // namespace rigor
