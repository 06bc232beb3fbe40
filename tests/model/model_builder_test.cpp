#include <gtest/gtest.h>

#include "rigor/model.h"

namespace rigor {
namespace {

TEST(ModelBuilder, GivesAFreeBoxSevenCoordinatesAndSixVelocities) {
  ModelBuilder builder;
  BodySpec box;
  box.name = "box";
  box.joint.type = kFree;
  box.joint.X_PJ.position = {1.0, 2.0, 3.0};
  box.mass = computeMassProperties(makeBox({0.1, 0.2, 0.3}), 1000.0);
  builder.addBody(box);
  const Model model = builder.build();
  EXPECT_EQ(model.nq(), 7);
  EXPECT_EQ(model.nv(), 6);
  Eigen::VectorXd q0(7);
  q0 << 1, 2, 3, 1, 0, 0, 0;
  EXPECT_EQ(model.q0(), q0);
}

}  // namespace
}  // namespace rigor
