// The twin that judges the dynamics is itself judged by what defines velocity and force: differences and work.
#include "reference/slow_tree.h"

#include <gtest/gtest.h>

#include "reference/random_tree.h"

namespace rigor {
namespace {

constexpr double kStep = 1e-5;  // central differences: error h² ≈ 1e-10 and eps/h ≈ 1e-11

TEST(SlowTree, VelocitiesAreDifferencesOfPoses) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Model model = makeRandomTree(seed);
    Random random(seed);
    const Eigen::VectorXd q = randomPosition(model, random), v = randomVelocity(model, random);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
    const auto now = slow::computeMotions(model, q, v, zero);
    const auto before = slow::computeMotions(model, slow::moveAlong(model, q, v, -kStep), v, zero);
    const auto after = slow::computeMotions(model, slow::moveAlong(model, q, v, kStep), v, zero);
    for (int body = 0; body < model.bodyCount(); ++body) {
      const Eigen::Vector3d velocity = (after[body].p() - before[body].p()) / (2.0 * kStep);
      const Eigen::Matrix3d spin = (after[body].R() - before[body].R()) / (2.0 * kStep) * now[body].R().transpose();
      const Eigen::Vector3d omega(spin(2, 1), spin(0, 2), spin(1, 0));
      // speeds reach 100 m/s in deep trees; h²/6 times their third derivative stays below 1e-4 relative
      const double size = 1.0 + now[body].velocity.norm() + now[body].acceleration.norm();
      EXPECT_LE((velocity - now[body].velocity).norm(), 1e-6 * size) << "seed " << seed << " body " << body;
      EXPECT_LE((omega - now[body].omega).norm(), 1e-6 * size) << "seed " << seed << " body " << body;
      const Eigen::Vector3d acceleration = (after[body].velocity - before[body].velocity) / (2.0 * kStep);
      const Eigen::Vector3d alpha = (after[body].omega - before[body].omega) / (2.0 * kStep);
      EXPECT_LE((acceleration - now[body].acceleration).norm(), 1e-6 * size) << "seed " << seed << " body " << body;
      EXPECT_LE((alpha - now[body].alpha).norm(), 1e-6 * size) << "seed " << seed << " body " << body;
    }
  }
}

TEST(SlowTree, KineticEnergyIsTheQuadraticFormOfTheMassMatrix) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Model model = makeRandomTree(seed);
    Random random(seed);
    const Eigen::VectorXd q = randomPosition(model, random), v = randomVelocity(model, random);
    const double form = 0.5 * v.dot(slow::computeMassMatrix(model, q) * v);
    EXPECT_NEAR(slow::computeKinetic(model, q, v), form, 1e-13 * (1.0 + form)) << "seed " << seed;
  }
}

TEST(SlowTree, ForcesDoTheWorkThatChangesTheEnergy) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Model model = makeRandomTree(seed);
    Random random(seed);
    const Eigen::VectorXd q = randomPosition(model, random), v = randomVelocity(model, random);
    const Eigen::VectorXd vdot = randomVelocity(model, random);
    const auto energyAfter = [&](double h) {
      const Eigen::VectorXd q_h = slow::moveAlong(model, q, v + 0.5 * h * vdot, h), v_h = v + h * vdot;
      return slow::computeKinetic(model, q_h, v_h) + slow::computePotential(model, q_h);
    };
    const double rate = (energyAfter(kStep) - energyAfter(-kStep)) / (2.0 * kStep);
    const double power = v.dot(slow::computeInverseDynamics(model, q, v, vdot));
    const double size = std::abs(power) + slow::computeKinetic(model, q, v);
    EXPECT_NEAR(rate, power, 1e-6 * size) << "seed " << seed;
  }
}

}  // namespace
}  // namespace rigor
