// Surfaces of triangles: how they bend, which normals they have, what the tree of boxes finds.
#include "geometry/triangle_surface.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "geometry/surface_normals.h"
#include "meshes.h"
#include "rigor/shape.h"

namespace rigor {
namespace {

using Vec = Vec3<double>;

int count(const Surface& surface, Bend bend) {
  return static_cast<int>(std::count(surface.bend.begin(), surface.bend.end(), bend));
}

Vec randomUnit(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const Vec v{normal(random), normal(random), normal(random)};
  return (1.0 / norm(v)) * v;
}

/// A ball with dents and bumps: ridges, valleys, peaks and pits.
Mesh potato(unsigned seed, int rounds) {
  Mesh mesh = ballMesh(rounds);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> share(0.6, 1.0);
  for (auto& vertex : mesh.vertices) vertex *= share(random);
  return mesh;
}

/// Distance from a point to the surface, triangle by triangle.
double slowDistance(const Surface& surface, const Vec& from) {
  double least = 1e300;
  for (int t = 0; t < surface.triangles; ++t) {
    const Vec &a = surface.vertexOf(t, 0), &b = surface.vertexOf(t, 1), &c = surface.vertexOf(t, 2);
    // minimise over barycentric coordinates by going around the corners of the problem
    const auto segment = [&](const Vec& p, const Vec& q) {
      const double s = std::clamp(dot(from - p, q - p) / dot(q - p, q - p), 0.0, 1.0);
      least = std::min(least, norm(p + s * (q - p) - from));
    };
    segment(a, b), segment(b, c), segment(c, a);
    const Vec u = b - a, v = c - a, w = from - a;
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), wu = dot(w, u), wv = dot(w, v),
                 det = uu * vv - uv * uv;
    const double s = (vv * wu - uv * wv) / det, r = (uu * wv - uv * wu) / det;
    if (s >= 0.0 && r >= 0.0 && s + r <= 1.0) least = std::min(least, norm(a + s * u + r * v - from));
  }
  return least;
}

TEST(TriangleSurface, OfABoxIsFlatAcrossDiagonalsAndConvexElsewhere) {
  const Surface surface = makeSurface(boxMesh({-1, -2, 3}, {1, 2, 0.3}));
  EXPECT_EQ(surface.triangles, 12);
  EXPECT_EQ(surface.core.edges.size(), 18u);
  EXPECT_EQ(count(surface, Bend::kFlat), 6);
  EXPECT_EQ(count(surface, Bend::kConvex), 12);
  EXPECT_FALSE(surface.two_sided);
  EXPECT_EQ(surface.core.faces.size(), 12u);
}

TEST(TriangleSurface, TurnedInsideOutHasValleysWhereItHadRidges) {
  Mesh room = boxMesh({0, 0, 0}, {1, 2, 3});
  for (auto& triangle : room.triangles) std::swap(triangle[0], triangle[1]);
  const Surface surface = makeSurface(room);
  EXPECT_EQ(count(surface, Bend::kFlat), 6);
  EXPECT_EQ(count(surface, Bend::kConcave), 12);
}

TEST(TriangleSurface, WithoutInsideHasTwoSidesAndOpenEdges) {
  const Mesh sheet{"sheet", {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}};
  const Surface surface = makeSurface(sheet);
  EXPECT_TRUE(surface.two_sided);
  EXPECT_EQ(count(surface, Bend::kOpen), 4);
  EXPECT_EQ(count(surface, Bend::kFlat), 1);
  ASSERT_EQ(surface.core.faces.size(), 4u);
  for (int t = 0; t < 2; ++t) EXPECT_EQ(norm(surface.core.faces[t].normal + surface.core.faces[t + 2].normal), 0.0);
  for (int f = 0; f < 4; ++f)
    for (int k = 0; k < 3; ++k) {  // the edge from each corner to the next, of fronts and backs alike
      const auto& ends = surface.core.edges[surface.core.corner_edge[3 * f + k]].vertex;
      const int from = surface.core.corner_vertex[3 * f + k], to = surface.core.corner_vertex[3 * f + (k + 1) % 3];
      EXPECT_EQ(std::minmax(ends[0], ends[1]), std::minmax(from, to));
    }
}

TEST(TriangleSurface, WeldsEqualVerticesAndLeavesOutWhatHasNoArea) {
  Mesh loose{"loose", {}, {}};
  const Mesh box = boxMesh({0, 0, 0}, {1, 1, 1});
  for (const auto& triangle : box.triangles) {
    const int first = static_cast<int>(loose.vertices.size());
    for (const int corner : triangle) loose.vertices.push_back(box.vertices[corner]);
    loose.triangles.push_back({first, first + 1, first + 2});
  }
  loose.vertices.push_back({-0.0, 0.0, -0.0});  // the same place as (0, 0, 0)
  loose.vertices.push_back({9, 9, 9});          // of no triangle
  loose.triangles.push_back({0, 0, 1});
  loose.triangles.push_back({0, 36, 1});
  const Surface surface = makeSurface(loose);
  EXPECT_EQ(surface.triangles, 12);
  EXPECT_EQ(surface.core.vertices.size(), 8u);
  EXPECT_EQ(surface.core.edges.size(), 18u);
  EXPECT_NEAR(surface.core.radius, std::sqrt(3.0), 1e-15);
}

TEST(TriangleSurface, TellsEdgesOfThreeTrianglesAndOfTurnedOnes) {
  const Mesh fan{"fan", {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}}, {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}};
  EXPECT_EQ(countOddEdges(makeSurface(fan)), 1);
  Mesh turned = boxMesh({0, 0, 0}, {1, 1, 1});
  std::swap(turned.triangles[0][0], turned.triangles[0][1]);
  EXPECT_EQ(countOddEdges(makeSurface(turned)), 3);
  EXPECT_TRUE(makeSurface(turned).two_sided);
  EXPECT_EQ(countOddEdges(makeSurface(boxMesh({0, 0, 0}, {1, 1, 1}))), 0);
}

TEST(SurfaceTree, FindsTheTrianglesWhoseBoxesMeetABoxOrAPlane) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> place(-1.2, 1.2), size(0.0, 0.8);
  const Surface surface = makeSurface(potato(3, 3));
  std::vector<int> found, slow;
  std::size_t seen = 0;
  for (int round = 0; round < 300; ++round) {
    const Vec low{place(random), place(random), place(random)};
    const AxisBox box{low, low + Vec{size(random), size(random), size(random)}};
    const Vec n = randomUnit(random);
    const double height = place(random);
    slow.clear();
    std::vector<int> below;
    for (int t = 0; t < surface.triangles; ++t) {
      AxisBox around{surface.vertexOf(t, 0), surface.vertexOf(t, 0)};
      grow(around, surface.vertexOf(t, 1)), grow(around, surface.vertexOf(t, 2));
      if (boxDistance(around, box) == 0.0) slow.push_back(t);
      double lowest = 1e300;
      for (int k = 0; k < 8; ++k)
        lowest = std::min(lowest, dot(n, Vec{k & 1 ? around.low.x : around.high.x, k & 2 ? around.low.y : around.high.y,
                                             k & 4 ? around.low.z : around.high.z}));
      if (lowest <= height) below.push_back(t);
    }
    findTriangles(surface, box, found);
    EXPECT_EQ(found, slow);
    seen += found.size();
    findTrianglesBelow(surface, n, height, found);
    EXPECT_EQ(found, below);
  }
  EXPECT_GT(seen, 1000u);
}

// A normal belongs to a vertex or an edge if the point a little way along it is outside and has nothing nearer.
TEST(SurfaceNormals, AreThoseAlongWhichNothingOfTheSurfaceIsNearer) {
  constexpr double kWay = 1e-3, kUndecided = 1e-6;  // of it: what a tolerance of 1e-6 in the cosine cannot tell
  std::mt19937_64 random(7);
  const Surface surface = makeSurface(potato(11, 2));
  int yes = 0, no = 0;
  const auto compare = [&](bool has, const Vec& spot, const Vec& n) {
    const Vec point = spot + kWay * n;
    const double missing = kWay - slowDistance(surface, point);
    const bool behind = isBehind(surface, point);
    if (!behind && missing > 1e-15 && missing < kUndecided * kWay) return;
    EXPECT_EQ(has, !behind && missing <= 1e-15) << missing << " " << behind;
    ++(has ? yes : no);
  };
  for (int v = 0; v < static_cast<int>(surface.core.vertices.size()); ++v)
    for (int i = 0; i < 40; ++i) {
      const Vec n = randomUnit(random);
      compare(vertexHasNormal(surface, v, n), surface.core.vertices[v], n);
    }
  for (int e = 0; e < static_cast<int>(surface.core.edges.size()); ++e)
    for (int i = 0; i < 20; ++i) {
      const auto& ends = surface.core.edges[e].vertex;
      const Vec &a = surface.core.vertices[ends[0]], &b = surface.core.vertices[ends[1]],
                across = cross(b - a, randomUnit(random));
      const Vec n = (1.0 / norm(across)) * across;
      compare(edgeHasNormal(surface, e, n), 0.5 * (a + b), n);
    }
  EXPECT_GT(yes, 300);
  EXPECT_GT(no, 3000);
}

TEST(SurfaceNormals, OfFlatSeamsAndValleysAreNone) {
  HeightField field{"flat", 5, 6, 1.0, 2.0, std::vector<double>(30, 0.25)};
  const Surface flat = makeSurface(meshOf(field), Sides::kOne);
  const Vec up{0, 0, 1};
  for (int e = 0; e < static_cast<int>(flat.core.edges.size()); ++e)
    EXPECT_EQ(edgeHasNormal(flat, e, up), flat.bend[e] == Bend::kOpen);
  for (int v = 0; v < static_cast<int>(flat.core.vertices.size()); ++v) {
    const Vec& p = flat.core.vertices[v];
    const bool border = std::fabs(p.x) == 1.0 || std::fabs(p.y) == 2.0;
    EXPECT_EQ(vertexHasNormal(flat, v, up), border);
    EXPECT_FALSE(vertexHasNormal(flat, v, -up)) << "the ground does not push down";
  }
}

TEST(SurfaceNormals, LeaveNoHoleWhereTrianglesMeet) {
  // whatever point is a little above a bumpy ground, some triangle pushes it from its nearest point
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> height(-0.2, 0.2), place(-0.9, 0.9);
  for (const double bumps : {0.0, 1e-9, 1.0}) {
    HeightField field{"bumps", 12, 12, 1.0, 1.0, {}};
    for (int i = 0; i < 144; ++i) field.heights.push_back(bumps * height(random));
    const Surface surface = makeSurface(meshOf(field), Sides::kOne);
    const auto expectPushed = [&](const Vec& point) {
      double least = 1e300, pushed = 1e300;
      for (int t = 0; t < surface.triangles; ++t) {
        const TriangleSpot spot = nearestOnTriangle(surface, t, point);
        const double distance = norm(point - spot.point);
        least = std::min(least, distance);
        if (spotHasNormal(surface, spot, point)) pushed = std::min(pushed, distance);
      }
      EXPECT_NEAR(least, slowDistance(surface, point), 1e-15);
      // a point beside a triangle by 1e-9 of its size counts as above it
      EXPECT_NEAR(pushed, least, 1e-9) << point.x << " " << point.y << " " << point.z;
    };
    for (int e = 0; e < static_cast<int>(surface.core.edges.size()); ++e) {
      if (surface.bend[e] == Bend::kOpen) continue;
      const auto& ends = surface.core.edges[e].vertex;
      const Vec &a = surface.core.vertices[ends[0]], &b = surface.core.vertices[ends[1]];
      const double share = 0.5 + 0.5 * place(random);
      expectPushed(a + share * (b - a) + Vec{0, 0, 0.03});
      expectPushed(a + Vec{0, 0, 0.03});
    }
    for (int i = 0; i < 200; ++i) expectPushed({place(random), place(random), 0.3});
  }
}

TEST(SurfaceNormals, KnowWhatIsInside) {
  std::mt19937_64 random(13);
  std::uniform_real_distribution<double> place(-1.0, 1.0);
  const Surface box = makeSurface(boxMesh({-0.5, -0.5, -0.5}, {1, 1, 1}));
  int inside = 0;
  for (int i = 0; i < 1000; ++i) {
    const Vec p{place(random), place(random), place(random)};
    const bool in = std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)}) < 0.5;
    EXPECT_EQ(isBehind(box, p), in);
    inside += in;
  }
  EXPECT_GT(inside, 50);
  const HeightField field{"slope", 2, 2, 1.0, 1.0, {0.0, 1.0, 0.0, 1.0}};  // z = (x + 1)/2
  const Surface ground = makeSurface(meshOf(field), Sides::kOne);
  for (int i = 0; i < 300; ++i) {
    const Vec p{place(random), place(random), place(random)};
    EXPECT_EQ(isBehind(ground, p), p.z < 0.5 * (p.x + 1.0));
  }
  EXPECT_FALSE(isBehind(ground, {1.5, 0, -3})) << "beside the field there is nothing";
}

TEST(TriangleSurface, OfAHundredThousandTrianglesIsLookedThroughWhereItIsNear) {
  const Mesh mesh = ballMesh(7);  // 131072
  const Surface surface = makeSurface(mesh);
  EXPECT_EQ(surface.triangles, 131072);
  std::vector<int> found;
  findTriangles(surface, {{0.99, -0.01, -0.01}, {1.1, 0.01, 0.01}}, found);
  EXPECT_GT(found.size(), 0u);
  EXPECT_LT(found.size(), 60u);
}

}  // namespace
}  // namespace rigor
