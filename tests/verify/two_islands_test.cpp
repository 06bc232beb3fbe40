// Two things that strike in the same instant and do not know of each other: a bounce that energy shortens, and one that it does
// not.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "verify/recorded_runs.h"

namespace rigor {
namespace {

using Eigen::Vector3d;

struct Start {
  Eigen::Quaterniond tilt;
  Eigen::Matrix<double, 6, 1> rod_velocity;
};

/// A rod whose lower end touches the ground and strikes it, and a ball 2 mm beside it that does so too; or one of the two alone.
Scene makeStrikes(const Start& start, bool rod, bool ball) {
  ModelBuilder builder("strikes");
  builder.addWorldShape({"ground", makePlane(), {}, "ground"});
  MaterialPair rough;
  rough.material_1 = "ground", rough.friction = 2.0, rough.restitution = 1.0;
  builder.addMaterialPair(rough);
  std::vector<double> v;
  const auto add = [&](const char* name, const Shape& shape, const Vector3d& at, const Eigen::Quaterniond& r) {
    BodySpec body;
    body.name = name, body.joint.name = std::string(name) + "_joint", body.joint.type = kFree;
    body.shapes.push_back({name, shape, {}, "default"});
    body.mass = computeMassProperties(shape, 1000.0);
    Eigen::VectorXd q(7);
    q << at, r.w(), r.x(), r.y(), r.z();
    builder.setReference(builder.addBody(body), q);
  };
  const double half = 0.5, radius = 0.02;
  const Vector3d lower = start.tilt * Vector3d(0, 0, -half);  // from the centre to the end that is down
  if (rod) {
    add("rod", makeCapsule(radius, half), Vector3d(0, 0, radius) - lower, start.tilt);
    v.insert(v.end(), start.rod_velocity.begin(), start.rod_velocity.end());
  }
  if (ball) {
    add("ball", makeSphere(0.1), {0.0, 0.1 + radius + 2e-3, 0.1}, Eigen::Quaterniond::Identity());
    for (const double x : {0.0, 0.0, -3.0, 0.0, 0.0, 0.0}) v.push_back(x);
  }
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::Map<Eigen::VectorXd>(v.data(), static_cast<int>(v.size()));
  return scene;
}

Eigen::VectorXd velocityAfterOneStep(const Scene& scene) {
  Simulator simulator(scene);
  EXPECT_TRUE(simulator.step().accepted()) << simulator.report().explain();
  return simulator.state().v;
}

/// Whether some impact of the recording has contacts of both bodies and a bounce that was shortened.
bool strikesTogether(const Recording& r) {
  for (std::size_t s = 0; s < r.substep_h.size(); ++s) {
    std::set<int> bodies;
    for (std::int64_t c = r.contact_start[s]; c < r.contact_start[s + 1]; ++c)
      for (const int side : {0, 1}) bodies.insert(r.contact_body[2 * c + side]);
    if (r.substep_h[s] == 0.0 && r.substep_theta[s] < 1.0 && bodies.count(0) && bodies.count(1)) return true;
  }
  return false;
}

TEST(TwoIslands, BounceAsTheyDoAloneThoughEnergyShortensOneOfTheTwo) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  int shortened = 0;
  for (int i = 0; i < 60; ++i) {
    Start start;
    start.tilt = Eigen::AngleAxisd(0.2 + 0.5 * std::fabs(number(generator)), Vector3d::UnitY());
    for (int j = 0; j < 6; ++j) start.rod_velocity[j] = (j < 3 ? 3.0 : 10.0) * number(generator);
    start.rod_velocity[1] = -std::fabs(start.rod_velocity[1]);  // away from the ball
    start.rod_velocity[2] = -3.0;
    start.rod_velocity[3] = start.rod_velocity[5] = 0.0;
    const Scene both = makeStrikes(start, true, true);
    const Recording recording = recordRun(both, 3);
    ASSERT_EQ(recording.steps(), 3) << i;
    const Verdict verdict = verifyRecording(recording);
    EXPECT_TRUE(verdict.holds) << i << ": " << verdict.first_bad.what << " " << verdict.first_bad.value << " > "
                               << verdict.first_bad.limit;
    shortened += strikesTogether(recording);
    const Eigen::VectorXd together = velocityAfterOneStep(both),
                          rod = velocityAfterOneStep(makeStrikes(start, true, false)),
                          ball = velocityAfterOneStep(makeStrikes(start, false, true));
    // the same numbers in the same order; only where a step is cut may rounding differ
    EXPECT_LE((together.head<6>() - rod).cwiseAbs().maxCoeff(), 1e-12) << i;
    EXPECT_LE((together.tail<6>() - ball).cwiseAbs().maxCoeff(), 1e-12) << i;
  }
  EXPECT_GT(shortened, 5);
}

}  // namespace
}  // namespace rigor
