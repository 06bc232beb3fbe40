#include "reference/random_shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/convert.h"
#include "geometry/polytope.h"
#include "geometry/support.h"
#include "rigor/mesh.h"

namespace rigor::reference {
namespace {

using Vec = Vec3<double>;
using Random = std::mt19937_64;

double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
int pick(Random& random, int count) { return std::uniform_int_distribution<int>(0, count - 1)(random); }

Vec randomDirection(Random& random) {
  std::normal_distribution<double> normal;
  const double x = normal(random), y = normal(random), z = normal(random);
  return (1.0 / std::sqrt(x * x + y * y + z * z)) * Vec{x, y, z};
}

/// Corners of the polygon in the plane, counter-clockwise seen from the tip of the normal; without those on its sides.
std::vector<int> outlineOf(const std::vector<Vec>& points, const std::vector<int>& in_plane, const Vec& normal) {
  std::vector<int> outline;
  for (const int i : in_plane)
    for (const int j : in_plane) {
      if (i == j) continue;
      // i → j is a side if everything lies to its left, and nothing of it beyond j
      bool side = true;
      for (const int k : in_plane) {
        if (k == i || k == j) continue;
        const double left = dot(normal, cross(points[j] - points[i], points[k] - points[i]));
        const bool beyond = std::fabs(left) < 1e-11 && dot(points[k] - points[j], points[j] - points[i]) > 0.0;
        const bool before = std::fabs(left) < 1e-11 && dot(points[k] - points[i], points[j] - points[i]) < 0.0;
        side = side && left > -1e-11 && !beyond && !before;
      }
      if (side) outline.push_back(i), outline.push_back(j);
    }
  std::vector<int> loop{outline[0]};
  while (loop.size() < outline.size() / 2)
    for (std::size_t e = 0; e < outline.size(); e += 2)
      if (outline[e] == loop.back()) {
        loop.push_back(outline[e + 1]);
        break;
      }
  return loop;
}

std::vector<Vec> randomPoints(Random& random, double size) {
  std::vector<Vec> points;
  const int style = pick(random, 3);
  if (style == 0) {
    const Vec stretch{uniform(random, 0.3, 1.0), uniform(random, 0.3, 1.0), uniform(random, 0.3, 1.0)};
    for (int i = 0, count = 4 + pick(random, 20); i < count; ++i) {
      const Vec d = randomDirection(random);
      points.push_back({size * stretch.x * d.x, size * stretch.y * d.y, size * stretch.z * d.z});
    }
  } else if (style == 1) {  // prism or frustum
    const int sides = 3 + pick(random, 6);
    const double top = pick(random, 2) ? 1.0 : uniform(random, 0.3, 1.0), height = size * uniform(random, 0.2, 1.0);
    for (int i = 0; i < sides; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / sides, x = size * std::cos(angle), y = size * std::sin(angle);
      points.push_back({x, y, -height});
      points.push_back({top * x, top * y, height});
    }
  } else {  // lattice
    for (int i = 0, count = 6 + pick(random, 12); i < count; ++i)
      points.push_back(
          {0.5 * size * (pick(random, 5) - 2), 0.5 * size * (pick(random, 5) - 2), 0.5 * size * (pick(random, 5) - 2)});
    for (const double s : {-1.0, 1.0}) points.push_back({s * size, 0, 0}), points.push_back({0, s * size, 0});
    for (const double s : {-1.0, 1.0}) points.push_back({0, 0, s * size});
  }
  return points;
}

/// One of the 24 rotations of a cube.
Eigen::Quaterniond quarterTurns(Random& random) {
  const double quarter = std::numbers::pi / 2.0;
  return (Eigen::AngleAxisd(quarter * pick(random, 4), Eigen::Vector3d::UnitX()) *
          Eigen::AngleAxisd(quarter * pick(random, 4), Eigen::Vector3d::UnitZ()) *
          Eigen::AngleAxisd(quarter * pick(random, 4), Eigen::Vector3d::UnitX()));
}

/// ±1e-13 … 1e-3 m.
double smallGap(Random& random) {
  return (pick(random, 2) ? 1.0 : -1.0) * std::pow(10.0, uniform(random, -13.0, -3.0));
}

double reachOf(const Shape& shape) { return radiusAbout(viewOf(shape, {})); }

/// Support to support along an axis of A, some of it sideways.
void placeAligned(Random& random, PosedPair& pair) {
  if (pick(random, 2)) pair.X_WA.rotation = Eigen::Quaterniond::Identity();
  pair.X_WB.rotation = pair.X_WA.rotation * quarterTurns(random);
  const Vec n = toMat3(pair.X_WA.rotation.toRotationMatrix()).z;
  const double reach = -separationAlong(n, viewOf(pair.a, toTransform(pair.X_WA)),
                                        viewOf(pair.b, toTransform({{0, 0, 0}, pair.X_WB.rotation})));
  const Vec sideways = cross(n, randomDirection(random));
  const double way = pick(random, 3) ? 0.5 * pick(random, 3) : uniform(random, 0.0, reach);
  pair.X_WB.position = toEigen((reach + smallGap(random)) * n + way * sideways);
}

/// A point of a surface and an outward normal that the shape has there.
struct Spot {
  Vec point, normal;
};

Spot randomSpot(Random& random, const Shape& shape, bool on_edge) {
  if (!on_edge || !shape.polytope) {
    const Vec d = randomDirection(random);
    return {supportPoint(viewOf(shape, Transform<double>::identity()), d), d};
  }
  const Polytope& polytope = *shape.polytope;
  const Polytope::Edge& edge = polytope.edges[pick(random, static_cast<int>(polytope.edges.size()))];
  const Vec sum = polytope.faces[edge.face[0]].normal + polytope.faces[edge.face[1]].normal;
  return {0.5 * (polytope.vertices[edge.vertex[0]] + polytope.vertices[edge.vertex[1]]), (1.0 / norm(sum)) * sum};
}

/// For a positive gap it is the distance; for a negative one the depth is at most that.
void placeTouching(Random& random, bool at_edges, PosedPair& pair) {
  const Spot a = randomSpot(random, pair.a, at_edges), b = randomSpot(random, pair.b, at_edges);
  const Eigen::Vector3d n = pair.X_WA.rotation * toEigen(a.normal);
  const Eigen::AngleAxisd twist(uniform(random, 0.0, 2.0 * std::numbers::pi), n);
  pair.X_WB.rotation = (twist * Eigen::Quaterniond::FromTwoVectors(toEigen(b.normal), -n)).normalized();
  pair.X_WB.position =
      pair.X_WA.rotation * toEigen(a.point) + smallGap(random) * n - pair.X_WB.rotation * toEigen(b.point);
}

}  // namespace

Shape slowHull(const std::vector<Vec>& all_points) {
  std::vector<Vec> points;  // each once
  double size = 0.0;
  for (const Vec& p : all_points) size = std::max(size, norm(p));
  for (const Vec& p : all_points)
    if (std::none_of(points.begin(), points.end(), [&](const Vec& q) { return norm(p - q) < 1e-9 * size; }))
      points.push_back(p);
  for (Vec& p : points) p *= 1.0 / size;
  std::vector<std::vector<int>> faces;
  std::vector<std::vector<int>> planes;  // points of each face's plane, sorted: a face is found once
  const int count = static_cast<int>(points.size());
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count; ++j)
      for (int k = j + 1; k < count; ++k) {
        Vec normal = cross(points[j] - points[i], points[k] - points[i]);
        if (!(norm(normal) > 1e-9)) continue;
        normal *= 1.0 / norm(normal);
        double low = 0.0, high = 0.0;
        std::vector<int> in_plane;
        for (int p = 0; p < count; ++p) {
          const double height = dot(normal, points[p] - points[i]);
          low = std::min(low, height), high = std::max(high, height);
          if (std::fabs(height) < 1e-10) in_plane.push_back(p);
        }
        if (low < -1e-10 && high > 1e-10) continue;
        if (std::find(planes.begin(), planes.end(), in_plane) != planes.end()) continue;
        planes.push_back(in_plane);
        faces.push_back(outlineOf(points, in_plane, high > 1e-10 ? -normal : normal));
      }
  std::vector<int> number(count, -1);
  std::vector<Vec> used;
  auto mesh = std::make_shared<Mesh>();
  Vec half{};
  for (std::vector<int>& face : faces)
    for (int& corner : face) {
      if (number[corner] < 0) number[corner] = static_cast<int>(used.size()), used.push_back(size * points[corner]);
      corner = number[corner];
    }
  for (const Vec& v : used) {
    half = {std::max(half.x, std::fabs(v.x)), std::max(half.y, std::fabs(v.y)), std::max(half.z, std::fabs(v.z))};
    mesh->vertices.push_back(toEigen(v));
  }
  for (const std::vector<int>& face : faces)
    for (std::size_t i = 1; i + 1 < face.size(); ++i) mesh->triangles.push_back({face[0], face[i], face[i + 1]});
  return {ShapeKind::kHull, toEigen(half), mesh, {}, std::make_shared<const Polytope>(makePolytope(used, faces)), {}};
}

Shape randomShape(Random& random, ShapeKind kind, double size) {
  const double x = size * uniform(random, 0.2, 1.0), y = size * uniform(random, 0.2, 1.0),
               z = size * uniform(random, 0.2, 1.0);
  switch (kind) {
    case ShapeKind::kSphere:
      return makeSphere(x);
    case ShapeKind::kCapsule:
      return makeCapsule(x, y);
    case ShapeKind::kBox:
      return makeBox({x, y, z});
    case ShapeKind::kCylinder:
      return makeCylinder(x, y);
    case ShapeKind::kCone:
      return makeCone(x, y);
    case ShapeKind::kEllipsoid:
      return makeEllipsoid({x, y, z});
    default:
      return slowHull(randomPoints(random, size));
  }
}

Eigen::Quaterniond randomRotation(Random& random) {
  std::normal_distribution<double> normal;
  const double w = normal(random), x = normal(random), y = normal(random), z = normal(random);
  return Eigen::Quaterniond(w, x, y, z).normalized();
}

PosedPair randomPair(Random& random, ShapeKind kind_a, ShapeKind kind_b, PairStyle style) {
  double size_a = 1.0, size_b = uniform(random, 0.3, 1.0);
  if (style == PairStyle::kTiny) (pick(random, 2) ? size_a : size_b) *= 1e-3;
  if (style == PairStyle::kInside) size_b *= 0.2;
  PosedPair pair{randomShape(random, kind_a, size_a), randomShape(random, kind_b, size_b), {}, {}};
  poseAgain(random, style, pair);
  return pair;
}

void poseAgain(Random& random, PairStyle style, PosedPair& pair) {
  pair.X_WA = {{0, 0, 0}, randomRotation(random)}, pair.X_WB = {{0, 0, 0}, randomRotation(random)};
  if (style == PairStyle::kAligned) return placeAligned(random, pair);
  if (style == PairStyle::kTouching || style == PairStyle::kEdges)
    return placeTouching(random, style == PairStyle::kEdges, pair);
  double distance = uniform(random, 0.0, 1.5) * (reachOf(pair.a) + reachOf(pair.b));
  if (style == PairStyle::kDeep) distance *= 0.1;
  if (style == PairStyle::kInside) distance = uniform(random, 0.0, 0.3) * reachOf(pair.a);
  if (style == PairStyle::kConcentric) distance = 0.0;
  if (style == PairStyle::kConcentric && pick(random, 2)) pair.X_WB.rotation = pair.X_WA.rotation;
  if (style == PairStyle::kFarAway) pair.X_WA.position = 1e4 * Eigen::Vector3d(1.0, -1.0, 0.5);
  pair.X_WB.position = pair.X_WA.position + toEigen(distance * randomDirection(random));
}

}  // namespace rigor::reference
