// [[body]] of several shapes, [[plane]], masks, [[joint]], kinematic bodies.
#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/poses.h"
#include "files.h"
#include "rigor/io.h"
#include "rigor/simulator.h"

namespace rigor {
namespace {

Scene load(const std::string& text) {
  const TemporaryFolder folder;
  return loadScene(folder.write("s.toml", text));
}

TEST(SceneBody, OfSeveralShapesWeighsWhatTheyWeighTogether) {
  // a dumbbell: two balls of 1 kg at x = ±0.5 and a box between them, turned by a right angle
  const Scene scene = load(
      "[[body]]\nname = 'bell'\ndensity = 250\n"
      "[[body.shape]]\nsphere = 0.1\nmass = 1\nposition = [0.5, 0, 0]\nname = 'right'\nmaterial = 'rubber'\n"
      "[[body.shape]]\nsphere = 0.1\nmass = 1\nposition = [-0.5, 0, 0]\n"
      "[[body.shape]]\nbox = [0.1, 0.8, 0.1]\nquaternion_wxyz = [0.7071067811865476, 0, 0, 0.7071067811865476]\n");
  const BodySpec& body = scene.model.body(0);
  const double ball = 0.4 * 0.01, bar = 250 * 0.1 * 0.8 * 0.1, arm = 0.25;
  EXPECT_NEAR(body.mass.mass, 2.0 + bar, 1e-14);
  EXPECT_LT(body.mass.com.norm(), 1e-15);
  EXPECT_NEAR(body.mass.inertia(0, 0), 2 * ball + bar * (0.01 + 0.01) / 12, 1e-14);
  EXPECT_NEAR(body.mass.inertia(1, 1), 2 * (ball + arm) + bar * (0.64 + 0.01) / 12, 1e-14);
  ASSERT_EQ(body.shapes.size(), 3u);
  EXPECT_EQ(body.shapes[0].name, "right");
  EXPECT_EQ(body.shapes[0].material, "rubber");
  EXPECT_EQ(body.shapes[1].name, "bell/shape_2");
  EXPECT_EQ(body.shapes[1].material, "default");
}

TEST(SceneBody, SharesItsMassByVolume) {
  const Scene scene =
      load("[[body]]\nmass = 3\nshape = [{box = [1, 1, 1]}, {box = [1, 1, 2], position = [0, 0, 1.5]}]\n");
  EXPECT_NEAR(scene.model.body(0).mass.mass, 3.0, 1e-14);
  EXPECT_NEAR(scene.model.body(0).mass.com.z(), 1.0, 1e-14);  // 1 kg at 0 and 2 kg at 1.5
}

TEST(SceneBody, TakesMassCentreAndInertiaAsGiven) {
  const Scene scene = load(
      "[[body]]\nmass = 2\ncom = [0, 0, 0.1]\ninertia = [1, 2, 2.5, 0.1, 0.2, 0.3]\nshape = {sphere = 0.1}\n"
      "[[body]]\nmass = 1\ninertia = [1, 1, 1]\nposition = [3, 0, 0]\n");
  const MassProperties& mass = scene.model.body(0).mass;
  EXPECT_EQ(mass.mass, 2.0);
  EXPECT_EQ(mass.com.z(), 0.1);
  EXPECT_EQ(mass.inertia(2, 2), 2.5);
  EXPECT_EQ(mass.inertia(0, 1), 0.1);
  EXPECT_EQ(mass.inertia(0, 2), 0.2);
  EXPECT_EQ(mass.inertia(1, 2), 0.3);
  EXPECT_TRUE(scene.model.body(1).shapes.empty());
}

TEST(SceneBody, CanBeFurnitureOfManyShapes) {
  const Scene scene = load(
      "[[body]]\nname = 'table'\nfixed = true\nposition = [1, 0, 0]\nmaterial = 'wood'\n"
      "[[body.shape]]\nbox = [1, 1, 0.1]\nposition = [0, 0, 1]\n[[body.shape]]\ncylinder = {radius = 0.1, length = "
      "0.9}\n"
      "[[body.shape]]\nplane = {}\nposition = [0, 0, -2]\n"
      "[[body]]\nname = 'ball'\nshape = {sphere = 0.1}\nmass = 1\nposition = [1, 0, 2]\n");
  EXPECT_EQ(scene.model.nv(), 6);
  EXPECT_EQ(scene.model.shapes()[0].material, "wood");
  EXPECT_TRUE(scene.model.mayCollide(0, 3));
  EXPECT_TRUE(scene.model.mayCollide(2, 3));
}

TEST(SceneBody, OfPointsIsTheirHull) {
  const Scene scene = load("[[body]]\ndensity = 6\nshape = {hull = [[0,0,0],[1,0,0],[0,1,0],[0,0,1],[0.1,0.1,0.1]]}\n");
  EXPECT_NEAR(scene.model.mass(), 1.0, 1e-14);  // a tetrahedron of volume 1/6
}

TEST(ScenePlane, ThereMayBeMany) {
  const Scene scene = load(
      "[[plane]]\nnormal = [1, 0, 0]\npoint = [-1, 0, 0]\nfriction = 0.1\n[[plane]]\nname = 'lid'\nnormal = [0, 0, "
      "-1]\n"
      "point = [0, 0, 2]\nmaterial = 'ice'\n[[plane]]\n"
      "[[material]]\nname = 'ice'\nfriction = 0.02\nrestitution = 0.5\n"
      "[[body]]\nshape = {sphere = 0.1}\nmass = 1\n");
  const Model& model = scene.model;
  ASSERT_EQ(model.shapes().size(), 4u);
  EXPECT_EQ(model.shapes()[1].name, "plane");
  EXPECT_EQ(model.shapes()[2].name, "lid");
  EXPECT_EQ(model.shapes()[3].name, "plane_2");
  EXPECT_EQ(model.material(0, 1).friction, 0.1);
  EXPECT_EQ(model.material(0, 2).friction, 0.02);
  EXPECT_EQ(model.material(0, 3).friction, 0.8);
  EXPECT_LT((model.shapes()[1].X_BS.rotation * Eigen::Vector3d::UnitZ() - Eigen::Vector3d::UnitX()).norm(), 1e-15);
}

TEST(SceneMasks, LetShapesMeetThatWantEachOther) {
  const std::string ball = "shape = {sphere = 0.1}\nmass = 1\n";
  const Model model = load("[[body]]\nname = 'a'\ngroup = 0b01\nmask = 0b10\n" + ball +
                           "[[body]]\nname = 'b'\ngroup = 0b10\nmask = 0b01\nposition = [1, 0, 0]\n" + ball +
                           "[[body]]\nname = 'c'\ngroup = 0b10\nmask = 0b10\nposition = [2, 0, 0]\n" + ball +
                           "[[plane]]\nmask = 0b01\nnormal = [0, 0, 1]\npoint = [0, 0, -1]\n"
                           "[collision]\npairs = [['a', 'c']]\n")
                          .model;
  EXPECT_TRUE(model.mayCollide(0, 1));
  EXPECT_FALSE(model.mayCollide(1, 2));  // c wants what b is, b does not want what c is
  EXPECT_TRUE(model.mayCollide(0, 2));   // named as a pair
  EXPECT_FALSE(model.mayCollide(1, 3));  // the plane wants the first group alone
  EXPECT_FALSE(model.mayCollide(0, 3));  // and a does not want the plane's, which is the first
}

const std::string kChain =
    "[[body]]\nname = 'lower'\nshape = {capsule = {radius = 0.02, length = 0.3}}\nmass = 1\nposition = [0, 0, 0.2]\n"
    "[[body]]\nname = 'stone'\nshape = {sphere = 0.1}\nmass = 1\nposition = [2, 0, 0.2]\n"
    "[[body]]\nname = 'upper'\nshape = {capsule = {radius = 0.02, length = 0.3}}\nmass = 1\nposition = [0, 0, 0.6]\n"
    "[[joint]]\nname = 'elbow'\ntype = 'hinge'\nparent = 'upper'\nchild = 'lower'\npoint = [0, 0, 0.2]\naxis = [0, 1, "
    "0]\n"
    "range = [-1, 1.5]\ndamping = 0.3\nq = 0.5\nv = -1\neffort = 7\n"
    "[[joint]]\ntype = 'ball'\nparent = 'world'\nchild = 'upper'\npoint = [0, 0, 0.2]\n";

TEST(SceneJoint, TiesBodiesIntoTreesWhateverTheirOrder) {
  const Scene scene = load(kChain);
  const Model& model = scene.model;
  EXPECT_EQ(model.nv(), 6 + 3 + 1);
  const int upper = model.findBody("upper"), lower = model.findBody("lower");
  EXPECT_EQ(model.body(lower).parent, upper);
  EXPECT_EQ(model.body(upper).parent, kWorld);
  const ModelJoint& elbow = model.joints()[model.findJoint("elbow")];
  EXPECT_EQ(scene.q[elbow.q_index], 0.5);
  EXPECT_EQ(scene.v[elbow.v_index], -1.0);
  EXPECT_EQ(elbow.spec.range->upper, 1.5);
  EXPECT_EQ(elbow.spec.damping, 0.3);
  EXPECT_EQ(elbow.spec.effort, 7.0);
  EXPECT_EQ(model.body(upper).joint.name, "upper_joint");
}

TEST(SceneJoint, StandsWhereTheBodiesStartAndMovesThemAboutItsPoint) {
  const Scene scene = load(kChain);
  const std::vector<Pose> poses = bodyPoses(scene.model, scene.q);
  const int upper = scene.model.findBody("upper"), lower = scene.model.findBody("lower");
  EXPECT_LT((poses[upper].position - Eigen::Vector3d(0, 0, 0.6)).norm(), 1e-15);
  EXPECT_LT((poses[lower] * Eigen::Vector3d(0, 0, 0.2) - Eigen::Vector3d(0, 0, 0.4)).norm(), 1e-15);
  EXPECT_NEAR(poses[lower].position.x(), -0.2 * std::sin(0.5), 1e-15);
}

TEST(SceneJoint, CanBeDrivenWithoutARobot) {
  const Scene scene = load(kChain + "[[controller]]\nkind = 'hold'\nrobot = 'joints'\nkp = {elbow = 10}\nkd = 1\n");
  ASSERT_EQ(scene.holds.size(), 1u);
  EXPECT_EQ(scene.holds[0].kp, 10.0);
  EXPECT_EQ(scene.holds[0].target, 0.5);
}

TEST(SceneMotion, IsReadFromRowsFilesAndVelocities) {
  const TemporaryFolder folder;
  folder.write("m.csv", "time, x, y, z, qw, qx, qy, qz\n0.5, 1, 2, 3, 1, 0, 0, 0\n\n1.5, 2, 2, 3, 1, 0, 0, 0\n");
  const std::string shape = "shape = {box = [1, 1, 1]}\n";
  const Scene scene = loadScene(folder.write(
      "s.toml", "[[body]]\nname = 'a'\nmotion = 'm.csv'\n" + shape +
                    "[[body]]\nname = 'b'\nmotion = [[0, 0, 0, 9, 1, 0, 0, 0], [1, 0, 0, 10, 1, 0, 0, 0]]\n" + shape +
                    "[[body]]\nname = 'c'\nkinematic = true\nposition = [9, 0, 0]\nangular_velocity = [0, 0, 2]\n" +
                    shape));
  ASSERT_EQ(scene.motions.size(), 3u);
  EXPECT_EQ(scene.motions[0].time, (std::vector<double>{0.5, 1.5}));
  EXPECT_EQ(scene.q[0], 1.0);
  EXPECT_EQ(scene.q[7 + 2], 9.0);
  EXPECT_EQ(scene.q[14], 9.0);
  EXPECT_EQ(scene.v[17], 2.0);
  Simulator sim(scene);
  sim.run(1.0);
  EXPECT_NEAR(sim.pose(0).position.x(), 1.5, 1e-12);  // half the time, half the way
  EXPECT_NEAR(sim.pose(1).position.z(), 10.0, 1e-12);
}

TEST(SceneMotion, FilesAreRefusedWithTheirLines) {
  const TemporaryFolder folder;
  const auto refuse = [&](const std::string& text, int line, const std::string& message) {
    folder.write("m.csv", text);
    const Error error =
        expectError([&] { loadScene(folder.write("s.toml", "[[body]]\nshape = {sphere = 1}\nmotion = 'm.csv'\n")); });
    EXPECT_EQ(error.where().line, line) << error.what();
    EXPECT_TRUE(contains(error.what(), message)) << error.what();
  };
  refuse("0,0,0,0,1,0,0,0\n1,0,0,0,1,0,0\n", 2, "7 values");
  refuse("0,0,0,0,1,0,0,0\n1,x,0,0,1,0,0,0\n", 2, "not a finite number");
  refuse("0,0,0,0,1,0,0,0\n1,0,0,0,2,0,0,0\n", 2, "length 2");
  refuse("0,0,0,0,1,0,0,0\n0,0,0,0,1,0,0,0\n", 3, "times must rise");
  refuse("", 3, "0 poses");
}

const std::string kTwoBlocks =
    "[[body]]\nname = 'a'\nmass = 1\ninertia = [1, 1, 1]\n"
    "[[body]]\nname = 'b'\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 3, 0]\n";

TEST(SceneLoop, MayBeOfAnyTypeOfJointWithASpringAndADamper) {
  for (const std::string& name : jointTypeNames()) {
    if (name == "free") continue;
    const JointType type = *findJointType(name);
    const bool has_axis = name != "ball" && name != "fixed" && name != "no_turn";
    const Scene scene =
        load(kTwoBlocks + "[[loop]]\nkind = '" + name + "'\nbody_1 = 'a'\nbody_2 = 'b'\npoint_1 = [0, 3, 0]\n" +
             (has_axis ? "axis = [0, 0, 2]\n" : "") + (type == kHelical ? "pitch = 0.1\n" : "") +
             (velocityCount(type) > 0 ? "stiffness = 5\ndamping = 0.2\n" : ""));
    ASSERT_EQ(scene.model.loops().size(), 1u) << name;
    const LoopSpec& loop = scene.model.loops()[0];
    EXPECT_EQ(jointTypeOf(loop), type) << name;
    EXPECT_EQ(loop.stiffness, velocityCount(type) > 0 ? 5.0 : 0.0) << name;
    EXPECT_EQ(loop.axis.z(), 1.0) << name;
    Simulator sim(scene);
    EXPECT_TRUE(sim.step().accepted()) << name;
  }
}

TEST(SceneLoop, TakesSpringAndDamperForStiffnessAndDamping) {
  const Scene scene = load(kTwoBlocks +
                           "[[loop]]\nkind = 'slide'\nbody_1 = 'a'\nbody_2 = 'b'\naxis = [0, 1, 0]\n"
                           "spring = 5\ndamper = 0.2\nspring_reference = 3\n");
  EXPECT_EQ(scene.model.loops()[0].stiffness, 5.0);
  EXPECT_EQ(scene.model.loops()[0].damping, 0.2);
  EXPECT_EQ(scene.model.loops()[0].spring_reference[0], 3.0);
}

TEST(SceneLoop, TakesStopsFrictionAndAMotorByEitherName) {
  const std::string loop = "[[loop]]\nkind = 'slide'\nbody_1 = 'a'\nbody_2 = 'b'\naxis = [0, 1, 0]\n";
  for (const char* keys : {"range = [-5, 5]\ndry_friction = 2\n", "limits = [-5, 5]\nfriction = 2\n"}) {
    const LoopSpec spec =
        load(kTwoBlocks + loop + keys + "kp = 30\nkd = 4\ntarget = -0.5\ntorque = 1.5\neffort = 9\n").model.loops()[0];
    ASSERT_TRUE(spec.range);
    EXPECT_EQ(spec.range->lower, -5.0);
    EXPECT_EQ(spec.range->upper, 5.0);
    EXPECT_EQ(spec.dry_friction, 2.0);
    EXPECT_EQ(spec.motor.kp, 30.0);
    EXPECT_EQ(spec.motor.kd, 4.0);
    EXPECT_EQ(spec.motor.target, -0.5);
    EXPECT_EQ(spec.motor.torque, 1.5);
    EXPECT_EQ(spec.motor.effort, 9.0);
  }
}

TEST(SceneSpring, RestsAtTheDistanceOfTheStartUnlessItSaysOtherwise) {
  const Scene scene = load(kTwoBlocks +
                           "[[spring]]\nbody_1 = 'a'\nbody_2 = 'b'\npoint_1 = [4, 0, 0]\nstiffness = 10\n"
                           "[[spring]]\nname = 'short'\nbody_1 = 'world'\nbody_2 = 'b'\ndamping = 1\nlength = 0.5\n");
  ASSERT_EQ(scene.model.springs().size(), 2u);
  EXPECT_NEAR(scene.model.springs()[0].length, 5.0, 1e-15);
  EXPECT_EQ(scene.model.springs()[0].name, "spring_1");
  EXPECT_EQ(scene.model.springs()[1].length, 0.5);
  EXPECT_EQ(scene.model.springs()[1].body_1, kWorld);
  EXPECT_EQ(scene.q.size(), scene.model.nq());
}

std::string arm(const std::string& name, double y, const std::string& start) {
  const std::string joint = "[[joint]]\nname = '" + name + "_hinge'\ntype = 'hinge'\nparent = 'world'\nchild = '" +
                            name + "'\npoint = [-0.2, 0, 0]\naxis = [0, 1, 0]\n" + start;
  return "[[body]]\nname = '" + name + "'\nshape = {box = [0.4, 0.02, 0.02]}\nmass = 1\nposition = [0.2, " +
         std::to_string(y) + ", 1]\n" + joint;
}
const std::string kTie = "[[loop]]\nname = 'tie'\nkind = 'joint'\njoint_1 = 'left_hinge'\njoint_2 = 'right_hinge'\n";

// It follows only where the file does not say where it starts: values that are given are not thrown away without a word. Two equal
// arms that must agree meet halfway.
TEST(SceneJoint, ThatFollowsAnotherStartsWhereItIsToldOrTheTieIsClosedWithAWarning) {
  for (const std::string stepper : {"minimal", "maximal"}) {
    Scene scene = load(arm("left", 0, "") + arm("right", 1, "q = 0.7\n") + kTie + "offset = 0.5\n");
    scene.stepper = stepper;
    const Simulator following(scene);
    EXPECT_NEAR(following.state().q[0], 1.2, 1e-12);
    EXPECT_NEAR(following.state().q[1], 0.7, 1e-12);
    EXPECT_TRUE(following.warnings().empty());

    scene = load(arm("left", 0, "q = 0.2\n") + arm("right", 1, "q = 0.7\n") + kTie);
    EXPECT_EQ(scene.q[0], 0.2);
    scene.stepper = stepper;
    const Simulator closed(scene);
    EXPECT_NEAR(closed.state().q[0], 0.45, 1e-9);
    EXPECT_NEAR(closed.state().q[1], 0.45, 1e-9);
    ASSERT_EQ(closed.warnings().size(), 1u);
    EXPECT_NE(closed.warnings()[0].text().find("loop \"tie\": was open by 0.5 "), std::string::npos)
        << closed.warnings()[0].text();
  }
}

}  // namespace
}  // namespace rigor
