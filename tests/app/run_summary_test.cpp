// The summary is only arithmetic on reports, so the reports here are invented: each number has a known answer.
#include "rigor/run_summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/allocation_counter.h"

namespace rigor {
namespace {

constexpr double kStep = 1e-3;  // [s]

StepReport quietStep(std::int64_t index) {
  StepReport report;
  report.index = index;
  report.dt = kStep;
  report.time = static_cast<double>(index) * kStep;
  report.passes = 1;
  return report;
}

Contact contactOf(std::uint64_t id, ContactMode mode, const Eigen::Vector3d& slip) {
  Contact contact;
  contact.id = {0, id};
  contact.mode = mode;
  contact.slip = slip;
  contact.point = contact.normal = contact.impulse = Eigen::Vector3d::Zero();
  return contact;
}

TEST(RunSummary, CountsAcceptedRefusedAndSplitSteps) {
  RunSummary summary;
  for (int i = 0; i < 10; ++i) {
    StepReport report = quietStep(i);
    if (i == 4) report.substeps = 4;
    if (i == 9) report.status = StepStatus::kNotSolved;
    summary.add(report);
  }
  EXPECT_EQ(summary.steps, 10);
  EXPECT_EQ(summary.accepted(), 9);
  EXPECT_EQ(summary.failed_steps, 1);
  EXPECT_EQ(summary.substeps, 4);
  EXPECT_DOUBLE_EQ(summary.simTime(), 0.009);
}

TEST(RunSummary, GivesMeansAndExtremesOfAcceptedStepsOnly) {
  RunSummary summary;
  StepReport report = quietStep(0);
  report.iterations = 2, report.passes = 1, report.law = 3e-13, report.penetration = 1e-12, report.floor = 1e-15;
  summary.add(report);
  report.iterations = 8, report.passes = 3, report.equation = 2e-14, report.step = 7e-12, report.law = 1e-13;
  summary.add(report);
  report.status = StepStatus::kNotConverged;
  report.iterations = 500, report.law = 1.0, report.penetration = 1.0;
  summary.add(report);
  EXPECT_EQ(summary.meanIterations(), 5.0);
  EXPECT_EQ(summary.iterations_max, 8);
  EXPECT_EQ(summary.meanPasses(), 2.0);
  EXPECT_EQ(summary.passes_max, 3);
  EXPECT_EQ(summary.law, 3e-13);
  EXPECT_EQ(summary.equation, 2e-14);
  EXPECT_EQ(summary.step, 7e-12);
  EXPECT_EQ(summary.floor_max, 1e-15);
  EXPECT_EQ(summary.penetration_max, 1e-12);
}

TEST(RunSummary, TakesTheEnergyOfTheFirstAndTheLastAcceptedNode) {
  RunSummary summary;
  for (int i = 0; i < 4; ++i) {
    StepReport report = quietStep(i);
    report.kinetic = 10.0 - i, report.potential = 100.0;
    if (i == 3) report.status = StepStatus::kNotFinite, report.kinetic = std::numeric_limits<double>::quiet_NaN();
    summary.add(report);
  }
  EXPECT_EQ(summary.energy_start, 110.0);
  EXPECT_EQ(summary.energy_end, 108.0);
}

TEST(RunSummary, DividesPhaseTimesByTheSteps) {
  RunSummary summary;
  for (int i = 0; i < 4; ++i) {
    StepReport report = quietStep(i);
    report.nanoseconds.solve = 1500.0;
    summary.add(report);
  }
  summary.step_time = 8e-6;
  EXPECT_DOUBLE_EQ(summary.microsecondsPerStep(), 2.0);
  EXPECT_DOUBLE_EQ(summary.microsecondsPerStep(&PhaseTimes::solve), 1.5);
  EXPECT_EQ(summary.microsecondsPerStep(&PhaseTimes::collide), 0.0);
}

TEST(RunSummary, CountsTheStageThatDecidedEachStepWithContact) {
  RunSummary summary;
  for (int i = 0; i < 6; ++i) {
    StepReport report = quietStep(i);
    report.stage = i == 0 ? "" : (i < 4 ? "sets" : "newton");
    summary.add(report);
  }
  ASSERT_EQ(summary.stages.size(), 2u);
  EXPECT_EQ(summary.stages[0].name, "sets");
  EXPECT_EQ(summary.stages[0].steps, 3);
  EXPECT_EQ(summary.stages[1].name, "newton");
  EXPECT_EQ(summary.stages[1].steps, 2);
}

TEST(RunSummary, NeverHidesANotANumberBehindALaterGoodStep) {
  RunSummary summary;
  StepReport report = quietStep(0);
  report.law = std::numeric_limits<double>::quiet_NaN();
  summary.add(report);
  report.law = 1e-13;
  summary.add(report);
  EXPECT_TRUE(std::isnan(summary.law));
}

TEST(RunSummary, HasFiniteNumbersBeforeTheFirstStep) {
  const RunSummary summary;
  EXPECT_EQ(summary.meanIterations(), 0.0);
  EXPECT_EQ(summary.microsecondsPerStep(), 0.0);
  EXPECT_EQ(summary.sticking.creep().contacts, 0);
  EXPECT_EQ(summary.text().find("nan"), std::string::npos);
}

TEST(RunSummary, SaysTheVerdictInSixLines) {
  RunSummary summary;
  StepReport report = quietStep(0);
  report.penetration = 2.5e-12;
  summary.add(report);
  const std::string text = summary.text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
  EXPECT_NE(text.find("2.5e-12 m"), std::string::npos) << text;
  EXPECT_NE(text.find("0 of 1"), std::string::npos) << text;
}

TEST(RunSummary, TellsOfStepsThatOnlyTheRoundingFloorExcused) {
  RunSummary summary;
  for (int i = 0; i < 5; ++i) {
    StepReport report = quietStep(i);
    if (i == 2) report.by_floor = true, report.law = 2.5e-11, report.floor = 4e-9;
    report.position_rounding = 1e-15;
    summary.add(report);
  }
  EXPECT_EQ(summary.accepted_by_floor, 1);
  EXPECT_NE(summary.text().find("2.5e-11, the limit is 1e-10; 1 step above it, 4e-09 at most, excused by the rounding"),
            std::string::npos)
      << summary.text();
  EXPECT_EQ(summary.text().find("far from the origin"), std::string::npos) << summary.text();
}

TEST(RunSummary, TellsPositionsThatAreKnownToNoMoreThanAStepMayLeave) {
  RunSummary summary;
  StepReport report = quietStep(0);
  report.position_rounding = 1e-9;
  summary.add(report);
  EXPECT_EQ(summary.accepted_by_floor, 0);
  EXPECT_NE(summary.text().find("positions of contacts are known to 1e-09 m only"), std::string::npos)
      << summary.text();
}

TEST(RunSummary, AddsImpactsAndKeepsTheStrongestGuardAndTheLargestGain) {
  RunSummary summary;
  for (int i = 0; i < 3; ++i) {
    StepReport report = quietStep(i);
    report.impacts = i, report.theta = i == 1 ? 0.83 : 1.0, report.energy_gain = i == 1 ? 1e-9 : 0.0;
    summary.add(report);
  }
  EXPECT_EQ(summary.impacts, 3);
  EXPECT_EQ(summary.theta_min, 0.83);
  EXPECT_EQ(summary.energy_gain_max, 1e-9);
  EXPECT_NE(summary.text().find("energy guard"), std::string::npos);
}

TEST(RunSummary, RemembersTheFirstRefusedStep) {
  RunSummary summary;
  for (int i = 0; i < 5; ++i) {
    StepReport report = quietStep(i);
    if (i >= 2) report.status = StepStatus::kNotConverged, report.stage = "newton", report.step = 1e-3 * i;
    summary.add(report);
  }
  ASSERT_TRUE(summary.first_failure);
  EXPECT_EQ(summary.first_failure->step, 2);
  EXPECT_EQ(summary.first_failure->status, StepStatus::kNotConverged);
  EXPECT_EQ(summary.first_failure->stage, "newton");
  EXPECT_EQ(summary.first_failure->residual, 2e-3);
}

TEST(RunSummary, SaysNothingAboutAMotionThatNeverBegan) {
  RunSummary summary;
  StepReport report = quietStep(0);
  report.status = StepStatus::kTooFast;
  summary.add(report);
  EXPECT_EQ(summary.text(), "  failed steps         1 of 1");
}

TEST(ContactEvents, CountWhatBeginsAndWhatEnds) {
  using enum ContactMode;
  ContactEvents events;
  const auto step = [&](std::vector<std::pair<int, ContactMode>> modes) {
    std::vector<Contact> contacts;
    for (const auto& [id, mode] : modes) contacts.push_back(contactOf(id, mode, Eigen::Vector3d::Zero()));
    events.add(contacts);
  };
  step({{2, kStick}, {1, kSlip}, {3, kOpen}});  // two close; order does not matter
  step({{1, kSlip}, {2, kStick}});              // nothing
  step({{1, kStick}, {2, kSlip}});              // both change
  step({{2, kSlip}, {3, kStick}});              // 1 lets go without being listed, 3 closes
  step({{2, kOpen}, {3, kStick}});              // 2 lets go
  step({});
  EXPECT_EQ(events.sticks, 3);
  EXPECT_EQ(events.slips, 2);
  EXPECT_EQ(events.separations, 3);
}

// A contact drifts with `slip`, another trembles around its place; both stick.
TEST(StickWindow, MeasuresDriftNotTrembling) {
  StickWindow window;
  for (int i = 0; i < 3000; ++i) {
    StepReport report = quietStep(i);
    report.contacts.push_back(contactOf(7, ContactMode::kStick, {3e-6, 4e-6, 0.0}));
    report.contacts.push_back(contactOf(8, ContactMode::kStick, {i % 2 == 0 ? 1e-3 : -1e-3, 0.0, 0.0}));
    window.add(report);
  }
  const Creep creep = window.creep();
  EXPECT_EQ(creep.contacts, 2);
  // The sum of 1000 equal terms loses at most 1000 roundings.
  EXPECT_NEAR(creep.speed, 5e-6, 5e-6 * 1000 * std::numeric_limits<double>::epsilon());
}

TEST(StickWindow, LooksAtTheLastSecondOnly) {
  StickWindow window;
  for (int i = 0; i < 4000; ++i) {
    StepReport report = quietStep(i);
    const double slip = i < 2500 ? 1.0 : (i < 3000 ? 0.1 : 1e-9);
    report.contacts.push_back(contactOf(1, i < 2500 ? ContactMode::kSlip : ContactMode::kStick, {slip, 0.0, 0.0}));
    window.add(report);
  }
  EXPECT_EQ(window.creep().contacts, 1);
  EXPECT_NEAR(window.creep().speed, 1e-9, 1e-20);  // 1000 roundings of 1e-9 are 2e-22; one step of the past adds 1e-4
}

TEST(StickWindow, LeavesOutContactsThatWereOpenOrSlidForOneStep) {
  StickWindow window;
  for (int i = 0; i < 2000; ++i) {
    StepReport report = quietStep(i);
    if (i != 1500) report.contacts.push_back(contactOf(1, ContactMode::kStick, {1.0, 0.0, 0.0}));
    report.contacts.push_back(contactOf(2, i == 1999 ? ContactMode::kSlip : ContactMode::kStick, {2.0, 0.0, 0.0}));
    report.contacts.push_back(contactOf(3, i == 1001 ? ContactMode::kOpen : ContactMode::kStick, {3.0, 0.0, 0.0}));
    report.contacts.push_back(contactOf(4, ContactMode::kStick, {1e-8, 0.0, 0.0}));
    window.add(report);
  }
  EXPECT_EQ(window.creep().contacts, 1);
  EXPECT_NEAR(window.creep().speed, 1e-8, 1e-19);
}

TEST(StickWindow, MeasuresNothingInARunShorterThanASecond) {
  StickWindow window;
  for (int i = 0; i < 998; ++i) {
    StepReport report = quietStep(i);
    report.contacts.push_back(contactOf(1, ContactMode::kStick, {1.0, 0.0, 0.0}));
    window.add(report);
  }
  EXPECT_EQ(window.creep().contacts, 0);
  EXPECT_EQ(window.creep().speed, 0.0);
}

TEST(StickWindow, HoldsOneSecondForAnyStepLength) {
  for (const double dt : {1e-4, 3e-3, 0.02, 0.3, 1.0}) {
    StickWindow window;
    for (int i = 0; i < std::max(4, static_cast<int>(2.5 / dt)); ++i) {
      StepReport report;
      report.time = i * dt;
      report.dt = dt;
      report.contacts.push_back(contactOf(1, ContactMode::kStick, {0.0, 0.25, 0.0}));
      window.add(report);
    }
    EXPECT_EQ(window.creep().contacts, 1) << dt;
    EXPECT_NEAR(window.creep().speed, 0.25, 1e-11) << dt;  // a mean: the window's exact length cancels
  }
}

TEST(RunSummary, DoesNotAllocateAfterThreeSeconds) {
  RunSummary summary;
  StepReport report = quietStep(0);
  report.stage = "a_stage_name_longer_than_any_small_string";
  for (int contact = 0; contact < 8; ++contact)
    report.contacts.push_back(contactOf(contact, ContactMode::kStick, Eigen::Vector3d::Zero()));
  const auto addUntil = [&](int last) {
    for (; report.index < last; ++report.index) {
      report.time = static_cast<double>(report.index) * kStep;
      summary.add(report);
    }
  };
  addUntil(3000);
  const AllocationScope scope;
  addUntil(9000);
  EXPECT_EQ(scope.count(), 0);
}

TEST(DurationText, TakesTheUnitThatPeopleWould) {
  EXPECT_EQ(durationText(1.03e-3), "1.03 ms");
  EXPECT_EQ(durationText(1.254e-5), "12.5 µs");
  EXPECT_EQ(durationText(8.5e-7), "850 ns");
  EXPECT_EQ(durationText(9.997e-4), "1 ms");  // not 1e+03 µs
  EXPECT_EQ(durationText(2.0), "2 s");
  EXPECT_EQ(durationText(3600.4), "3600 s");
  EXPECT_EQ(durationText(0.0), "0 s");
}

}  // namespace
}  // namespace rigor
