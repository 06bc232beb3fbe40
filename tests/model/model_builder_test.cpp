#include <gtest/gtest.h>

#include <set>

#include "model/parameters.h"
#include "model/sample_bodies.h"
#include "reference/random_tree.h"

namespace rigor {
namespace {

TEST(ModelBuilder, TakesTheFrameOfAFreeJointAsItsReferencePose) {
  ModelBuilder builder;
  BodySpec mount = ballBody("mount", kWorld, kFixed), box = ballBody("box", 0, kFree);
  mount.joint.X_PJ.position = {0.0, 0.0, 1.0};
  box.joint.X_PJ = {{1.0, 2.0, 3.0}, Eigen::Quaterniond(0.0, 1.0, 0.0, 0.0)};
  builder.addBody(mount);
  builder.addBody(box);
  const Model model = builder.build();
  EXPECT_EQ(model.nq(), 7);
  EXPECT_EQ(model.nv(), 6);
  Eigen::VectorXd q0(7);
  q0 << 1, 2, 4, 0, 1, 0, 0;
  EXPECT_EQ(model.q0(), q0);
}

TEST(ModelBuilder, ReferencesAreZeroAndUnturnedUnlessGiven) {
  ModelBuilder builder;
  builder.addBody(ballBody("a", kWorld, kBall));
  builder.addBody(ballBody("b", 0, kHinge));
  builder.addBody(ballBody("c", 1, {Translation::kAxis, Rotation::kAll}));
  builder.setReference(1, Eigen::VectorXd::Constant(1, 0.5));
  Eigen::VectorXd q0(10);
  q0 << 1, 0, 0, 0, 0.5, 0, 1, 0, 0, 0;
  EXPECT_EQ(builder.build().q0(), q0);
}

TEST(ModelBuilder, NormalisesAxesQuaternionsAndReferences) {
  ModelBuilder builder;
  BodySpec body = ballBody("a", kWorld, kHinge);
  body.joint.axis = {0.0, 3.0, 4.0};
  body.joint.X_PJ.rotation = Eigen::Quaterniond(1.0 + 1e-8, 0.0, 0.0, 0.0);
  builder.addBody(body);
  builder.addBody(ballBody("b", 0, kBall));
  builder.setReference(1, Eigen::Vector4d(0.0, 1.0 + 1e-9, 0.0, 0.0));
  const Model model = builder.build();
  EXPECT_EQ(model.body(0).joint.axis, Eigen::Vector3d(0.0, 0.6, 0.8));
  EXPECT_EQ(model.body(0).joint.X_PJ.rotation.w(), 1.0);
  EXPECT_EQ(model.q0()[2], 1.0);
  EXPECT_TRUE(model.warnings().empty());  // off by less than 1e-6: not worth a word
}

TEST(ModelBuilder, PutsJointNumbersOnEveryFreedom) {
  ModelBuilder builder;
  BodySpec a = ballBody("a", kWorld, kPlanar), b = ballBody("b", 0, kHinge);
  a.joint.damping = 0.1, a.joint.armature = 0.2, a.joint.dry_friction = 0.3;
  b.joint.damping = 1.0;
  builder.addBody(a);
  builder.addBody(b);
  builder.setGravity({1.0, 2.0, 3.0});
  const Model model = builder.build();
  const Parameters<double>& p = model.parameters();
  EXPECT_EQ(p.damping, (std::vector<double>{0.1, 0.1, 0.1, 1.0}));
  EXPECT_EQ(p.armature, (std::vector<double>{0.2, 0.2, 0.2, 0.0}));
  EXPECT_EQ(p.dry_friction, (std::vector<double>{0.3, 0.3, 0.3, 0.0}));
  EXPECT_EQ(model.gravity(), Eigen::Vector3d(1.0, 2.0, 3.0));
}

TEST(Model, FindsBodiesAndJointsByName) {
  ModelBuilder builder("arm");
  builder.addBody(ballBody("base", kWorld, kFixed));
  BodySpec unnamed = ballBody("", 0, kHinge);
  unnamed.joint.name = "";
  builder.addBody(unnamed);
  builder.addBody(ballBody("hand", 1, kHinge));
  const Model model = builder.build();
  EXPECT_EQ(model.name(), "arm");
  EXPECT_EQ(model.findBody("hand"), 2);
  EXPECT_EQ(model.findJoint("hand_joint"), 1);  // the base has none that moves
  EXPECT_EQ(model.findBody("foot"), -2);
  EXPECT_EQ(model.findJoint("hand"), -1);
  EXPECT_EQ(model.findBody(""), -2);  // no name is no name to look for
  EXPECT_DOUBLE_EQ(model.mass(), 3 * model.body(0).mass.mass);
}

TEST(Model, ListsShapesOfBodiesBeforeThoseOfTheWorld) {
  ModelBuilder builder;
  builder.addWorldShape(namedShape("ground", makePlane()));
  BodySpec body = ballBody("ball", kWorld, kFree);
  body.shapes.push_back(namedShape("skin", makeSphere(0.1), "rubber"));
  builder.addBody(body);
  const Model model = builder.build();
  ASSERT_EQ(model.shapes().size(), 2u);
  EXPECT_EQ(model.shapes()[0].name, "skin");
  EXPECT_EQ(model.shapes()[0].body, 0);
  EXPECT_EQ(model.shapes()[0].material, "rubber");
  EXPECT_EQ(model.shapes()[1].body, kWorld);
}

TEST(Model, RefusesBodiesThatItDoesNotHave) {
  ModelBuilder builder;
  builder.addBody(ballBody("ball", kWorld, kFree));
  const Model model = builder.build();
  EXPECT_THROW(model.body(model.findBody("bal")), Error);
  EXPECT_THROW(model.qIndex(1), Error);
  EXPECT_THROW(model.vIndex(kWorld), Error);
  EXPECT_THROW(Model().nv(), Error);  // one that was never built
}

TEST(Model, CopiesShareTheirData) {
  ModelBuilder builder;
  builder.addBody(ballBody("ball", kWorld, kFree));
  const Model model = builder.build(), copy = model;
  EXPECT_EQ(&model.topology(), &copy.topology());
}

TEST(JointTypeName, IsDifferentForEachType) {
  std::set<std::string> names;
  for (JointType type : allJointTypes()) names.insert(jointTypeName(type));
  EXPECT_EQ(names.size(), 14u);
  for (const char* known : {"fixed", "hinge", "slide", "ball", "planar", "free", "helical", "universal"})
    EXPECT_TRUE(names.count(known)) << known;
  EXPECT_EQ(jointTypeName(kHinge), "hinge");
}

TEST(KinematicBodies, AreFreeHangOnTheWorldAndCarryNothingThatMoves) {
  ModelBuilder builder;
  BodySpec table = ballBody("table", kWorld, kFree);
  table.kinematic = true;
  const int index = builder.addBody(table);
  BodySpec hinged = ballBody("arm", index, kHinge);
  EXPECT_THROW(builder.addBody(hinged), Error);
  EXPECT_NO_THROW(builder.addBody(ballBody("top", index, kFixed)));
  EXPECT_THROW(builder.addBody(ballBody("arm", index + 1, kHinge)), Error);
  BodySpec door = ballBody("door", kWorld, kHinge);
  door.kinematic = true;
  EXPECT_THROW(builder.addBody(door), Error);
  BodySpec shifted = ballBody("shifted", kWorld, kFree);
  shifted.kinematic = true;
  shifted.X_JB.position.x() = 1.0;
  EXPECT_THROW(builder.addBody(shifted), Error);
}

}  // namespace
}  // namespace rigor
