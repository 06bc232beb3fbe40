#include "collision/collision_table.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "geometry/convert.h"
#include "geometry/features.h"
#include "model/parameters.h"
#include "model/topology.h"
#include "rigor/error.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

int linkOf(const Model& model, const ModelShape& shape) {
  return shape.body == kWorld ? kWorld : model.placements()[shape.body].link;
}

/// Adds the balls of a shape in the frame of its link.
void addBalls(const Model& model, const ModelShape& shape, CollisionTable& table) {
  SphereFeature features[kMaxSphereFeatures];
  const int count = sphereFeatures(shape.shape, features);
  const auto X_LB = shape.body == kWorld ? Transform<double>::identity() : model.placements()[shape.body].X_LB;
  for (int k = 0; k < count; ++k) {
    const Vec& c = features[k].centre;
    const Eigen::Vector3d in_body = shape.X_BS * Eigen::Vector3d(c.x, c.y, c.z);
    table.shapes.balls.push_back({X_LB * toVec3(in_body), features[k].radius});
    table.ball_link.push_back(linkOf(model, shape));
  }
}

/// A plane belongs to the world, perhaps by a body that is fixed to it.
void addPlane(const Model& model, const ModelShape& shape, CollisionTable& table) {
  assert(linkOf(model, shape) == kWorld && "the builder lets no plane onto a body that moves");
  Pose X_WS = shape.X_BS;
  if (shape.body != kWorld) {
    const auto& X = model.placements()[shape.body].X_LB;
    X_WS = Pose{toEigen(X.p), Eigen::Quaterniond(toEigen(X.R))} * shape.X_BS;
  }
  const Eigen::Vector3d normal = X_WS.rotation.normalized() * Eigen::Vector3d::UnitZ();
  table.shapes.planes.push_back({toVec3(normal), normal.dot(X_WS.position)});
}

int findSurface(const MaterialPair& material, std::vector<Surface>& surfaces) {
  const Surface surface{material.friction,
                        material.friction_static < 0.0 ? material.friction : material.friction_static,
                        material.restitution, material.threshold};
  const auto same = std::find(surfaces.begin(), surfaces.end(), surface);
  const int index = static_cast<int>(same - surfaces.begin());
  if (same == surfaces.end()) surfaces.push_back(surface);
  return index;
}

/// CollisionTable::round, from the joints, the inertias, the balls and the loops of the model.
std::vector<char> findRoundLinks(const Model& model, const CollisionTable& table) {
  constexpr double kDust = 1e-12;  // relative: from the decimal digits of a file
  const Topology& topology = model.topology();
  std::vector<char> round(topology.links, 0);
  for (int link = 0; link < topology.links; ++link) {
    const LinkInertia<double>& body = model.parameters().inertia[link];
    const Sym3<double>& I = body.rotational;
    const double dust = kDust * I.xx;
    const bool same = std::fabs(I.xx - I.yy) <= dust && std::fabs(I.xx - I.zz) <= dust && std::fabs(I.xy) <= dust &&
                      std::fabs(I.xz) <= dust && std::fabs(I.yz) <= dust;
    const bool centred = body.mass * dot(body.com, body.com) <= dust;
    round[link] = topology.joint[link] == kFree && topology.parent[link] < 0 && same && centred;
  }
  for (int link = 0; link < topology.links; ++link)
    if (topology.parent[link] >= 0) round[topology.parent[link]] = 0;
  for (std::size_t i = 0; i < table.ball_link.size(); ++i) {
    const Ball& ball = table.shapes.balls[i];
    if (table.ball_link[i] >= 0 && !(norm(ball.centre) <= kDust * ball.radius)) round[table.ball_link[i]] = 0;
  }
  for (const LoopSpec& loop : model.loops())
    for (const int body : {loop.body_1, loop.body_2})
      if (body >= 0 && model.placements()[body].link >= 0) round[model.placements()[body].link] = 0;
  return round;
}

}  // namespace

CollisionTable makeCollisionTable(const Model& model) {
  const auto& shapes = model.shapes();
  const auto count = static_cast<std::uint64_t>(shapes.size());
  if (count > kMostShapes)
    throw Error("the model has " + std::to_string(count) + " shapes; pairs of at most " + std::to_string(kMostShapes) +
                    " can be told apart",
                "Leave out shapes that need not collide.");
  CollisionTable table;
  std::vector<int> first;  // [shapes + 1] first ball; of a plane its index
  for (const ModelShape& shape : shapes) {
    const bool plane = shape.shape.kind == ShapeKind::kPlane;
    first.push_back(static_cast<int>(plane ? table.shapes.planes.size() : table.shapes.balls.size()));
    if (plane)
      addPlane(model, shape, table);
    else
      addBalls(model, shape, table);
  }
  table.round = findRoundLinks(model, table);

  const auto features = [&](int shape) {
    SphereFeature unused[kMaxSphereFeatures];
    return shapes[shape].shape.kind == ShapeKind::kPlane ? 1 : sphereFeatures(shapes[shape].shape, unused);
  };
  for (const auto& [a, b] : model.collisionPairs()) {
    assert(shapes[b].shape.kind != ShapeKind::kPlane && "a plane is the first of a pair, and two of them are none");
    FeaturePair pair;
    pair.kind = shapes[a].shape.kind == ShapeKind::kPlane ? FeatureKind::kPlaneBall : FeatureKind::kBallBall;
    pair.shape[0] = a, pair.shape[1] = b;
    pair.link[0] = pair.kind == FeatureKind::kPlaneBall ? kWorld : linkOf(model, shapes[a]);
    pair.link[1] = linkOf(model, shapes[b]);
    pair.material = findSurface(model.material(a, b), table.surfaces);
    for (int i = 0; i < features(a); ++i)
      for (int j = 0; j < features(b); ++j) {
        pair.id = makeFeaturePairId(a * count + b, pair.kind, i, j);
        pair.feature[0] = first[a] + i, pair.feature[1] = first[b] + j;
        table.pairs.push_back(pair);
      }
  }
  std::sort(table.pairs.begin(), table.pairs.end(), [](const auto& x, const auto& y) { return x.id < y.id; });
  const auto same_id = [](const auto& x, const auto& y) { return x.id == y.id; };
  assert(std::adjacent_find(table.pairs.begin(), table.pairs.end(), same_id) == table.pairs.end() &&
         "ids tell pairs of features apart: impulses are remembered by them");
  return table;
}

}  // namespace rigor
