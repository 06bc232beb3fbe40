// Impacts by Poisson's and Stronge's laws, at once and in sequence, judged by code that knows only the recording.
#include <gtest/gtest.h>

#include "recorded_runs.h"

namespace rigor {
namespace {

/// A row of balls that falls slanted onto the floor, so that several contacts strike at once and rub.
Scene fallingRow(ImpactLaw law, const char* impacts, const char* stepper, double e = 0.7) {
  ModelBuilder builder("row");
  builder.addWorldShape({"ground", makePlane(), {}, "default"});
  MaterialPair pair;
  pair.material_1 = pair.material_2 = "default";
  pair.friction = 0.3, pair.restitution = e, pair.impact = law;
  builder.addMaterialPair(pair);
  for (int i = 0; i < 3; ++i) {
    BodySpec body;
    body.name = "ball" + std::to_string(i);
    body.joint.type = kFree;
    body.joint.name = body.name + "_joint";
    body.joint.X_PJ.position = {0.2 * i, 0, 0.15};
    body.mass = computeMassProperties(makeSphere(0.1), 1000.0);
    body.shapes.push_back({body.name, makeSphere(0.1), {}, "default"});
    builder.addBody(body);
  }
  Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  for (int i = 0; i < 3; ++i) scene.v[6 * i] = 1.0 - i, scene.v[6 * i + 2] = -1.0;
  scene.impacts = impacts, scene.stepper = stepper;
  return scene;
}

TEST(VerifyImpacts, FindsEveryLawToHoldAtOnceAndInSequence) {
  for (const char* stepper : {"minimal", "maximal"})
    for (const char* impacts : {"simultaneous", "sequential"})
      for (const ImpactLaw law : {ImpactLaw::kNewton, ImpactLaw::kPoisson, ImpactLaw::kStronge}) {
        SCOPED_TRACE(std::string(stepper) + " " + impacts + " " + std::string(impactLawName(law)));
        expectAgreement(recordRun(fallingRow(law, impacts, stepper), 200));
      }
}

// The recording of one law under the header of another: what came back is not what that law says. Balls are struck in the line of their
// centres, where Poisson's and Stronge's laws agree: between these two another restitution must be seen.
TEST(VerifyImpacts, DeniesThatARunObeysAnotherLawOrRestitution) {
  const auto holds = [](ImpactLaw law, ImpactLaw told, double e) {
    Recording recording = recordRun(fallingRow(law, "simultaneous", "minimal"), 200);
    recording.header = makeRecording(fallingRow(told, "simultaneous", "minimal", e)).header;
    return verifyRecording(recording).holds;
  };
  for (const ImpactLaw law : {ImpactLaw::kPoisson, ImpactLaw::kStronge}) {
    EXPECT_FALSE(holds(law, ImpactLaw::kNewton, 0.7));
    EXPECT_FALSE(holds(ImpactLaw::kNewton, law, 0.7));
    EXPECT_FALSE(holds(law, law, 0.6));
    EXPECT_FALSE(holds(law, law, 0.8));
    EXPECT_TRUE(holds(law, law, 0.7));
  }
}

}  // namespace
}  // namespace rigor
