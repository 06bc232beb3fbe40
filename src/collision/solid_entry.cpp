// Which way two solids came into each other.
#include <algorithm>
#include <cmath>

#include "collision/solid_pair.h"
#include "geometry/time_of_impact.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr double kFast = 0.2;  // of the thinner solid: who moves less cannot pass through

/// When a direction stopped to separate, as a share of the way; −1 if it did not even at the start.
struct Entry {
  Branch branch;
  double share = -1.0, distance = 0.0;  ///< at the end
};

Entry enter(const MovedPair& moved, const Branch& branch) {
  const double before =
      separationAlong(normalAt(branch, moved.from.a, moved.from.b), moved.from.a.view(), moved.from.b.view());
  const double after = separationAlong(normalAt(branch, moved.a, moved.b), moved.a.view(), moved.b.view());
  if (before < -kEntered) return {branch, -1.0, after};
  return {branch, before > 0.0 && before > after ? before / (before - after) : 0.0, after};
}

/// How far turning takes the points of a solid, about [m]: |R′ − R| is √2 times the angle.
double swing(const PlacedSolid& from, const PlacedSolid& to, double bound) {
  if (from.solid->isBall()) return 0.0;
  const Vec x = to.X_WS.R.x - from.X_WS.R.x, y = to.X_WS.R.y - from.X_WS.R.y, z = to.X_WS.R.z - from.X_WS.R.z;
  return bound * std::sqrt(0.5 * (dot(x, x) + dot(y, y) + dot(z, z)));
}

}  // namespace

Branch faceOfTriangle(const PairView& view) {
  const int side = view.part->side;
  const PlacedSolid& piece = side == 0 ? view.a : view.b;
  const auto heightOver = [&](double sign) {  // of the other solid over the front, or over the back
    const Vec n = sign * piece.normal(0);
    return separationAlong(side == 0 ? n : -n, view.a.view(), view.b.view());
  };
  const int face = view.part->surface->two_sided && heightOver(-1.0) > heightOver(1.0) ? 1 : 0;
  Branch branch{
      side == 0 ? AxisKind::kFace1 : AxisKind::kFace2, {-1, -1}, (side == 0 ? 1.0 : -1.0) * piece.normal(face)};
  branch.feature[side] = face;
  return branch;
}

bool comeNear(const SolidStep& step, const MovedPair& moved) {
  const SolidPair& pair = moved.from.pair;
  const double reach = step.table.solids[pair.shape[0]].bound + step.table.solids[pair.shape[1]].bound;
  if (moved.a.solid->isPlane())
    return dot(moved.a.normal(0), moved.b.X_WS.p - moved.a.X_WS.p) <= step.table.solids[pair.shape[1]].bound;
  const Vec first = moved.from.b.X_WS.p - moved.from.a.X_WS.p, last = moved.b.X_WS.p - moved.a.X_WS.p;
  const Vec line = last - first;
  const double length = dot(line, line);
  const double share = length > 0.0 ? std::clamp(-dot(first, line) / length, 0.0, 1.0) : 0.0;
  const Vec nearest = first + share * line;
  return dot(nearest, nearest) <= reach * reach;
}

bool isFast(const SolidStep& step, const MovedPair& moved) {
  const SolidPair& pair = moved.from.pair;
  if (moved.a.solid->isPlane()) return false;
  const Vec shift = (moved.b.X_WS.p - moved.from.b.X_WS.p) - (moved.a.X_WS.p - moved.from.a.X_WS.p);
  const double way = norm(shift) + swing(moved.from.shape_a, moved.shape_a, step.table.solids[pair.shape[0]].bound) +
                     swing(moved.from.shape_b, moved.shape_b, step.table.solids[pair.shape[1]].bound);
  double thin = std::min(step.table.solids[pair.shape[0]].thickness, step.table.solids[pair.shape[1]].thickness);
  if (pair.surface >= 0) thin = step.table.solids[pair.shape[1 - pair.surface]].thickness;
  return way > kFast * thin;
}

bool separatedBefore(const MovedPair& moved, const Branch& branch) { return enter(moved, branch).share >= 0.0; }

Branch chooseEntered(const MovedPair& moved, const Separation& end, bool went_through) {
  if (!went_through && end.distance > -kEntered) return branchOf(end);  // a seam, flush to rounding
  if (moved.a.solid->isPlane()) return branchOf(end);
  findStart(moved.from);
  Entry best = enter(moved, moved.from.state.start);
  const auto consider = [&](const Branch& branch) {
    const Entry entry = enter(moved, branch);
    const bool later = entry.share > best.share + 1e-12;
    if (later || (entry.share >= best.share - 1e-12 && entry.distance > best.distance)) best = entry;
  };
  if (!went_through) consider(branchOf(end));
  const TimeOfImpact impact = findTimeOfImpact(moved.from.a, moved.a, moved.from.b, moved.b);
  if (impact.meets && impact.share > 0.0) consider(branchOf(impact.separation));
  return best.branch;
}

}  // namespace rigor
