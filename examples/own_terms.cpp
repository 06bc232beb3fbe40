// Physics of your own: a bead on a wavy ring of wire (a constraint of two numbers), pulled by a magnet (a potential). Both are plain
// functions of the bead's pose; dual numbers differentiate them.
//
//   own_terms
//
// The run is recorded and judged again: what the two functions did belongs to the momentum balance, what they are nobody else
// knows, and verify says so.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "rigor/rigor.h"

namespace {

using rigor::OwnPose, rigor::PoseNumber, rigor::PoseVector;

constexpr double kRadius = 0.5, kHigh = 0.1;  // [m] the wire: x² + y² = kRadius², z = kHigh cos(3 atan2(y, x))

/// How far the bead is off the wire, outwards and upwards [m].
rigor::OwnValues offTheWire(const OwnPose& /*world*/, const OwnPose& bead) {
  const PoseVector& p = bead.position;
  return {sqrt(p.x * p.x + p.y * p.y) - kRadius, p.z - kHigh * cos(3.0 * atan2(p.y, p.x))};
}

/// Energy of the bead near a magnet above the wire [J].
PoseNumber magnet(const OwnPose& /*world*/, const OwnPose& bead) {
  const PoseVector apart = bead.position - Eigen::Vector3d(-0.4, 0.0, 0.1);
  return -0.05 / (0.04 + dot(apart, apart));
}

rigor::Scene makeScene() {
  rigor::BodySpec bead;
  bead.name = "bead";
  bead.joint.type = rigor::kFree;
  bead.mass = rigor::computeMassProperties(rigor::makeSphere(0.02), 8000);
  rigor::ModelBuilder builder;
  const int body = builder.addBody(bead);
  rigor::Scene scene;
  scene.model = builder.build();
  scene.q = scene.model.q0();
  scene.q.head<3>() = Eigen::Vector3d(kRadius, 0.0, kHigh);
  scene.v = 1.5 * Eigen::VectorXd::Unit(6, 1);  // along the wire [m/s]
  scene.constraints.push_back({"wire", rigor::kWorld, body, offTheWire});
  scene.potentials.push_back({"magnet", rigor::kWorld, body, magnet});
  return scene;
}

}  // namespace

int main() {
  rigor::Simulator simulator(makeScene());
  rigor::Recorder recorder(simulator.scene());
  rigor::Summarizer summarizer;
  const rigor::RunOutcome outcome = rigor::run(simulator, 10000, {}, {&recorder, &summarizer});
  if (outcome.status != rigor::RunStatus::kDone) {
    std::printf("%s\n", simulator.report().explain().c_str());
    return 1;
  }
  const rigor::Recording& recording = recorder.recording();
  double low = 1e300, high = -1e300, off = 0.0;
  for (int node = 0; node <= recording.steps(); ++node) {
    const double energy = recording.energy[2 * node] + recording.energy[2 * node + 1];
    const double* q = &recording.q[static_cast<std::size_t>(node) * recording.nq];
    low = std::min(low, energy), high = std::max(high, energy);
    off = std::max({off, std::fabs(std::hypot(q[0], q[1]) - kRadius),
                    std::fabs(q[2] - kHigh * std::cos(3.0 * std::atan2(q[1], q[0])))});
  }
  std::printf("10 s: energy within %.1e J of %.3f J, at most %.1e m off the wire\n", high - low, high, off);
  const rigor::Verdict verdict = rigor::verifyRecording(recording);
  std::printf("second opinion: %s\n", verdict.holds ? "holds" : verdict.first_bad.what.c_str());
  for (const std::string& line : verdict.unchecked) std::printf("  not judged: %s\n", line.c_str());
  const bool stayed = off <= 1e-11 && high - low < 1e-3;
  std::printf("%s\n", stayed && verdict.holds ? "it stayed on the wire" : "it left the wire");
  return stayed && verdict.holds ? 0 : 1;
}
