#include "model/collision_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "geometry/meshes.h"
#include "model/sample_bodies.h"

namespace rigor {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs namedPairs(const Model& model) {
  Pairs names;
  for (const auto& [i, j] : model.collisionPairs()) names.emplace_back(model.shapes()[i].name, model.shapes()[j].name);
  return names;
}

/// A body with one ball shape of the same name.
BodySpec touchable(const std::string& name, int parent, JointType type) {
  BodySpec body = ballBody(name, parent, type);
  body.shapes.push_back(namedShape(name + "_ball", makeSphere(0.1)));
  return body;
}

/// Torso, thigh and shank on hinges, a foot fixed to the shank, and a stone, on a plane.
ModelBuilder makeLeg() {
  ModelBuilder builder;
  builder.addWorldShape(namedShape("ground", makePlane()));
  builder.addBody(touchable("torso", kWorld, kFree));
  builder.addBody(touchable("thigh", 0, kHinge));
  builder.addBody(touchable("shank", 1, kHinge));
  builder.addBody(touchable("foot", 2, kFixed));
  builder.addBody(touchable("stone", kWorld, kFree));
  return builder;
}

TEST(CollisionPairs, LeaveOutOneLinkAndNeighbours) {
  const Pairs expected{{"torso_ball", "shank_ball"}, {"torso_ball", "foot_ball"},  {"torso_ball", "stone_ball"},
                       {"ground", "torso_ball"},     {"thigh_ball", "stone_ball"}, {"ground", "thigh_ball"},
                       {"shank_ball", "stone_ball"}, {"ground", "shank_ball"},     {"foot_ball", "stone_ball"},
                       {"ground", "foot_ball"},      {"ground", "stone_ball"}};
  const Model model = makeLeg().build();
  EXPECT_EQ(namedPairs(model), expected);
  EXPECT_TRUE(model.warnings().empty());
}

TEST(CollisionPairs, HonourExclusionsOfBodiesShapesAndTheWorld) {
  ModelBuilder builder = makeLeg();
  builder.excludePair("stone", "torso");
  builder.excludePair("stone", "thigh_ball");
  builder.excludePair("shank_ball", "stone_ball");
  builder.excludePair("world", "torso");
  builder.excludePair("ground", "shank");
  builder.excludePair("torso", "foot");
  builder.excludePair("shank", "torso");
  const Pairs expected{
      {"ground", "thigh_ball"}, {"foot_ball", "stone_ball"}, {"ground", "foot_ball"}, {"ground", "stone_ball"}};
  EXPECT_EQ(namedPairs(builder.build()), expected);
}

TEST(CollisionPairs, CanBeReducedToSomeBodiesAndTheWorld) {
  ModelBuilder builder = makeLeg();
  builder.collideOnly({"foot", "stone_ball"});
  const Pairs expected{{"foot_ball", "stone_ball"}, {"ground", "foot_ball"}, {"ground", "stone_ball"}};
  EXPECT_EQ(namedPairs(builder.build()), expected);
}

TEST(CollisionPairs, AreGivenExplicitlyWhateverMasksNeighboursAndOnlySay) {
  ModelBuilder builder = makeLeg();
  builder.collideOnly({"stone"});
  builder.excludeSelfCollision();
  builder.collidePair("torso", "thigh");
  builder.collidePair("ground", "foot_ball");
  builder.collidePair("shank", "foot");  // one link: never
  const Pairs expected{{"torso_ball", "thigh_ball"}, {"ground", "foot_ball"}, {"ground", "stone_ball"}};
  EXPECT_EQ(namedPairs(builder.build()), expected);
  builder.excludePair("torso", "thigh_ball");  // what is excluded stays so
  EXPECT_EQ(namedPairs(builder.build()), Pairs(expected.begin() + 1, expected.end()));
}

TEST(CollisionPairs, NeedABitInBothMasks) {
  const auto meets = [](std::uint32_t group_1, std::uint32_t mask_1, std::uint32_t group_2, std::uint32_t mask_2) {
    ModelBuilder builder;
    BodySpec a = touchable("a", kWorld, kFree), b = touchable("b", kWorld, kFree);
    a.shapes[0].group = group_1, a.shapes[0].mask = mask_1;
    b.shapes[0].group = group_2, b.shapes[0].mask = mask_2;
    builder.addBody(a), builder.addBody(b);
    return builder.build().mayCollide(0, 1);
  };
  EXPECT_TRUE(meets(1, ~0u, 1, ~0u));
  EXPECT_TRUE(meets(0b01, 0b10, 0b10, 0b01));
  EXPECT_FALSE(meets(0b01, 0b10, 0b10, 0b10));
  EXPECT_FALSE(meets(0b01, 0b01, 0b10, 0b01));
  EXPECT_TRUE(meets(0b110, 0b100, 0b101, 0b010));
  EXPECT_FALSE(meets(0, ~0u, 1, ~0u));
  EXPECT_TRUE(meets(0x80000000u, 0x80000000u, 0x80000000u, 0x80000000u));
}

TEST(CollisionPairs, NeedOneThatForcesCanMove) {
  ModelBuilder builder;
  builder.addWorldShape(namedShape("ground", makePlane()));
  BodySpec table = touchable("table", kWorld, kFree);
  table.kinematic = true;
  builder.addBody(table);
  BodySpec top = touchable("top", 0, kFixed);
  builder.addBody(top);
  table.name = "wall", table.joint.name = "wall_joint", table.shapes[0].name = "wall_ball";
  builder.addBody(table);
  builder.addBody(touchable("shelf", kWorld, kFixed));
  builder.addBody(touchable("stone", kWorld, kFree));
  builder.collidePair("wall", "table");
  const Pairs expected{{"table_ball", "stone_ball"},
                       {"top_ball", "stone_ball"},
                       {"wall_ball", "stone_ball"},
                       {"shelf_ball", "stone_ball"},
                       {"ground", "stone_ball"}};
  EXPECT_EQ(namedPairs(builder.build()), expected);
}

TEST(CollisionPairs, AreThoseThatWereAskedForOneByOneIfNoneElseMayCollide) {
  ModelBuilder builder = makeLeg();
  builder.collideOnly({});
  EXPECT_TRUE(namedPairs(builder.build()).empty());
  builder.collidePair("foot", "stone");
  EXPECT_EQ(namedPairs(builder.build()).size(), 1u);
}

TEST(CollisionPairs, RefuseUnknownNamesWithTheNearestKnownOne) {
  for (const bool exclude : {true, false}) {
    ModelBuilder builder = makeLeg();
    exclude ? builder.excludePair("torso", "fott") : builder.collideOnly({"fott"});
    try {
      builder.build();
      FAIL() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.problem(), "collisions: no body or shape is called \"fott\"");
      EXPECT_EQ(error.remedy(), "Did you mean \"foot\"?");
    }
  }
}

TEST(CollisionPairs, LeaveOutAnArmAndThePedestalItIsMountedOn) {
  ModelBuilder builder;
  builder.addBody(touchable("pedestal", kWorld, kFixed));
  builder.addBody(touchable("plate", 0, kFixed));
  builder.addBody(touchable("arm", 1, kHinge));
  builder.addBody(touchable("post", kWorld, kFixed));
  const Pairs expected{{"arm_ball", "post_ball"}};
  EXPECT_EQ(namedPairs(builder.build()), expected);
}

TEST(CollisionPairs, LetBodiesOnTheWorldTouchShapesOfTheWorld) {
  ModelBuilder builder;
  builder.addBody(touchable("pendulum", kWorld, kHinge));
  builder.addWorldShape(namedShape("wall", makePlane()));
  const Pairs expected{{"wall", "pendulum_ball"}};
  EXPECT_EQ(namedPairs(builder.build()), expected);
}

Shape makeCrate() { return makeTriangles(std::make_shared<const Mesh>(boxMesh({-1, -1, -1}, {2, 2, 2}))); }

TEST(CollisionPairs, WarnOnceOfAllKindsWithoutContactCode) {
  ModelBuilder builder;
  for (int i = 0; i < 3; ++i) {
    BodySpec body = ballBody("crate_" + std::to_string(i), kWorld, kFree);
    body.shapes.push_back(namedShape("", makeCrate()));
    builder.addBody(body);
  }
  const HeightField field{"flat", 2, 2, 1.0, 1.0, {0, 0, 0, 0}};
  builder.addWorldShape(namedShape("hills", makeHeightField(field)));
  builder.addWorldShape(namedShape("ground", makePlane()));
  const Model model = builder.build();
  EXPECT_EQ(model.collisionPairs().size(), 3u);  // with the ground
  ASSERT_EQ(model.warnings().size(), 1u);
  EXPECT_EQ(model.warnings()[0].message,
            "pairs of shapes without contact code would pass through each other: triangles–height field (3), "
            "triangles–triangles (3)");
}

TEST(MayCollide, IsTrueOfTheListedPairsInEitherOrderAndOfNoOthers) {
  ModelBuilder builder;
  builder.addWorldShape(namedShape("ground", makePlane()));
  const int base = builder.addBody(touchable("base", kWorld, kFree));
  const int arm = builder.addBody(touchable("arm", base, kHinge));
  builder.addBody(touchable("hand", arm, kHinge));
  builder.addBody(touchable("stone", kWorld, kFree));
  builder.excludePair("hand", "stone");
  const Model model = builder.build();
  const auto pairs = model.collisionPairs();
  const int count = static_cast<int>(model.shapes().size());
  int seen = 0;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) {
      if (i == j) continue;
      const bool listed = std::count(pairs.begin(), pairs.end(), std::pair(i, j)) > 0 ||
                          std::count(pairs.begin(), pairs.end(), std::pair(j, i)) > 0;
      EXPECT_EQ(model.mayCollide(i, j), listed) << model.shapes()[i].name << ", " << model.shapes()[j].name;
      seen += listed;
    }
  EXPECT_EQ(seen, 2 * (4 + 3));  // all on the ground; hand–base, stone–base, stone–arm
}

/// Chains, loose bodies of several shapes and kinds, masks and rules, in any order.
Model makeMixedModel(unsigned seed) {
  std::mt19937 random(seed);
  const auto draw = [&](int n) { return static_cast<int>(random() % n); };
  ModelBuilder builder;
  int parent = kWorld;
  std::vector<std::string> names;
  for (int i = 0; i < 14; ++i) {
    const bool hangs = parent != kWorld && draw(3) > 0;
    BodySpec body = touchable("b" + std::to_string(i), hangs ? parent : kWorld,
                              hangs     ? (draw(3) ? kHinge : kFixed)
                              : draw(6) ? kFree
                                        : kFixed);
    for (int k = draw(3); k > 0; --k)
      body.shapes.push_back(
          namedShape(body.name + "_" + std::to_string(k), draw(2) ? makeSphere(0.1) : makeBox({1, 1, 1})));
    if (draw(5) == 0) body.shapes[0].mask = 2;
    if (draw(5) == 0) body.shapes[0].group = 3;
    names.push_back(body.name);
    parent = builder.addBody(body);
  }
  builder.addWorldShape(namedShape("ground", makePlane()));
  builder.addWorldShape(namedShape("wall", makeBox({1, 1, 1})));
  for (int i = draw(4); i > 0; --i) builder.excludePair(names[draw(14)], draw(4) ? names[draw(14)] : "ground");
  for (int i = draw(3); i > 0; --i) builder.collidePair(names[draw(14)], names[draw(14)]);
  if (draw(4) == 0) builder.excludeSelfCollision();
  if (draw(4) == 0) builder.collideOnly({names[draw(14)]});
  return builder.build();
}

TEST(CollisionRanges, AreThePairsThatMayCollide) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Model model = makeMixedModel(seed);
    const int count = static_cast<int>(model.shapes().size());
    std::vector<std::array<int, 3>> expected;
    for (int a = 0; a < count; ++a)
      for (int b = a + 1; b < count; ++b) {
        if (!model.mayCollide(a, b)) continue;
        if (!expected.empty() && expected.back()[0] == a && expected.back()[2] + 1 == b)
          expected.back()[2] = b;
        else
          expected.push_back({a, b, b});
      }
    EXPECT_EQ(model.collisionRanges(), expected) << "seed " << seed;
  }
}

TEST(CollisionRanges, AskNoMoreThanAFewQuestionsPerShape) {
  for (const bool chain : {false, true})
    for (const int bodies : {100, 2000}) {
      std::vector<BodySpec> specs;
      std::vector<BodyPlacement> placements;
      std::vector<ModelShape> shapes;
      for (int i = 0; i < bodies; ++i) {
        specs.push_back(touchable("b" + std::to_string(i), chain ? i - 1 : kWorld, chain ? kHinge : kFree));
        placements.emplace_back().link = i;
        ModelShape& shape = shapes.emplace_back();
        shape.name = "s" + std::to_string(i), shape.body = i, shape.shape = makeSphere(0.1);
      }
      const CollisionRules rules(specs, placements, shapes, {});
      std::int64_t asked = 0;
      listPairRanges(rules, shapes, &asked);
      EXPECT_LE(asked, 4 * bodies) << (chain ? "chain" : "loose");  // itself, its child, who follows these
    }
}

TEST(CollisionPairs, NameThePairsWithoutContactCode) {
  ModelBuilder builder;
  for (const char* name : {"left", "right"}) {
    BodySpec body = ballBody(name, kWorld, kFree);
    body.shapes.push_back(namedShape(name, makeCrate()));
    builder.addBody(body);
  }
  const std::vector<std::pair<int, int>> both{{0, 1}};
  EXPECT_EQ(builder.build().missingPairs(), both);
  builder.excludePair("left", "right");
  EXPECT_TRUE(builder.build().missingPairs().empty());
}

TEST(CollisionPairs, KeepLeftOutShapesThatCouldMeetSomething) {
  ModelBuilder builder;
  builder.addBody(touchable("base", kWorld, kFixed));
  BodySpec arm = touchable("arm", 0, kHinge);
  arm.missing_shapes = {{"hull", "mesh"}};
  builder.addBody(arm);
  EXPECT_TRUE(builder.build().missingShapes().empty());  // nothing but its neighbour is there
  builder.addWorldShape(namedShape("ground", makePlane()));
  ASSERT_EQ(builder.build().missingShapes().size(), 1u);
  EXPECT_EQ(builder.build().missingShapes()[0].name, "hull");
  builder.collideOnly({"arm_ball"});  // the user says what shall collide, and it is not the hull
  EXPECT_TRUE(builder.build().missingShapes().empty());
}

TEST(CollisionPairs, CanLeaveOutAllPairsWithinATree) {
  ModelBuilder builder = makeLeg();
  builder.excludeSelfCollision();
  for (const auto& [a, b] : namedPairs(builder.build())) EXPECT_TRUE(a == "ground" || b == "stone_ball") << a << b;
  EXPECT_EQ(builder.build().collisionPairs().size(), 9u);  // four parts against the stone, five against the ground
}

}  // namespace
}  // namespace rigor
