// Mesh files: every format gives the same tetrahedron; damaged ones are refused with file, line and remedy.
#include <gtest/gtest.h>

#include "files.h"
#include "mesh_texts.h"
#include "rigor/io.h"

namespace rigor {
namespace {

/// Corners at the origin and 1, 2, 3 along the axes, faces outward: volume 1.
void expectTetrahedron(const Mesh& mesh, const std::string& file, double scale = 1.0) {
  EXPECT_EQ(mesh.source, file);
  EXPECT_EQ(mesh.vertices.size(), 4u) << file;
  EXPECT_EQ(mesh.triangles.size(), 4u) << file;
  const MeshReport report = inspectMesh(mesh);
  EXPECT_TRUE(report.closed()) << file;
  EXPECT_NEAR(report.volume, scale * scale * scale, 1e-6 * scale * scale * scale) << file;  // Assimp has floats
  Eigen::Vector3d high = mesh.vertices[0], low = mesh.vertices[0];
  for (const auto& vertex : mesh.vertices) high = high.cwiseMax(vertex), low = low.cwiseMin(vertex);
  EXPECT_LE((high - scale * Eigen::Vector3d(1, 2, 3)).norm(), 1e-6 * scale) << file;
  EXPECT_EQ(low, Eigen::Vector3d(0, 0, 0)) << file;
}

TEST(MeshFile, OfEveryFormatGivesTheSameTetrahedron) {
  const TemporaryFolder folder;
  const std::pair<const char*, std::string> files[] = {{"text.stl", textStl()},
                                                       {"Binary.STL", binaryStl()},
                                                       {"solid.stl", binaryStl("solid state of the art")},
                                                       {"t.obj", objText()},
                                                       {"t.msh", mshFile()},
                                                       {"t.ply", plyText()},
                                                       {"t.dae", daeText("1", "Z_UP")},
                                                       {"t.gltf", gltfText()}};
  for (const auto& [name, text] : files) {
    const std::string file = folder.write(name, text);
    expectTetrahedron(*loadMesh(file), file);
    EXPECT_NEAR(computeVolume(loadHull(file)), 1.0, 1e-6);
  }
}

TEST(MeshFile, IsScaledAndAMirrorTurnsItsTriangles) {
  const TemporaryFolder folder;
  const std::string file = folder.write("t.stl", textStl());
  expectTetrahedron(*loadMesh(file, Eigen::Vector3d::Constant(0.001)), file, 0.001);
  const auto mirrored = loadMesh(file, {1.0, -1.0, 1.0});
  EXPECT_GT(inspectMesh(*mirrored).volume, 0.0);
  for (const Eigen::Vector3d& bad : {Eigen::Vector3d(0, 1, 1), Eigen::Vector3d(1, std::nan(""), 1)})
    EXPECT_TRUE(contains(expectError([&] { loadMesh(file, bad); }).what(), "scale"));
}

// What rviz and Gazebo do: the unit counts, the axis that is called up does not.
TEST(DaeFile, HasItsUnitAppliedAndItsUpAxisIgnored) {
  const TemporaryFolder folder;
  for (const std::string axis : {"X_UP", "Y_UP", "Z_UP"}) {
    const std::string file = folder.write(axis + ".dae", daeText("0.01", axis));
    expectTetrahedron(*loadMesh(file), file, 0.01);
  }
}

TEST(DaeFile, HasItsNodesPlacedAndItsColourRead) {
  const TemporaryFolder folder;
  const std::string file = folder.write("t.dae", daeText("0.5", "Y_UP", "10 20 30"));
  const std::vector<MeshPart> parts = loadMeshParts(file, Eigen::Vector3d::Constant(2.0));
  ASSERT_EQ(parts.size(), 1u);
  Eigen::Vector3d low = parts[0].mesh.vertices[0];
  for (const auto& vertex : parts[0].mesh.vertices) low = low.cwiseMin(vertex);
  EXPECT_EQ(low, Eigen::Vector3d(10, 20, 30));
  ASSERT_TRUE(parts[0].rgba);
  EXPECT_LE((*parts[0].rgba - Eigen::Vector4d(0.8, 0.1, 0.2, 1.0)).norm(), 1e-6);  // floats
}

TEST(GltfFile, IsTakenAsWrittenWithItsColour) {
  const TemporaryFolder folder;
  const std::vector<MeshPart> parts = loadMeshParts(folder.write("t.gltf", gltfText()));
  ASSERT_EQ(parts.size(), 1u);
  ASSERT_TRUE(parts[0].rgba);
  EXPECT_LE((*parts[0].rgba - Eigen::Vector4d(0.1, 0.2, 0.3, 1.0)).norm(), 1e-6);
}

TEST(ObjFile, HasOnePartPerObjectOrGroupWithItsOwnVertices) {
  const TemporaryFolder folder;
  const std::vector<MeshPart> parts = loadMeshParts(folder.write("t.obj", objText()));
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[1].name, "upper part");
  EXPECT_EQ(parts[0].mesh.triangles.size(), 2u);
  EXPECT_EQ(parts[0].mesh.vertices.size(), 4u);
  EXPECT_EQ(parts[1].mesh.triangles.size(), 2u);
}

TEST(ObjFile, HasItsPolygonsCutIntoTriangles) {
  const TemporaryFolder folder;
  const auto mesh = loadMesh(folder.write("cube.obj",
                                          "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                                          "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"));
  EXPECT_EQ(mesh->triangles.size(), 12u);
  EXPECT_NEAR(inspectMesh(*mesh).volume, 1.0, 1e-15);
  EXPECT_EQ(countHull(makeHull(mesh)).faces, 6);
}

TEST(ObjFile, OfPointsAloneHasAHull) {
  const TemporaryFolder folder;
  const std::string file = folder.write("cloud.obj", "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nv .1 .1 .1\n");
  EXPECT_EQ(countHull(loadHull(file)).vertices, 4);
  EXPECT_THROW(makeTriangles(loadMesh(file)), Error);
}

TEST(MeshFile, KeepsTheDigitsOfText) {
  const TemporaryFolder folder;
  const auto mesh =
      loadMesh(folder.write("d.obj", "v 0.1 1e-320 1e-500\nv 0.1 0.2 0.30000000000000004\nv 1 1 1\nf 1 2 3\n"));
  EXPECT_EQ(mesh->vertices[1], Eigen::Vector3d(0.1, 0.2, 0.30000000000000004));
  EXPECT_EQ(mesh->vertices[0].z(), 0.0);
}

TEST(MeshFile, InUseIsNotReadAgainButAChangedOneIs) {
  const TemporaryFolder folder;
  const std::string file = folder.write("t.stl", textStl());
  const Shape first = loadHull(file), second = loadHull(file);
  EXPECT_EQ(first.polytope, second.polytope);
  EXPECT_EQ(first.mesh, loadMesh(file));
  EXPECT_NE(first.mesh, loadMesh(file, {2, 2, 2}));
  EXPECT_EQ(second.size, Eigen::Vector3d(1, 2, 3));
  folder.write("t.stl", binaryStl());
  EXPECT_NE(first.mesh, loadMesh(file));
}

void expectRefused(const std::string& name, const std::string& bytes, int line, const std::string& part) {
  const TemporaryFolder folder;
  const std::string file = folder.write(name, bytes);
  const Error error = expectError([&] { loadMesh(file); });
  EXPECT_TRUE(contains(error.what(), part)) << error.what();
  EXPECT_EQ(error.where().file, file);
  EXPECT_EQ(error.where().line, line) << error.what();
  EXPECT_FALSE(error.remedy().empty());
}

TEST(BadMeshFile, StlIsRefusedWithLineAndReason) {
  expectRefused("a.stl", "", 0, "ends before");
  expectRefused("a.stl", "solid\n", 1, "ends before");
  expectRefused("a.stl", "solid\nendsolid\n", 0, "empty");
  expectRefused("a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", 4, "fewer than three");
  expectRefused("a.stl", "solid\nfacet\nvertex 0 0 nan\n", 3, "\"nan\" is not a finite number");
  expectRefused("a.stl", "solid\nfacet\nvertex 0 0 1e999\n", 3, "1e999");
  expectRefused("a.stl", "solid\nvertex 0 0 0\n", 2, "outside of any facet");
  expectRefused("a.stl", "solid\nfacet\nfacet\n", 3, "inside another");
  expectRefused("a.stl", "solid\nfacet\nvertex 0 0 0\nendfacet\n", 4, "1 vertices");
  expectRefused("a.stl", "solid\nfacet\nvertex 0 0 0\nvertex 1 0 0\nvertex 2 0 0\nvertex 3 0 0\n", 6,
                "more than three");
  expectRefused("a.stl", "solid\nrubbish\n", 2, "rubbish");
  expectRefused("a.stl", textStl().substr(0, 300), 12, "");
}

TEST(BadMeshFile, BinaryStlIsRefusedIfItsSizeIsNotThatOfItsCount) {
  expectRefused("a.stl", binaryStl("x", 5), 0, "5 triangles has 334 bytes; this one has 284");
  expectRefused("a.stl", binaryStl("solid", 4000000000u), 0, "");
  expectRefused("a.stl", binaryStl() + "more", 0, "this one has 288");
  expectRefused("a.stl", binaryStl().substr(0, 200), 0, "this one has 200");
  expectRefused("a.stl", std::string(30, '\xff'), 0, "30 bytes");
  std::string bytes = binaryStl();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(&bytes[84 + 50 + 12], &nan, 4);
  expectRefused("a.stl", bytes, 0, "triangle 1: a coordinate is not finite");
  expectRefused("a.stl", binaryStl("x", 0).substr(0, 84), 0, "empty");
}

TEST(BadMeshFile, ObjIsRefusedWithLineAndReason) {
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  expectRefused("a.obj", "", 0, "empty");
  expectRefused("a.obj", vertices + "f 1 2 4\n", 4, "vertex 4, where 3 are listed");
  expectRefused("a.obj", vertices + "f 0 1 2\n", 4, "vertex 0");
  expectRefused("a.obj", vertices + "f -4 1 2\n", 4, "vertex -4");
  expectRefused("a.obj", vertices + "f 1 2 99999999999999999999\n", 4, "no corner");
  expectRefused("a.obj", vertices + "f 1 2 x\n", 4, "\"x\"");
  expectRefused("a.obj", vertices + "f 1 2\n", 4, "2 corners");
  expectRefused("a.obj", "v 0 0\n", 1, "fewer than three");
  expectRefused("a.obj", "v 0 0 1,5\n", 1, "1,5");
}

TEST(BadMeshFile, MshIsRefusedIfItsCountsDoNotFit) {
  expectRefused("a.msh", "", 0, "0 bytes");
  expectRefused("a.msh", mshFile(5), 0, "the file has");
  expectRefused("a.msh", mshFile(-1), 0, "below zero");
  expectRefused("a.msh", mshFile(4, 2000000000), 0, "24000000");
  std::string bytes = mshFile();
  const std::int32_t bad = 4;
  std::memcpy(&bytes[bytes.size() - 4], &bad, 4);
  expectRefused("a.msh", bytes, 0, "face 3: has the corner 4, of 4 vertices");
}

TEST(BadMeshFile, OfOtherFormatsIsRefusedToo) {
  expectRefused("a.dae", "<COLLADA>", 0, "cannot be read as a mesh");
  expectRefused("a.ply", "ply\nformat ascii 1.0\nend_header\n", 0, "");
  expectRefused("a.glb", "glTF", 0, "cannot be read as a mesh");
  expectRefused("a.txt", "hello", 0, "\".txt\" is no ending of a mesh file");
  expectRefused("a", "hello", 0, "no ending");
  const TemporaryFolder folder;
  for (const char* name : {"none.stl", "none.dae", "none.obj"})
    EXPECT_TRUE(contains(expectError([&] { loadMesh(folder(name)); }).what(), "no such file"));
  EXPECT_TRUE(contains(expectError([&] { loadMesh(folder("")); }).what(), "no ending"));
}

}  // namespace
}  // namespace rigor
