#include "experiments/counted_steps.h"

#include <fmt/format.h>

#include "rigor/io.h"

namespace rigor::experiments {

Simulator CountedSteps::start(const Scene& scene, std::optional<double> tolerance) const {
  SimulatorOptions options;
  options.stop = request_.stop;
  options.tolerance = tolerance;
  Simulator simulator(scene, options);
  simulator.wanted() = {.energy = true};
  return simulator;
}

bool CountedSteps::step(Simulator& simulator) {
  const StepReport& report = simulator.step();
  if (report.status == StepStatus::kInterrupted) throw Stopped{};
  tell(1);
  if (report.accepted()) return true;
  if (refused_++ == 0) complaint_ = fmt::format("{}: {}", simulator.scene().name, report.explain());
  return false;
}

void CountedSteps::tell(std::int64_t more) {
  done_ += more;
  if (!watch_(done_)) throw Stopped{};
}

Scene loadMaximal(const Request& request, const std::string& file, double dt) {
  Scene scene = loadScene(request.scenes + "/" + file);
  scene.stepper = "maximal";
  scene.dt = dt;
  return scene;
}

std::optional<bool> shown(bool holds, bool long_enough) {
  return holds && !long_enough ? std::nullopt : std::optional(holds);
}

void tellRefusals(const CountedSteps& steps, Outcome& outcome) {
  if (steps.refused() == 0) return;
  outcome.done = false;
  outcome.setting.push_back(fmt::format("REFUSED: {} steps; the first: {}", steps.refused(), steps.complaint()));
}

}  // namespace rigor::experiments
