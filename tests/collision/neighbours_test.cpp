// The broad phase against the search among all pairs: it may list more, and must not miss anybody.
#include "collision/neighbours.h"

#include <gtest/gtest.h>

#include <cmath>

#include "collision/solid_search.h"
#include "dynamics/integrate.h"
#include "reference/all_pairs.h"
#include "reference/allocation_counter.h"
#include "reference/random_tree.h"
#include "stepping/placed_model.h"

namespace rigor {
namespace {

Box randomBox(Random& random) {
  const Eigen::Vector3d low = random.vector(10.0), size = random.vector(0.5).cwiseAbs();
  return {{low.x(), low.y(), low.z()}, {low.x() + size.x(), low.y() + size.y(), low.z() + size.z()}};
}

TEST(BoxTree, FindsWhoOverlapsHoweverBoxesHaveMoved) {
  Random random(1);
  for (const int count : {1, 2, 3, 10, 500}) {
    BoxTree tree;
    std::vector<Box> boxes(count);
    std::vector<int> leaf(count);
    for (int i = 0; i < count; ++i) leaf[i] = tree.insert(boxes[i] = randomBox(random), i);
    for (int round = 0; round < 200; ++round) {
      for (int k = 0; k < 5; ++k) {
        const int i = random.index(count);
        tree.move(leaf[i], boxes[i] = randomBox(random));
      }
      const Box box = grown(randomBox(random), 1.0);
      std::vector<int> found, expected;
      tree.forEachIn(box, [&](int item) { found.push_back(item); });
      std::sort(found.begin(), found.end());
      for (int i = 0; i < count; ++i)
        if (overlap(boxes[i], box)) expected.push_back(i);
      ASSERT_EQ(found, expected);
      ASSERT_LE(tree.height(), 1.45 * std::log2(count + 2) + 1.0);  // of an AVL tree
    }
  }
}

TEST(BoxTree, StaysLowWhenBoxesComeInARow) {
  BoxTree tree;
  for (int i = 0; i < 4096; ++i) tree.insert({{1.0 * i, 0, 0}, {1.0 * i + 0.5, 1, 1}}, i);
  EXPECT_LE(tree.height(), 19);  // 1.45 · 12 + 1
}

Shape randomShape(Random& random) {
  const double a = random.number(0.02, 0.3), b = random.number(0.02, 0.3), c = random.number(0.02, 0.3);
  switch (random.index(7)) {
    case 0:
      return makeCapsule(a, b);
    case 1:
      return makeBox({a, b, c});
    case 2:
      return makeCylinder(a, b);
    case 3:
      return makeCone(a, b);
    case 4:
      return makeEllipsoid({a, b, c});
    default:
      return makeSphere(a);
  }
}

BodySpec freeBody(int number, const Shape& shape, const Eigen::Vector3d& position) {
  BodySpec body;
  body.name = "body" + std::to_string(number);
  body.joint.name = body.name + "_joint";
  body.joint.type = kFree;
  body.joint.X_PJ.position = position;
  body.mass = computeMassProperties(makeSphere(0.1), 1000.0);
  body.shapes.push_back({body.name, shape, {}});
  return body;
}

/// Bodies of all kinds above and beside a ground, a wall and fixed boxes.
Model makeCrowd(std::uint64_t seed, int bodies, double room) {
  Random random(seed);
  ModelBuilder builder;
  builder.addWorldShape({"ground", makePlane(), {}});
  builder.addWorldShape({"wall", makePlane(), random.pose(room)});
  for (int i = 0; i < 3; ++i) builder.addWorldShape({"", makeBox(random.vector(0.5).cwiseAbs()), random.pose(room)});
  for (int i = 0; i < bodies; ++i) builder.addBody(freeBody(i, randomShape(random), random.vector(room)));
  builder.excludePair("body0", "body1");
  return builder.build();
}

/// A world whose steps are looked at through a list of neighbours, or through all pairs.
class Looker {
 public:
  explicit Looker(const Model& model, bool all)
      : all_(all), table_(makeCollisionTable(model)), V_(model.topology().links) {
    for (PlacedModel* pose : {&start_, &end_}) {
      pose->kin.resize(model.topology());
      place(model.topology(), model.parameters(), table_, model.q0().data(), *pose);
    }
    if (all) lists_ = listAllPairs(table_);
    neighbours_.prepare(table_, start_.shapes());
    search_.pairs.resize(lists().solid_pairs.size());
  }

  /// Ids and gaps of what is near at the start of a step, and of what its end violates.
  std::vector<std::pair<RowId, double>> step(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                             const Eigen::VectorXd& q_end, double h) {
    const Model& model = table_.model;
    place(model.topology(), model.parameters(), table_, q.data(), start_);
    place(model.topology(), model.parameters(), table_, q_end.data(), end_);
    computeVelocities(model.topology(), start_.kin, v.data(), V_);
    found_.clear();
    neighbours_.beginStep();
    search_.beginStep();
    if (!all_ && neighbours_.coverSweep(table_.all_trees, start_.shapes(), V_, h))
      followList(neighbours_.solidsBefore(), search_);
    std::vector<NearPair> near;
    findNear(table_, lists().pairs, allIndices(lists().pairs.size()), start_.centres, V_, h, near);
    for (const NearPair& pair : near) found_.push_back({lists().pairs[pair.pair].id, pair.at.gap});
    solids([&](const SolidStep& step) { findSolidContacts(step, search_); }, h);

    if (!all_ && neighbours_.coverWay(table_.all_trees, start_.shapes(), end_.shapes()))
      followList(neighbours_.solidsBefore(), search_);
    std::vector<int> violated;
    findViolated(table_, lists().pairs, allIndices(lists().pairs.size()), start_.centres, end_.centres, violated);
    for (const int i : violated) found_.push_back({lists().pairs[i].id, 0.0});
    solids([&](const SolidStep& step) { findViolatedSolids(step, end_.solids, search_); }, h);
    return found_;
  }
  const PairLists& lists() const { return all_ ? lists_ : neighbours_.lists(); }
  std::size_t listed() const { return lists().pairs.size() + lists().solid_pairs.size(); }
  Neighbours& neighbours() { return neighbours_; }
  const CollisionTable& table() const { return table_; }
  const PlacedModel& start() const { return start_; }
  const std::vector<Motion<double>>& V() const { return V_; }

 private:
  template <class Find>
  void solids(const Find& find, double h) {
    const std::vector<int> everybody = allIndices(lists().solid_pairs.size());
    find({table_, lists(), everybody, start_.solids, V_, h, memory_});
    for (const SolidContact& contact : search_.contacts) found_.push_back({contact.pair.id, contact.at.gap});
  }

  bool all_;
  CollisionTable table_;
  PairLists lists_;
  PlacedModel start_, end_;
  std::vector<Motion<double>> V_;
  Neighbours neighbours_;
  SolidSearch search_;
  Memory memory_;
  std::vector<std::pair<RowId, double>> found_;
};

/// Velocities of which some are very fast, and where bodies come to: some are thrown off their way.
struct Throw {
  Eigen::VectorXd v, q_end;
};
Throw throwBodies(const Model& model, const Eigen::VectorXd& q, double h, Random& random) {
  Throw thrown{randomVelocity(model, random), q};
  const int bodies = model.bodyCount();
  for (int body = 0; body < bodies; ++body)
    if (random.index(8) == 0) thrown.v.segment<3>(model.vIndex(body)) *= 200.0;
  Eigen::VectorXd way = thrown.v;
  for (int body = 0; body < bodies; ++body)
    if (random.index(4) == 0) way.segment<3>(model.vIndex(body)) += random.vector(0.3 / h);
  integrate(model.topology(), q.data(), way.data(), h, thrown.q_end.data());
  return thrown;
}

TEST(Neighbours, AreAllThatTheSearchAmongAllPairsFinds) {
  const double h = 2e-3;
  int found = 0;
  for (int seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    Random random(100 + seed);
    const Model model = makeCrowd(seed, 25, 1.0);
    Looker near(model, false), all(model, true);
    Eigen::VectorXd q = model.q0();
    for (int step = 0; step < 40; ++step) {
      const Throw thrown = throwBodies(model, q, h, random);
      const auto expected = all.step(q, thrown.v, thrown.q_end, h);
      ASSERT_EQ(near.step(q, thrown.v, thrown.q_end, h), expected) << "step " << step;
      found += static_cast<int>(expected.size());
      q = thrown.q_end;
      if (step % 10 == 9) q = model.q0();  // as after a reset: far from where all were
    }
    near.step(model.q0(), Eigen::VectorXd::Zero(model.nv()), model.q0(), h);  // boxes of what was fast are small again
    EXPECT_LT(2 * near.listed(), all.listed());
  }
  EXPECT_GT(found, 1000);
}

TEST(Neighbours, OfAPoseDoNotDependOnThePastInWhatIsFound) {
  Random random(3);
  const Model model = makeCrowd(7, 25, 0.8);
  Looker old(model, false);
  Eigen::VectorXd q = model.q0();
  for (int step = 0; step < 30; ++step) {
    const Throw thrown = throwBodies(model, q, 1e-3, random);
    Looker fresh(model, false);
    ASSERT_EQ(old.step(q, thrown.v, thrown.q_end, 1e-3), fresh.step(q, thrown.v, thrown.q_end, 1e-3));
    q = thrown.q_end;
  }
}

TEST(Neighbours, StayListedWithoutAnyWorkWhileNobodyMovesFar) {
  const Model model = makeCrowd(5, 40, 1.0);
  Looker near(model, false);
  const Eigen::VectorXd q = model.q0(), v = Eigen::VectorXd::Constant(model.nv(), 1e-3);
  near.step(q, v, q, 1e-3);
  const std::size_t before = near.listed();
  const AllocationScope scope;
  for (int i = 0; i < 10; ++i) {
    near.neighbours().beginStep();
    EXPECT_FALSE(near.neighbours().coverSweep(near.table().all_trees, near.start().shapes(), near.V(), 1e-3));
    EXPECT_FALSE(near.neighbours().coverWay(near.table().all_trees, near.start().shapes(), near.start().shapes()));
  }
  EXPECT_EQ(scope.count(), 0);
  EXPECT_EQ(near.listed(), before);
}

TEST(Neighbours, OfSomeTreesAreThePairsBetweenThemAndTheWorld) {
  const Model model = makeCrowd(9, 30, 0.5);
  Looker near(model, false);
  Random random(2);
  std::vector<char> has(model.topology().trees);
  std::vector<int> trees, pairs, solid_pairs;
  for (int tree = 0; tree < model.topology().trees; ++tree)
    if ((has[tree] = random.index(2))) trees.push_back(tree);
  near.neighbours().select(trees, has, pairs, solid_pairs);
  const auto expect = [&](const auto& list, const std::vector<int>& selected) {
    std::vector<int> expected;
    const auto isThere = [&](int link) { return link < 0 || has[model.topology().tree[link]]; };
    for (std::size_t i = 0; i < list.size(); ++i)
      if (isThere(list[i].link[0]) && isThere(list[i].link[1])) expected.push_back(static_cast<int>(i));
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(selected, expected);
  };
  expect(near.lists().pairs, pairs);
  expect(near.lists().solid_pairs, solid_pairs);
}

// A list of all pairs would have fifty million entries.
TEST(Neighbours, OfTenThousandBallsAreThoseThatAreNear) {
  Random random(4);
  ModelBuilder builder;
  builder.addWorldShape({"ground", makePlane(), {}});
  constexpr int kBalls = 10000;
  const double radius = 0.1;
  for (int i = 0; i < kBalls; ++i) builder.addBody(freeBody(i, makeSphere(radius), random.vector(5.0)));
  const Model model = builder.build();
  Looker near(model, false);
  const auto found = near.step(model.q0(), Eigen::VectorXd::Zero(model.nv()), model.q0(), 1e-3);
  EXPECT_LT(near.listed(), 40u * kBalls);
  std::vector<RowId> expected;
  const double margin = sweptMargin(1e-3, 0.0);
  const std::vector<Ball>& balls = near.table().shapes.balls;
  ASSERT_EQ(balls.size(), std::size_t{kBalls});
  const FeatureCentres& centres = near.start().centres;
  const int ground = near.table().planes[0];
  for (int i = 0; i < kBalls; ++i)
    if (centres[i].world.z - radius < margin)
      expected.push_back(makeFeaturePairId(ground, i, FeatureKind::kPlaneBall, 0, 0));
  for (int i = 0; i < kBalls; ++i)
    for (int j = i + 1; j < kBalls; ++j) {
      const Vec3<double> d = centres[j].world - centres[i].world;
      if (dot(d, d) < (2.0 * radius + margin) * (2.0 * radius + margin))
        expected.push_back(makeFeaturePairId(i, j, FeatureKind::kBallBall, 0, 0));
    }
  std::sort(expected.begin(), expected.end());
  ASSERT_GE(found.size(), expected.size());  // with those that the end violates behind them
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(found[i].first, expected[i]);
  EXPECT_GT(expected.size(), 5000u);
}

}  // namespace
}  // namespace rigor
