#include "rigor/error.h"

#include <gtest/gtest.h>

namespace rigor {
namespace {

TEST(Error, ReadsAsPlaceProblemAndRemedy) {
  const Error error({"arm.urdf", 48, "joint \"elbow\""}, "no axis", "Add one.");
  EXPECT_STREQ(error.what(), "arm.urdf:48: joint \"elbow\": no axis\n  Add one.");
  EXPECT_EQ(error.where().line, 48);
  EXPECT_EQ(error.problem(), "no axis");
  EXPECT_EQ(error.remedy(), "Add one.");
}

TEST(Error, LeavesOutWhatIsNotKnown) {
  EXPECT_STREQ(Error("no bodies").what(), "no bodies");
  EXPECT_STREQ(Error({"a.toml", 0, ""}, "no such file", "").what(), "a.toml: no such file");
}

TEST(Warning, ReadsAsPlaceAndMessage) {
  EXPECT_EQ((Warning{{"a.urdf", 3, "link \"l\""}, "no mass"}.text()), "a.urdf:3: link \"l\": no mass");
}

}  // namespace
}  // namespace rigor
