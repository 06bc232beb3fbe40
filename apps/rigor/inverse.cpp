// rigor inverse: torques that make a robot follow a motion under contact.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "argument_check.h"
#include "commands.h"
#include "interrupt.h"
#include "json.h"
#include "output.h"
#include "rigor/follow_motion.h"
#include "rigor/io.h"
#include "run_output.h"
#include "simulate.h"
#include "warnings.h"

namespace rigor::app {
namespace {

/// Limits of the drives that the scene holds its joints with.
Eigen::VectorXd effortLimits(const Scene& scene) {
  Eigen::VectorXd limits = Eigen::VectorXd::Constant(scene.model.nv(), std::numeric_limits<double>::infinity());
  for (const HoldSpec& hold : scene.holds) limits[scene.model.joints()[hold.joint].v_index] = hold.effort;
  return limits;
}

std::vector<int> freedomsThatFollow(const Model& model, const std::vector<std::string>& passive) {
  std::vector<int> freedoms = InverseDynamics::actuated(model);
  for (const std::string& name : passive) {
    const int index = model.findJoint(name);
    if (index < 0) throw Error("--passive: the model has no joint \"" + name + "\"", "rigor info lists the joints.");
    const ModelJoint& joint = model.joints()[index];
    const auto isOfJoint = [&](int dof) {
      return dof >= joint.v_index && dof < joint.v_index + velocityCount(joint.spec.type);
    };
    freedoms.erase(std::remove_if(freedoms.begin(), freedoms.end(), isOfJoint), freedoms.end());
  }
  if (freedoms.empty()) throw Error("no joint is left to follow the motion", "Leave some out of --passive.");
  return freedoms;
}

std::string describe(const FollowSummary& s) {
  std::string text =
      fmt::format("{} steps: {} solved, {} proved infeasible, {} failed\n", s.steps, s.solved, s.certified, s.failed);
  text += fmt::format("  joints miss the motion by at most {:.2g} rad or m\n", s.tracking_max);
  text += fmt::format("  largest torque {:.4g} N m or N", s.torque_max);
  text += s.limited > 0 ? fmt::format(", at its limit in {} steps\n", s.limited) : "\n";
  text += fmt::format("  nearest to the edge of a friction cone: {:.3g} of it left; {} steps with slip\n",
                      s.cone_margin_min, s.slipping);
  return text;
}

}  // namespace

int execute(const InverseArguments& arguments) {
  checkPositive("--dt", arguments.dt);
  checkPositive("--time", arguments.time);
  const RunFiles files{arguments.out, arguments.save_start, ""};
  checkFiles(files);
  LoadOptions load = arguments.load;
  load.visuals = std::any_of(arguments.out.begin(), arguments.out.end(),
                             [](const std::string& out) { return hasEnding(out, ".html"); });
  Scene scene = loadScene(arguments.scene, load);
  if (arguments.dt) scene.dt = *arguments.dt;
  MotionTable motion = loadMotion(arguments.motion, scene.model);
  const double begin = motion.time.front();
  for (double& time : motion.time) time -= begin;
  scene.q = motion.q.front();
  scene.v = motion.v.front();
  scene.time = arguments.time.value_or(motion.time.back());
  InverseOptions options;
  options.choice = arguments.choice;
  if (arguments.keep_limits) options.limits = effortLimits(scene);
  scene.releaseJoints();
  scene.torques.reset();
  scene.check();
  SimulatorOptions how = simulatorOptions(OnFailure::kSubstep);
  how.stop = InterruptFlag::flag();
  Simulator simulator(scene, how);
  tellWarnings(simulator.warnings());
  if (!arguments.save_start.empty()) saveSnapshot(arguments.save_start, scene, simulator.save());
  MotionFollower follower(simulator, std::move(motion), freedomsThatFollow(scene.model, arguments.passive), options);
  const InterruptFlag interrupt;
  std::optional<Recorder> recorder;
  std::vector<RunObserver*> watchers{&follower};
  if (!files.out.empty()) watchers.push_back(&recorder.emplace(scene));
  const RunSummary run =
      simulate(simulator, countSteps(scene.time, scene.dt), OnFailure::kSubstep, interrupt, watchers);
  const bool written = writeRecordings(files, scene, recorder ? &recorder->recording() : nullptr, run);
  const FollowSummary& summary = follower.summary();
  writeResult(arguments.json ? inverseJson(summary, run) : describe(summary));
  if (run.status == RunStatus::kInterrupted) return kInterrupted;
  const bool followed = summary.solved == summary.steps && summary.limited == 0;
  return run.status == RunStatus::kDone && followed && written ? kDone : kFailed;
}

}  // namespace rigor::app
