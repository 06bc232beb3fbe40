// The second opinion on stops, dry friction and motors of loops: it agrees with true runs, and sees each law that is broken.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/file.h"
#include "rigor/ledger.h"
#include "simulation/twin_loops.h"
#include "verify/recorded_runs.h"

namespace rigor {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kKind = 7;  // of ids of rows
enum Number { kLower, kUpper, kFriction, kMotor };

const Acting kAll{.range = Range{-0.3, 0.6},
                  .dry_friction = 0.4,
                  .motor = {.kp = 60.0, .kd = 1.5, .target = 0.7, .torque = 0.2, .effort = 6.0}};

TwinLoops twinsOf(JointType type, const std::string& stepper, double speed = 2.0) {
  return {.type = type, .acting = kAll, .speed = type == kSlide ? 0.25 * speed : speed, .stepper = stepper};
}

bool isRow(const Recording& r, std::size_t row, Number number) {
  return r.row_id[row].high >> 60 == kKind && r.row_id[row].low % 4 == static_cast<std::uint64_t>(number);
}

/// The first rows of this number that push are `edit`ed.
template <class Edit>
Recording damaged(Recording recording, Number number, const Edit& edit) {
  bool found = false;
  for (std::size_t row = 0; row < recording.row_id.size(); ++row)
    if (isRow(recording, row, number) && std::fabs(recording.row_impulse[3 * row]) > 1e-5) {
      edit(recording, row);
      found = true;
    }
  EXPECT_TRUE(found) << "row " << number << " never pushes";
  return recording;
}

void expectBroken(const Recording& recording, const std::string& what) {
  const Verdict verdict = verifyRecording(recording);
  ASSERT_FALSE(verdict.holds) << what;
  EXPECT_NE(verdict.first_bad.what.find(what), std::string::npos) << verdict.first_bad.what;
}

/// Another model in the header, with a hash that fits it.
template <class Tell>
Recording retold(Recording recording, const Tell& tell) {
  Json header = Json::parse(recording.header);
  tell(header["model"]["loops"][0]);
  header["hash"] = computeHash(header["model"].dump());
  recording.header = header.dump();
  return recording;
}

class LoopFreedomOf : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Steppers, LoopFreedomOf, testing::Values("minimal", "maximal"),
                         [](const auto& one) { return one.param; });

TEST_P(LoopFreedomOf, TheSecondOpinionAgreesOnStopsFrictionAndMotors) {
  for (const JointType type : {kHinge, kSlide, kHelical})
    for (const double speed : {3.0, -3.0}) {
      SCOPED_TRACE(jointTypeName(type));
      const Recording recording = recordRun(twinsOf(type, GetParam(), speed).loop(), 1000);
      EXPECT_EQ(recording.steps(), 1000);
      const Verdict verdict = verifyRecording(recording);
      EXPECT_TRUE(verdict.holds) << verdict.first_bad.step << " " << verdict.first_bad.what;
      // two programs that share no line agree to where the simulator ends its passes: a tenth of ε, 1e-11
      EXPECT_LT(verdict.worst.momentum, 2e-11);
      EXPECT_LT(verdict.worst.limit, 1e-12);
    }
}

TEST_P(LoopFreedomOf, TheSecondOpinionSeesEachSignThatIsFlipped) {
  const Recording upper = recordRun(twinsOf(kHinge, GetParam(), 3.0).loop(), 500);
  const Recording lower = recordRun(twinsOf(kHinge, GetParam(), -9.0).loop(), 500);
  const auto flip = [](Recording& r, std::size_t row) { r.row_impulse[3 * row] = -r.row_impulse[3 * row]; };
  for (const Number number : {kLower, kUpper, kFriction, kMotor})
    EXPECT_FALSE(verifyRecording(damaged(number == kLower ? lower : upper, number, flip)).holds) << number;
}

// The balance still holds where another row takes what this one gave: only the law of each row sees it.
TEST_P(LoopFreedomOf, TheSecondOpinionSeesLawsThatAreBrokenWhileTheBalanceHolds) {
  const Recording good = recordRun(twinsOf(kHinge, GetParam(), 3.0).loop(), 500);
  // all of the friction is taken for the motor's, which then is not what its stretch asks for
  Recording swapped = damaged(good, kFriction, [](Recording& r, std::size_t row) {
    for (std::size_t other = row; other < r.row_id.size(); ++other)
      if (isRow(r, other, kMotor)) {
        r.row_impulse[3 * other] += r.row_impulse[3 * row];
        r.row_impulse[3 * row] = 0.0;
        return;
      }
  });
  expectBroken(swapped, "of loop \"pin\": not what its speed asks for");
  expectBroken(retold(good, [](Json& loop) { loop["dry_friction"] = 0.3; }), "dry friction of loop \"pin\"");
  expectBroken(retold(good, [](Json& loop) { loop["motor"]["effort"] = 5.0; }), "motor of loop \"pin\"");
  expectBroken(retold(good, [](Json& loop) { loop["motor"]["target"] = 0.71; }), "motor of loop \"pin\"");
  expectBroken(retold(good, [](Json& loop) { loop["range"] = {-0.3, 0.59}; }), "range of loop \"pin\"");
  expectBroken(retold(good, [](Json& loop) { loop["range"] = {-0.3, 0.61}; }), "impulse without closing");
  expectBroken(retold(good, [](Json& loop) { loop.erase("motor"); }), "that its loop has not");
}

TEST_P(LoopFreedomOf, TheSecondOpinionMissesFrictionThatIsLeftOut) {
  // held still by friction alone; without a row nothing would hold it
  TwinLoops twins{.acting = {.dry_friction = 20.0}, .stepper = GetParam()};
  Recording recording = recordRun(twins.loop(), 20);
  ASSERT_TRUE(verifyRecording(recording).holds) << verifyRecording(recording).first_bad.what;
  Recording renamed = recording;
  for (RowId& id : renamed.row_id)
    if (id.high >> 60 == kKind) id.low += 4;
  EXPECT_FALSE(verifyRecording(renamed).holds);
  const Recording told = retold(recording, [](Json& loop) {
    loop["motor"] = {{"kp", 1.0}, {"kd", 0.0}, {"target", 0.0}, {"torque", 0.0}, {"effort", nullptr}};
  });
  expectBroken(told, "dry friction or motor of loop \"pin\" is missing");
}

/// A slide along x, where no weight acts.
TwinLoops levelSlide(const Acting& acting, const std::string& stepper) {
  TwinLoops twins{.type = kSlide, .acting = acting, .balanced = true, .start = 0.0, .stepper = stepper};
  twins.axis = Eigen::Vector3d::UnitX();
  twins.frame = {};
  return twins;
}

double sumOf(const EnergyLedger& ledger, Account account) {
  double sum = 0.0;
  for (const auto& work : ledger.work) sum += work[static_cast<int>(account)];
  return sum;
}

TEST_P(LoopFreedomOf, TheLedgerKnowsWhatFrictionTakesAndMotorsGive) {
  TwinLoops rubs = levelSlide({.dry_friction = 4.0}, GetParam());
  rubs.speed = 1.0;
  const EnergyLedger lost = computeLedger(recordRun(rubs.loop(), 1000));
  EXPECT_NEAR(sumOf(lost, Account::kJointFriction), -0.5 * TwinLoops::kMass, 1e-9);  // ½ m v², all of it
  const EnergyLedger given = computeLedger(recordRun(levelSlide({.motor = {.torque = 3.0}}, GetParam()).loop(), 1000));
  const double speed = 3.0 / TwinLoops::kMass * given.steps() * 1e-3;
  EXPECT_NEAR(sumOf(given, Account::kDrives), 0.5 * TwinLoops::kMass * speed * speed, 1e-9);
  TwinLoops strikes = levelSlide({.range = Range{-0.1, 0.2}}, GetParam());
  strikes.speed = 1.0;
  const EnergyLedger struck = computeLedger(recordRun(strikes.loop(), 400));
  EXPECT_NEAR(sumOf(struck, Account::kImpacts), -0.5 * TwinLoops::kMass, 1e-9);
}

}  // namespace
}  // namespace rigor
