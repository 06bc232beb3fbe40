#include "io/page/data.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "io/page/curves.h"
#include "io/page/frames.h"
#include "page/made_up_runs.h"

namespace rigor {
namespace {

// Tests run side by side: each has its own files.
std::string temporaryFile(const std::string& name) {
  return testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + "_" + name;
}

// Sets RIGOR_VIEWER for one test.
struct ChosenViewer {
  explicit ChosenViewer(const std::string& file) { setenv("RIGOR_VIEWER", file.c_str(), 1); }
  ~ChosenViewer() { unsetenv("RIGOR_VIEWER"); }
};

std::string saveError(const MadeUpRun& run, const std::string& file) {
  try {
    savePage(file, run.scene, run.recording);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Curve, KeepsFewValuesAsTheyAre) {
  const auto square = [](int row) { return double(row * row); };
  EXPECT_EQ(makeCurve(4, 2, square), (std::vector<double>{0, 1, 4, 9}));
  EXPECT_EQ(makeCurveTimes({0.0, 0.1, 0.2, 0.3}, 2), (std::vector<double>{0.0, 0.1, 0.2, 0.3}));
}

TEST(Curve, NeverLosesASpikeWhereverItStands) {
  const int rows = 1003, buckets = 10;  // buckets of unequal length
  for (int spike = 0; spike < rows; ++spike) {
    const std::vector<double> curve = makeCurve(rows, buckets, [&](int row) { return row == spike ? 5.0 : 1.0; });
    ASSERT_EQ(curve.size(), 20u);
    EXPECT_EQ(*std::max_element(curve.begin(), curve.end()), 5.0) << "row " << spike;
  }
}

TEST(Curve, KeepsSmallestAndLargestInTheOrderInWhichTheyCame) {
  const std::vector<double> values{3, 9, 1, 4, 4, 4, 2, 5, 8, 7};
  EXPECT_EQ(makeCurve(10, 2, [&](int row) { return values[row]; }), (std::vector<double>{9, 1, 2, 8}));
  EXPECT_EQ(makeCurveTimes({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 2), (std::vector<double>{0, 4, 5, 9}));
}

TEST(Curve, ShowsThatAValueWasNotFinite) {
  const std::vector<double> curve = makeCurve(100, 5, [](int row) { return row == 50 ? NAN : 1e9; });
  EXPECT_EQ(std::count_if(curve.begin(), curve.end(), [](double x) { return std::isnan(x); }), 1);
}

TEST(Frames, AreAtMostSixtyPerSecondAndEndWithTheLastStep) {
  Recording recording;
  for (const double dt : {1e-4, 1e-3, 0.01, 0.05}) {
    recording.time.clear();
    for (int row = 0; row * dt < 3.0; ++row) recording.time.push_back(row * dt);
    const std::vector<int> frames = chooseFrames(recording, 20);
    EXPECT_LE(frames.size(), 3.0 * 60.0 + 2.0) << dt;                      // both ends count
    EXPECT_GE(frames.size(), 0.5 * std::min(3.0 / dt, 3.0 * 60.0)) << dt;  // every second row is the worst case
    EXPECT_EQ(frames.front(), 0);
    EXPECT_EQ(frames.back(), static_cast<int>(recording.time.size()) - 1);
  }
}

TEST(Frames, OfALongRunOfManyBodiesStayWithinTheBudget) {
  Recording recording;
  for (int row = 0; row < 1'000'000; ++row) recording.time.push_back(row * 1e-3);
  const double bodies = 500, frame = bodies * kBodyBytes;
  EXPECT_LE(chooseFrames(recording, 500).size() * frame, kMaxFrameBytes + 2.0 * frame);  // both ends count
}

TEST(Frames, OfASingleStepAreOne) {
  Recording recording;
  recording.time = {0.0};
  EXPECT_EQ(chooseFrames(recording, 1), std::vector<int>{0});
}

TEST(PageFrames, ArePiecesThatDoNotDependOnThoseBefore) {
  PageFrames frames;
  const auto piece = [&] {
    for (int row = 3; row < 5; ++row) {
      frames.add(row, 0.1 * row, {PageBody{}, PageBody{}});
      frames.addContact({kWorld, 1, {1.0, 2.0, 3.0}, {0.0, 0.0, 9.81}, 9.81, 1});
    }
    EXPECT_EQ(frames.count(), 2);
    return frames.take();
  };
  const std::string first = piece();
  EXPECT_EQ(frames.count(), 0);
  EXPECT_EQ(piece(), first);
  EXPECT_NE(first.find("\"contact_mode\":\"AQE=\""), std::string::npos) << first;               // two bytes, 1 and 1
  EXPECT_NE(first.find("\"contact_start\":\"AAAAAAEAAAACAAAA\""), std::string::npos) << first;  // 0, 1, 2
}

TEST(PageData, CutsManyFramesIntoPieces) {
  const MadeUpRun walker = makeWalker();  // 10 s: 600 frames
  const std::string data = makePageData(walker.scene, walker.recording);
  int pieces = 0;
  for (std::size_t at = data.find("\"row\":"); at != std::string::npos; at = data.find("\"row\":", at + 1)) ++pieces;
  EXPECT_EQ(pieces, 3);
  EXPECT_EQ(data.rfind("{\"version\":3,", 0), 0u);
}

TEST(PageData, CannotEndItsScriptElement) {
  const MadeUpRun toys = makeToys();
  EXPECT_NE(toys.scene.name.find('<'), std::string::npos);
  EXPECT_EQ(makePageData(toys.scene, toys.recording).find('<'), std::string::npos);
}

TEST(PageData, SaysWhenAStepWasNotFiniteInsteadOfBreakingTheFile) {
  MadeUpRun toys = makeToys();
  toys.recording.residual[3 * 700] = NAN;
  const std::string data = makePageData(toys.scene, toys.recording);
  EXPECT_NE(data.find("\"law\":null"), std::string::npos);
  EXPECT_EQ(data.find("nan"), std::string::npos);
}

TEST(SavePage, TellsHowToBuildTheViewerWhenItIsMissing) {
  const ChosenViewer viewer(temporaryFile("nowhere.html"));
  const std::string error = saveError(makeToys(), temporaryFile("out.html"));
  EXPECT_NE(error.find("nowhere.html"), std::string::npos) << error;
  EXPECT_NE(error.find("npm run build"), std::string::npos) << error;
}

TEST(SavePage, RefusesATemplateWithoutASlot) {
  const std::string file = temporaryFile("other.html");
  std::ofstream(file) << "<html></html>";
  const ChosenViewer viewer(file);
  EXPECT_NE(saveError(makeToys(), temporaryFile("out.html")).find("not the template"), std::string::npos);
}

TEST(SavePage, PutsTheDataWhereTheSlotWas) {
  const std::string viewer_file = temporaryFile("template.html"), page_file = temporaryFile("page.html");
  std::ofstream(viewer_file) << "before @RIGOR_RECORDING@ after";
  const ChosenViewer viewer(viewer_file);
  const MadeUpRun toys = makeToys();
  ASSERT_EQ(saveError(toys, page_file), "no error");
  std::ifstream in(page_file);
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(page, "before " + makePageData(toys.scene, toys.recording) + " after");
}

TEST(SavePage, SaysWhichFileCannotBeWritten) {
  const std::string viewer_file = temporaryFile("template.html");
  std::ofstream(viewer_file) << "@RIGOR_RECORDING@";
  const ChosenViewer viewer(viewer_file);
  const std::string error = saveError(makeToys(), temporaryFile("no_such_folder/page.html"));
  EXPECT_NE(error.find("no_such_folder/page.html: the page cannot be written"), std::string::npos) << error;
}

TEST(SavePage, RefusesRecordingsThatDoNotFit) {
  const std::string file = temporaryFile("out.html");
  MadeUpRun run = makeToys();
  run.recording = {};
  EXPECT_NE(saveError(run, file).find("no step"), std::string::npos);
  run = makeToys();
  run.recording.nq += 1;
  EXPECT_NE(saveError(run, file).find("coordinates"), std::string::npos);
  run = makeToys();
  run.recording.energy.pop_back();
  EXPECT_NE(saveError(run, file).find("do not fit together"), std::string::npos);
  run = makeToys();
  run.recording.tau.pop_back();
  EXPECT_NE(saveError(run, file).find("do not fit together"), std::string::npos);
  run = makeToys();
  run.recording.contact_normal.pop_back();
  EXPECT_NE(saveError(run, file).find("do not fit together"), std::string::npos);
  run = makeToys();
  run.recording.contact_start[100] = 1'000'000'000;
  EXPECT_NE(saveError(run, file).find("do not fit together"), std::string::npos);
}

}  // namespace
}  // namespace rigor
