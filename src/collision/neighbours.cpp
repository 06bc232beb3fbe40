#include "collision/neighbours.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace rigor {
namespace {

using Vec = Vec3<double>;

Vec absolutes(const Vec& a) { return {std::fabs(a.x), std::fabs(a.y), std::fabs(a.z)}; }

/// A box by its middle.
struct Extent {
  Vec centre, half;

  bool isWithin(const Box& box, double way) const {
    return centre.x - half.x - way >= box.low.x && centre.x + half.x + way <= box.high.x &&
           centre.y - half.y - way >= box.low.y && centre.y + half.y + way <= box.high.y &&
           centre.z - half.z - way >= box.low.z && centre.z + half.z + way <= box.high.z;
  }
  Box box(double way) const { return grown({centre - half, centre + half}, way); }
};

/// Around a shape; from its balls where it has any, since these are always placed.
RIGOR_INLINE Extent extentOf(const SolidPlace& place, int shape, const PlacedShapes& placed) {
  const FeatureCentre<double>* ball = placed.centres.data() + place.first_ball;
  if (place.balls == 1) return {ball->world, place.box_half};
  if (place.balls == 2) {  // the ends of a capsule
    const double r = place.solid.radius;
    const Vec way = 0.5 * (ball[1].world - ball[0].world);
    return {ball[0].world + way, absolutes(way) + Vec{r, r, r}};
  }
  if (place.balls == 8) {  // the corners of a box: 1, 2 and 4 are neighbours of 0, and 7 is opposite
    const Vec& corner = ball[0].world;
    const Vec half =
        absolutes(ball[1].world - corner) + absolutes(ball[2].world - corner) + absolutes(ball[4].world - corner);
    return {0.5 * (corner + ball[7].world), 0.5 * half};
  }
  const Transform<double>& X_WS = placed.solids[shape].X_WS;
  const Vec& half = place.box_half;
  return {X_WS * place.box_centre,
          half.x * absolutes(X_WS.R.x) + half.y * absolutes(X_WS.R.y) + half.z * absolutes(X_WS.R.z)};
}

/// wayIn, of shapes that move.
RIGOR_INLINE double wayOf(const SolidPlace& place, int shape, const PlacedShapes& placed, const Motion<double>& motion,
                          double time) {
  const bool has_balls = place.balls > 0;
  const Vec arm =
      has_balls ? placed.centres[place.first_ball].relative : placed.solids[shape].X_WS.p - placed.solids[shape].origin;
  double speed = absoluteSum(motion.linear + cross(motion.angular, arm));
  if (place.balls != 1) speed += 2.0 * place.bound * absoluteSum(motion.angular);  // of any point of it
  return 1.3 * time * speed + 30.0 * time * time + 1e-6;
}

/// A solid that turns by θ on a straight way comes out of the box around both ends by no more than r (1 − cos ½θ) ≤ r sin² ½θ.
double bulgeOf(const SolidPlace& place, const PlacedSolid& from, const PlacedSolid& to) {
  const Mat3<double>&A = from.X_WS.R, &B = to.X_WS.R;
  const double trace = dot(A.x, B.x) + dot(A.y, B.y) + dot(A.z, B.z);  // 1 + 2 cos θ
  return place.bound * std::max(0.0, 0.25 * (3.0 - trace));
}

/// What a box is made larger by, so that it lasts.
double allowance(const SolidPlace& place) {
  return 0.25 * std::min({place.box_half.x, place.box_half.y, place.box_half.z});
}

constexpr double kStepsAhead = 8.0;  // that a moving shape stays in its box, about
constexpr double kTooWide = 4.0;     // times the room that it would get now

}  // namespace

Box boxOf(const CollisionTable& table, int shape, const PlacedShapes& placed) {
  return extentOf(table.solids[shape], shape, placed).box(0.0);
}

double wayIn(const CollisionTable& table, int shape, const PlacedShapes& placed, const std::vector<Motion<double>>& V,
             double time) {
  const SolidPlace& place = table.solids[shape];
  return place.link < 0 ? 0.0 : wayOf(place, shape, placed, V[place.link], time);
}

void Neighbours::prepare(const CollisionTable& table, const PlacedShapes& placed) {
  const int shapes = static_cast<int>(table.solids.size());
  table_ = &table;
  tree_.clear();
  tree_.reserve(shapes);
  leaf_.assign(shapes, -1);
  room_.assign(shapes, 0.0);
  moved_.assign(shapes, 0);
  pairs_.clear();
  found_.clear();
  for (int shape = 0; shape < shapes; ++shape) {
    const SolidPlace& place = table.solids[shape];
    if (!place.collides || place.solid.isPlane()) continue;
    const double more = place.link < 0 ? 0.0 : allowance(place);
    leaf_[shape] = tree_.insert(grown(boxOf(table, shape, placed), more), shape);
    findPairsOf(shape);  // with those that are in the tree already
  }
  mergePairs(false);
  makeLists();
  fresh_ = true;
}

bool Neighbours::coverSweep(std::span<const int> trees, const PlacedShapes& start, const std::vector<Motion<double>>& V,
                            double time) {
  forEachShape(trees, [&](int shape) {
    const SolidPlace& place = table_->solids[shape];
    const double way = wayOf(place, shape, start, V[place.link], time);
    const Extent extent = extentOf(place, shape, start);
    const double room = kStepsAhead * way + allowance(place);
    if (!extent.isWithin(tree_.boxOf(leaf_[shape]), way) || (fresh_ && room_[shape] > kTooWide * room))
      widen(shape, extent.box(way), room);
  });
  return update();
}

bool Neighbours::coverWay(std::span<const int> trees, const PlacedShapes& start, const PlacedShapes& end) {
  assert(!fresh_ && "the start of the way has been covered");
  forEachShape(trees, [&](int shape) {
    const SolidPlace& place = table_->solids[shape];
    const bool turns = table_->has_solids && place.balls != 1;
    const double bulge = turns ? bulgeOf(place, start.solids[shape], end.solids[shape]) : 0.0;
    const Extent extent = extentOf(place, shape, end);
    if (!extent.isWithin(tree_.boxOf(leaf_[shape]), bulge)) widen(shape, extent.box(bulge), allowance(place));
  });
  return update();
}

void Neighbours::require(int shape, const Box& needed) {
  const double room = allowance(table_->solids[shape]);
  if (!contains(tree_.boxOf(leaf_[shape]), needed) || (fresh_ && room_[shape] > kTooWide * room))
    widen(shape, needed, room);
}

void Neighbours::widen(int shape, const Box& needed, double room) {
  const int leaf = leaf_[shape];
  const Box larger = grown(needed, room);
  room_[shape] = fresh_ ? room : std::numeric_limits<double>::infinity();
  tree_.move(leaf, fresh_ ? larger : unite(tree_.boxOf(leaf), larger));
  moved_[shape] = 1;
  moving_.push_back(shape);
}

bool Neighbours::update() {
  const bool fresh = std::exchange(fresh_, false);
  if (moving_.empty()) return false;
  found_.clear();
  for (const int shape : moving_) findPairsOf(shape);
  const bool changed = mergePairs(!fresh);
  for (const int shape : moving_) moved_[shape] = 0;
  moving_.clear();
  if (changed) makeLists();
  return changed;
}

void Neighbours::findPairsOf(int shape) {
  const Box& box = tree_.boxOf(leaf_[shape]);
  tree_.forEachIn(box, [&](int other) {
    if (other != shape && !(moved_[other] && other < shape)) add(shape, other);
  });
  for (const int other : table_->planes) {
    const Plane& plane = table_->shapes.planes[table_->solids[other].plane];
    const Vec &n = plane.normal, &low = box.low, &high = box.high;
    const Vec lowest{n.x > 0.0 ? low.x : high.x, n.y > 0.0 ? low.y : high.y, n.z > 0.0 ? low.z : high.z};
    if (dot(n, lowest) <= plane.offset) add(other, shape);
  }
}

void Neighbours::add(int shape_1, int shape_2) {
  const auto [first, second] = table_->inOrder(shape_1, shape_2);
  if (table_->mayCollide(first, second)) found_.push_back({first, second});
}

/// Takes over what was found, and of the old pairs all or those whose boxes are as they were. Returns whether anything changed.
bool Neighbours::mergePairs(bool keep_all) {
  std::sort(found_.begin(), found_.end());
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  const auto stays = [&](const Pair& pair) { return keep_all || (!moved_[pair.first] && !moved_[pair.second]); };
  next_.clear();
  auto found = found_.begin();
  for (const Pair& pair : pairs_) {
    if (!stays(pair)) continue;
    while (found != found_.end() && *found < pair) next_.push_back(*found++);
    if (found != found_.end() && *found == pair) ++found;
    next_.push_back(pair);
  }
  next_.insert(next_.end(), found, found_.end());
  std::swap(pairs_, next_);
  return pairs_ != next_;
}

void Neighbours::makeLists() {
  std::swap(lists_, next_lists_);
  lists_.clear();
  for (const Pair& pair : pairs_) appendPairs(*table_, pair.first, pair.second, lists_);
  solids_before_.clear();
  auto old = next_lists_.solid_pairs.begin();
  const auto end = next_lists_.solid_pairs.end();
  for (const SolidPair& pair : lists_.solid_pairs) {
    while (old != end && *old < pair) ++old;
    const bool known = old != end && !(pair < *old);
    solids_before_.push_back(known ? static_cast<int>(old - next_lists_.solid_pairs.begin()) : -1);
  }
  sorted_by_tree_ = false;
}

void Neighbours::sortByTree() {
  const auto sort = [&](const auto& pairs, ByTree& by_tree) {
    const int count = static_cast<int>(pairs.size()), trees = static_cast<int>(table_->shapes_start.size()) - 1;
    const auto treeOf = [&](int i) {
      return std::max(table_->treeOf(pairs[i].link[0]), table_->treeOf(pairs[i].link[1]));
    };
    std::vector<int>& start = by_tree.start;  // filled from behind, so that it ends where each tree begins
    start.assign(trees + 1, 0);
    for (int i = 0; i < count; ++i) ++start[treeOf(i)];
    for (int tree = 0, sum = 0; tree <= trees; ++tree) start[tree] = sum += start[tree];
    by_tree.of.resize(count);
    for (int i = count - 1; i >= 0; --i) by_tree.of[--start[treeOf(i)]] = i;
  };
  sort(lists_.pairs, by_tree_);
  sort(lists_.solid_pairs, solids_by_tree_);
  sorted_by_tree_ = true;
}

void Neighbours::select(std::span<const int> trees, const std::vector<char>& has, std::vector<int>& pairs,
                        std::vector<int>& solid_pairs) {
  if (!sorted_by_tree_) sortByTree();
  const auto selectFrom = [&](const auto& all, const ByTree& by_tree, std::vector<int>& selected) {
    selected.clear();
    const auto isThere = [&](int link) { return link < 0 || has[table_->treeOf(link)]; };
    for (const int tree : trees)
      for (int k = by_tree.start[tree]; k < by_tree.start[tree + 1]; ++k)
        if (isThere(all[by_tree.of[k]].link[0]) && isThere(all[by_tree.of[k]].link[1]))
          selected.push_back(by_tree.of[k]);
    std::sort(selected.begin(), selected.end());
  };
  selectFrom(lists_.pairs, by_tree_, pairs);
  selectFrom(lists_.solid_pairs, solids_by_tree_, solid_pairs);
}

}  // namespace rigor
