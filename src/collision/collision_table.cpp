#include "collision/collision_table.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "geometry/convert.h"
#include "geometry/features.h"
#include "model/parameters.h"
#include "model/topology.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

int linkOf(const Model& model, const ModelShape& shape) {
  return shape.body == kWorld ? kWorld : model.placements()[shape.body].link;
}

/// Adds the balls of a shape in the frame of its link.
void addBalls(const Model& model, const ModelShape& shape, CollisionTable& table) {
  const auto X_LB = shape.body == kWorld ? Transform<double>::identity() : model.placements()[shape.body].X_LB;
  for (const SphereFeature& feature : sphereFeatures(shape.shape)) {
    const Vec& c = feature.centre;
    const Eigen::Vector3d in_body = shape.X_BS * Eigen::Vector3d(c.x, c.y, c.z);
    table.shapes.balls.push_back({X_LB * toVec3(in_body), feature.radius});
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

int findSurface(const MaterialPair& material, std::vector<ContactMaterial>& surfaces) {
  const ContactMaterial surface{material.friction,
                                material.friction_static < 0.0 ? material.friction : material.friction_static,
                                material.restitution, material.threshold};
  const auto same = std::find(surfaces.begin(), surfaces.end(), surface);
  const int index = static_cast<int>(same - surfaces.begin());
  if (same == surfaces.end()) surfaces.push_back(surface);
  return index;
}

/// The solids of a pair are placed from now on.
void addSolid(const Model& model, int index, CollisionTable& table) {
  SolidPlace& place = table.solids[index];
  if (place.solid.core) return;
  const ModelShape& shape = model.shapes()[index];
  const auto X_LB = shape.body == kWorld ? Transform<double>::identity() : model.placements()[shape.body].X_LB;
  place.solid = makeSolid(shape.shape);
  place.link = linkOf(model, shape);
  place.X_LS = X_LB * toTransform({shape.X_BS.position, shape.X_BS.rotation.normalized()});
  place.bound = place.solid.isPlane() ? std::numeric_limits<double>::infinity()
                                      : radiusAbout(PlacedSolid{&place.solid, {}, {}}.view());
  place.thickness = thicknessOf(place.solid);
}

/// A ball or an ellipsoid against anything has one contact, and nothing to choose.
bool hasBranches(const Solid& solid) { return !solid.isBall() && !solid.isWhole(); }

void addSolidPair(const Model& model, int a, int b, CollisionTable& table) {
  addSolid(model, a, table), addSolid(model, b, table);
  const SolidPlace &place_a = table.solids[a], &place_b = table.solids[b];
  table.solid_pairs.push_back({{a, b},
                               {place_a.link, place_b.link},
                               findSurface(model.material(a, b), table.surfaces),
                               hasBranches(place_a.solid) && hasBranches(place_b.solid),
                               place_a.solid.isSurface()   ? 0
                               : place_b.solid.isSurface() ? 1
                                                           : -1});
}

void placeSolid(const SolidPlace& place, const LinkPoses& poses, PlacedSolid& placed) {
  placed.solid = &place.solid;
  placed.X_WS = place.X_LS;
  if (place.link < 0) return;
  placed.origin = poses.origin[poses.tree[place.link]];
  placed.X_WS = poses.X_OL[place.link] * place.X_LS;
  placed.X_WS.p += placed.origin;
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
  for (const ModelShape& shape : model.shapes())
    if (const int link = linkOf(model, shape); link >= 0 && shape.shape.kind != ShapeKind::kSphere) round[link] = 0;
  for (const LoopSpec& loop : model.loops())
    for (const int body : {loop.body_1, loop.body_2})
      if (body >= 0 && model.placements()[body].link >= 0) round[model.placements()[body].link] = 0;
  return round;
}

}  // namespace

int CollisionTable::findSolidPair(int shape_1, int shape_2) const {
  const auto found = std::lower_bound(solid_pairs.begin(), solid_pairs.end(), std::pair(shape_1, shape_2),
                                      [](const SolidPair& pair, const std::pair<int, int>& shapes) {
                                        return std::pair(pair.shape[0], pair.shape[1]) < shapes;
                                      });
  assert(found != solid_pairs.end() && found->shape[0] == shape_1 && found->shape[1] == shape_2 &&
         "who asks has seen the pair");
  return static_cast<int>(found - solid_pairs.begin());
}

void placeSolids(const CollisionTable& table, const LinkPoses& poses, std::vector<PlacedSolid>& solids) {
  if (table.solid_pairs.empty()) return;
  solids.resize(table.solids.size());
  for (std::size_t i = 0; i < table.solids.size(); ++i)
    if (table.solids[i].solid.core) placeSolid(table.solids[i], poses, solids[i]);
}

void placeSolids(const CollisionTable& table, const LinkPoses& poses, std::span<const int> shapes,
                 std::vector<PlacedSolid>& solids) {
  for (const int shape : shapes) placeSolid(table.solids[shape], poses, solids[shape]);
}

CollisionTable makeCollisionTable(const Model& model) {
  const auto& shapes = model.shapes();
  CollisionTable table;
  std::vector<int> first;   // [shapes + 1] first ball; of a plane its index
  std::vector<int> counts;  // [shapes] of balls
  for (const ModelShape& shape : shapes) {
    const bool plane = shape.shape.kind == ShapeKind::kPlane;
    first.push_back(static_cast<int>(plane ? table.shapes.planes.size() : table.shapes.balls.size()));
    if (plane)
      addPlane(model, shape, table);
    else
      addBalls(model, shape, table);
    counts.push_back(static_cast<int>(table.shapes.balls.size()) - (plane ? 0 : first.back()));
  }
  table.round = findRoundLinks(model, table);

  const auto features = [&](int shape) { return shapes[shape].shape.kind == ShapeKind::kPlane ? 1 : counts[shape]; };
  table.solids.resize(shapes.size());
  for (const auto& [a, b] : model.collisionPairs()) {
    if (!haveBallFeatures(shapes[a].shape.kind, shapes[b].shape.kind)) {
      addSolidPair(model, a, b, table);
      continue;
    }
    assert(shapes[b].shape.kind != ShapeKind::kPlane && "a plane is the first of a pair, and two of them are none");
    FeaturePair pair;
    pair.kind = shapes[a].shape.kind == ShapeKind::kPlane ? FeatureKind::kPlaneBall : FeatureKind::kBallBall;
    pair.shape[0] = a, pair.shape[1] = b;
    pair.link[0] = pair.kind == FeatureKind::kPlaneBall ? kWorld : linkOf(model, shapes[a]);
    pair.link[1] = linkOf(model, shapes[b]);
    pair.material = findSurface(model.material(a, b), table.surfaces);
    for (int i = 0; i < features(a); ++i)
      for (int j = 0; j < features(b); ++j) {
        pair.id = makeFeaturePairId(a, b, pair.kind, i, j);
        pair.feature[0] = first[a] + i, pair.feature[1] = first[b] + j;
        table.pairs.push_back(pair);
      }
  }
  std::sort(table.pairs.begin(), table.pairs.end(), [](const auto& x, const auto& y) { return x.id < y.id; });
  // a plane is the first of a pair although it may be the last of the shapes
  std::sort(table.solid_pairs.begin(), table.solid_pairs.end(), [](const SolidPair& x, const SolidPair& y) {
    return std::lexicographical_compare(x.shape, x.shape + 2, y.shape, y.shape + 2);
  });
  const auto same_id = [](const auto& x, const auto& y) { return x.id == y.id; };
  assert(std::adjacent_find(table.pairs.begin(), table.pairs.end(), same_id) == table.pairs.end() &&
         "ids tell pairs of features apart: impulses are remembered by them");
  return table;
}

}  // namespace rigor
