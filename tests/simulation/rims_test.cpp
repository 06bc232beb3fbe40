// Rims of cylinders and cones that come to lie flat: few points hold them, in few passes.
#include <gtest/gtest.h>

#include <cmath>

#include "solid_scenes.h"

namespace rigor {
namespace {

using Eigen::AngleAxisd, Eigen::Quaterniond, Eigen::Vector3d;

constexpr double kStill = 1e-12;    // [J] the bar for rest
constexpr double kDeepest = 1e-11;  // [m] and for overlap
constexpr std::size_t kFixed = 8;   // points of a rim that lies flat
// A pass squares the error of the point that holds a tilted rim: from a quarter of π to the 1e-5 rad that 1e-12 m ask for, five
// of them, as many again while friction makes up its mind, and a few passes for the law.
constexpr std::size_t kRunning = 10;
constexpr int kPasses = 14;

Quaterniond turn(const Vector3d& axis, double angle) { return Quaterniond(AngleAxisd(angle, axis.normalized())); }

class RimsAtEveryStepLength : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Rims, RimsAtEveryStepLength, testing::Values(1e-3, 5e-3, 1e-2));

// A step once had what all of its attempts found.
TEST_P(RimsAtEveryStepLength, ADiscThatWobblesNearlyFlatIsHeldByAFewPointsMoreThanTheFixedOnes) {
  for (const double tilt : {1e-5, 1e-4, 1e-3})
    for (const double spin : {0.1, 1.0}) {
      SolidWorld world;
      world.floor = true, world.dt = GetParam();
      const double radius = 0.1, half = 0.1, height = half * std::cos(tilt) + radius * std::sin(tilt);
      world.bodies = {{makeCylinder(radius, half),
                       {{0, 0, height}, turn({1, 0.3, 0}, tilt)},
                       false,
                       Vector3d::Zero(),
                       {0.2 * spin, -spin, 0.0}}};
      Simulator simulator(world.scene());
      for (int i = 0; i < static_cast<int>(0.2 / world.dt); ++i) {
        const StepReport& report = simulator.step();
        ASSERT_TRUE(report.accepted());
        if (report.substeps > 1) continue;  // contacts and passes are those of all parts
        EXPECT_LE(report.contacts.size(), kFixed + kRunning) << tilt << " rad, " << spin << " rad/s, step " << i;
        EXPECT_LE(report.passes, kPasses) << tilt << " rad, " << spin << " rad/s, step " << i;
      }
    }
}

// The lowest point of the upper solid, and that of the cylinder, run around their rims while both come to lie flat. Steps of this
// once had 1500 contacts in 3900 passes, as each attempt kept the points of those before. Now each of the two rims has the points of
// a disc that wobbles, and every further part of a step moves one of them on: the five points that squaring needs. An attempt has
// the passes of such a disc and two for the other rim. Parts by halving have one refused attempt less than they are, and an impact
// is landed on in three tries.
TEST_P(RimsAtEveryStepLength, AStandingCylinderThatIsHitBySpinningSolidsNeedsFewPointsAndComesToRest) {
  const Shape shapes[] = {makeBox(Vector3d::Constant(0.1)), makeCylinder(0.1, 0.1), makeCone(0.1, 0.1)};
  for (const Shape& shape : shapes)
    for (const double beside : {0.0, 0.01, 0.05})
      for (const Vector3d& spin : {Vector3d{0.1, 0.2, 0.0}, Vector3d{1.0, 2.0, 3.0}}) {
        SolidWorld world;
        world.floor = true, world.dt = GetParam();
        world.bodies = {{makeCylinder(0.1, 0.1), {{0, 0, 0.1}}, false, Vector3d::Zero(), Vector3d::Zero(), 160.0},
                        {shape, {{beside, 0.3 * beside, 0.305}}, false, Vector3d::Zero(), spin, 125.0}};
        Simulator simulator(world.scene());
        for (int i = 0; i < static_cast<int>(0.5 / world.dt); ++i) {
          const StepReport& report = simulator.step();
          ASSERT_TRUE(report.accepted());
          ASSERT_LE(report.contacts.size(), 2 * (kFixed + kRunning) + 5 * (report.substeps - 1)) << "step " << i;
          const int attempts = 2 * report.substeps - 1 + 3 * report.impacts;
          ASSERT_LE(report.passes, (kPasses + 2) * attempts) << "step " << i;
          ASSERT_GE(leastDistance(simulator), -kDeepest);
        }
        if (spin.z() > 0.0) continue;  // what spins fast wobbles on and on: rolling costs nothing
        EXPECT_LE(simulator.node().kinetic, kStill) << static_cast<int>(shape.kind) << " " << beside;
      }
}

// Round elements may face each other more than once; the search for them begins at the normal of this step, whatever an earlier
// step with the same contact had.
TEST(Rims, AHeapOfRoundSolidsGoesOnFromASnapshotWithTheSameBits) {
  SolidWorld world;
  world.floor = true, world.dt = 1e-2;
  const Shape shapes[] = {makeCylinder(0.1, 0.1), makeCone(0.1, 0.1), makeBox(Vector3d::Constant(0.1)),
                          makeEllipsoid({0.1, 0.08, 0.12})};
  for (int i = 0; i < 4; ++i)
    world.bodies.push_back(
        {shapes[i],
         {{0.05 * std::cos(2.0 * i), 0.05 * std::sin(2.0 * i), 0.2 + 0.3 * i}, turn({1.0, 1.0 * i, 2.0}, 0.7 * i)}});
  Simulator simulator(world.scene());
  for (int part = 0; part < 4; ++part) {
    ASSERT_EQ(simulator.run(0.3).status, StepStatus::kAccepted);
    Simulator other(world.scene());
    other.restore(simulator.save());
    ASSERT_EQ(simulator.run(0.1).status, StepStatus::kAccepted);
    ASSERT_EQ(other.run(0.1).status, StepStatus::kAccepted);
    EXPECT_EQ((simulator.state().q - other.state().q).cwiseAbs().maxCoeff(), 0.0) << part;
  }
}

}  // namespace
}  // namespace rigor
