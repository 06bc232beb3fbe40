// Where the motion leaves forces open: which are chosen, that the motion stays, what limits allow.
#include <gtest/gtest.h>

#include "inverse/standing.h"

namespace rigor {
namespace {

double sumOfSquares(const InverseResult& answer) {
  double sum = 0.0;
  for (const ContactForce& force : answer.contacts) sum += force.contact.impulse.squaredNorm();
  return sum;
}

InverseOptions choosing(ForceChoice choice) {
  InverseOptions options;
  options.choice = choice;
  return options;
}

TEST(ForcesOfAStandingRobot, AreThoseThatWereAskedFor) {
  Stand stand("anymal_stand");
  const DesiredStep desired = stand.still();
  InverseDynamics found(stand.sim), least_force(stand.sim, choosing(ForceChoice::kLeastForce)),
      least_torque(stand.sim, choosing(ForceChoice::kLeastTorque)), near(stand.sim, choosing(ForceChoice::kNearLast));
  const InverseResult& a = found.solve(stand.sim, desired);
  const InverseResult& b = least_force.solve(stand.sim, desired);
  const InverseResult& c = least_torque.solve(stand.sim, desired);
  const InverseResult& d = near.solve(stand.sim, desired);
  for (const InverseResult* answer : {&a, &b, &c, &d}) {
    EXPECT_EQ(answer->status, InverseStatus::kSolved) << answer->missed;
    // the step is the same, with other forces: rounding of impulses of 0.1 N s over masses of 0.1 kg
    EXPECT_LE((answer->velocity - a.velocity).cwiseAbs().maxCoeff(), 1e-11);
  }
  EXPECT_LT(sumOfSquares(b), sumOfSquares(a));
  EXPECT_LT(c.tau.squaredNorm(), b.tau.squaredNorm());
  EXPECT_LT(sumOfSquares(b), sumOfSquares(c));
}

// A way through the null space changes no force on the base, and the least forces are across all of it.
TEST(ForcesOfAStandingRobot, HaveANullSpaceThatTheLeastForceIsAcrossOf) {
  Stand stand("anymal_stand");
  InverseDynamics inverse(stand.sim, choosing(ForceChoice::kLeastForce));
  const InverseResult& answer = inverse.solve(stand.sim, stand.still());
  ASSERT_EQ(answer.contacts.size(), 4u);
  const Eigen::MatrixXd open = inverse.nullSpace();
  ASSERT_EQ(open.cols(), 6);  // twelve forces, six freedoms of the base
  Eigen::VectorXd forces(12);
  for (int i = 0; i < 4; ++i) {
    const Contact& contact = answer.contacts[i].contact;
    EXPECT_EQ(contact.mode, ContactMode::kStick);
    EXPECT_GT(answer.contacts[i].margin, 0.3);
    // the floor is z = 0 and its tangents are x and y, in this order or turned by right angles
    forces.segment<3>(3 * i) << contact.impulse.z(), contact.impulse.x(), contact.impulse.y();
  }
  for (int k = 0; k < 6; ++k) {
    double lift = 0.0;
    for (int i = 0; i < 4; ++i) lift += open(3 * i, k);
    EXPECT_NEAR(lift, 0.0, 1e-12 * open.col(k).norm());  // a sum of four numbers
  }
  // torques count as well, by 1e-6
  EXPECT_LE((open.transpose() * forces).norm(), 1e-5 * open.norm() * forces.norm());
}

TEST(LimitsOfTorque, AreKeptByOtherForcesBeforeTheMotionIsMissed) {
  Stand stand("anymal_stand");
  const DesiredStep desired = stand.still();
  InverseDynamics least(stand.sim, choosing(ForceChoice::kLeastTorque));
  const double most = least.solve(stand.sim, desired).tau.cwiseAbs().maxCoeff();
  InverseOptions options = choosing(ForceChoice::kLeastTorque);
  options.limits = Eigen::VectorXd::Constant(stand.sim.scene().model.nv(), 0.99 * most);
  InverseDynamics limited(stand.sim, options);
  const InverseResult& answer = limited.solve(stand.sim, desired);
  EXPECT_EQ(answer.status, InverseStatus::kSolved) << answer.missed;
  EXPECT_TRUE(answer.rechosen);
  EXPECT_LE(answer.tau.cwiseAbs().maxCoeff(), 0.99 * most * (1.0 + 1e-9));  // of forces known to 1e-10
}

TEST(LimitsOfTorque, AreKeptWhereTheMotionIsMissedForThem) {
  Stand stand("anymal_stand");
  InverseOptions options;
  options.limits = Eigen::VectorXd::Constant(stand.sim.scene().model.nv(), 4.0);  // legs need more
  InverseDynamics limited(stand.sim, options);
  const InverseResult& answer = limited.solve(stand.sim, stand.still());
  EXPECT_EQ(answer.status, InverseStatus::kLimited) << answer.missed;
  EXPECT_LE(answer.tau.cwiseAbs().maxCoeff(), 4.0 * (1.0 + 1e-12));
  EXPECT_GT(answer.missed, 1e-5);
}

}  // namespace
}  // namespace rigor
