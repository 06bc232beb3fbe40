#include <gtest/gtest.h>

#include "files.h"
#include "rigor/io.h"

namespace rigor {
namespace {

bool meet(const Model& model, const std::string& a, const std::string& b) {
  for (int i = 0; i < static_cast<int>(model.shapes().size()); ++i)
    for (int j = 0; j < static_cast<int>(model.shapes().size()); ++j) {
      if (model.shapes()[i].body == kWorld || model.shapes()[j].body == kWorld) continue;
      if (model.body(model.shapes()[i].body).name == a && model.body(model.shapes()[j].body).name == b &&
          model.mayCollide(i, j))
        return true;
    }
  return false;
}

/// A robot of three balls on hinges; neighbours never meet, the first and the last do.
std::string threeBalls() {
  const auto link = [](const std::string& name) {
    return "<link name='" + name +
           "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
           "<collision><material name='rubber'/><geometry><sphere radius='0.1'/></geometry></collision></link>\n";
  };
  const auto joint = [](const std::string& a, const std::string& b) {
    return "<joint name='" + a + b + "' type='continuous'><parent link='" + a + "'/><child link='" + b +
           "'/><origin xyz='0 0 1'/></joint>\n";
  };
  return "<robot name='three'>\n" + link("a") + link("b") + link("c") + joint("a", "b") + joint("b", "c") +
         "</robot>\n";
}

std::string disable(const std::string& a, const std::string& b) {
  return "<robot name='three'>\n<group name='arm'/>\n<disable_collisions link1='" + a + "' link2='" + b +
         "' reason='Never'/>\n</robot>\n";
}

TEST(Srdf, DisablesCollisionsOfAModelAndOfASceneRobot) {
  const TemporaryFolder folder;
  const std::string urdf = folder.write("r.urdf", threeBalls()), srdf = folder.write("r.srdf", disable("c", "a"));
  EXPECT_TRUE(meet(loadModel(urdf), "a", "c"));
  EXPECT_FALSE(meet(loadModel(urdf, {.srdf = srdf}), "a", "c"));
  EXPECT_FALSE(meet(loadScene(urdf, {.srdf = srdf}).model, "a", "c"));
  const std::string robot = "[[robot]]\nmodel = 'r.urdf'\n";
  EXPECT_TRUE(meet(loadScene(folder.write("s.toml", robot)).model, "a", "c"));
  EXPECT_FALSE(meet(loadScene(folder.write("s.toml", robot + "srdf = 'r.srdf'\n")).model, "a", "c"));
  EXPECT_FALSE(meet(loadScene(folder.write("s.toml", robot), {.srdf = srdf}).model, "a", "c"));
  const Model two = loadScene(folder.write("s.toml", robot + "name = 'x'\nsrdf = 'r.srdf'\n" + robot +
                                                         "name = 'y'\nposition = [5, 0, 0]\n"))
                        .model;
  EXPECT_FALSE(meet(two, "x/a", "x/c"));
  EXPECT_TRUE(meet(two, "y/a", "y/c"));
}

TEST(Srdf, UnknownLinksAreWarningsWithTheirLine) {
  const TemporaryFolder folder;
  const Model model =
      loadModel(folder.write("r.urdf", threeBalls()), {.srdf = folder.write("r.srdf", disable("cc", "a"))});
  ASSERT_EQ(model.warnings().size(), 1u);
  EXPECT_EQ(model.warnings()[0].where.line, 3);
  EXPECT_TRUE(contains(model.warnings()[0].message, "no link \"cc\"")) << model.warnings()[0].message;
  EXPECT_TRUE(meet(model, "a", "c"));
}

TEST(Srdf, OtherFilesAreRefused) {
  const TemporaryFolder folder;
  const std::string urdf = folder.write("r.urdf", threeBalls());
  EXPECT_THROW(loadModel(urdf, {.srdf = folder("none.srdf")}), Error);
  EXPECT_THROW(loadModel(urdf, {.srdf = folder.write("b.srdf", "<robot")}), Error);
  EXPECT_THROW(loadModel(urdf, {.srdf = folder.write("w.srdf", "<world/>")}), Error);
  const Error error = expectError(
      [&] { loadModel(urdf, {.srdf = folder.write("n.srdf", "<robot>\n<disable_collisions link1='a'/></robot>")}); });
  EXPECT_EQ(error.where().line, 2);
  EXPECT_TRUE(contains(error.what(), "link2")) << error.what();
}

TEST(Srdf, BelongsToOneRobot) {
  const TemporaryFolder folder;
  folder.write("r.urdf", threeBalls());
  const std::string two = "[[robot]]\nmodel = 'r.urdf'\nname = 'x'\n[[robot]]\nmodel = 'r.urdf'\nname = 'y'\n";
  EXPECT_THROW(loadScene(folder.write("s.toml", two), {.srdf = folder.write("r.srdf", disable("a", "c"))}), Error);
}

TEST(UrdfMaterial, OfACollisionIsThatOfItsShapeUnlessTheSceneSaysOtherwise) {
  const TemporaryFolder folder;
  folder.write("r.urdf", threeBalls());
  const auto materials = [&](const std::string& keys) {
    std::vector<std::string> names;
    for (const ModelShape& shape :
         loadScene(folder.write("s.toml", "[[robot]]\nmodel = 'r.urdf'\n" + keys)).model.shapes())
      names.push_back(shape.material);
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(materials(""), (Names{"rubber", "rubber", "rubber"}));
  EXPECT_EQ(materials("material = 'steel'\n"), (Names{"steel", "steel", "steel"}));
  EXPECT_EQ(materials("materials = {b = 'ice'}\n"), (Names{"rubber", "ice", "rubber"}));
  EXPECT_EQ(materials("material = 'steel'\nmaterials = {c_collision = 'ice'}\n"), (Names{"steel", "steel", "ice"}));
}

}  // namespace
}  // namespace rigor
