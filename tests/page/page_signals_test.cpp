#include "io/page/signals.h"

#include <gtest/gtest.h>

#include "io/page/frames.h"
#include "io/page/text.h"
#include "page/made_up_recording.h"
#include "page/made_up_shapes.h"

namespace rigor {
namespace {

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(PageSignals, AreOnePerFreedomAndLeaveOutFreeJointsAndQuaternions) {
  ModelBuilder builder("joints");
  const int base = builder.addBody(makeBody("base", kWorld, kFree, {0, 0, 0}));
  const int planar = builder.addBody(makeBody("sled", base, kPlanar, {0, 0, 0}));
  builder.addBody(makeBody("head", planar, kBall, {0, 0, 0}));
  Scene scene;
  scene.model = builder.build();
  Recording recording = makeEmptyRecording(scene);
  for (int row = 0; row < 3; ++row) addRow(recording, {0.1 * row, scene.model.q0()});
  const std::string signals = makePageSignals(scene, recording);
  EXPECT_EQ(count(signals, "\"velocity\":"), 6);  // three of the sled, three of the head, none of the base
  EXPECT_EQ(count(signals, "\"position\":"), 3);  // the head's are a quaternion
  EXPECT_EQ(count(signals, "\"angle\":false"), 2);
  EXPECT_NE(signals.find("\"name\":\"sled joint [2]\",\"angle\":true"), std::string::npos) << signals;
}

TEST(PageSignals, OfAThousandBodiesStayWithinTheBudget) {
  const MadeUpRun heap = makeHeap(1000);
  const std::string signals = makePageSignals(heap.scene, heap.recording);
  EXPECT_EQ(count(signals, "\"force\":"), 1000);
  EXPECT_LE(signals.size(), kMaxSignalValues * sizeof(float) * 1.4 + 1000 * 40);  // base64, and names
}

TEST(PageSignals, OfAContactAreItsNormalForceOnBothBodies) {
  const MadeUpRun arm = makeArm();  // 4 N between link 3 and the world, 4 N between links 2 and 3
  const std::string signals = makePageSignals(arm.scene, arm.recording);
  const auto constant = [](float newtons) { return arrayForPage(std::vector<float>(1000, newtons)); };
  EXPECT_NE(signals.find("{\"body\":2,\"force\":" + constant(4.0f)), std::string::npos);
  EXPECT_NE(signals.find("{\"body\":3,\"force\":" + constant(8.0f)), std::string::npos);
}

TEST(PageFrames, AddUpTheImpulsesThatAContactHasInSubSteps) {
  MadeUpRun run = makeStray();
  Recording& recording = run.recording;
  recording.version = 4;
  recording.substep_start.assign(1, 0);
  for (int step = 1; step <= recording.steps(); ++step)
    recording.substep_start.push_back(step + 1);  // the first has two
  recording.contact_start.assign(recording.steps() + 2, 2);
  recording.contact_start[0] = 0, recording.contact_start[1] = 1;
  recording.contact_id = {{0, 7}, {0, 7}};
  recording.contact_body = {0, kWorld, 0, kWorld};
  recording.contact_point = {0, 0, 0, 0, 0, 0};
  recording.contact_normal = {0, 0, -1, 0, 0, -1};
  recording.contact_impulse = {0, 0, -0.01, 0.005, 0, -0.02};  // on the world
  recording.contact_mode = {1, 2};
  PageFrames frames;
  addFrame(run.scene, recording, 0, frames);
  const std::string text = frames.take();
  const auto holds = [&](const char* key, const std::string& value) {
    return text.find(std::string("\"") + key + "\":" + value) != std::string::npos;
  };
  // In a step of 0.01 s: 3 N normal to the world, −0.5 N along x, on the body; slipping once is slipping.
  EXPECT_TRUE(holds("contact_normal", arrayForPage(std::vector<float>{3.0f}))) << text;
  EXPECT_TRUE(holds("contact_force", arrayForPage(std::vector<float>{-0.5f, 0.0f, 3.0f}))) << text;
  EXPECT_TRUE(holds("contact_mode", arrayForPage(std::vector<std::uint8_t>{2}))) << text;
  EXPECT_TRUE(holds("contact_body", arrayForPage(std::vector<std::int32_t>{0, -1}))) << text;
}

// A robot on a step that is a body of its own: arrows that point into the step look like pulling feet.
TEST(PageFrames, ShowTheForceOnTheBodyThatCanMove) {
  ModelBuilder builder("on a step");
  const int robot = builder.addBody(makeBody("robot", kWorld, kFree, {0, 0, 1}));
  const int step = builder.addBody(makeBody("step", kWorld, kFixed, {0, 0, 0}));
  Scene scene;
  scene.model = builder.build();
  for (const bool robot_first : {true, false}) {
    Recording recording = makeEmptyRecording(scene);
    const Eigen::Vector3d impulse_on_second(0.0, 0.0, robot_first ? -0.3 : 0.3);
    const int body_1 = robot_first ? robot : step, body_2 = robot_first ? step : robot;
    for (int row = 0; row < 2; ++row)
      addRow(recording,
             {0.1 * row, scene.model.q0(), {{body_1, body_2, {0, 0, 0}, impulse_on_second, ContactMode::kStick}}});
    PageFrames frames;
    addFrame(scene, recording, 0, frames);
    const std::string up = "\"contact_force\":" + arrayForPage(std::vector<float>{0.0f, 0.0f, 3.0f});
    EXPECT_NE(frames.take().find(up), std::string::npos) << "robot first: " << robot_first;
  }
}

TEST(Frames, OfManyContactsStayWithinTheBudget) {
  Recording recording;
  const int steps = 2000, contacts = 3000;
  for (int row = 0; row <= steps; ++row) recording.time.push_back(row * 5e-3);
  recording.passes.assign(steps, 1);
  recording.contact_mode.assign(std::size_t(steps) * contacts, 1);
  const double frame = 10.0 * kBodyBytes + double(contacts) * kContactBytes;
  EXPECT_LE(chooseFrames(recording, 10).size() * frame, kMaxFrameBytes + 2.0 * frame);  // both ends count
}

}  // namespace
}  // namespace rigor
