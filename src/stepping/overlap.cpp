#include "stepping/overlap.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "dynamics/integrate.h"
#include "dynamics/jacobian.h"
#include "geometry/solid_elements.h"
#include "geometry/solid_features.h"
#include "stepping/close_loops.h"
#include "stepping/least_move.h"
#include "stepping/loop_rooms.h"
#include "stepping/placed_model.h"
#include "stepping/start_overlaps.h"
#include "stepping/start_report.h"
#include "stepping/surface_overlap.h"

namespace rigor {
namespace {

constexpr double kNear = 1e-2;        // [m] pairs that a correction might press together
constexpr double kSeparated = 1e-13;  // [m] or [rad] left to move
constexpr double kClosed = 1e-12;     // [m] or [rad] a loop is closed to rounding
constexpr int kMaxIterations = 60;

/// A joint with a range, widened to where it starts: what begins outside is not pulled in, but goes no farther.
struct JointRoom {
  int v = 0, q = 0;
  Range range{};
};

std::vector<JointRoom> findRooms(const Model& model, const Eigen::VectorXd& q) {
  std::vector<JointRoom> rooms;
  for (const ModelJoint& joint : model.joints()) {
    const std::optional<Range>& range = joint.spec.range;
    if (!range || velocityCount(joint.spec.type) != 1) continue;
    const double start = q[joint.q_index];
    rooms.push_back({joint.v_index, joint.q_index, {std::min(range->lower, start), std::max(range->upper, start)}});
  }
  return rooms;
}

/// Rows of all loops, then normal rows of the pairs that overlap or are near, then ends of ranges.
struct GapRows {
  std::vector<GapRow> rows;
  double deepest = 0.0, widest = 0.0;
};

/// One more row: the gap of two links at a point, and how the freedoms change it.
void addRow(const Topology& topology, const PlacedModel& pose, const int link[2], const GapAtPose<double>& at,
            GapRows& rows) {
  GapRow& row = rows.rows.emplace_back();
  row.gap = at.gap;
  std::map<int, double> J;
  for (const int side : {1, 0}) {
    if (link[side] < 0) continue;
    std::vector<double> part(topology.chain_length[link[side]]);
    const Force<double> F = forceAt(at.centre[side].relative, (side == 1 ? 1.0 : -1.0) * at.normal, {});
    jacobianRow(topology, pose.kin.S.data(), link[side], F, part.data());
    for (std::size_t k = 0; k < part.size(); ++k) J[topology.chain[topology.chain_start[link[side]] + k]] += part[k];
  }
  row.J.assign(J.begin(), J.end());
}

/// The witnesses of two solids as one pair of features.
GapAtPose<double> atWitnesses(const Separation& apart, const PlacedSolid& a, const PlacedSolid& b) {
  GapAtPose<double> at{};
  at.gap = apart.distance;
  at.normal = apart.normal;
  at.point = 0.5 * (apart.point_1 + apart.point_2);
  at.centre[0] = {apart.point_1 - a.origin, apart.point_1};
  at.centre[1] = {apart.point_2 - b.origin, apart.point_2};
  return at;
}

/// Rows of the features that face each other across the direction of least overlap.
void addSolidRows(const Topology& topology, const CollisionTable& table, const PairLists& near, const PlacedModel& pose,
                  GapRows& rows) {
  constexpr double kAligned = 0.9;  // cosine: features of other directions would push elsewhere
  FeatureLists lists;
  std::vector<SolidFeatures> features, balls;
  std::vector<ManifoldPoint> points;
  for (const SolidPair& pair : near.solid_pairs) {
    if (table.complianceOf(pair) > 0.0) continue;
    const PlacedSolid &a = pose.solids[pair.shape[0]], &b = pose.solids[pair.shape[1]];
    const double reach = table.solids[pair.shape[0]].bound + table.solids[pair.shape[1]].bound + kNear;
    if (pair.surface < 0 && norm(b.X_WS.p - a.X_WS.p) > reach) continue;  // the ground under a height field has no end
    if (pair.surface >= 0) {
      rows.deepest = std::min(rows.deepest, meetSurface(pair, a, b, kNear, points).distance);
      for (const ManifoldPoint& point : points)
        addRow(topology, pose, pair.link, atWitnesses({point.gap, point.normal, point.point_1, point.point_2}, a, b),
               rows);
      continue;
    }
    const Separation apart = separateSolids(a, b);
    if (apart.distance > kNear) continue;
    rows.deepest = std::min(rows.deepest, apart.distance);
    listFeatures(a, b, {apart.normal, kNear}, lists, features);
    listBalls(*a.solid, *b.solid, balls);
    features.insert(features.end(), balls.begin(), balls.end());
    bool covered = false;
    for (const SolidFeatures& one : features) {
      const GapAtPose<double> at = gapOfSolids(one, a, b);
      if (at.gap > kNear || at.gap < apart.distance - kIgnoredOverlap || dot(at.normal, apart.normal) < kAligned)
        continue;
      addRow(topology, pose, pair.link, at, rows);
      covered = covered || at.gap < apart.distance + kIgnoredOverlap;
    }
    if (!covered) addRow(topology, pose, pair.link, atWitnesses(apart, a, b), rows);
  }
}

GapRows computeGapRows(const Topology& topology, const CollisionTable& table, const PairLists& near,
                       const std::vector<LoopPart>& loops, const PlacedModel& pose, const Eigen::VectorXd& q) {
  const LoopRowsAtPose closing = computeLoopRowsAtPose(loops, topology, pose.kin, q.data());
  GapRows rows;
  for (int i = 0; i < closing.g.size(); ++i) {
    GapRow& row = rows.rows.emplace_back(GapRow{closing.g[i], true, {}});
    for (int j = 0; j < topology.nv; ++j)
      if (closing.J(i, j) != 0.0) row.J.emplace_back(j, closing.J(i, j));
    rows.widest = std::max(rows.widest, std::fabs(closing.g[i]));
  }
  for (const FeaturePair& pair : near.pairs) {
    const GapAtPose<double> at = gapOf(table, pair, pose.centres);
    if (at.gap > kNear || table.complianceOf(pair) > 0.0) continue;
    rows.deepest = std::min(rows.deepest, at.gap);
    addRow(topology, pose, pair.link, at, rows);
  }
  addSolidRows(topology, table, near, pose, rows);
  return rows;
}

/// No joint leaves its range to make room. Trees that nothing moves stay where they are without.
void addRangeRows(const Topology& topology, const std::vector<JointRoom>& rooms, const Eigen::VectorXd& q,
                  GapRows& rows) {
  std::vector<char> moves(topology.trees, 0);
  const auto treeOf = [&](int freedom) { return topology.tree[topology.dof_link[freedom]]; };
  for (const GapRow& row : rows.rows)
    for (const auto& [freedom, value] : row.J) moves[treeOf(freedom)] = 1;
  for (const JointRoom& room : rooms) {
    if (!moves[treeOf(room.v)]) continue;
    rows.rows.push_back({q[room.q] - room.range.lower, false, {{room.v, 1.0}}});
    rows.rows.push_back({room.range.upper - q[room.q], false, {{room.v, -1.0}}});
  }
}

/// Free bodies that are wholly under a height field are put onto it, straight up. What the rest of this file does, the least
/// move, has no answer so deep in the ground: the triangles nearest to a body say nothing of where the next ones are.
void liftOutOfGround(const Model& model, const PairLists& near, const PlacedModel& pose, Eigen::VectorXd& q) {
  const Topology& topology = model.topology();
  std::vector<Vec3<double>> lift(topology.trees);
  const std::vector<int> told = kinematicFreedoms(model);
  for (const SolidPair& pair : near.solid_pairs) {
    const int link = std::max(pair.link[0], pair.link[1]);
    if (pair.surface < 0 || link < 0 || !topology.free_base[link]) continue;
    const int tree = topology.tree[link], first = topology.v_index[topology.tree_root[tree]];
    if (std::find(told.begin(), told.end(), first) != told.end()) continue;
    const PlacedSolid &a = pose.solids[pair.shape[0]], &b = pose.solids[pair.shape[1]];
    const double rise = liftOntoField(pair, a, b);
    if (rise > norm(lift[tree])) lift[tree] = rise * (pair.surface == 0 ? a : b).X_WS.R.z;
  }
  for (int tree = 0; tree < topology.trees; ++tree) {
    const int at = topology.q_index[topology.tree_root[tree]];
    if (norm(lift[tree]) > 0.0) q.segment<3>(at) += Eigen::Vector3d(lift[tree].x, lift[tree].y, lift[tree].z);
  }
}

/// Moves q.
class OverlapRemoval {
 public:
  OverlapRemoval(const Model& model, const CollisionTable& table, const std::vector<LoopPart>& loops,
                 ContactSolver& solver, Eigen::VectorXd& q)
      : model_(model),
        table_(table),
        loops_(loops),
        has_own_(std::any_of(loops.begin(), loops.end(), [](const LoopPart& part) { return part.own != nullptr; })),
        solver_(solver),
        q_(q),
        rooms_(findRooms(model, q)) {
    pose_.kin.resize(model.topology());
    place(model.topology(), model.parameters(), table, q.data(), pose_);
    loop_rooms_ = findLoopRooms(model, pose_.kin);
    neighbours_.prepare(table, pose_.shapes());
    look();
  }

  WidestLoop widest() const { return findWidestLoop(loops_, model_.topology(), pose_.kin, q_.data()); }
  std::vector<Overlap> overlaps() const { return listStartOverlaps(model_, table_, neighbours_.lists(), pose_); }

  void liftOut() {
    liftOutOfGround(model_, neighbours_.lists(), pose_, q_);
    look();
  }

  void look() {
    place(model_.topology(), model_.parameters(), table_, q_.data(), pose_);
    neighbours_.beginStep();
    neighbours_.coverReach(table_.all_trees, pose_.shapes(), [](int) { return kNear; });
  }

  /// All freedoms of free trees but those that carry them as a whole. Trees with loops need theirs.
  std::vector<int> findTurns() const {
    const Topology& topology = model_.topology();
    const LoopRowsAtPose closing = computeLoopRowsAtPose(loops_, topology, pose_.kin, q_.data());
    std::vector<char> looped(topology.trees, 0);
    for (int j = 0; j < topology.nv; ++j)
      if (closing.J.col(j).any()) looped[topology.tree[topology.dof_link[j]]] = 1;
    std::vector<int> turns;
    for (int j = 0; j < topology.nv; ++j) {
      const int link = topology.dof_link[j], tree = topology.tree[link];
      const int root = topology.tree_root[tree];
      if (!topology.free_base[root] || looped[tree]) continue;
      if (j >= topology.v_index[root] + 3) turns.push_back(j);
    }
    return turns;
  }

  /// True if nothing overlaps and every loop is closed. `held` freedoms stay as they are.
  ///
  /// Each iteration linearises the gaps at the present pose and asks for the least total move, not for the least next one:
  /// what an earlier iteration pushed too far comes back, and ends in touch. Turns may have no end: the lowest point of a rim
  /// that comes to lie flat runs around it. Without them one iteration is exact for a pair.
  bool move(const std::vector<int>& held) {
    const Topology& topology = model_.topology();
    Eigen::VectorXd moved = Eigen::VectorXd::Zero(topology.nv);
    std::vector<char> shifts(topology.nv, 0);  // freedoms that move a whole tree, which turns none of its shapes
    for (const int j : held) {
      const int first = topology.v_index[topology.tree_root[topology.tree[topology.dof_link[j]]]];
      std::fill_n(shifts.begin() + first, 3, 1);
    }
    double last = 1.0;
    for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
      look();
      GapRows rows = computeGapRows(topology, table_, neighbours_.lists(), loops_, pose_, q_);
      addRangeRows(topology, rooms_, q_, rows);
      addRoomRows(loop_rooms_, topology, pose_.kin, rows.rows);
      const bool separated = rows.deepest >= -kSeparated && last < kSeparated;
      if (rows.widest <= kClosed && (separated || (rows.deepest >= -kIgnoredOverlap && last < kClosed))) return true;
      // two who push a third to and fro, own constraints that bend on a long way: nobody comes back any more
      if ((!held.empty() || has_own_) && iteration >= kMaxIterations / 2) moved.setZero();
      const Eigen::VectorXd move = findLeastMove(model_, pose_.kin, moved, std::move(rows.rows), solver_, held);
      if (!move.allFinite()) break;
      // a turn beyond what the linear rows know is taken in parts
      double turn = last = 0.0;
      for (int j = 0; j < topology.nv; ++j) {
        last = std::max(last, std::fabs(move[j]));
        if (!shifts[j]) turn = std::max(turn, std::fabs(move[j]));
      }
      const double share = std::min(1.0, 0.3 / std::max(turn, 1e-300));
      integrate(topology, q_.data(), move.data(), share, q_.data());
      moved += share * move;
    }
    look();
    return false;
  }

 private:
  const Model& model_;
  const CollisionTable& table_;
  const std::vector<LoopPart>& loops_;
  bool has_own_;  ///< some are constraints of a user
  ContactSolver& solver_;
  Eigen::VectorXd& q_;
  std::vector<JointRoom> rooms_;
  std::vector<LoopRoom> loop_rooms_;
  PlacedModel pose_;
  Neighbours neighbours_;
};

}  // namespace

std::vector<Warning> removeOverlap(const Model& model, const CollisionTable& table, const std::vector<LoopPart>& loops,
                                   ContactSolver& solver, Eigen::VectorXd& q) {
  std::vector<Warning> warnings;
  OverlapRemoval removal(model, table, loops, solver, q);
  const WidestLoop open_at_start = removal.widest();
  const std::vector<Overlap> at_start = removal.overlaps();
  if (at_start.empty() && !(open_at_start.gap > kClosed)) return warnings;
  const Eigen::VectorXd q_start = q;
  removal.liftOut();
  const Eigen::VectorXd q_lifted = q;
  if (!removal.move({}) && !removal.overlaps().empty()) {
    const Eigen::VectorXd q_turned = q;
    q = q_lifted;
    const std::vector<int> held = removal.findTurns();
    if (held.empty() || (!removal.move(held) && !removal.overlaps().empty())) {
      q = q_turned;
      removal.look();
    }
  }
  reportLoops(model, open_at_start, removal.widest(), warnings);
  refuseOverlaps(removal.overlaps());
  tellOverlaps(model, at_start, q_start, q, warnings);
  if (!at_start.empty()) tellMovedJoints(model, q_start, q, warnings);
  return warnings;
}

}  // namespace rigor
