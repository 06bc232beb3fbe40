// The orders of all integrators, measured: the error after a fixed time is ∝ hᵖ.
#include <gtest/gtest.h>

#include "simulation/motions.h"

namespace rigor {
namespace {

struct Motion {
  const char* name;
  Scene scene;
  double seconds;
  double coarse[6];  ///< coarsest step for a method of order 1 … 5 [s]: errors fall in the range of their leading term
};

/// p of error ∝ hᵖ from steps h and h/2.
double measuredOrder(const Motion& motion, const IntegratorInfo& info, const Eigen::VectorXd& truth) {
  const double h = motion.coarse[info.order];
  const std::string name(info.name);
  const double coarse = distance(positionAfter(motion.scene, name, motion.seconds, h), truth);
  const double fine = distance(positionAfter(motion.scene, name, motion.seconds, 0.5 * h), truth);
  return std::log2(coarse / fine);
}

void expectOrders(const Motion& motion) {
  const Eigen::VectorXd truth = positionAfter(motion.scene, "dormand_prince", motion.seconds, 0.1 * motion.coarse[5]);
  for (const IntegratorInfo& info : listIntegrators())
    // next term of the error: below 7 % of the leading one at these steps; of order 5 a third, since rounding is not far below
    EXPECT_NEAR(measuredOrder(motion, info, truth), info.order, info.order == 5 ? 0.6 : 0.1)
        << info.name << " on " << motion.name;
}

TEST(IntegratorOrder, IsAsListedOnADoublePendulum) {
  expectOrders({"double pendulum", doublePendulum(1.0, 0.5), 1.0, {0, 1e-4, 2e-3, 0, 1e-2, 1e-2}});
}

TEST(IntegratorOrder, IsAsListedOnAFreeAsymmetricTop) {
  Scene scene = asymmetricTop();
  scene.v.tail<3>() << 1.0, 2.0, 0.5;
  expectOrders({"asymmetric top", scene, 1.0, {0, 1e-4, 2e-3, 0, 2e-2, 2e-2}});
}

TEST(IntegratorOrder, IsAsListedOnAFlyingAnymal) {
  expectOrders({"flying ANYmal", flyingAnymal(), 0.2, {0, 1e-4, 1e-3, 0, 5e-3, 5e-3}});
}

TEST(IntegratorOrder, BothImplicitEulersAreTheSameMap) {
  const Scene scene = flyingAnymal();
  const Eigen::VectorXd fixed_point = positionAfter(scene, "implicit_euler_fixed_point", 0.1, 1e-3);
  const Eigen::VectorXd newton = positionAfter(scene, "implicit_euler_newton", 0.1, 1e-3);
  EXPECT_LE(distance(fixed_point, newton), 1e-11);  // both are solved to 1e-12 of 10 rad/s in 100 steps
}

}  // namespace
}  // namespace rigor
