// The second opinion on long chains: there rounding could excuse far more than it does.
#include <cmath>

#include "minimal/balls.h"
#include "verify/maximal_runs.h"

namespace rigor {
namespace {

/// Balls 0.25 m apart on hinges about y and z by turns, in a wavy line that falls onto the ground with one end ahead.
Scene makeFallingChain(int links) {
  ModelBuilder builder = withGround();
  int parent = kWorld;
  for (int i = 0; i < links; ++i) {
    BodySpec body = ballAt("ball_" + std::to_string(i), {0, 0, 0.15});
    body.parent = parent;
    if (i > 0) {
      body.joint.type = kHinge;
      body.joint.axis = i % 3 == 0 ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitY();
      body.joint.X_PJ.position = Eigen::Vector3d(0.25, 0, 0);
      body.joint.X_PJ.rotation =
          Eigen::AngleAxisd(0.3 * std::sin(i), Eigen::Vector3d::UnitZ()) *
          Eigen::AngleAxisd(0.06 * std::cos(0.7 * i) - (i == 1 ? 0.02 : 0.0), Eigen::Vector3d::UnitY());
      body.joint.damping = i % 2 == 0 ? 0.05 : 0.0;
    }
    parent = builder.addBody(body);
  }
  builder.excludeSelfCollision();
  Scene scene;
  scene.name = "falling chain";
  scene.model = builder.build();
  scene.dt = 0.005;
  scene.q = scene.model.q0();
  scene.v = Eigen::VectorXd::Zero(scene.model.nv());
  return byMaximal(scene);
}

// Bounds of what rounding may do add up along the chain and its arms, to a millionth of the speed; what it does is a thousandth of that.
// Steps of Newton's method that end at the bound miss 1e-8 to 1e-6 of the momentum.
TEST(SecondOpinionOnLongChains, FindsTheMomentumOfTheirImpactsBalanced) {
  const Recording recording = recordRun(makeFallingChain(60), 60);
  EXPECT_EQ(recording.steps(), 60);
  EXPECT_GT(recording.contact_impulse.size(), 1000u);
  expectHolds(recording, 3e-9);  // its limit for what is not rounding
}

}  // namespace
}  // namespace rigor
