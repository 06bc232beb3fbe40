#include "model/collision_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "geometry/features.h"
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

/// The root of the tree that a body belongs to.
std::vector<int> treeRoots(const std::vector<BodySpec>& bodies) {
  std::vector<int> root(bodies.size());
  for (int i = 0; i < static_cast<int>(bodies.size()); ++i)
    root[i] = bodies[i].parent == kWorld ? i : root[bodies[i].parent];
  return root;
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

}  // namespace

CollisionRules::CollisionRules(const std::vector<BodySpec>& bodies, const std::vector<BodyPlacement>& placements,
                               const std::vector<ModelShape>& shapes, const CollisionFilter& filter)
    : self_collision_(filter.self_collision) {
  const std::vector<Candidate> candidates = listCandidates(bodies, shapes);
  const std::vector<int> group = rigidGroups(bodies), root = treeRoots(bodies);
  const ShapeSet colliding = collidingShapes(bodies, placements, candidates, filter.only);
  for (const auto& [a, b] : filter.excluded)
    excluded_.emplace_back(shapesNamed(a, bodies, candidates), shapesNamed(b, bodies, candidates));
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    ShapePlace& place = shapes_.emplace_back();
    place.collides = colliding[i];
    const int body = candidates[i].body;
    if (body == kWorld) continue;
    place.link = placements[body].link;
    place.group = group[body];
    const int parent = bodies[place.group].parent;
    place.parent_group = parent == kWorld ? kWorld : group[parent];
    place.root = root[body];
  }
}

bool CollisionRules::mayTouch(int i, int j) const {
  const ShapePlace &a = shapes_[i], &b = shapes_[j];
  if (!a.collides || !b.collides || a.link == b.link) return false;
  if (a.group != kWorld && b.group != kWorld) {
    if (a.group == b.group || a.parent_group == b.group || b.parent_group == a.group) return false;
    if (!self_collision_ && a.root == b.root) return false;
  }
  return std::none_of(excluded_.begin(), excluded_.end(), [&](const auto& sets) {
    return (sets.first[i] && sets.second[j]) || (sets.first[j] && sets.second[i]);
  });
}

std::vector<std::pair<int, int>> findMissingPairs(const CollisionRules& rules, const std::vector<ModelShape>& shapes) {
  // only kinds that lack contact code with some other are looked at; two planes lack it too, and never move
  const auto kindOf = [&](int shape) { return shapes[shape].shape.kind; };
  const auto lacks = [](ShapeKind a, ShapeKind b) {
    return !haveContactCode(a, b) && !(a == ShapeKind::kPlane && b == ShapeKind::kPlane);
  };
  std::set<ShapeKind> kinds;
  for (const ModelShape& shape : shapes) kinds.insert(shape.shape.kind);
  const auto lacksSome = [&](ShapeKind kind) {
    return std::any_of(kinds.begin(), kinds.end(), [&](ShapeKind other) { return lacks(kind, other); });
  };
  std::vector<int> lacking;
  for (int i = 0; i < static_cast<int>(shapes.size()); ++i)
    if (lacksSome(kindOf(i))) lacking.push_back(i);
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t i = 0; i < lacking.size(); ++i)
    for (std::size_t j = i + 1; j < lacking.size(); ++j)
      if (lacks(kindOf(lacking[i]), kindOf(lacking[j])) && rules.mayTouch(lacking[i], lacking[j]))
        pairs.emplace_back(lacking[i], lacking[j]);
  return pairs;
}

void warnOfMissingKinds(const CollisionRules& rules, const std::vector<ModelShape>& shapes,
                        std::vector<Warning>& warnings) {
  std::map<std::string, int> missing;
  for (const auto& [i, j] : findMissingPairs(rules, shapes)) {
    const auto [low, high] = std::minmax(shapes[i].shape.kind, shapes[j].shape.kind);
    ++missing[fmt::format("{}–{}", shapeKindName(low), shapeKindName(high))];
  }
  std::string list;  // e.g. "box–box (3), box–capsule (12)"
  for (const auto& [kinds, count] : missing) list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", kinds, count);
  if (!list.empty())
    warnings.push_back({{}, "pairs of shapes without contact code would pass through each other: " + list, true});
}

std::vector<MissingShape> findMissingShapes(const CollisionRules& rules, const std::vector<BodySpec>& bodies,
                                            int known_shapes) {
  std::vector<MissingShape> missing;
  int candidate = known_shapes;
  for (const BodySpec& body : bodies)
    for (const MissingShape& shape : body.missing_shapes) {
      bool met = false;
      for (int other = 0; other < rules.shapes() && !met; ++other)
        met = other != candidate && rules.mayTouch(std::min(other, candidate), std::max(other, candidate));
      if (met) missing.push_back(shape);
      ++candidate;
    }
  return missing;
}

}  // namespace rigor
