// A robot bends its knees: a controller gives the drives new targets before every step, the run is recorded, and the
// recording is judged again.
//
//   moving_targets            in the folder that has scenes/
//
// The drives are the joints that the scene holds. Input::ctrl has one target for each, in the order of listDrives; their
// gains and limits stay those of the scene. While it is empty, so do the targets.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "rigor/rigor.h"

namespace {

constexpr double kStart = 0.5;   // [s] until then the robot lands and stands
constexpr double kPeriod = 2.0;  // [s] down and up again

/// Bends every knee by up to 0.5 rad and the hip above it by half of that the other way, so that the feet stay in place.
Eigen::VectorXd bendKnees(const rigor::Scene& scene, double time) {
  const double bend = 0.25 * (1.0 - std::cos(2.0 * 3.14159265358979 * (time - kStart) / kPeriod));
  const std::vector<rigor::HoldSpec> drives = rigor::listDrives(scene);
  Eigen::VectorXd targets(static_cast<Eigen::Index>(drives.size()));
  for (Eigen::Index i = 0; i < targets.size(); ++i) {
    const std::string& joint = scene.model.joints()[drives[i].joint].spec.name;  // such as LF_KFE
    const double share = joint.ends_with("KFE") ? 1.0 : joint.ends_with("HFE") ? 0.5 : 0.0;
    targets[i] = drives[i].target + share * std::copysign(bend, drives[i].target);
  }
  return targets;
}

}  // namespace

int main() {
  const rigor::Scene scene = rigor::loadScene("scenes/anymal_stand.toml");
  rigor::Simulator simulator(scene);
  double highest = 0.0, lowest = 1.0;  // [m] of the trunk, once it stands
  simulator.setController([&](const rigor::State& state, rigor::Input& input) {
    if (state.time < kStart) return;
    input.ctrl = bendKnees(scene, state.time);
    highest = std::max(highest, state.q[2]);
    lowest = std::min(lowest, state.q[2]);
  });
  rigor::Recorder recorder(scene);
  const rigor::RunOutcome outcome = rigor::run(simulator, 2500, {}, {&recorder});
  std::printf("%s after %.3f s; the trunk went down by %.3f m\n", rigor::runStatusName(outcome.status),
              simulator.state().time, highest - lowest);
  const rigor::Verdict verdict = rigor::verifyRecording(recorder.recording());
  std::printf("%d targets in each of %d steps, judged again: %s\n", recorder.recording().nu,
              recorder.recording().steps(), verdict.holds ? "holds" : verdict.first_bad.what.c_str());
  return outcome.status == rigor::RunStatus::kDone && verdict.holds ? 0 : 1;
}
