// Meshes and looks of URDF robots: where files are found, what collides, what is drawn, what is told.
#include <gtest/gtest.h>

#include <cstdlib>

#include "files.h"
#include "io/mesh/find_mesh.h"
#include "mesh_texts.h"
#include "rigor/io.h"

namespace rigor {
namespace {

/// A robot of one link with this inside.
std::string robotText(const std::string& inside) {
  return "<robot name='r'>\n<material name='blue'><color rgba='0 0 1 1'/></material>\n<link name='a'>\n"
         "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>\n" +
         inside + "\n</link></robot>\n";
}

std::string collision(const std::string& geometry) {
  return "<collision><origin xyz='1 2 3'/><geometry>" + geometry + "</geometry></collision>\n";
}

std::string visual(const std::string& geometry, const std::string& material = "") {
  return "<visual><geometry>" + geometry + "</geometry>" + material + "</visual>\n";
}

class MeshFolder : public TemporaryFolder {
 public:
  using TemporaryFolder::write;
  std::string write(const std::string& folder, const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((*this)(folder));
    return TemporaryFolder::write(folder + "/" + name, text);
  }
};

TEST(UrdfMesh, CollidesAsItsHullWithScaleAndOrigin) {
  const MeshFolder folder;
  folder.write("t.stl", textStl());
  const Model model = loadModel(folder.write("r.urdf", robotText(collision("<mesh filename='t.stl' scale='2 1 1'/>"))));
  ASSERT_EQ(model.shapes().size(), 1u);
  const ModelShape& shape = model.shapes()[0];
  EXPECT_EQ(shape.shape.kind, ShapeKind::kHull);
  EXPECT_NEAR(computeVolume(shape.shape), 2.0, 1e-15);
  EXPECT_EQ(shape.X_BS.position, Eigen::Vector3d(1, 2, 3));
  EXPECT_TRUE(model.warnings().empty());
  EXPECT_TRUE(model.body(0).visuals.empty());
}

TEST(UrdfMesh, OfOneFileAndScaleIsSharedByAllShapes) {
  const MeshFolder folder;
  folder.write("t.stl", textStl());
  const std::string one = collision("<mesh filename='t.stl'/>");
  const Model model = loadModel(folder.write("r.urdf", robotText(one + one)));
  ASSERT_EQ(model.shapes().size(), 2u);
  EXPECT_EQ(model.shapes()[0].shape.polytope, model.shapes()[1].shape.polytope);
}

// An angle profile: two legs of 1 × 0.1, so the hull is about three times as large.
TEST(UrdfMesh, WhoseHullIsMuchLargerIsTold) {
  const MeshFolder folder;
  folder.write(
      "l.obj",
      "v 0 0 0\nv 1 0 0\nv 1 .1 0\nv .1 .1 0\nv .1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 .1 1\nv .1 .1 1\nv .1 1 1\n"
      "v 0 1 1\nf 4 3 2 1\nf 6 5 4 1\nf 7 8 9 10\nf 7 10 11 12\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\n"
      "f 5 6 12 11\nf 6 1 7 12\n");
  const Model model = loadModel(folder.write("r.urdf", robotText(collision("<mesh filename='l.obj'/>"))));
  ASSERT_EQ(model.warnings().size(), 1u);
  EXPECT_TRUE(contains(model.warnings()[0].message, "\"l.obj\" collides as its hull, which is 213 % larger"))
      << model.warnings()[0].message;  // 0.595 / 0.19 m³
  EXPECT_EQ(model.shapes().size(), 1u);
}

TEST(UrdfMesh, ThatCannotBeReadIsLeftOutWithItsFileLineAndReason) {
  const MeshFolder folder;
  folder.write("bad.obj", "v 0 0 0\nf 1 2 3\n");
  folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  folder.write("notes.txt", "no mesh");
  const std::pair<const char*, const char*> cases[] = {{"bad.obj", "where 1 are listed"},
                                                       {"flat.obj", "in one plane"},
                                                       {"none.dae", "is not there"},
                                                       {"notes.txt", "no ending"}};
  for (const auto& [name, reason] : cases) {
    const std::string file =
        folder.write("r.urdf", robotText(collision("<mesh filename='" + std::string(name) + "'/>")));
    const Model model = loadModel(file);
    EXPECT_TRUE(model.shapes().empty()) << name;
    ASSERT_EQ(model.body(0).missing_shapes.size(), 1u) << name;
    ASSERT_EQ(model.warnings().size(), 1u) << name;
    EXPECT_TRUE(contains(model.warnings()[0].message, reason)) << model.warnings()[0].message;
    EXPECT_TRUE(contains(model.warnings()[0].message, folder(name))) << model.warnings()[0].message;
    EXPECT_EQ(model.warnings()[0].where.line, 5);
    EXPECT_THROW(loadModel(file, {.strict = true}), Error);
  }
}

TEST(UrdfMesh, IsFoundInItsPackageAboveTheModelOrWhereTheUserSays) {
  const MeshFolder folder;
  const std::string mesh = folder.write("ws/robot_description/meshes", "t.stl", textStl());
  const std::string urdf = folder.write("ws/robot_description/urdf", "r.urdf", "");
  const std::string far = folder.write("elsewhere", "r.urdf", "");
  const auto found = [&](const std::string& name, const std::string& model, std::vector<std::string> path = {}) {
    return findMesh(name, model, path).file.value_or("");
  };
  const std::string uri = "package://robot_description/meshes/t.stl";
  EXPECT_EQ(found(uri, urdf), mesh);
  EXPECT_EQ(found("model://robot_description/meshes/t.stl", urdf), mesh);
  EXPECT_EQ(found("package://other_name/meshes/t.stl", urdf), mesh);
  EXPECT_EQ(found("../meshes/t.stl", urdf), mesh);
  EXPECT_EQ(found("meshes\\t.stl", urdf), mesh);
  EXPECT_EQ(found("file://" + mesh, far), mesh);
  EXPECT_EQ(found(mesh, far), mesh);
  EXPECT_EQ(found(uri, far), "");
  EXPECT_EQ(found(uri, far, {folder("ws")}), mesh);
  EXPECT_EQ(found(uri, far, {folder("ws/robot_description")}), mesh);
  EXPECT_EQ(found(uri, far, {folder("ws/robot_description/")}), mesh);
  ASSERT_EQ(setenv("ROS_PACKAGE_PATH", ("/nowhere:" + folder("ws")).c_str(), 1), 0);
  EXPECT_EQ(found(uri, far), mesh);
  unsetenv("ROS_PACKAGE_PATH");
  EXPECT_EQ(found("http://example.org/t.stl", urdf), "");
  EXPECT_EQ(found("", urdf), "");
  EXPECT_EQ(found("package://", urdf), "");
  EXPECT_EQ(found("mes%68es/t.stl", urdf), mesh);
}

TEST(UrdfMesh, ThatIsNotFoundNamesThePlacesSearched) {
  const MeshSearch search = findMesh("package://p/m.stl", "/a/b/r.urdf", {"/c"});
  EXPECT_FALSE(search.file);
  const std::vector<std::string> first = {"/c/p/m.stl", "/a/b/p/m.stl", "/a/p/m.stl", "/p/m.stl", "/a/b/m.stl"};
  ASSERT_GE(search.tried.size(), first.size());
  EXPECT_TRUE(std::equal(first.begin(), first.end(), search.tried.begin()));
  EXPECT_TRUE(contains(search.placesText(), "/c/p/m.stl, /a/b/p/m.stl"));
}

TEST(UrdfVisual, IsReadOnlyWhereItIsAskedFor) {
  const MeshFolder folder;
  const std::string file = folder.write("r.urdf", robotText(visual("<sphere radius='1'/>")));
  EXPECT_TRUE(loadModel(file).body(0).visuals.empty());
  ASSERT_EQ(loadModel(file, {.visuals = true}).body(0).visuals.size(), 1u);
}

TEST(UrdfVisual, HasTheColourOfItsFileElseOfItsMaterial) {
  const MeshFolder folder;
  folder.write("t.stl", textStl());
  folder.write("t.dae", daeText("1", "Z_UP"));
  const std::string blue = "<material name='blue'/>", green = "<material name='g'><color rgba='0 1 0 0.5'/></material>";
  const Model model = loadModel(
      folder.write("r.urdf",
                   robotText(visual("<mesh filename='t.stl'/>", blue) + visual("<mesh filename='t.dae'/>", blue) +
                             visual("<cylinder radius='1' length='2'/>", green) + visual("<box size='1 1 1'/>"))),
      {.visuals = true});
  const std::vector<VisualSpec>& visuals = model.body(0).visuals;
  ASSERT_EQ(visuals.size(), 4u);
  EXPECT_EQ(visuals[0].name, "a_visual");
  EXPECT_EQ(visuals[0].shape.kind, ShapeKind::kTriangles);
  EXPECT_EQ(visuals[0].shape.mesh->triangles.size(), 4u);
  EXPECT_EQ(visuals[0].shape.size, Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(visuals[0].rgba, Eigen::Vector4d(0, 0, 1, 1));
  EXPECT_LE((visuals[1].rgba - Eigen::Vector4d(0.8, 0.1, 0.2, 1.0)).norm(), 1e-6);  // floats
  EXPECT_EQ(visuals[2].rgba, Eigen::Vector4d(0, 1, 0, 0.5));
  EXPECT_EQ(visuals[3].rgba, VisualSpec{}.rgba);
  EXPECT_TRUE(model.warnings().empty());
}

TEST(UrdfVisual, ThatCannotBeReadIsToldAndChangesNoMotion) {
  const MeshFolder folder;
  const Model model = loadModel(folder.write("r.urdf", robotText(visual("<mesh filename='none.dae'/>") +
                                                                 visual("<sphere radius='-1'/>") + visual(""))),
                                {.visuals = true});
  EXPECT_TRUE(model.body(0).visuals.empty());
  ASSERT_EQ(model.warnings().size(), 3u);
  for (const Warning& warning : model.warnings()) {
    EXPECT_FALSE(warning.changes_motion);
    EXPECT_TRUE(contains(warning.message, "not drawn")) << warning.message;
  }
}

}  // namespace
}  // namespace rigor
