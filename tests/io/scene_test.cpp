#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dynamics/poses.h"
#include "files.h"
#include "rigor/io.h"

namespace rigor {
namespace {

const std::string kBall = "[[body]]\nname = 'ball'\nshape = {sphere = 0.1}\nmass = 1\n";

Scene load(const std::string& text) {
  const TemporaryFolder folder;
  return loadScene(folder.write("s.toml", text));
}

TEST(SceneFile, EverySceneOfTheProjectLoadsWithoutWarnings) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(scenePath(""))) {
    if (entry.path().extension() != ".toml") continue;
    ++count;
    const bool is_published = entry.path().stem() == "puma560";  // its forearm is as impossible as in print
    const Scene scene = loadScene(entry.path().string(), {.strict = !is_published});
    EXPECT_EQ(scene.warnings.size() + scene.model.warnings().size(), is_published ? 1u : 0u);
    EXPECT_EQ(scene.name, entry.path().stem().string());
    EXPECT_EQ(readText(entry.path().string()).substr(0, 2), "# ") << "no comment that says what the scene shows";
  }
  EXPECT_GE(count, 8);
}

TEST(SceneFile, ReadsSimulationGroundAndBody) {
  const Scene scene = load(
      "[simulation]\ndt = 0.002\ntime = 3\nsolver = 'newton'\ngravity = [0, 0, -1.62]\n"
      "[ground]\nheight = -0.5\nfriction = 0.3\nrestitution = 0.4\n"
      "[[body]]\nname = 'box'\nshape = {box = [1, 2, 3]}\ndensity = 2\nposition = [1, 2, 3]\n"
      "quaternion_wxyz = [0.6, 0, 0.8, 0]\nvelocity = [1, 0, 0]\nangular_velocity = [0, 0, 2]\n");
  EXPECT_EQ(scene.dt, 0.002);
  EXPECT_EQ(scene.time, 3.0);
  EXPECT_EQ(scene.solver, "newton");
  EXPECT_EQ(scene.model.gravity(), Eigen::Vector3d(0, 0, -1.62));
  EXPECT_NEAR(scene.model.mass(), 12.0, 1e-14);  // 6 m³ of 2 kg/m³
  Eigen::VectorXd q(7), v(6);
  q << 1, 2, 3, 0.6, 0, 0.8, 0;
  v << 1, 0, 0, 0, 0, 2;
  EXPECT_EQ(scene.q, q);
  EXPECT_EQ(scene.v, v);
  ASSERT_EQ(scene.model.shapes().size(), 2u);
  EXPECT_EQ(scene.model.shapes()[1].shape.kind, ShapeKind::kPlane);
  EXPECT_EQ(scene.model.shapes()[1].X_BS.position.z(), -0.5);
  EXPECT_EQ(scene.model.material(1, 0).friction, 0.3);
  EXPECT_EQ(scene.model.material(1, 0).restitution, 0.4);
}

/// The coordinates of all joints but the root's.
Eigen::VectorXd jointsOf(const Scene& scene) { return scene.q.tail(scene.q.size() - 7); }

// Knees whose ranges leave out 0: the bare robot bends them and its hips, so that the feet stay below it.
TEST(SceneFile, ARobotWithoutQStartsInTheStanceOfTheBareModel) {
  const std::string model = scenePath("a1.urdf"), robot = "[[robot]]\nmodel = '" + model + "'\n";
  const Scene bare = loadScene(model);
  ASSERT_FALSE(jointsOf(bare).isZero());
  for (const char* place : {"", "position = [1, 2, 3]\nquaternion_wxyz = [0.6, 0.8, 0, 0]\n"}) {
    const Scene scene = load(robot + place);
    EXPECT_EQ(jointsOf(scene), jointsOf(bare));
    for (const Warning& warning : scene.warnings) ADD_FAILURE() << warning.text();
  }
  const Scene placed = load(robot + "position = [1, 2, 3]\n");
  EXPECT_EQ(placed.q.head<3>(), Eigen::Vector3d(1, 2, 3));

  const Scene named = load(robot + "q = {FR_thigh_joint = 0.5}\n");  // whoever names one joint names the pose
  EXPECT_EQ(jointsOf(named).cwiseAbs().sum(), 0.5);
}

TEST(SceneFile, OfTwoRobotsOnlyTheOneWithoutQTakesAStance) {
  const std::string robot = "[[robot]]\nmodel = '" + scenePath("a1.urdf") + "'\n";
  const Scene scene = load(robot + "name = 'one'\nq = {}\n" + robot + "name = 'two'\nposition = [3, 0, 0]\n");
  EXPECT_TRUE(scene.q.segment(7, 12).isZero());
  EXPECT_EQ(scene.q.tail(12), jointsOf(loadScene(scenePath("a1.urdf"))));
}

TEST(SceneFile, ARoundedQuaternionIsMadeExact) {
  const Scene scene = load(kBall + "quaternion_wxyz = [0.7071, 0.7071, 0, 0]\n");
  EXPECT_NEAR(scene.q.tail<4>().norm(), 1.0, 1e-15);
  EXPECT_NEAR(scene.q[3], std::sqrt(0.5), 1e-15);
}

TEST(SceneFile, SlopedGroundHasItsNormalAlongTheGivenDirection) {
  const Scene scene = load("[ground]\nnormal = [3e155, 0, 4e155]\npoint = [1, 1, 1]\n" + kBall);  // squares overflow
  const Pose& X = scene.model.shapes()[1].X_BS;
  EXPECT_LT((X.rotation * Eigen::Vector3d::UnitZ() - Eigen::Vector3d(0.6, 0, 0.8)).norm(), 1e-15);  // rounding
  EXPECT_EQ(X.position, Eigen::Vector3d(1, 1, 1));
}

TEST(SceneFile, ReadsSpheresCapsulesAndFixedBodies) {
  const Scene scene =
      load(kBall +
           "[[body]]\nshape = {capsule = {radius = 0.1, length = 0.4}}\nmass = 1\nposition = [1, 0, 0]\n"
           "[[body]]\nshape = {sphere = {radius = 0.2}}\nfixed = true\nposition = [0, 0, 5]\n");
  EXPECT_EQ(scene.model.nv(), 12);
  EXPECT_EQ(scene.model.body(1).name, "body");
  EXPECT_EQ(scene.model.body(2).name, "body_2");
  EXPECT_EQ(scene.model.shapes()[1].shape.size[1], 0.2);
  EXPECT_EQ(scene.model.body(2).joint.type, kFixed);
  EXPECT_EQ(bodyPoses(scene.model, scene.q)[2].position.z(), 5.0);
}

TEST(SceneFile, NamedMaterialBeatsGroundAndPairBeatsName) {
  const std::string scene_text =
      "[ground]\nfriction = 0.3\n[[body]]\nname = 'a'\nshape = {sphere = 0.1}\nmass = 1\nmaterial = 'ice'\n"
      "[[body]]\nname = 'b'\nshape = {sphere = 0.1}\nmass = 1\nmaterial = 'rubber'\nposition = [1, 0, 0]\n"
      "[[body]]\nname = 'c'\nshape = {sphere = 0.1}\nmass = 1\nposition = [2, 0, 0]\n"
      "[[material]]\nname = 'ice'\nfriction = 0.05\n"
      "[[material]]\npair = ['ice', 'rubber']\nfriction = 0.1\nfriction_static = 0.2\nrestitution = 0.5\nthreshold = "
      "0.02\n";
  const Model model = load(scene_text).model;
  EXPECT_EQ(model.material(0, 3).friction, 0.05);  // ice on the ground
  EXPECT_EQ(model.material(0, 1).friction, 0.1);   // ice on rubber
  EXPECT_EQ(model.material(0, 1).friction_static, 0.2);
  EXPECT_EQ(model.material(0, 1).threshold, 0.02);
  EXPECT_EQ(model.material(2, 3).friction, 0.3);  // anything else on the ground
  EXPECT_EQ(model.material(1, 2).friction, 0.8);  // nothing said
}

TEST(SceneFile, ReadsHoldTorquesWrenchAndReset) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(scenePath("anymal.urdf"), folder("anymal.urdf"));
  folder.write("t.csv", "time,LF_KFE,RH_HAA\n0,1,2\n0.5,3,4\n");
  const Scene scene = loadScene(folder.write(
      "s.toml",
      "[[robot]]\nmodel = 'anymal.urdf'\nq = {LF_HAA = 0.5}\nv = {LF_HFE = -1}\n"
      "[[controller]]\nkind = 'hold'\nkp = 40\nkd = {LF_HAA = 2}\n[[controller]]\nkind = 'torques'\nfile = 't.csv'\n"
      "[[wrench]]\nbody = 'LF_SHANK'\nforce = [1, 2, 3]\ntorque = [4, 5, 6]\nframe = 'body'\nfrom = 0.5\nuntil = 1\n"
      "[reset]\nat_rest = {energy = 1e-6, for = 0.3}\n"));
  const Model& model = scene.model;
  EXPECT_EQ(scene.q[model.joints()[model.findJoint("LF_HAA")].q_index], 0.5);
  EXPECT_EQ(scene.v[model.joints()[model.findJoint("LF_HFE")].v_index], -1.0);
  ASSERT_EQ(scene.holds.size(), 12u);
  EXPECT_EQ(scene.holds[0].target, 0.5);
  EXPECT_EQ(scene.holds[0].kp, 40.0);
  EXPECT_EQ(scene.holds[0].kd, 2.0);
  EXPECT_EQ(scene.holds[1].kd, 0.0);
  EXPECT_EQ(scene.holds[0].effort, 80.0);
  ASSERT_TRUE(scene.torques.has_value());
  EXPECT_EQ(scene.torques->time, (std::vector<double>{0.0, 0.5}));
  EXPECT_EQ(scene.torques->tau[1][model.joints()[model.findJoint("LF_KFE")].v_index], 3.0);
  EXPECT_EQ(scene.torques->tau[1].sum(), 7.0);
  ASSERT_EQ(scene.wrenches.size(), 1u);
  EXPECT_EQ(scene.wrenches[0].torque, Eigen::Vector3d(4, 5, 6));
  EXPECT_FALSE(scene.wrenches[0].in_world);
  EXPECT_EQ(scene.wrenches[0].until, 1.0);
  EXPECT_EQ(scene.reset.rest_for, 0.3);
  EXPECT_TRUE(loadScene(folder("s.toml"), {}, true).holds.empty());  // limp
}

TEST(SceneFile, ReadsTargetsRandomAndGait) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(scenePath("anymal.urdf"), folder("anymal.urdf"));
  folder.write("t.csv", "time,RH_HAA\n0,1\n0.5,3\n");
  const std::string dog = "[[robot]]\nmodel = 'anymal.urdf'\nposition = [0, 0, 0.6]\n";
  const auto placed = [&](const std::string& name, double y) {
    return dog.substr(0, dog.find("position")) + "name = '" + name + "'\nposition = [0, " + std::to_string(y) +
           ", 0.6]\nfeet = ['LF_ADAPTER', 'RF_ADAPTER', 'LH_ADAPTER', 'RH_ADAPTER']\n";
  };
  const Scene scene = loadScene(folder.write(
      "s.toml",
      placed("a", 0) + placed("b", 2) + placed("c", 4) + placed("d", 6) +
          "[[controller]]\nkind = 'targets'\nrobot = 'a'\njoints = ['LF_KFE', 'LF_HAA']\ntable = [[0, 1, 2], [1, 3, "
          "4]]\n"
          "period = 2\n[[controller]]\nkind = 'random'\nrobot = 'b'\nseed = 5\nsigma = 0.5\nkp = 40\nkd = {LF_HAA = "
          "2}\n"
          "[[controller]]\nkind = 'gait'\nrobot = 'c'\nspeed = -0.2\nfrequency = 3\nduty = 0.6\nstep_height = 0.05\n"
          "[[controller]]\nkind = 'targets'\nrobot = 'd'\nfile = 't.csv'\n"));
  const Model& model = scene.model;
  ASSERT_EQ(scene.target_tables.size(), 2u);
  const TargetTable& table = scene.target_tables[0];
  EXPECT_EQ(table.joints, (std::vector<int>{model.findJoint("a/LF_KFE"), model.findJoint("a/LF_HAA")}));
  EXPECT_EQ(table.rows[1], Eigen::Vector2d(3, 4));
  EXPECT_EQ(table.period, 2.0);
  EXPECT_EQ(scene.target_tables[1].joints, std::vector<int>{model.findJoint("d/RH_HAA")});
  EXPECT_EQ(scene.target_tables[1].rows[1][0], 3.0);
  ASSERT_EQ(scene.random_targets.size(), 1u);
  EXPECT_EQ(scene.random_targets[0].seed, 5u);
  EXPECT_EQ(scene.random_targets[0].every, 0.1);
  EXPECT_EQ(scene.random_targets[0].sigma, 0.5);
  EXPECT_EQ(scene.random_targets[0].joints.size(), 12u);
  ASSERT_EQ(scene.gaits.size(), 1u);
  EXPECT_EQ(scene.gaits[0].feet[1], model.findBody("c/RF_ADAPTER"));
  EXPECT_EQ(scene.gaits[0].speed, -0.2);
  EXPECT_EQ(scene.gaits[0].duty, 0.6);
  EXPECT_EQ(scene.gaits[0].frequency, 3.0);
  EXPECT_EQ(scene.gaits[0].placement, 0.0);  // chosen when it walks
  EXPECT_EQ(scene.holds.size(), 48u);
  const Scene limp = loadScene(folder("s.toml"), {}, true);
  EXPECT_TRUE(limp.holds.empty() && limp.target_tables.empty() && limp.random_targets.empty() && limp.gaits.empty());
}

TEST(SceneFile, TorqueTableHasAColumnPerJointOfTheRobot) {
  const TemporaryFolder folder;
  const std::string arm =
      "<robot name='arm'><link name='world'/><link name='a'><inertial><mass value='1'/>"
      "<inertia ixx='1' iyy='1' izz='1'/></inertial></link><joint name='j' type='continuous'>"
      "<parent link='world'/><child link='a'/></joint></robot>";
  folder.write("arm.urdf", arm);
  const std::string robots = "[[robot]]\nmodel = 'arm.urdf'\nname = 'x'\n[[robot]]\nmodel = 'arm.urdf'\nname = 'y'\n";
  const Scene scene = loadScene(
      folder.write("s.toml", robots + "[[controller]]\nkind = 'torques'\nrobot = 'y'\ntable = [[0, 5], [1, 6]]\n"));
  EXPECT_EQ(scene.model.body(3).name, "y/a");
  EXPECT_EQ(scene.torques->tau[0], Eigen::Vector2d(0, 5));
  EXPECT_EQ(scene.torques->tau[1], Eigen::Vector2d(0, 6));
}

TEST(SceneFile, OnlyAndExcludeFilterCollisions) {
  const Scene hang = loadScene(scenePath("anymal_hang.toml"));
  int with_ground = 0;
  for (const auto& [first, second] : hang.model.collisionPairs()) {
    for (const int shape : {first, second}) EXPECT_NE(hang.model.shapes()[shape].name, "torso");
    with_ground += hang.model.shapes()[first].shape.kind == ShapeKind::kPlane;
  }
  EXPECT_EQ(with_ground, 4);
  const Scene scene = load("[ground]\n" + kBall + "[collision]\nexclude = [['ball', 'ground']]\n");
  EXPECT_TRUE(scene.model.collisionPairs().empty());
}

TEST(BareModel, StandsFiveCentimetresAboveAFloorHeldByPd) {
  const Scene scene = loadScene(scenePath("anymal.urdf"));
  EXPECT_EQ(scene.dt, 1e-3);
  EXPECT_EQ(scene.time, 5.0);
  EXPECT_EQ(scene.defaults.size(), 1u);
  const std::vector<Pose> poses = bodyPoses(scene.model, scene.q);
  double lowest = 1e9;
  for (const ModelShape& shape : scene.model.shapes())
    if (shape.shape.kind == ShapeKind::kSphere)
      lowest = std::min(lowest, (poses[shape.body] * shape.X_BS).position.z() - shape.shape.size[0]);
  EXPECT_NEAR(lowest, 0.05, 1e-15);  // rounding of a height of half a metre
  ASSERT_EQ(scene.holds.size(), 12u);
  double mass = 0.0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  for (int body = 0; body < scene.model.bodyCount(); ++body) {
    mass += scene.model.body(body).mass.mass;
    centre += scene.model.body(body).mass.mass * (poses[body] * scene.model.body(body).mass.com);
  }
  centre /= mass;
  const double omega = 10.0 * std::numbers::pi, turn = 1e-6;
  for (const HoldSpec& hold : scene.holds) {
    // a quarter of the robot stands on the one foot that the joint moves: a ball, and of it the point below its centre. If the foot
    // stays, the robot turns the other way about the joint: as its centre of mass would if it were fixed to the foot
    Eigen::VectorXd q[2] = {scene.q, scene.q};
    q[0][scene.model.joints()[hold.joint].q_index] -= turn, q[1][scene.model.joints()[hold.joint].q_index] += turn;
    const std::vector<Pose> before = bodyPoses(scene.model, q[0]), after = bodyPoses(scene.model, q[1]);
    double inertia = 0.0;
    for (const ModelShape& shape : scene.model.shapes()) {
      if (shape.shape.kind != ShapeKind::kSphere) continue;
      const Pose& X = poses[shape.body];
      const Eigen::Vector3d low = (X * shape.X_BS).position - shape.shape.size[0] * Eigen::Vector3d::UnitZ();
      for (const Eigen::Vector3d& point : {low, centre}) {
        const Eigen::Vector3d p_B = X.rotation.conjugate() * (point - X.position);
        const double rate = (after[shape.body] * p_B - before[shape.body] * p_B).norm() / (2.0 * turn);
        inertia = std::max(inertia, 0.25 * mass * rate * rate);
      }
    }
    EXPECT_NEAR(hold.kp, inertia * omega * omega, 1e-8 * hold.kp);  // of differences over 2e-6 rad
    EXPECT_NEAR(hold.kd, 2.0 * inertia * omega, 1e-8 * hold.kd);
    EXPECT_EQ(hold.effort, 80.0);
  }
  const int ground = static_cast<int>(scene.model.shapes().size()) - 1;
  EXPECT_EQ(scene.model.material(0, ground).friction, 0.8);
  EXPECT_EQ(scene.model.material(0, ground).restitution, 0.0);
  EXPECT_TRUE(loadScene(scenePath("anymal.urdf"), {}, true).holds.empty());
}

TEST(BareModel, FixedBaseStaysAndTheFloorGoesBelowIt) {
  const Scene scene = loadScene(scenePath("anymal.urdf"), {.base = BaseKind::kFixed});
  EXPECT_EQ(scene.model.nv(), 12);
  const std::vector<Pose> poses = bodyPoses(scene.model, scene.q);
  EXPECT_EQ(poses[0].position, Eigen::Vector3d::Zero());
  double lowest = 1e9;
  for (const ModelShape& shape : scene.model.shapes())
    if (shape.shape.kind == ShapeKind::kSphere)
      lowest = std::min(lowest, (poses[shape.body] * shape.X_BS).position.z() - shape.shape.size[0]);
  EXPECT_NEAR(scene.model.shapes().back().X_BS.position.z(), lowest - 0.05, 1e-15);
}

}  // namespace
}  // namespace rigor
