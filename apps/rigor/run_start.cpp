#include "run_start.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "output.h"
#include "rigor/algorithms.h"
#include "rigor/check.h"

namespace rigor::app {

void tellChoices(const Scene& scene, const std::string& torques) {
  if (scene.defaults.empty()) return;
  for (const std::string& line : scene.defaults) tell(line);
  const std::string drive = !torques.empty()      ? "joints driven by " + torques
                            : scene.holds.empty() ? std::string("joints limp")
                                                  : fmt::format(
                                                        "{} joint{} held where they start by PD: 5 Hz with what each "
                                                        "carries, critically damped, within the file's effort "
                                                        "limits (--limp for none)",
                                                        scene.holds.size(), scene.holds.size() == 1 ? "" : "s");
  tell(fmt::format("steps of {:g} ms for {:g} s, {}", 1e3 * scene.dt, scene.time, drive));
}

void tellRounding(const Scene& scene, std::int64_t steps) {
  const double covered = static_cast<double>(steps) * scene.dt;
  if (std::fabs(covered - scene.time) > 1e-6 * scene.dt + 1e-15 * scene.time)
    tell(fmt::format("{:g} s are not a whole number of steps of {:g} ms: {} step{} will run, {:g} s", scene.time,
                     1e3 * scene.dt, steps, steps == 1 ? "" : "s", covered));
}

void checkClock(double time, const Scene& scene, const std::string& file) {
  const double end = time + scene.time;
  if (std::fabs(((end + scene.dt) - end) - scene.dt) <= 1e-3 * scene.dt) return;
  throw Error(Place{file, 0, "time"},
              fmt::format("from {:g} s on, steps of {:g} s no longer advance the clock: doubles are spaced by {:.2g} s "
                          "there",
                          time, scene.dt, std::nextafter(end, INFINITY) - end),
              "Start from an earlier snapshot, or take longer steps.");
}

SnapshotOverlap findSnapshotOverlap(const Scene& scene, const Eigen::VectorXd& q, const std::string& snapshot) {
  const auto nameOf = [&](int index) {
    const ModelShape& shape = scene.model.shapes()[index];
    return !shape.name.empty() ? shape.name : shape.body == kWorld ? "world" : scene.model.body(shape.body).name;
  };
  SnapshotOverlap found;
  for (const ShapeOverlap& overlap : findOverlaps(scene.model, q)) {
    found.depth = std::max(found.depth, overlap.depth);
    found.warnings.push_back({{snapshot, 0, "q"},
                              fmt::format("\"{}\" and \"{}\" overlap by {:.3g} m in the snapshot; a run from one moves "
                                          "nothing apart",
                                          nameOf(overlap.shape_1), nameOf(overlap.shape_2), overlap.depth),
                              true});
  }
  return found;
}

void warnOfFastSprings(Scene& scene) {
  const Model& model = scene.model;
  Eigen::VectorXd stiffness = Eigen::VectorXd::Zero(model.nv());
  for (const ModelJoint& joint : model.joints())
    stiffness.segment(joint.v_index, velocityCount(joint.spec.type)).setConstant(joint.spec.stiffness);
  if (stiffness.isZero()) return;
  Data data(model);
  const Eigen::MatrixXd L = Eigen::LLT<Eigen::MatrixXd>(crba(model, data, scene.q)).matrixL();
  const Eigen::MatrixXd half = L.triangularView<Eigen::Lower>().solve(
      Eigen::MatrixXd(stiffness.cwiseSqrt().asDiagonal()));  // ω² are the eigenvalues of half·halfᵀ
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(half.transpose() * half);
  const double fastest = std::sqrt(std::max(0.0, modes.eigenvalues().maxCoeff()));  // [rad/s]
  if (!(scene.dt * fastest > std::numbers::pi)) return;
  int part = 0;
  modes.eigenvectors().rightCols<1>().cwiseAbs().maxCoeff(&part);
  std::string name;
  for (const ModelJoint& joint : model.joints())
    if (joint.v_index <= part) name = joint.spec.name;
  scene.warnings.insert(
      scene.warnings.begin(),
      {{scene.file, 0, fmt::format("joint \"{}\"", name)},
       fmt::format("its spring swings once in {:.2g} s, too fast for steps of {:g} s: what the run shows of it is not "
                   "its motion. Take --dt below {:.1g}",
                   2.0 * std::numbers::pi / fastest, scene.dt, 0.5 / fastest),
       true});
}

}  // namespace rigor::app
