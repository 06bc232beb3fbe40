#include "model/collision_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "geometry/shape_check.h"
#include "text/nearest.h"

namespace rigor {
namespace {

using ShapeSet = std::vector<bool>;  ///< [candidates]

/// Whatever could touch: the shapes of the model, then those that were left out of it.
struct Candidate {
  std::string name;
  int body = kWorld;
};

std::vector<Candidate> listCandidates(const std::vector<BodySpec>& bodies, const std::vector<ModelShape>& shapes) {
  std::vector<Candidate> candidates;
  for (const ModelShape& shape : shapes) candidates.push_back({shape.name, shape.body});
  for (int body = 0; body < static_cast<int>(bodies.size()); ++body)
    for (const MissingShape& shape : bodies[body].missing_shapes) candidates.push_back({shape.name, body});
  return candidates;
}

/// The body that a rigid group of bodies is named after: its topmost one. Groups that are both fixed to the world stay
/// apart, so that the first link of an arm does not collide with the pedestal it is mounted on.
std::vector<int> rigidGroups(const std::vector<BodySpec>& bodies) {
  std::vector<int> group(bodies.size());
  for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
    const bool joined = bodies[i].joint.type == kFixed && bodies[i].parent != kWorld;
    group[i] = joined ? group[bodies[i].parent] : i;
  }
  return group;
}

bool areNeighbours(int group_1, int group_2, const std::vector<BodySpec>& bodies, const std::vector<int>& group) {
  const auto hangsOn = [&](int child, int parent) {
    return bodies[child].parent != kWorld && group[bodies[child].parent] == parent;
  };
  return group_1 == group_2 || hangsOn(group_1, group_2) || hangsOn(group_2, group_1);
}

/// The root of the tree that a body belongs to.
std::vector<int> treeRoots(const std::vector<BodySpec>& bodies) {
  std::vector<int> root(bodies.size());
  for (int i = 0; i < static_cast<int>(bodies.size()); ++i)
    root[i] = bodies[i].parent == kWorld ? i : root[bodies[i].parent];
  return root;
}

bool haveContactCode(ShapeKind kind_1, ShapeKind kind_2) {
  if (kind_1 == ShapeKind::kPlane) return kind_2 != ShapeKind::kPlane;
  return kind_1 == ShapeKind::kSphere && kind_2 == ShapeKind::kSphere;
}

/// Shapes that a name means: a shape, all shapes of a body, or "world" for what is attached to the world itself.
ShapeSet shapesNamed(const std::string& name, const std::vector<BodySpec>& bodies,
                     const std::vector<Candidate>& shapes) {
  ShapeSet set(shapes.size(), false);
  bool known = name == "world";
  for (const BodySpec& body : bodies) known = known || (!name.empty() && body.name == name);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const std::string& body = shapes[i].body == kWorld ? "world" : bodies[shapes[i].body].name;
    set[i] = !name.empty() && (shapes[i].name == name || body == name);
    known = known || set[i];
  }
  if (known) return set;

  std::vector<std::string> names;
  for (const BodySpec& body : bodies) names.push_back(body.name);
  for (const Candidate& shape : shapes) names.push_back(shape.name);
  throw Error(fmt::format("collisions: no body or shape is called \"{}\"", name), suggestName(name, names));
}

/// What collideOnly leaves: the named shapes and all that cannot move.
ShapeSet collidingShapes(const std::vector<BodySpec>& bodies, const std::vector<BodyPlacement>& placements,
                         const std::vector<Candidate>& shapes, const std::vector<std::string>& only) {
  if (only.empty()) return ShapeSet(shapes.size(), true);
  ShapeSet colliding(shapes.size(), false);
  for (const std::string& name : only) {
    const ShapeSet named = shapesNamed(name, bodies, shapes);
    for (std::size_t i = 0; i < shapes.size(); ++i) colliding[i] = colliding[i] || named[i];
  }
  for (std::size_t i = 0; i < shapes.size(); ++i)
    if (shapes[i].body == kWorld || placements[shapes[i].body].link == kWorld) colliding[i] = true;
  return colliding;
}

/// One line for all pairs that were left out, e.g. "box–box (3), box–capsule (12)".
void warnOfMissingKinds(const std::map<std::string, int>& missing, std::vector<Warning>& warnings) {
  std::string list;
  for (const auto& [kinds, count] : missing) list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", kinds, count);
  if (!list.empty())
    warnings.push_back({{}, "pairs of shapes without contact code would pass through each other: " + list, true});
}

}  // namespace

CollisionPairs findCollisionPairs(const std::vector<BodySpec>& bodies, const std::vector<BodyPlacement>& placements,
                                  const std::vector<ModelShape>& shapes, const CollisionFilter& filter,
                                  std::vector<Warning>& warnings) {
  const std::vector<Candidate> candidates = listCandidates(bodies, shapes);
  const std::vector<int> group = rigidGroups(bodies), root = treeRoots(bodies);
  const ShapeSet colliding = collidingShapes(bodies, placements, candidates, filter.only);
  std::vector<std::pair<ShapeSet, ShapeSet>> excluded;
  for (const auto& [a, b] : filter.excluded)
    excluded.emplace_back(shapesNamed(a, bodies, candidates), shapesNamed(b, bodies, candidates));

  const auto link = [&](int i) { return candidates[i].body == kWorld ? kWorld : placements[candidates[i].body].link; };
  const auto mayTouch = [&](int i, int j) {
    if (!colliding[i] || !colliding[j] || link(i) == link(j)) return false;
    const int body_i = candidates[i].body, body_j = candidates[j].body;
    if (body_i != kWorld && body_j != kWorld) {
      if (areNeighbours(group[body_i], group[body_j], bodies, group)) return false;
      if (!filter.self_collision && root[body_i] == root[body_j]) return false;
    }
    return std::none_of(excluded.begin(), excluded.end(), [&](const auto& sets) {
      return (sets.first[i] && sets.second[j]) || (sets.first[j] && sets.second[i]);
    });
  };

  CollisionPairs pairs;
  std::map<std::string, int> missing;
  ShapeSet met(candidates.size(), false);
  const int known = static_cast<int>(shapes.size());
  for (int i = 0; i < static_cast<int>(candidates.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(candidates.size()); ++j) {
      if ((j >= known && met[i] && met[j]) || !mayTouch(i, j)) continue;
      met[i] = met[j] = true;
      if (j >= known) continue;
      const bool swap = shapes[j].shape.kind == ShapeKind::kPlane;
      const auto [first, second] = swap ? std::pair(j, i) : std::pair(i, j);
      const ShapeKind kind_1 = shapes[first].shape.kind, kind_2 = shapes[second].shape.kind;
      if (haveContactCode(kind_1, kind_2)) {
        pairs.colliding.emplace_back(first, second);
      } else {
        pairs.missing.emplace_back(first, second);
        const auto [low, high] = std::minmax(kind_1, kind_2);
        ++missing[fmt::format("{}–{}", shapeKindName(low), shapeKindName(high))];
      }
    }
  warnOfMissingKinds(missing, warnings);
  int candidate = known;
  for (const BodySpec& body : bodies)
    for (const MissingShape& shape : body.missing_shapes)
      if (met[candidate++]) pairs.missing_shapes.push_back(shape);
  return pairs;
}

}  // namespace rigor
