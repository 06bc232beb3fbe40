#include <gtest/gtest.h>

#include "model/check_body.h"
#include "model/sample_bodies.h"

namespace rigor {
namespace {

/// One free ball per material, in this order.
ModelBuilder ballsOf(const std::vector<std::string>& materials) {
  ModelBuilder builder;
  for (const std::string& material : materials) {
    BodySpec body = ballBody("", kWorld, kFree);
    body.joint.name = "";
    body.shapes.push_back(namedShape("", makeSphere(0.1), material));
    builder.addBody(body);
  }
  return builder;
}

TEST(Materials, TakeTheNamedPairInEitherOrder) {
  ModelBuilder builder = ballsOf({"ice", "rubber", "ice"});
  builder.addMaterialPair({"rubber", "ice", 0.2});
  builder.addMaterialPair({"ice", "ice", 0.05});
  const Model model = builder.build();
  EXPECT_EQ(model.material(0, 1).friction, 0.2);
  EXPECT_EQ(model.material(1, 0).friction, 0.2);
  EXPECT_EQ(model.material(0, 2).friction, 0.05);
  EXPECT_EQ(model.material(1, 1).friction, 0.8);
}

TEST(Materials, AMaterialPairedWithNothingHoldsAgainstAll) {
  ModelBuilder builder = ballsOf({"ground", "rubber", "default"});
  builder.addMaterialPair({"ground", "", 0.5});
  builder.addMaterialPair({"rubber", "ground", 0.9});
  const Model model = builder.build();
  EXPECT_EQ(model.material(0, 2).friction, 0.5);
  EXPECT_EQ(model.material(2, 0).friction, 0.5);
  EXPECT_EQ(model.material(1, 0).friction, 0.9);  // the named pair goes first
  EXPECT_EQ(model.material(1, 2).friction, 0.8);
}

TEST(Materials, OfTwoThatHoldAgainstAllTheWeakerDecidesInEverything) {
  ModelBuilder builder = ballsOf({"ice", "rubber", "steel", "ice"});
  builder.addMaterialPair({"rubber", "", 1.0, 1.5, 0.8, 0.01});
  builder.addMaterialPair({"ice", "", 0.1, 0.2, 0.9, 0.05});
  builder.addMaterialPair({"steel", "", 0.3, -1.0, 0.2, 0.0});
  const Model model = builder.build();
  const MaterialPair both = model.material(0, 1);
  EXPECT_EQ(both.friction, 0.1);
  EXPECT_EQ(both.friction_static, 0.2);
  EXPECT_EQ(both.restitution, 0.8);
  EXPECT_EQ(both.threshold, 0.05);
  EXPECT_EQ(model.material(1, 0).friction, 0.1);
  EXPECT_EQ(model.material(1, 2).friction, 0.3);
  EXPECT_EQ(model.material(1, 2).friction_static, 0.3);  // steel has no more at rest
  EXPECT_EQ(model.material(0, 3).friction_static, 0.2);  // ice on ice is as ice says
}

TEST(Materials, AFallbackCountsWhereNoMaterialHasAnEntry) {
  ModelBuilder builder = ballsOf({"ground", "rubber", "default", "slope"});
  MaterialPair ground{"ground", "", 0.5}, slope{"slope", "", 0.2};
  ground.fallback = slope.fallback = true;
  builder.addMaterialPair(ground);
  builder.addMaterialPair({"rubber", "", 1.0});
  builder.addMaterialPair(slope);
  const Model model = builder.build();
  EXPECT_EQ(model.material(0, 1).friction, 1.0);  // not the smaller one: the ground was not asked
  EXPECT_EQ(model.material(0, 2).friction, 0.5);
  EXPECT_EQ(model.material(0, 3).friction, 0.2);
  EXPECT_EQ(model.material(2, 2).friction, 0.8);
}

TEST(Materials, ArePairedOnlyOnce) {
  ModelBuilder builder = ballsOf({"ice", "rubber"});
  builder.addMaterialPair({"rubber", "ice", 0.2});
  builder.addMaterialPair({"ice", "rubber", 0.3});
  EXPECT_THROW(builder.build(), Error);
}

TEST(Materials, ThatNoShapeHasAreMentionedWithTheNearestName) {
  ModelBuilder builder = ballsOf({"rubber"});
  builder.addMaterialPair({"ruber", "", 0.2});
  const Model model = builder.build();
  ASSERT_EQ(model.warnings().size(), 1u);
  EXPECT_EQ(model.warnings()[0].message, "no shape has the material \"ruber\". Did you mean \"rubber\"?");
}

TEST(Materials, ThatNobodyDescribesAreMentionedOnce) {
  ModelBuilder builder = ballsOf({"rubber", "ruber", "bronze", "bronze", "default"});
  builder.addMaterialPair({"rubber", "", 0.2});
  const Model model = builder.build();
  ASSERT_EQ(model.warnings().size(), 2u);
  EXPECT_NE(model.warnings()[0].message.find("describes \"bronze\""), std::string::npos);
  EXPECT_NE(model.warnings()[1].message.find("describes \"ruber\""), std::string::npos);
  EXPECT_NE(model.warnings()[1].message.find("Did you mean \"rubber\"?"), std::string::npos);
}

TEST(Materials, FrictionBeyondTheMostCountsAsThatAndIsTold) {
  ModelBuilder builder = ballsOf({"glue", "felt"});
  MaterialPair glue{"glue", "", 1e300};
  glue.torsion = 1e6, glue.rolling = 2e4;
  MaterialPair felt{"felt", "", 2.0};
  felt.anisotropy.ratio = 1e12;
  builder.addMaterialPair(glue);
  builder.addMaterialPair(felt);
  const Model model = builder.build();
  EXPECT_EQ(model.materials()[0].friction, kMostFriction);
  EXPECT_EQ(model.materials()[0].torsion, kMostFriction);
  EXPECT_EQ(model.materials()[0].rolling, kMostFriction);
  EXPECT_EQ(model.materials()[1].friction, 2.0);
  EXPECT_EQ(model.materials()[1].anisotropy.ratio, kMostFriction / 2.0);
  ASSERT_EQ(model.warnings().size(), 2u);
  EXPECT_NE(model.warnings()[0].message.find("friction 1e+300"), std::string::npos);
}

}  // namespace
}  // namespace rigor
