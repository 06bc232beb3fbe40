// The shapes of a header: what they touch with, which of them may touch, and the names of their contacts.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "verify/world.h"

namespace rigor::verify {
namespace {

/// Names of contacts, as docs/formats.md tells them.
RowId contactId(const Pair& pair, std::uint64_t i, std::uint64_t j) {
  const auto a = static_cast<std::uint64_t>(pair.shape_1), b = static_cast<std::uint64_t>(pair.shape_2);
  return {a << 34 | b << 8 | static_cast<std::uint64_t>(pair.kind), i << 32 | j};
}

/// Corners grown by the radius, in the body.
std::vector<Ball> ballsOf(const Solid& solid) {
  std::vector<Ball> balls;
  for (const Vec& corner : solid.corners)
    balls.push_back({solid.body, solid.frame.p + solid.frame.R * corner, solid.radius});
  return balls;
}

/// A plane and corners, or two balls: the first is a plane if one of them is.
bool consistOfBalls(const Solid& a, const Solid& b) {
  return b.kind == SolidKind::kGrown && (a.kind == SolidKind::kHalfSpace || (a.isBall() && b.isBall()));
}

Pair startPair(const World& world, const ShapePair& shapes) {
  Pair pair;
  pair.shape_1 = shapes.shape_1, pair.shape_2 = shapes.shape_2;
  pair.body_1 = world.shape_body[pair.shape_1], pair.body_2 = world.shape_body[pair.shape_2];
  pair.surface = shapes.surface;
  // which features of two solids touch is known only where they do not overlap: just balls and planes are soft
  const Solid &a = world.solids[pair.shape_1], &b = world.solids[pair.shape_2];
  const bool surface = a.kind == SolidKind::kSurface || b.kind == SolidKind::kSurface;
  if (!consistOfBalls(a, b) && !((a.isBall() || b.isBall()) && !surface)) pair.surface.compliance = 0;
  return pair;
}

bool hasElement(std::uint64_t number, const Solid& solid) {
  const std::uint64_t index = number & ((1u << kElementBits) - 1);
  switch (number >> kElementBits) {
    case 0:
      return index < solid.corners.size();
    case 1:
      return index < solid.edges.size();
    case 2:
      return index < static_cast<std::uint64_t>(solid.discs());
    case 3:
      return solid.kind == SolidKind::kCone && index == 0;
    default:
      return number >> kElementBits == 4 && solid.kind == SolidKind::kEllipsoid && index == 0;
  }
}

bool hasCrossing(std::uint64_t number, const Solid& solid) {
  if ((number & kRim) != 0)
    return (number & ~std::uint64_t{kRim | kSecondCrossing}) < static_cast<std::uint64_t>(solid.discs());
  if (number == kSideOfCone) return solid.kind == SolidKind::kCone;
  return number < solid.edges.size();
}

bool hasCorner(std::uint64_t number, const Solid& solid) {
  if (number < kEdgePoint) return number < solid.corners.size();
  const std::uint64_t edges = solid.kind == SolidKind::kCone ? 1 : solid.edges.size();  // of a cone its side
  if (number < kRimPoint) return static_cast<std::uint64_t>(edgeOfPoint(static_cast<int>(number))) < edges;
  return number >> 29 < (kRimPoint >> 29) + static_cast<std::uint64_t>(solid.discs());
}

/// True if a side has the feature that a contact of this kind names.
bool hasFeature(FeatureKind kind, int side, std::uint64_t number, const Pair& pair) {
  using Kind = FeatureKind;
  const Solid &solid = side == 0 ? *pair.solid_1 : *pair.solid_2, &other = side == 0 ? *pair.solid_2 : *pair.solid_1;
  const auto isOn = [&](Kind first, Kind second) { return kind == (side == 0 ? first : second); };
  if (kind == Kind::kEdges || kind == Kind::kEdgesBack) return number < solid.edges.size();
  if (isOn(Kind::kFaceVertex, Kind::kVertexFace) || isOn(Kind::kFaceRim, Kind::kRimFace))
    return number < static_cast<std::uint64_t>(solid.faceCount());
  if (isOn(Kind::kVertexFace, Kind::kFaceVertex))
    return hasCorner(number, solid) && (number < kEdgePoint || number >= kRimPoint);
  if (isOn(Kind::kRimFace, Kind::kFaceRim)) return number < static_cast<std::uint64_t>(solid.discs());
  if (isOn(Kind::kEdgeVertex, Kind::kVertexEdge))
    return number < (solid.kind == SolidKind::kCone ? 1 : solid.edges.size());
  const bool surface = solid.kind == SolidKind::kSurface;
  if (isOn(Kind::kSolidBall, Kind::kBallSolid)) return number < (surface ? solid.faces.size() : 1);
  if (kind == Kind::kCrossing) return hasCrossing(number, solid);
  const bool ellipsoid = solid.kind == SolidKind::kEllipsoid || other.kind == SolidKind::kEllipsoid;
  if (kind == Kind::kWhole) return ellipsoid ? number < (surface ? solid.faces.size() : 1) : hasElement(number, solid);
  if (kind == Kind::kVertexEdge || kind == Kind::kEdgeVertex) return hasCorner(number, solid);
  return number < solid.corners.size();
}

/// Sorts runs and joins those that share a number or follow each other, so that the last one that begins before a number tells
/// whether it is in any.
void mergeRuns(std::vector<World::Run>& runs) {
  std::sort(runs.begin(), runs.end(), [](const World::Run& x, const World::Run& y) { return x.first < y.first; });
  std::vector<World::Run> merged;
  for (const World::Run& run : runs) {
    if (!merged.empty() && run.first <= merged.back().last + 1)
      merged.back().last = std::max(merged.back().last, run.last);
    else
      merged.push_back(run);
  }
  runs = std::move(merged);
}

}  // namespace

void readShapes(const Json& model, World& world) {
  const Json none = Json::array(), &polytopes = model.contains("polytopes") ? model.at("polytopes") : none;
  const int bodies = static_cast<int>(world.bodies.size());
  world.materials.read(model.at("materials"));
  for (const Json& item : model.at("shapes")) {
    world.solids.push_back(readSolid(item, polytopes));
    const int body = world.solids.back().body;
    if (body < kWorldBody || body >= bodies) failHeader(fmt::format("there is no body {}", body));
    world.shapes.push_back(item.at("name").get<std::string>());
    world.shape_body.push_back(body);
    world.shape_material.push_back(world.materials.numberOf(item.at("material").get<std::string>()));
  }
  const int shapes = static_cast<int>(world.solids.size());
  world.partners.resize(shapes);
  for (const Json& item : model.at("pairs")) {
    const int a = item.at(0).get<int>(), first = item.at(1).get<int>(), last = item.back().get<int>();
    if (a < 0 || first < 0 || a >= shapes || last < first || last >= shapes)
      failHeader("a pair of shapes names a shape that is not there");
    if (first < a)  // old recordings name a plane first, and one shape with it
      for (int b = first; b <= last; ++b) world.partners[std::min(a, b)].push_back({std::max(a, b), std::max(a, b)});
    else
      world.partners[a].push_back({first, last});
  }
  for (std::vector<World::Run>& runs : world.partners) mergeRuns(runs);
}

std::optional<ShapePair> World::pairOf(int shape_a, int shape_b) const {
  const int a = std::min(shape_a, shape_b), b = std::max(shape_a, shape_b);
  const auto after = std::upper_bound(partners[a].begin(), partners[a].end(), b,
                                      [](int shape, const Run& run) { return shape < run.first; });
  if (after == partners[a].begin() || std::prev(after)->last < b) return {};
  const bool swap = solids[b].kind == SolidKind::kHalfSpace;
  const int first = swap ? b : a, second = swap ? a : b;
  return ShapePair{first, second, materials.between(shape_material[first], shape_material[second])};
}

std::vector<Pair> World::ballPairsOf(const ShapePair& shapes) const {
  const Solid &a = solids[shapes.shape_1], &b = solids[shapes.shape_2];
  const bool plane = a.kind == SolidKind::kHalfSpace;
  if (!consistOfBalls(a, b)) return {};
  std::vector<Pair> pairs;
  Pair pair = startPair(*this, shapes);
  pair.kind = plane ? FeatureKind::kPlaneBall : FeatureKind::kBallBall;
  pair.plane_frame = a.frame;
  const std::vector<Ball> balls_1 = plane ? std::vector<Ball>(1) : ballsOf(a), balls_2 = ballsOf(b);
  for (std::size_t i = 0; i < balls_1.size(); ++i)
    for (std::size_t j = 0; j < balls_2.size(); ++j) {
      pair.id = contactId(pair, i, j);
      pair.ball_1 = balls_1[i], pair.ball_2 = balls_2[j];
      pairs.push_back(pair);
    }
  return pairs;
}

std::optional<Pair> World::findPair(const RowId& id) const {
  const std::uint64_t kind = id.high & 0xff, first = id.high >> 34, second = id.high >> 8 & 0x3ffffff;
  if (first >= solids.size() || second >= solids.size() || first == second) return {};
  const std::optional<ShapePair> found = pairOf(static_cast<int>(first), static_cast<int>(second));
  if (!found || found->shape_1 != static_cast<int>(first)) return {};
  if (kind < static_cast<std::uint64_t>(FeatureKind::kFaceVertex))
    for (const Pair& pair : ballPairsOf(*found))
      if (pair.id == id) return pair;
  if (kind < static_cast<std::uint64_t>(FeatureKind::kFaceVertex) ||
      kind > static_cast<std::uint64_t>(FeatureKind::kWhole))
    return {};
  Pair pair = startPair(*this, *found);
  pair.id = id;
  pair.kind = static_cast<FeatureKind>(kind);
  pair.solid_1 = &solids[pair.shape_1], pair.solid_2 = &solids[pair.shape_2];
  const std::uint64_t feature_1 = id.low >> 32, feature_2 = id.low & 0xffffffff;
  const bool there = hasFeature(pair.kind, 0, feature_1, pair) && hasFeature(pair.kind, 1, feature_2, pair);
  pair.feature_1 = static_cast<int>(feature_1), pair.feature_2 = static_cast<int>(feature_2);
  return there ? std::optional(pair) : std::nullopt;
}

}  // namespace rigor::verify
