#include <gtest/gtest.h>

#include <cmath>

#include "files.h"
#include "rigor/io.h"

namespace rigor {
namespace {

const std::string kMass = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";

// A robot of a base and one more link that hangs on it.
Model loadPair(const std::string& joint_type, const std::string& inside, const LoadOptions& options = {}) {
  const TemporaryFolder folder;
  return loadModel(
      folder.write("pair.urdf", "<robot name='pair'>\n<link name='base'>" + kMass + "</link>\n" + "<link name='tip'>" +
                                    kMass + "</link>\n<joint name='j' type='" + joint_type +
                                    "'><parent link='base'/><child link='tip'/>" + inside + "</joint>\n</robot>"),
      options);
}

TEST(Urdf, ReadsEveryJointType) {
  const std::pair<const char*, JointType> types[] = {{"fixed", kFixed},      {"revolute", kHinge},
                                                     {"continuous", kHinge}, {"prismatic", kSlide},
                                                     {"floating", kFree},    {"planar", kPlanar}};
  for (const auto& [name, type] : types) {
    const Model model =
        loadPair(name, "<limit lower='-1' upper='2' effort='3' velocity='4'/>", {.base = BaseKind::kFixed});
    EXPECT_EQ(model.body(1).joint.type, type) << name;
    const bool bounded = std::string(name) == "revolute" || std::string(name) == "prismatic";
    EXPECT_EQ(model.body(1).joint.range.has_value(), bounded) << name;
  }
}

TEST(Urdf, ReadsLimitsDynamicsAxisAndOrigin) {
  const Model model = loadPair("revolute",
                               "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><axis xyz='0 0 2'/>"
                               "<limit lower='-1' upper='2' effort='3' velocity='4'/>"
                               "<dynamics damping='0.5' friction='0.25'/>");
  const JointSpec& joint = model.body(1).joint;
  EXPECT_EQ(joint.range->lower, -1.0);
  EXPECT_EQ(joint.range->upper, 2.0);
  EXPECT_EQ(joint.effort, 3.0);
  EXPECT_EQ(joint.speed, 4.0);
  EXPECT_EQ(joint.damping, 0.5);
  EXPECT_EQ(joint.dry_friction, 0.25);
  EXPECT_EQ(joint.axis, Eigen::Vector3d::UnitZ());
  EXPECT_EQ(joint.X_PJ.position, Eigen::Vector3d(1, 2, 3));
  // a quarter turn about z takes x to y, up to the rounding of cos(pi/2)
  EXPECT_LT((joint.X_PJ.rotation * Eigen::Vector3d::UnitX() - Eigen::Vector3d::UnitY()).norm(), 1e-15);
}

TEST(Urdf, TurnsTheInertiaByTheRollPitchYawOfItsOrigin) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("turned.urdf",
                   "<robot name='r'><link name='a'><inertial><origin xyz='0 0 1' rpy='0.3 -0.2 0.7'/>"
                   "<mass value='2'/><inertia ixx='1' iyy='2' izz='2.5'/></inertial></link></robot>");
  const Eigen::Matrix3d R =
      (Eigen::AngleAxisd(0.7, Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(-0.2, Eigen::Vector3d::UnitY()) *
       Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitX()))
          .toRotationMatrix();
  const Eigen::Matrix3d expected = R * Eigen::Vector3d(1, 2, 2.5).asDiagonal() * R.transpose();
  const Model model = loadModel(file);
  EXPECT_LT((model.body(0).mass.inertia - expected).norm(), 1e-15);  // rounding of products of size 1
  EXPECT_EQ(model.body(0).mass.com, Eigen::Vector3d(0, 0, 1));
}

TEST(Urdf, RootCalledWorldIsFixedAndOthersAreFree) {
  EXPECT_EQ(loadPair("continuous", "").nv(), 7);
  EXPECT_EQ(loadPair("continuous", "", {.base = BaseKind::kFixed}).nv(), 1);
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "world.urdf",
      "<robot name='r'><link name='world'/><link name='arm'>" + kMass +
          "</link><joint name='j' type='continuous'><parent link='world'/><child link='arm'/></joint></robot>");
  EXPECT_EQ(loadModel(file).nv(), 1);
  EXPECT_EQ(loadModel(file).body(0).name, "world");
  EXPECT_TRUE(contains(expectError([&] { loadModel(file, {.base = BaseKind::kFree}); }).problem(), "cannot be free"));
}

TEST(Urdf, OrdersBodiesDepthFirstInFileOrder) {
  const TemporaryFolder folder;
  const auto link = [](const std::string& name) { return "<link name='" + name + "'>" + kMass + "</link>"; };
  const auto joint = [](const std::string& parent, const std::string& child) {
    return "<joint name='to_" + child + "' type='continuous'><parent link='" + parent + "'/><child link='" + child +
           "'/></joint>";
  };
  const Model model = loadModel(folder.write(
      "tree.urdf", "<robot name='r'>" + link("c") + link("b2") + link("a") + link("b1") + link("root") +
                       joint("root", "b1") + joint("b1", "c") + joint("root", "a") + joint("b1", "b2") + "</robot>"));
  std::string order;
  for (int body = 0; body < model.bodyCount(); ++body) order += model.body(body).name + " ";
  EXPECT_EQ(order, "root b1 c b2 a ");
}

TEST(Urdf, PlacesTheRootAndPrefixesEveryName) {
  ModelBuilder builder;
  const Pose X_WR{{1, 2, 3}, Eigen::Quaterniond(0.6, 0.8, 0, 0)};
  const int first = addUrdf(scenePath("anymal.urdf"), {}, {}, "one/", builder);
  const int second = addUrdf(scenePath("anymal.urdf"), {}, X_WR, "two/", builder);
  const Model model = builder.build();
  EXPECT_EQ(first, 0);
  EXPECT_EQ(second, 17);
  EXPECT_EQ(model.findBody("two/LF_HIP"), 18);
  EXPECT_EQ(model.findJoint("two/LF_HAA"), 14);  // 13 joints of the first robot, then the second's base
  EXPECT_EQ(model.q0().segment<3>(model.qIndex(17)), Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(model.q0()[model.qIndex(17) + 4], 0.8);
  EXPECT_EQ(model.shapes()[5].name, "two/torso");
}

TEST(Urdf, ReadsEveryShapeAndWarnsOfAMeshThatIsNotThere) {
  const TemporaryFolder folder;
  const auto collision = [](const std::string& shape) {
    return "<collision><geometry>" + shape + "</geometry></collision>\n";
  };
  const Model model = loadModel(folder.write(
      "shapes.urdf", "<robot name='r'>\n<link name='a'>\n" + kMass + "\n" + collision("<sphere radius='0.1'/>") +
                         collision("<box size='1 2 3'/>") + collision("<capsule radius='0.1' length='2'/>") +
                         collision("<cylinder radius='0.1' length='2'/>") + collision("<mesh filename='a.stl'/>") +
                         "</link></robot>"));
  ASSERT_EQ(model.shapes().size(), 4u);
  EXPECT_EQ(model.shapes()[0].name, "a_collision");
  EXPECT_EQ(model.shapes()[1].name, "a_collision_2");
  EXPECT_EQ(model.shapes()[1].shape.size, Eigen::Vector3d(0.5, 1.0, 1.5));
  EXPECT_EQ(model.shapes()[2].shape.size[1], 1.0);
  EXPECT_EQ(model.shapes()[3].shape.kind, ShapeKind::kCylinder);
  EXPECT_EQ(model.shapes()[3].shape.size, Eigen::Vector3d(0.1, 1.0, 0.0));
  ASSERT_EQ(model.body(0).missing_shapes.size(), 1u);
  EXPECT_EQ(model.body(0).missing_shapes[0].name, "a_collision_5");
  ASSERT_EQ(model.warnings().size(), 1u);
  EXPECT_EQ(model.warnings()[0].where.line, 8);
  EXPECT_EQ(model.warnings()[0].where.element, "link \"a\"");
  EXPECT_TRUE(model.warnings()[0].changes_motion);
  EXPECT_TRUE(contains(model.warnings()[0].message, folder("a.stl"))) << model.warnings()[0].message;
}

TEST(Urdf, KeepsMimicAndTiesTheJointToItsLeader) {
  const TemporaryFolder folder;
  std::string text = readText(scenePath("anymal.urdf"));
  const std::string axis = "<axis xyz=\"1 0 0\"/>";
  text.replace(text.rfind(axis), axis.size(), axis + "<mimic joint=\"LF_HAA\" multiplier=\"-1\" offset=\"0.5\"/>");
  const Model model = loadModel(folder.write("mimic.urdf", text));
  const JointSpec& joint = model.joints()[model.findJoint("RH_HAA")].spec;
  ASSERT_TRUE(joint.mimic.has_value());
  EXPECT_EQ(joint.mimic->joint, "LF_HAA");
  EXPECT_EQ(joint.mimic->multiplier, -1.0);
  EXPECT_EQ(joint.mimic->offset, 0.5);
  ASSERT_EQ(model.loops().size(), 1u);
  EXPECT_EQ(model.loops()[0].joint_1, "RH_HAA");
  EXPECT_EQ(model.loops()[0].joint_2, "LF_HAA");
  EXPECT_EQ(model.loops()[0].coefficients, (std::array<double, 5>{0.5, -1.0, 0.0, 0.0, 0.0}));
  for (const Warning& warning : model.warnings()) EXPECT_FALSE(contains(warning.message, "mimic")) << warning.text();
}

// PR2's gripper: a follower runs backwards but has the range of its leader, so neither could leave zero.
TEST(Urdf, LeavesOutTheRangeOfAFollowerThatWouldPinItsLeader) {
  const TemporaryFolder folder;
  const auto finger = [](const std::string& name, const std::string& mimic) {
    return "<link name='" + name + "'>" + kMass + "</link><joint name='" + name +
           "_joint' type='revolute'><parent link='palm'/><child link='" + name +
           "'/><axis xyz='0 0 1'/><limit lower='0' upper='0.5' effort='1' velocity='1'/>" + mimic + "</joint>\n";
  };
  const std::string file = folder.write(
      "gripper.urdf", "<robot name='gripper'>\n<link name='palm'>" + kMass + "</link>\n" + finger("left", "") +
                          finger("back", "<mimic joint='left_joint' multiplier='-1'/>") +
                          finger("right", "<mimic joint='left_joint' multiplier='0.5' offset='0.1'/>") + "</robot>\n");
  const Model model = loadModel(file);
  EXPECT_FALSE(model.joints()[model.findJoint("back_joint")].spec.range.has_value());
  EXPECT_TRUE(model.joints()[model.findJoint("right_joint")].spec.range.has_value());  // 0.1 … 0.35 is within it
  ASSERT_EQ(model.warnings().size(), 1u);
  EXPECT_EQ(model.warnings()[0].where.line, 4);
  EXPECT_TRUE(model.warnings()[0].changes_motion);
  EXPECT_TRUE(contains(model.warnings()[0].message, "\"left_joint\"")) << model.warnings()[0].message;
}

TEST(Urdf, IsSilentAboutColoursAndTransmissionsAndWarnsOfEverythingElse) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "extras.urdf",
      "<robot name='r' xmlns:x='y'>\n<material name='red'><color rgba='1 0 0 1'/></material>\n"
      "<transmission name='t'><type>simple</type></transmission>\n<gazebo "
      "reference='a'><material>Red</material></gazebo>\n"
      "<gazebo reference='a'><mu1>0.2</mu1></gazebo><gazebo><plugin/></gazebo>\n<link name='a'>" +
          kMass +
          "<visual><geometry><mesh filename='a.dae'/></geometry></visual>\n<contact_coefficients mu='0.2'/></link>\n"
          "<spring_damper/></robot>");
  const Model model = loadModel(file);
  ASSERT_EQ(model.warnings().size(), 3u);
  EXPECT_EQ(model.warnings()[0].where.line, 7);
  EXPECT_EQ(model.warnings()[1].where.line, 8);
  EXPECT_EQ(model.warnings()[2].where.line, 5);  // all settings for Gazebo in one, with their number
  EXPECT_TRUE(contains(model.warnings()[2].message, "not read, here and in 1 other")) << model.warnings()[2].message;
  const Error error = expectError([&] { loadModel(file, {.strict = true}); });
  EXPECT_EQ(error.where().line, 7);
}

TEST(Urdf, SloppyMassesAreWarningsAndErrorsUnderStrict) {
  const std::string file = badPath("triangle_inequality.urdf");
  const Model model = loadModel(file);
  ASSERT_EQ(model.warnings().size(), 1u);
  EXPECT_GT(model.warnings()[0].where.line, 0);
  EXPECT_EQ(expectError([&] { loadModel(file, {.strict = true}); }).where().line, model.warnings()[0].where.line);
}

// A frame for a camera is nothing to correct; a link with a shape and no mass is.
TEST(Urdf, FramesWithoutMassAreNoticesThatStrictLetsPass) {
  const std::string frame = badPath("massless_frame.urdf");
  ASSERT_EQ(loadModel(frame, {.strict = true}).warnings().size(), 1u);
  EXPECT_EQ(loadModel(frame).warnings()[0].kind, WarningKind::kNotice);
  const TemporaryFolder folder;
  const auto robot = [&](const std::string& tip) {
    return folder.write("r.urdf", "<robot name='r'><link name='a'>" + kMass + "</link><link name='tip'>" + tip +
                                      "</link><joint name='j' type='fixed' dont_collapse='true'><parent link='a'/>"
                                      "<child link='tip'/></joint></robot>");
  };
  EXPECT_NO_THROW(loadModel(robot(""), {.strict = true}));
  const Error error = expectError([&] {
    loadModel(robot("<collision><geometry><sphere radius='0.1'/></geometry></collision>"), {.strict = true});
  });
  EXPECT_TRUE(contains(error.what(), "has no mass")) << error.what();
}

}  // namespace
}  // namespace rigor
