// Mesh files with random damage are read or refused; what is read has a hull, or a reason why not.
#include "damage.h"
#include "mesh_texts.h"
#include "rigor/io.h"

namespace rigor {
namespace {

/// Everything that happens to a mesh on its way into a model.
void useMesh(const std::string& file) {
  const auto mesh = loadMesh(file);
  inspectMesh(*mesh);
  computeMassProperties(makeHull(mesh), 1.0);
  makeTriangles(mesh);
}

TEST(DamagedMesh, OfStlIsReadOrRefused) {
  const TemporaryFolder folder;
  expectErrorOrSuccess(textStl(), "text.stl", 3000, folder, useMesh);
  expectErrorOrSuccess(binaryStl(), "binary.stl", 3000, folder, useMesh);
  expectErrorOrSuccess(binaryStl("solid"), "solid.stl", 3000, folder, useMesh);
}

TEST(DamagedMesh, OfObjIsReadOrRefused) {
  const TemporaryFolder folder;
  expectErrorOrSuccess(objText(), "t.obj", 3000, folder, useMesh);
}

TEST(DamagedMesh, OfMshIsReadOrRefused) {
  const TemporaryFolder folder;
  expectErrorOrSuccess(mshFile(), "t.msh", 3000, folder, useMesh);
}

// Assimp crashes on some of these, in a process of its own.
TEST(DamagedMesh, OfDaeGltfAndPlyIsReadOrRefused) {
  const TemporaryFolder folder;
  expectErrorOrSuccess(daeText("1", "Z_UP"), "t.dae", 60, folder, useMesh);
  expectErrorOrSuccess(gltfText(), "t.gltf", 60, folder, useMesh);
}

}  // namespace
}  // namespace rigor
