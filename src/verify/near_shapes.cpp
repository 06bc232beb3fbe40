#include "verify/near_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rigor::verify {
namespace {

/// A box around a shape and its way; the axis of the sweep is the first of the three.
struct Reach {
  int shape = 0;
  std::array<Real, 3> centre;
  Real half = 0;

  Real low(int axis) const { return centre[axis] - half; }
  Real high(int axis) const { return centre[axis] + half; }
};

bool overlapAlong(int axis, const Reach& a, const Reach& b) {
  return a.low(axis) <= b.high(axis) && b.low(axis) <= a.high(axis);
}

/// The axis along which the centres lie farthest from their mean: there the fewest boxes are beside each other.
int axisOfSpread(const std::vector<Reach>& reaches) {
  int widest = 0;
  Real most = -1;
  for (int axis = 0; axis < 3; ++axis) {
    Real mean = 0, spread = 0;
    for (const Reach& reach : reaches) mean += reach.centre[axis] / static_cast<Real>(reaches.size());
    for (const Reach& reach : reaches) spread += (reach.centre[axis] - mean) * (reach.centre[axis] - mean);
    if (spread > most) most = spread, widest = axis;
  }
  return widest;
}

}  // namespace

Real wayBetween(const Solid& solid, const Pose& from, const Pose& to) {
  if (solid.kind == SolidKind::kHalfSpace) return 0;
  const Real turned = solid.isBall() ? 0 : norm(turnBetween(from.R, to.R)) * solid.bound;
  return norm(to.p - from.p) + turned;
}

Real wayOfAnyPoint(const Solid& solid, const Motion& from, const Motion& to) {
  return wayBetween(solid, frameOf(from, solid.body) * solid.frame, frameOf(to, solid.body) * solid.frame);
}

std::vector<ShapePair> findNearShapes(const World& world, const Motion& from, const Motion& to, const Reals& ways) {
  std::vector<Reach> reaches;
  std::vector<int> anywhere;  // half spaces, and what is not at a place: that is near everything
  const int shapes = static_cast<int>(world.solids.size());
  for (int shape = 0; shape < shapes; ++shape) {
    const Solid& solid = world.solids[shape];
    const Real way = ways.empty() ? wayOfAnyPoint(solid, from, to) : ways[shape];
    const Vec centre = (frameOf(from, solid.body) * solid.frame).p;
    const Real reach = solid.bound + way, half = reach + 1e-15L * (sumOfSizes(centre) + reach);  // rounding
    if (solid.kind == SolidKind::kHalfSpace || !std::isfinite(sumOfSizes(centre) + half))
      anywhere.push_back(shape);
    else
      reaches.push_back({shape, {centre.x, centre.y, centre.z}, half});
  }
  const int along = axisOfSpread(reaches), across = (along + 1) % 3, beside = (along + 2) % 3;
  std::sort(reaches.begin(), reaches.end(),
            [&](const Reach& a, const Reach& b) { return a.low(along) < b.low(along); });
  std::vector<ShapePair> near;
  const auto add = [&](int a, int b) {
    if (const std::optional<ShapePair> pair = world.pairOf(a, b)) near.push_back(*pair);
  };
  for (std::size_t i = 0; i < reaches.size(); ++i)
    for (std::size_t k = i + 1; k < reaches.size() && reaches[k].low(along) <= reaches[i].high(along); ++k)
      if (overlapAlong(across, reaches[i], reaches[k]) && overlapAlong(beside, reaches[i], reaches[k]))
        add(reaches[i].shape, reaches[k].shape);
  for (std::size_t i = 0; i < anywhere.size(); ++i) {
    for (const Reach& reach : reaches) add(anywhere[i], reach.shape);
    for (std::size_t k = i + 1; k < anywhere.size(); ++k) add(anywhere[i], anywhere[k]);
  }
  std::sort(near.begin(), near.end(), [](const ShapePair& a, const ShapePair& b) {
    return std::pair(a.shape_1, a.shape_2) < std::pair(b.shape_1, b.shape_2);
  });
  return near;
}

}  // namespace rigor::verify
