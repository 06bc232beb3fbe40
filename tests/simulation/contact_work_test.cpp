// Contact takes energy and gives none, however fast it runs over tips, rims and sides of round solids.
#include <gtest/gtest.h>

#include <random>

#include "solid_scenes.h"

namespace rigor {
namespace {

using Eigen::Quaterniond, Eigen::Vector3d;

/// Steps in which contact gives more than 1e-3 of the kinetic energy are halved; a contact that runs over a tip lasts for
/// some ten parts of steps, not all of which give. The worst of 440 pairs that met at random gained 0.75 % in all.
constexpr double kMostGain = 0.01;

/// A shape of 1 kg.
SolidWorld::Body oneKilogram(const Shape& shape, const Pose& pose, const Vector3d& velocity, const Vector3d& spin) {
  return {shape, pose, false, velocity, spin, 1.0 / computeMassProperties(shape, 1.0).mass};
}

SolidWorld twoThatMeet(const SolidWorld::Body& one, const SolidWorld::Body& other, double friction, double dt) {
  SolidWorld world;
  world.weightless = true, world.friction = friction, world.dt = dt;
  world.bodies = {one, other};
  return world;
}

void expectNoGain(const SolidWorld& world) {
  Simulator simulator(world.scene());
  const double start = simulator.node().kinetic;
  const SolidRun run = runSolids(simulator, static_cast<int>(0.6 / world.dt));
  ASSERT_TRUE(run.accepted);
  EXPECT_LT(run.kinetic, 0.98 * start) << "they did not meet";
  EXPECT_LE(run.rise, kMostGain * run.kinetic);
  EXPECT_GE(run.deepest, -1e-11);
}

class WorkOfContact : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(AtEveryStepLength, WorkOfContact, testing::Values(1e-3, 5e-3, 1e-2));

// Its contact runs along the flat side of the ellipsoid with 17 m/s; impulses at one end raised the energy by 60 %.
TEST_P(WorkOfContact, IsNoneWhereAnEllipsoidRocksOnABox) {
  const SolidWorld::Body ellipsoid = oneKilogram(
      makeEllipsoid({0.17208221489446596, 0.024332903697008558, 0.080251505906475}),
      {{0, 0, 0}, Quaterniond(0.1828734680849995, -0.4256632601982114, -0.8680886562147965, -0.17829797682302342)},
      {1, 0, 0}, {-3.31562328768765, 1.6744243542636341, -2.313633065601536});
  const SolidWorld::Body box =
      oneKilogram(makeBox({0.06141897905175487, 0.11358811118278793, 0.0221654015169482}),
                  {{0.5, 0.03, 0.01},
                   Quaterniond(-0.4511220481840392, 0.7894740343594777, 0.08592284077982328, -0.40723078487110065)},
                  {-1, 0, 0}, {-1.5669030004869182, -0.0911092267671405, 0.4510888533129934});
  expectNoGain(twoThatMeet(ellipsoid, box, 1.0, GetParam()));
}

// Two sides that become parallel: where they cross runs from one end to the other in no time.
TEST_P(WorkOfContact, IsNoneWhereTheSidesOfConesBecomeParallel) {
  const SolidWorld::Body wide = oneKilogram(
      makeCone(0.17449933659124595, 0.5 * 0.11561074092554714),
      {{0, 0, 0}, Quaterniond(-0.2760866094976173, 0.8327043453519873, 0.13940275572338526, 0.45928915618023736)},
      {1, 0, 0}, {-1.0827956394058722, -1.2044227206201663, -2.8107959161374985});
  const SolidWorld::Body slim =
      oneKilogram(makeCone(0.0373942355201357, 0.5 * 0.10830189535018042),
                  {{0.6, 0.03, 0.01},
                   Quaterniond(-0.33357934936581146, 0.053422337681768836, 0.915544902878885, 0.21828513995641124)},
                  {-1, 0, 0}, {1.9837590792161137, -0.7597574421889517, 0.34270838313613344});
  expectNoGain(twoThatMeet(wide, slim, 0.0, GetParam()));
}

/// Flat, slim and stout ones of every round kind, and a box.
Shape randomShape(std::mt19937& random) {
  std::uniform_real_distribution<double> size(0.025, 0.18);
  const double a = size(random), b = size(random), c = size(random);
  switch (random() % 4) {
    case 0:
      return makeEllipsoid({a, b, c});
    case 1:
      return makeCylinder(a, b);
    case 2:
      return makeCone(a, b);
    default:
      return makeBox({a, b, c});
  }
}

SolidWorld::Body randomBody(std::mt19937& random, const Vector3d& position, const Vector3d& velocity) {
  std::normal_distribution<double> normal;
  const Quaterniond turned(normal(random), normal(random), normal(random), normal(random));
  const Vector3d spin = 2.0 * Vector3d(normal(random), normal(random), normal(random));
  return oneKilogram(randomShape(random), {position, turned.normalized()}, velocity, spin);
}

TEST(WorkOfContact, IsNoneWhereAnyTwoRoundSolidsMeet) {
  for (unsigned seed = 25; seed < 65; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const SolidWorld::Body one = randomBody(random, {0, 0, 0}, {1, 0, 0});
    const SolidWorld::Body other = randomBody(random, {0.6, 0.03, 0.01}, {-1, 0, 0});
    expectNoGain(twoThatMeet(one, other, seed % 2 ? 1.0 : 0.0, 0.01));
  }
}

}  // namespace
}  // namespace rigor
