// Every file in tests/io/bad is refused with file, line, element, problem and remedy.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "files.h"
#include "rigor/io.h"

namespace rigor {
namespace {

struct BadFile {
  const char* name;
  int line;             // 0: the whole file is meant
  const char* element;  // of the message
  const char* problem;  // part of it

  friend void PrintTo(const BadFile& bad, std::ostream* out) { *out << bad.name; }
};

const BadFile kBadFiles[] = {
    {"broken_xml", 5, "", "broken XML"},
    {"unclosed", 7, "", "broken XML"},
    {"empty", 0, "", "empty"},
    {"not_a_robot", 1, "", "<model>, not <robot>"},
    {"mjcf", 1, "", "MJCF"},
    {"xacro", 2, "<xacro:include>", "xacro template"},
    {"no_links", 1, "<robot>", "no link"},
    {"unknown_joint_type", 8, "joint \"knee\"", "unknown joint type \"revolut\""},
    {"dangling_parent", 8, "joint \"knee\"", "parent link \"bas\" does not exist"},
    {"dangling_child", 8, "joint \"knee\"", "child link \"tipp\" does not exist"},
    {"no_parent", 8, "joint \"knee\"", "no <parent>"},
    {"cycle", 8, "joint \"a\"", "cycle"},
    {"detached_cycle", 15, "joint \"b\"", "cycle"},
    {"self_loop", 5, "joint \"a\"", "cycle"},
    {"two_parents", 19, "joint \"b\"", "already the child of joint \"a\""},
    {"two_roots", 5, "link \"tip\"", "second root"},
    {"duplicate_link", 8, "link \"tip\"", "second link of this name; the first is in line 5"},
    {"duplicate_joint", 15, "joint \"a\"", "second joint of this name"},
    {"duplicate_attribute", 5, "", "given twice"},
    {"negative_mass", 3, "link \"base\"", "below zero"},
    {"negative_inertia", 2, "link \"base\"", "negative principal moment"},
    {"nan_mass", 3, "link \"base\"", "\"nan\" is not a finite number"},
    {"inf_inertia", 3, "link \"base\"", "\"inf\" is not a finite number"},
    {"garbage_number", 3, "link \"base\"", "\"1.0abc\" is not a finite number"},
    {"comma_number", 3, "link \"base\"", "\"1,5\" is not a finite number"},
    {"overflow_number", 3, "link \"base\"", "\"1e999\" is not a finite number"},
    {"missing_mass", 3, "link \"base\"", "no <mass>"},
    {"missing_inertia_entry", 3, "link \"base\"", "has no izz"},
    {"zero_axis", 11, "joint \"knee\"", "length zero"},
    {"short_axis", 11, "joint \"knee\"", "has 2 numbers, not 3"},
    {"long_origin", 11, "joint \"knee\"", "has 4 numbers, not 3"},
    {"empty_origin", 11, "joint \"knee\"", "has 0 numbers, not 3"},
    {"lower_above_upper", 11, "joint \"knee\"", "lower limit 1.2 rad is above upper limit -0.3 rad"},
    {"negative_effort", 11, "joint \"knee\"", "effort is -1, below zero"},
    {"negative_damping", 11, "joint \"knee\"", "damping is -1, below zero"},
    {"mimic_unknown", 8, "joint \"knee\"", "does not exist"},
    {"mimic_itself", 8, "joint \"knee\"", "is itself"},
    {"negative_radius", 5, "link \"base\"", "radius is -0.1"},
    {"flat_box", 5, "link \"base\"", "not positive"},
    {"unknown_shape", 5, "link \"base\"", "unknown shape <pyramid>"},
    {"no_geometry", 4, "link \"base\"", "no <geometry>"},
    {"second_inertial", 4, "link \"base\"", "second <inertial>"},
    {"unnamed_link", 2, "link", "no name"},
    {"massless_leaf", 5, "link \"tip\"", ""},
    {"massless_root", 2, "link \"base\"", ""},
};

class BadUrdf : public testing::TestWithParam<BadFile> {};

TEST_P(BadUrdf, IsRefusedWithItsPlaceAndARemedy) {
  const std::string file = badPath(std::string(GetParam().name) + ".urdf");
  const Error error = expectError([&] { loadModel(file); });
  EXPECT_EQ(error.where().file, file);
  EXPECT_EQ(error.where().line, GetParam().line) << error.what();
  EXPECT_EQ(error.where().element, GetParam().element) << error.what();
  EXPECT_TRUE(contains(error.problem(), GetParam().problem)) << error.what();
  EXPECT_FALSE(error.remedy().empty()) << error.what();
}

INSTANTIATE_TEST_SUITE_P(Files, BadUrdf, testing::ValuesIn(kBadFiles),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(BadUrdf, EveryBadFileIsTested) {
  std::set<std::string> tested = {"triangle_inequality", "massless_frame"};  // warnings: urdf_test.cpp
  for (const BadFile& bad : kBadFiles) tested.insert(bad.name);
  for (const auto& entry : std::filesystem::directory_iterator(badPath("")))
    EXPECT_TRUE(tested.count(entry.path().stem())) << entry.path();
}

TEST(BadUrdf, MissingFileAndFolderAreNamed) {
  EXPECT_TRUE(
      contains(expectError([] { loadModel("nowhere/robot.urdf"); }).what(), "nowhere/robot.urdf: no such file"));
  EXPECT_TRUE(contains(expectError([] { loadModel(sourcePath("scenes")); }).problem(), "folder"));
  EXPECT_TRUE(contains(expectError([] { loadModel(scenePath("cube_drop.toml")); }).problem(), "scene"));
}

TEST(BadUrdf, DeepNestingIsAnErrorAndNotAStackOverflow) {
  const TemporaryFolder folder;
  std::string deep = "<robot name='r'>";
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  EXPECT_TRUE(contains(expectError([&] { loadModel(folder.write("deep.urdf", deep)); }).problem(), "broken XML"));
}

TEST(BadUrdf, ZeroBytesAndHugeFilesAreRefused) {
  const TemporaryFolder folder;
  EXPECT_TRUE(contains(
      expectError([&] { loadModel(folder.write("zero.urdf", std::string("<robot\0 name='r'/>\0", 19))); }).problem(),
      "zero bytes"));
  const Error behind =
      expectError([&] { loadModel(folder.write("behind.urdf", std::string("<robot name='r'>\n</robot>\n\0\0", 28))); });
  EXPECT_TRUE(contains(behind.problem(), "a zero byte stands behind the end of the text"));
  EXPECT_TRUE(contains(behind.remedy(), "tr -d"));
  EXPECT_EQ(behind.where().line, 3);
  const std::string huge = folder.write("huge.urdf", "");
  std::filesystem::resize_file(huge, std::uintmax_t{65} << 20);  // sparse: takes no disk
  EXPECT_TRUE(contains(expectError([&] { loadModel(huge); }).problem(), "larger than 64 MB"));
}

TEST(BadUrdf, AXacroFileIsNamedWithTheCommandThatExpandsIt) {
  const TemporaryFolder folder;
  const Error error =
      expectError([&] { loadModel(folder.write("arm.urdf.xacro", "<robot name='r'><link name='a'/></robot>")); });
  EXPECT_TRUE(contains(error.problem(), "xacro template"));
  EXPECT_TRUE(contains(error.remedy(), "xacro FILE.xacro > FILE.urdf"));
}

TEST(BadUrdf, AChainOfThousandsOfLinksDoesNotOverflowTheStack) {
  const TemporaryFolder folder;
  const int count = 20'000;
  std::string text = "<robot name='chain'>";
  for (int i = 0; i < count; ++i) {
    text += fmt::format(
        "<link name='l{}'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>", i);
    if (i > 0)
      text +=
          fmt::format("<joint name='j{0}' type='fixed'><parent link='l{1}'/><child link='l{0}'/></joint>", i, i - 1);
  }
  const Model model = loadModel(folder.write("chain.urdf", text + "</robot>"));
  EXPECT_EQ(model.bodyCount(), count);
  EXPECT_EQ(model.nv(), 6);
}

}  // namespace
}  // namespace rigor
