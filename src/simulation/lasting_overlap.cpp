// Pairs of links that overlap whatever the joints do.
#include <fmt/format.h>

#include <algorithm>

#include "simulation/clear_pose.h"
#include "simulation/joint_reach.h"
#include "stepping/start_overlaps.h"

namespace rigor {
namespace {

constexpr int kPoses = 40, kMostFree = 2;  // a corner of the ranges in which a pair just comes free does not matter

/// True if the pair overlaps in nearly all poses of the joints between its bodies.
bool lasts(OverlapFinder& finder, int pair, Eigen::VectorXd q) {
  const Model& model = finder.model();
  const auto [a, b] = finder.pairs()[pair];
  const int body_1 = model.shapes()[a].body, body_2 = model.shapes()[b].body;
  if (haveWideJoints(model, body_1, body_2)) return false;
  const std::vector<int> joints = jointsBetween(model, body_1, body_2);
  int free = 0;
  for (int pose = 0; pose < kPoses && free <= kMostFree; ++pose) {
    scatterJoints(model, joints, pose, q);
    finder.moveTo(q);
    free += finder.distance(pair, 0.0) >= -kIgnoredOverlap;
  }
  return free <= kMostFree;
}

}  // namespace

std::vector<ShapeOverlap> findLastingOverlaps(const Model& model, const Eigen::VectorXd& q) {
  OverlapFinder finder(model, listOwnPairs(model));
  finder.moveTo(q);
  std::vector<std::pair<int, double>> here;  // pair, depth
  const auto isWanted = [&](int pair) {
    return model.isExplicitPair(finder.pairs()[pair].first, finder.pairs()[pair].second);
  };
  for (const int pair : finder.overlappingPairs())
    if (!isWanted(pair)) here.emplace_back(pair, -finder.distance(pair, 0.0));
  std::vector<ShapeOverlap> lasting;
  for (const auto& [pair, depth] : here)
    if (lasts(finder, pair, q)) lasting.push_back({finder.pairs()[pair].first, finder.pairs()[pair].second, depth});
  return lasting;
}

std::vector<Warning> excludeLastingOverlaps(const Model& model, const Eigen::VectorXd& q, ModelBuilder& builder) {
  std::string list;
  int count = 0;
  for (const ShapeOverlap& overlap : findLastingOverlaps(model, q)) {
    const std::string &a = model.shapes()[overlap.shape_1].name, &b = model.shapes()[overlap.shape_2].name;
    if (a.empty() || b.empty()) continue;
    builder.excludePair(a, b);
    list += fmt::format("{}\"{}\" and \"{}\" ({:.2g} m)", count++ ? ", " : "", a, b, overlap.depth);
  }
  if (count == 0) return {};
  const Place where{model.body(model.shapes().front().body == kWorld ? 0 : model.shapes().front().body).where.file, 0,
                    fmt::format("{} pair{} of shapes", count, count == 1 ? "" : "s")};
  return {{where, "overlap wherever the joints between them are put, so they are left out of contact: " + list, false,
           WarningKind::kLastingOverlap}};
}

}  // namespace rigor
