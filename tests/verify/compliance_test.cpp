// Soft contact as the spring that it is: closed forms of a mass on it, and where its energy goes.
#include <gtest/gtest.h>

#include <cmath>

#include "rigor/ledger.h"
#include "rigor/verify.h"
#include "simulation/simple_scenes.h"
#include "verify/recorded_runs.h"

namespace rigor {
namespace {

constexpr double kRadius = 0.1, kCompliance = 1e-4, kSpeed = 1.0;
const double kOmega = 1.0 / std::sqrt(kCompliance);  // of 1 kg [rad/s]

/// A ball of 1 kg that flies against a wall without weight; 1 cm from it at the start.
Scene ballAtSoftWall(double dt) {
  OneBody spec;
  spec.shape = makeSphere(kRadius);
  spec.density = 1.0 / (4.0 / 3.0 * kPi * kRadius * kRadius * kRadius);
  spec.pose.position = {0, 0, kRadius + 0.01};
  spec.material.compliance = kCompliance;
  spec.dt = dt;
  Scene scene = makeOneBody(spec);
  ModelBuilder builder("soft wall");
  builder.setGravity(Eigen::Vector3d::Zero());
  builder.addWorldShape({"ground", makePlane(), {}, "ground"});
  MaterialPair pad{"ground", ""};
  pad.compliance = kCompliance;
  builder.addMaterialPair(pad);
  const int index = builder.addBody(scene.model.body(0));
  builder.setReference(index, scene.q);
  scene.model = builder.build();
  scene.v[2] = -kSpeed;
  return scene;
}

struct Bounce {
  Recording recording;
  double duration = 0.0, deepest = 0.0, speed = 0.0;
};
Bounce bounce(double dt) {
  Bounce b{recordRun(ballAtSoftWall(dt), static_cast<int>(std::lround(0.06 / dt)))};
  double entered = 0.0, before = 0.01;
  for (int i = 1; i <= b.recording.steps(); ++i) {
    const double gap = b.recording.q[7 * i + 2] - kRadius, at = (i - 1 + before / (before - gap)) * dt;
    if (gap < 0.0 && before >= 0.0) entered = at;
    if (gap >= 0.0 && before < 0.0) b.duration = at - entered;
    b.deepest = std::max(b.deepest, -gap);
    before = gap;
  }
  b.speed = b.recording.v[6 * (b.recording.steps() - 1) + 2];
  return b;
}

// x = −v/ω sin ωt: half a period, as deep as v/ω, and back with the same speed. The law is that of the end of a
// step: what it damps converges with first order, the duration with second.
TEST(SoftBounce, HasTheDurationDepthAndSpeedOfAMassOnASpring) {
  double last[3] = {};
  for (const double dt : {4e-4, 2e-4, 1e-4, 5e-5}) {
    const Bounce b = bounce(dt);
    const double missed[3] = {std::fabs(b.duration - kPi / kOmega), std::fabs(b.deepest - kSpeed / kOmega),
                              kSpeed - b.speed};
    EXPECT_NEAR(missed[2], 0.5 * kPi * kOmega * dt * kSpeed, 0.1 * missed[2]) << dt;  // of the size in half a period
    // the period is that of atan(hω)/h, of second order; what is damped is of first
    const double fewer[3] = {4.0, 2.0, 2.0};
    for (int k = 0; k < 3; ++k) {
      if (last[k] > 0.0) {
        EXPECT_NEAR(last[k] / missed[k], fewer[k], 0.05) << dt << ", " << k;
      }
      last[k] = missed[k];
    }
    expectAgreement(b.recording);
  }
}

TEST(SoftBounce, StoresItsEnergyAndGivesItBackButForWhatTheLawTakes) {
  double last = 0.0;
  for (const double dt : {4e-4, 2e-4, 1e-4}) {
    const Bounce b = bounce(dt);
    const EnergyLedger ledger = computeLedger(b.recording);
    double stored = 0.0, most = 0.0;
    for (const Accounts& work : ledger.work) {
      stored -= work[static_cast<int>(Account::kCompliance)];
      most = std::max(most, stored);
      EXPECT_GE(stored, -1e-15);
    }
    EXPECT_NEAR(most, b.deepest * b.deepest / (2.0 * kCompliance), 1e-12);
    EXPECT_NEAR(stored, 0.0, 1e-15);
    const double taken = -ledger.total(Account::kContacts);
    EXPECT_NEAR(taken, 0.5 * (kSpeed * kSpeed - b.speed * b.speed), 1e-12);
    if (last > 0.0) {
      EXPECT_NEAR(last / taken, 2.0, 0.1) << dt;
    }
    last = taken;
    EXPECT_LE(std::fabs(ledger.totalRemainder()), 1e-13);
  }
}

}  // namespace
}  // namespace rigor
