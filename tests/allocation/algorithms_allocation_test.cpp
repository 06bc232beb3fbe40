// The public algorithms own their memory: after one call of each, none allocates.
#include <gtest/gtest.h>

#include "reference/allocation_counter.h"
#include "rigor/algorithms.h"
#include "rigor/io.h"
#include "rigor/motion.h"

namespace rigor {
namespace {

void expectNoAllocation(const Model& model) {
  Data data(model);
  const Eigen::VectorXd q = model.q0(), v = Eigen::VectorXd::LinSpaced(model.nv(), -0.5, 0.5);
  Eigen::VectorXd next(model.nq()), way(model.nv());
  const int body = model.bodyCount() - 1;
  const Wrenches wrenches = {{body, {1, 2, 3}, {4, 5, 6}}, {0, {1, 2, 3}, {4, 5, 6}, false}};
  const std::vector<ContactFrame> contacts = {{body, {0, 0, 0}}, {0, {0, 0, 0}, Eigen::Matrix3d::Identity(), body}};
  const Eigen::VectorXd impulses = Eigen::VectorXd::Ones(6);
  MotionTable motion{{0.0, 1.0}, {q, integrate(model, q, v)}, {v, v}};
  MotionState at;
  const auto callAll = [&] {
    sampleMotion(model, motion, 0.3, at);
    integrate(model, q, v, next);
    difference(model, q, next, way);
    forwardKinematics(model, data, q);
    frameVelocity(model, data, q, v, body);
    frameAcceleration(model, data, q, v, v, body);
    computeJointJacobians(model, data, q);
    getFrameJacobian(model, data, q, body);
    getFrameJacobianTimeVariation(model, data, q, v, body);
    rnea(model, data, q, v, v);
    aba(model, data, q, v, v);
    rnea(model, data, q, v, v, wrenches);
    aba(model, data, q, v, v, wrenches);
    nonLinearEffects(model, data, q, v);
    computeGeneralizedGravity(model, data, q);
    crba(model, data, q);
    computeMinverse(model, data, q);
    computeCoriolisMatrix(model, data, q, v);
    computeSpringForces(model, data, q);
    computeDamperForces(model, data, q, v);
    computeRNEADerivatives(model, data, q, v, v, wrenches);
    computeABADerivatives(model, data, q, v, v, wrenches);
    computeForceDerivative(model, data, q, body, {0, 0, 0}, {1, 2, 3});
    computeDelassus(model, data, q, contacts);
    computeDelassus(model, data, q, contacts, DelassusMethod::kChains);
    computeDelassus(model, data, q, contacts, DelassusMethod::kRecursion);
    applyDelassus(model, data, q, contacts, impulses);
    centerOfMass(model, data, q, v);
    computeCentroidalMap(model, data, q);
    computeCentroidalMomentum(model, data, q, v);
    computeKineticEnergy(model, data, q, v);
    computePotentialEnergy(model, data, q);
    computeSpringEnergy(model, data, q);
  };
  callAll();
  AllocationScope scope;
  callAll();
  EXPECT_EQ(scope.count(), 0);
}

TEST(Algorithms, AllocateNothingAfterTheirFirstCallOnARobotWithLimbs) {
  expectNoAllocation(loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/anymal_stand.toml").model);
}

TEST(Algorithms, AllocateNothingAfterTheirFirstCallOnALongChain) {
  ModelBuilder builder;
  for (int i = 0; i < 30; ++i) {
    BodySpec link;
    link.parent = i - 1;
    link.joint.type = kHinge;
    link.joint.X_PJ.position = {0.0, 0.0, -0.1};
    link.joint.axis = i % 2 == 0 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
    link.mass = {1.0, {0.0, 0.0, -0.05}, 0.01 * Eigen::Matrix3d::Identity()};
    builder.addBody(link);
  }
  expectNoAllocation(builder.build());
}

}  // namespace
}  // namespace rigor
