// Which features of solids take part: at the start those that touch, later those of the direction that stopped separating last.
#include "collision/solid_search.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/all_pairs.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

/// A table of edge 2 m at the origin, fixed, and a cube of edge 1 m that is put where one likes.
class CubeAndTable {
 public:
  CubeAndTable()
      : table_(makeCollisionTable(makeModel())),
        lists_(listAllPairs(table_)),
        V_(1),
        all_(allIndices(lists_.solid_pairs.size())) {
    search_.pairs.resize(all_.size());
  }

  /// Contacts at the start of a step with the cube at `from`.
  const std::vector<SolidContact>& start(const Vec& from) {
    place(from, from_);
    findSolidContacts(step(), search_);
    return search_.contacts;
  }
  /// Those that join because it ends at `to`.
  const std::vector<SolidContact>& end(const Vec& to) {
    place(to, to_);
    findViolatedSolids(step(), to_, search_);
    return search_.contacts;
  }

 private:
  static Model makeModel() {
    ModelBuilder builder;
    builder.addWorldShape({"table", makeBox({1.0, 1.0, 1.0}), {}});
    BodySpec cube;
    cube.name = "cube", cube.joint.name = "base", cube.joint.type = kFree;
    cube.shapes.push_back({"cube", makeBox({0.5, 0.5, 0.5}), {}});
    cube.mass = computeMassProperties(cube.shapes[0].shape, 1000.0);
    builder.addBody(cube);
    return builder.build();
  }
  void place(const Vec& position, std::vector<PlacedSolid>& solids) const {
    const Transform<double> X = Transform<double>::identity();
    const int tree = 0;
    placeSolids(table_, {&X, &position, &tree}, solids);
  }
  SolidStep step() const { return {table_, lists_, all_, from_, V_, 1e-3, memory_}; }

  CollisionTable table_;
  PairLists lists_;
  std::vector<Motion<double>> V_;
  std::vector<int> all_;
  std::vector<PlacedSolid> from_, to_;
  Memory memory_;
  SolidSearch search_;
};

/// Every contact's normal is along the given axis, 0 to 2.
void expectAlong(const std::vector<SolidContact>& contacts, int axis) {
  ASSERT_FALSE(contacts.empty());
  for (const SolidContact& contact : contacts) {
    const double entries[3] = {contact.at.normal.x, contact.at.normal.y, contact.at.normal.z};
    EXPECT_EQ(std::fabs(entries[axis]), 1.0);
  }
}

TEST(SolidSearch, TakesTheWholeManifoldOfFacesThatTouch) {
  CubeAndTable pair;
  const std::vector<SolidContact>& contacts = pair.start({0.2, 0.1, 1.5});
  EXPECT_EQ(contacts.size(), 4u);
  expectAlong(contacts, 2);
}

TEST(SolidSearch, TakesNothingThatDoesNotTouchYet) {
  CubeAndTable pair;
  EXPECT_TRUE(pair.start({0.2, 0.1, 1.5 + 1e-6}).empty());
  EXPECT_TRUE(pair.end({0.2, 0.1, 1.5}).empty());
}

TEST(SolidSearch, ChoosesNothingWhereTwoFacesTouchAndNothingIsRemembered) {
  CubeAndTable pair;
  EXPECT_TRUE(pair.start({1.5, 0.0, 1.5}).empty());  // edge along edge
}

// Over the edge of the table both directions separate at first. Whichever stops last is where they meet, however deep the end
// is along either: 0.2 of 0.35 m is 0.57 of the way, 0.3 of 0.4 m is 0.75.
TEST(SolidSearch, MeetsWhereTheLastDirectionStoppedSeparating) {
  CubeAndTable pair;
  EXPECT_TRUE(pair.start({-1.7, 0.1, 1.8}).empty());
  expectAlong(pair.end({-1.35, 0.1, 1.4}), 2);  // on top
  EXPECT_TRUE(pair.start({-1.8, 0.1, 1.7}).empty());
  expectAlong(pair.end({-1.4, 0.1, 1.35}), 0);  // at the side
  EXPECT_TRUE(pair.start({-1.7, 0.1, 1.51}).empty());
  expectAlong(pair.end({-1.42, 0.1, 1.45}), 0);  // at the side, although the end is nearer to the top
}

TEST(SolidSearch, FindsWhatWentThroughAndIsApartAgain) {
  CubeAndTable pair;
  EXPECT_TRUE(pair.start({-2.0, 0.1, 0.2}).empty());
  expectAlong(pair.end({2.0, 0.1, 0.2}), 0);
}

}  // namespace
}  // namespace rigor
