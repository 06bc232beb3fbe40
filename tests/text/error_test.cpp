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

TEST(Printable, ShowsControlCharactersAndLeavesAllOtherLetters) {
  EXPECT_EQ(printable("Fuß–Gelenk \"LF\""), "Fuß–Gelenk \"LF\"");
  EXPECT_EQ(printable("a\nb\x1b[31mred\x7f\t"), "a\\nb\\x1b[31mred\\x7f\\x09");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\x9b31m");  // the control sequence introducer of C1
  EXPECT_EQ(printable(std::string("nul\0", 4)), "nul\\x00");
}

TEST(Error, ShowsControlCharactersOfNamesOnOneLine) {
  const Error error({"a.urdf", 2, "link \"\x1b[2J\nfake: done\""}, "no\nmass", "Add it.");
  EXPECT_STREQ(error.what(), "a.urdf:2: link \"\\x1b[2J\\nfake: done\": no\\nmass\n  Add it.");
}

}  // namespace
}  // namespace rigor
