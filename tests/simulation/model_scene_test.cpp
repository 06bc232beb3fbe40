// The scene that a bare model gets.
#include <gtest/gtest.h>

#include <numbers>

#include "simulation/simple_scenes.h"

namespace rigor {
namespace {

BodySpec ballOn(JointType type, const std::string& name) {
  BodySpec body;
  body.name = name;
  body.joint.type = type;
  body.joint.name = name + "_joint";
  body.shapes = {{name + "_skin", makeSphere(0.1), {}, "default"}};
  body.mass = computeMassProperties(body.shapes[0].shape, 1000.0);
  return body;
}

TEST(ModelScene, LiftsFreeBodiesAboveAFloorAtZero) {
  ModelBuilder builder("two balls");
  builder.addBody(ballOn(kFree, "low"));
  const int high = builder.addBody(ballOn(kFree, "high"));
  Eigen::VectorXd q = Eigen::VectorXd::Zero(7);
  q[2] = 1.0, q[3] = 1.0;
  builder.setReference(high, q);
  const Scene scene = makeModelScene(std::move(builder), {.clearance = 0.02});
  scene.check();
  EXPECT_DOUBLE_EQ(scene.q[2], 0.12);      // its radius and the clearance
  EXPECT_DOUBLE_EQ(scene.q[7 + 2], 1.12);  // the second keeps its place beside the first
  EXPECT_TRUE(scene.holds.empty());        // nothing to hold on a free joint
  EXPECT_EQ(scene.name, "two balls");
  ASSERT_EQ(scene.defaults.size(), 1u);
  EXPECT_NE(scene.defaults[0].find("0.02 m above a floor"), std::string::npos) << scene.defaults[0];
}

TEST(ModelScene, PutsTheFloorBelowARobotThatIsFixedToTheWorld) {
  BodySpec pendulum = ballOn(kHinge, "bob");
  pendulum.joint.range = Range{0.5, 1.0};
  pendulum.joint.effort = 7.0;
  ModelBuilder builder;
  builder.addBody(pendulum);
  const Scene scene = makeModelScene(std::move(builder));
  EXPECT_EQ(scene.q[0], 0.5);  // moved into its range
  for (const std::string& line : scene.defaults)
    EXPECT_EQ(line.find("feet"), std::string::npos) << line;  // which nothing that hangs from the world has
  const ModelShape& floor =
      scene.model.shapes().front().body == kWorld ? scene.model.shapes().front() : scene.model.shapes().back();
  EXPECT_EQ(floor.body, kWorld);
  EXPECT_DOUBLE_EQ(floor.X_BS.position.z(), -0.15);
  ASSERT_EQ(scene.holds.size(), 1u);
  EXPECT_EQ(scene.holds[0].target, 0.5);
  EXPECT_EQ(scene.holds[0].effort, 7.0);
}

// A leg of one slider under a heavy trunk: its own inertia would give gains that sag by a tenth of a metre.
TEST(ModelScene, HoldsALegWithTheMassThatStandsOnIt) {
  BodySpec trunk = ballOn(kFree, "trunk"), leg = ballOn(kSlide, "leg");
  trunk.mass.mass = 10.0;
  leg.mass.mass = 0.1;
  leg.joint.X_PJ.position = {0.0, 0.0, -0.5};
  leg.joint.axis = Eigen::Vector3d::UnitZ();
  ModelBuilder builder;
  leg.parent = builder.addBody(trunk);
  builder.addBody(leg);
  const Scene scene = makeModelScene(std::move(builder));
  ASSERT_EQ(scene.holds.size(), 1u);
  const double omega = 2.0 * std::numbers::pi * 5.0;
  EXPECT_NEAR(scene.holds[0].kp, 10.1 * omega * omega, 1e-9 * scene.holds[0].kp);
  EXPECT_NEAR(scene.holds[0].kd, 2.0 * 10.1 * omega, 1e-9 * scene.holds[0].kd);
}

// Its mass stands 1.6 m above ankles that are 0.05 m above their soles: gains for the lever of the sole alone let it fall.
TEST(ModelScene, HoldsAnAnkleWithTheRobotThatStandsAboveIt) {
  const auto boxOn = [](JointType type, const std::string& name, const Eigen::Vector3d& half, double mass) {
    BodySpec body = ballOn(type, name);
    body.shapes[0].shape = makeBox(half);
    body.mass = computeMassProperties(body.shapes[0].shape, mass / computeVolume(body.shapes[0].shape));
    return body;
  };
  ModelBuilder builder("biped");
  BodySpec trunk = boxOn(kFree, "trunk", {0.1, 0.2, 0.3}, 30.0);
  const int body = builder.addBody(trunk);
  for (const double side : {-0.15, 0.15}) {
    BodySpec foot = boxOn(kHinge, side < 0.0 ? "right" : "left", {0.07, 0.05, 0.02}, 1.0);
    foot.parent = body;
    foot.joint.axis = Eigen::Vector3d::UnitY();
    foot.joint.X_PJ.position = {0.0, side, -1.6};
    foot.shapes[0].X_BS.position = {0.0, 0.0, -0.03};
    foot.mass.com = foot.shapes[0].X_BS.position;
    builder.addBody(foot);
  }
  Scene scene = makeModelScene(std::move(builder));
  scene.v[0] = 0.02;  // [m/s] a little push
  Simulator sim(std::move(scene));
  ASSERT_TRUE(sim.run(3.0).accepted()) << sim.report().explain();
  EXPECT_GT(sim.state().q[2], 1.64);                          // of 1.65 m that it stands high
  EXPECT_LT(sim.velocity().lpNorm<Eigen::Infinity>(), 1e-6);  // and still
}

TEST(ModelScene, HoldsNothingThatIsLimp) {
  ModelBuilder builder;
  builder.addBody(ballOn(kHinge, "bob"));
  EXPECT_TRUE(makeModelScene(std::move(builder), {.limp = true}).holds.empty());
}

TEST(ModelScene, RefusesAModelOfNothing) { EXPECT_THROW(makeModelScene(ModelBuilder("nothing")), Error); }

TEST(ModelScene, IsTheSceneThatAModelFileGets) {
  const std::string file = std::string(RIGOR_SOURCE_DIR) + "/scenes/anymal.urdf";
  ModelBuilder builder("anymal");
  addUrdf(file, {}, {}, "", builder);
  const Scene made = makeModelScene(std::move(builder)), loaded = loadScene(file);
  EXPECT_EQ(made.q, loaded.q);
  EXPECT_EQ(made.defaults, loaded.defaults);
  ASSERT_EQ(made.holds.size(), loaded.holds.size());
  for (std::size_t i = 0; i < made.holds.size(); ++i) EXPECT_EQ(made.holds[i].kp, loaded.holds[i].kp);
}

}  // namespace
}  // namespace rigor
