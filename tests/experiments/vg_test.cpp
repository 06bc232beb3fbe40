// VG's experiments in their short form: the numbers that do not need the full length.
#include "experiments/vg.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "experiments/exoskeleton.h"
#include "quick_run.h"
#include "rigor/simulator.h"

namespace rigor::experiments {
namespace {

TEST(VgDrift, KeepsTheLoopClosedWhileRk4LetsItDrift) {
  const Outcome outcome = runQuickly("vg-drift");
  EXPECT_TRUE(outcome.done);
  // joints are coordinates and the loop is closed by Newton's method to rounding of lengths of 1 m
  EXPECT_LE(cellOf(outcome.table, "variational", "widest gap [m]"), 1e-12);
  // what a program of its own finds for this linkage, and sixteen times less with half the step
  EXPECT_NEAR(cellOf(outcome.table, "rk4 on accelerations", "gap at the end [m]"), 0.0364, 1e-4);
  EXPECT_EQ(outcome.verdict(), Verdict::kNotShown);  // 20 s are not 600
}

TEST(VgEnergy, BreathesUnderTheVariationalIntegratorAndGrowsUnderHeun) {
  const Outcome outcome = runQuickly("vg-energy");
  // (hω)² of what a double pendulum at up to 10 rad/s has, 20 J: 0.2 J; measured 0.12 J in an hour
  EXPECT_GT(cellOf(outcome.table, "variational", "lowest [J]"), -0.2);
  EXPECT_LT(cellOf(outcome.table, "variational", "highest [J]"), 1e-3);
  EXPECT_GT(cellOf(outcome.table, "heun", "trend [J]"), 0.0);
}

TEST(VgDamping, IsOfSecondOrderAndBetterThanThePrintedEquations) {
  const Outcome outcome = runQuickly("vg-damping");
  EXPECT_EQ(outcome.verdict(), Verdict::kHolds);
  const double coarse = cellOf(outcome.table, "0.05", "angle error [rad]"),
               fine = cellOf(outcome.table, "0.01", "angle error [rad]");
  EXPECT_NEAR(std::log(coarse / fine) / std::log(5.0), 2.0, 0.1);
  // equations by hand, with the same start and damper; a pendulum in 10 s makes little of what Newton's method leaves
  EXPECT_NEAR(fine, cellOf(outcome.table, "0.01", "second order by hand [rad]"), 1e-9);
  // known numbers of the printed equations
  EXPECT_NEAR(cellOf(outcome.table, "0.1", "as printed [rad]"), 0.246, 1e-3);
  EXPECT_NEAR(cellOf(outcome.table, "0.05", "as printed [rad]"), 0.126, 1e-3);
  EXPECT_NEAR(cellOf(outcome.table, "0.01", "as printed [rad]"), 0.026, 1e-3);
}

TEST(VgDrop, EndsOnTheGroundToRounding) {
  const Outcome outcome = runQuickly("vg-drop");
  EXPECT_EQ(outcome.verdict(), Verdict::kHolds);
  EXPECT_LE(std::fabs(cellOf(outcome.table, "rigor", "at rest [m]")), 1e-12);  // of corners 0.25 m from the centre
  EXPECT_EQ(outcome.figures.at(0).paper, 43e-6);
  EXPECT_EQ(outcome.findings.at(0).ours.find('-'), outcome.findings.at(0).ours.find("e-") + 1)
      << outcome.findings.at(0).ours;  // above or below, and no sign
}

TEST(VgStart, IsOfFirstOrderAsPrintedAndOfSecondByLegendre) {
  const Outcome outcome = runQuickly("vg-start");
  EXPECT_EQ(outcome.verdict(), Verdict::kHolds);  // both orders, of angles and of velocities
  // known numbers of both starts
  EXPECT_NEAR(cellOf(outcome.table, "0.01", "angle, VG's start [rad]"), 2.3e-3, 5e-5);
  EXPECT_NEAR(cellOf(outcome.table, "0.01", "angle, Legendre start [rad]"), 9.6e-5, 5e-7);
}

TEST(VgFourBar, PassesItsSingularPosesWithTheErrorsOfSecondOrder) {
  const Outcome outcome = runQuickly("vg-four-bar");
  EXPECT_EQ(outcome.verdict(), Verdict::kHolds);
  const double coarse = cellOf(outcome.table, "0.01", "B0 error [m]"),
               fine = cellOf(outcome.table, "0.001", "B0 error [m]");
  EXPECT_NEAR(std::log10(coarse / fine), 2.0, 0.05);
  EXPECT_LE(cellOf(outcome.table, "0.001", "widest gap [m]"), 1e-12);
}

TEST(VgScaled, ErrsAlikeAtAllScalesAndWithOrderTwo) {
  const Outcome outcome = runQuickly("vg-scaled");
  EXPECT_TRUE(outcome.done);
  EXPECT_EQ(outcome.findings.at(0).ours.find("at most"), std::string::npos) << "tells of steps that were not run";
  EXPECT_NE(outcome.findings.at(0).ours.find("were not run"), std::string::npos) << outcome.findings.at(0).ours;
  EXPECT_FALSE(outcome.findings.at(0).holds.has_value());
  for (const auto& row : outcome.table.rows) {
    if (std::get<std::string>(row.at(0)) != "100") continue;
    // nothing but the scale differs, and the equations have none
    EXPECT_NEAR(std::get<double>(row.at(4)), 2.9e-4, 1e-6) << "scale " << std::get<double>(row.at(2));
  }
}

TEST(VgScaling, IsDoneAndTellsNoLawFromFewSizes) {
  for (const char* name : {"vg-pendulums", "vg-tolerances", "vg-spheres", "vg-loops"}) {
    const Outcome outcome = runQuickly(name);
    EXPECT_TRUE(outcome.done) << name;
    EXPECT_EQ(outcome.verdict(), Verdict::kNotShown) << name;
    for (const std::string& file : outcome.files)
      EXPECT_TRUE(std::ifstream(quickRequest().folder + "/" + file)) << file;
  }
}

TEST(VgTolerances, AreReachedByPendulumsOfUpToTenLinksWithTheSameIterations) {
  const Outcome outcome = runQuickly("vg-tolerances");
  ASSERT_EQ(outcome.table.rows.size(), 2u * 3u * 4u);  // joints, tolerances, sizes
  const auto column = [&](const std::string& name) {
    return std::find(outcome.table.columns.begin(), outcome.table.columns.end(), name) - outcome.table.columns.begin();
  };
  const auto residual = column("residual"), passes = column("passes");
  for (std::size_t i = 0; i < outcome.table.rows.size(); ++i) {
    const auto& row = outcome.table.rows[i];
    // Newton's method leaves 1e-12 of the momentum; up to ten links that is at most some ten N m s. One rod has hardly any
    const double links = std::get<double>(row.at(1));
    EXPECT_LE(std::get<double>(row.at(residual)), links == 1.0 ? 1e-12 : 1e-10) << std::get<std::string>(row.at(0));
    const auto& loosest = outcome.table.rows[i / 12 * 12 + i % 4];
    EXPECT_EQ(std::get<double>(row.at(passes)), std::get<double>(loosest.at(passes)));  // it is not told the tolerance
  }
}

TEST(VgGraphs, AreSolvedAsByADenseLu) {
  const Outcome outcome = runQuickly("vg-graphs");
  EXPECT_EQ(outcome.verdict(), Verdict::kNotShown);  // small graphs show no law
  for (const auto& row : outcome.table.rows) {
    const std::string& name = std::get<std::string>(row.at(0));
    // rounding of at most 400 unknowns of 0.1; the matrices are well conditioned
    EXPECT_LE(cellOf(outcome.table, name, "error against dense"), 1e-13) << name;
    EXPECT_LE(cellOf(outcome.table, name, "residual"), 1e-13) << name;
  }
  EXPECT_EQ(cellOf(outcome.table, "net 6", "nodes"), 36.0);
}

TEST(VgExoskeleton, IsStrainedByASpasticArmAtHighGainsOnly) {
  const Outcome outcome = runQuickly("vg-exoskeleton");
  EXPECT_TRUE(outcome.done);
  const auto torque = [&](const std::string& name) { return cellOf(outcome.table, name, "largest torque [N m]"); };
  for (const std::string hinges : {"four hinges", "two hinges"}) {
    // by hand: level forearm and unit weigh (1.5 · 0.125 + 0.494 · 0.0557) · 9.81 = 2.1 N m
    EXPECT_NEAR(torque(hinges + ", high gains, healthy"), 2.1, 1.0);
    EXPECT_GT(torque(hinges + ", high gains, spastic"), torque(hinges + ", high gains, healthy") + 1.0);
  }
  for (const auto& row : outcome.table.rows)
    EXPECT_LE(std::get<double>(row.back()), 1e-11);  // cuffs: joints, not springs
}

TEST(VgExoskeleton, HasThreeHingesAcrossEachOtherAtTheShoulderAndOneAtTheElbow) {
  Scene scene = makeExoskeleton(kHealthy, 1.0, MachineHinges::kFour);
  const auto pose = [&](const char* name) {
    return Simulator(scene).pose(scene.model.joints()[scene.model.findJoint(name)].body);
  };
  const auto axis = [&](const char* name) { return Eigen::Vector3d(pose(name).rotation * Eigen::Vector3d::UnitZ()); };
  EXPECT_NEAR(axis("sAA").dot(axis("sFE")), 0.0, 1e-12);
  EXPECT_NEAR(axis("sFE").dot(axis("sIE")), 0.0, 1e-12);
  // the arm is turned about its own length, and bent across it
  const Eigen::Vector3d length = pose("eFE").position - pose("sFE").position;
  EXPECT_NEAR(axis("sIE").dot(length), 0.3087, 1e-12);
  EXPECT_NEAR(axis("eFE").dot(length), 0.0, 1e-12);
  EXPECT_EQ(listDrives(scene).size(), 4u);
}

TEST(VgExperiments, AreGivenUpWhenTheWatchAsksForIt) {
  for (const char* name : {"vg-drift", "vg-energy", "vg-pendulums", "vg-graphs", "vg-learning"})
    EXPECT_THROW(findExperiments(name).at(0)->run(quickRequest(), [](std::int64_t) { return false; }), Stopped) << name;
}

}  // namespace
}  // namespace rigor::experiments
