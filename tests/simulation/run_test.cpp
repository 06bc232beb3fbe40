// The run loop: who is told what, and what happens when a step is refused.
#include "rigor/run.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "simulation/simple_scenes.h"
#include "simulation/state_hash.h"

namespace rigor {
namespace {

// A ball that falls 0.1 m onto a plane.
Scene fallingBall() {
  Scene scene = ballOnIncline(0.0, 0.0, 0.5);
  scene.q[2] += 0.1;
  return scene;
}

// Lets the steps whose count is in [first, last) be refused: their forces are not numbers.
void spoilSteps(Simulator& simulator, int first, int last) {
  simulator.setController([=, count = 0](const State&, Input& input) mutable {
    const bool spoilt = count >= first && count < last;
    input.tau.setConstant(spoilt ? std::numeric_limits<double>::quiet_NaN() : 0.0);
    ++count;
  });
}

// Writes down what it is told.
class Diary final : public RunObserver {
 public:
  void begin(const Simulator& simulator, std::int64_t steps) override {
    EXPECT_TRUE(pages.empty());
    pages.push_back("begin " + std::to_string(steps));
    q = simulator.state().q;
  }
  void see(const Simulator& simulator, const RunStep& step) override {
    EXPECT_EQ(step.q_start, q);
    EXPECT_GE(step.seconds, 0.0);
    q = simulator.state().q;
    pages.push_back((step.report.accepted() ? "step " : "refused ") + std::to_string(step.count));
  }
  void end(Simulator& simulator, const RunOutcome& outcome) override {
    EXPECT_EQ(simulator.state().q, q);
    pages.push_back(std::string("end ") + runStatusName(outcome.status));
  }

  std::vector<std::string> pages;

 private:
  Eigen::VectorXd q;
};

class Wish final : public RunObserver {
 public:
  explicit Wish(const ReportParts& parts) : parts_(parts) {}
  ReportParts wants() const override { return parts_; }

 private:
  const ReportParts parts_;
};

// What the simulator was asked for in the last step.
class LastRequest final : public RunObserver {
 public:
  void see(const Simulator&, const RunStep& step) override { parts = step.report.wanted; }
  ReportParts parts = kAllParts;
};

TEST(Run, TellsObserversTheStartEveryStepAndTheEnd) {
  Simulator simulator(fallingBall());
  Diary first, second;
  const RunOutcome outcome = run(simulator, 3, {}, {&first, &second});
  EXPECT_EQ(first.pages, (std::vector<std::string>{"begin 3", "step 1", "step 2", "step 3", "end done"}));
  EXPECT_EQ(second.pages, first.pages);
  EXPECT_EQ(outcome.status, RunStatus::kDone);
  EXPECT_EQ(outcome.steps, 3);
  EXPECT_EQ(outcome.refused, 0);
}

TEST(Run, GivesTheSameBitsWhoeverWatches) {
  Simulator watched(loadNamed("anymal_drop")), alone(loadNamed("anymal_drop")), by_hand(loadNamed("anymal_drop"));
  Summarizer summarizer;
  Recorder recorder(watched.scene());
  run(watched, 400, {}, {&summarizer, &recorder});
  run(alone, 400);
  for (int i = 0; i < 400; ++i) by_hand.step();
  EXPECT_EQ(hashState(watched.state()), hashState(by_hand.state()));
  EXPECT_EQ(hashState(alone.state()), hashState(by_hand.state()));
}

TEST(Run, StopsAtARefusedStepAndLeavesTheLastGoodState) {
  Simulator simulator(fallingBall(), simulatorOptions(OnFailure::kStop));
  spoilSteps(simulator, 2, 3);
  Diary diary;
  const RunOutcome outcome = run(simulator, 10, {.on_failure = OnFailure::kStop}, {&diary});
  EXPECT_EQ(diary.pages, (std::vector<std::string>{"begin 10", "step 1", "step 2", "refused 3", "end refused"}));
  EXPECT_EQ(outcome.steps, 3);
  EXPECT_EQ(outcome.refused, 1);
  EXPECT_DOUBLE_EQ(simulator.state().time, 2e-3);
}

TEST(Run, GoesOnAfterRefusalsIfThatIsThePolicy) {
  Simulator simulator(fallingBall());
  spoilSteps(simulator, 2, 5);
  const RunOutcome outcome = run(simulator, 10, {.on_failure = OnFailure::kContinue});
  EXPECT_EQ(outcome.status, RunStatus::kRefused);  // a run with a refused step is never called done
  EXPECT_EQ(outcome.steps, 10);
  EXPECT_EQ(outcome.refused, 3);
  EXPECT_DOUBLE_EQ(simulator.state().time, 7e-3);
}

TEST(Run, GivesUpAfterSoManyRefusalsInARow) {
  Simulator simulator(fallingBall());
  spoilSteps(simulator, 4, 1000);
  const RunOutcome outcome = run(simulator, 1000, {.on_failure = OnFailure::kContinue, .most_refusals = 7});
  EXPECT_EQ(outcome.steps, 4 + 7);
  EXPECT_EQ(outcome.refused, 7);
}

TEST(Run, EndsBeforeTheNextStepWhenAStopIsRequested) {
  Simulator simulator(fallingBall());
  Diary diary;
  const auto after_two = [&] { return simulator.state().time > 1.5e-3; };
  const RunOutcome outcome = run(simulator, 10, {.stop_requested = after_two}, {&diary});
  EXPECT_EQ(outcome.status, RunStatus::kInterrupted);
  EXPECT_EQ(diary.pages, (std::vector<std::string>{"begin 10", "step 1", "step 2", "end interrupted"}));
}

// Nobody is told of the step that was given up, and the state is that of the last one that was accepted.
TEST(Run, GivesUpAStepUnderWayWhenItsStopIsRaised) {
  StopFlag stop = false;
  Simulator simulator(fallingBall(), {.stop = &stop});
  simulator.setController([&](const State& state, Input&) { stop = state.time > 1.5e-3; });
  Diary diary;
  const RunOutcome outcome = run(simulator, 10, {}, {&diary});
  EXPECT_EQ(outcome.status, RunStatus::kInterrupted);
  EXPECT_EQ(outcome.steps, 2);
  EXPECT_EQ(simulator.report().status, StepStatus::kInterrupted);
  EXPECT_DOUBLE_EQ(simulator.state().time, 2e-3);
  EXPECT_EQ(diary.pages, (std::vector<std::string>{"begin 10", "step 1", "step 2", "end interrupted"}));
}

TEST(Run, IsDoneIfTheRequestToStopComesWithTheLastStep) {
  Simulator simulator(fallingBall());
  const RunOutcome outcome = run(simulator, 2, {.stop_requested = [&] { return simulator.state().time > 1.5e-3; }});
  EXPECT_EQ(outcome.status, RunStatus::kDone);
}

TEST(Run, AsksTheSimulatorForWhatSomeObserverWantsAndNoMore) {
  Simulator simulator(fallingBall());
  Wish energy({.energy = true}), record({.record = true});
  LastRequest last;
  run(simulator, 1, {}, {&energy, &record, &last});
  EXPECT_TRUE(last.parts.energy && last.parts.record);
  EXPECT_FALSE(last.parts.contacts || last.parts.momentum || last.parts.torques);
  run(simulator, 1, {}, {&last});
  EXPECT_FALSE(last.parts.energy || last.parts.record);
}

TEST(Run, LeavesTheSimulatorReportingAsBeforeEvenAfterAnException) {
  Simulator simulator(fallingBall());
  run(simulator, 1);
  EXPECT_TRUE(simulator.wanted().contacts && simulator.wanted().record);
  simulator.setController([](const State&, Input&) { throw std::runtime_error("stumbled"); });
  EXPECT_THROW(run(simulator, 1), std::runtime_error);
  EXPECT_TRUE(simulator.wanted().contacts && simulator.wanted().record);
}

// The rule looks at the energy of every step, whether or not somebody else does.
TEST(Run, ResetsARestingSceneThoughNobodyWantsItsEnergy) {
  Scene scene = ballOnIncline(0.0, 0.0, 0.5);
  scene.v[0] = 1e-9;
  scene.reset = {.rest_energy = 1.0, .rest_for = 0.01};
  Simulator simulator(scene);
  class Resets final : public RunObserver {
   public:
    void see(const Simulator& s, const RunStep& step) override {
      EXPECT_TRUE(step.report.wanted.energy);
      EXPECT_FALSE(step.report.wanted.contacts);
      count += s.state().q == s.scene().q;
    }
    int count = 0;
  } resets;
  run(simulator, 100, {}, {&resets});
  EXPECT_EQ(resets.count, 10);  // every 10 steps of 1 ms
}

TEST(Summarizer, CountsWhatTheRunDid) {
  Simulator simulator(fallingBall());
  spoilSteps(simulator, 5, 7);
  Summarizer summarizer;
  const RunOutcome outcome = run(simulator, 300, {.on_failure = OnFailure::kContinue}, {&summarizer});
  const RunSummary& summary = summarizer.summary();
  EXPECT_EQ(summary.steps, 300);
  EXPECT_EQ(summary.failed_steps, 2);
  EXPECT_EQ(summary.status, RunStatus::kRefused);
  EXPECT_EQ(summary.contacts_max, 1);
  EXPECT_EQ(summary.impacts, 1);
  EXPECT_EQ(summary.wall_time, outcome.seconds);
  EXPECT_GT(summary.step_time, 0.0);
  EXPECT_LE(summary.step_time, summary.wall_time);
  const StepReport& node = simulator.node();
  EXPECT_EQ(summary.energy_end, node.kinetic + node.potential);
}

TEST(Recorder, KeepsTheAcceptedStepsAndTheLastNode) {
  Simulator simulator(fallingBall());
  spoilSteps(simulator, 5, 7);
  Recorder recorder(simulator.scene());
  run(simulator, 20, {.on_failure = OnFailure::kContinue}, {&recorder});
  const Recording& recording = recorder.recording();
  EXPECT_EQ(recording.steps(), 18);
  ASSERT_EQ(recording.time.size(), 19u);
  EXPECT_EQ(recording.time.back(), 18 * 1e-3);
  EXPECT_EQ(recording.q[18 * 7 + 2], simulator.state().q[2]);
}

}  // namespace
}  // namespace rigor
