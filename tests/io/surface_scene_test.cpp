// Scenes with triangles and height fields: what is read, and what is refused and where.
#include <gtest/gtest.h>

#include "files.h"
#include "rigor/io.h"
#include "rigor/mesh.h"

namespace rigor {
namespace {

const char kTetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

Shape loadShape(const TemporaryFolder& folder, const std::string& shape, const std::string& more = "fixed = true\n") {
  const Scene scene = loadScene(folder.write("s.toml", "[[body]]\nname = 'a'\n" + more + "shape = " + shape + "\n"));
  return scene.model.shapes().at(0).shape;
}

void expectRefused(const TemporaryFolder& folder, const std::string& shape, const std::string& place,
                   const std::string& problem) {
  try {
    loadShape(folder, shape);
    ADD_FAILURE() << shape << " was taken";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find(place), std::string::npos) << text;
    EXPECT_NE(text.find(problem), std::string::npos) << text;
  }
}

TEST(SurfaceScene, ReadsTrianglesWithTheirScaleAndHeightsFromAFileOrTheScene) {
  const TemporaryFolder folder;
  folder.write("t.obj", kTetrahedron);
  const Shape triangles = loadShape(folder, "{triangles = 't.obj', scale = 2}");
  ASSERT_EQ(triangles.kind, ShapeKind::kTriangles);
  EXPECT_EQ(triangles.size, Eigen::Vector3d(2, 2, 2));
  EXPECT_NEAR(computeVolume(triangles), 8.0 / 6.0, 1e-15);

  folder.write("h.csv", "# from the south\n0, 1, 2\n\n3 4 5\n");
  for (const char* heights : {"file = 'h.csv'", "heights = [[0, 1, 2], [3, 4, 5]]"}) {
    const Shape ground =
        loadShape(folder, "{heightfield = {" + std::string(heights) + ", size = [4, 2], height = 0.5}}");
    ASSERT_EQ(ground.kind, ShapeKind::kHeightField);
    EXPECT_EQ(ground.field->rows, 2);
    EXPECT_EQ(ground.field->columns, 3);
    EXPECT_EQ(ground.field->half_x, 2.0);
    EXPECT_EQ(ground.field->half_y, 1.0);
    EXPECT_EQ(ground.field->heights, (std::vector<double>{0, 0.5, 1, 1.5, 2, 2.5}));
  }
}

TEST(SurfaceScene, RefusesWhatIsNoSurfaceAndSaysWhere) {
  const TemporaryFolder folder;
  folder.write("nan.csv", "0 1\nnan 2\n");
  folder.write("cut.csv", "0 1 2\n3 4\n");
  folder.write("hole.csv", "0, 1, 2,\n3,,5\n");  // a comma may end a row
  expectRefused(folder, "{heightfield = {file = 'hole.csv', size = [1, 1]}}", "hole.csv:2",
                "height 2 is missing before a comma");
  folder.write("row.csv", "0 1 2\n");
  folder.write("semicolons.csv", "0;0\n0;0\n");
  folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
  expectRefused(folder, "{heightfield = {file = 'nan.csv', size = [1, 1]}}", "nan.csv:2",
                "\"nan\" is no finite number");
  expectRefused(folder, "{heightfield = {file = 'semicolons.csv', size = [1, 1]}}", "semicolons.csv:1",
                "\"0;0\" is no finite number");
  expectRefused(folder, "{heightfield = {heights = [[0, 1e300], [0, 0]], size = [1, 1]}}", "s.toml:4",
                "reaches 1e+300 m");
  expectRefused(folder, "{heightfield = {file = 'cut.csv', size = [1, 1]}}", "cut.csv:2", "row 2 has 2 heights");
  expectRefused(folder, "{heightfield = {file = 'row.csv', size = [1, 1]}}", "s.toml:4", "1 rows and 3 columns");
  expectRefused(folder, "{heightfield = {heights = [[0, 1], [2]], size = [1, 1]}}", "s.toml:4", "row 2 has 1 heights");
  expectRefused(folder, "{heightfield = {file = 'none.csv', size = [1, 1]}}", "s.toml:4", "none.csv");
  expectRefused(folder, "{heightfield = {heights = [[0, 1], [2, 3]]}}", "s.toml:4", "has no size");
  expectRefused(folder, "{heightfield = {size = [1, 1]}}", "s.toml:4", "neither a file nor heights");
  expectRefused(folder, "{heightfield = {heights = [[0, 1], [2, 3]], size = [1, -1]}}", "s.toml:4", "half extents");
  expectRefused(folder, "{heightfield = 3}", "s.toml:4", "heightfield");
  expectRefused(folder, "{triangles = 'none.obj'}", "s.toml:4", "none.obj");
  expectRefused(folder, "{triangles = 'flat.obj'}", "s.toml:4", "has an area");
  expectRefused(folder, "{triangles = 'flat.obj', scale = -1}", "s.toml:4", "scale");
}

TEST(SurfaceScene, WarnsOfEdgesThatBelongToMoreThanTwoTriangles) {
  const TemporaryFolder folder;
  folder.write("fin.obj", std::string(kTetrahedron) + "v -1 -1 0\nf 1 2 5\n");
  folder.write("t.obj", kTetrahedron);
  const auto warningsOf = [&](const char* mesh) {
    const std::string text = std::string("[[body]]\nname = 'a'\nfixed = true\nshape = {triangles = '") + mesh + "'}\n";
    return loadScene(folder.write("s.toml", text)).model.warnings();
  };
  EXPECT_TRUE(warningsOf("t.obj").empty());
  ASSERT_EQ(warningsOf("fin.obj").size(), 1u);
  const std::string told = warningsOf("fin.obj")[0].text();
  EXPECT_NE(told.find("1 edge of its mesh belongs to three or more triangles"), std::string::npos) << told;
}

TEST(SurfaceScene, LetsClosedTrianglesMoveAndHeightFieldsStay) {
  const TemporaryFolder folder;
  folder.write("t.obj", kTetrahedron);
  EXPECT_NO_THROW(loadShape(folder, "{triangles = 't.obj'}", "density = 1000\n"));
  EXPECT_THROW(loadShape(folder, "{heightfield = {heights = [[0, 0], [0, 0]], size = [1, 1]}}",
                         "mass = 1\ninertia = [1, 1, 1]\n"),
               Error);
}

}  // namespace
}  // namespace rigor
