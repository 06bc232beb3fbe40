// What own potentials and constraints may not be, where they stop, and that recordings of them hold.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "own_scenes.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

Scene oneBody() {
  FreeBodies world;
  world.bodies = {{"ball", 1.0, {1, 0, 0}}};
  return world.scene();
}

std::string refusalOf(const Scene& scene) {
  try {
    Simulator sim(scene);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

void expectRefusal(const Scene& scene, const std::string& problem, const std::string& remedy) {
  const std::string words = refusalOf(scene);
  EXPECT_NE(words.find(problem), std::string::npos) << words;
  EXPECT_NE(words.find(remedy), std::string::npos) << words;
}

const auto kHeight = [](const OwnPose&, const OwnPose& two) { return two.position.z; };

TEST(OwnTerms, AreRefusedWithTheirNameAndARemedy) {
  Scene scene = oneBody();
  const auto tryPotential = [&](const OwnPotential& term, const std::string& problem, const std::string& remedy) {
    scene.potentials = {term};
    expectRefusal(scene, problem, remedy);
  };
  tryPotential({"lift", kWorld, scene.model.findBody("bal"), kHeight},
               "potential \"lift\": body -2 does not exist, the model has 1", "findBody");
  tryPotential({"lift", kWorld, 7, kHeight}, "potential \"lift\": body 7 does not exist", "kWorld");
  tryPotential({"lift", kWorld, 0, {}}, "potential \"lift\": has no function", "Give it one");
  tryPotential({"lift", kWorld, kWorld, kHeight}, "potential \"lift\": both ends are the world", "two bodies");
  tryPotential({"lift", 0, 0, kHeight}, "potential \"lift\": both ends are body \"ball\"", "two bodies");
  tryPotential({"", kWorld, 0, kHeight}, "has no name", "Name it");
  tryPotential({"lift", kWorld, 0, [](const OwnPose&, const OwnPose& two) { return 1.0 / two.position.z; }},
               "potential \"lift\": is not finite where the run begins", "division by zero");
  scene.potentials = {{"lift", kWorld, 0, kHeight}, {"lift", kWorld, 0, kHeight}};
  expectRefusal(scene, "potential \"lift\": another own term has this name", "Rename");
}

TEST(OwnTerms, ConstraintsAreRefusedWithTheirNameAndARemedy) {
  Scene scene = oneBody();
  const auto tryConstraint = [&](const OwnConstraint& term, const std::string& problem, const std::string& remedy) {
    scene.constraints = {term};
    expectRefusal(scene, problem, remedy);
  };
  tryConstraint({"rail", kWorld, -2, kHeight}, "constraint \"rail\": body -2 does not exist", "findBody");
  tryConstraint({"rail", kWorld, 0, {}}, "constraint \"rail\": has no function", "Give it one");
  tryConstraint({"rail", kWorld, 0, [](const OwnPose&, const OwnPose&) { return OwnValues{}; }},
                "constraint \"rail\": its function gives 0 numbers, not 1 to 6", "second constraint");
  tryConstraint({"rail", kWorld, 0,
                 [](const OwnPose&, const OwnPose& two) {
                   const PoseNumber z = two.position.z;
                   return OwnValues{z, z, z, z, z, z, z};
                 }},
                "constraint \"rail\": its function gives 7 numbers, not 1 to 6", "second constraint");
  tryConstraint({"rail", kWorld, 0, [](const OwnPose&, const OwnPose& two) { return log(two.position.z); }},
                "constraint \"rail\": is not finite where the run begins", "logarithm");
  tryConstraint({"rail", kWorld, 0, [](const OwnPose&, const OwnPose& two) { return 1.0 + pow(two.position.z, 2.0); }},
                "constraint \"rail\": cannot be closed", "Start nearer");
}

TEST(OwnTerms, ConstraintsWithoutASlopeAreRefused) {
  Scene scene = oneBody();
  scene.constraints = {{"rail", kWorld, 0, [](const OwnPose&, const OwnPose& two) {
                          return OwnValues{two.position.y, pow(norm(two.position) - 1.0, 2.0)};
                        }}};
  expectRefusal(scene, "constraint \"rail\": number 2 of 2 has no slope where it is zero", "not its square");
}

// ω² = k (1/m₁ + 1/m₂) of a spring between the centres of two bodies.
TEST(OwnTerms, PotentialsThatAreTooStiffForTheStepAreToldBeforeTheyExplode) {
  FreeBodies world;
  world.bodies = {{"one", 1.0}, {"two", 3.0, {1, 0, 0}}};
  Scene scene = world.scene();
  const auto warningsWith = [&](double h_omega) {
    const double omega = h_omega / scene.dt;
    scene.potentials = {
        makeOwnSpring(0, Vector3d::Zero(), 1, Vector3d::Zero(), omega * omega / (1.0 + 1.0 / 3.0), 1.0)};
    return Simulator(scene).warnings();
  };
  EXPECT_TRUE(warningsWith(0.9).empty());
  const std::vector<Warning> warnings = warningsWith(1.5);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].text().find("potential \"spring\": vibrates at 1.5e+03 rad/s"), 0u) << warnings[0].text();
}

// Of V = −k/r, K is −2k/r³ along the line and +k/r³ across it: the largest in size is no vibration and must not hide the others.
TEST(OwnTerms, AttractionThatVibratesTooFastAcrossItsLineIsToldToo) {
  FreeBodies world;
  world.bodies = {{"sun", 4.0}, {"planet", 4.0, {1, 0, 0}}};
  Scene scene = world.scene();
  const auto warningsWith = [&](double h_omega) {
    const double omega = h_omega / scene.dt, k = omega * omega / (1.0 / 4.0 + 1.0 / 4.0);
    scene.potentials = {{"attraction", 0, 1, [k](const OwnPose& sun, const OwnPose& planet) {
                           return -k / norm(planet.position - sun.position);
                         }}};
    return Simulator(scene).warnings();
  };
  EXPECT_TRUE(warningsWith(0.9).empty());
  const std::vector<Warning> warnings = warningsWith(7.0);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].text().find("potential \"attraction\": vibrates at 7e+03 rad/s"), 0u) << warnings[0].text();
}

// A field that pulls a million times harder along x than a weak spring holds along y: the spring is found nevertheless.
TEST(OwnTerms, AWeakVibrationBesideASteepHillIsFound) {
  FreeBodies world;
  world.bodies = {{"one", 1.0}};
  Scene scene = world.scene();
  const double k = 2.25 / (scene.dt * scene.dt);
  scene.potentials = {{"saddle", kWorld, 0, [k](const OwnPose&, const OwnPose& body) {
                         return 0.5 * k * (pow(body.position.y, 2.0) - 1e6 * pow(body.position.x, 2.0));
                       }}};
  const std::vector<Warning> warnings = Simulator(scene).warnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].text().find("potential \"saddle\": vibrates at 1.5e+03 rad/s"), 0u) << warnings[0].text();
}

TEST(OwnTerms, OfKinematicBodiesAloneAreRefused) {
  ModelBuilder builder;
  BodySpec belt;
  belt.name = "belt";
  belt.joint.type = kFree;
  belt.kinematic = true;
  belt.mass = {1.0, Vector3d::Zero(), Eigen::Matrix3d::Identity()};
  builder.addBody(belt);
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(6);
  scene.potentials = {{"lift", kWorld, 0, kHeight}};
  expectRefusal(scene, "potential \"lift\": no force can move either of its ends", "answers to forces");
}

// The body falls through z = 0, below which the root has no value.
TEST(OwnTerms, ThatStopBeingFiniteEndTheRunAtTheLastGoodState) {
  for (const char* stepper : {"minimal", "maximal"})
    for (const bool constraint : {false, true}) {
      FreeBodies world;
      world.gravity = {0, 0, -9.81};
      world.stepper = stepper;
      world.bodies = {{"ball", 1.0, {1, 0, 0.05}}};
      Scene scene = world.scene();
      if (constraint)
        scene.constraints = {{"root", kWorld, 0, [](const OwnPose&, const OwnPose& ball) {
                                return ball.position.x - 1.0 - pow(ball.position.z, 1.5) + std::pow(0.05, 1.5);
                              }}};
      else
        scene.potentials = {
            {"root", kWorld, 0, [](const OwnPose&, const OwnPose& ball) { return 1e-6 * pow(ball.position.z, 1.5); }}};
      Simulator sim(scene);
      const StepReport& last = sim.run(1.0);
      ASSERT_FALSE(last.accepted());
      EXPECT_EQ(last.status, constraint ? StepStatus::kNotConverged : StepStatus::kNotFinite) << last.explain();
      const std::string who = constraint ? "constraint \"root\"" : "potential \"root\"";
      EXPECT_EQ(last.own_trouble.find(who + " is not finite"), 0u) << last.own_trouble;
      EXPECT_NE(last.explain().find("Own " + who), std::string::npos) << last.explain();
      EXPECT_TRUE(sim.state().q.allFinite());
      const Eigen::VectorXd q = sim.state().q;
      EXPECT_FALSE(sim.step().accepted());  // and again
      EXPECT_EQ((sim.state().q - q).norm(), 0.0);
    }
}

TEST(OwnTerms, ConstraintsWithNowMoreAndNowFewerNumbersEndTheRun) {
  Scene scene = oneBody();
  scene.v[2] = 1.0;
  scene.constraints = {{"rail", kWorld, 0, [](const OwnPose&, const OwnPose& two) {
                          const PoseVector& p = two.position;
                          return p.z > 0.0505 ? OwnValues{p.x - 1.0, p.y} : OwnValues{p.x - 1.0};
                        }}};
  Simulator sim(scene);
  const StepReport& last = sim.run(0.1);
  EXPECT_EQ(last.index, 50);  // at 1 m/s and 1 ms
  EXPECT_FALSE(last.accepted());
  EXPECT_NE(last.own_trouble.find("constraint \"rail\""), std::string::npos);
  EXPECT_NE(last.own_trouble.find("another number of values"), std::string::npos);
}

TEST(OwnTerms, ThatThrowLeaveTheStateAsItWas) {
  Scene scene = oneBody();
  bool throws = false;
  scene.potentials = {{"moody", kWorld, 0, [&](const OwnPose&, const OwnPose& two) {
                         if (throws) throw std::runtime_error("not today");
                         return two.position.z;
                       }}};
  Simulator sim(scene), twin(scene);
  ASSERT_TRUE(sim.run(0.1).accepted() && twin.run(0.1).accepted());
  throws = true;
  EXPECT_THROW(sim.step(), std::runtime_error);
  throws = false;
  ASSERT_TRUE(sim.run(0.1).accepted() && twin.run(0.1).accepted());
  EXPECT_EQ((sim.state().q - twin.state().q).norm(), 0.0);
}

TEST(OwnTerms, AreKeptByForks) {
  Scene scene = oneBody();
  scene.potentials = {makeOwnSpring(kWorld, Vector3d::Zero(), 0, Vector3d::Zero(), 10.0)};
  Simulator sim(scene);
  ASSERT_TRUE(sim.run(0.2).accepted());
  Simulator fork(sim);
  ASSERT_TRUE(sim.run(0.2).accepted() && fork.run(0.2).accepted());
  EXPECT_EQ((sim.state().q - fork.state().q).norm(), 0.0);
  EXPECT_LT(sim.state().q[0], 0.5);  // cos(3.16 · 0.4) of a metre
}

}  // namespace
}  // namespace rigor
