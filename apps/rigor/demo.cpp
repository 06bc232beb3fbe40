// rigor demo: what rigor is for, in five seconds and one page.
#include <fmt/format.h>

#include <filesystem>

#include "argument_check.h"
#include "commands.h"
#include "output.h"
#include "run_output.h"
#include "scene_folder.h"
#include "simulate.h"
#include "warnings.h"

namespace rigor::app {
namespace {

std::string sceneFile(const char* name) {
  const std::filesystem::path file = std::filesystem::path(sceneFolder()) / name;
  std::error_code trouble;
  if (!std::filesystem::exists(file, trouble) && !trouble)
    throw Error(Place{file.string(), 0, ""}, "the scene of the demo is not there",
                "Set RIGOR_SCENES to the folder `scenes` of rigor's source.");
  return file.string();
}

}  // namespace

int execute(const DemoArguments& arguments) {
  checkPositive("--time", arguments.time);
  const RunFiles files{arguments.out.empty() ? std::vector<std::string>{"rigor_demo.html"} : arguments.out, "", ""};
  checkFiles(files);
  Scene scene = loadScene(sceneFile("anymal_steps.toml"), {.visuals = true}, true);
  if (arguments.time) scene.time = *arguments.time;
  const std::int64_t steps = countSteps(scene.time, scene.dt);
  Simulator simulator(scene, {.stop = InterruptFlag::flag()});
  tellWarnings(simulator.warnings());

  const InterruptFlag interrupt;
  Recorder recorder(scene);
  FailureKeeper failure;
  const RunSummary summary = simulate(simulator, steps, OnFailure::kSubstep, interrupt, {&recorder, &failure});
  return finishRun(files, {arguments.json}, simulator,
                   {summary, &recorder.recording(), nullptr, &failure, nullptr, 0.0, simulator.warnings()});
}

}  // namespace rigor::app
