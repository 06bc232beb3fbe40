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

/// Whatever could touch: the shapes of the model, then those that were left out of it.
struct Candidate {
  std::string name;
  int body = kWorld;
  std::uint32_t group = 1, mask = ~0u;
};

std::vector<Candidate> listCandidates(const std::vector<BodySpec>& bodies, const std::vector<ModelShape>& shapes) {
  std::vector<Candidate> candidates;
  for (const ModelShape& shape : shapes) candidates.push_back({shape.name, shape.body, shape.group, shape.mask});
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

/// Numbers for all names of bodies and shapes: a name means a shape, all shapes of a body, or "world" for what is attached to
/// the world itself.
class Names {
 public:
  Names(const std::vector<BodySpec>& bodies, const std::vector<Candidate>& shapes) {
    add("world");
    for (const BodySpec& body : bodies) add(body.name);
    for (const Candidate& shape : shapes) add(shape.name);
  }
  /// Of a name that a shape or body has; none is called "".
  int numberOf(const std::string& name) const { return name.empty() ? kNobody : numbers_.at(name); }
  /// Of a name that a user wrote.
  int find(const std::string& name, const Place& where) const {
    if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [one, number] : numbers_) known.push_back(one);
    throw Error(where, fmt::format("collisions: no body or shape is called \"{}\"", name), suggestName(name, known));
  }
  std::vector<std::pair<int, int>> findAll(const std::vector<CollisionFilter::Pair>& pairs) const {
    std::vector<std::pair<int, int>> all;
    for (const auto& [a, b, where] : pairs) {
      const int first = find(a, where), second = find(b, where);
      all.emplace_back(std::min(first, second), std::max(first, second));
    }
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  static constexpr int kNobody = -1;
  void add(const std::string& name) {
    if (!name.empty()) numbers_.emplace(name, static_cast<int>(numbers_.size()));
  }
  std::map<std::string, int> numbers_;
};

}  // namespace

CollisionRules::CollisionRules(const std::vector<BodySpec>& bodies, const std::vector<BodyPlacement>& placements,
                               const std::vector<ModelShape>& shapes, const CollisionFilter& filter)
    : self_collision_(filter.self_collision) {
  const std::vector<Candidate> candidates = listCandidates(bodies, shapes);
  const std::vector<int> group = rigidGroups(bodies), root = treeRoots(bodies);
  const Names names(bodies, candidates);
  excluded_ = names.findAll(filter.excluded);
  paired_ = names.findAll(filter.paired);
  std::set<int> only;
  for (const auto& [name, where] : filter.only) only.insert(names.find(name, where));
  for (const Candidate& candidate : candidates) {
    ShapePlace& place = shapes_.emplace_back();
    const int body = candidate.body;
    place.name = names.numberOf(candidate.name);
    place.body_name = names.numberOf(body == kWorld ? "world" : bodies[body].name);
    place.wanted_as = candidate.group, place.wants = candidate.mask;
    if (body != kWorld) {
      place.link = placements[body].link;
      place.group = group[body];
      const int parent = bodies[place.group].parent;
      place.parent_group = parent == kWorld ? kWorld : group[parent];
      place.root = root[body];
      place.movable = place.link != kWorld && !bodies[place.root].kinematic;
    }
    place.collides = filter.all || !place.movable || only.count(place.name) > 0 || only.count(place.body_name) > 0;
  }
}

bool CollisionRules::isNamed(const NamePairs& pairs, const ShapePlace& a, const ShapePlace& b) {
  if (pairs.empty()) return false;
  for (const int i : {a.name, a.body_name})
    for (const int j : {b.name, b.body_name})
      if (std::binary_search(pairs.begin(), pairs.end(), std::pair(std::min(i, j), std::max(i, j)))) return true;
  return false;
}

bool CollisionRules::mayTouch(int i, int j) const {
  const ShapePlace &a = shapes_[i], &b = shapes_[j];
  if (a.link == b.link || (!a.movable && !b.movable) || isNamed(excluded_, a, b)) return false;
  if (isNamed(paired_, a, b)) return true;
  if (!a.collides || !b.collides || !(a.wanted_as & b.wants) || !(b.wanted_as & a.wants)) return false;
  if (a.group == kWorld || b.group == kWorld) return true;
  if (a.group == b.group || a.parent_group == b.group || b.parent_group == a.group) return false;
  return self_collision_ || a.root != b.root;
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
    warnings.push_back({{},
                        "pairs of shapes without contact code would pass through each other: " + list,
                        true,
                        WarningKind::kNoContactCode});
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
