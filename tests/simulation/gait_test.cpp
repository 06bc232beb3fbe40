// Walking: feet go where they are told, robots do not fall.
#include "simulation/gait.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "rigor/algorithms.h"
#include "simulation/simple_scenes.h"
#include "simulation/state_hash.h"

namespace rigor {
namespace {

Scene makeA1Walk(double speed) {
  Scene scene = loadNamed("a1_stand");
  GaitSpec gait;
  for (const char* foot : {"FL_calf", "FR_calf", "RL_calf", "RR_calf"}) gait.feet.push_back(scene.model.findBody(foot));
  gait.speed = speed;
  scene.gaits.push_back(gait);
  for (HoldSpec& hold : scene.holds) hold.kp = 300.0, hold.kd = 7.5;  // those that it stands with give too much
  return scene;
}

/// The centre of the foot's sphere by the public kinematics, in the frame of the base.
Eigen::Vector3d footPlace(const Scene& scene, const Eigen::VectorXd& q, int foot) {
  for (const ModelShape& shape : scene.model.shapes())
    if (shape.body == foot) {
      Data data(scene.model);
      const Eigen::Isometry3d X_WF = framePlacement(scene.model, data, q, foot);
      const Eigen::Quaterniond R_WB(q[3], q[4], q[5], q[6]);
      return R_WB.conjugate() * (X_WF * shape.X_BS.position - q.head<3>());
    }
  ADD_FAILURE() << "no shape";
  return {};
}

TEST(Leg, PutsItsFootWhereItIsToldByOtherKinematics) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (const Scene& scene : {loadNamed("anymal_trot"), makeA1Walk(0.5)}) {
    Scene turned = scene;  // the base stands askew somewhere
    const Eigen::Quaterniond R(Eigen::AngleAxisd(2.5, Eigen::Vector3d(1, 2, 3).normalized()));
    turned.q.head<7>() << 3.0, -2.0, 5.0, R.w(), R.x(), R.y(), R.z();
    for (const int foot : scene.gaits[0].feet) {
      const Leg leg(turned, listDrives(turned), foot);
      const Eigen::Vector3d start = footPlace(turned, turned.q, foot);
      EXPECT_LT((Eigen::Vector3d(leg.place().x, leg.place().y, leg.place().z) - start).norm(), 1e-14);
      for (int i = 0; i < 50; ++i) {
        const Eigen::Vector3d p =
            start + Eigen::Vector3d(0.1 * uniform(random), 0.05 * uniform(random), 0.03 + 0.03 * uniform(random));
        double q[Leg::kMostJoints];
        for (std::size_t k = 0; k < leg.joints().size(); ++k) q[k] = leg.joints()[k].start;
        const double missed = leg.reach({p.x(), p.y(), p.z()}, q);
        Eigen::VectorXd moved = turned.q;
        for (std::size_t k = 0; k < leg.joints().size(); ++k) {
          const HoldSpec drive = listDrives(turned)[leg.joints()[k].drive];
          moved[turned.model.joints()[drive.joint].q_index] = q[k];
        }
        EXPECT_LT(missed, 1e-5);  // where Gauss–Newton stops
        EXPECT_NEAR((footPlace(turned, moved, foot) - p).norm(), missed, 1e-13);
      }
    }
  }
}

/// A free base with one leg of a slide, a screw and a hinge, all askew.
Scene makeOddLeg() {
  ModelBuilder builder("odd");
  int parent = kWorld;
  const auto add = [&](const std::string& name, JointType type, const Eigen::Vector3d& axis,
                       const Eigen::Vector3d& at) {
    BodySpec body;
    body.name = name;
    body.parent = parent;
    body.joint.name = name + "_joint";
    body.joint.type = type;
    body.joint.axis = axis.normalized();
    body.joint.X_PJ.position = at;
    body.joint.pitch = 0.1;
    body.mass = computeMassProperties(makeSphere(0.05), 1000.0);
    if (name == "foot")
      body.shapes.push_back({"sole", makeSphere(0.05), {{0.02, 0.03, -0.3}, Eigen::Quaterniond::Identity()}});
    parent = builder.addBody(body);
  };
  add("base", kFree, Eigen::Vector3d::UnitZ(), {0, 0, 0});
  add("rail", kSlide, {0.2, 0.1, 1}, {0.1, 0, 0});
  add("screw", kHelical, {1, 0.3, 0}, {0, 0.1, -0.1});
  add("foot", kHinge, {0, 1, 0.2}, {0, 0, -0.3});
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q.tail<3>() << 0.05, 0.3, -0.4;
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  for (int joint = 1; joint < 4; ++joint) scene.holds.push_back({.joint = joint, .kp = 1.0, .kd = 1.0});
  return scene;
}

TEST(Leg, OfSlidesAndScrewsReachesToo) {
  const Scene scene = makeOddLeg();
  const int foot = scene.model.findBody("foot");
  const Leg leg(scene, listDrives(scene), foot);
  const Eigen::Vector3d p = footPlace(scene, scene.q, foot) + Eigen::Vector3d(0.05, -0.04, 0.06);
  double q[Leg::kMostJoints] = {scene.q[7], scene.q[8], scene.q[9]};
  const double missed = leg.reach({p.x(), p.y(), p.z()}, q);
  Eigen::VectorXd moved = scene.q;
  moved.tail<3>() << q[0], q[1], q[2];
  EXPECT_LT(missed, 1e-5);
  EXPECT_NEAR((footPlace(scene, moved, foot) - p).norm(), missed, 1e-13);
}

struct Walk {
  double speed = 0.0, highest_tilt = 0.0, lowest = 1e9, sideways = 0.0;
};

/// Walks `seconds`; measures after the first two.
Walk walk(const Scene& scene, double seconds) {
  Simulator sim(scene);
  sim.wanted() = {};
  Walk result;
  double x_start = 0.0;
  const auto steps = std::lround(seconds / scene.dt), first = std::lround(2.0 / scene.dt);
  for (long i = 0; i < steps; ++i) {
    EXPECT_TRUE(sim.step().accepted()) << sim.report().explain();
    if (!sim.report().accepted()) return result;
    const Eigen::VectorXd& q = sim.state().q;
    if (i == first) x_start = q[0];
    if (i < first) continue;
    const Eigen::Quaterniond R(q[3], q[4], q[5], q[6]);
    result.highest_tilt = std::max(result.highest_tilt, std::acos(R.toRotationMatrix()(2, 2)));
    result.lowest = std::min(result.lowest, q[2]);
  }
  result.speed = (sim.state().q[0] - x_start) / (seconds - 2.0);
  result.sideways = sim.state().q[1];
  return result;
}

// Upright: a robot that falls tilts by more than half a radian and sinks by half its height.
TEST(AnymalTrot, WalksAtItsSpeedWithoutFalling) {
  const Walk trot = walk(loadNamed("anymal_trot"), 12.0);
  EXPECT_NEAR(trot.speed, 1.5, 0.1);
  EXPECT_LT(trot.highest_tilt, 0.2);
  EXPECT_GT(trot.lowest, 0.45);
  EXPECT_LT(std::fabs(trot.sideways), 0.5);  // of 15 m: it keeps its heading
}

TEST(AnymalTrot, WalksAtStepsOfTwentyMillisecondsToo) {
  Scene scene = loadNamed("anymal_trot");
  scene.dt = 0.02;
  const Walk trot = walk(scene, 20.0);
  EXPECT_NEAR(trot.speed, 1.5, 0.15);
  EXPECT_LT(trot.highest_tilt, 0.2);
}

TEST(Gait, OfAnotherRobotNeedsNoOtherNumbers) {
  const Walk trot = walk(makeA1Walk(0.6), 8.0);
  EXPECT_NEAR(trot.speed, 0.6, 0.15);
  EXPECT_LT(trot.highest_tilt, 0.3);
}

TEST(Gait, TurnsTheRobotBackToWhereItLooked) {
  Scene scene = loadNamed("anymal_trot");
  Simulator sim(scene);
  ASSERT_TRUE(sim.run(2.0).accepted());
  Eigen::VectorXd q = sim.state().q, v = sim.velocity();
  const Eigen::Quaterniond turned =
      Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitZ()) * Eigen::Quaterniond(q[3], q[4], q[5], q[6]);
  q.segment<4>(3) << turned.w(), turned.x(), turned.y(), turned.z();
  sim.setState(q, v);
  ASSERT_TRUE(sim.run(3.0).accepted()) << sim.report().explain();
  const Eigen::VectorXd& end = sim.state().q;
  EXPECT_LT(std::fabs(2.0 * std::atan2(end[6], end[3])), 0.15);
}

TEST(Gait, WithAPathOutOfReachIsRefusedAndNamesTheFoot) {
  Scene scene = loadNamed("anymal_trot");
  scene.gaits[0].speed = 5.0;
  try {
    scene.check();
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("foot \"LF_ADAPTER\": misses its path"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace rigor
