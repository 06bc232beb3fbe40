#include "stepping/start_overlaps.h"

#include <fmt/format.h>

#include <algorithm>

#include "geometry/solid_elements.h"
#include "model/parameters.h"
#include "stepping/surface_overlap.h"

namespace rigor {
namespace {

std::string shapeName(const Model& model, int index) {
  const ModelShape& shape = model.shapes()[index];
  if (!shape.name.empty()) return shape.name;
  return shape.body == kWorld ? "ground" : model.body(shape.body).name;
}

std::string namesOf(const Model& model, const int shape[2]) {
  return fmt::format("\"{}\" and \"{}\"", shapeName(model, shape[0]), shapeName(model, shape[1]));
}

Overlap makeOverlap(const Model& model, const int shape[2], double depth) {
  return {namesOf(model, shape), depth, {model.shapes()[shape[0]].body, model.shapes()[shape[1]].body}};
}

double distanceOf(const SolidPair& pair, const PlacedSolid& a, const PlacedSolid& b) {
  std::vector<ManifoldPoint> points;
  return pair.surface >= 0 ? meetSurface(pair, a, b, 0.0, points).distance : separateSolids(a, b).distance;
}

}  // namespace

std::vector<Overlap> listStartOverlaps(const Model& model, const CollisionTable& table, const PairLists& near,
                                       const PlacedModel& pose) {
  const std::vector<FeaturePair>& pairs = near.pairs;
  std::vector<Overlap> overlaps;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    double deepest = 0.0;
    const std::size_t first = i;
    for (; i < pairs.size() && pairs[i].shape[0] == pairs[first].shape[0] && pairs[i].shape[1] == pairs[first].shape[1];
         ++i)
      deepest = std::min(deepest, gapOf(table, pairs[i], pose.centres).gap);
    --i;
    if (table.complianceOf(pairs[first]) > 0.0) continue;
    if (deepest < -kIgnoredOverlap) overlaps.push_back(makeOverlap(model, pairs[first].shape, -deepest));
  }
  for (const SolidPair& pair : near.solid_pairs) {
    if (table.complianceOf(pair) > 0.0) continue;
    const PlacedSolid &a = pose.solids[pair.shape[0]], &b = pose.solids[pair.shape[1]];
    const double distance = distanceOf(pair, a, b);
    if (distance < -kIgnoredOverlap) overlaps.push_back(makeOverlap(model, pair.shape, -distance));
  }
  return overlaps;
}

void refuseOverlaps(const std::vector<Overlap>& overlaps) {
  if (overlaps.empty()) return;
  const Overlap& deepest = *std::max_element(overlaps.begin(), overlaps.end(),
                                             [](const Overlap& a, const Overlap& b) { return a.depth < b.depth; });
  throw Error(
      fmt::format("{} overlap by {:.3g} m at the start and could not be moved apart{}", deepest.pair, deepest.depth,
                  overlaps.size() > 1 ? fmt::format(", nor could {} other pairs", overlaps.size() - 1) : ""),
      "Start them apart, or name the pair in [collision] exclude; --no-self-collision lets all links of one robot "
      "pass.");
}

void refuseSwallowed(const Model& model, const CollisionTable& table, const Eigen::VectorXd& q) {
  const auto isSurface = [](const SolidPlace& place) { return place.solid.isSurface(); };
  if (std::none_of(table.solids.begin(), table.solids.end(), isSurface)) return;
  PlacedModel pose;
  pose.kin.resize(model.topology());
  place(model.topology(), model.parameters(), table, q.data(), pose);
  Neighbours neighbours;
  neighbours.prepare(table, pose.shapes());
  for (const SolidPair& pair : neighbours.lists().solid_pairs) {
    const PlacedSolid &a = pose.solids[pair.shape[0]], &b = pose.solids[pair.shape[1]];
    if (isSwallowed(pair, a, b))
      throw Error(fmt::format("{} overlap by {:.3g} m in the state that was set: one is wholly inside the other",
                              namesOf(model, pair.shape), -distanceOf(pair, a, b)),
                  "Nothing pushes there. Set a state in which they are apart.");
  }
}

}  // namespace rigor
