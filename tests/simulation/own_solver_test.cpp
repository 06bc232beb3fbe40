// A user's own solver behind SimulatorOptions: judged like ours, and never able to spoil the state.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "simulation/state_hash.h"

namespace rigor {
namespace {

/// One of ours until a test makes it misbehave; claims success in any case.
class Scripted final : public ContactSolver {
 public:
  using Script = std::function<void(const ContactProblem&, ContactSolution&)>;
  explicit Scripted(Script script) : script_(std::move(script)) {}
  std::string_view name() const override { return "scripted"; }
  void solve(const ContactProblem& problem, const SolverOptions& options, ContactSolution& solution) override {
    ours_->solve(problem, options, solution);
    if (script_) script_(problem, solution);
    solution.status = SolveStatus::kSolved;
    solution.residuals = {};
  }

 private:
  std::unique_ptr<ContactSolver> ours_ = makeSolver("auto");
  Script script_;
};

SimulatorOptions optionsWith(Scripted::Script script) {
  return {.max_halvings = 1, .solver = [script] { return std::make_unique<Scripted>(script); }};
}

TEST(OwnSolver, ThatIsOneOfOursGivesTheSameBits) {
  for (const char* name : {"anymal_stand", "anymal_drop", "double_four_bar"}) {
    Simulator ours(loadNamed(name)),
        own(loadNamed(name), {.solver = [] { return std::make_unique<Scripted>(nullptr); }});
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(ours.step().accepted()) << name << " " << i;
      ASSERT_TRUE(own.step().accepted()) << name << " " << i;
      ASSERT_EQ(hashState(own.state()), hashState(ours.state())) << name << " " << i;
    }
  }
}

// Wrong, not a number, of wrong sizes: the step is refused and the state keeps its bits.
TEST(OwnSolver, ThatMisbehavesIsRefusedAndLeavesTheState) {
  const std::pair<const char*, Scripted::Script> scripts[] = {
      {"pushes too hard", [](const ContactProblem&, ContactSolution& s) { s.impulse[0] += 1.0; }},
      {"does nothing", [](const ContactProblem&, ContactSolution& s) { s.impulse.assign(s.impulse.size(), 0.0); }},
      {"not a number", [](const ContactProblem&, ContactSolution& s) { s.impulse[0] = s.velocity[0] = std::nan(""); }},
      {"nothing left", [](const ContactProblem&, ContactSolution& s) { s = {}; }},
      {"too much",
       [](const ContactProblem& p, ContactSolution& s) {
         s.impulse.assign(2 * p.rows() + 1, 1.0);
         s.velocity.clear();
         s.modes.clear();
       }},
  };
  for (const auto& entry : scripts) {
    const char* what = entry.first;
    const Scripted::Script& script = entry.second;
    bool standing = false;
    Simulator sim(loadNamed("anymal_stand"), optionsWith([&](const ContactProblem& problem, ContactSolution& solution) {
                    if (standing) script(problem, solution);
                  }));
    ASSERT_TRUE(sim.run(0.5).accepted());
    ASSERT_EQ(sim.report().contacts.size(), 4u);
    standing = true;
    const std::uint64_t before = hashState(sim.state());
    const double time = sim.state().time;
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(sim.step().accepted()) << what;
    EXPECT_EQ(hashState(sim.state()), before) << what;
    EXPECT_EQ(sim.state().time, time) << what;
  }
}

TEST(OwnSolver, ThatThrowsRefusesTheStepAndLeavesTheNextOneAsItWas) {
  bool throws = false;
  Simulator sim(loadNamed("anymal_drop"), optionsWith([&](const ContactProblem&, ContactSolution& solution) {
                  if (!throws) return;
                  solution.impulse.assign(solution.impulse.size(), 0.0);
                  throw std::runtime_error("out of ideas");
                }));
  Simulator undisturbed(loadNamed("anymal_drop"), optionsWith(nullptr));
  int refused = 0;
  for (int i = 0; i < 800; ++i) {
    const std::uint64_t before = hashState(sim.state());
    throws = i % 3 == 0;
    if (!sim.step().accepted()) {
      ++refused;
      ASSERT_EQ(hashState(sim.state()), before) << i;
      EXPECT_EQ(sim.report().complaint, "out of ideas") << i;
      EXPECT_NE(sim.report().explain().find("The solver threw: out of ideas"), std::string::npos) << i;
      throws = false;
      ASSERT_TRUE(sim.step().accepted()) << i;
      EXPECT_EQ(sim.report().complaint, "") << i;
    }
    ASSERT_TRUE(undisturbed.step().accepted()) << i;
    ASSERT_EQ(hashState(sim.state()), hashState(undisturbed.state())) << i;
  }
  EXPECT_GT(refused, 10);
}

TEST(OwnSolver, IsMadeAnewForEveryFork) {
  int made = 0;
  Simulator sim(loadNamed("anymal_stand"), {.solver = [&] {
                  ++made;
                  return std::make_unique<Scripted>(nullptr);
                }});
  EXPECT_EQ(made, 1);
  Simulator fork = sim;
  EXPECT_EQ(made, 2);
  ASSERT_TRUE(sim.step().accepted());
  ASSERT_TRUE(fork.step().accepted());
  EXPECT_EQ(hashState(fork.state()), hashState(sim.state()));
}

TEST(OwnSolver, ThatIsNoneIsToldOf) {
  EXPECT_THROW(Simulator(loadNamed("anymal_stand"), {.solver = [] { return std::unique_ptr<ContactSolver>(); }}),
               Error);
}

}  // namespace
}  // namespace rigor
