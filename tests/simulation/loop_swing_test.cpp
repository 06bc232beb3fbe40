// Chains that hang nearly straight between two points: their tension swings the links faster than most things in a scene move.
#include <gtest/gtest.h>

#include <cmath>

#include "rigor/rigor.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

constexpr double kLink = 0.1;  // [m]

/// Links on ball joints from the origin, in a V, its last one tied to the world `span` away; at rest.
Scene makeHangingChain(int links, double span, double dt, const std::string& stepper) {
  ModelBuilder builder("hanging chain");
  const double slope = std::acos(span / (links * kLink));
  for (int i = 0; i < links; ++i) {
    BodySpec body;
    body.name = "link_" + std::to_string(i);
    body.parent = i - 1;
    body.joint.name = body.name + "_joint";
    body.joint.type = kBall;
    if (i > 0) body.joint.X_PJ.position = Vector3d(kLink, 0, 0);
    const double turn = i == 0 ? slope : i == links / 2 ? -2.0 * slope : 0.0;
    body.joint.X_PJ.rotation = Eigen::AngleAxisd(turn, Vector3d::UnitY());
    body.mass = computeMassProperties(makeBox({0.06, 0.01, 0.01}), 0.1 / (8 * 0.06 * 0.01 * 0.01));
    body.mass.com = Vector3d(0.5 * kLink, 0, 0);
    builder.addBody(body);
  }
  LoopSpec loop;
  loop.name = "end", loop.kind = LoopKind::kConnect;
  loop.body_1 = kWorld, loop.body_2 = links - 1;
  loop.X_1F.position = Vector3d(span, 0, 0), loop.X_2F.position = Vector3d(kLink, 0, 0);
  builder.addLoop(loop);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  scene.dt = dt, scene.stepper = stepper;
  return scene;
}

struct Swing {
  double most_kinetic = 0.0, gain = 0.0;  ///< [J]
  std::int64_t substeps = 0;
};
Swing swingFor(const Scene& scene, double time) {
  Swing swing;
  Simulator sim(scene);
  double first = 0.0;
  for (int i = 0; i < std::lround(time / scene.dt); ++i) {
    const StepReport& report = sim.step();
    if (!report.accepted()) {
      ADD_FAILURE() << report.explain();
      break;
    }
    if (i == 0) first = report.kinetic + report.potential;
    swing.most_kinetic = std::max(swing.most_kinetic, report.kinetic);
    swing.gain = std::max(swing.gain, report.kinetic + report.potential - first);
    swing.substeps += report.substeps > 1;
  }
  return swing;
}

// Four links fall by 6 mm at most, which is 3 mJ; at 4 ms, where their tension swings them by ten radians in a step, they had 408 J after half
// a second.
TEST(HangingChain, ThatIsNearlyStraightMakesNoEnergy) {
  for (const std::string stepper : {"minimal", "maximal"}) {
    const Swing swing = swingFor(makeHangingChain(4, 0.399, 4e-3, stepper), 1.0);
    EXPECT_LE(swing.most_kinetic, 5e-3) << stepper;
    EXPECT_LE(swing.gain, 5e-4) << stepper;  // what breathes: a sixth
    EXPECT_GT(swing.substeps, 20) << stepper;
  }
}

// Twenty links at 1 ms need no halving; at 2 ms some steps are halved, and both swing alike.
TEST(HangingChain, SwingsAsItDoesWithShorterSteps) {
  for (const std::string stepper : {"minimal", "maximal"}) {
    const Swing fine = swingFor(makeHangingChain(20, 1.98, 5e-4, stepper), 0.5),
                coarse = swingFor(makeHangingChain(20, 1.98, 2e-3, stepper), 0.5);
    EXPECT_EQ(fine.substeps, 0) << stepper;
    EXPECT_NEAR(coarse.most_kinetic, fine.most_kinetic, 0.1 * fine.most_kinetic) << stepper;
    EXPECT_LE(coarse.gain, 0.03 * fine.most_kinetic) << stepper;
  }
}

// Loops that turn without being stretched like a string are stepped as a whole, also where they turn by a quarter of a radian.
TEST(LoopOfThreeLinks, IsNotHalvedForItsTension) {
  for (const std::string stepper : {"minimal", "maximal"}) {
    Scene scene = loadScene(std::string(RIGOR_SOURCE_DIR) + "/scenes/three_link_loop.toml");
    scene.stepper = stepper;
    EXPECT_EQ(swingFor(scene, 5.0).substeps, 0) << stepper;
  }
}

}  // namespace
}  // namespace rigor
