// Rims beside round sides, and straight sides that come to lie on each other: held all the way, by few points.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rigor/verify.h"
#include "simulation/solid_scenes.h"

namespace rigor {
namespace {

using Eigen::Quaterniond, Eigen::Vector3d;

constexpr double kDeepest = 1e-11;  // [m] the bar for overlap

/// What falls on a fixed solid whose side is round.
struct Fall {
  const char* name;
  Shape carrier;
  Pose on;
  Shape shape;
  Pose from;
  Vector3d velocity, spin;
  double friction, dt;
};

Shape lyingCylinder() { return makeCylinder(0.3, 1.0); }
Pose lying() { return {{0, 0, -0.3}, Quaterniond(0.5, 0.5, 0, 0).normalized()}; }
Shape flatCone() { return makeCone(0.5, 0.2); }
Shape coin() { return makeCylinder(0.1, 0.005); }

/// All but the capsules were refused, at every length of step, until points of the material held what ran away.
std::vector<Fall> falls() {
  return {
      {"coin that tips over a cylinder, rough",
       lyingCylinder(),
       lying(),
       coin(),
       {{-0.04496, 0.04098, 0.25}, Quaterniond(1, -6.7235e-06, -9.26e-06, -2.7753e-05).normalized()},
       {-0.39705, -0.34411, -1},
       {-0.58599, -0.6592, -0.13709},
       1.0,
       1e-3},
      {"coin that tips over a cylinder",
       lyingCylinder(),
       lying(),
       coin(),
       {{-0.0238137, 0.093871, 0.25}, Quaterniond(1, -3.445e-06, 3.731e-06, -2.682e-06).normalized()},
       {0.183869, -0.30131, -1},
       {1.42455, 0.662745, -0.2346},
       0.3,
       5e-3},
      {"coin that slides down a cone",
       flatCone(),
       {{0, 0, -0.2}},
       coin(),
       {{-0.061345, 0.087027, 0.25}, Quaterniond(0.935125, 0.11131, 0.160144, 0.295813).normalized()},
       {-0.18297, -0.398071, -1},
       {-2.018943, -0.082622, 1.255888},
       0.3,
       1e-2},
      {"coin that lands on its edge",
       lyingCylinder(),
       lying(),
       coin(),
       {{0.0006934, 0.0812126, 0.45}, Quaterniond(0.58815114, -0.55123382, 0.57370288, -0.14520508).normalized()},
       {-0.06579, 0.053142, -1.5},
       {0.4430214, -1.957632, 1.3441118},
       0.0,
       1e-3},
      {"cone that comes to lie along a cone",
       flatCone(),
       {{0, 0, -0.2}},
       makeCone(0.11973, 0.110594),
       {{-0.039374, 0.086778, 0.25}, Quaterniond(0.684341, 0.376495, 0.144803, -0.607421).normalized()},
       {0.19232, 0.229049, -1},
       {-1.036838, 0.3722, 0.65085},
       0.0,
       1e-2},
      {"cylinder that comes to lie along a cylinder",
       lyingCylinder(),
       lying(),
       makeCylinder(0.1, 0.1),
       {{-0.093905, -0.023192, 0.45}, Quaterniond(0.51651, 0.228137, -0.725499, -0.393474).normalized()},
       {-0.000754, -0.249406, -1.5},
       {3.427552, 3.176482, -6.810813},
       1.0,
       1e-2},
      {"capsule nearly along a cylinder",
       lyingCylinder(),
       lying(),
       makeCapsule(0.05, 0.2),
       {{0.01, 0.02, 0.06}, Quaterniond(std::cos(5e-4), 0, 0, std::sin(5e-4)) * Quaterniond(1, 1, 0, 0).normalized()},
       {0.1, 0.2, -0.5},
       {0.3, 0.0, 0.2},
       0.3,
       5e-3},
      {"capsule that turns across a cylinder",
       lyingCylinder(),
       lying(),
       makeCapsule(0.05, 0.2),
       {{0.0, 0.0, 0.0501}, Quaterniond(std::cos(5e-7), 0, 0, std::sin(5e-7)) * Quaterniond(1, 1, 0, 0).normalized()},
       {0.0, 0.0, -0.1},
       {0.0, 2.0, 0.0},
       0.0,
       1e-2},
  };
}

class RoundSides : public testing::TestWithParam<Fall> {};
INSTANTIATE_TEST_SUITE_P(Falls, RoundSides, testing::ValuesIn(falls()), [](const auto& info) {
  std::string name = info.param.name;
  std::erase_if(name, [](char c) { return c == ','; });
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

TEST_P(RoundSides, AreHeldAllTheWayByFewPointsAndTheSecondOpinionAgrees) {
  const Fall& fall = GetParam();
  SolidWorld world;
  world.friction = fall.friction, world.dt = fall.dt;
  world.bodies = {{fall.carrier, fall.on, true}, {fall.shape, fall.from, false, fall.velocity, fall.spin}};
  Simulator simulator(world.scene());
  Recorder recorder(simulator.scene());
  struct Most final : RunObserver {
    std::size_t contacts = 0;
    double deepest = 0.0;
    void see(const Simulator& at, const RunStep& step) override {
      const auto parts = static_cast<std::size_t>(std::max(1, step.report.substeps));
      contacts = std::max(contacts, step.report.contacts.size() / parts);
      deepest = std::max(deepest, -leastDistance(at));
    }
  } most;
  const auto steps = static_cast<std::int64_t>(0.6 / fall.dt);
  ASSERT_EQ(run(simulator, steps, {}, {&recorder, &most}).status, RunStatus::kDone);
  EXPECT_LE(most.deepest, kDeepest);
  EXPECT_LE(most.contacts, 20U) << "per part of a step: the rims of a disc, or a line, with five points more each";
  const Verdict verdict = verifyRecording(recorder.recording());
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.what << " in step " << verdict.first_bad.step;
}

}  // namespace
}  // namespace rigor
