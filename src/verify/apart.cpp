#include "verify/apart.h"

#include <algorithm>
#include <array>

namespace rigor::verify {
namespace {

constexpr int kMostTries = 60;  // polytopes end before; round ones come near enough to know a direction
constexpr Real kNoBound = std::numeric_limits<Real>::infinity();

bool isConvex(const PlacedSolid& solid) { return solid.solid->kind == SolidKind::kGrown || solid.solid->isRound(); }

/// The point of a solid, without the radius of a core, that lies farthest along n.
Vec farthest(const PlacedSolid& placed, const Vec& n) {
  const Vec &s = placed.solid->size, local = transpose(placed.X.R) * n;
  if (placed.solid->kind == SolidKind::kGrown)
    return *std::max_element(placed.corners.begin(), placed.corners.end(),
                             [&](const Vec& a, const Vec& b) { return dot(n, a) < dot(n, b); });
  if (placed.solid->kind == SolidKind::kEllipsoid) {
    const Vec scaled{s.x * local.x, s.y * local.y, s.z * local.z};
    const Real length = norm(scaled);
    return placed.X.p + placed.X.R * ((1 / length) * Vec{s.x * scaled.x, s.y * scaled.y, s.z * scaled.z});
  }
  const Real across = std::sqrt(local.x * local.x + local.y * local.y), share = across > 0 ? s.x / across : 0;
  Vec point{share * local.x, share * local.y, local.z < 0 ? -s.y : s.y};
  if (placed.solid->kind == SolidKind::kCone) {
    point.z = -s.y;
    if (s.x * across - s.y * local.z < s.y * local.z) point = {0, 0, s.y};  // the apex
  }
  return placed.X.p + placed.X.R * point;
}

/// Up to four points and the point of their hull that is nearest to zero.
struct Simplex {
  std::array<Vec, 4> points;
  int count = 0;
  Vec nearest;

  void add(const Vec& point) { points[count++] = point, reduce(); }

 private:
  /// The point of the hull of some of them that is nearest to zero, if it needs all of them: Σ tᵢ pᵢ with positive tᵢ.
  bool nearestOf(const std::array<int, 4>& chosen, int size, Vec& point) const {
    // (pᵢ − p₀)·(p₀ + Σ tⱼ (pⱼ − p₀)) = 0 for i > 0
    Vec edge[3];
    Real A[3][4] = {}, t[3] = {};
    const Vec& first = points[chosen[0]];
    for (int i = 0; i + 1 < size; ++i) edge[i] = points[chosen[i + 1]] - first;
    for (int i = 0; i + 1 < size; ++i) {
      for (int j = 0; j + 1 < size; ++j) A[i][j] = dot(edge[i], edge[j]);
      A[i][3] = -dot(edge[i], first);
    }
    for (int k = 0; k + 1 < size; ++k) {  // positive definite unless the points are dependent
      if (!(A[k][k] > 0)) return false;
      for (int i = k + 1; i + 1 < size; ++i)
        for (int j = 3; j >= k; --j) A[i][j] -= A[i][k] / A[k][k] * A[k][j];
    }
    Real rest = 1;
    point = first;
    for (int k = size - 2; k >= 0; --k) {
      t[k] = A[k][3];
      for (int j = k + 1; j + 1 < size; ++j) t[k] -= A[k][j] * t[j];
      t[k] /= A[k][k];
      if (!(t[k] > 0)) return false;
      rest -= t[k], point = point + t[k] * edge[k];
    }
    return rest > 0;
  }

  /// Keeps those that the nearest point needs.
  void reduce() {
    Real least = kNoBound;
    std::array<int, 4> best{};
    int best_size = 0;
    for (int mask = 1; mask < 1 << count; ++mask) {
      std::array<int, 4> chosen{};
      int size = 0;
      for (int i = 0; i < count; ++i)
        if (mask >> i & 1) chosen[size++] = i;
      Vec point;
      if (!nearestOf(chosen, size, point) || !(dot(point, point) < least)) continue;
      least = dot(point, point), nearest = point, best = chosen, best_size = size;
    }
    std::array<Vec, 4> kept;
    for (int i = 0; i < best_size; ++i) kept[i] = points[best[i]];
    points = kept, count = best_size;
  }
};

}  // namespace

Separation findApart(const PlacedSolid& a, const PlacedSolid& b, const Vec& hint, Real enough) {
  Separation best{-kNoBound, {0, 0, 1}};
  if (!isConvex(a) || !isConvex(b)) return best;
  const Vec between = b.X.p - a.X.p;
  Vec way = dot(hint, hint) > 0 ? hint : norm(between) > 0 ? between : Vec{0, 0, 1};
  Simplex simplex;
  for (int i = 0; i < kMostTries; ++i) {
    const Vec n = (1 / norm(way)) * way;
    const Real distance = separationAlong(a, b, n);
    if (distance > best.distance) best = {distance, n};
    if (best.distance >= enough || simplex.count == 4) return best;  // four: zero is inside
    const Vec point = farthest(b, -n) - farthest(a, n);
    const Real before = simplex.count > 0 ? dot(simplex.nearest, simplex.nearest) : kNoBound;
    simplex.add(point);
    way = simplex.nearest;
    if (!(dot(way, way) < before) || !(norm(way) > 1e-17L)) return best;
  }
  return best;
}

}  // namespace rigor::verify
