#include "collision/collision_table.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>

#include "geometry/axis_box.h"
#include "geometry/convert.h"
#include "geometry/features.h"
#include "model/parameters.h"
#include "model/topology.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

// All that is under a height field is in the ground. No scene starts anything farther than 1e9 m from the origin.
constexpr double kGroundDepth = 2e9;  // [m]
// Of the top of so high a box: more than a few units in the last place of 2e9.
constexpr double kGroundRounding = 1e-5;  // [m]

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

ContactMaterial toContactMaterial(const MaterialPair& material) {
  ContactMaterial surface{material.friction,
                          material.friction_static < 0.0 ? material.friction : material.friction_static,
                          material.restitution, material.threshold, material.impact};
  surface.torsion = material.torsion, surface.rolling = material.rolling;
  surface.compliance = material.compliance;
  surface.velocity[0] = toVec3(material.surface_velocity), surface.velocity[1] = toVec3(material.surface_velocity_2);
  surface.runs = !material.surface_velocity.isZero(0.0) || !material.surface_velocity_2.isZero(0.0);
  surface.ratio = material.anisotropy.ratio;
  surface.grain_of = material.anisotropy.of_second ? 1 : 0;
  surface.grain = toVec3(material.anisotropy.direction.normalized());
  surface.plain = surface.rows() == 3 && surface.compliance == 0.0 && !surface.runs && surface.ratio == 1.0 &&
                  surface.friction_static == surface.friction;
  return surface;
}

/// Materials by number, and how any two of them behave.
void addMaterials(const Model& model, CollisionTable& table) {
  std::map<std::string, int> known;
  std::vector<int> example;  // a shape of each
  const auto& shapes = model.shapes();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const auto [place, is_new] = known.try_emplace(shapes[i].material, static_cast<int>(known.size()));
    if (is_new) example.push_back(static_cast<int>(i));
    table.solids[i].material = place->second;
  }
  table.materials = static_cast<int>(example.size());
  for (const int a : example)
    for (const int b : example) table.surfaces.push_back(toContactMaterial(model.material(a, b)));
}

/// SolidPlace::box_centre and box_half.
void addBox(const Shape& shape, SolidPlace& place) {
  const Eigen::Vector3d& s = shape.size;
  switch (shape.kind) {
    case ShapeKind::kCylinder:
    case ShapeKind::kCone:
      place.box_half = {s.x(), s.x(), s.y()};
      return;
    case ShapeKind::kEllipsoid:
      place.box_half = toVec3(s);
      return;
    default: {
      AxisBox box{place.solid.core->vertices[0], place.solid.core->vertices[0]};
      for (const Vec& vertex : place.solid.core->vertices) box = unite(box, {vertex, vertex});
      box = grown(box, place.solid.radius);
      if (shape.kind == ShapeKind::kHeightField) {
        box.low.z -= kGroundDepth;
        box.high.z += kGroundRounding;
      }
      place.box_centre = 0.5 * (box.low + box.high), place.box_half = 0.5 * (box.high - box.low);
    }
  }
}

void addSolid(const Model& model, int index, CollisionTable& table) {
  SolidPlace& place = table.solids[index];
  const ModelShape& shape = model.shapes()[index];
  place.link = linkOf(model, shape);
  const auto X_LB = shape.body == kWorld ? Transform<double>::identity() : model.placements()[shape.body].X_LB;
  place.solid = makeSolid(shape.shape);
  place.X_LS = X_LB * toTransform({shape.X_BS.position, shape.X_BS.rotation.normalized()});
  place.thickness = thicknessOf(place.solid);
  if (place.solid.isPlane()) {
    place.plane = static_cast<int>(table.shapes.planes.size());
    place.bound = std::numeric_limits<double>::infinity();
    table.planes.push_back(index);
    addPlane(model, shape, table);
    return;
  }
  place.bound = radiusAbout(PlacedSolid{&place.solid, {}, {}}.view());
  addBox(shape.shape, place);
  place.first_ball = static_cast<int>(table.shapes.balls.size());
  addBalls(model, shape, table);
  place.balls = static_cast<int>(table.shapes.balls.size()) - place.first_ball;
}

/// CollisionTable::has_solids. Looking is given up after so many pairs that a large model would notice.
bool hasSolids(const CollisionTable& table) {
  const int count = static_cast<int>(table.solids.size());
  std::int64_t left = 64 * static_cast<std::int64_t>(count);
  for (int i = 0; i < count; ++i) {
    const SolidPlace& one = table.solids[i];
    if (one.plane >= 0 || one.solid.isBall()) continue;
    if (one.balls == 0) return true;
    for (int j = 0; j < count; ++j, --left) {
      const SolidPlace& other = table.solids[j];
      if (left == 0) return true;
      if (i != j && !haveBallFeatures(one.solid.kind, other.solid.kind) && table.mayCollide(i, j)) return true;
    }
  }
  return false;
}

/// The shapes that move, by their trees.
void sortByTree(const Topology& topology, CollisionTable& table) {
  table.link_tree = topology.tree;
  table.all_trees.resize(topology.trees);
  std::iota(table.all_trees.begin(), table.all_trees.end(), 0);
  std::vector<int>& start = table.shapes_start;
  start.assign(topology.trees + 1, 0);
  const auto treeOf = [&](const SolidPlace& place) { return table.treeOf(place.link); };
  for (const SolidPlace& place : table.solids)
    if (const int tree = treeOf(place); tree >= 0) ++start[tree + 1];
  for (int tree = 0; tree < topology.trees; ++tree) start[tree + 1] += start[tree];
  table.shapes_of_tree.resize(start.back());
  std::vector<int> next(start.begin(), start.end() - 1);
  for (std::size_t i = 0; i < table.solids.size(); ++i)
    if (const int tree = treeOf(table.solids[i]); tree >= 0) table.shapes_of_tree[next[tree]++] = static_cast<int>(i);
}

/// A ball or an ellipsoid against anything has one contact, and nothing to choose.
bool hasBranches(const Solid& solid) { return !solid.isBall() && !solid.isWhole(); }

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
  for (const SpringSpec& spring : model.springs())
    for (const int body : {spring.body_1, spring.body_2})
      if (body >= 0 && model.placements()[body].link >= 0) round[model.placements()[body].link] = 0;
  return round;
}

}  // namespace

int PairLists::findSolidPair(int shape_1, int shape_2) const {
  const SolidPair pair{.shape = {shape_1, shape_2}};
  const auto found = std::lower_bound(solid_pairs.begin(), solid_pairs.end(), pair);
  return found != solid_pairs.end() && !(pair < *found) ? static_cast<int>(found - solid_pairs.begin()) : -1;
}

bool CollisionTable::mayBeSoft(int shape_1, int shape_2) const {
  const Solid &a = solids[shape_1].solid, &b = solids[shape_2].solid;
  return haveBallFeatures(a.kind, b.kind) || ((a.isBall() || b.isBall()) && !a.isSurface() && !b.isSurface());
}

void placeSolids(const CollisionTable& table, const LinkPoses& poses, std::vector<PlacedSolid>& solids) {
  if (!table.has_solids) return;
  solids.resize(table.solids.size());
  for (std::size_t i = 0; i < table.solids.size(); ++i)
    if (table.solids[i].solid.core) placeSolid(table.solids[i], poses, solids[i]);
}

void placeSolids(const CollisionTable& table, const LinkPoses& poses, std::span<const int> shapes,
                 std::vector<PlacedSolid>& solids) {
  if (!table.has_solids) return;
  for (const int shape : shapes) placeSolid(table.solids[shape], poses, solids[shape]);
}

CollisionTable makeCollisionTable(const Model& model) {
  CollisionTable table;
  table.model = model;
  const int count = static_cast<int>(model.shapes().size());
  table.solids.resize(count);
  for (int shape = 0; shape < count; ++shape) addSolid(model, shape, table);
  addMaterials(model, table);
  sortByTree(model.topology(), table);
  table.has_solids = hasSolids(table);
  table.round = findRoundLinks(model, table);
  return table;
}

void appendPairs(const CollisionTable& table, int shape_1, int shape_2, PairLists& lists) {
  const SolidPlace &a = table.solids[shape_1], &b = table.solids[shape_2];
  assert(b.plane < 0 && "a plane is the first of a pair, and two of them are none");
  const int material = a.material * table.materials + b.material;
  if (!haveBallFeatures(a.solid.kind, b.solid.kind)) {
    const bool branches = hasBranches(a.solid) && hasBranches(b.solid);
    const int surface = a.solid.isSurface() ? 0 : b.solid.isSurface() ? 1 : -1;
    lists.solid_pairs.push_back({{shape_1, shape_2}, {a.link, b.link}, material, branches, surface});
    return;
  }
  FeaturePair pair;
  pair.kind = a.plane >= 0 ? FeatureKind::kPlaneBall : FeatureKind::kBallBall;
  pair.shape[0] = shape_1, pair.shape[1] = shape_2;
  pair.link[0] = a.link, pair.link[1] = b.link;
  pair.material = material;
  for (int i = 0; i < (a.plane >= 0 ? 1 : a.balls); ++i)
    for (int j = 0; j < b.balls; ++j) {
      pair.id = makeFeaturePairId(shape_1, shape_2, pair.kind, i, j);
      pair.feature[0] = a.plane >= 0 ? a.plane : a.first_ball + i, pair.feature[1] = b.first_ball + j;
      lists.pairs.push_back(pair);
    }
}

}  // namespace rigor
