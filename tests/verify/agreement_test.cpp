#include <gtest/gtest.h>

#include "io/files.h"
#include "verify/recorded_runs.h"

namespace rigor {
namespace {

/// Whether rows of this kind (upper four bits of the id) pushed somewhere.
bool pushed(const Recording& r, std::uint64_t kind) {
  for (std::size_t i = 0; i < r.row_id.size(); ++i)
    if (r.row_id[i].high >> 60 == kind && r.row_impulse[3 * i] != 0.0) return true;
  return false;
}

bool hasMode(const Recording& r, std::uint8_t mode) {
  return std::find(r.contact_mode.begin(), r.contact_mode.end(), mode) != r.contact_mode.end();
}

void expectHolds(const Verdict& verdict) {
  EXPECT_TRUE(verdict.holds) << "step " << verdict.first_bad.step << ": " << verdict.first_bad.what << ": "
                             << verdict.first_bad.value << " > " << verdict.first_bad.limit;
  // two programs that share no line agree to the rounding of doubles, far inside the limits
  EXPECT_LT(verdict.worst.momentum, 1e-11);
  EXPECT_LT(verdict.worst.energy, 1e-13);
  EXPECT_LT(verdict.worst.gap, 1e-12);
  EXPECT_LT(verdict.worst.loop, 1e-12);
}

TEST(SecondOpinion, AgreesOnContactsThatStickSlipBounceAndRoll) {
  const Recording recording = recordRun(makePlayground(), 800);
  EXPECT_EQ(recording.steps(), 800);
  EXPECT_TRUE(hasMode(recording, 0) && hasMode(recording, 1) && hasMode(recording, 2));
  expectHolds(verifyRecording(recording));
}

// A million kilograms on a cylinder of one: the impulses of its two ends cancel to a millionth, their rounding does not.
TEST(SecondOpinion, AgreesOnALightCylinderBetweenAHeavyBoxAndTheGround) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("s.toml",
                   "[ground]\n[[body]]\nname = 'roll'\nshape = {cylinder = {radius = 0.1, length = 0.5}}\nmass = 1\n"
                   "position = [0, 0, 0.25]\n[[body]]\nname = 'box'\nshape = {box = [0.3, 0.3, 0.3]}\nmass = 1e6\n"
                   "position = [0.02, 0.01, 0.65]\n");
  const Recording recording = recordRun(loadScene(file), 400);
  EXPECT_EQ(recording.steps(), 400);
  const Verdict verdict = verifyRecording(recording);
  EXPECT_TRUE(verdict.holds) << "step " << verdict.first_bad.step << ": " << verdict.first_bad.what << ": "
                             << verdict.first_bad.value << " > " << verdict.first_bad.limit;
  EXPECT_GT(verdict.worst.momentum, 3e-9);  // more than the limit without rounding: else this tests nothing
  Recording wrong = recording;              // a millimetre per second is no rounding
  wrong.substep_v_end[100 * recording.nv + 2] += 1e-3;
  EXPECT_FALSE(verifyRecording(wrong).holds);
}

/// An arm of six links that swings and strikes the ground with its end.
Scene makeWhip() {
  ModelBuilder builder("whip");
  builder.addWorldShape({"ground", makePlane(), {{0, 0, -0.8}, Eigen::Quaterniond::Identity()}, "ground"});
  MaterialPair smooth;
  smooth.material_1 = "ground", smooth.friction = 0.3;
  builder.addMaterialPair(smooth);
  for (int i = 0; i < 6; ++i) {
    BodySpec link;
    link.name = "link" + std::to_string(i), link.parent = i - 1;
    link.joint.name = "joint" + std::to_string(i), link.joint.type = kHinge;
    link.joint.axis = Eigen::Vector3d(i % 2 ? 0.3 : -0.2, 1.0, i % 3 ? 0.1 : -0.4).normalized();
    link.joint.X_PJ.position = {i > 0 ? 0.4 : 0.0, 0.0, 0.0};
    link.mass = {1.0, Eigen::Vector3d(0.2, 0.0, 0.0), 0.02 * Eigen::Matrix3d::Identity()};
    if (i == 5)
      link.shapes.push_back({"tip", makeSphere(0.05), {{0.4, 0.0, 0.0}, Eigen::Quaterniond::Identity()}, "default"});
    builder.addBody(link);
  }
  Scene scene;
  scene.model = builder.build();
  scene.q = Eigen::VectorXd::Zero(6), scene.v = Eigen::VectorXd::Constant(6, 1.0);
  return scene;
}

// The slip of a tip is a sum of what six joints do at several rad/s, known to the rounding of these and no better. Measured by a
// friction that is turned on purpose: the limit beside it is more than that of the law alone, and not much more.
TEST(SecondOpinion, AllowsForTheRoundingOfRatesWhereAnArmStrikes) {
  const Recording recording = recordRun(makeWhip(), 500);
  ASSERT_EQ(recording.steps(), 500);
  ASSERT_TRUE(verifyRecording(recording).holds);
  int turned = 0;
  for (std::size_t s = 0; s < recording.substep_h.size() && turned < 3; ++s) {
    if (recording.substep_h[s] != 0.0) continue;
    for (std::int64_t c = recording.contact_start[s]; c < recording.contact_start[s + 1]; ++c) {
      const Eigen::Vector3d impulse(&recording.contact_impulse[3 * c]), normal(&recording.contact_normal[3 * c]);
      if (recording.contact_mode[c] != 2 || !(impulse.norm() > 1e-6)) continue;
      Recording wrong = recording;
      const Eigen::Vector3d bent = Eigen::AngleAxisd(0.01, normal) * impulse;
      for (int k = 0; k < 3; ++k) wrong.contact_impulse[3 * c + k] = bent[k];
      const Verdict verdict = verifyRecording(wrong);
      EXPECT_FALSE(verdict.holds);
      EXPECT_GT(verdict.nearest.slip, verdict.limit.slip);
      const double rounding = verdict.limit.slip - 4e-10;  // four times what the law may miss
      EXPECT_GT(rounding, 1e-13) << "sub-step " << s;      // that of the impulses alone is 64 eps, 2e-14
      EXPECT_LT(rounding, 1e-11) << "sub-step " << s;
      ++turned;
    }
  }
  EXPECT_GE(turned, 1);
}

TEST(SecondOpinion, AgreesOnTwoFreeBallsThatStrike) {
  const Recording recording = recordRun(makeBilliards(), 200);
  EXPECT_EQ(recording.steps(), 200);
  EXPECT_GT(recording.contact_id.size(), 0u);
  expectHolds(verifyRecording(recording));
}

TEST(SecondOpinion, AgreesOnLimitsMotorsDryFrictionSpringsAndWrenches) {
  const Recording recording = recordRun(makeWorkshop(), 300);
  EXPECT_EQ(recording.steps(), 300);
  EXPECT_TRUE(pushed(recording, 1) && pushed(recording, 2) && pushed(recording, 3));
  EXPECT_FALSE(recording.wrench_body.empty());
  const Verdict verdict = verifyRecording(recording);
  expectHolds(verdict);
  ASSERT_EQ(verdict.unchecked.size(), 1u);
  EXPECT_NE(verdict.unchecked[0].find("energy gain"), std::string::npos);
}

TEST(SecondOpinion, AgreesOnLoopsOfEveryTypeWithSpringsAndDampers) {
  for (const std::string& name : jointTypeNames()) {
    if (name == "free") continue;
    for (const Ties ties : {Ties::kSoft, Ties::kStiff}) {
      SCOPED_TRACE(name + (ties == Ties::kStiff ? ", stiff" : ""));
      const Recording recording = recordRun(makeTied(*findJointType(name), ties), 100);
      EXPECT_EQ(recording.steps(), 100);
      int springs = 0, dampers = 0;
      for (std::size_t i = 0; i < recording.row_id.size(); ++i) {
        if (recording.row_id[i].high >> 60 != 5 || recording.row_impulse[3 * i] == 0.0) continue;
        ++(recording.row_id[i].low % 2 == 0 ? springs : dampers);
      }
      EXPECT_GE(springs, 100 * (velocityCount(*findJointType(name)) + 1) - 10);
      EXPECT_GE(dampers, 100 * (velocityCount(*findJointType(name)) + 1) - 10);
      expectHolds(verifyRecording(recording));
    }
  }
}

TEST(SecondOpinion, AgreesOnEveryKindOfLoop) {
  const Recording recording = recordRun(makeLinkages(), 300);
  EXPECT_EQ(recording.steps(), 300);
  for (const std::uint64_t loop : {0u, 1u, 2u, 3u}) {
    bool found = false;
    for (std::size_t i = 0; i < recording.row_id.size(); ++i)
      found = found || (recording.row_id[i].high >> 60 == 4 && recording.row_id[i].low / 8 == loop &&
                        recording.row_impulse[3 * i] != 0.0);
    EXPECT_TRUE(found) << "loop " << loop;
  }
  expectHolds(verifyRecording(recording));
}

TEST(SecondOpinion, AgreesOnRandomTreesOfAllJoints) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE(seed);
    const Recording recording = recordRun(makeRandomScene(seed), 20);
    Verdict verdict = verifyRecording(recording);
    expectHolds(verdict);
  }
}

TEST(SecondOpinion, AgreesOnStepsThatWereHalved) {
  Scene scene = makePlayground();
  scene.dt = 0.02;
  const Recording recording = recordRun(scene, 100);
  EXPECT_GT(recording.substep_h.size(), static_cast<std::size_t>(recording.steps()));
  expectHolds(verifyRecording(recording));
}

TEST(SecondOpinion, SaysWhatItCannotJudgeOfOtherIntegrators) {
  Scene scene = makeRandomScene(3);
  scene.integrator = "rk4";
  const Verdict verdict = verifyRecording(recordRun(scene, 20));
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.what;
  bool said = false;
  for (const std::string& line : verdict.unchecked) said = said || line.find("integrator") != std::string::npos;
  EXPECT_TRUE(said);
}

TEST(SecondOpinion, FollowsARunThatResetsItself) {
  Scene scene = makePlayground();
  scene.reset.every = 0.05;
  const Verdict verdict = verifyRecording(recordRun(scene, 220));
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.what;
  EXPECT_EQ(verdict.restarts, 5);
}

TEST(SecondOpinion, FollowsARunFromASnapshot) {
  const Scene scene = makePlayground();
  Simulator sim(scene);
  for (int i = 0; i < 123; ++i) ASSERT_TRUE(sim.step().accepted());
  Recording recording = makeRecording(scene);
  Simulator later(scene);
  later.restore(sim.save());
  for (int i = 0; i < 50; ++i) {
    const Eigen::VectorXd q = later.state().q;
    recording.append(q, later.step());
  }
  recording.finish(later);
  EXPECT_EQ(recording.time.front(), 123 * 1e-3);
  EXPECT_EQ(recording.time.back(), 173 * 1e-3);
  expectHolds(verifyRecording(recording));
}

// Each of these was once recorded or judged wrongly.
TEST(SecondOpinion, AgreesOnSavedScenes) {
  for (const char* name : {"sliding_ball", "sprung_plate", "weak_motor", "spinner", "uneven_sheet"}) {
    const Scene scene = loadScene(std::string(RIGOR_SOURCE_DIR "/tests/verify/scenes/") + name + ".toml");
    const int steps = static_cast<int>(std::lround(scene.time / scene.dt));
    const Recording recording = recordRun(scene, steps);
    EXPECT_EQ(recording.steps(), steps) << name;
    expectHolds(verifyRecording(recording));
  }
}

/// A torque that did not act, told as if it had: the balance of this freedom misses this share of the speed.
Recording withTorque(Recording recording, int step, int freedom, double inertia, double share) {
  const std::int64_t s = recording.substep_start[step];
  double speed = recording.dt;
  for (int j = 0; j < recording.nv; ++j) speed = std::max(speed, std::fabs(recording.substep_v[s * recording.nv + j]));
  for (std::vector<double>* torque : {&recording.tau, &recording.input_tau})
    (*torque)[step * recording.nv + freedom] += share * speed * inertia / recording.substep_kick[s];
  return recording;
}

// A tiny body far from the origin: the simulator knows the arms of its contacts no better than doubles know where they are.
TEST(SecondOpinion, AllowsForTheRoundingOfPlacesInTheArmsOfContacts) {
  const double inertia = 1.0 * 2.0 * 1e-3 * 1e-3 / 12.0;  // of a cube of 1 kg and 1 mm
  const Recording far = recordRun(loadScene(RIGOR_SOURCE_DIR "/tests/verify/scenes/crumb.toml"), 40);
  ASSERT_EQ(far.steps(), 40);
  EXPECT_TRUE(verifyRecording(far).holds) << verifyRecording(far).first_bad.what;
  // 1e-7 of the speed is thirty times what every other scene keeps to, and a tenth of the ceiling of floors
  EXPECT_TRUE(verifyRecording(withTorque(far, 30, 4, inertia, 1e-7)).holds);
  EXPECT_FALSE(verifyRecording(withTorque(far, 30, 4, inertia, 1e-5)).holds);
}

// A sledge on rails, far away: one arm leans on the ground, the other one, which is light, touches nothing.
TEST(SecondOpinion, AllowsNothingForArmsOfContactsThatAreOfAnotherBranch) {
  ModelBuilder builder("sledge");
  builder.addWorldShape({"floor", makePlane(), {}, "default"});
  const double far = 1e4;
  const auto makeLimb = [](const char* name, int parent, JointType type, double mass, double inertia) {
    BodySpec body;
    body.name = name, body.joint.name = std::string(name) + "_joint", body.parent = parent, body.joint.type = type;
    body.mass = {mass, Eigen::Vector3d::Zero(), inertia * Eigen::Matrix3d::Identity()};
    return body;
  };
  BodySpec sledge = makeLimb("sledge", kWorld, kSlide, 10.0, 1.0);
  sledge.joint.axis = {0, 0, 1}, sledge.joint.X_PJ.position = {far, far, 0.5};
  const int root = builder.addBody(sledge);
  BodySpec leg = makeLimb("leg", root, kHinge, 1.0, 0.01), feeler = makeLimb("feeler", root, kHinge, 1e-3, 1e-6);
  leg.joint.axis = feeler.joint.axis = {0, 1, 0};
  leg.shapes.push_back({"foot", makeSphere(0.1), {{0.0, 0.0, -0.4}, Eigen::Quaterniond::Identity()}, "default"});
  builder.addBody(leg), builder.addBody(feeler);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::Vector3d(0.0, 0.0, 1.0);
  const Recording recording = recordRun(scene, 20);
  ASSERT_EQ(recording.steps(), 20);
  ASSERT_FALSE(recording.contact_id.empty());
  EXPECT_TRUE(verifyRecording(recording).holds) << verifyRecording(recording).first_bad.what;
  const Verdict verdict = verifyRecording(withTorque(recording, 10, 2, 1e-6, 1e-7));
  EXPECT_FALSE(verdict.holds);
  EXPECT_NE(verdict.first_bad.what.find("momentum balance of \"feeler"), std::string::npos) << verdict.first_bad.what;
}

TEST(BallOnASprungPlate, NeverHasMoreEnergyThanAtItsStart) {
  Simulator sim(loadScene(RIGOR_SOURCE_DIR "/tests/verify/scenes/sprung_plate.toml"));
  double start = 0.0;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(sim.step().accepted()) << sim.report().explain();
    const double energy = sim.report().kinetic + sim.report().potential;
    if (i == 0) start = energy;
    ASSERT_LE(energy, start + 1e-6);  // of 4.4 J
  }
}

TEST(SecondOpinion, AgreesThatNothingHappensWithoutFreedoms) {
  ModelBuilder builder("stone");
  builder.addWorldShape({"floor", makePlane(), {}, "default"});
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(0);
  EXPECT_TRUE(verifyRecording(recordRun(scene, 3)).holds);
}

// Balls that met on the way in some pass of a crowd's step kept the plane between them as their gap: one of these steps then ended
// with an impulse between two that were 24 µm apart.
TEST(SecondOpinion, AgreesWithACrowdWhoseBallsOnlyMightHaveMet) {
  const Recording recording = recordRun(loadScene(RIGOR_SOURCE_DIR "/scenes/gallery/funnel.toml"), 90);
  const Verdict verdict = verifyRecording(recording);
  EXPECT_TRUE(verdict.holds) << verdict.first_bad.what << " in step " << verdict.first_bad.step;
}

}  // namespace
}  // namespace rigor
