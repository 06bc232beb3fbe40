#include "verify/near_shapes.h"

#include <algorithm>

namespace rigor::verify {
namespace {

struct Reach {
  int shape = 0;
  Vec low, high;
};

bool overlap(const Reach& a, const Reach& b) {
  return a.low.y <= b.high.y && b.low.y <= a.high.y && a.low.z <= b.high.z && b.low.z <= a.high.z;
}

}  // namespace

Real wayOfAnyPoint(const Solid& solid, const Motion& from, const Motion& to) {
  if (solid.kind == SolidKind::kHalfSpace) return 0;
  const Pose a = frameOf(from, solid.body) * solid.frame, b = frameOf(to, solid.body) * solid.frame;
  const bool ball = solid.kind == SolidKind::kGrown && solid.corners.size() == 1;
  return norm(b.p - a.p) + (ball ? 0 : norm(turnBetween(a.R, b.R)) * solid.bound);
}

std::vector<ShapePair> findNearShapes(const World& world, const Motion& from, const Motion& to, const Reals& ways) {
  std::vector<Reach> reaches;
  std::vector<int> half_spaces;
  const int shapes = static_cast<int>(world.solids.size());
  for (int shape = 0; shape < shapes; ++shape) {
    const Solid& solid = world.solids[shape];
    if (solid.kind == SolidKind::kHalfSpace) {
      half_spaces.push_back(shape);
      continue;
    }
    const Real way = ways.empty() ? wayOfAnyPoint(solid, from, to) : ways[shape];
    const Vec centre = (frameOf(from, solid.body) * solid.frame).p;
    const Real reach = solid.bound + way, rounding = 1e-15L * (sumOfSizes(centre) + reach);
    const Vec half{reach + rounding, reach + rounding, reach + rounding};
    reaches.push_back({shape, centre - half, centre + half});
  }
  std::sort(reaches.begin(), reaches.end(), [](const Reach& a, const Reach& b) { return a.low.x < b.low.x; });
  std::vector<ShapePair> near;
  const auto add = [&](int a, int b) {
    if (const std::optional<ShapePair> pair = world.pairOf(a, b)) near.push_back(*pair);
  };
  for (std::size_t i = 0; i < reaches.size(); ++i)
    for (std::size_t k = i + 1; k < reaches.size() && !(reaches[k].low.x > reaches[i].high.x); ++k)
      if (overlap(reaches[i], reaches[k])) add(reaches[i].shape, reaches[k].shape);
  for (const int plane : half_spaces)
    for (int shape = 0; shape < shapes; ++shape)
      if (shape != plane) add(plane, shape);
  std::sort(near.begin(), near.end(), [](const ShapePair& a, const ShapePair& b) {
    return std::pair(a.shape_1, a.shape_2) < std::pair(b.shape_1, b.shape_2);
  });
  return near;
}

}  // namespace rigor::verify
