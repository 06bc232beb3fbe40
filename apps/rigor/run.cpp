// rigor run: one scene, from its start or a snapshot to its end.
#include <fmt/format.h>

#include <cmath>

#include "argument_check.h"
#include "commands.h"
#include "output.h"
#include "run_output.h"
#include "simulate.h"
#include "warnings.h"

namespace rigor::app {
namespace {

void checkArguments(const RunArguments& arguments) {
  checkPositive("--time", arguments.time);
  checkPositive("--dt", arguments.dt);
  if (arguments.stepper) checkKnown("--stepper", *arguments.stepper, {"minimal"});
  if (arguments.integrator) checkKnown("--integrator", *arguments.integrator, integratorNames());
  if (arguments.solver) checkKnown("--solver", *arguments.solver, solverNames());
  if (arguments.law) checkKnown("--law", *arguments.law, {"coulomb"});
}

/// What will run of a bare model, whoever chose it.
void tellChoices(const RunArguments& arguments, const Scene& scene) {
  if (scene.defaults.empty()) return;
  for (const std::string& line : scene.defaults) tell(line);
  const std::string drive =
      !arguments.torques.empty() ? "joints driven by " + arguments.torques
      : scene.holds.empty()
          ? std::string("joints limp")
          : fmt::format(
                "{} joints held where they start by PD: 5 Hz, critically damped, within the file's effort "
                "limits (--limp for none)",
                scene.holds.size());
  tell(fmt::format("steps of {:g} ms for {:g} s, {}", 1e3 * scene.dt, scene.time, drive));
}

void tellRounding(const Scene& scene, std::int64_t steps) {
  const double covered = static_cast<double>(steps) * scene.dt;
  if (std::fabs(covered - scene.time) > 1e-6 * scene.dt)
    tell(fmt::format("{:g} s are not a whole number of steps of {:g} ms: {} steps will run, {:g} s", scene.time,
                     1e3 * scene.dt, steps, covered));
}

/// Time must be able to go on: at 1e17 s a step of 1 ms is lost in rounding.
void checkClock(double time, const Scene& scene, const std::string& file) {
  const double end = time + scene.time;
  if (std::fabs(((end + scene.dt) - end) - scene.dt) <= 1e-3 * scene.dt) return;
  throw Error(Place{file, 0, "time"},
              fmt::format("from {:g} s on, steps of {:g} s no longer advance the clock: doubles are spaced by {:.2g} s "
                          "there",
                          time, scene.dt, std::nextafter(end, INFINITY) - end),
              "Start from an earlier snapshot, or take longer steps.");
}

Scene makeScene(const RunArguments& arguments) {
  Scene scene = loadScene(arguments.scene, arguments.load, arguments.limp);
  if (arguments.time) scene.time = *arguments.time;
  if (arguments.dt) scene.dt = *arguments.dt;
  if (arguments.stepper) scene.stepper = *arguments.stepper;
  if (arguments.integrator) scene.integrator = *arguments.integrator;
  if (arguments.solver) scene.solver = *arguments.solver;
  if (arguments.law) scene.law = *arguments.law;
  if (!arguments.torques.empty()) {
    scene.torques = loadTorques(arguments.torques, scene.model);
    scene.holds.clear();
  }
  tellChoices(arguments, scene);
  return scene;
}

}  // namespace

int execute(const RunArguments& arguments) {
  checkArguments(arguments);
  const RunFiles files{arguments.out, arguments.save_snapshot};
  checkFiles(files);
  const Scene scene = makeScene(arguments);
  const std::int64_t steps = countSteps(scene.time, scene.dt);
  tellRounding(scene, steps);
  Simulator simulator(scene, simulatorOptions(arguments.on_failure));
  if (!arguments.from.empty()) simulator.restore(loadSnapshot(arguments.from, scene));
  checkClock(simulator.state().time, scene, arguments.from.empty() ? scene.file : arguments.from);
  tellWarnings(simulator.warnings());
  if (arguments.load.strict && !simulator.warnings().empty())
    throw Error("--strict: the start pose is not clean", "Move the bodies named above apart, or leave --strict out.");

  const InterruptFlag interrupt;
  std::optional<Recording> recording;
  if (!files.out.empty()) recording = makeRecording(scene);
  const RunSummary summary =
      simulate(simulator, steps, arguments.on_failure, interrupt, recording ? &*recording : nullptr);
  return finishRun(files, {arguments.json, arguments.allow_missing_contact}, simulator, summary, recording);
}

}  // namespace rigor::app
