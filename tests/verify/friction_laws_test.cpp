// Runs by other laws of friction than Coulomb's: found to hold by their own law, and by no other.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "verify/recorded_runs.h"

namespace rigor {
namespace {

using Json = nlohmann::ordered_json;

Recording recordBy(const char* law, int directions, int steps = 300) {
  Scene scene = makePlayground();
  scene.law = law;
  scene.directions = directions;
  return recordRun(scene, steps);
}

Recording retoldBy(Recording recording, const char* law, int directions) {
  Json header = Json::parse(recording.header);
  header["options"]["law"] = law;
  header["options"]["directions"] = directions;
  recording.header = header.dump();
  return recording;
}

TEST(RecordingByAnotherLaw, HoldsByItsOwn) {
  for (const int directions : {4, 8, 64}) expectAgreement(recordBy("pyramid", directions));
  expectAgreement(recordBy("dissipation", 8));
}

TEST(RecordingByAnotherLaw, SaysWhatOfDissipationCannotBeJudged) {
  const Verdict verdict = verifyRecording(recordBy("dissipation", 8, 50));
  ASSERT_FALSE(verdict.unchecked.empty());
  EXPECT_NE(verdict.unchecked.front().find("law dissipation beyond"), std::string::npos) << verdict.unchecked.front();
}

// What slips between two corners has less friction than the disc allows, and along another direction.
TEST(RecordingByAnotherLaw, IsBrokenByTheOthers) {
  const Recording square = recordBy("pyramid", 4), round = recordBy("coulomb", 8);
  for (const Recording& other :
       {retoldBy(square, "coulomb", 8), retoldBy(square, "pyramid", 16), retoldBy(round, "pyramid", 8)}) {
    const Verdict verdict = verifyRecording(other);
    ASSERT_FALSE(verdict.holds);
    EXPECT_NE(verdict.first_bad.what.find("friction"), std::string::npos) << verdict.first_bad.what;
  }
}

TEST(RecordingByAnotherLaw, OfUnknownNameIsRefused) {
  const Recording run = recordBy("coulomb", 8, 5);
  EXPECT_THROW(verifyRecording(retoldBy(run, "viscous", 8)), Error);
  EXPECT_THROW(verifyRecording(retoldBy(run, "pyramid", 0)), Error);
}

}  // namespace
}  // namespace rigor
