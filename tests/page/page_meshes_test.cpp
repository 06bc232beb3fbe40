#include "io/page/meshes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "geometry/polytope.h"
#include "io/page/coarsen.h"
#include "page/made_up_shapes.h"
#include "rigor/mesh.h"

namespace rigor {
namespace {

// By the divergence theorem; right only if every triangle is there once and turned outward.
double volume(const PageMesh& mesh) {
  const auto at = [&](std::size_t corner) {
    const float* p = &mesh.position[3 * mesh.index[corner]];
    return Eigen::Vector3d(p[0], p[1], p[2]);
  };
  double sum = 0.0;
  for (std::size_t i = 0; i < mesh.index.size(); i += 3) sum += at(i).dot(at(i + 1).cross(at(i + 2))) / 6.0;
  return sum;
}

// As STL files have it: three vertices of its own for every triangle.
Mesh withoutSharedVertices(const Mesh& mesh) {
  Mesh out;
  for (const auto& triangle : mesh.triangles) {
    const int first = static_cast<int>(out.vertices.size());
    for (const int vertex : triangle) out.vertices.push_back(mesh.vertices[vertex]);
    out.triangles.push_back({first, first + 1, first + 2});
  }
  return out;
}

TEST(PageMesh, HasNoVertexTwice) {
  const Mesh ring = makeRing(16, 1.0, 0.25);
  const PageMesh page = makePageMesh(withoutSharedVertices(ring));
  EXPECT_EQ(page.position.size(), 3 * ring.vertices.size());
  EXPECT_EQ(page.index.size(), 3 * ring.triangles.size());
  EXPECT_NEAR(volume(page), volume(makePageMesh(ring)), 1e-12);
}

TEST(PageMesh, LeavesOutTrianglesThatAreNone) {
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.0, 0, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 1, 1}, {0, 1, 3}, {0, 1, 4}, {-1, 1, 2}};  // −0 is the same place as 0
  const PageMesh page = makePageMesh(mesh);
  EXPECT_EQ(page.index, (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(PageMesh, OfABoxEnclosesItsVolume) {
  const PageMesh page = makePageMesh(makeBoxPolytope({0.5, 1.0, 2.0}));
  EXPECT_EQ(page.index.size(), 36u);
  EXPECT_DOUBLE_EQ(volume(page), 8.0);
}

Shape trianglesOf(Mesh mesh) {
  Shape shape;
  shape.kind = ShapeKind::kTriangles;
  shape.mesh = std::make_shared<const Mesh>(std::move(mesh));
  return shape;
}

TEST(PageMeshes, WriteAMeshOnceHoweverManyShapesHaveIt) {
  PageMeshes meshes;
  const Shape ring = trianglesOf(makeRing(8, 1.0, 0.2)), other = trianglesOf(makeRing(8, 1.0, 0.2));
  EXPECT_EQ(meshes.find(makeBox({1, 1, 1})), -1);  // a formula describes it
  EXPECT_EQ(meshes.find(ring), 0);
  const std::size_t length = meshes.list().size();
  EXPECT_EQ(meshes.find(Shape(ring)), 0);
  EXPECT_EQ(meshes.list().size(), length);
  EXPECT_EQ(meshes.find(other), 1);
  Shape missing;
  missing.kind = ShapeKind::kHull;
  EXPECT_EQ(meshes.find(missing), -1);
}

TEST(PageMeshes, CountVerticesInTwoBytesWhereTheseSuffice) {
  PageMeshes meshes;
  meshes.find(trianglesOf(makeRing(256, 1.0, 0.2)));  // 65 536 vertices: the last has the number 65 535
  EXPECT_EQ(meshes.list().find("\"wide\":true"), std::string::npos);
  meshes.find(trianglesOf(makeRing(257, 1.0, 0.2)));
  EXPECT_NE(meshes.list().find("\"wide\":true"), std::string::npos);
}

TEST(Coarsen, KeepsVolumeAndSizeWithinAHundredthAtATenthOfTheTriangles) {
  const PageMesh fine = makePageMesh(makeRing(300, 1.0, 0.4));  // 180 000 triangles
  const PageMesh coarse = coarsen(fine, 18'000);
  EXPECT_LE(coarse.index.size(), 3 * 18'000u);
  EXPECT_GE(coarse.index.size(), 3 * 9'000u);
  // About 70 cells along 2.8 m: a vertex moves 0.02 m at most and half of that on the mean, out and in alike.
  EXPECT_NEAR(volume(coarse), volume(fine), 0.01 * volume(fine));
  const auto reach = [](const PageMesh& mesh) { return *std::max_element(mesh.position.begin(), mesh.position.end()); };
  EXPECT_NEAR(reach(coarse), 1.4, 0.02);
  EXPECT_EQ(coarsen(coarse, 18'000).index, coarse.index);  // small enough: as it is
}

TEST(PageMeshes, OfLooksStayWithinTheBudgetAndWhatCollidesIsWhole) {
  const Shape solid = trianglesOf(makeRing(300, 1.0, 0.4));
  const auto size = [](bool is_look, const std::vector<Shape>& shapes) {
    PageMeshes meshes;
    for (const Shape& shape : shapes) meshes.find(shape, is_look);
    return meshes.list().size();
  };
  const std::vector<Shape> many{solid, trianglesOf(makeRing(300, 1.0, 0.3)), trianglesOf(makeRing(300, 1.0, 0.2))};
  const double text = 4.0 / 3.0 * (6.0 * 4.0 + 6.0);  // of a triangle: half a vertex and three numbers of four bytes
  EXPECT_LE(size(true, many), kMaxLookTriangles * text);  // of 540 000 triangles
  EXPECT_GT(size(false, many), 540'000 * 4.0 / 3.0 * 12.0);
  PageMeshes both;
  both.find(solid, true);
  both.find(solid);  // looks like what it collides with
  EXPECT_EQ(both.list().size(), size(false, {solid}));
}

}  // namespace
}  // namespace rigor
