#include <gtest/gtest.h>

#include <numeric>

#include "dynamics/poses.h"
#include "files.h"
#include "rigor/io.h"

namespace rigor {
namespace {

class Anymal : public testing::Test {
 protected:
  const Model model = loadModel(scenePath("anymal.urdf"));
};

TEST_F(Anymal, HasSeventeenBodiesEighteenFreedomsAndNothingWrongInItsFile) {
  EXPECT_EQ(model.bodyCount(), 17);
  EXPECT_EQ(model.nq(), 19);
  EXPECT_EQ(model.nv(), 18);
  for (const Warning& warning : model.warnings()) EXPECT_TRUE(warning.where.file.empty()) << warning.text();
  EXPECT_EQ(model.body(0).name, "base");
  EXPECT_EQ(model.body(0).joint.type, kFree);
  EXPECT_EQ(model.body(4).name, "LF_ADAPTER");
  EXPECT_EQ(model.body(5).name, "RF_HIP");
  EXPECT_EQ(model.joints()[model.findJoint("LF_HAA")].q_index, 7);
  EXPECT_EQ(model.shapes().size(), 5u);
}

TEST_F(Anymal, WeighsWhatTheTableSumsTo) {
  EXPECT_NEAR(model.mass(), 30.421396462, 1e-12);  // sum of decimals of nine digits: rounding only
}

TEST_F(Anymal, LegsAreMirrorImages) {
  for (const char* part : {"HIP", "THIGH", "SHANK", "ADAPTER"}) {
    const BodySpec& front_left = model.body(model.findBody(std::string("LF_") + part));
    for (const char* leg : {"RF", "LH", "RH"}) {
      const BodySpec& body = model.body(model.findBody(std::string(leg) + "_" + part));
      const Eigen::Vector3d mirror(leg[1] == 'H' ? -1.0 : 1.0, leg[0] == 'R' ? -1.0 : 1.0, 1.0);
      const Eigen::Matrix3d flipped = mirror.asDiagonal() * front_left.mass.inertia * mirror.asDiagonal();
      EXPECT_EQ(body.mass.inertia, flipped) << body.name;
      EXPECT_EQ(body.mass.com, mirror.cwiseProduct(front_left.mass.com)) << body.name;
      EXPECT_EQ(body.joint.X_PJ.position, mirror.cwiseProduct(front_left.joint.X_PJ.position)) << body.name;
      EXPECT_EQ(body.mass.mass, front_left.mass.mass);
      EXPECT_EQ(body.joint.axis, front_left.joint.axis);
    }
  }
}

TEST_F(Anymal, StandsWithItsFeetThirtyNineMillimetresAboveTheFloor) {
  const Scene scene = loadScene(scenePath("anymal_stand.toml"));
  const std::vector<Pose> poses = bodyPoses(scene.model, scene.q);
  int feet = 0;
  for (const ModelShape& shape : scene.model.shapes()) {
    if (shape.shape.kind != ShapeKind::kSphere) continue;
    ++feet;
    const double clearance = (poses[shape.body] * shape.X_BS).position.z() - shape.shape.size[0];
    EXPECT_NEAR(clearance, 0.0395, 5e-5) << shape.name;  // printed as 39.5 mm
  }
  EXPECT_EQ(feet, 4);
}

}  // namespace
}  // namespace rigor
