#include "experiments/pc_scenes.h"

#include <algorithm>
#include <numeric>

namespace rigor::experiments {
namespace {

/// Writes down every step.
class StepNotes final : public RunObserver {
 public:
  StepNotes(PcRun& run, std::int64_t before, const Watch& watch) : run_(run), before_(before), watch_(watch) {}

  ReportParts wants() const override { return {.contacts = true, .energy = true, .timing = true}; }
  void begin(const Simulator& simulator, std::int64_t steps) override {
    run_.start = simulator.state().q;
    run_.lowest_base = simulator.pose(0).position.z();
    for (auto* list : {&run_.seconds, &run_.iterations, &run_.contacts, &run_.penetration})
      list->reserve(static_cast<std::size_t>(steps));
  }
  void see(const Simulator& simulator, const RunStep& step) override {
    heed(watch_, before_ + step.count);
    const StepReport& report = step.report;
    run_.refused += !report.accepted();
    if (!report.accepted()) return;
    note(report, step.seconds);
    run_.end = simulator.state().q;
    run_.lowest_base = std::min(run_.lowest_base, simulator.pose(0).position.z());
  }

 private:
  void note(const StepReport& report, double seconds) {
    run_.seconds.push_back(seconds);
    run_.iterations.push_back(report.iterations);
    run_.penetration.push_back(report.penetration);
    run_.contacts.push_back(
        static_cast<double>(std::count_if(report.contacts.begin(), report.contacts.end(),
                                          [](const Contact& contact) { return contact.mode != ContactMode::kOpen; })));
    const double energy = report.kinetic + report.potential;
    if (run_.seconds.size() == 1) run_.first_energy = run_.highest_energy = energy;
    run_.highest_energy = std::max(run_.highest_energy, energy);
    for (double PhaseTimes::* phase :
         {&PhaseTimes::kinematics, &PhaseTimes::free_motion, &PhaseTimes::collide, &PhaseTimes::assemble,
          &PhaseTimes::solve, &PhaseTimes::judge, &PhaseTimes::integrate})
      run_.nanoseconds.*phase += report.nanoseconds.*phase;
  }

  PcRun& run_;
  const std::int64_t before_;
  const Watch& watch_;
};

/// Looks at the clock alone.
class StepTimes final : public RunObserver {
 public:
  StepTimes(std::vector<double>& seconds, std::int64_t before, const Watch& watch)
      : seconds_(seconds), before_(before), watch_(watch) {}

  ReportParts wants() const override { return {}; }
  void begin(const Simulator&, std::int64_t steps) override { seconds_.reserve(static_cast<std::size_t>(steps)); }
  void see(const Simulator&, const RunStep& step) override {
    heed(watch_, before_ + step.count);
    if (step.report.accepted()) seconds_.push_back(step.seconds);
  }

 private:
  std::vector<double>& seconds_;
  const std::int64_t before_;
  const Watch& watch_;
};

void runWith(RunObserver& observer, const Request& request, const Scene& scene, double tolerance, std::int64_t steps) {
  SimulatorOptions options = pcOptions(request);
  options.tolerance = tolerance;
  Simulator simulator(scene, options);
  constexpr int kMostRefusals = 3;  // in a row: a solver that cannot take a step will not take it the next time
  run(simulator, steps, {.on_failure = OnFailure::kContinue, .most_refusals = kMostRefusals}, {&observer});
}

}  // namespace

bool PcRun::touched() const {
  return std::any_of(contacts.begin(), contacts.end(), [](double count) { return count > 0.0; });
}

double PcRun::total() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }

std::int64_t stepsOf(const Request& request) { return request.steps > 0 ? request.steps : kPcSteps; }

SimulatorOptions pcOptions(const Request& request) {
  SimulatorOptions options = simulatorOptions(OnFailure::kContinue);
  options.stop = request.stop;
  return options;
}

void heed(const Watch& watch, std::int64_t steps) {
  if (!watch(steps)) throw Stopped{};
}

Scene loadPcScene(const Request& request, const PcScene& scene, const PcMethod& method) {
  Scene loaded = loadScene(request.scenes + "/" + scene.file);
  loaded.solver = method.solver;
  loaded.law = method.law;
  return loaded;
}

PcRun runPcScene(const Request& request, const Scene& scene, double tolerance, std::int64_t steps, std::int64_t before,
                 const Watch& watch) {
  PcRun done;
  StepNotes notes(done, before, watch);
  runWith(notes, request, scene, tolerance, steps);
  heed(watch, before + steps);  // a step that was given up is not seen
  return done;
}

std::vector<double> timePcScene(const Request& request, const Scene& scene, double tolerance, std::int64_t steps,
                                std::int64_t before, const Watch& watch) {
  std::vector<double> seconds;
  StepTimes times(seconds, before, watch);
  runWith(times, request, scene, tolerance, steps);
  heed(watch, before + steps);
  return seconds;
}

}  // namespace rigor::experiments
