// LT's experiments in their short form.
#include "experiments/lt.h"

#include <gtest/gtest.h>

#include <cmath>

#include "quick_run.h"

namespace rigor::experiments {
namespace {

TEST(LtHopper, LandsAfterOneTurnWithBothMasses) {
  const Outcome outcome = runQuickly("lt-hopper");
  EXPECT_EQ(outcome.verdict(), Verdict::kHolds);
  for (const char* mass : {"1", "0.5"}) {
    EXPECT_NEAR(cellOf(outcome.table, mass, "turned then [rad]"), 2.0 * 3.14159265358979, 0.05)
        << mass;                                                                // the script's numbers aim at it
    EXPECT_GE(cellOf(outcome.table, mass, "lowest foot [m]"), -1e-12) << mass;  // rounding of 1 m
    EXPECT_GT(cellOf(outcome.table, mass, "highest foot [m]"), 1.0) << mass;    // upside down in the air
  }
}

TEST(LtQuadruped, HasItsFeetAboveTheGroundFromTheAuthorsStartOn) {
  const Outcome outcome = runQuickly("lt-quadruped");
  EXPECT_TRUE(outcome.done);
  EXPECT_EQ(outcome.verdict(), Verdict::kNotShown);  // one second is not ten
  for (const char* foot : {"FR", "FL", "RR", "RL"}) {
    EXPECT_GE(cellOf(outcome.table, foot, "lowest [m]"), -1e-12);  // rounding of 0.2 m
    // touches: with a pose or joint at the wrong place one of them would hang in the air
    EXPECT_LE(cellOf(outcome.table, foot, "lowest [m]"), 1e-9);
  }
}

TEST(LtScaling, IsDoneWithHardContactAndTellsNoLawFromFewSizes) {
  for (const char* name : {"lt-contacts", "lt-chain"}) {
    const Outcome outcome = runQuickly(name);
    EXPECT_TRUE(outcome.done) << name;
    EXPECT_EQ(outcome.verdict(), Verdict::kNotShown) << name;
    double contacts = 0.0;
    for (const auto& row : outcome.table.rows) contacts = std::max(contacts, std::get<double>(row.at(4)));
    EXPECT_GE(contacts, 2.0) << name << ": nothing touched";
  }
}

}  // namespace
}  // namespace rigor::experiments
