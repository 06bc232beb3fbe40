#include "simulation/overlap_finder.h"

#include <algorithm>
#include <limits>

#include "dynamics/poses.h"
#include "geometry/separation.h"
#include "model/parameters.h"
#include "rigor/mesh.h"
#include "stepping/placed_model.h"
#include "stepping/start_overlaps.h"

namespace rigor {
namespace {

struct Bound {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double radius = 0.0;
};

/// Of a mesh around the middle of its box: frames of meshes may lie far outside them.
Bound boundOf(const Shape& shape) {
  if (shape.kind == ShapeKind::kPlane || shape.kind == ShapeKind::kHeightField)
    return {Eigen::Vector3d::Zero(), std::numeric_limits<double>::infinity()};
  if (!shape.mesh || shape.mesh->vertices.empty()) return {Eigen::Vector3d::Zero(), boundingRadius(shape)};
  Eigen::Vector3d low = shape.mesh->vertices.front(), high = low;
  for (const Eigen::Vector3d& vertex : shape.mesh->vertices) low = low.cwiseMin(vertex), high = high.cwiseMax(vertex);
  Bound bound{0.5 * (low + high)};
  for (const Eigen::Vector3d& vertex : shape.mesh->vertices)
    bound.radius = std::max(bound.radius, (vertex - bound.centre).norm());
  return bound;
}

}  // namespace

OverlapFinder::OverlapFinder(const Model& model, const Pairs& pairs) : model_(model), poses_(model.shapes().size()) {
  for (const ModelShape& shape : model.shapes()) {
    const Bound bound = boundOf(shape.shape);
    middle_.push_back(bound.centre);
    radius_.push_back(bound.radius);
  }
  centre_ = middle_;
  for (const auto& [a, b] : pairs)
    if (canCollide(model.shapes()[a].shape.kind, model.shapes()[b].shape.kind)) pairs_.emplace_back(a, b);
}

void OverlapFinder::moveTo(const Eigen::VectorXd& q) {
  const std::vector<Pose> bodies = bodyPoses(model_, q);
  for (std::size_t i = 0; i < poses_.size(); ++i) {
    const ModelShape& shape = model_.shapes()[i];
    poses_[i] = shape.body == kWorld ? shape.X_BS : bodies[shape.body] * shape.X_BS;
    centre_[i] = poses_[i] * middle_[i];
  }
}

double OverlapFinder::distance(int pair, double enough) {
  const auto [a, b] = pairs_[pair];
  const double apart = (centre_[a] - centre_[b]).norm() - radius_[a] - radius_[b];
  if (apart >= enough) return apart;
  constexpr double kNoManifold = -std::numeric_limits<double>::infinity();
  collide(model_.shapes()[a].shape, poses_[a], model_.shapes()[b].shape, poses_[b], kNoManifold, collision_);
  return collision_.distance;
}

std::vector<ShapeOverlap> OverlapFinder::overlaps() {
  std::vector<ShapeOverlap> found;
  for (int pair = 0; pair < static_cast<int>(pairs_.size()); ++pair)
    if (const double gap = distance(pair, 0.0); gap < -kIgnoredOverlap)
      found.push_back({pairs_[pair].first, pairs_[pair].second, -gap});
  std::stable_sort(found.begin(), found.end(),
                   [](const ShapeOverlap& a, const ShapeOverlap& b) { return a.depth > b.depth; });
  return found;
}

std::vector<int> OverlapFinder::overlappingPairs() {
  std::vector<int> found;
  for (int pair = 0; pair < static_cast<int>(pairs_.size()); ++pair)
    if (distance(pair, 0.0) < -kIgnoredOverlap) found.push_back(pair);
  return found;
}

OverlapFinder::Pairs listOwnPairs(const Model& model) {
  // a robot is what hangs on one root, also where that is fixed and every limb is a tree of its own
  std::vector<std::vector<int>> shapes_of(model.bodyCount());
  for (int shape = 0; shape < static_cast<int>(model.shapes().size()); ++shape) {
    int root = model.shapes()[shape].body;
    while (root != kWorld && model.body(root).parent != kWorld) root = model.body(root).parent;
    if (root != kWorld) shapes_of[root].push_back(shape);
  }
  OverlapFinder::Pairs pairs;
  for (const std::vector<int>& shapes : shapes_of)
    for (std::size_t i = 0; i < shapes.size(); ++i)
      for (std::size_t j = i + 1; j < shapes.size(); ++j)
        if (model.mayCollide(shapes[i], shapes[j])) pairs.emplace_back(shapes[i], shapes[j]);
  return pairs;
}

std::string nameOfShape(const Model& model, int index) {
  const ModelShape& shape = model.shapes()[index];
  if (!shape.name.empty()) return shape.name;
  return shape.body == kWorld ? "world" : model.body(shape.body).name;
}

std::vector<ShapeOverlap> findOverlaps(const Model& model, const Eigen::VectorXd& q) {
  const CollisionTable table = makeCollisionTable(model);
  PlacedModel pose;
  pose.kin.resize(model.topology());
  place(model.topology(), model.parameters(), table, q.data(), pose);
  Neighbours neighbours;
  neighbours.prepare(table, pose.shapes());
  OverlapFinder::Pairs near;
  for (const FeaturePair& pair : neighbours.lists().pairs) near.emplace_back(pair.shape[0], pair.shape[1]);
  for (const SolidPair& pair : neighbours.lists().solid_pairs) near.emplace_back(pair.shape[0], pair.shape[1]);
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  std::erase_if(near, [&](const auto& pair) {
    return model.material(pair.first, pair.second).compliance > 0.0 && table.mayBeSoft(pair.first, pair.second);
  });
  OverlapFinder finder(model, near);
  finder.moveTo(q);
  return finder.overlaps();
}

}  // namespace rigor
