#include "geometry/element.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/straight_sides.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

constexpr int kMaxIterations = 25;
constexpr int kMostUnknowns = 8;      // normal, gap, and up to two ways on each element
constexpr double kLargestTurn = 0.3;  // [rad] in one iteration
constexpr double kFarthest = 0.7;     // cosine to the start: beyond is another solution
constexpr double kSettled = 1e-14;    // change of the normal

/// A point that moves on its element: along a line by `along`, around a circle or cone with `radial`.
struct Place {
  double along = 0.0;
  Vec radial;  ///< unit, across the axis
};

/// The point and its derivatives by n and by the ways it may go.
struct Surface2 {
  Vec x;
  Mat3<double> by_normal;
  int ways = 0;
  Vec way[2];
  Vec bend[3];  ///< second derivatives 00, 01, 11
};

Vec across(const Vec& axis, const Vec& v) { return v - dot(axis, v) * axis; }

Vec unit(const Vec& v) {
  const double length = norm(v);
  return length > 0.0 ? (1.0 / length) * v : Vec{};
}

/// Any direction across an axis.
Vec anyAcross(const Vec& axis) {
  return unit(across(axis, std::fabs(axis.x) < 0.6 ? Vec{1.0, 0.0, 0.0} : Vec{0.0, 1.0, 0.0}));
}

/// On what turns, towards `near` or else outward, away from the element's solid.
Place startOn(const Element& element, const Vec& outward, const Vec* near) {
  Place place;
  const bool circle = element.kind == ElementKind::kCircle;
  if (!circle && element.kind != ElementKind::kConeSide) return place;
  place.radial = unit(across(element.axis, circle && near ? *near - element.p : outward));
  if (!(dot(place.radial, place.radial) > 0.5)) place.radial = anyAcross(element.axis);
  return place;
}

/// On what is straight, next to a point.
void slideTo(const Element& element, const Vec& point, Place& place) {
  const Vec way = point - element.p;
  if (element.kind == ElementKind::kLine) place.along = dot(element.axis, way);
  if (element.kind == ElementKind::kConeSide) place.along = std::max(-dot(element.axis, way), 1e-6 * norm(way));
}

Mat3<double> scaledIdentity(double s) { return {{s, 0.0, 0.0}, {0.0, s, 0.0}, {0.0, 0.0, s}}; }

/// x = p + R A² Rᵀd/|A Rᵀd| for the outward direction d, and its derivative by d.
void placeOnEllipsoid(const Element& e, const Vec& d, Surface2& at) {
  const Vec local = transposeTimes(e.R, d);
  const Vec scaled{e.size.x * local.x, e.size.y * local.y, e.size.z * local.z};
  const double length = norm(scaled);
  const Vec s{e.size.x * scaled.x, e.size.y * scaled.y, e.size.z * scaled.z};  // A² d
  at.x = e.p + (1.0 / length) * (e.R * s);
  const Vec columns[3] = {
      {e.size.x * e.size.x, 0.0, 0.0}, {0.0, e.size.y * e.size.y, 0.0}, {0.0, 0.0, e.size.z * e.size.z}};
  const double parts[3] = {s.x, s.y, s.z};
  Mat3<double> H;
  Vec* const out[3] = {&H.x, &H.y, &H.z};
  for (int k = 0; k < 3; ++k) *out[k] = (1.0 / length) * (columns[k] - (parts[k] / (length * length)) * s);
  at.by_normal = e.R * H * transpose(e.R);
}

/// `sign` is 1 for the side that n leaves and −1 for the one that it meets: outward is sign · n.
Surface2 evaluate(const Element& e, const Place& place, const Vec& n, double sign) {
  Surface2 at;
  at.by_normal = scaledIdentity(0.0);
  switch (e.kind) {
    case ElementKind::kPoint:
      at.x = e.p + (sign * e.radius) * n;
      at.by_normal = scaledIdentity(sign * e.radius);
      break;
    case ElementKind::kLine:
      at.x = e.p + place.along * e.axis + (sign * e.radius) * n;
      at.by_normal = scaledIdentity(sign * e.radius);
      at.ways = 1, at.way[0] = e.axis;
      break;
    case ElementKind::kCircle:
      at.x = e.p + e.radius * place.radial;
      at.ways = 1, at.way[0] = e.radius * cross(e.axis, place.radial), at.bend[0] = -e.radius * place.radial;
      break;
    case ElementKind::kRim: {
      const Vec d = sign * across(e.axis, n);
      const double length = std::max(norm(d), 1e-12);
      const Vec radial = (1.0 / length) * d, around = cross(e.axis, radial);
      at.x = e.p + e.radius * radial;
      const double bend = sign * e.radius / length;
      at.by_normal = {(bend * around.x) * around, (bend * around.y) * around, (bend * around.z) * around};
      break;
    }
    case ElementKind::kConeSide: {
      const Vec around = cross(e.axis, place.radial), generator = e.slope * place.radial - e.axis;
      at.x = e.p + place.along * generator;
      at.ways = 2, at.way[0] = generator, at.way[1] = (place.along * e.slope) * around;
      at.bend[1] = e.slope * around, at.bend[2] = -(place.along * e.slope) * place.radial;
      break;
    }
    case ElementKind::kEllipsoid:
      placeOnEllipsoid(e, sign * n, at);
      at.by_normal = sign * at.by_normal;
      break;
  }
  return at;
}

void move(const Element& e, const double* step, Place& place) {
  const bool line = e.kind == ElementKind::kLine || e.kind == ElementKind::kConeSide;
  if (line) place.along += step[0];
  if (e.kind != ElementKind::kCircle && e.kind != ElementKind::kConeSide) return;
  const double turn = e.kind == ElementKind::kCircle ? step[0] : step[1];
  const auto [sine, cosine] = sincos(turn);
  place.radial = unit(cosine * place.radial + sine * cross(e.axis, place.radial));
}

/// Gaussian elimination with row pivots; the last column is the right side, and becomes the answer. False if singular.
bool eliminate(double (&A)[kMostUnknowns][kMostUnknowns + 1], int count) {
  for (int k = 0; k < count; ++k) {
    int pivot = k;
    for (int i = k + 1; i < count; ++i)
      if (std::fabs(A[i][k]) > std::fabs(A[pivot][k])) pivot = i;
    if (!(std::fabs(A[pivot][k]) > 1e-14)) return false;
    std::swap(A[k], A[pivot]);
    for (int i = k + 1; i < count; ++i) {
      const double factor = A[i][k] / A[k][k];
      for (int j = k; j <= count; ++j) A[i][j] -= factor * A[k][j];
    }
  }
  for (int k = count - 1; k >= 0; --k) {
    for (int j = k + 1; j < count; ++j) A[k][count] -= A[k][j] * A[j][count];
    A[k][count] /= A[k][k];
  }
  return true;
}

double component(const Vec& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

/// Rows of one side: what n ⟂ its ways asks for.
void addWays(const Surface2& side, const Vec& n, int first_way, int& row, double (&A)[kMostUnknowns][kMostUnknowns + 1],
             int count) {
  for (int i = 0; i < side.ways; ++i, ++row) {
    for (int k = 0; k < 3; ++k) A[row][k] = component(side.way[i], k);
    for (int j = 0; j < side.ways; ++j) A[row][first_way + j] = dot(n, side.bend[i + j]);
    A[row][count] = -dot(n, side.way[i]);
  }
}

/// The Newton step of all unknowns: normal (3), gap, ways of a, ways of b.
bool findStep(const Surface2& a, const Surface2& b, const Vec& n, double gap, double* step) {
  const int count = 4 + a.ways + b.ways;
  double A[kMostUnknowns][kMostUnknowns + 1] = {};
  const Vec miss = b.x - a.x - gap * n;
  const Vec by_normal[3] = {b.by_normal.x - a.by_normal.x, b.by_normal.y - a.by_normal.y,
                            b.by_normal.z - a.by_normal.z};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) A[i][k] = component(by_normal[k], i) - (i == k ? gap : 0.0);
    A[i][3] = -component(n, i);
    for (int j = 0; j < a.ways; ++j) A[i][4 + j] = -component(a.way[j], i);
    for (int j = 0; j < b.ways; ++j) A[i][4 + a.ways + j] = component(b.way[j], i);
    A[i][count] = -component(miss, i);
  }
  for (int k = 0; k < 3; ++k) A[3][k] = component(n, k);
  A[3][count] = 0.5 * (1.0 - dot(n, n));
  int row = 4;
  addWays(a, n, 4, row, A, count);
  addWays(b, n, 4 + a.ways, row, A, count);
  if (!eliminate(A, count)) return false;
  for (int k = 0; k < count; ++k) step[k] = A[k][count];
  return true;
}

/// A cone has a side on its inside as well, and goes on beyond its apex.
bool isOutside(const Element& element, const Place& place, const Vec& outward) {
  return element.kind != ElementKind::kConeSide || (place.along > 0.0 && dot(place.radial, outward) > 0.0);
}

}  // namespace

bool faceElements(const Element& a, const Element& b, const Vec& normal, Facing& facing, const Vec* near) {
  if (areConeAndStraight(a, b)) return faceStraightSides(a, b, facing);
  Vec n = normal;
  Place on_a = startOn(a, n, near), on_b = startOn(b, -n, near);
  slideTo(a, near ? *near : evaluate(b, on_b, n, -1.0).x, on_a);
  slideTo(b, near ? *near : evaluate(a, on_a, n, 1.0).x, on_b);
  Surface2 at_a = evaluate(a, on_a, n, 1.0), at_b = evaluate(b, on_b, n, -1.0);
  double gap = dot(n, at_b.x - at_a.x);
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    double step[kMostUnknowns] = {};
    if (!findStep(at_a, at_b, n, gap, step)) return false;
    const double turn = norm(Vec{step[0], step[1], step[2]});
    const double share = std::min(1.0, kLargestTurn / std::max(turn, 1e-300));
    for (double& entry : step) entry *= share;
    n = unit(n + Vec{step[0], step[1], step[2]});
    if (!(dot(n, normal) > kFarthest)) return false;
    move(a, step + 4, on_a);
    move(b, step + 4 + at_a.ways, on_b);
    at_a = evaluate(a, on_a, n, 1.0), at_b = evaluate(b, on_b, n, -1.0);
    gap = dot(n, at_b.x - at_a.x);
    if (turn > kSettled * (1.0 + iteration * iteration)) continue;
    facing = {n, gap, at_a.x, at_b.x};
    return isOutside(a, on_a, n) && isOutside(b, on_b, -n);
  }
  return false;
}

}  // namespace rigor
