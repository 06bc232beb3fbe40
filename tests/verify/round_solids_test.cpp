// Cylinders, cones and ellipsoids on everything: at rest for good, never deep, and judged a second time.
#include <gtest/gtest.h>

#include <random>
#include <tuple>

#include "rigor/mesh.h"
#include "simulation/solid_scenes.h"
#include "verify/touch.h"

namespace rigor {
namespace {

using Eigen::AngleAxisd, Eigen::Quaterniond, Eigen::Vector3d;

constexpr double kQuarter = 1.5707963267948966;
constexpr double kDeep = 1e-11;   // [m] true overlap that no accepted step may leave
constexpr double kStill = 1e-12;  // [J] the bar for rest

Quaterniond about(const Vector3d& axis, double angle) { return Quaterniond(AngleAxisd(angle, axis.normalized())); }

/// A hull with a smaller top than bottom.
Shape makeStump(const Vector3d& half) {
  auto mesh = std::make_shared<Mesh>();
  for (int corner = 0; corner < 8; ++corner) {
    const double x = corner & 1 ? half.x() : -half.x(), y = corner & 2 ? half.y() : -half.y();
    const double top = corner & 4 ? 0.8 : 1.0;
    mesh->vertices.emplace_back(top * x, top * y, corner & 4 ? half.z() : -half.z());
  }
  return makeHull(mesh);
}

/// A shape that lies or stands as given, and how high its middle is then.
struct Lying {
  const char* name;
  Shape shape;
  Quaterniond turn;
  double height;
};

std::vector<Lying> whatRests() {
  const Quaterniond none = Quaterniond::Identity();
  return {{"standing cylinder", makeCylinder(0.05, 0.04), none, 0.04},
          {"lying cylinder", makeCylinder(0.04, 0.06), about({1, 0, 0}, kQuarter), 0.04},
          {"coin", makeCylinder(0.05, 0.005), none, 0.005},
          {"cone", makeCone(0.05, 0.05), none, 0.05},
          {"ellipsoid", makeEllipsoid({0.08, 0.07, 0.03}), none, 0.03}};
}

std::vector<Lying> whatCarries() {
  const Quaterniond none = Quaterniond::Identity(), lying = about({1, 0, 0}, kQuarter);
  return {{"box", makeBox({0.3, 0.3, 0.1}), none, 0.1},
          {"hull", makeStump({0.3, 0.3, 0.1}), none, 0.1},
          {"standing cylinder", makeCylinder(0.2, 0.1), none, 0.1},
          {"lying cylinder", makeCylinder(0.2, 0.2), lying, 0.2},
          {"cone on its apex", makeCone(0.3, 0.1), about({1, 0, 0}, 2 * kQuarter), 0.1},
          {"ellipsoid", makeEllipsoid({0.3, 0.25, 0.1}), none, 0.1},
          {"sphere", makeSphere(0.2), none, 0.2},
          {"lying capsule", makeCapsule(0.2, 0.2), lying, 0.2}};
}

/// Keeps where everything is after a number of steps.
struct Halfway final : RunObserver {
  std::int64_t steps = 0;
  Eigen::VectorXd q;

  void see(const Simulator& simulator, const RunStep& step) override {
    if (step.count == steps) q = simulator.state().q;
  }
};

/// Runs a world, watched and recorded: it is still at the end, and was halfway where it is then.
void expectRest(const SolidWorld& world, double time, const std::string& what) {
  Simulator simulator(world.scene());
  GeometryWatch watch(simulator.scene());
  Recorder recorder(simulator.scene());
  Halfway halfway;
  halfway.steps = static_cast<std::int64_t>(time / world.dt);
  ASSERT_EQ(run(simulator, 2 * halfway.steps, {}, {&watch, &recorder, &halfway}).status, RunStatus::kDone) << what;
  EXPECT_LE(watch.verdict().worst.overlap, kDeep) << what;
  EXPECT_LE(simulator.node().kinetic, kStill) << what;
  EXPECT_LE((simulator.state().q - halfway.q).cwiseAbs().maxCoeff(), 1e-11) << what;
  const Verdict verdict = verifyRecording(recorder.recording());
  EXPECT_TRUE(verdict.holds) << what << ": " << verdict.first_bad.what << " in step " << verdict.first_bad.step;
}

class RoundSolidsAtRest : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(SecondOpinion, RoundSolidsAtRest, testing::Values(1e-3, 5e-3, 1e-2));

TEST_P(RoundSolidsAtRest, LieStillOnEveryShapeThatCarriesThem) {
  for (const Lying& top : whatRests())
    for (const Lying& bottom : whatCarries()) {
      SolidWorld world;
      world.dt = GetParam();
      world.bodies = {{bottom.shape, {{0, 0, -bottom.height}, bottom.turn}, true},
                      {top.shape, {{0, 0, top.height + 2e-4}, top.turn}}};
      expectRest(world, 0.1, std::string(top.name) + " on " + bottom.name);
    }
}

TEST_P(RoundSolidsAtRest, LieStillOnAPlane) {
  for (const Lying& top : whatRests()) {
    SolidWorld world;
    world.dt = GetParam(), world.floor = true;
    world.bodies = {{top.shape, {{0, 0, top.height + 2e-4}, top.turn}}};
    expectRest(world, 0.1, top.name);
  }
}

TEST_P(RoundSolidsAtRest, StandAsMixedStacksOfFive) {
  SolidWorld world;
  world.dt = GetParam(), world.floor = true;
  const Shape shapes[5] = {makeBox(Vector3d::Constant(0.05)), makeCylinder(0.05, 0.05), makeStump({0.06, 0.06, 0.05}),
                           makeCylinder(0.04, 0.05), makeCone(0.04, 0.05)};
  for (int i = 0; i < 5; ++i)
    world.bodies.push_back({shapes[i], {{1e-3 * i, 5e-4 * i, 0.0505 + 0.1005 * i}, about({0, 0, 1}, 0.1 * i)}});
  expectRest(world, 0.2, "stack");
}

/// Boxes, cylinders, cones, ellipsoids, capsules, spheres and hulls that fall onto each other, placed by chance.
SolidWorld makeRoundHeap(std::uint64_t seed, int count) {
  std::mt19937_64 random(seed);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
  };
  SolidWorld world;
  world.floor = true, world.friction = between(0.2, 0.8);
  for (int i = 0; i < count; ++i) {
    const double s = between(0.03, 0.06), t = between(0.03, 0.06);
    const Shape shapes[] = {
        makeBox({s, t, 0.04}),   makeCylinder(s, t),      makeCone(s, t), makeEllipsoid({s, t, 0.04}),
        makeStump({s, t, 0.04}), makeCapsule(0.5 * s, t), makeSphere(s),  makeCylinder(s, 0.2 * t)};
    const Shape& shape = shapes[random() % 8];
    const Vector3d axis(between(-1, 1), between(-1, 1), between(-1, 1));
    const double angle = between(-3, 3), x = between(-0.05, 0.05), y = between(-0.05, 0.05);
    world.bodies.push_back({shape, {{x, y, 0.12 + 0.17 * i}, about(axis, angle)}});
  }
  return world;
}

TEST(RoundHeaps, AreNeverDeepAndHoldUnderASecondOpinion) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SolidWorld world = makeRoundHeap(seed, 4);
    world.dt = 5e-3;
    Simulator simulator(world.scene());
    Recorder recorder(simulator.scene());
    EXPECT_EQ(run(simulator, 120, {}, {&recorder}).status, RunStatus::kDone) << seed;
    const Verdict verdict = verifyRecording(recorder.recording());
    EXPECT_TRUE(verdict.holds) << seed << ": " << verdict.first_bad.what << " in step " << verdict.first_bad.step;
    EXPECT_LE(verdict.worst.overlap, kDeep) << seed;
  }
}

/// A cylinder that slid half off the box that it stands on, and the step in which a contact pushes.
Recording recordOverhang() {
  SolidWorld world;
  world.dt = 5e-3;
  world.bodies = {{makeBox({0.1, 0.1, 0.1}), {{0, 0, -0.1}}, true}, {makeCylinder(0.05, 0.05), {{0.08, 0, 0.05}}}};
  Simulator simulator(world.scene());
  Recorder recorder(simulator.scene());
  run(simulator, 3, {}, {&recorder});
  return recorder.recording();
}

TEST(RoundCorruption, OfThePointThatARimPointPushesAtIsSeen) {
  Recording recording = recordOverhang();
  ASSERT_TRUE(verifyRecording(recording).holds);
  ASSERT_FALSE(recording.contact_point.empty());
  recording.contact_point[0] += 1e-9;
  EXPECT_FALSE(verifyRecording(recording).holds);
}

// The corner of a plate and the rim of a cylinder below it face each other along a slope, while the shapes are nearest along
// the vertical. Whichever of the two a recording says, the gap of these elements is that of the slope.
TEST(GapOfRoundElements, DoesNotDependOnTheNormalThatARecordingTells) {
  SolidWorld solids;
  solids.bodies = {{makeCylinder(0.1, 0.1), {{0, 0, 0}}}, {makeBox({0.2, 0.2, 0.05}), {{0, 0, 0.55}}}};
  const Scene scene = solids.scene();
  const verify::World world = verify::readWorld(makeRecording(scene).header);
  const verify::Motion motion = verify::computeMotion(world, {scene.q.begin(), scene.q.end()}, {});
  constexpr std::uint64_t kRimOf = 2ull << verify::kElementBits, kWhole = 13;
  const verify::Real across = 0.2L * std::sqrt(2.0L) - 0.1L, gap = std::hypot(across, 0.4L);
  int lower = 0;
  for (std::uint64_t corner = 0; corner < 8; ++corner) {
    if (world.solids[1].corners[corner].z > 0) continue;
    ++lower;
    const auto pair = world.findPair({1ull << 8 | kWhole, (kRimOf | 1) << 32 | corner});
    ASSERT_TRUE(pair);
    const verify::Vec to_corner = world.solids[1].corners[corner];
    const verify::Real side = across / (gap * std::sqrt(2.0L));
    for (const verify::Real share : {1.0L, 0.7L, 0.4L, 0.25L}) {  // from the slope towards the vertical
      verify::Vec told{std::copysign(share * side, to_corner.x), std::copysign(share * side, to_corner.y), 0};
      told.z = std::sqrt(1 - dot(told, told));
      verify::Pair as_told = *pair;
      as_told.near_normal = told, as_told.near_point = {0, 0, 0.3L};
      const verify::Touch touch = verify::computeTouch(as_told, motion);
      EXPECT_NEAR(static_cast<double>(touch.gap), static_cast<double>(gap), 1e-12) << share;
      EXPECT_NEAR(static_cast<double>(touch.normal.z), static_cast<double>(0.4L / gap), 1e-12);
    }
  }
  EXPECT_EQ(lower, 4);
}

// A rim has no point that lies farthest along its own axis; then the distance of the shapes stands for its gap.
TEST(GapOfRoundElements, IsANumberEvenAlongTheAxisOfARim) {
  SolidWorld solids;
  solids.bodies = {{makeCylinder(0.1, 0.1), {{0, 0, 0}}}, {makeBox({0.2, 0.2, 0.05}), {{0, 0, 0.55}}}};
  const Scene scene = solids.scene();
  const verify::World world = verify::readWorld(makeRecording(scene).header);
  auto pair = world.findPair({1ull << 8 | 13, (2ull << verify::kElementBits | 1) << 32});
  ASSERT_TRUE(pair);
  pair->near_normal = {0, 0, 1}, pair->near_point = {0, 0, 0.3L};
  const auto motion = verify::computeMotion(world, {scene.q.begin(), scene.q.end()}, {});
  EXPECT_NEAR(static_cast<double>(verify::computeTouch(*pair, motion).gap), 0.4, 1e-12);
}

// Feature 2 is a point of the lower rim by its azimuth; half a turn away is the part that hangs in the air.
TEST(RoundCorruption, ThatMovesAPushToWhereNothingIsIsSeen) {
  Recording recording = recordOverhang();
  bool moved = false;
  for (RowId& id : recording.contact_id) {
    if ((id.high & 0xff) != 2 || (id.low & (1u << 30)) == 0) continue;
    id.low ^= 1u << 21;  // half a turn
    moved = true;
    break;
  }
  ASSERT_TRUE(moved);
  EXPECT_FALSE(verifyRecording(recording).holds);
}

}  // namespace
}  // namespace rigor
